//! What became of a patch: applied, or refused with every reason.
//!
//! A refusal is an answer, not an error. Its [`Reason`] carries what was wanted, what was found and
//! where, so that an author can repair the edit without reading the file again.

mod message;
mod quoted;

pub use quoted::Quoted;

use std::fmt;

use bstr::{BStr, BString};

use crate::blob::{BlobId, IdPrefix};
use crate::lines::{LineNo, LineRange};
use crate::patch::{Edit, Span};
use crate::path::{PathError, RepoPath};
use crate::plan::Plan;
use crate::policy::Score;
use crate::preimage::Preimages;

/// What became of a patch.
#[derive(Clone, Debug)]
#[must_use]
pub enum Outcome {
    /// Every file is, or would be, what the patch asks for.
    Applied(Box<Applied>),
    /// Nothing changed.
    Refused(Refused),
}

/// A plan that landed, or that would.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What each file became.
    pub plan: Plan,
    /// What each file was.
    pub preimages: Preimages,
    /// Whether anything was written. False for a check, and where all was there already.
    pub written: bool,
    /// The transaction's id, where one was kept.
    pub transaction: Option<String>,
}

/// Everything that stands in a patch's way, in input order. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    refusals: Vec<Refusal>,
}

impl Refused {
    /// Returns the refusal of a patch for one reason.
    #[must_use]
    pub fn one(refusal: Refusal) -> Self {
        Self {
            refusals: vec![refusal],
        }
    }

    /// Returns the refusal for all of `refusals`, or `None` if there is none.
    #[must_use]
    pub fn from_all(refusals: Vec<Refusal>) -> Option<Self> {
        (!refusals.is_empty()).then_some(Self { refusals })
    }

    /// Returns the refusals, in input order.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, refusal) in self.refusals.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{refusal}")?;
        }
        Ok(())
    }
}

/// One thing that stands in a patch's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file, as the edit spells it; `None` where the whole input is meant.
    pub path: Option<BString>,
    /// The hunk within its file, counted from 1.
    pub hunk: Option<usize>,
    /// Where in the input the refused thing stands.
    pub span: Option<Span>,
    /// Why.
    pub reason: Reason,
    /// The part of a series that is refused, where there are several.
    pub step: Option<StepName>,
    /// A corrected edit, where exactly one correction suggests itself. Never applied by itself.
    pub repair: Option<Box<Edit>>,
}

/// One part of a series, such as a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepName {
    /// Its place in the series, counted from 1.
    pub number: usize,
    /// What it calls itself.
    pub label: Option<BString>,
}

impl Refusal {
    /// Returns the refusal of a whole input.
    #[must_use]
    pub fn of_input(reason: Reason) -> Self {
        Self {
            path: None,
            hunk: None,
            span: None,
            reason,
            step: None,
            repair: None,
        }
    }

    /// Returns the refusal of everything that concerns one file.
    #[must_use]
    pub fn of_path(path: impl Into<BString>, reason: Reason) -> Self {
        Self {
            path: Some(path.into()),
            hunk: None,
            span: None,
            reason,
            step: None,
            repair: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = &self.step {
            write!(f, "part {}", step.number)?;
            if let Some(label) = &step.label {
                write!(f, " (`{}`)", Quoted(BStr::new(label)))?;
            }
            f.write_str(": ")?;
        }
        if let Some(path) = &self.path {
            write!(f, "`{}`", Quoted(BStr::new(path)))?;
            if let Some(hunk) = self.hunk {
                write!(f, ", hunk {hunk}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{}", self.reason)
    }
}

/// One place that an edit may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The lines of the file.
    pub lines: LineRange,
    /// Their text, the first few lines.
    pub text: BString,
    /// How like the anchor it is.
    pub similarity: Score,
    /// The innermost line that encloses it, trimmed.
    pub scope: Option<BString>,
    /// The first line where the anchor and this place differ.
    pub first_difference: Option<Difference>,
    /// Lines of the file next to this place that would make the anchor fit it alone.
    pub distinguish: Option<Distinguish>,
}

/// Lines to quote beside an anchor, so that it fits one place only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinguish {
    /// Whether the lines stand above the anchor, else below.
    pub above: bool,
    /// The lines, without endings, in file order.
    pub lines: Vec<BString>,
}

/// A line that is not as the edit quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The file's line.
    pub line: LineNo,
    /// What the edit quotes.
    pub wanted: BString,
    /// What the file has.
    pub found: BString,
}

