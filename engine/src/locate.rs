//! Finds where one hunk goes in one file: one place, or the reason there is none.
