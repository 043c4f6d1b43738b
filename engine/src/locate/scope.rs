//! What encloses a line, told from indentation: closed scopes, chains of headers, diff headings.
//!
//! No language is known here. Where an outline of the language is to be had, it says more.

use std::ops::Range;

use bstr::BString;

use super::budget::Budget;
use super::file::File;
use crate::lines;
use crate::outcome::{Ambiguity, NotFound, Reason};

/// A tab's width when indentations are compared: what makes a tab deeper than any usual indent.
const TAB: usize = 8;

/// Returns the columns of white space in front of `line`.
pub(crate) fn depth(line: &[u8]) -> usize {
    lines::indentation(line).iter().fold(0, |depth, b| match b {
        b'\t' => (depth / TAB + 1) * TAB,
        _ => depth + 1,
    })
}

fn is_blank(line: &[u8]) -> bool {
    lines::trim(line).is_empty()
}

/// Tells whether `line` only closes what was opened before: brackets and their punctuation, `end`.
fn is_closer(line: &[u8]) -> bool {
    let line = lines::trim(line);
    let Some(first) = line.first() else {
        return false;
    };
    matches!(first, b'}' | b')' | b']')
        && line
            .iter()
            .all(|b| matches!(b, b'}' | b')' | b']' | b';' | b',' | b'.'))
        || matches!(line, b"end" | b"end;" | b"fi" | b"done" | b"esac")
}

/// Returns the lines that the scope whose own line is `at` covers: up to the next line that is
/// indented no deeper and neither closes nor continues its header.
pub(crate) fn extent(
    file: &File<'_>,
    at: usize,
    end: usize,
    budget: &Budget,
) -> Result<Range<usize>, Reason> {
    let own = depth(file.text(at));
    let mut body_seen = false;
    for line in at + 1..end {
        budget.spend(1)?;
        let text = file.text(line);
        if is_blank(text) || depth(text) > own {
            body_seen |= !is_blank(text);
            continue;
        }
        let trimmed = lines::trim(text);
        // `) -> int:` and a `{` of its own line still belong to the header.
        let continues = trimmed.starts_with(b")") || (!body_seen && trimmed == b"{");
        if !is_closer(text) && !continues {
            return Ok(at..line);
        }
    }
    Ok(at..end)
}

/// Returns the lines that the innermost of `scopes` covers, each looked for inside the one before.
///
/// A scope is a line that, trimmed, equals the given text; where none does, a line that goes on
/// behind it with something that is no part of a word.
pub(crate) fn resolve(
    file: &File<'_>,
    scopes: &[BString],
    budget: &Budget,
) -> Result<Range<usize>, Reason> {
    let mut within = 0..file.len();
    for scope in scopes {
        let wanted = lines::trim(scope);
        let mut places = scope_lines(file, within.clone(), |text| text == wanted, budget)?;
        if places.is_empty() {
            places = scope_lines(file, within.clone(), |text| goes_on(text, wanted), budget)?;
        }
        within = match places[..] {
            [] => {
                let why = NotFound::Scope {
                    scope: scope.clone(),
                };
                return Err(Reason::NotFound {
                    why,
                    nearest: Vec::new(),
                });
            }
            [at] => extent(file, at, within.end, budget)?,
            _ => {
                let total = places.len();
                let candidates = super::candidates::places(file, &places, 1);
                return Err(Reason::Ambiguous {
                    why: Ambiguity::Scope,
                    candidates,
                    total,
                });
            }
        };
    }
    Ok(within)
}

fn scope_lines(
    file: &File<'_>,
    within: Range<usize>,
    fits: impl Fn(&[u8]) -> bool,
    budget: &Budget,
) -> Result<Vec<usize>, Reason> {
    budget.spend(within.len())?;
    Ok(within
        .filter(|at| fits(lines::trim(file.text(*at))))
        .collect())
}

