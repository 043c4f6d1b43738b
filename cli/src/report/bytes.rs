//! Untrusted bytes as text, so that unlike bytes never look alike.

use std::fmt::{Arguments, Write as _};

use bstr::ByteSlice as _;

/// Returns `path` as it is where that is UTF-8, else in double quotes as git quotes paths.
///
/// A path that begins with a double quote is quoted too, so that no two paths print alike.
pub(crate) fn path(path: &[u8]) -> String {
    match std::str::from_utf8(path) {
        Ok(text) if !text.starts_with('"') => text.to_owned(),
        _ => quoted(path),
    }
}

/// Returns `path` in double quotes, with C's escapes and octal digits, as git does it.
pub(crate) fn quoted(path: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in path {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => put(&mut out, format_args!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// Returns `text`, bytes that are no UTF-8 as `\xNN`.
pub(crate) fn text(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            put(&mut out, format_args!("\\x{byte:02X}"));
        }
    }
    out
}

/// Returns bytes for a terminal, whole, tabs as they are: nothing that moves the cursor otherwise,
/// hides, or reorders what stands beside it.
pub(crate) fn safe_text(bytes: &[u8]) -> String {
    let keep = |character| {
        if character == '\t' {
            "\t".to_owned()
        } else {
            show(character)
        }
    };
    text(bytes).chars().map(keep).collect()
}

/// Returns `text` for a terminal, cut to `most` characters: nothing that moves the cursor, hides,
/// or reorders what stands beside it. A cut ends in `…`.
pub(crate) fn safe(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for character in text.chars() {
        let piece = show(character);
        let len = piece.chars().count();
        if used + len > most {
            return cut(out, most);
        }
        used += len;
        out.push_str(&piece);
    }
    out
}

/// Returns `text`, of which more follows, with `…` at its end, in `most` characters.
fn cut(text: String, most: usize) -> String {
    let kept = most.saturating_sub(1);
    match text.char_indices().nth(kept) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None if most == 0 => String::new(),
        None => text + "…",
    }
}

fn show(character: char) -> String {
    let hides = character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    if character == '\t' {
        "\\t".to_owned()
    } else if hides {
        character.escape_unicode().to_string()
    } else {
        character.to_string()
    }
}

/// Returns two lines, of an edit and of a file, with the white space that tells them apart made
/// visible: `→` for a tab, `␍` for a CR, and `·` for a blank at an edge or where they differ. Each
/// is cut to `most` characters, what is equal in front first.
pub(crate) fn visible(wanted: &str, found: &str, most: usize) -> (String, String) {
    let (wanted, found) = (Split::of(wanted), Split::of(found));
    let pairs = wanted.core().iter().zip(found.core());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let rest = wanted.core().len().min(found.core().len()) - same;
    let pairs = wanted
        .core()
        .iter()
        .rev()
        .zip(found.core().iter().rev())
        .take(rest);
    let tail = pairs.take_while(|(a, b)| a == b).count();
    (wanted.show(same, tail, most), found.show(same, tail, most))
}

/// A line, and where its text begins and ends between the white space at its edges.
struct Split {
    line: Vec<char>,
    start: usize,
    end: usize,
}

impl Split {
    fn of(line: &str) -> Self {
        let line: Vec<char> = line.chars().collect();
        let blanks = line.iter().take_while(|c| c.is_whitespace()).count();
        let end = line.len() - line.iter().rev().take_while(|c| c.is_whitespace()).count();
        Self {
            start: blanks.min(end),
            end,
            line,
        }
    }

    fn core(&self) -> &[char] {
        self.line.get(self.start..self.end).unwrap_or_default()
    }

    /// Shows the line, whose text differs from its fellow's behind `same` characters and up to the
    /// last `tail`.
    fn show(&self, same: usize, tail: usize, most: usize) -> String {
        let differs = self.start + same..self.end - tail;
        let mark = |(at, character): (usize, &char)| match character {
            '\t' => "→".to_owned(),
            '\r' => "␍".to_owned(),
            ' ' if at < self.start || at >= self.end || differs.contains(&at) => "·".to_owned(),
            other => show(*other),
        };
        let skip = if self.line.len() > most {
            differs.start.saturating_sub(most / 4)
        } else {
            0
        };
        let shown: String = self.line.iter().enumerate().skip(skip).map(mark).collect();
        let lead = if skip > 0 { "…" } else { "" };
        safe(&format!("{lead}{shown}"), most)
    }
}

/// Appends formatted words to `out`, which cannot fail: a string grows.
pub(crate) fn put(out: &mut String, words: Arguments<'_>) {
    out.write_fmt(words).unwrap_or_default();
}

/// Returns the number of characters of `text`.
pub(crate) fn len(text: &str) -> usize {
    text.as_bytes().chars().count()
}

#[cfg(test)]
mod tests;
