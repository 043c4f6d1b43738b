//! The lines that delimit a block, and the header lines some agents put in it.

use crate::input::InputLine;

/// The line that opens a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opener {
    pub(super) indent: usize,
    mark: u8,
    len: usize,
    pair: usize,
    /// A line number on the same line.
    pub(super) line: Option<u64>,
}

/// The words of opener and closer. None at all is `mpatch`'s form, of four marks.
const PAIRS: [(&[u8], &[u8]); 5] = [
    (b"SEARCH", b"REPLACE"),
    (b"ORIGINAL", b"UPDATED"),
    (b"HEAD", b"updated"),
    (b"ours", b"theirs"),
    (b"", b""),
];

/// Splits a marker line into its blanks, its mark, how many of them, and what follows.
fn marks(line: &[u8]) -> Option<(usize, u8, usize, &[u8])> {
    let text = line.trim_ascii_start();
    let indent = line.len() - text.len();
    let mark = *text.first()?;
    let len = text.iter().take_while(|b| **b == mark).count();
    Some((indent, mark, len, text.get(len..)?.trim_ascii()))
}

impl Opener {
    /// Returns the opener that `line` is.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let (indent, mark, len, rest) = marks(line)?;
        match mark {
            b'<' if (3..=9).contains(&len) => {}
            b'-' if len >= 3 => {}
            _ => return None,
        }
        let pair = PAIRS
            .iter()
            .position(|(word, _)| begins_with_word(rest, word))?;
        let (word, _) = PAIRS.get(pair)?;
        let rest = rest.get(word.len()..)?;
        let rest = if *word == b"SEARCH" {
            rest.strip_prefix(b">").unwrap_or(rest)
        } else {
            rest
        };
        let line = match rest.trim_ascii() {
            b"" => None,
            rest => Some(stated_line(rest)?),
        };
        // Bare marks and dashes open a block in one form each: elsewhere they are content.
        let fits = match (*word, mark) {
            (b"", _) => mark == b'<' && len == 4 && indent == 0,
            (b"SEARCH", _) => true,
            _ => mark == b'<' && len >= 5,
        };
        fits.then_some(Self {
            indent,
            mark,
            len,
            pair,
            line,
        })
    }

    /// Tells whether `line` opens a block of the same kind.
    pub(super) fn is_like(&self, line: &[u8]) -> bool {
        Self::of(line).is_some_and(|other| {
            (other.indent, other.mark, other.len, other.pair)
                == (self.indent, self.mark, self.len, self.pair)
        })
    }

    /// Tells whether `line` opens or closes a block with the same words, however long its marks.
    pub(super) fn has_kin(&self, line: &[u8]) -> bool {
        Self::of(line).is_some_and(|other| other.pair == self.pair) || self.closer(line).is_some()
    }

    /// Tells whether this alone shows that a text is made of blocks. The words that git puts into
    /// files with conflicts need their closer too.
    pub(super) fn is_telling(&self) -> bool {
        self.pair < 2
    }

    /// Tells how surely `line` divides the block: `Some(true)` where it is as long as the opener
    /// and stands below it.
    pub(super) fn divider(&self, line: &[u8]) -> Option<bool> {
        let (indent, mark, len, rest) = marks(line)?;
        if mark != b'=' || !rest.is_empty() {
            return None;
        }
        let allowed = match (self.mark, self.len) {
            (b'-', _) => len >= 3,
            (_, ..5) => (3..=9).contains(&len),
            _ => (5..=9).contains(&len),
        };
        allowed.then_some(len == self.len && indent == self.indent)
    }

    /// Tells how surely `line` closes the block, as [`Opener::divider`] does.
    pub(super) fn closer(&self, line: &[u8]) -> Option<bool> {
        let (indent, mark, len, rest) = marks(line)?;
        let allowed = match mark {
            b'>' => (3..=9).contains(&len),
            b'+' => len >= 3 && self.pair == 0,
            _ => false,
        };
        let (_, word) = PAIRS.get(self.pair)?;
        let closes = allowed && begins_with_word(rest, word) && {
            let behind = rest.get(word.len()..)?.trim_ascii();
            behind.is_empty() || behind.starts_with(b"</") || behind == b"```"
        };
        let bare = word.is_empty() && len != 4;
        (closes && !bare).then_some(len == self.len && indent == self.indent)
    }
}

