//! A hunk's lines, read by the header's counts or by their signs.
//!
//! Counts rule: while they ask for lines, `--- x` is a removed line. Where they contradict the
//! lines, the signs rule, and no line with a sign is ever dropped.

use bstr::BString;
use surefoot_engine::patch::Line;

use super::cursor::Cursor;
use super::{hunk_header, names};

/// What the first byte of a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A blank: in both images.
    Context,
    /// `-`: in the old one.
    Delete,
    /// `+`: in the new one.
    Insert,
    /// Nothing: a blank context line that lost its sign, or a blank between things.
    Blank,
    /// `\`: the line above has no ending.
    Marker,
    /// No line of a hunk.
    Other,
}

/// Tells what `raw`, a line with its ending, says by its first byte.
pub(super) fn sign(raw: &[u8]) -> Sign {
    match raw {
        b"\n" | b"\r\n" => Sign::Blank,
        [b' ', ..] => Sign::Context,
        [b'-', ..] => Sign::Delete,
        [b'+', ..] => Sign::Insert,
        [b'\\', ..] => Sign::Marker,
        _ => Sign::Other,
    }
}

/// A hunk's lines and what was noticed while they were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    /// The lines.
    pub(super) lines: Vec<Line>,
    /// How many of them are in the old image.
    pub(super) old: u64,
    /// How many of them are in the new image.
    pub(super) new: u64,
    /// How many blank lines were taken although they had lost their sign.
    pub(super) bare: u64,
    /// How many other lines were taken as context although they had lost their sign.
    pub(super) unsigned: u64,
    /// Whether the text ends inside of the last line.
    pub(super) unterminated: bool,
    /// Whether a line without ending was met, so that no more may follow: old side, new side.
    ended: [bool; 2],
}

impl Body {
    /// Drops the last `count` lines, which are context.
    pub(super) fn drop_context(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(Line::Context(_)) =
                self.lines.pop_if(|line| matches!(line, Line::Context(_)))
            {
                self.old = self.old.saturating_sub(1);
                self.new = self.new.saturating_sub(1);
            }
        }
    }

    fn push(&mut self, sign: Sign, raw: &[u8]) -> Result<(), String> {
        let text = BString::from(raw.get(1..).unwrap_or_default());
        match sign {
            Sign::Context => self.add(Line::Context(text), true, true)?,
            Sign::Delete => self.add(Line::Delete(text), true, false)?,
            Sign::Insert => self.add(Line::Insert(text), false, true)?,
            Sign::Blank => {
                self.bare += 1;
                self.add(Line::Context(raw.into()), true, true)?;
            }
            Sign::Marker | Sign::Other => return Err("this is no line of a hunk".to_owned()),
        }
        self.unterminated = !raw.ends_with(b"\n");
        Ok(())
    }

    fn add(&mut self, line: Line, old: bool, new: bool) -> Result<(), String> {
        let [old_ended, new_ended] = self.ended;
        if (old && old_ended) || (new && new_ended) {
            return Err("a line follows one that is marked as the last".to_owned());
        }
        self.old += u64::from(old);
        self.new += u64::from(new);
        self.lines.push(line);
        Ok(())
    }

    /// Takes the ending off the last line, as the marker `raw` says.
    fn mark(&mut self, raw: &[u8]) -> Result<(), String> {
        if !raw.starts_with(b"\\ ") {
            return Err("a line that begins with `\\` is no line of a hunk".to_owned());
        }
        let [old_ended, new_ended] = self.ended;
        let (text, ended) = match self.lines.last_mut() {
            Some(Line::Context(text)) => (text, [true, true]),
            Some(Line::Delete(text)) => (text, [true, new_ended]),
            Some(Line::Insert(text)) => (text, [old_ended, true]),
            None => return Err("a mark of a missing newline without a line above".to_owned()),
        };
        if text.last() != Some(&b'\n') {
            return Err("a line is marked twice as having no newline".to_owned());
        }
        text.pop();
        // In a diff that travelled with CR LF, the CR belongs to the ending that goes.
        if raw.ends_with(b"\r\n") && text.last() == Some(&b'\r') {
            text.pop();
        }
        self.ended = ended;
        Ok(())
    }
}

/// What reading by counts came to.
#[derive(Debug)]
pub(super) enum Counted {
    /// The counts are met.
    Met {
        /// The lines.
        body: Body,
        /// A line that was taken looks like a file header, or like a mail's signature.
        headerlike: bool,
        /// How many of the last lines that were taken are blanks without a sign.
        bare_tail: usize,
    },
    /// The lines contradict the counts.
    Unmet,
}

