//! The lines above a file's hunks: git's extended headers, and the `---` and `+++` lines.

use bstr::{BString, ByteSlice as _};
use surefoot_engine::blob::IdPrefix;
use surefoot_engine::patch::{Mode, ModeChange};

use super::body::is_header_pair;
use super::cursor::Cursor;
use super::hunk_header::{number, words};
use super::names::{self, Side};
use super::parser::{Parser, Trouble, binary, malformed, unsupported};

/// What a file's section says above its hunks.
#[derive(Clone, Debug, Default)]
pub(super) struct FileHeader {
    /// The section begins with `diff --git`.
    pub(super) git: bool,
    /// The names in the `diff --git` line, where it can be split in one way only.
    pub(super) git_names: Option<(BString, BString)>,
    /// `old mode`
    pub(super) old_mode: Option<Mode>,
    /// `new mode`
    pub(super) new_mode: Option<Mode>,
    /// `new file mode`
    pub(super) created: Option<Mode>,
    /// `deleted file mode`
    pub(super) deleted: Option<Mode>,
    /// `rename from` and `rename to`
    pub(super) rename: (Option<BString>, Option<BString>),
    /// `copy from` and `copy to`
    pub(super) copy: (Option<BString>, Option<BString>),
    /// `similarity index`, in percent.
    pub(super) similarity: Option<u64>,
    /// The `index` line's ids and mode.
    pub(super) index: Option<Index>,
    /// The `---` and `+++` lines' names.
    pub(super) sides: Option<(Side, Side)>,
    /// A time stamp stands behind a name: a tool wrote this.
    pub(super) stamped: bool,
    /// The text ends inside of the header's last line.
    pub(super) unterminated: bool,
}

/// What an `index` line says.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// The blob before, unless all zeros.
    pub(super) base: Option<IdPrefix>,
    /// The blob after, unless all zeros.
    pub(super) post: Option<IdPrefix>,
    /// The mode of a file whose mode does not change.
    pub(super) mode: Option<Mode>,
}

impl FileHeader {
    /// Tells whether only a tool writes what stands here, so that its counts can be trusted.
    pub(super) fn is_machine_made(&self) -> bool {
        self.index.is_some() || self.stamped
    }

    /// Returns the mode before and after, where stated.
    pub(super) fn mode_change(&self) -> Result<Option<ModeChange>, &'static str> {
        match (self.created, self.deleted, self.old_mode, self.new_mode) {
            (None, None, None, None) => {}
            (Some(new), None, None, None) => return Ok(Some(ModeChange { old: None, new })),
            (None, Some(old), None, None) => {
                return Ok(Some(ModeChange {
                    old: Some(old),
                    new: old,
                }));
            }
            (None, None, Some(old), Some(new)) => {
                return Ok(Some(ModeChange {
                    old: Some(old),
                    new,
                }));
            }
            (None, None, ..) => return Err("one of `old mode` and `new mode` is missing"),
            _ => return Err("the header's modes contradict each other"),
        }
        // A model copies the mode of a regular file from anywhere; that of a link says what it is.
        let kept = self.index.as_ref().and_then(|index| index.mode);
        Ok(kept
            .filter(|mode| matches!(mode, Mode::Symlink | Mode::Gitlink))
            .map(|mode| ModeChange {
                old: Some(mode),
                new: mode,
            }))
    }
}

/// Reads a `diff --git` section's header, and leaves `cursor` at what follows.
pub(super) fn read_git(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<FileHeader, Trouble> {
    let names = cursor
        .text()
        .and_then(|line| line.strip_prefix(b"diff --git "));
    let git_names = names::git_line(names.unwrap_or_default())
        .map_err(|message| malformed(*cursor, message))?;
    let mut header = FileHeader {
        git: true,
        git_names,
        ..FileHeader::default()
    };
    cursor.advance();
    while let Some(line) = cursor.text() {
        if line.starts_with(b"--- ") {
            read_sides(&mut header, cursor)?;
            break;
        }
        if !extended(parser, &mut header, *cursor, line)? {
            break;
        }
        cursor.advance();
    }
    header.unterminated = !cursor.ends_line();
    Ok(header)
}

/// Reads one extended header line; false where it is none.
fn extended(
    parser: &mut Parser<'_>,
    header: &mut FileHeader,
    cursor: Cursor<'_>,
    line: &[u8],
) -> Result<bool, Trouble> {
    let value = |key: &str| line.strip_prefix(key.as_bytes());
    let name = |value| names::whole(value).map_err(|message| malformed(cursor, message));
    if let Some(value) = value("old mode ") {
        once(&mut header.old_mode, mode(cursor, value)?, cursor)?;
    } else if let Some(value) = value("new mode ") {
        once(&mut header.new_mode, mode(cursor, value)?, cursor)?;
    } else if let Some(value) = value("new file mode ") {
        once(&mut header.created, mode(cursor, value)?, cursor)?;
    } else if let Some(value) = value("deleted file mode ") {
        once(&mut header.deleted, mode(cursor, value)?, cursor)?;
    } else if let Some(value) = value("rename from ") {
        once(&mut header.rename.0, name(value)?, cursor)?;
    } else if let Some(value) = value("rename to ") {
        once(&mut header.rename.1, name(value)?, cursor)?;
    } else if let Some(value) = value("copy from ") {
        once(&mut header.copy.0, name(value)?, cursor)?;
    } else if let Some(value) = value("copy to ") {
        once(&mut header.copy.1, name(value)?, cursor)?;
    } else if let Some(value) = value("similarity index ") {
        once(&mut header.similarity, percent(cursor, value)?, cursor)?;
    } else if let Some(value) = value("dissimilarity index ") {
        percent(cursor, value)?;
    } else if let Some(value) = value("index ") {
        match index(cursor, value)? {
            Some(index) => once(&mut header.index, index, cursor)?,
            None => parser.tolerate(cursor.line(), "the index line holds no ids".to_owned()),
        }
    } else if is_binary_notice(line) {
        return Err(binary(cursor, "a binary change without its content"));
    } else {
        return Ok(false);
    }
    Ok(true)
}

fn once<T>(slot: &mut Option<T>, value: T, cursor: Cursor<'_>) -> Result<(), Trouble> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(malformed(cursor, "a header line stands here twice")),
    }
}