/// Why something is refused. One variant for each code of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The anchor stands nowhere.
    NotFound {
        /// What was looked for and how.
        why: NotFound,
        /// The places most like it, best first.
        nearest: Vec<Candidate>,
    },
    /// Nothing chooses among several places.
    Ambiguous {
        /// What makes it so.
        why: Ambiguity,
        /// The first of the places, in file order.
        candidates: Vec<Candidate>,
        /// How many there are; a lower bound will do.
        total: usize,
    },
    /// The anchor fits one place, and says too little to prove that it is the one.
    AnchorTooSmall {
        /// The informative lines it has.
        informative: usize,
        /// The informative lines asked for.
        needed: usize,
        /// The place that it fits.
        place: Vec<Candidate>,
    },
    /// The file is not the one that the edit was written for.
    Stale {
        /// What shows it.
        why: Stale,
        /// Where the expected text stands now.
        candidates: Vec<Candidate>,
    },
    /// The base is known, and both the edit and somebody else changed these lines.
    Conflict {
        /// The lines.
        lines: LineRange,
    },
    /// The file changed between our reading and our writing.
    ChangedUnderfoot,
    /// A location, and nothing that proves it.
    Unanchored {
        /// What kind of location.
        why: Unanchored,
        /// What stands there now, where it is a place of the file.
        place: Vec<Candidate>,
    },
    /// The input does not say one thing.
    Malformed {
        /// What is wrong.
        message: String,
        /// The rival readings, where that is what is wrong.
        readings: Vec<String>,
    },
    /// Two hunks change the same lines.
    Overlap {
        /// The lines.
        lines: LineRange,
        /// The other hunk, counted from 1.
        with: usize,
    },
    /// The path is taken.
    Exists,
    /// There is no such file.
    MissingFile,
    /// The path leads out of the working tree.
    OutsideTree(PathTrouble),
    /// The path may not be edited.
    ForbiddenPath(PathTrouble),
    /// surefoot does not do this.
    Unsupported(Unsupported),
    /// The path has unresolved conflicts in the index.
    Unmerged,
    /// The file differs from its index entry, which the call asked to keep equal.
    Dirty,
    /// No definition has the name.
    SymbolNotFound {
        /// The name.
        symbol: BString,
    },
    /// What the hunk brings is there already.
    AlreadyApplied {
        /// Where.
        lines: Option<LineRange>,
    },
    /// The edit asks for what is.
    NoChange,
    /// The result is not the one whose id the edit states.
    PostMismatch {
        /// The stated id.
        wanted: IdPrefix,
        /// The result's.
        found: Option<BlobId>,
    },
    /// Deciding would take more work than the input is worth.
    TooCostly,
}

/// What was looked for, and not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// The anchor, anywhere in the file.
    Anchor,
    /// The anchor, inside its scope.
    InScope {
        /// The scope's own lines.
        scope: LineRange,
    },
    /// The scope.
    Scope {
        /// As the edit names it.
        scope: BString,
    },
    /// The anchor at the end of the file, as the edit says.
    AtEnd,
    /// A place that keeps the hunks in file order.
    InOrder,
    /// The anchor, in the file as it was before any hunk: an earlier one would bring some of it.
    Chained {
        /// That hunk, counted from 1.
        by: usize,
    },
    /// The old text as whole words: it stands only inside of longer ones.
    WholeWords,
    /// As many places as the edit says.
    Count {
        /// The stated number.
        wanted: u64,
        /// The places there are.
        found: u64,
    },
    /// Pieces around an elision, in order.
    Pieces,
    /// Lines with these numbers: the file is shorter.
    Lines {
        /// The lines that the file has.
        has: usize,
    },
}

/// What keeps several places from being one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ambiguity {
    /// The anchor fits all of them.
    Equal,
    /// The anchor fits one, and the others but for their depth.
    Depth,
    /// The scope's name fits several.
    Scope,
    /// The anchor fits one, but fitted more in an older state: a copy has gone since.
    CopyGone,
    /// An older state holds what is to change less often: a copy of it has come, and which of them is
    /// the old one is not proven.
    CopyCame,
    /// The anchor fits one place, and nearly fits another one at the stated line.
    Stated {
        /// The stated line.
        line: LineNo,
    },
    /// The path can be spelled two ways, and both exist.
    Path,
    /// The expected text stands at the stated lines and elsewhere too.
    Expected,
    /// More places than the edit says.
    Count {
        /// The stated number.
        wanted: u64,
    },
}

