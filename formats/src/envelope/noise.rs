//! What tools print around a file's text and models copy into an edit: line numbers in front of
//! every line, and a second round of escapes.
//!
//! A file's text may truly begin so. Whoever strips it therefore offers the text as it stands too.

use bstr::BString;
use surefoot_engine::lines;

/// What stands between a line's number and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// `12 | text`
    Bar,
    /// `12<TAB>text`, as `cat -n` prints
    Tab,
    /// `12→text`
    Arrow,
    /// `12:text`, as `grep -n` prints
    Colon,
    /// `12#AB:text`
    Tag,
}

/// Returns `text` without the line numbers in front of its lines, and the first number.
///
/// `None` unless every line that is not blank carries one, in the same form, and they count up;
/// blank lines without a number may or may not have been counted.
pub(crate) fn without_numbers(text: &[u8]) -> Option<(u64, BString)> {
    let mut out = BString::default();
    let mut first = None;
    let mut last: Option<(u64, Mark, u64)> = None;
    for line in lines::split(text) {
        let Some((number, mark, rest)) = numbered(line) else {
            let (_, _, blanks) = last.as_mut().filter(|_| line.trim_ascii().is_empty())?;
            *blanks += 1;
            out.extend_from_slice(line);
            continue;
        };
        if let Some((before, same, blanks)) = last {
            let next = before.checked_add(1)?;
            let counted = number == next || number == next.checked_add(blanks)?;
            if mark != same || !counted {
                return None;
            }
        }
        first.get_or_insert(number);
        last = Some((number, mark, 0));
        out.extend_from_slice(rest);
    }
    Some((first?, out))
}

/// Splits a numbered line into its number, the form of it, and the text behind, with its ending.
fn numbered(line: &[u8]) -> Option<(u64, Mark, &[u8])> {
    let rest = line.trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = rest
        .split_at_checked(digits)
        .filter(|(d, _)| (1..=9).contains(&d.len()))?;
    let number = digits.iter().fold(0, |n, d| n * 10 + u64::from(d - b'0'));
    let (mark, rest) = if let Some(rest) = rest.strip_prefix(b"\t") {
        (Mark::Tab, rest)
    } else if let Some(rest) = rest.strip_prefix("\u{2192}".as_bytes()) {
        (Mark::Arrow, rest)
    } else if let Some(rest) = rest.strip_prefix(b":") {
        (Mark::Colon, rest)
    } else if let Some(tag) = rest.strip_prefix(b"#") {
        let len = tag.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let (_, rest) = tag
            .split_at_checked(len)
            .filter(|(t, _)| (1..=4).contains(&t.len()))?;
        (Mark::Tag, rest.strip_prefix(b":")?)
    } else {
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"|")?;
        (Mark::Bar, rest.strip_prefix(b" ").unwrap_or(rest))
    };
    Some((number, mark, rest))
}

/// Returns the two sides of an edit without their line numbers, and the first number, where both
/// carry them from the same number on (or the new side is blank).
pub(crate) fn pair_without_numbers(old: &[u8], new: &[u8]) -> Option<(u64, BString, BString)> {
    let (first, old) = without_numbers(old)?;
    if new.trim_ascii().is_empty() {
        return Some((first, old, new.into()));
    }
    let (same, new) = without_numbers(new)?;
    (first == same).then_some((first, old, new))
}

/// Returns `text` with the escapes of a JSON string resolved once; `None` where it has none, or
/// one that no string has.
pub(crate) fn unescaped(text: &[u8]) -> Option<BString> {
    let mut out = BString::default();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at_checked(at)?;
        out.extend_from_slice(plain);
        let [_, code, tail @ ..] = escape else {
            return None;
        };
        out.push(match code {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'"' | b'\'' | b'\\' | b'/' => *code,
            _ => return None,
        });
        rest = tail;
    }
    if rest.len() == text.len() {
        return None;
    }
    out.extend_from_slice(rest);
    Some(out)
}

#[cfg(test)]
mod tests;
