//! One hunk: its header, its lines, and what to make of it where the two disagree.

use bstr::BString;
use surefoot_engine::lines::LineNo;
use surefoot_engine::patch::{Line, LineHunk};

use super::body::{self, Body, Counted, Sign};
use super::cursor::Cursor;
use super::hunk_header::{self, HunkHeader, Range};
use super::parser::{Lean, Parser, Trouble, malformed, unsupported};

/// The most lines that a model is believed to have counted too many at the end of a text.
const MOST_MISCOUNTED: u64 = 2;

/// What is known of a file's section when one of its hunks is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The hunk within its file, from 1.
    pub(super) number: usize,
    /// The section carries what only a tool writes, so that its counts can be trusted.
    pub(super) machine: bool,
}

/// Reads the hunk at `cursor`, and leaves it behind the hunk's last line.
pub(super) fn read(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    place: Place,
) -> Result<LineHunk, Trouble> {
    parser.count_hunk(*cursor)?;
    let start = *cursor;
    let header = header(parser, cursor, place)?;
    let (mut body, told) = lines(parser, cursor, &header, place)?;
    parser.counted = told;
    if !told {
        judge(parser, start, *cursor, (&header, &body), place)?;
    }
    if body.bare > 0 {
        let message = format!("hunk {}: blank lines without their sign", place.number);
        parser.tolerate(start.line(), message);
    }
    if body.unsigned > 0 {
        let message = format!("hunk {}: context lines without their sign", place.number);
        parser.tolerate(start.line(), message);
    }
    terminate(parser, start, &mut body)?;
    let (old_start, new_start) = starts(&header, &body);
    Ok(LineHunk {
        heading: header.heading,
        old_start,
        new_start,
        lines: body.lines,
        span: cursor.since(start),
        ..LineHunk::default()
    })
}

fn header(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    place: Place,
) -> Result<HunkHeader, Trouble> {
    let (line, number) = (cursor.text().unwrap_or_default(), cursor.line());
    if line.starts_with(b"@@@") {
        return Err(unsupported(
            *cursor,
            "a combined diff (of a merge) is not read",
        ));
    }
    let header = if hunk_header::begins(line) {
        let header = hunk_header::read(line).map_err(|message| malformed(*cursor, message))?;
        if !cursor.after().ends_line() {
            return Err(malformed(*cursor, "the text is cut off in a hunk's header"));
        }
        cursor.advance();
        header
    } else {
        let tolerated = Some("there is no hunk header");
        HunkHeader {
            tolerated,
            ..HunkHeader::default()
        }
    };
    if let Some(tolerated) = header.tolerated {
        parser.tolerate(number, format!("hunk {}: {tolerated}", place.number));
    }
    Ok(header)
}

/// Reads the hunk's lines. True where the counts were found to be right.
fn lines(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'_>,
    header: &HunkHeader,
    place: Place,
) -> Result<(Body, bool), Trouble> {
    let start = *cursor;
    if let Some((old, new)) = header.counts()
        && let Counted::Met {
            mut body,
            headerlike,
            bare_tail,
        } = body::by_counts(cursor, old, new).map_err(|at| Trouble::at(start, at))?
        && !runs_on(*cursor)
    {
        let by_look = headerlike || body.unsigned > 0;
        // Blanks at the end may stand between things instead.
        let loose = bare_tail > 0 && !place.machine;
        parser.contested |= by_look || loose;
        if !(by_look && parser.lean == Lean::Signs) {
            if loose && parser.lean == Lean::Signs {
                body.drop_context(bare_tail);
            }
            return Ok((body, true));
        }
    }
    *cursor = start;
    let body = body::by_signs(cursor).map_err(|at| Trouble::at(start, at))?;
    Ok((body, false))
}

/// Tells whether lines with signs follow where the counts say that the hunk is over.
fn runs_on(at: Cursor<'_>) -> bool {
    let next = at.past_blanks();
    let Some(raw) = next.raw() else { return false };
    // A rule between the diff and what is said of it, as Markdown draws them.
    let is_rule = next.at() > at.at() && next.text() == Some(b"---");
    let ends = is_rule || body::is_header_pair(next) || body::is_signature(next);
    !ends && !matches!(body::sign(raw), Sign::Blank | Sign::Other)
}