fn mode(cursor: Cursor<'_>, value: &[u8]) -> Result<Mode, Trouble> {
    Mode::from_octal(value.trim_ascii_end())
        .ok_or_else(|| malformed(cursor, "no mode that git knows"))
}

fn percent(cursor: Cursor<'_>, value: &[u8]) -> Result<u64, Trouble> {
    value
        .trim_ascii_end()
        .strip_suffix(b"%")
        .and_then(number)
        .filter(|percent| *percent <= 100)
        .ok_or_else(|| malformed(cursor, "the index of similarity is no percentage"))
}

/// Reads `old..new` or `old..new mode`. `None` where there are no ids, as models write it.
fn index(cursor: Cursor<'_>, value: &[u8]) -> Result<Option<Index>, Trouble> {
    let mut words = words(value);
    let ids = words.next().unwrap_or_default();
    if ids.contains(&b',') {
        return Err(unsupported(
            cursor,
            "a combined diff (of a merge) is not read",
        ));
    }
    let mode = match words.next() {
        Some(octal) => Some(mode(cursor, octal)?),
        None => None,
    };
    if words.next().is_some() {
        return Err(malformed(cursor, "text behind the index line's mode"));
    }
    let Some((old, new)) = ids.split_once_str("..") else {
        return Ok(None);
    };
    let (Some(base), Some(post)) = (IdPrefix::new(old), IdPrefix::new(new)) else {
        return Ok(None);
    };
    let real = |id: IdPrefix| (!id.is_null()).then_some(id);
    Ok(Some(Index {
        base: real(base),
        post: real(post),
        mode,
    }))
}

/// Tells whether `line` says that two binary files differ, and no more.
pub(super) fn is_binary_notice(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    (line.starts_with(b"Binary files ") || line.starts_with(b"Files "))
        && line.ends_with(b" differ")
        || line.starts_with(b"Cannot display: file marked as a binary type")
}

/// Reads the `---` and `+++` lines at `cursor` into `header`, and leaves it behind them.
pub(super) fn read_sides(header: &mut FileHeader, cursor: &mut Cursor<'_>) -> Result<(), Trouble> {
    if !is_header_pair(*cursor) {
        return Err(malformed(
            *cursor,
            "the file header is cut off: no `+++` line follows",
        ));
    }
    let old = one_side(header, *cursor, b"--- ")?;
    cursor.advance();
    let new = one_side(header, *cursor, b"+++ ")?;
    cursor.advance();
    header.sides = Some((old, new));
    header.unterminated = !cursor.ends_line();
    Ok(())
}

fn one_side(header: &mut FileHeader, cursor: Cursor<'_>, sign: &[u8]) -> Result<Side, Trouble> {
    let text = cursor
        .text()
        .and_then(|line| line.strip_prefix(sign))
        .unwrap_or_default();
    header.stamped |= text.find_byte(b'\t').is_some_and(|at| at + 1 < text.len());
    names::side(text).map_err(|message| malformed(cursor, message))
}

/// Tells whether `line` belongs into a git header, and so means something where it stands.
pub(super) fn is_stray(line: &[u8]) -> bool {
    const KEYS: [&[u8]; 11] = [
        b"old mode ",
        b"new mode ",
        b"new file mode ",
        b"deleted file mode ",
        b"rename from ",
        b"rename to ",
        b"copy from ",
        b"copy to ",
        b"similarity index ",
        b"dissimilarity index ",
        b"GIT binary patch",
    ];
    KEYS.iter().any(|key| line.starts_with(key))
}
