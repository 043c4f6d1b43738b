//! From placed hunks to a file's new bytes: the minimal change, with the file's own line endings.

use std::ops::Range;

use bstr::{BString, ByteSlice as _};

use crate::lines::{self, BOM, Ending, LineRange};
use crate::locate::file::{Endings, File};
use crate::locate::hunk::text_of;
use crate::locate::text::without_cr;
use crate::outcome::Reason;
use crate::patch::{Line, LineHunk};

/// Bytes of a file that become others. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) at: Range<usize>,
    pub(crate) new: BString,
    /// The hunk that asks for it, counted from 1.
    pub(crate) hunk: usize,
}

/// Returns what `lines` change in `file`, where their first old line is line `start`.
///
/// `proven` says that the file is known to be what the author saw.
pub(crate) fn of_lines<'a>(
    file: &'a File<'a>,
    lines: &'a [Line],
    start: usize,
    proven: bool,
    hunk: usize,
) -> Result<Vec<Splice>, Reason> {
    let verbatim = is_verbatim(file, lines, start, proven);
    let mut splices = Vec::new();
    let mut group = Group {
        file,
        verbatim,
        hunk,
        from: start,
        gone: 0,
        comes: Vec::new(),
    };
    for line in lines {
        match line {
            Line::Delete(_) => group.gone += 1,
            Line::Insert(text) => group.comes.push(text),
            Line::Context(_) => {
                let next = group.from + group.gone + 1;
                splices.extend(group.splice()?);
                group = Group {
                    from: next,
                    gone: 0,
                    comes: Vec::new(),
                    ..group
                };
            }
        }
    }
    splices.extend(group.splice()?);
    Ok(splices)
}

/// Tells whether the new lines are to be taken byte for byte, endings and byte-order mark included.
///
/// They are where the old lines fit byte for byte and the author is known to mind such bytes: the
/// file is proven, or the hunk itself shows a CR LF, a missing newline or a byte-order mark.
fn is_verbatim(file: &File<'_>, lines: &[Line], start: usize, proven: bool) -> bool {
    let old = lines.iter().filter_map(|line| match line {
        Line::Context(text) | Line::Delete(text) => Some(text),
        Line::Insert(_) => None,
    });
    let shows = |line: &Line| match line {
        Line::Context(text) | Line::Delete(text) => {
            lines::split_ending(text).1 != Ending::Lf || text.starts_with(BOM)
        }
        // An ending that only new lines have is the file's to give, unless it is all that changes.
        Line::Insert(text) => {
            lines::split_ending(text).1 == Ending::None
                || text.starts_with(BOM)
                || lines.iter().any(|line| converts(line, text))
        }
    };
    (proven || lines.iter().any(shows))
        && old
            .enumerate()
            .all(|(k, text)| file.raw(start + k) == text.as_slice())
}

/// Tells whether `line` goes away and comes back as `new`, with another ending.
fn converts(line: &Line, new: &BString) -> bool {
    match line {
        Line::Delete(old) => old != new && text_of(old) == text_of(new),
        _ => false,
    }
}

/// Deleted and inserted lines with no context between them.
#[derive(Clone)]
struct Group<'a> {
    file: &'a File<'a>,
    verbatim: bool,
    hunk: usize,
    /// The first deleted line; with none, the line that the new ones stand before.
    from: usize,
    gone: usize,
    comes: Vec<&'a BString>,
}

