//! The chain of lines that enclose a line, and whether two chains tell of one place.
//!
//! Told from indentation, as in [`scope`]: what is wrong with a chain makes two places look
//! different that are one, and so costs an edit, but never lands it elsewhere.

use super::budget::Budget;
use super::file::File;
use super::scope::{self, depth};
use crate::lines;
use crate::outcome::Reason;

/// Words that begin a line which steers what runs, and names nothing.
const CONTROL: [&[u8]; 27] = [
    b"if", b"elif", b"else", b"elsif", b"elseif", b"unless", b"for", b"foreach", b"while",
    b"until", b"loop", b"do", b"try", b"except", b"catch", b"finally", b"rescue", b"ensure",
    b"with", b"using", b"switch", b"case", b"match", b"when", b"default", b"select", b"begin",
];

/// Those of them that go on with what a line above them began.
const CONTINUED: [&[u8]; 10] = [
    b"elif", b"else", b"elsif", b"elseif", b"except", b"catch", b"finally", b"rescue", b"ensure",
    b"when",
];

/// Returns the first word of `line`, closing brackets before it aside.
fn word(line: &[u8]) -> &[u8] {
    let line = lines::trim(line);
    let skip = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'}' | b')' | b']');
    let from = line.iter().position(|b| !skip(b)).unwrap_or(line.len());
    let rest = line.split_at(from).1;
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let end = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
    rest.split_at(end).0
}

pub(crate) fn is_control(line: &[u8]) -> bool {
    CONTROL.contains(&word(line))
}

/// Returns what a header calls the thing that it opens: all before its parameters or its body.
fn name(line: &[u8]) -> &[u8] {
    let line = lines::trim(line);
    let end = line
        .iter()
        .position(|b| matches!(b, b'(' | b':' | b'{' | b'<' | b'='));
    lines::trim(line.split_at(end.unwrap_or(line.len())).0)
}

/// Returns the lines that enclose line `at`, outermost first. A line that closes or continues what
/// one above it opened brings that one along.
pub(crate) fn of(file: &File<'_>, at: usize, budget: &Budget) -> Result<Vec<usize>, Reason> {
    let mut limit = depth(file.text(at));
    let mut chain: Vec<usize> = Vec::new();
    let mut line = at;
    // Whether the last header found only goes on with one above it, of the same depth.
    let mut open = false;
    while (limit > 0 || open) && line > 0 {
        line -= 1;
        budget.spend(1)?;
        let text = file.text(line);
        let this = depth(text);
        if this > limit || (this == limit && !open) || !scope::may_head(text) {
            continue;
        }
        (limit, open) = (this, goes_on(text));
        chain.push(line);
    }
    chain.reverse();
    Ok(chain)
}

fn goes_on(line: &[u8]) -> bool {
    let closes = matches!(lines::trim(line).first(), Some(b'}' | b')' | b']'));
    closes || CONTINUED.contains(&word(line))
}

/// How two chains compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// They are of one place.
    Same,
    /// They are, but for lines that have come between the innermost one and what it encloses.
    Deeper,
    /// A header of the first is not in the second: that one, and what stands for it.
    Differ { was: usize, is: Option<usize> },
}

/// Compares the lines `was` of `base` with the lines `is` of `file`. Each of the first must be among
/// the second, in order; others may have come in between.
///
/// Headers are alike if their texts are, or if both alone have their name.
pub(crate) fn compare(
    base: &File<'_>,
    was: &[usize],
    file: &File<'_>,
    is: &[usize],
    budget: &Budget,
) -> Result<Compared, Reason> {
    let mut rest = is.iter().rev();
    let mut deeper = false;
    for (k, header) in was.iter().rev().enumerate() {
        let mut first = None;
        loop {
            let Some(line) = rest.next().copied() else {
                return Ok(Compared::Differ {
                    was: *header,
                    is: first,
                });
            };
            if alike(base, *header, file, line, budget)? {
                break;
            }
            first = first.or(Some(line));
            deeper |= k == 0;
        }
    }
    Ok(if deeper {
        Compared::Deeper
    } else {
        Compared::Same
    })
}

/// Returns the innermost of the headers `chain` that names something.
pub(crate) fn named<'a>(file: &File<'a>, chain: &[usize]) -> Option<&'a [u8]> {
    let texts = chain.iter().rev().map(|line| file.text(*line));
    texts.into_iter().find(|text| !is_control(text))
}

/// Tells whether what stands under one header may be taken for what stands under another: unless
/// both open the same kind of thing, under two names.
pub(crate) fn may_be_one(header: Option<&[u8]>, other: Option<&[u8]>) -> bool {
    match (header, other) {
        (Some(one), Some(other)) => word(one) != word(other) || name(one) == name(other),
        _ => true,
    }
}

fn alike(
    base: &File<'_>,
    was: usize,
    file: &File<'_>,
    is: usize,
    budget: &Budget,
) -> Result<bool, Reason> {
    let (was, is) = (base.text(was), file.text(is));
    if lines::trim(was) == lines::trim(is) {
        return Ok(true);
    }
    let named = name(was);
    if is_control(was) || named.is_empty() || named != name(is) {
        return Ok(false);
    }
    budget.spend(base.len() + file.len())?;
    let alone = |file: &File<'_>| {
        let mut same = (0..file.len()).filter(|line| name(file.text(*line)) == named);
        same.next().is_some() && same.next().is_none()
    };
    Ok(alone(base) && alone(file))
}

/// Tells whether the chain `headers` is the only one of its kind in `file`: no header of it stands
/// again under the same parents.
pub(crate) fn is_only(file: &File<'_>, headers: &[usize], budget: &Budget) -> Result<bool, Reason> {
    let key = |line: &usize| lines::trim(file.text(*line));
    for (k, header) in headers.iter().enumerate() {
        let index = file.trimmed_index();
        let Some(number) = index.number(file, file.text(*header)) else {
            continue;
        };
        let parents = headers.get(..k).unwrap_or_default();
        for twin in index.places(number) {
            let twin = *twin as usize;
            if twin == *header {
                continue;
            }
            let its = of(file, twin, budget)?;
            if its.iter().map(key).eq(parents.iter().map(key)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
