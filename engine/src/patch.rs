//! The hunk IR: what every edit format is parsed into.
//!
//! A [`Patch`] says *what its author saw* and *what it is to become*; where that lands is decided
//! by [`plan()`](crate::plan()). Lines that the author only quoted are [`Line::Context`] and stay
//! as the file has them.

mod pair;
mod reverse;

pub use reverse::reverse;

use bstr::BString;

use crate::blob::IdPrefix;
use crate::lines::LineNo;
use crate::path::PathSpec;

/// Bytes `start..end` of the input that something was parsed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte, from 0.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Everything that one reading of one input asks for, in the order written.
///
/// Edits that name the same path are one batch: all are resolved in the file as it was before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// What is to become of each file.
    pub edits: Vec<Edit>,
}

/// What is to become of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file that is read.
    pub path: PathSpec,
    /// Where the result goes.
    pub destination: Destination,
    /// The change to its content.
    pub change: Change,
    /// The file's kind and executable bit after the edit, and before it, where stated.
    pub mode: Option<ModeChange>,
    /// What the author says to have seen.
    pub base: Option<Base>,
    /// The id that the result must have, as stated by a diff's `index` line.
    pub post: Option<IdPrefix>,
    /// The edit was turned round: what it brings was there before, and nothing in it stands for
    /// lines left out.
    pub undoes: bool,
    /// Where in the input this edit stands.
    pub span: Span,
}

impl Edit {
    /// Returns an edit of `path` in place, with no base, mode or id.
    #[must_use]
    pub fn new(path: PathSpec, change: Change, span: Span) -> Self {
        let destination = Destination::Same;
        Self {
            path,
            destination,
            change,
            mode: None,
            base: None,
            post: None,
            undoes: false,
            span,
        }
    }
}

/// Where an edit's result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The file that was read.
    Same,
    /// Another path, and the old one is removed.
    Rename(PathSpec),
    /// Another path, and the old one stays.
    Copy(PathSpec),
}

/// What a path is, as git's tree modes say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `100644`
    Regular,
    /// `100755`
    Executable,
    /// `120000`: the content is the link's target.
    Symlink,
    /// `160000`: a submodule.
    Gitlink,
}

impl Mode {
    /// Returns the mode that git writes as `octal`, six digits; `None` for any other text.
    #[must_use]
    pub fn from_octal(octal: &[u8]) -> Option<Self> {
        match octal {
            // git wrote 100664 for regular files in its first months, and still reads it.
            b"100644" | b"100664" => Some(Self::Regular),
            b"100755" => Some(Self::Executable),
            b"120000" => Some(Self::Symlink),
            b"160000" => Some(Self::Gitlink),
            _ => None,
        }
    }

    /// Returns the six digits that git writes.
    #[must_use]
    pub fn octal(self) -> &'static str {
        match self {
            Self::Regular => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Gitlink => "160000",
        }
    }
}

/// A stated mode, and the one it replaces where that is stated too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModeChange {
    /// The mode before, which the file must have.
    pub old: Option<Mode>,
    /// The mode after.
    pub new: Mode,
}

/// What the author says to have seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A blob, by the first digits of its id.
    Blob(IdPrefix),
    /// A file as `surefoot read` showed it: the blob, and the lines shown (counted from 0, without
    /// `end`).
    Receipt {
        /// The shown file's blob.
        blob: IdPrefix,
        /// The lines that were shown.
        shown: Option<crate::lines::LineRange>,
    },
}

impl Base {
    /// Returns the blob that the author saw.
    #[must_use]
    pub fn blob(&self) -> &IdPrefix {
        match self {
            Self::Blob(blob) | Self::Receipt { blob, .. } => blob,
        }
    }
}

/// A change to one file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The content stays; only name or mode change.
    Keep,
    /// Some places change.
    Modify {
        /// In the order written.
        hunks: Vec<Hunk>,
        /// How the order of `hunks` counts.
        order: Order,
    },
    /// A file comes into being; its mode is the edit's, regular where none is stated.
    Create {
        /// The whole content.
        content: BString,
        /// How a file that is there already is refused.
        existing: Existing,
    },
    /// The whole content is replaced, whatever it was.
    Write {
        /// The whole new content.
        content: BString,
    },
    /// The file goes away.
    Delete {
        /// The whole content as the author showed it, where shown.
        shown: Option<BString>,
    },
    /// The content changes as a git binary patch says. Needs whole ids, before and after.
    Binary {
        /// From the old content to the new.
        forward: BinaryPatch,
        /// From the new content to the old, where given.
        reverse: Option<BinaryPatch>,
    },
}

