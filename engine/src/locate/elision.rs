//! Placeholders that stand for lines an author left out, and the lines that they stand for.
//!
//! A placeholder that the file itself holds is code. One in the new text that the old text lacks
//! would be written over real lines, so it is refused.

use bstr::BString;

use super::hunk::{Context, text_of};
use super::{scope, search};
use crate::lines;
use crate::outcome::{NotFound, Reason, Unsupported};
use crate::patch::{Line, LineHunk};

/// Words that, alone or with an ellipsis, say that something was left out.
const TRIGGERS: [&str; 9] = [
    "rest",
    "remaining",
    "remainder",
    "existing",
    "unchanged",
    "omitted",
    "snip",
    "truncated",
    "elided",
];
/// Words that do so beside an ellipsis only: without one they stand in real comments too.
const TRIGGERS_OF_ELLIPSIS: [&str; 5] = ["same", "code", "previous", "implementation", "snipped"];
/// The other words that such comments are made of.
const FILLERS: [&str; 40] = [
    "the",
    "of",
    "function",
    "functions",
    "method",
    "methods",
    "class",
    "classes",
    "file",
    "files",
    "body",
    "module",
    "as",
    "before",
    "above",
    "below",
    "no",
    "change",
    "changes",
    "here",
    "other",
    "others",
    "stays",
    "stay",
    "remains",
    "remain",
    "is",
    "are",
    "for",
    "brevity",
    "keep",
    "imports",
    "logic",
    "this",
    "goes",
    "and",
    "your",
    "all",
    "code",
    "implementation",
];

/// Tells whether `line` stands for lines left out: a bare ellipsis, or a comment that says so.
pub(crate) fn is_placeholder(line: &[u8]) -> bool {
    let line = lines::trim(line);
    if line == b"..." || line == "…".as_bytes() {
        return true;
    }
    let Some(comment) = comment(line) else {
        return false;
    };
    let comment = String::from_utf8_lossy(comment).to_lowercase();
    let comment = comment.trim_matches(|c: char| c.is_whitespace() || "()[]<>-".contains(c));
    let dots = |end: Option<char>| end.is_some_and(|c| c == '.' || c == '…');
    let elided = comment.contains("...") || comment.contains('…');
    let leads = elided && dots(comment.chars().next());
    let trails = elided && dots(comment.chars().next_back());
    let words: Vec<&str> = comment
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return elided;
    }
    let triggers = words.iter().any(|word| {
        TRIGGERS.contains(word) || ((leads || trails) && TRIGGERS_OF_ELLIPSIS.contains(word))
    });
    let known = |word: &&&str| {
        TRIGGERS.contains(word) || TRIGGERS_OF_ELLIPSIS.contains(word) || FILLERS.contains(word)
    };
    let strange = words.len() - words.iter().filter(known).count();
    // Dots in front, as in `... existing parser code ...`, leave room for what is meant.
    triggers && strange <= if leads { 3 } else { 0 } && words.len() <= 10
}

/// Returns the first comment of a new file that speaks of code left out. A bare ellipsis is none:
/// where nothing was before, nothing else says that it stands for something.
pub(crate) fn in_new_file(content: &[u8]) -> Option<BString> {
    let speaks = |line: &&[u8]| {
        is_placeholder(line) && lines::trim(line).iter().any(u8::is_ascii_alphanumeric)
    };
    lines::split(content)
        .find(speaks)
        .map(|line| lines::trim(line).into())
}

/// Returns what a line that is nothing but a comment says.
fn comment(line: &[u8]) -> Option<&[u8]> {
    let between = |open: &[u8], close: &[u8]| line.strip_prefix(open)?.strip_suffix(close);
    between(b"/*", b"*/")
        .or_else(|| between(b"<!--", b"-->"))
        .or_else(|| between(b"{/*", b"*/}"))
        .or_else(|| line.strip_prefix(b"//"))
        .or_else(|| line.strip_prefix(b"#"))
        .or_else(|| line.strip_prefix(b"--"))
        .or_else(|| line.strip_prefix(b";;"))
        .or_else(|| line.strip_prefix(b"%"))
}

/// Returns the first placeholder that `lines` would write and that the old text does not have.
pub(crate) fn brought_in(hunk: &LineHunk) -> Option<BString> {
    let new: Vec<&[u8]> = hunk.new_lines().map(text_of).collect();
    let old: Vec<&[u8]> = hunk.old().map(text_of).map(lines::trim).collect();
    let mut at = 0;
    for line in &hunk.lines {
        match line {
            Line::Delete(_) => continue,
            Line::Insert(text) => {
                let text = text_of(text);
                if is_placeholder(text) && !is_body(&new, at) && !old.contains(&lines::trim(text)) {
                    return Some(lines::trim(text).into());
                }
            }
            Line::Context(_) => {}
        }
        at += 1;
    }
    None
}

/// Tells whether line `at` is a bare ellipsis that is the whole body of a Python block.
pub(crate) fn is_body(lines: &[&[u8]], at: usize) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    if lines::trim(line) != b"..." {
        return false;
    }
    let depth = scope::depth(line);
    let solid = |line: &&&[u8]| !lines::trim(line).is_empty();
    let above = lines
        .get(..at)
        .and_then(|above| above.iter().rev().find(solid));
    let below = lines
        .get(at + 1..)
        .and_then(|below| below.iter().find(solid));
    above.is_some_and(|above| {
        let above = lines::trim(above);
        above.ends_with(b":") || above.ends_with(b"\"\"\"") || above.ends_with(b"'''")
    }) && below.is_none_or(|below| scope::depth(below) < depth)
}