/// Reads lines from `cursor` on until `old` and `new` are met, and leaves it behind them.
pub(super) fn by_counts(cursor: &mut Cursor<'_>, old: u64, new: u64) -> Result<Counted, Line1> {
    let mut body = Body::default();
    let (mut headerlike, mut bare_tail) = (false, 0);
    while body.old < old || body.new < new {
        let Some(raw) = cursor.raw() else {
            return Ok(Counted::Unmet);
        };
        let sign = sign(raw);
        let (to_old, to_new) = (body.old < old, body.new < new);
        bare_tail = if sign == Sign::Blank {
            bare_tail + 1
        } else {
            0
        };
        let result = match sign {
            Sign::Context if to_old && to_new => body.push(sign, raw),
            Sign::Blank if to_old && to_new => body.push(sign, raw),
            // A file that comes into being has no context: the blank line is one of its own.
            Sign::Blank if old == 0 && to_new => {
                body.bare += 1;
                body.add(Line::Insert(raw.into()), false, true)
            }
            // The counts alone say that this is context: they are met, or it is not.
            Sign::Other if to_old && to_new && is_plain(raw) => {
                body.unsigned += 1;
                body.add(Line::Context(raw.into()), true, true)
            }
            Sign::Delete if to_old => body.push(sign, raw),
            Sign::Insert if to_new => body.push(sign, raw),
            Sign::Marker => body.mark(raw),
            _ => return Ok(Counted::Unmet),
        };
        result.map_err(|message| Line1 {
            line: cursor.line(),
            message,
        })?;
        headerlike |= is_header_pair(*cursor) || is_signature(*cursor);
        cursor.advance();
    }
    if old == 0 && bare_tail > 0 {
        // Nothing says whether blanks at the end are lines of the new file.
        return Ok(Counted::Unmet);
    }
    markers(cursor, &mut body)?;
    Ok(Counted::Met {
        body,
        headerlike,
        bare_tail,
    })
}

/// A line number of the input, and what is wrong there.
#[derive(Debug)]
pub(super) struct Line1 {
    /// From 1.
    pub(super) line: usize,
    /// What is wrong.
    pub(super) message: String,
}

/// Tells whether a line without a sign is no part of a diff, and no fence around one.
fn is_plain(raw: &[u8]) -> bool {
    const STARTS: [&[u8]; 7] = [
        b"@@",
        b"diff ",
        b"Index: ",
        b"From ",
        b"Only in ",
        b"```",
        b"*** ",
    ];
    raw.ends_with(b"\n") && !STARTS.iter().any(|start| raw.starts_with(start))
}

fn markers(cursor: &mut Cursor<'_>, body: &mut Body) -> Result<(), Line1> {
    while let Some(raw) = cursor.raw().filter(|raw| sign(raw) == Sign::Marker) {
        body.mark(raw).map_err(|message| Line1 {
            line: cursor.line(),
            message,
        })?;
        cursor.advance();
    }
    Ok(())
}

/// Reads every line from `cursor` on that can belong to the hunk, and leaves it behind the last.
/// Blank lines without a sign belong to it if a line with one follows.
pub(super) fn by_signs(cursor: &mut Cursor<'_>) -> Result<Body, Line1> {
    let mut body = Body::default();
    let mut at = *cursor;
    while let Some(raw) = at.raw() {
        let error = |message: String| Line1 {
            line: at.line(),
            message,
        };
        let sign = sign(raw);
        if sign == Sign::Other || is_signature(at) || ends_body(at).map_err(error)? {
            break;
        }
        if sign == Sign::Blank {
            at.advance();
            continue;
        }
        while cursor.at() < at.at() {
            body.push(Sign::Blank, cursor.raw().unwrap_or_default())
                .map_err(error)?;
            cursor.advance();
        }
        match sign {
            Sign::Marker => body.mark(raw),
            _ => body.push(sign, raw),
        }
        .map_err(error)?;
        at.advance();
        *cursor = at;
    }
    Ok(body)
}

/// Tells whether the next file's header begins here, where counts do not say.
fn ends_body(at: Cursor<'_>) -> Result<bool, String> {
    let Some(old) = at.text().and_then(|text| text.strip_prefix(b"--- ")) else {
        return Ok(false);
    };
    let Some(second) = at.second() else {
        return Err("the text ends in what may be a file header or a removed line".to_owned());
    };
    let Some(new) = second.strip_prefix(b"+++ ") else {
        return Ok(false);
    };
    let hunk_follows = at.after().second().is_some_and(hunk_header::begins);
    if hunk_follows || names_agree(old, new) {
        return Ok(true);
    }
    Err("this may be a file header or a removed line, and the hunk's counts do not say".to_owned())
}

fn names_agree(old: &[u8], new: &[u8]) -> bool {
    match (names::side(old), names::side(new)) {
        (Ok(names::Side::Named { name: old, .. }), Ok(names::Side::Named { name: new, .. })) => {
            names::unprefixed(&old).is_some_and(|old| names::unprefixed(&new) == Some(old))
        }
        (Ok(names::Side::Null), Ok(_)) | (Ok(_), Ok(names::Side::Null)) => true,
        _ => false,
    }
}

/// Tells whether a `---` line and a `+++` line stand here.
pub(super) fn is_header_pair(at: Cursor<'_>) -> bool {
    at.text().is_some_and(|text| text.starts_with(b"--- "))
        && at.second().is_some_and(|text| text.starts_with(b"+++ "))
}

/// Tells whether a mail's signature stands here, as git writes it: `-- ` and its version.
pub(super) fn is_signature(at: Cursor<'_>) -> bool {
    let is_version = |text: &[u8]| {
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && text.get(digits) == Some(&b'.')
    };
    matches!(at.text(), Some(b"-- " | b"--")) && at.second().is_some_and(is_version)
}
