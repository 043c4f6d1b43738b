//! The words of a refusal: its code in the report and one clause that says what was wanted and found.

use std::fmt;

use bstr::ByteSlice as _;

use super::{
    Ambiguity, Candidate, NotFound, PathTrouble, Quoted, Reason, Stale, Unanchored, Unproven,
    Unsupported,
};

impl Reason {
    /// Returns the code that the report gives it: stable, with one meaning.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not-found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::AnchorTooSmall { .. } => "anchor-too-small",
            Self::Stale { .. } => "stale",
            Self::Conflict { .. } => "conflict",
            Self::ChangedUnderfoot => "changed-underfoot",
            Self::Unanchored { .. } => "unanchored",
            Self::Malformed { .. } => "malformed",
            Self::Overlap { .. } => "overlap",
            Self::Exists => "exists",
            Self::MissingFile => "missing-file",
            Self::OutsideTree(_) => "outside-tree",
            Self::ForbiddenPath(_) => "forbidden-path",
            Self::Unsupported(_) => "unsupported",
            Self::Unmerged => "unmerged",
            Self::Dirty => "dirty",
            Self::SymbolNotFound { .. } => "symbol-not-found",
            Self::AlreadyApplied { .. } => "already-applied",
            Self::NoChange => "no-change",
            Self::PostMismatch { .. } => "post-mismatch",
            Self::TooCostly => "too-costly",
        }
    }

    /// Returns the places that the edit may have meant, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Self::NotFound {
                nearest: candidates,
                ..
            }
            | Self::Ambiguous { candidates, .. }
            | Self::AnchorTooSmall {
                place: candidates, ..
            }
            | Self::Unanchored {
                place: candidates, ..
            }
            | Self::Stale { candidates, .. } => candidates,
            _ => &[],
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { why, nearest } => {
                write!(f, "{why}")?;
                match nearest.first() {
                    Some(near) => write!(f, "; nearest is {} at {}", near.lines, near.similarity),
                    None => Ok(()),
                }
            }
            Self::Ambiguous {
                why,
                candidates,
                total,
            } => ambiguous(f, why, candidates, *total),
            Self::AnchorTooSmall {
                informative,
                needed,
                ..
            } => write!(
                f,
                "the anchor has {informative} lines that tell anything, and {needed} are needed"
            ),
            Self::Stale { why, .. } => write!(f, "{why}"),
            Self::Conflict { lines } => {
                write!(
                    f,
                    "{lines} changed since the base, and the edit changes them too"
                )
            }
            Self::ChangedUnderfoot => f.write_str("the file changed while this edit was planned"),
            Self::Unanchored { why, .. } => write!(f, "{why}"),
            Self::Malformed { message, readings } => {
                f.write_str(message)?;
                for (n, reading) in readings.iter().enumerate() {
                    write!(
                        f,
                        "{} ({}) {reading}",
                        if n == 0 { ":" } else { ";" },
                        n + 1
                    )?;
                }
                Ok(())
            }
            Self::Overlap { lines, with } => write!(f, "{lines} changed by hunk {with} too"),
            Self::Exists => f.write_str("the path is taken"),
            Self::MissingFile => f.write_str("there is no such file"),
            Self::OutsideTree(trouble) => write!(f, "outside of the working tree: {trouble}"),
            Self::ForbiddenPath(trouble) => write!(f, "may not be edited: {trouble}"),
            Self::Unsupported(what) => write!(f, "{what}"),
            Self::Unmerged => f.write_str("the path has unresolved conflicts in the index"),
            Self::Dirty => f.write_str("the file differs from its index entry"),
            Self::SymbolNotFound { symbol } => {
                write!(f, "no definition is named `{}`", Quoted(symbol.as_bstr()))
            }
            Self::AlreadyApplied { lines: Some(lines) } => {
                write!(f, "what the edit brings is there already, at {lines}")
            }
            Self::AlreadyApplied { lines: None } => {
                f.write_str("what the edit brings is there already")
            }
            Self::NoChange => f.write_str("the edit asks for what is there"),
            Self::PostMismatch {
                wanted,
                found: Some(found),
            } => {
                write!(f, "the result is blob {found}, and the edit says {wanted}")
            }
            Self::PostMismatch {
                wanted,
                found: None,
            } => {
                write!(
                    f,
                    "the result's id cannot be computed, and the edit says {wanted}"
                )
            }
            Self::TooCostly => f.write_str("deciding would take more work than the budget allows"),
        }
    }
}

