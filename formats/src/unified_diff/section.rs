//! One file's section: its header and hunks become one edit.

use bstr::{BStr, BString};
use surefoot_engine::lines::LineNo;
use surefoot_engine::outcome::Quoted;
use surefoot_engine::patch::{
    Base, BinaryPatch, Change, Destination, Edit, Existing, Hunk, Line, LineHunk, Order,
};
use surefoot_engine::path::PathSpec;

use super::body::{Sign, is_header_pair, sign};
use super::cursor::Cursor;
use super::header::{self, FileHeader};
use super::hunk::{self, Place};
use super::hunk_header;
use super::names::{self, Side};
use super::parser::{Lean, Parser, Trouble, binary as no_content, malformed, no_change};
use super::shift::Shift;

/// The ids of an empty file, under SHA-1 and SHA-256.
const EMPTY_BLOBS: [&str; 2] = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

/// What a section begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// `diff --git`
    Git,
    /// `---` and `+++`
    Sides,
    /// `Index:` and a line of `=`
    Svn,
    /// A hunk, of the file that the caller names.
    Hunk,
}

/// What a section's header comes to.
#[derive(Debug)]
struct Target {
    path: PathSpec,
    destination: Destination,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Modified,
    Created,
    Deleted,
}

/// Reads the section at `cursor`, and leaves it behind the section's last line.
pub(super) fn read(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    start: Start,
) -> Result<Edit, Trouble> {
    let begin = *cursor;
    parser.counted = true;
    let header = read_header(parser, cursor, start)?;
    let target = match (start, &parser.options.path) {
        (Start::Hunk, Some(path)) => Target {
            path: PathSpec::from_root(path.clone()),
            destination: Destination::Same,
            kind: Kind::Modified,
        },
        _ => target(&header, parser.options.strip).map_err(|text| malformed(begin, text))?,
    };
    let spelled = target.path.text.clone();
    finish(parser, cursor, (begin, header), target).map_err(|trouble| trouble.in_file(&spelled))
}

fn read_header(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    start: Start,
) -> Result<FileHeader, Trouble> {
    let mut header = FileHeader::default();
    match start {
        Start::Git => return header::read_git(parser, cursor),
        Start::Hunk => return Ok(header),
        Start::Sides => {}
        Start::Svn => {
            cursor.advance();
            cursor.advance();
            let next = cursor.text().unwrap_or_default();
            if header::is_binary_notice(next) {
                return Err(no_content(*cursor, "a binary change without its content"));
            }
        }
    }
    header::read_sides(&mut header, cursor)?;
    Ok(header)
}

