//! The `@@` line: what git writes, and what models write in its place.

use bstr::{BString, ByteSlice as _};

/// What a `@@` line states. Models leave out any part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HunkHeader {
    /// The old side's range.
    pub(super) old: Option<Range>,
    /// The new side's range.
    pub(super) new: Option<Range>,
    /// The text behind the second `@@`, or in place of the ranges.
    pub(super) heading: Option<BString>,
    /// What is not as it should be, in words.
    pub(super) tolerated: Option<&'static str>,
}

/// One side's range as written: lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// The first line; of an empty side, the line before it.
    pub(super) start: u64,
    /// The number of lines, where stated.
    pub(super) count: Option<u64>,
}

impl HunkHeader {
    /// Returns the old and new counts, where both are stated.
    pub(super) fn counts(&self) -> Option<(u64, u64)> {
        Some((self.old?.count?, self.new?.count?))
    }
}

/// Tells whether `line` begins a hunk, or tries to.
pub(super) fn begins(line: &[u8]) -> bool {
    match line.strip_prefix(b"@@") {
        Some([]) => true,
        Some([next, ..]) => matches!(next, b' ' | b'\t' | b'-' | b'@'),
        None => false,
    }
}

/// Reads a `@@` line without its ending.
pub(super) fn read(line: &[u8]) -> Result<HunkHeader, String> {
    let rest = line.strip_prefix(b"@@").ok_or("no hunk header")?;
    let Some(at) = rest.find(b"@@") else {
        return unclosed(rest.trim_ascii());
    };
    let (inner, tail) = rest.split_at(at);
    let inner = inner.trim_ascii();
    let heading = text(tail.get(2..).unwrap_or_default());
    let tolerated = Some("the hunk header states no lines");
    if matches!(inner, b"" | b"..." | b"\xE2\x80\xA6") {
        return Ok(HunkHeader {
            heading,
            tolerated,
            ..HunkHeader::default()
        });
    }
    if let Some(old) = named_line(inner) {
        let tolerated = Some("the hunk header names a line in words");
        return Ok(HunkHeader {
            old: Some(old),
            new: None,
            heading,
            tolerated,
        });
    }
    if looks_like_ranges(inner) {
        return Ok(HunkHeader {
            heading,
            ..ranges(inner)?
        });
    }
    if heading.is_some() {
        return Err("the hunk header has text in place of its lines, and a heading".to_owned());
    }
    Ok(HunkHeader {
        heading: text(inner),
        tolerated,
        ..HunkHeader::default()
    })
}

/// Reads what follows a `@@` that no second one closes.
fn unclosed(rest: &[u8]) -> Result<HunkHeader, String> {
    if let Some(old) = named_line(rest) {
        let tolerated = Some("the hunk header names a line in words");
        return Ok(HunkHeader {
            old: Some(old),
            tolerated,
            ..HunkHeader::default()
        });
    }
    if looks_like_ranges(rest) {
        let tolerated = Some("the hunk header is not closed by a second `@@`");
        return Ok(HunkHeader {
            tolerated,
            ..ranges(rest)?
        });
    }
    let heading = if matches!(rest, b"..." | b"\xE2\x80\xA6") {
        None
    } else {
        text(rest)
    };
    let tolerated = Some("the hunk header states no lines");
    Ok(HunkHeader {
        heading,
        tolerated,
        ..HunkHeader::default()
    })
}

fn text(text: &[u8]) -> Option<BString> {
    let text = text.trim_ascii();
    (!text.is_empty()).then(|| text.into())
}

fn looks_like_ranges(text: &[u8]) -> bool {
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    match text.first() {
        Some(b'-' | b'+') => true,
        first => digit(first),
    }
}

/// Reads `line 42` or `lines 42-50`.
fn named_line(text: &[u8]) -> Option<Range> {
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix(b"lines ")
        .or_else(|| lower.strip_prefix(b"line "))?
        .trim_ascii();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (start, rest) = rest.split_at(digits);
    let fits = matches!(rest, [] | [b'-' | b',' | b'.' | b':', ..])
        && rest
            .iter()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b',' | b'.' | b':'));
    Some(Range {
        start: number(start)?,
        count: None,
    })
    .filter(|_| fits)
}

fn ranges(text: &[u8]) -> Result<HunkHeader, String> {
    let bad = || "the hunk header is not `@@ -start,count +start,count @@`".to_owned();
    let mut parts = words(text);
    let old = parts
        .next()
        .and_then(|part| part.strip_prefix(b"-"))
        .ok_or_else(bad)?;
    let old = range(old).ok_or_else(bad)?;
    let new = match parts.next() {
        Some(part) => Some(part.strip_prefix(b"+").and_then(range).ok_or_else(bad)?),
        None => None,
    };
    if parts.next().is_some() {
        return Err(bad());
    }
    let tolerated = new
        .is_none()
        .then_some("the hunk header states old lines only");
    // Without a second range the count is as much a guess as the rest: it only hints.
    let old = Range {
        count: old.count.filter(|_| new.is_some()),
        ..old
    };
    Ok(HunkHeader {
        old: Some(old),
        new,
        heading: None,
        tolerated,
    })
}

fn range(text: &[u8]) -> Option<Range> {
    match memchr::memchr(b',', text) {
        None => Some(Range {
            start: number(text)?,
            count: Some(1),
        }),
        Some(at) => {
            let (start, count) = text.split_at(at);
            Some(Range {
                start: number(start)?,
                count: Some(number(count.get(1..)?)?),
            })
        }
    }
}

/// Returns what stands between white space.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Reads decimal digits; `None` for anything else, or what does not fit.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |value, digit| match digit {
        b'0'..=b'9' => value.checked_mul(10)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}