/// How the order of an edit's hunks counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Hunks stand in file order: unified diffs and V4A.
    File,
    /// Hunks stand in any order.
    Any,
}

/// How `Create` meets a file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The author said to create: `exists`.
    Exists,
    /// The author left the old text empty, which creates where nothing is: `malformed`.
    Malformed,
}

/// One direction of a git binary patch, inflated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryPatch {
    /// The whole content.
    Literal(BString),
    /// A delta in git's pack format, against the content on the other side.
    Delta(BString),
}

/// One contiguous change to a file, or one text that becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hunk {
    /// Old lines with their context.
    Lines(LineHunk),
    /// A text, which may begin and end inside a line.
    Text(TextHunk),
    /// Lines by their numbers.
    Range(RangeHunk),
}

impl Hunk {
    /// Returns where in the input the hunk stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Lines(hunk) => hunk.span,
            Self::Text(hunk) => hunk.span,
            Self::Range(hunk) => hunk.span,
        }
    }
}

/// Lines to find by their content, and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineHunk {
    /// Lines that must enclose the place, outermost first (V4A's `@@`). The hunk lands inside or
    /// not at all.
    pub scopes: Vec<BString>,
    /// The section heading that git prints behind `@@`: a witness, no scope.
    pub heading: Option<BString>,
    /// Where the old lines began in the file that the author saw, where stated. With no old line,
    /// the line that the new ones stand before.
    pub old_start: Option<LineNo>,
    /// Where the new lines begin in the result, where stated.
    pub new_start: Option<LineNo>,
    /// The author says that the old lines are the file's last (V4A's `*** End of File`).
    pub at_end: bool,
    /// The old and new lines in order.
    pub lines: Vec<Line>,
    /// Where in the input the hunk stands.
    pub span: Span,
}

impl LineHunk {
    /// Returns the lines before: context and deleted.
    pub fn old(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().filter_map(|line| match line {
            Line::Context(text) | Line::Delete(text) => Some(text.as_slice()),
            Line::Insert(_) => None,
        })
    }

    /// Returns the lines after: context and inserted.
    pub fn new_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().filter_map(|line| match line {
            Line::Context(text) | Line::Insert(text) => Some(text.as_slice()),
            Line::Delete(_) => None,
        })
    }
}

/// One line of a hunk, with its ending as the author wrote it (none: a last line without newline).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Quoted to show the place. Keeps the file's own bytes, however it matched.
    Context(BString),
    /// Goes away.
    Delete(BString),
    /// Comes in.
    Insert(BString),
}

/// A text that becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextHunk {
    /// The text before. Not empty.
    pub old: BString,
    /// The text after.
    pub new: BString,
    /// How many places are meant.
    pub count: Count,
    /// Where in the input the hunk stands.
    pub span: Span,
}

/// How many places a text is to be replaced at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly one; overlapping occurrences are counted.
    One,
    /// Every place, at least one.
    All,
    /// Exactly so many, at least one.
    Exactly(u64),
}

/// Lines by their numbers, and what proves that they are still the ones meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeHunk {
    /// The lines replaced; an empty range inserts before its line.
    pub lines: crate::lines::LineRange,
    /// The new text, whole lines; its last newline may be left out. Empty deletes.
    pub new: BString,
    /// What the author says stands there (for an insertion: the line above, or at the top line 1).
    pub expect: Option<Expect>,
    /// Where in the input the hunk stands.
    pub span: Span,
}

/// What an author says stands at the lines he numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The lines' text; its last newline may be left out.
    Text(BString),
    /// SHA-256 of the lines, each ended by LF, without byte-order mark.
    Digest([u8; 32]),
}

/// What was made of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The format's name.
    pub format: &'static str,
    /// One patch for each part of a series (the mails of a mailbox), else one.
    pub steps: Vec<Step>,
    /// What was tolerated, in input order.
    pub recoveries: Vec<Recovery>,
}

/// One part of a series: planned on the result of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the part calls itself, such as a mail's subject.
    pub label: Option<BString>,
    /// One reading, or several where the text allows them: all are planned, and they must agree.
    pub readings: Vec<Reading>,
}

/// One way to read a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What this reading asks for.
    pub patch: Patch,
    /// What tells this reading from its rivals, as in "the first `=======` divides".
    /// Empty where there is one reading only.
    pub assumption: String,
    /// Takes the text for another than it is, and so counts only where the readings before find no
    /// place in the files.
    pub fallback: bool,
}

/// Something in the input that is not as the format says, and was read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The input line, from 1; 0 where it concerns the whole input.
    pub line: usize,
    /// What was tolerated, as in "hunk 2: counted 7 old lines, header says 6".
    pub message: String,
}
