//! One edit, and the file that it must make: the operation done on lines, and nothing else.

use serde::{Deserialize, Serialize};

use super::manifest::{File, Manifest, Row};
use super::sample::Function;
use super::{CorpusError, python};

/// What an edit does to its target line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Its first identifier gets another name.
    Modify,
    /// A line comes behind it.
    InsertAfter,
    /// A line comes before it.
    InsertBefore,
    /// It goes.
    Delete,
    /// Two lines take its place.
    Replace2,
}

impl Operation {
    /// All of them, in the order in which the sampling chooses.
    pub const ALL: [Self; 5] = [
        Self::Modify,
        Self::InsertAfter,
        Self::InsertBefore,
        Self::Delete,
        Self::Replace2,
    ];
}

/// How many lines anchor an edit.
pub(super) const ANCHOR: usize = 3;

/// One edit of one function, as its author saw the file.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The sample that it is of.
    pub tag: String,
    /// Its row there.
    pub row: Row,
    file: File,
}

impl Edit {
    pub(super) fn new(manifest: &Manifest, row: &Row, file: File) -> Result<Self, CorpusError> {
        let inside = |line: usize| (row.first..=row.last).contains(&line);
        let fits = row.first > 0
            && row.last <= file.lines.len()
            && inside(row.target)
            && inside(row.anchor)
            && (row.anchor..row.anchor + ANCHOR).contains(&row.target);
        let edit = Self {
            tag: manifest.tag.clone(),
            row: row.clone(),
            file,
        };
        let named = edit.file.lines.get(row.target.wrapping_sub(1));
        let named = named.and_then(|line| python::identifier(line)).is_some();
        (fits && named)
            .then_some(edit)
            .ok_or(CorpusError::Row(row.id))
    }

    /// Returns the file's lines as the author saw them.
    #[must_use]
    pub fn base(&self) -> &[String] {
        &self.file.lines
    }

    /// Returns the functions of the file as the author saw it, in document order.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.file.functions
    }

    /// Returns the function's own name.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.row.qualified.rsplit('.').next();
        name.unwrap_or(&self.row.qualified)
    }

    /// Returns the lines that anchor the edit.
    #[must_use]
    pub fn anchor(&self) -> &[String] {
        let start = self.row.anchor - 1;
        self.base().get(start..start + ANCHOR).unwrap_or_default()
    }

    /// Returns the lines that take the anchor's place.
    #[must_use]
    pub fn replacement(&self) -> Vec<String> {
        self.apply(self.anchor(), self.row.target - self.row.anchor)
    }

    /// Returns the function's lines after the edit.
    #[must_use]
    pub fn function_after(&self) -> Vec<String> {
        let (first, last) = (self.row.first - 1, self.row.last);
        let lines = self.base().get(first..last).unwrap_or_default();
        self.apply(lines, self.row.target - self.row.first)
    }

    /// Returns the file after the edit.
    #[must_use]
    pub fn target(&self) -> Vec<String> {
        self.apply(self.base(), self.row.target - 1)
    }

    /// Does the operation on line `at`, counted from 0, of `lines`.
    pub(super) fn apply(&self, lines: &[String], at: usize) -> Vec<String> {
        let mut out: Vec<String> = lines.to_vec();
        let Some(line) = lines.get(at) else {
            return out;
        };
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let probe = format!("{indent}sf_probe_{:04} = None", self.row.id);
        let end = python::identifier(line).map_or(0, |(_, end)| end);
        let (before, after) = line.split_at_checked(end).unwrap_or((line, ""));
        let modified = format!("{before}_sf{after}");
        let new = match self.row.operation {
            Operation::Modify => vec![modified],
            Operation::InsertAfter => vec![line.clone(), probe],
            Operation::InsertBefore => vec![probe, line.clone()],
            Operation::Delete => Vec::new(),
            Operation::Replace2 => vec![probe, modified],
        };
        out.splice(at..=at, new);
        out
    }
}