/// Returns the first placeholder of a whole content that `before` does not have too.
pub(crate) fn in_content(content: &[u8], before: Option<&[u8]>) -> Option<BString> {
    let new: Vec<&[u8]> = lines::split(content).map(text_of).collect();
    let stands = |text: &[u8]| {
        before.is_some_and(|before| {
            lines::split(before).any(|line| lines::trim(line) == lines::trim(text))
        })
    };
    let at = (0..new.len())
        .find(|at| is_placeholder(new[*at]) && !is_body(&new, *at) && !stands(new[*at]))?;
    Some(lines::trim(new[at]).into())
}

/// Splits a hunk whose old text has placeholders, each kept as context, into one hunk for each
/// piece between them. `None` where there is none. Where a piece stands is checked by
/// [`in_order`].
///
/// # Errors
///
/// `unsupported` where a placeholder is changed, or new lines stand beside one with nothing between
/// that would place them.
pub(crate) fn pieces(hunk: &LineHunk) -> Result<Option<Vec<LineHunk>>, Reason> {
    let is_elided = |line: &Line| match line {
        Line::Context(text) | Line::Delete(text) | Line::Insert(text) => {
            is_placeholder(text_of(text))
        }
    };
    if !hunk.old().any(|line| is_placeholder(text_of(line))) {
        return Ok(None);
    }
    let unsupported = |text: &BString| {
        let placeholder = lines::trim(text).into();
        Reason::Unsupported(Unsupported::Elision { placeholder })
    };
    let piece = |lines: Vec<Line>| LineHunk {
        lines,
        old_start: None,
        new_start: None,
        at_end: false,
        ..hunk.clone()
    };
    let mut pieces = Vec::new();
    let mut lines = Vec::new();
    for line in hunk.lines.iter().chain([&Line::Context("...".into())]) {
        match line {
            Line::Context(text) if is_elided(line) => {
                let this = piece(std::mem::take(&mut lines));
                if this.old().next().is_some() {
                    pieces.push(this);
                } else if !this.lines.is_empty() {
                    return Err(unsupported(text));
                }
            }
            Line::Delete(text) | Line::Insert(text) if is_elided(line) => {
                return Err(unsupported(text));
            }
            _ => lines.push(line.clone()),
        }
    }
    Ok(Some(pieces))
}

/// Returns where each piece stands: once in the file, in order, inside of one scope.
pub(crate) fn in_order(pieces: &[LineHunk], cx: &Context<'_>) -> Result<Vec<usize>, Reason> {
    let mut starts = Vec::with_capacity(pieces.len());
    let mut from = 0;
    let mut depths = Vec::new();
    for piece in pieces {
        let anchor = super::hunk::anchor_of(piece);
        let within = scope::resolve(cx.file, &piece.scopes, cx.budget)?;
        let found = search::find(cx.file, &anchor, within, cx.budget)?;
        let [start] = found[..] else {
            return Err(not_in_order());
        };
        if start < from {
            return Err(not_in_order());
        }
        if let Some(last) = starts.last()
            && leaves_header(cx, *last..from, start)?
        {
            return Err(not_in_order());
        }
        let solid = anchor.iter().filter(|line| !lines::trim(line).is_empty());
        depths.extend(solid.map(|line| scope::depth(line)).min());
        starts.push(start);
        from = start + anchor.len();
    }
    // Lines left out may not leave the scope that the pieces around them share.
    let least = depths.into_iter().min().unwrap_or(0);
    if let (Some(first), true) = (starts.first(), pieces.len() > 1) {
        cx.budget.spend(from - first)?;
        let outside = (*first + 1..from).any(|line| {
            let text = cx.file.text(line);
            !lines::trim(text).is_empty() && scope::depth(text) < least
        });
        if outside {
            return Err(not_in_order());
        }
    }
    Ok(starts)
}

/// Tells whether the lines left out between `piece` and line `next` leave what the innermost header
/// in `piece` opens, while the next line is written as if it stood in it.
fn leaves_header(
    cx: &Context<'_>,
    piece: std::ops::Range<usize>,
    next: usize,
) -> Result<bool, Reason> {
    let (file, end) = (cx.file, piece.end);
    cx.budget.spend(next - piece.start)?;
    let depth = |line: usize| scope::depth(file.text(line));
    let is_solid = |line: &usize| !lines::trim(file.text(*line)).is_empty();
    let Some(first) = (next..file.len()).find(is_solid) else {
        return Ok(false);
    };
    let Some(header) = piece
        .rev()
        .filter(is_solid)
        .find(|line| depth(*line) < depth(first))
    else {
        return Ok(false);
    };
    let opens = (header + 1..file.len())
        .find(is_solid)
        .is_some_and(|line| depth(line) > depth(header));
    let mut gap = (end..next).filter(|line| scope::may_head(file.text(*line)));
    Ok(opens && gap.any(|line| depth(line) <= depth(header)))
}

fn not_in_order() -> Reason {
    Reason::NotFound {
        why: NotFound::Pieces,
        nearest: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
