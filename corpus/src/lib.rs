//! Edits with the right answer to each: ground truth that shares no code with what it judges.
