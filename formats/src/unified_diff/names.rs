//! File names as diffs write them: quoting, time stamps behind them, and the `a/` `b/` before them.

use bstr::{BStr, BString, ByteSlice as _};
use surefoot_engine::outcome::Quoted;
use surefoot_engine::path::PathSpec;

/// The letters that git puts before names, each with a `/`.
const PREFIXES: &[u8] = b"abiwco";

/// One side of a header: a name and what stands behind it, or no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// `/dev/null`
    Null,
    /// A file.
    Named {
        /// The name, its quoting removed and its prefix not.
        name: BString,
        /// A stamp that says the file did not exist (the epoch, svn's `(nonexistent)`).
        absent: bool,
    },
}

/// Reads what follows `--- ` or `+++ `.
pub(super) fn side(text: &[u8]) -> Result<Side, String> {
    let (name, stamp) = if text.first() == Some(&b'"') {
        let (name, rest) = unquote(text)?;
        (name, rest.to_vec())
    } else {
        let (name, stamp) = split_stamp(text);
        (BString::from(name), stamp.to_vec())
    };
    if name.is_empty() {
        return Err("a header without a file name".to_owned());
    }
    if name == "/dev/null" {
        return Ok(Side::Null);
    }
    Ok(Side::Named {
        name,
        absent: says_absent(stamp.trim_ascii()),
    })
}

/// Splits a name from the time stamp behind it: at the first tab, or before a date.
fn split_stamp(text: &[u8]) -> (&[u8], &[u8]) {
    if let Some(at) = memchr::memchr(b'\t', text) {
        return text.split_at(at);
    }
    let date = memchr::memchr_iter(b' ', text).find(|at| {
        text.get(at + 1..at + 12).is_some_and(|date| {
            date.iter().enumerate().all(|(n, b)| match n {
                4 | 7 => *b == b'-',
                10 => *b == b' ',
                _ => b.is_ascii_digit(),
            })
        })
    });
    text.split_at(date.unwrap_or(text.len()))
}

fn says_absent(stamp: &[u8]) -> bool {
    stamp.starts_with(b"1970-01-01 ")
        || stamp.starts_with(b"1969-12-31 ")
        || matches!(stamp, b"(nonexistent)" | b"(revision 0)")
}

/// Reads a C-quoted name at the beginning of `text`; returns it and what follows.
pub(super) fn unquote(text: &[u8]) -> Result<(BString, &[u8]), String> {
    let bad = || format!("`{}` is no quoted name", Quoted(BStr::new(text)));
    let mut name = Vec::new();
    let mut rest = text.strip_prefix(b"\"").ok_or_else(bad)?;
    loop {
        let (first, tail) = rest.split_first().ok_or_else(bad)?;
        rest = tail;
        match first {
            b'"' => return Ok((name.into(), rest)),
            b'\\' => {
                let (byte, tail) = escape(rest).ok_or_else(bad)?;
                name.push(byte);
                rest = tail;
            }
            byte => name.push(*byte),
        }
    }
}

fn escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let (first, rest) = text.split_first()?;
    let byte = match first {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'"' | b'\\' => *first,
        b'0'..=b'3' => {
            let (digits, rest) = text.split_at_checked(3)?;
            let value = digits.iter().try_fold(0_u8, |value, digit| match digit {
                b'0'..=b'7' => value.checked_mul(8)?.checked_add(digit - b'0'),
                _ => None,
            })?;
            return Some((value, rest));
        }
        _ => return None,
    };
    Some((byte, rest))
}