impl Group<'_> {
    fn splice(&self) -> Result<Option<Splice>, Reason> {
        let (from, gone, comes) = self.minimal();
        if gone == 0 && comes.is_empty() {
            return Ok(None);
        }
        let lines = LineRange::new(from, from + gone);
        let at = if self.verbatim {
            self.file.start(from)..self.file.start(from + gone)
        } else {
            self.without_last_newline(lines, comes)
        };
        let new = if self.verbatim {
            self.as_written(lines, comes)?
        } else {
            self.as_the_file(lines, comes)?
        };
        Ok(trimmed(
            self.file,
            &Splice {
                at,
                new,
                hunk: self.hunk,
            },
        ))
    }

    /// Returns the bytes of `lines`. Where nothing comes for the last lines of a file without final
    /// newline, the line above becomes the last one, and gives its newline away: that a file does not
    /// end in one is the file's to say. A blank line keeps its own, which is all that it has.
    fn without_last_newline(&self, lines: LineRange, comes: &[&BString]) -> Range<usize> {
        let bytes = self.file.byte_range(lines);
        let unfinished = lines.end.0 == self.file.len()
            && !lines.is_empty()
            && self.file.ending(lines.end.0 - 1) == Ending::None;
        let above = lines.start.0.checked_sub(1);
        match above.filter(|above| !self.file.text(*above).is_empty()) {
            Some(above) if unfinished && comes.is_empty() => {
                bytes.start - self.file.ending(above).as_bytes().len()..bytes.end
            }
            _ => bytes,
        }
    }

    /// Leaves out lines at both ends that are deleted and inserted alike.
    fn minimal(&self) -> (usize, usize, &[&BString]) {
        let same = |line: usize, text: &BString| {
            if self.verbatim {
                self.file.raw(line) == text.as_slice()
            } else {
                self.file.text(line) == text_of(text)
            }
        };
        let (mut from, mut gone, mut comes) = (self.from, self.gone, &self.comes[..]);
        while let ([first, rest @ ..], true) = (comes, gone > 0) {
            if !same(from, first) {
                break;
            }
            (from, gone, comes) = (from + 1, gone - 1, rest);
        }
        while let ([rest @ .., last], true) = (comes, gone > 0) {
            if !same(from + gone - 1, last) {
                break;
            }
            (gone, comes) = (gone - 1, rest);
        }
        (from, gone, comes)
    }

    /// Joins the new lines as the author wrote them.
    fn as_written(&self, lines: LineRange, comes: &[&BString]) -> Result<BString, Reason> {
        let at_end = lines.end.0 == self.file.len();
        let unfinished = comes.iter().position(|text| !text.ends_with(b"\n"));
        let joins = match unfinished {
            Some(at) => at + 1 != comes.len() || !at_end,
            None => false,
        };
        let follows_unfinished = lines.start.0 > 0
            && !comes.is_empty()
            && self.file.ending(lines.start.0 - 1) == Ending::None;
        if joins || follows_unfinished {
            return Err(malformed(
                "a line without newline is not the last one of the result",
            ));
        }
        Ok(comes
            .iter()
            .flat_map(|text| text.iter().copied())
            .collect::<Vec<u8>>()
            .into())
    }

    /// Joins the new lines with endings of the file: a replaced line keeps its own, an inserted one
    /// takes that of its two neighbours.
    fn as_the_file(&self, lines: LineRange, comes: &[&BString]) -> Result<BString, Reason> {
        let mut new = Vec::new();
        let at_end = lines.end.0 == self.file.len() && self.file.len() > 0;
        let unfinished = at_end && self.file.ending(self.file.len() - 1) == Ending::None;
        if lines.is_empty() && unfinished && !comes.is_empty() {
            new.extend_from_slice(self.between(lines, comes)?.as_bytes());
        }
        for (k, text) in comes.iter().enumerate() {
            new.extend_from_slice(self.text_at(lines, k, text));
            let replaced = (k < lines.len()).then(|| self.file.ending(lines.start.0 + k));
            let ending = match replaced {
                // A blank line without a newline would be none.
                _ if unfinished && k + 1 == comes.len() && !text_of(text).is_empty() => {
                    Ending::None
                }
                Some(Ending::None) | None => self.between(lines, comes)?,
                Some(ending) => ending,
            };
            new.extend_from_slice(ending.as_bytes());
        }
        Ok(new.into())
    }

    /// Returns the text of the new line `k` in place of `lines`. A byte-order mark in it is one that
    /// was copied along, but where the line that it replaces has it below the file's top, as text.
    fn text_at<'t>(&self, lines: LineRange, k: usize, text: &'t [u8]) -> &'t [u8] {
        let at = lines.start.0 + k;
        if at > 0 && k < lines.len() && self.file.text(at).starts_with(BOM) {
            lines::split_ending(text).0
        } else {
            text_of(text)
        }
    }

    /// Returns the ending for a line inserted behind `lines`: what the lines before and after it
    /// agree on. In a file that shows none, the author's own.
    fn between(&self, lines: LineRange, comes: &[&BString]) -> Result<Ending, Reason> {
        let real = |line: usize| {
            let ending = self.file.ending(line);
            (ending != Ending::None).then_some(ending)
        };
        let before = (0..lines.end.0).rev().take(2).find_map(real);
        let after = if lines.end.0 < self.file.len() {
            real(lines.end.0)
        } else {
            None
        };
        match (before, after) {
            (Some(before), Some(after)) if before != after => Err(malformed(
                "a new line would stand between a line that ends in LF and one that ends in CR LF",
            )),
            (Some(ending), _) | (None, Some(ending)) => Ok(ending),
            (None, None) => {
                let written = comes.iter().map(|text| lines::split_ending(text).1);
                Ok(written
                    .into_iter()
                    .find(|ending| *ending != Ending::None)
                    .unwrap_or(Ending::Lf))
            }
        }
    }
}