/// What shows that a file is not the one an edit was written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stale {
    /// The file's id is another, and nothing else proves the place.
    Id {
        /// The stated one.
        wanted: IdPrefix,
        /// The file's.
        found: Option<BlobId>,
    },
    /// Other text stands at the stated lines.
    Text,
    /// The digest of the stated lines is another.
    Digest,
    /// The section heading stands elsewhere, or nowhere.
    Heading {
        /// As the diff gives it.
        heading: BString,
    },
    /// The place's enclosing lines are not what they were.
    Moved {
        /// The innermost enclosing line then.
        was: BString,
        /// And now.
        is: BString,
    },
    /// A line that the author saw has no proven place in what the file has become.
    Carried {
        /// The line, in the base.
        line: LineNo,
        /// Its text, without the white space around it.
        text: BString,
        /// What is missing.
        why: Unproven,
    },
    /// The file to be deleted has other content than shown.
    Content,
    /// The file's mode is another.
    Mode,
}

/// Why a line of the base has no proven place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unproven {
    /// No line of the file has its text.
    Gone,
    /// Lines with its text stand beside others than it did.
    Neighbours,
    /// Several lines are proven equally well.
    Several,
    /// Other lines enclose it.
    Headers {
        /// One that did, in the base.
        was: BString,
        /// What stands for it in the file.
        is: Option<BString>,
    },
    /// It no longer stands next to the line that it stood next to.
    Apart,
    /// There are more lines with its text than there were.
    Copies,
    /// The lines around it stand nearly so at a place where they did not.
    Rival,
    /// A line that the edit brings stands beside it already.
    HalfMade,
    /// The blank lines around it are others.
    Blanks,
    /// The lines around it have been indented anew, and do not show how deep the new ones are to be.
    Depth,
    /// The edit changes how a line ends, the newline at the text's end or a byte-order mark, and what the
    /// file has of them need not be what the base had.
    Ending,
}

/// A location with nothing that proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanchored {
    /// Line numbers alone.
    Lines,
    /// New lines with no old line beside them.
    Insertion,
    /// The whole content of a file that git cannot give back.
    WholeFile,
    /// A deletion that shows nothing, of a file that git cannot give back.
    Delete,
    /// The call asks for a base, and the edit names none.
    NoBase,
    /// Lines that the receipt which the edit names did not show.
    NotShown,
}

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathTrouble {
    /// Its name.
    Name(PathError),
    /// A symbolic link stands on the way.
    Symlink,
    /// Its parent is a file.
    NotFolder,
    /// It is no regular file: a device, a pipe, a socket.
    Special,
    /// It is a folder.
    Folder,
    /// It lies in a submodule or another repository, or is one.
    Submodule,
    /// Another path differs from it in case only, and the file system does not tell them apart.
    Case,
    /// The caller's list of allowed paths does not have it.
    NotAllowed,
}

/// What surefoot does not do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// A filter from the configuration would have to run.
    Filter,
    /// The file has several names, and a rename over one would part them.
    HardLink,
    /// The index is split, sparse or in a form that cannot be written back.
    Index(&'static str),
    /// git is in the middle of something that holds the index.
    InProgress(&'static str),
    /// The encoding attribute asks for another encoding than the file's bytes.
    Encoding,
    /// The same patch changes the attributes that say how git stores the file.
    Attributes,
    /// Line endings that git would not give back as they are.
    LineEndings,
    /// A binary change without its content or without whole ids.
    Binary,
    /// Lines left out by a placeholder.
    Elision {
        /// The placeholder.
        placeholder: BString,
    },
    /// A symbolic link edited otherwise than as a whole.
    Symlink,
    /// The path is marked skip-worktree and not on disk.
    SkipWorktree,
    /// The edit cannot be turned round: it does not carry what was there.
    Reverse,
    /// Larger than the limit.
    TooLarge,
    /// Part of a format that is known and not read.
    Syntax(String),
}

/// Something that the author should know, and that kept nothing from landing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A stable word for it, in kebab-case.
    pub code: &'static str,
    /// The file.
    pub path: Option<RepoPath>,
    /// In words.
    pub message: String,
}