/// Writes a name as git does: in quotes where it holds a quote, a backslash, a control byte or a
/// byte outside of ASCII, or where `always` asks for them.
pub(super) fn quote(name: &[u8], always: bool) -> BString {
    let plain = |b: &u8| (b' '..0x7f).contains(b) && !matches!(b, b'"' | b'\\');
    if !always && name.iter().all(plain) {
        return name.into();
    }
    let mut out = BString::from("\"");
    for byte in name {
        match byte {
            7 => out.extend(b"\\a"),
            8 => out.extend(b"\\b"),
            b'\t' => out.extend(b"\\t"),
            b'\n' => out.extend(b"\\n"),
            11 => out.extend(b"\\v"),
            12 => out.extend(b"\\f"),
            b'\r' => out.extend(b"\\r"),
            b'"' | b'\\' => out.extend([b'\\', *byte]),
            byte if plain(byte) => out.push(*byte),
            byte => out.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    out.push(b'"');
    out
}

/// Reads a name that stands alone in a header line, as in `rename from`.
pub(super) fn whole(text: &[u8]) -> Result<BString, String> {
    if text.first() != Some(&b'"') {
        return Ok(text.into());
    }
    match unquote(text)? {
        (name, b"") => Ok(name),
        _ => Err(format!(
            "text behind the quoted name `{}`",
            Quoted(BStr::new(text))
        )),
    }
}

/// Splits what follows `diff --git ` into its two names, where that can be done in one way only.
pub(super) fn git_line(text: &[u8]) -> Result<Option<(BString, BString)>, String> {
    if text.first() == Some(&b'"') {
        let (old, rest) = unquote(text)?;
        let rest = rest
            .strip_prefix(b" ")
            .ok_or("one name after `diff --git`")?;
        return Ok(Some((old, whole(rest)?)));
    }
    if let Some(at) = text.find(b" \"")
        && text.ends_with(b"\"")
    {
        let (old, new) = text.split_at(at);
        return Ok(Some((old.into(), whole(new.get(1..).unwrap_or_default())?)));
    }
    let (old, rest) = text.split_at(text.len() / 2);
    if let Some(new) = rest.strip_prefix(b" ")
        && (old == new || strip_both(old, new).is_some_and(|(old, new)| old == new))
    {
        return Ok(Some((old.into(), new.into())));
    }
    let mut blanks = memchr::memchr_iter(b' ', text);
    match (blanks.next(), blanks.next()) {
        (Some(at), None) => {
            let (old, new) = text.split_at(at);
            Ok(Some((old.into(), new.get(1..).unwrap_or_default().into())))
        }
        _ => Ok(None),
    }
}

/// Returns `name` without the letter and slash that git puts before it, if it has them.
pub(super) fn unprefixed(name: &[u8]) -> Option<&[u8]> {
    match name {
        [letter, b'/', rest @ ..] if PREFIXES.contains(letter) && !rest.is_empty() => Some(rest),
        _ => None,
    }
}

fn strip_both<'a>(old: &'a [u8], new: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    Some((unprefixed(old)?, unprefixed(new)?))
}

/// Returns `name` without its first `count` components; `None` where it has no more than that.
pub(super) fn without_components(name: &[u8], count: usize) -> Option<&[u8]> {
    let mut rest = name;
    for _ in 0..count {
        let at = memchr::memchr(b'/', rest)?;
        // git and patch take a run of slashes for one.
        rest = rest.get(at..)?;
        rest = rest.trim_start_with(|c| c == '/').as_bytes();
    }
    (!rest.is_empty()).then_some(rest)
}

/// Returns the names of both sides without their prefixes.
pub(super) fn strip(
    old: &[u8],
    new: &[u8],
    count: Option<usize>,
) -> Result<(BString, BString), String> {
    let Some(count) = count else {
        let (old, new) = strip_both(old, new).unwrap_or((old, new));
        return Ok((old.into(), new.into()));
    };
    let one = |name: &[u8]| stripped(name, count);
    Ok((one(old)?, one(new)?))
}

/// Returns `name` without `count` components.
pub(super) fn stripped(name: &[u8], count: usize) -> Result<BString, String> {
    without_components(name, count)
        .map(BString::from)
        .ok_or_else(|| {
            format!(
                "`{}` has no {count} components to remove",
                Quoted(BStr::new(name))
            )
        })
}

/// Returns the one path that both sides name.
///
/// Where only one side carries a prefix, or both the same, it may be a folder: the other spelling
/// is kept beside.
pub(super) fn agreed(old: &[u8], new: &[u8], count: Option<usize>) -> Result<PathSpec, String> {
    let (left, right) = strip(old, new, count)?;
    if left == right {
        let doubtful = count.is_none() && old == new && unprefixed(old).is_some();
        let or = doubtful.then(|| old.into());
        // git never writes one letter on both sides, and `diff --no-prefix` writes none of its own.
        return Ok(PathSpec {
            or,
            even: doubtful,
            ..PathSpec::from_root(left)
        });
    }
    if count.is_none() {
        for (carrier, plain) in [(old, new), (new, old)] {
            if unprefixed(carrier) == Some(plain) {
                return Ok(PathSpec {
                    or: Some(carrier.into()),
                    ..PathSpec::from_root(plain)
                });
            }
        }
    }
    Err(format!(
        "name conflict: the old side is `{}`, the new side `{}`, and no rename is declared",
        Quoted(left.as_bstr()),
        Quoted(right.as_bstr())
    ))
}

/// Returns the path that the only named side names.
pub(super) fn single(name: &[u8], count: Option<usize>) -> Result<PathSpec, String> {
    match (count, unprefixed(name)) {
        (Some(count), _) => Ok(PathSpec::from_root(stripped(name, count)?)),
        (None, Some(rest)) => Ok(PathSpec {
            or: Some(name.into()),
            ..PathSpec::from_root(rest)
        }),
        (None, None) => Ok(PathSpec::from_root(name)),
    }
}