fn goes_on(text: &[u8], wanted: &[u8]) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    !wanted.is_empty()
        && text.strip_prefix(wanted).is_some_and(|rest| {
            rest.first()
                .is_none_or(|b| !is_word(b) || !wanted.last().is_some_and(is_word))
        })
}

/// Returns the lines that enclose line `at`, innermost first: each indented less than the one
/// before it, without comments and lines that hold no word.
pub(crate) fn headers(file: &File<'_>, at: usize, budget: &Budget) -> Result<Vec<usize>, Reason> {
    let Some(first) = (at..file.len()).find(|line| !is_blank(file.text(*line))) else {
        return Ok(Vec::new());
    };
    let mut limit = depth(file.text(first));
    let mut headers = Vec::new();
    let mut line = at;
    while limit > 0 && line > 0 {
        line -= 1;
        let text = file.text(line);
        let this = depth(text);
        if this < limit && may_head(text) {
            limit = this;
            headers.push(line);
        }
    }
    budget.spend(at - line)?;
    Ok(headers)
}

/// Tells whether a line may enclose those below it. A lone bracket stands for the header above it,
/// which is indented alike, and a comment for nothing.
pub(crate) fn may_head(line: &[u8]) -> bool {
    !is_comment(line) && lines::trim(line).iter().any(u8::is_ascii_alphanumeric)
}

fn is_comment(line: &[u8]) -> bool {
    let line = lines::trim(line);
    [b"//".as_slice(), b"#", b"/*", b"* ", b"--", b"<!--"]
        .iter()
        .any(|sign| line.starts_with(sign))
}

/// Returns the innermost line that encloses line `at`, trimmed.
pub(crate) fn innermost(file: &File<'_>, at: usize, budget: &Budget) -> Option<BString> {
    let headers = headers(file, at, budget).ok()?;
    headers
        .first()
        .map(|line| lines::trim(file.text(*line)).into())
}

/// Tells whether a diff's section heading fits lines that begin at `first` and are `len` long.
///
/// It fits if a line that it prefixes stands above them, with no line of the same indentation and
/// first word between, or if it is one of the lines themselves.
pub(crate) fn heading_agrees(
    file: &File<'_>,
    heading: &[u8],
    first: usize,
    len: usize,
    budget: &Budget,
) -> Result<bool, Reason> {
    let heading = heading.trim_ascii_end();
    let bare = heading.trim_ascii_start();
    let fits = |text: &[u8]| text.starts_with(heading) || lines::trim(text).starts_with(bare);
    if (first..first + len).any(|line| fits(file.text(line))) {
        return Ok(true);
    }
    let Some(at) = (0..first).rev().find(|line| fits(file.text(*line))) else {
        budget.spend(first)?;
        return Ok(false);
    };
    budget.spend(2 * (first - at))?;
    let own = file.text(at);
    let rival = |text: &[u8]| depth(text) == depth(own) && first_word(text) == first_word(own);
    Ok(!(at + 1..first).any(|line| rival(file.text(line))))
}

/// Tells whether line `first` lies inside of what a diff's section heading opens, and nothing else
/// in the file could be meant by the heading.
///
/// Stricter than [`heading_agrees`]: what is asked of a heading that has to vouch for a place in a
/// file known to be another than its author saw.
pub(crate) fn is_inside_heading(
    file: &File<'_>,
    heading: &[u8],
    first: usize,
    budget: &Budget,
) -> Result<bool, Reason> {
    budget.spend(file.len())?;
    let bare = lines::trim(heading);
    let mut fitting =
        (0..file.len()).filter(|line| lines::trim(file.text(*line)).starts_with(bare));
    let (Some(at), None) = (fitting.next(), fitting.next()) else {
        return Ok(false);
    };
    Ok(at < first && extent(file, at, file.len(), budget)?.contains(&first))
}

fn first_word(line: &[u8]) -> &[u8] {
    let line = lines::trim(line);
    let end = line
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(line.len());
    line.split_at(end).0
}

#[cfg(test)]
mod tests;
