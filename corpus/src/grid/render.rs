//! An edit as its author would send it, in each format: written from the edit alone.

use std::fmt::Write as _;

use super::condition::{Condition, Trial, text};
use super::edit::{ANCHOR, Edit};

/// The ways to write an edit down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// A block of old and new lines.
    SearchReplace,
    /// A unified diff with three lines of context.
    UnifiedDiff,
    /// A range of lines with its new text.
    LineRange,
    /// A function by its qualified name, with its new source.
    Function,
}

impl Rendering {
    /// Returns `trial`'s edit in this format, for the file `path`.
    #[must_use]
    pub fn render(self, trial: &Trial<'_>, path: &str) -> String {
        let (edit, condition) = (trial.edit, trial.condition);
        match self {
            Self::SearchReplace => search_replace(edit, condition, path),
            Self::UnifiedDiff => unified_diff(edit, condition, path),
            Self::LineRange => {
                let (first, last) = (edit.row.anchor, edit.row.anchor + ANCHOR - 1);
                let new = text(&edit.replacement());
                serde_json::json!({ "path": path, "lines": [first, last], "new": new }).to_string()
            }
            Self::Function => {
                let new = text(&edit.function_after());
                let name = &edit.row.qualified;
                serde_json::json!({ "path": path, "symbol": name, "new": new }).to_string()
            }
        }
    }
}

fn search_replace(edit: &Edit, condition: Condition, path: &str) -> String {
    let quote = |line: &String| condition.quote(line);
    let old: Vec<String> = edit.anchor().iter().map(quote).collect();
    let (old, new) = (text(&old), text(&edit.replacement()));
    format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
}

/// Lines of context on either side of a change.
const CONTEXT: usize = 3;

fn unified_diff(edit: &Edit, condition: Condition, path: &str) -> String {
    let (base, after) = (edit.base(), edit.target());
    let same = |n: usize| base.get(n) == after.get(n);
    let most = base.len().min(after.len());
    let head = (0..most).take_while(|n| same(*n)).count();
    let from_end = |n: usize| base.get(base.len() - 1 - n) == after.get(after.len() - 1 - n);
    let tail = (0..most - head).take_while(|n| from_end(*n)).count();
    let start = head.saturating_sub(CONTEXT);
    let (old_end, new_end) = (base.len() - tail, after.len() - tail);
    let behind = tail.min(CONTEXT);
    let (old_len, new_len) = (old_end + behind - start, new_end + behind - start);
    // An empty side is named by the line before it.
    let place = |len: usize| if len == 0 { start } else { start + 1 };
    let (old_at, new_at) = (place(old_len), place(new_len));
    let mut out = format!("--- a/{path}\n+++ b/{path}\n");
    let mut put = |line: std::fmt::Arguments<'_>| out.write_fmt(line).unwrap_or_default();
    put(format_args!(
        "@@ -{old_at},{old_len} +{new_at},{new_len} @@\n"
    ));
    for line in base.get(start..head).unwrap_or_default() {
        put(format_args!(" {}\n", condition.quote(line)));
    }
    for line in base.get(head..old_end).unwrap_or_default() {
        put(format_args!("-{}\n", condition.quote(line)));
    }
    for line in after.get(head..new_end).unwrap_or_default() {
        put(format_args!("+{line}\n"));
    }
    for line in base.get(old_end..old_end + behind).unwrap_or_default() {
        put(format_args!(" {}\n", condition.quote(line)));
    }
    out
}
