//! One edit, and the file that it must make: the operation done on lines, and nothing else.
//!
//! An edit is one hunk, anchored by three lines, or several in one function, each anchored by its
//! target line alone and at least four lines from the others.

use serde::{Deserialize, Serialize};

use super::language::Language;
use super::manifest::{File, Manifest, Row};
use super::sample::Function;
use super::{CorpusError, choose};

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

    /// Returns its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Modify => "modify",
            Self::InsertAfter => "insert_after",
            Self::InsertBefore => "insert_before",
            Self::Delete => "delete",
            Self::Replace2 => "replace2",
        }
    }
}

/// How many lines anchor an edit of one hunk.
pub(super) const ANCHOR: usize = 3;

/// The least distance, in lines, between the targets of two hunks.
const APART: usize = 4;

/// One hunk of an edit: the lines that anchor it, and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line of the anchor, counted from 1.
    pub first: usize,
    /// The anchor.
    pub old: Vec<String>,
    /// What takes its place.
    pub new: Vec<String>,
}

/// The lines that an edit changes, without any context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The first line that goes, or the line that the new ones come before, counted from 0.
    pub(super) at: usize,
    /// How many lines go.
    pub(super) gone: usize,
    /// What comes.
    pub(super) new: Vec<String>,
}

/// One edit of one function, as its author saw the file.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The sample that it is of.
    pub tag: String,
    /// Its row there.
    pub row: Row,
    pub(super) language: &'static Language,
    /// The target lines, counted from 1 and in order.
    targets: Vec<usize>,
    file: File,
}

impl Edit {
    pub(super) fn new(
        language: &'static Language,
        manifest: &Manifest,
        row: &Row,
        file: File,
    ) -> Result<Self, CorpusError> {
        let inside = |line: usize| (row.first..=row.last).contains(&line);
        let fits = row.first > 0
            && row.last <= file.lines.len()
            && inside(row.target)
            && inside(row.anchor)
            && (row.anchor..row.anchor + ANCHOR).contains(&row.target);
        let edit = Self {
            tag: manifest.tag.clone(),
            row: row.clone(),
            language,
            targets: vec![row.target],
            file,
        };
        let named = edit.file.lines.get(row.target.wrapping_sub(1));
        let named = named.and_then(|line| language.identifier(line)).is_some();
        (fits && named)
            .then_some(edit)
            .ok_or(CorpusError::Row(row.id))
    }

    /// Returns the edit that `row` names, of a file that is all `text`.
    #[cfg(all(test, feature = "syntax"))]
    pub(super) fn of(
        language: &'static Language,
        row: &Row,
        text: &str,
    ) -> Result<Self, CorpusError> {
        let outline = (language.outline)(text);
        let file = File {
            lines: text.lines().map(str::to_owned).collect(),
            functions: outline.functions.into(),
            tokens: outline.tokens.into(),
        };
        let manifest = Manifest {
            tag: language.name.to_owned(),
            rows: Vec::new(),
        };
        Self::new(language, &manifest, row, file)
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

    /// Returns the function that it is of, as its author saw it.
    pub(super) fn function(&self) -> Option<&Function> {
        let row = &self.row;
        let is = |it: &&Function| it.first == row.first && it.qualified == row.qualified;
        self.functions().iter().find(is)
    }

    /// Returns the first and the last line, counted from 0, of what goes over several as one token.
    pub(super) fn tokens(&self) -> &[(usize, usize)] {
        &self.file.tokens
    }

    /// Returns the function's own name.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.row.qualified.rsplit('.').next();
        name.unwrap_or(&self.row.qualified)
    }

    /// Returns the edit with `count` hunks: the operation done to as many statements of the function.
    /// `None` where it has too few that are far enough apart. One hunk is the edit itself.
    #[must_use]
    pub fn with_hunks(&self, count: usize) -> Option<Self> {
        let mut targets = vec![self.row.target];
        while targets.len() < count {
            let next = match targets.len() {
                1 => self.row.second?,
                len => self.next_target(&targets, len + 1)?,
            };
            targets.push(next);
        }
        targets.sort_unstable();
        (count > 0).then(|| Self {
            targets,
            ..self.clone()
        })
    }