fn ambiguous(
    f: &mut fmt::Formatter<'_>,
    why: &Ambiguity,
    candidates: &[Candidate],
    total: usize,
) -> fmt::Result {
    match why {
        Ambiguity::Equal => write!(f, "{total} places match equally well (exact)"),
        Ambiguity::Depth => {
            f.write_str("the anchor stands at one place as quoted, and at another depth elsewhere")
        }
        Ambiguity::Scope => write!(f, "the scope's name fits {total} places"),
        Ambiguity::CopyGone => write!(
            f,
            "the anchor stands once now, and stood {total} times in an older state: a copy is gone"
        ),
        Ambiguity::CopyCame => f.write_str(
            "the anchor fits one place, but what it changes stands more often than in an older state: \
             a copy has come, and which one was meant is not proven",
        ),
        Ambiguity::Stated { line } => write!(
            f,
            "the anchor stands at one place, and nearly so at the stated line {line}"
        ),
        Ambiguity::Path => f.write_str("the path can be read with and without its prefix"),
        Ambiguity::Expected => {
            write!(
                f,
                "the expected text stands at the stated lines and {total} times in all"
            )
        }
        Ambiguity::Count { wanted } => {
            write!(f, "{total} places match, and the edit says {wanted}")
        }
    }?;
    for (n, candidate) in candidates.iter().take(4).enumerate() {
        write!(f, "{} {}", if n == 0 { ":" } else { "," }, candidate.lines)?;
    }
    Ok(())
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anchor => f.write_str("no place matches"),
            Self::InScope { scope } => {
                write!(f, "no place matches inside the named scope, {scope}")
            }
            Self::Scope { scope } => write!(f, "no line is `{}`", Quoted(scope.as_bstr())),
            Self::AtEnd => f.write_str("the old lines do not stand at the end of the file"),
            Self::InOrder => f.write_str(
                "the old lines stand only where the hunks would be out of the file's order",
            ),
            Self::Chained { by } => write!(
                f,
                "the old text holds what hunk {by} would bring, and every hunk is looked for in the \
                 file as it was"
            ),
            Self::WholeWords => {
                f.write_str("the old text stands only inside of longer words or numbers")
            }
            Self::Count { wanted, found } => {
                write!(f, "{found} places match, and the edit says {wanted}")
            }
            Self::Pieces => {
                f.write_str("the lines around the placeholder do not stand once each, in order")
            }
            Self::Lines { has } => write!(f, "the file has {has} lines"),
        }
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id {
                wanted,
                found: Some(found),
            } => {
                write!(f, "the file is blob {found}, the edit is for blob {wanted}")
            }
            Self::Id {
                wanted,
                found: None,
            } => {
                write!(
                    f,
                    "the edit is for blob {wanted}, and the file's id is unknown"
                )
            }
            Self::Text => f.write_str("other text stands at the stated lines"),
            Self::Digest => f.write_str("the stated lines have another digest"),
            Self::Heading { heading } => write!(
                f,
                "the place is not under `{}`, as the diff says",
                Quoted(heading.as_bstr())
            ),
            Self::Moved { was, is } => write!(
                f,
                "the place stood under `{}`, and stands under `{}` now",
                Quoted(was.as_bstr()),
                Quoted(is.as_bstr())
            ),
            Self::Carried { line, text, why } => write!(
                f,
                "the file has changed since it was seen, and line {line} (`{}`) has no proven place in it: {why}",
                Quoted(text.as_bstr())
            ),
            Self::Content => f.write_str("the file to delete has other content than shown"),
            Self::Mode => f.write_str("the file has another mode than the edit says"),
        }
    }
}

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gone => "no line has this text any more",
            Self::Neighbours => "the lines around it are not those that stood there",
            Self::Several => "several lines are proven equally well",
            Self::Headers { was, is: Some(is) } => {
                let (was, is) = (Quoted(was.as_bstr()), Quoted(is.as_bstr()));
                return write!(f, "it stood under `{was}`, and stands under `{is}` now");
            }
            Self::Headers { was, is: None } => {
                return write!(
                    f,
                    "it stood under `{}`, and does not now",
                    Quoted(was.as_bstr())
                );
            }
            Self::Apart => "it no longer stands next to the same lines",
            Self::Copies => "there are more lines with this text now",
            Self::Rival => {
                "nearly the same lines stand elsewhere now, and either may be what they have become"
            }
            Self::HalfMade => "a line that the edit brings stands beside it already",
            Self::Blanks => "the blank lines around it have changed",
            Self::Depth => "the lines around it do not show how deep the new ones are to be",
            Self::Ending => {
                "the edit changes a line ending, the final newline or a byte-order mark, and that needs \
                 the file as it was"
            },
        })
    }
}

impl fmt::Display for Unanchored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "line numbers alone do not prove a place",
            Self::Insertion => "new lines with no old line beside them have no place",
            Self::WholeFile => "nothing shows that the replaced content is the one seen",
            Self::Delete => "nothing shows that the deleted content is the one seen",
            Self::NoBase => "the edit names no base",
            Self::NotShown => "the receipt did not show these lines",
        })
    }
}

impl fmt::Display for PathTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => write!(f, "the path {error}"),
            Self::Symlink => f.write_str("a symbolic link stands on the way"),
            Self::NotFolder => f.write_str("a file stands on the way"),
            Self::Special => f.write_str("no regular file"),
            Self::Folder => f.write_str("a folder"),
            Self::Submodule => f.write_str("in a submodule or another repository"),
            Self::Case => f.write_str("another path differs only in case"),
            Self::NotAllowed => f.write_str("not among the paths that the call allows"),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filter => f.write_str("a filter from the configuration would have to run"),
            Self::HardLink => f.write_str("the file has several names, and this would part them"),
            Self::Index(what) => write!(f, "the index is {what}"),
            Self::InProgress(what) => write!(f, "{what} is in progress"),
            Self::Encoding => f.write_str("the path has a working-tree-encoding"),
            Self::Attributes => f.write_str(
                "the same patch changes the attributes that say how git stores the file",
            ),
            Self::LineEndings => f.write_str("git would not give these line endings back"),
            Self::Binary => {
                f.write_str("a binary change needs its content and whole ids, before and after")
            }
            Self::Elision { placeholder } => write!(
                f,
                "`{}` stands for lines that are left out",
                Quoted(placeholder.as_bstr())
            ),
            Self::Symlink => f.write_str("a symbolic link can only be changed as a whole"),
            Self::SkipWorktree => f.write_str("the path is skip-worktree and not on disk"),
            Self::Reverse => f.write_str("the edit does not carry what was there"),
            Self::TooLarge => f.write_str("larger than 1 GiB"),
            Self::Syntax(what) => f.write_str(what),
        }
    }
}