/// Decides whether lines that contradict their header are miscounted or cut off.
fn judge(
    parser: &mut Parser<'_>,
    start: Cursor<'_>,
    end: Cursor<'_>,
    (header, body): (&HunkHeader, &Body),
    place: Place,
) -> Result<(), Trouble> {
    if body.lines.is_empty() {
        return Err(malformed(
            start,
            format!("hunk {} has no lines", place.number),
        ));
    }
    let follows = end.past_blanks();
    let glued = follows.at() == end.at();
    let (next, is_text) = (follows.raw(), follows.text());
    let foreign = glued && is_text.is_some_and(|text| is_foreign(follows, text));
    let Some((old, new)) = header.counts() else {
        if foreign {
            return Err(malformed(
                follows,
                "this is no line of a hunk, and no header",
            ));
        }
        return Ok(());
    };
    let short = (old.saturating_sub(body.old), new.saturating_sub(body.new));
    let last = next.is_none() || body::is_signature(follows);
    // Without the end of a wrapping, nothing tells a miscount from a text that was cut off.
    let miscounted = parser.options.complete && is_miscount(body, short, place);
    if short != (0, 0) && last && !miscounted {
        return Err(malformed(start, cut_off(place.number, (old, new), body)));
    }
    if foreign {
        return Err(malformed(
            follows,
            "this is no line of a hunk, and no header",
        ));
    }
    for (counted, stated, side) in [(body.old, old, "old"), (body.new, new, "new")] {
        if counted != stated {
            let number = place.number;
            let message =
                format!("hunk {number}: counted {counted} {side} lines, header says {stated}");
            parser.tolerate(start.line(), message);
        }
    }
    Ok(())
}

fn cut_off(number: usize, (old, new): (u64, u64), body: &Body) -> String {
    format!(
        "hunk {number} is cut off: its header promises {old} old and {new} new lines, the text \
         ends after {} and {}",
        body.old, body.new
    )
}

/// Tells whether the line at `at` is neither a header nor a line that may stand between things.
fn is_foreign(at: Cursor<'_>, text: &[u8]) -> bool {
    let header = [
        &b"diff --git "[..],
        b"Index: ",
        b"From ",
        b"diff ",
        b"Only in ",
    ];
    !(hunk_header::begins(text)
        || body::is_header_pair(at)
        || body::is_signature(at)
        || header.iter().any(|start| text.starts_with(start)))
}

/// Tells whether a hunk at the end of a whole text is complete although its header promises more.
///
/// The lines must look finished: they end in as much context as they begin with. A tool does not
/// miscount; where one wrote the header, lines are missing.
fn is_miscount(body: &Body, short: (u64, u64), place: Place) -> bool {
    let is_context = |line: &&Line| matches!(line, Line::Context(_));
    let leading = body.lines.iter().take_while(is_context).count();
    let trailing = body.lines.iter().rev().take_while(is_context).count();
    let finished = trailing >= leading.clamp(1, 3) && trailing < body.lines.len();
    let few = match short {
        (old, new) if old == new => old <= MOST_MISCOUNTED,
        (old, new) => old == 0 || new == 0,
    };
    finished && few && !place.machine
}

/// Ends the last line of a text that stops without a newline.
fn terminate(parser: &mut Parser<'_>, start: Cursor<'_>, body: &mut Body) -> Result<(), Trouble> {
    if !body.unterminated {
        return Ok(());
    }
    let crlf = match body.lines.first() {
        Some(Line::Context(text) | Line::Delete(text) | Line::Insert(text)) => {
            text.ends_with(b"\r\n")
        }
        None => false,
    };
    match body.lines.last_mut() {
        Some(Line::Insert(text)) if parser.options.complete => end_line(text, crlf),
        Some(Line::Insert(_)) => {
            let message = "the text ends inside an added line: it may be cut off";
            return Err(malformed(start, message));
        }
        Some(Line::Context(text) | Line::Delete(text)) => end_line(text, crlf),
        None => {}
    }
    parser.tolerate(0, "the text does not end in a newline".to_owned());
    Ok(())
}

fn end_line(text: &mut BString, crlf: bool) {
    if crlf && text.last() != Some(&b'\r') {
        text.push(b'\r');
    }
    text.push(b'\n');
}

/// Returns where each side begins, as far as the header says it and the lines do not deny it.
fn starts(header: &HunkHeader, body: &Body) -> (Option<LineNo>, Option<LineNo>) {
    let denied = |range: Option<Range>, lines: u64| {
        range.is_some_and(|range| match range.count {
            Some(count) => (count == 0) != (lines == 0),
            None => lines == 0,
        })
    };
    if denied(header.old, body.old) || denied(header.new, body.new) {
        return (None, None);
    }
    (start(header.old, body.old), start(header.new, body.new))
}

fn start(range: Option<Range>, lines: u64) -> Option<LineNo> {
    let start = range?.start;
    if lines > 0 {
        return LineNo::from_one_based(start);
    }
    // An empty side names the line before it.
    usize::try_from(start).ok().map(LineNo)
}