    fn next_target(&self, targets: &[usize], number: usize) -> Option<usize> {
        let (row, line) = (&self.row, self.row.first.to_string());
        let function = self.function()?;
        let far = |line: &usize| targets.iter().all(|other| line.abs_diff(*other) >= APART);
        let left: Vec<usize> = function.targets.iter().copied().filter(far).collect();
        let what = format!("stmt{number}");
        let key = [&what, &self.tag, &row.path, &row.qualified, &line];
        choose(&left, &key.map(String::as_str)).copied()
    }

    /// Returns the hunks, from the top.
    #[must_use]
    pub fn hunks(&self) -> Vec<Hunk> {
        if self.targets.len() == 1 {
            return vec![Hunk {
                first: self.row.anchor,
                old: self.anchor().to_vec(),
                new: self.replacement(),
            }];
        }
        let hunk = |target: &usize| {
            let old: Vec<String> = self.base().get(target - 1).cloned().into_iter().collect();
            Hunk {
                first: *target,
                new: self.apply(&old, *target),
                old,
            }
        };
        self.targets.iter().map(hunk).collect()
    }

    /// Returns what changes, from the top.
    pub(super) fn changes(&self) -> Vec<Change> {
        let change = |target: &usize| {
            let at = target - 1;
            let line = self.base().get(at).map(String::as_str).unwrap_or_default();
            self.change(line, at)
        };
        self.targets.iter().map(change).collect()
    }

    /// Returns the lines that anchor an edit of one hunk.
    #[must_use]
    pub fn anchor(&self) -> &[String] {
        let start = self.row.anchor - 1;
        self.base().get(start..start + ANCHOR).unwrap_or_default()
    }

    /// Returns the lines that take that anchor's place.
    #[must_use]
    pub fn replacement(&self) -> Vec<String> {
        self.apply(self.anchor(), self.row.anchor)
    }

    /// Returns the function's lines after the edit.
    #[must_use]
    pub fn function_after(&self) -> Vec<String> {
        let (first, last) = (self.row.first - 1, self.row.last);
        let lines = self.base().get(first..last).unwrap_or_default();
        self.apply(lines, self.row.first)
    }

    /// Returns the file after the edit.
    #[must_use]
    pub fn target(&self) -> Vec<String> {
        self.apply(self.base(), 1)
    }

    /// Returns `lines` of the file, of which the first is its line `first`, after the edit.
    fn apply(&self, lines: &[String], first: usize) -> Vec<String> {
        let mut out = lines.to_vec();
        // From the bottom, so that the numbers above stay.
        for target in self.targets.iter().rev() {
            let at = target.checked_sub(first);
            let Some((at, line)) = at.and_then(|at| Some((at, lines.get(at)?))) else {
                continue;
            };
            let change = self.change(line, at);
            out.splice(change.at..change.at + change.gone, change.new);
        }
        out
    }

    /// Returns what the operation does to `line`, which is at `at`.
    fn change(&self, line: &str, at: usize) -> Change {
        let name = format!("sf_probe_{:04}", self.row.id);
        let probe = self.language.declaration(blanks(line), &name);
        let end = self.language.identifier(line).map_or(0, |(_, end)| end);
        let (before, after) = line.split_at_checked(end).unwrap_or((line, ""));
        let modified = format!("{before}_sf{after}");
        let (at, gone, new) = match self.row.operation {
            Operation::Modify => (at, 1, vec![modified]),
            Operation::InsertAfter => (at + 1, 0, vec![probe]),
            Operation::InsertBefore => (at, 0, vec![probe]),
            Operation::Delete => (at, 1, Vec::new()),
            Operation::Replace2 => (at, 1, vec![probe, modified]),
        };
        Change { at, gone, new }
    }
}

/// Returns the spaces and tabs that `line` begins with.
pub(super) fn blanks(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - rest.len()).unwrap_or_default()
}
