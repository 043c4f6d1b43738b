//! An edit as its author would send it, in each format: written from the edit alone.
//!
//! What only locates is written as the trial's condition quotes it. What is to be in the file is
//! never touched.

use serde_json::{Value, json};

use super::condition::{Condition, Trial, text};
use super::diff::{Heading, hunks};
use super::edit::{Edit, Hunk};

/// The ways to write an edit down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// Blocks of old and new lines.
    SearchReplace,
    /// A unified diff with three lines of context.
    UnifiedDiff,
    /// The same as git writes it: it names the blobs before and after.
    GitDiff,
    /// A `*** Begin Patch` envelope with three lines of context, and no scope.
    V4a,
    /// Pairs of old and new text.
    StrReplace,
    /// Ranges of lines with their new text.
    LineRange,
    /// The same, with the text that the lines are expected to hold.
    CheckedRange,
    /// A function by its qualified name, with its new source.
    Function,
    /// The whole new file, with the blob that it takes the place of.
    WholeFile,
}

impl Rendering {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::SearchReplace,
        Self::UnifiedDiff,
        Self::GitDiff,
        Self::V4a,
        Self::StrReplace,
        Self::LineRange,
        Self::CheckedRange,
        Self::Function,
        Self::WholeFile,
    ];

    /// Returns `trial`'s edit in this format, for the file `path`.
    #[must_use]
    pub fn render(self, trial: &Trial<'_>, path: &str) -> String {
        let (edit, condition) = (trial.edit, trial.condition);
        match self {
            Self::SearchReplace => search_replace(edit, condition, path),
            Self::UnifiedDiff => unified_diff(edit, condition, path),
            Self::GitDiff => format!(
                "diff --git a/{path} b/{path}\nindex {}..{} 100644\n{}",
                blob(&text(edit.base())),
                blob(&text(&edit.target())),
                unified_diff(edit, condition, path)
            ),
            Self::V4a => format!(
                "*** Begin Patch\n*** Update File: {path}\n{}*** End Patch\n",
                diff(edit, condition, Heading::Bare)
            ),
            Self::StrReplace => each(
                edit,
                |hunk| json!({ "path": path, "old": quoted(hunk, condition), "new": text(&hunk.new) }),
            ),
            Self::LineRange => each(
                edit,
                |hunk| json!({ "path": path, "lines": lines(hunk), "new": text(&hunk.new) }),
            ),
            Self::CheckedRange => each(edit, |hunk| {
                let expect = quoted(hunk, condition);
                json!({ "path": path, "lines": lines(hunk), "expect": expect, "new": text(&hunk.new) })
            }),
            Self::Function => {
                let new = text(&edit.function_after());
                json!({ "path": path, "symbol": edit.row.qualified, "new": new }).to_string()
            }
            Self::WholeFile => {
                let (base, content) = (blob(&text(edit.base())), text(&edit.target()));
                json!({ "path": path, "content": content, "base": base }).to_string()
            }
        }
    }
}

/// Returns what `document` makes of the hunk of `edit`, or a list where there are several.
fn each(edit: &Edit, document: impl Fn(&Hunk) -> Value) -> String {
    let hunks = edit.hunks();
    match hunks.as_slice() {
        [only] => document(only).to_string(),
        several => Value::Array(several.iter().map(document).collect()).to_string(),
    }
}

/// Returns the lines of `hunk`'s anchor, from 1, the last one included.
fn lines(hunk: &Hunk) -> [usize; 2] {
    [hunk.first, hunk.first + hunk.old.len() - 1]
}

/// Returns `hunk`'s anchor as the edit quotes it.
fn quoted(hunk: &Hunk, condition: Condition) -> String {
    let lines: Vec<String> = hunk.old.iter().map(|line| condition.quote(line)).collect();
    text(&lines)
}

fn search_replace(edit: &Edit, condition: Condition, path: &str) -> String {
    let block = |hunk: &Hunk| {
        let (old, new) = (quoted(hunk, condition), text(&hunk.new));
        format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
    };
    let blocks: Vec<String> = edit.hunks().iter().map(block).collect();
    blocks.join("\n")
}

fn unified_diff(edit: &Edit, condition: Condition, path: &str) -> String {
    let hunks = diff(edit, condition, Heading::Numbers);
    format!("--- a/{path}\n+++ b/{path}\n{hunks}")
}

fn diff(edit: &Edit, condition: Condition, heading: Heading) -> String {
    hunks(edit.base(), &edit.changes(), heading, |line| {
        condition.quote(line)
    })
}

/// Returns git's id of the blob that holds `content`.
fn blob(content: &str) -> String {
    use sha1::{Digest as _, Sha1};
    let head = format!("blob {}\0", content.len());
    let digest: [u8; 20] = Sha1::new_with_prefix(head)
        .chain_update(content)
        .finalize()
        .into();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