fn malformed(message: &str) -> Reason {
    Reason::Malformed {
        message: message.into(),
        readings: Vec::new(),
    }
}

/// Leaves out the bytes at both ends of a splice that it does not change; `None` if that is all.
fn trimmed(file: &File<'_>, splice: &Splice) -> Option<Splice> {
    let old = &file.bytes()[splice.at.clone()];
    let new = &splice.new;
    let front = old
        .iter()
        .zip(new.iter())
        .take_while(|(a, b)| a == b)
        .count();
    let most = old.len().min(new.len()) - front;
    let back = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(most)
        .take_while(|(a, b)| a == b)
        .count();
    let at = splice.at.start + front..splice.at.end - back;
    let new: BString = new[front..new.len() - back].into();
    (!at.is_empty() || !new.is_empty()).then_some(Splice {
        at,
        new,
        hunk: splice.hunk,
    })
}

/// Returns what replacing bytes `at` of `file`, quoted as `old`, by `new` changes.
pub(crate) fn of_text(
    file: &File<'_>,
    at: &Range<usize>,
    old: &[u8],
    new: &[u8],
    hunk: usize,
) -> Result<Vec<Splice>, Reason> {
    let is = &file.bytes()[at.clone()];
    if is == old && minds_endings(old, new) {
        return Ok(within(file, at, new, hunk));
    }
    let mut new = without_cr(new.strip_prefix(BOM).unwrap_or(new)).into_owned();
    if is.ends_with(b"\n") && !new.is_empty() && !new.ends_with(b"\n") {
        let follows = &file.bytes()[at.end..];
        if !follows.is_empty() && !follows.starts_with(b"\n") && !follows.starts_with(b"\r\n") {
            return Err(malformed(
                "the old text ends in a newline and the new one does not, which joins two lines",
            ));
        }
        if follows.is_empty() {
            new.push(b'\n');
        }
    }
    match file.endings() {
        _ if !new.contains(&b'\n') => Ok(within(file, at, &new, hunk)),
        Endings::Lf => Ok(within(file, at, &new, hunk)),
        Endings::CrLf => Ok(within(file, at, &new.replace("\n", "\r\n"), hunk)),
        Endings::Mixed => {
            let mut lines = file.lines_of(at);
            let mut region = file.byte_range(lines);
            let before = &file.bytes()[region.start.min(at.start)..at.start];
            let joins = |end: usize| {
                let after = &file.bytes()[at.end..end.max(at.end)];
                let last = [after, &new, before]
                    .into_iter()
                    .find(|part| !part.is_empty());
                last.is_some_and(|part| !part.ends_with(b"\n"))
            };
            // What is left of the last line goes on in the next one.
            if joins(region.end) && lines.end.0 < file.len() {
                lines = LineRange::new(lines.start.0, lines.end.0 + 1);
                region = file.byte_range(lines);
            }
            let after = &file.bytes()[at.end..region.end.max(at.end)];
            let changed = [before, &new, after].concat();
            let quoted = without_cr(&file.bytes()[region]).into_owned();
            let pair = LineHunk::from_pair(&quoted, &without_cr(&changed));
            of_lines(file, &finished(pair), lines.start.0, false, hunk)
        }
    }
}