fn finish(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    (begin, header): (Cursor<'_>, FileHeader),
    mut target: Target,
) -> Result<Edit, Trouble> {
    let text = cursor.text().unwrap_or_default();
    let change = if text == b"GIT binary patch" && header.git {
        cursor.advance();
        parser.binary = true;
        binary(cursor, &target)?
    } else if header::is_binary_notice(text) {
        return Err(no_content(*cursor, "a binary change without its content"));
    } else {
        let hunks = hunks(parser, cursor, &header)?;
        settle_kind(parser, &header, &hunks, &mut target);
        from_hunks(parser, (begin, *cursor), &header, (target.kind, hunks))?
    };
    let mode = header
        .mode_change()
        .map_err(|text| malformed(begin, text))?;
    let change = with_effect(begin, &header, &target, change)?;
    let (base, post) = match header.index {
        Some(index) => (index.base.map(Base::Blob), index.post),
        None => (None, None),
    };
    let superfluous = match target.kind {
        Kind::Created => base.is_some(),
        Kind::Deleted => post.is_some(),
        Kind::Modified => false,
    };
    if superfluous {
        let message = "the index line gives an id where there is no file".to_owned();
        parser.tolerate(begin.line(), message);
    }
    Ok(Edit {
        path: target.path,
        destination: target.destination,
        change,
        mode,
        base: base.filter(|_| target.kind != Kind::Created),
        post: post.filter(|_| target.kind != Kind::Deleted),
        undoes: false,
        span: cursor.since(begin),
    })
}

/// Decides which file a section is about, and what becomes of it.
fn target(header: &FileHeader, strip: Option<usize>) -> Result<Target, String> {
    let moved = match (&header.rename, &header.copy) {
        ((None, None), (None, None)) => None,
        ((Some(from), Some(to)), (None, None)) => Some((from, to, false)),
        ((None, None), (Some(from), Some(to))) => Some((from, to, true)),
        _ => return Err("a rename or copy names one side only".to_owned()),
    };
    let declared = match (header.created, header.deleted) {
        (None, None) => Kind::Modified,
        (Some(_), None) => Kind::Created,
        (None, Some(_)) => Kind::Deleted,
        (Some(_), Some(_)) => return Err("a file is both new and deleted".to_owned()),
    };
    if let Some((from, to, copied)) = moved {
        if declared != Kind::Modified {
            return Err("a renamed or copied file is declared new or deleted".to_owned());
        }
        check_moved(header, (from, to), strip)?;
        let one = |name: &BString| match strip {
            // The names of a rename carry no prefix.
            Some(count @ 2..) => names::stripped(name, count - 1).map(PathSpec::from_root),
            _ => Ok(PathSpec::from_root(name.clone())),
        };
        let to = one(to)?;
        let destination = if copied {
            Destination::Copy(to)
        } else {
            Destination::Rename(to)
        };
        return Ok(Target {
            path: one(from)?,
            destination,
            kind: Kind::Modified,
        });
    }
    let (path, kind) = unmoved(header, strip)?;
    let kind = match (declared, kind) {
        (declared, None) => declared,
        (Kind::Modified, Some(kind)) => kind,
        (declared, Some(kind)) if declared == kind => kind,
        _ => return Err("the header's `---` and `+++` lines deny what it declares".to_owned()),
    };
    Ok(Target {
        path,
        destination: Destination::Same,
        kind,
    })
}

/// Checks that every name in the header fits the rename or copy that it declares.
fn check_moved(
    header: &FileHeader,
    (from, to): (&BString, &BString),
    strip: Option<usize>,
) -> Result<(), String> {
    let fits = |old: &BString, new: &BString| {
        let raw = old == from && new == to;
        let bare = match strip {
            // As above: the first component is the prefix.
            Some(1..) => names::strip(old, new, Some(1)),
            _ => names::strip(old, new, None),
        };
        raw || bare.is_ok_and(|(old, new)| old == *from && new == *to)
    };
    let sides = match &header.sides {
        None => true,
        Some((Side::Named { name: old, .. }, Side::Named { name: new, .. })) => fits(old, new),
        Some(_) => false,
    };
    let line = match &header.git_names {
        Some((old, new)) => fits(old, new),
        None if header.unterminated => return Err("the rename's name may be cut off".to_owned()),
        None => true,
    };
    if !sides || !line {
        return Err(format!(
            "name conflict: the header declares `{}` and `{}`, and names other files too",
            Quoted(BStr::new(from)),
            Quoted(BStr::new(to))
        ));
    }
    if from == to {
        return Err("a file is renamed or copied onto itself".to_owned());
    }
    Ok(())
}

/// Returns the one path of a section without rename, and what its `---` and `+++` lines say of it.
fn unmoved(header: &FileHeader, strip: Option<usize>) -> Result<(PathSpec, Option<Kind>), String> {
    let git = match &header.git_names {
        Some((old, new)) if old != "/dev/null" && new != "/dev/null" => {
            Some(names::agreed(old, new, strip)?)
        }
        _ => None,
    };
    let (sided, kind) = match &header.sides {
        None => {
            let path = git.ok_or("the header's names cannot be told apart")?;
            return Ok((path, None));
        }
        Some((Side::Null, Side::Null)) => return Err("both sides are `/dev/null`".to_owned()),
        Some((Side::Named { name: old, .. }, Side::Named { name: new, .. })) => {
            (names::agreed(old, new, strip)?, Kind::Modified)
        }
        Some((Side::Null, Side::Named { name, .. })) => {
            (names::single(name, strip)?, Kind::Created)
        }
        Some((Side::Named { name, .. }, Side::Null)) => {
            (names::single(name, strip)?, Kind::Deleted)
        }
    };
    let Some(git) = git else {
        return Ok((sided, Some(kind)));
    };
    if git.text == sided.text || (sided.or.as_ref() == Some(&git.text) && kind != Kind::Modified) {
        return Ok((git, Some(kind)));
    }
    Err(format!(
        "name conflict: `diff --git` names `{}`, the lines below it `{}`",
        Quoted(BStr::new(&git.text)),
        Quoted(BStr::new(&sided.text))
    ))
}

fn binary(cursor: &mut Cursor<'_>, target: &Target) -> Result<Change, Trouble> {
    let start = *cursor;
    let (forward, reverse) = super::binary::read(cursor)?;
    match target.kind {
        Kind::Modified => Ok(Change::Binary { forward, reverse }),
        Kind::Created => match forward {
            BinaryPatch::Literal(content) => Ok(Change::Create {
                content,
                existing: Existing::Exists,
            }),
            BinaryPatch::Delta(_) => Err(malformed(start, "a new file is given as a delta")),
        },
        Kind::Deleted => match (forward, reverse) {
            (BinaryPatch::Literal(content), reverse) if content.is_empty() => {
                let shown = match reverse {
                    Some(BinaryPatch::Literal(shown)) => Some(shown),
                    Some(BinaryPatch::Delta(_)) | None => None,
                };
                Ok(Change::Delete { shown })
            }
            _ => Err(malformed(start, "a deleted file is given a content")),
        },
    }
}

fn hunks(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    header: &FileHeader,
) -> Result<Vec<LineHunk>, Trouble> {
    let machine = header.is_machine_made();
    let mut hunks = Vec::new();
    let mut shift = Shift::default();
    loop {
        let next = cursor.past_blanks();
        let headed = next.text().is_some_and(hunk_header::begins);
        if headed {
            *cursor = next;
        } else if !hunks.is_empty() || header.sides.is_none() || !begins_body(*cursor) {
            // There may be millions, and they are kept to the end.
            hunks.shrink_to_fit();
            return Ok(hunks);
        }
        let place = Place {
            number: hunks.len() + 1,
            machine,
        };
        let line = cursor.line();
        let hunk = hunk::read(parser, cursor, place)?;
        if let Some(message) = shift.past(&hunk, place.number) {
            parser.tolerate(line, message);
        }
        hunks.push(hunk);
    }
}

/// Tells whether lines of a hunk stand here, without the header that should.
fn begins_body(at: Cursor<'_>) -> bool {
    let next = at.past_blanks();
    let signed = |raw| matches!(sign(raw), Sign::Context | Sign::Delete | Sign::Insert);
    next.raw().is_some_and(signed) && !is_header_pair(next)
}

/// Settles whether a file comes or goes where only its lines and time stamps tell.
fn settle_kind(
    parser: &mut Parser<'_>,
    header: &FileHeader,
    hunks: &[LineHunk],
    target: &mut Target,
) {
    let ([hunk], Kind::Modified, Destination::Same) = (hunks, target.kind, &target.destination)
    else {
        return;
    };
    let at_top = |start: Option<LineNo>| start == Some(LineNo(0));
    let only_new = at_top(hunk.old_start) && hunk.old().next().is_none();
    let only_old = at_top(hunk.new_start) && hunk.new_lines().next().is_none();
    let absent = |side: &Side| matches!(side, Side::Named { absent: true, .. });
    match &header.sides {
        Some((old, _)) if only_new && absent(old) => target.kind = Kind::Created,
        Some((_, new)) if only_old && absent(new) => target.kind = Kind::Deleted,
        // Nothing stands before, and no one says whether in an empty file or in none.
        Some(_) if only_new && header.index.is_none() && !hunk.lines.is_empty() => {
            parser.contested = true;
            if parser.lean == Lean::Signs {
                target.kind = Kind::Created;
            }
        }
        _ => {}
    }
}

fn from_hunks(
    parser: &mut Parser<'_>,
    (begin, end): (Cursor<'_>, Cursor<'_>),
    header: &FileHeader,
    (kind, hunks): (Kind, Vec<LineHunk>),
) -> Result<Change, Trouble> {
    if hunks.is_empty() && header.sides.is_some() {
        return Err(malformed(
            begin,
            "a file header without hunks: the text is cut off",
        ));
    }
    let at_end = end.past_blanks().raw().is_none();
    match kind {
        Kind::Created if hunks.is_empty() => created_empty(begin, header, at_end),
        Kind::Deleted if hunks.is_empty() => {
            let base = header.index.as_ref().and_then(|index| index.base.as_ref());
            let empty = base.is_none_or(|id| is_empty_blob(id.as_str()));
            Ok(Change::Delete {
                shown: empty.then(BString::default),
            })
        }
        Kind::Created => {
            let insert = |line: &Line| match line {
                Line::Insert(text) => Some(text.clone()),
                Line::Context(_) | Line::Delete(_) => None,
            };
            let content = one_sided(&hunks, insert)
                .ok_or_else(|| malformed(begin, "a new file's hunk has old lines"))?;
            Ok(Change::Create {
                content,
                existing: Existing::Exists,
            })
        }
        Kind::Deleted => {
            let delete = |line: &Line| match line {
                Line::Delete(text) => Some(text.clone()),
                Line::Context(_) | Line::Insert(_) => None,
            };
            let shown = one_sided(&hunks, delete)
                .ok_or_else(|| malformed(begin, "a deleted file's hunk keeps lines"))?;
            Ok(Change::Delete { shown: Some(shown) })
        }
        Kind::Modified if hunks.is_empty() => Ok(Change::Keep),
        Kind::Modified => modified(parser, begin, header, hunks),
    }
}

fn modified(
    parser: &mut Parser<'_>,
    begin: Cursor<'_>,
    header: &FileHeader,
    hunks: Vec<LineHunk>,
) -> Result<Change, Trouble> {
    if hunks.iter().any(|hunk| hunk.lines.is_empty()) {
        return Err(malformed(begin, "a hunk has no lines"));
    }
    let is_context = |line: &Line| matches!(line, Line::Context(_));
    let idle = |hunk: &&LineHunk| hunk.lines.iter().all(is_context);
    let idle = hunks.iter().filter(idle).count();
    let moves = header.rename.0.is_some() || header.copy.0.is_some() || header.new_mode.is_some();
    if idle == hunks.len() && !moves {
        return Err(no_change(begin, "the hunks change nothing"));
    }
    if idle > 0 {
        parser.tolerate(begin.line(), format!("{idle} hunks change nothing"));
    }
    let hunks = hunks.into_iter().map(Hunk::Lines).collect();
    Ok(Change::Modify {
        hunks,
        order: Order::File,
    })
}

/// Joins the texts of a single hunk's lines, where `pick` knows them all.
fn one_sided(hunks: &[LineHunk], pick: impl Fn(&Line) -> Option<BString>) -> Option<BString> {
    let [hunk] = hunks else { return None };
    let mut content = BString::default();
    for line in &hunk.lines {
        content.extend_from_slice(&pick(line)?);
    }
    Some(content)
}

fn created_empty(begin: Cursor<'_>, header: &FileHeader, at_end: bool) -> Result<Change, Trouble> {
    let post = header.index.as_ref().and_then(|index| index.post.as_ref());
    match post {
        Some(id) if !is_empty_blob(id.as_str()) => Err(malformed(
            begin,
            "a new file without its content: the text is cut off",
        )),
        None if at_end => {
            let message =
                "a new file without content or id at the end of the text: it may be cut off";
            Err(malformed(begin, message))
        }
        _ => Ok(Change::Create {
            content: BString::default(),
            existing: Existing::Exists,
        }),
    }
}

fn is_empty_blob(prefix: &str) -> bool {
    EMPTY_BLOBS.iter().any(|id| id.starts_with(prefix))
}

/// Refuses a section that changes nothing, or that shows less than its header promises.
fn with_effect(
    begin: Cursor<'_>,
    header: &FileHeader,
    target: &Target,
    change: Change,
) -> Result<Change, Trouble> {
    if change != Change::Keep {
        return Ok(change);
    }
    let ids_differ = header
        .index
        .as_ref()
        .is_some_and(|index| index.base != index.post);
    let unlike = header.similarity.is_some_and(|percent| percent < 100);
    if ids_differ || unlike {
        let message = "the header promises a change of content, and no hunk follows: it is cut off";
        return Err(malformed(begin, message));
    }
    if target.destination != Destination::Same || header.old_mode != header.new_mode {
        return Ok(change);
    }
    if header.old_mode.is_some() {
        return Err(no_change(begin, "the old and the new mode are equal"));
    }
    Err(malformed(
        begin,
        "a file header without any change: the text is cut off",
    ))
}