/// Tells whether `rest` is `word`, or begins with it and goes on with something else.
fn begins_with_word(rest: &[u8], word: &[u8]) -> bool {
    if word.is_empty() {
        return rest.is_empty();
    }
    let (head, tail) = rest.split_at_checked(word.len()).unwrap_or_default();
    let same = match word {
        b"SEARCH" | b"REPLACE" | b"UPDATED" | b"updated" => head.eq_ignore_ascii_case(word),
        _ => head == word,
    };
    same && !tail.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Tells whether `line`, outside of a block, looks like a part of one.
pub(super) fn is_stray(line: &[u8]) -> bool {
    let Some((_, mark, len, rest)) = marks(line) else {
        return false;
    };
    match mark {
        b'<' => (5..=9).contains(&len) && begins_with_word(rest, b"SEARCH"),
        b'>' => (5..=9).contains(&len) && begins_with_word(rest, b"REPLACE") && rest.len() == 7,
        _ => false,
    }
}

/// Returns the content that a marker with a backslash before it stands for.
pub(super) fn unescaped(line: &[u8]) -> Option<&[u8]> {
    let text = line.strip_prefix(b"\\")?;
    let marker: [&[u8]; 6] = [
        b"<<<<<<<",
        b"=======",
        b">>>>>>>",
        b"-------",
        b":start_line:",
        b":end_line:",
    ];
    marker
        .iter()
        .any(|marker| text.starts_with(marker))
        .then_some(text)
}

/// The header of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// How many lines it takes.
    pub(super) len: usize,
    /// The first line that is meant.
    pub(super) start: Option<u64>,
    /// Only a line of dashes was found, which may be content as well.
    pub(super) doubtful: bool,
    /// Lines were stated.
    pub(super) stated: bool,
}

/// Reads the header at the top of a block's body.
pub(super) fn header(body: &[InputLine<'_>]) -> Header {
    let mut header = Header::default();
    let mut sloppy = false;
    for line in body {
        let text = line.trimmed();
        let exact = text
            .strip_prefix(b":start_line:")
            .or_else(|| text.strip_prefix(b":end_line:"));
        let number = match exact {
            Some(digits) => crate::json::line_number(digits.trim_ascii()),
            None => {
                sloppy |= stated_line(text).is_some();
                stated_line(text)
            }
        };
        let Some(number) = number else { break };
        let ends = text
            .strip_prefix(b":")
            .unwrap_or(text)
            .starts_with(b"end_line");
        if !ends {
            header.start = header.start.or(Some(number));
        }
        header.len += 1;
        header.stated = true;
    }
    let dashes = body
        .get(header.len)
        .is_some_and(|line| line.trimmed() == b"-------");
    if sloppy && !dashes {
        // Without the dashes such lines are rather the file's own.
        return Header::default();
    }
    if dashes {
        header.len += 1;
        header.doubtful = !header.stated;
    }
    header
}

/// Reads the forms in which models state a line: `:start_line=18`, `start_line: 18`, `line="42"`.
fn stated_line(text: &[u8]) -> Option<u64> {
    let text = text.strip_prefix(b":").unwrap_or(text);
    let names: [&[u8]; 3] = [b"start_line", b"end_line", b"line"];
    let rest = names
        .iter()
        .find_map(|name| text.strip_prefix(*name))?
        .trim_ascii();
    let rest = rest
        .strip_prefix(b":")
        .or(rest.strip_prefix(b"="))
        .or(rest.strip_prefix(b">"))?;
    let rest = rest.trim_ascii();
    let digits = rest
        .strip_prefix(b"\"")
        .and_then(|d| d.strip_suffix(b"\""))
        .unwrap_or(rest);
    crate::json::line_number(digits)
}