/// Returns the minimal splices that turn bytes `at` into `new`, none of them beyond `at`.
fn within(file: &File<'_>, at: &Range<usize>, new: &[u8], hunk: usize) -> Vec<Splice> {
    let old = &file.bytes()[at.clone()];
    if !old.contains(&b'\n') || !new.contains(&b'\n') {
        return trimmed(
            file,
            &Splice {
                at: at.clone(),
                new: new.into(),
                hunk,
            },
        )
        .into_iter()
        .collect();
    }
    let mut splices = Vec::new();
    let mut open = Splice {
        at: at.start..at.start,
        new: BString::default(),
        hunk,
    };
    for line in LineHunk::from_pair(old, new) {
        match line {
            Line::Delete(text) => open.at.end += text.len(),
            Line::Insert(text) => open.new.extend_from_slice(&text),
            Line::Context(text) => {
                let next = open.at.end + text.len();
                let fresh = Splice {
                    at: next..next,
                    new: BString::default(),
                    hunk,
                };
                splices.extend(trimmed(file, &std::mem::replace(&mut open, fresh)));
            }
        }
    }
    splices.extend(trimmed(file, &open));
    splices
}

/// Gives every line a newline: whether the file's last one has it is the file's to say.
fn finished(mut lines: Vec<Line>) -> Vec<Line> {
    for line in &mut lines {
        let (Line::Context(text) | Line::Delete(text) | Line::Insert(text)) = line;
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
    }
    lines
}

/// Tells whether a pair of texts is written by somebody who minds line endings: one of them shows a
/// CR LF, and the new text does not merely lose it.
fn minds_endings(old: &[u8], new: &[u8]) -> bool {
    let crlf = |text: &[u8]| memchr::memmem::find(text, b"\r\n").is_some();
    let only_converts = old.contains(&b'\n') && without_cr(old) == without_cr(new) && old != new;
    let loses = !crlf(new) && new.contains(&b'\n');
    // What the old text does not show of the file's endings, the new one cannot mind.
    only_converts || (crlf(old) && !loses)
}

/// Returns what replacing lines `lines` of `file` by the whole lines `new` changes.
pub(crate) fn of_range(
    file: &File<'_>,
    lines: LineRange,
    new: &[u8],
    hunk: usize,
) -> Result<Vec<Splice>, Reason> {
    let quoted = without_cr(&file.bytes()[file.byte_range(lines)]).into_owned();
    let pair = LineHunk::from_pair(&finished_text(&quoted), &finished_text(&without_cr(new)));
    of_lines(file, &pair, lines.start.0, false, hunk)
}

fn finished_text(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    if text.last().is_some_and(|b| *b != b'\n') {
        text.push(b'\n');
    }
    text
}

/// Sorts the splices by their place, puts all into `file` and returns the new content.
///
/// # Errors
///
/// `overlap`, with the later hunk's number, where two of them change the same bytes, or insert at
/// the same place.
pub(crate) fn apply(file: &File<'_>, splices: &mut [Splice]) -> Result<Vec<u8>, (usize, Reason)> {
    splices.sort_by_key(|splice| (splice.at.start, splice.at.end, splice.hunk));
    for pair in splices.windows(2) {
        let [a, b] = pair else { continue };
        let same_place = a.at == b.at && a.at.is_empty();
        if (b.at.start < a.at.end || same_place) && a.hunk != b.hunk {
            let (first, second) = (a.hunk.min(b.hunk), a.hunk.max(b.hunk));
            let lines = file.lines_of(&(b.at.start..b.at.end.max(b.at.start)));
            return Err((second, Reason::Overlap { lines, with: first }));
        }
    }
    let added: usize = splices.iter().map(|splice| splice.new.len()).sum();
    let mut result = Vec::with_capacity(file.bytes().len() + added);
    let mut from = 0;
    for splice in &*splices {
        result.extend_from_slice(&file.bytes()[from.min(splice.at.start)..splice.at.start]);
        result.extend_from_slice(&splice.new);
        from = splice.at.end;
    }
    result.extend_from_slice(&file.bytes()[from..]);
    Ok(result)
}

/// Checks that `result` is `file` outside of the splices, byte for byte. It is by construction; a
/// fault here must never reach a disk.
pub(crate) fn survives(file: &File<'_>, splices: &[Splice], result: &[u8]) -> bool {
    let mut splices: Vec<&Splice> = splices.iter().collect();
    splices.sort_by_key(|splice| (splice.at.start, splice.at.end, splice.hunk));
    let (mut old, mut new) = (0, 0);
    for splice in splices {
        let Some(kept) = file.bytes().get(old..splice.at.start) else {
            return false;
        };
        let Some(rest) = result.get(new..) else {
            return false;
        };
        if !rest.starts_with(kept) {
            return false;
        }
        old = splice.at.end;
        new += kept.len() + splice.new.len();
    }
    result.get(new..) == file.bytes().get(old..)
}
