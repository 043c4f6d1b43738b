//! Here-documents: a patch as the input of a command line.

use bstr::{BString, ByteSlice as _};

use super::{End, Payload};
use crate::error::{ParseError, ParseErrorKind};
use crate::input::{InputLine, each_line, input_lines};

/// Commands that take an edit on standard input.
const COMMANDS: [&str; 7] = [
    "apply_patch",
    "applypatch",
    "apply-patch",
    "git apply",
    "patch",
    "surefoot apply",
    "git surefoot apply",
];

/// The line that begins a here-document.
struct Heredoc<'a> {
    /// What stands before `<<`.
    command: &'a [u8],
    word: &'a [u8],
    /// The shell leaves the text alone.
    verbatim: bool,
    /// Leading tabs are removed (`<<-`).
    strips_tabs: bool,
    /// The line is part of a double-quoted script, which the shell changes once more.
    in_quotes: bool,
}

impl<'a> Heredoc<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let (before, rest) = line.split_once_str(b"<<")?;
        if rest.starts_with(b"<") {
            return None;
        }
        let strips_tabs = rest.starts_with(b"-");
        let rest = rest.strip_prefix(b"-").unwrap_or(rest).trim_ascii_start();
        let quote = rest
            .first()
            .filter(|b| matches!(b, b'\'' | b'"' | b'\\'))
            .copied();
        let rest = if quote.is_some() {
            rest.get(1..)?
        } else {
            rest
        };
        let len = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
        let (word, rest) = rest
            .split_at_checked(len)
            .filter(|(word, _)| !word.is_empty())?;
        let rest = match quote {
            Some(b'\\') | None => rest,
            Some(quote) => rest.strip_prefix(&[quote])?,
        };
        let (command, in_quotes) = script(before.trim_ascii());
        let piped = rest.trim_ascii().strip_prefix(b"|").map(<[u8]>::trim_ascii);
        let tail_is_fine = rest.trim_ascii().is_empty() || piped.is_some_and(is_command);
        let known = command.is_empty()
            || is_command(last_command(command))
            || piped.is_some_and(is_command);
        let found = Self {
            command,
            word,
            verbatim: quote.is_some(),
            strips_tabs,
            in_quotes,
        };
        (known && tail_is_fine).then_some(found)
    }
}

/// Takes `bash -lc "` off a command, and tells whether its script is in double quotes.
fn script(command: &[u8]) -> (&[u8], bool) {
    let shells = ["bash", "sh", "zsh", "$ bash", "$ sh"];
    for shell in shells {
        let Some(rest) = command.strip_prefix(shell.as_bytes()) else {
            continue;
        };
        let Some(flag) = rest.trim_ascii_start().strip_prefix(b"-") else {
            continue;
        };
        let Some((_, rest)) = flag.split_once_str(b"c ") else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        if let Some(script) = rest.strip_prefix(b"\"") {
            return (script, true);
        }
        if let Some(script) = rest.strip_prefix(b"'") {
            return (script, true);
        }
    }
    (command.strip_prefix(b"$ ").unwrap_or(command), false)
}

fn last_command(command: &[u8]) -> &[u8] {
    let last = command
        .rsplit_once_str(b"&&")
        .map_or(command, |(_, last)| last);
    last.rsplit_once_str(b";")
        .map_or(last, |(_, last)| last)
        .trim_ascii()
}

fn is_command(text: &[u8]) -> bool {
    COMMANDS.iter().any(|command| {
        let rest = text.strip_prefix(command.as_bytes());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b" "))
    })
}

/// Takes a here-document off `payload`, where one begins before anything that is an edit.
///
/// # Errors
///
/// Where the command does more than what can be followed here.
pub(super) fn open(payload: &mut Payload) -> Result<(), ParseError> {
    let text = std::mem::take(&mut payload.text);
    let result = find(&text).and_then(|begun| match begun {
        Some((at, line, heredoc)) => take(payload, &input_lines(&text), at, &line, &heredoc),
        None => Ok(None),
    });
    payload.text = match result? {
        Some(inner) => inner,
        None => text,
    };
    Ok(())
}

type Begun<'a> = (usize, InputLine<'a>, Heredoc<'a>);

/// Returns the first line that begins a here-document, if no edit begins before it.
fn find(text: &[u8]) -> Result<Option<Begun<'_>>, ParseError> {
    let mut moved = None;
    for (at, line) in each_line(text).enumerate() {
        if begins_edit(line.text()) {
            break;
        }
        match (Heredoc::of(line.text()), moved) {
            (Some(_), Some(moved)) => return Err(strange(&moved)),
            (Some(heredoc), None) => return Ok(Some((at, line, heredoc))),
            (None, _) if feeds_command(line.text()) => return Err(strange(&line)),
            (None, _) => {}
        }
        if line.trimmed().starts_with(b"cd ") || line.trimmed().starts_with(b"pushd ") {
            moved = moved.or(Some(line));
        }
    }
    Ok(None)
}

/// Tells whether a line passes a here-document to a command that applies edits.
fn feeds_command(line: &[u8]) -> bool {
    line.split_once_str(b"<<").is_some_and(|(before, _)| {
        let (command, _) = script(before.trim_ascii());
        is_command(last_command(command))
    })
}

fn strange(line: &InputLine<'_>) -> ParseError {
    let message = "the command line does more than change the folder and apply the edit";
    ParseError {
        kind: ParseErrorKind::Unsupported,
        ..line.malformed(message)
    }
}

/// Tells whether a line belongs to an edit, so that nothing below it wraps the edit.
fn begins_edit(line: &[u8]) -> bool {
    let marks: [&[u8]; 7] = [b"***", b"<<<<", b"--- ", b"diff ", b"@@", b"{", b"Index: "];
    let text = line.trim_ascii_start();
    marks.iter().any(|mark| text.starts_with(mark))
}

fn take(
    payload: &mut Payload,
    lines: &[InputLine<'_>],
    at: usize,
    line: &InputLine<'_>,
    heredoc: &Heredoc<'_>,
) -> Result<Option<BString>, ParseError> {
    let rest = lines.get(at + 1..).unwrap_or_default();
    let ends = |line: &InputLine<'_>| {
        let text = line.text();
        let text = if heredoc.strips_tabs {
            text.trim_start_with(|c| c == '\t')
        } else {
            text
        };
        let text = if heredoc.in_quotes {
            text.trim_end_with(|c| c == '"' || c == '\'')
        } else {
            text
        };
        text == heredoc.word
    };
    let end = rest.iter().position(ends);
    payload.end = if end.is_some() {
        End::Closed
    } else {
        End::Missing
    };
    if let Some(after) = end.and_then(|end| rest.get(end + 1..)) {
        check_after(after, heredoc)?;
    }
    let body = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    if let Some(dir) = changed_dir(line, heredoc)? {
        payload.dir = Some(dir);
    }
    payload.note(line.number, "the edit was taken out of a here-document");
    let mut pieces = Vec::new();
    let mut inner = BString::default();
    for line in body {
        let tabs = if heredoc.strips_tabs {
            line.raw.iter().take_while(|b| **b == b'\t').count()
        } else {
            0
        };
        pieces.push((inner.len(), line.start + tabs));
        inner.extend_from_slice(line.raw.get(tabs..).unwrap_or_default());
    }
    payload.map.push_pieces(pieces);
    if !heredoc.verbatim || heredoc.in_quotes {
        let other = expanded(&inner);
        payload.rival = (other != inner).then_some((other, "the shell takes a backslash away"));
    }
    Ok(Some(inner))
}

/// Refuses a second here-document that carries an edit: it would be left out.
fn check_after(after: &[InputLine<'_>], heredoc: &Heredoc<'_>) -> Result<(), ParseError> {
    let second = after.iter().find(|line| {
        begins_edit(line.text())
            || (Heredoc::of(line.text()).is_some() && !heredoc.command.is_empty())
    });
    match second {
        Some(line) => Err(line.malformed("a second edit follows the here-document")),
        None => Ok(()),
    }
}

/// Returns the folder that the command changes to.
fn changed_dir(line: &InputLine<'_>, heredoc: &Heredoc<'_>) -> Result<Option<BString>, ParseError> {
    let strange = || strange(line);
    let mut parts: Vec<&[u8]> = heredoc
        .command
        .split_str("&&")
        .map(<[u8]>::trim_ascii)
        .collect();
    parts.pop();
    match parts.as_slice() {
        [] => Ok(None),
        [one] => {
            let dir = one
                .strip_prefix(b"cd ")
                .map(<[u8]>::trim_ascii)
                .ok_or_else(strange)?;
            let quotes = |c| matches!(c, '"' | '\'' | '\\');
            let dir = dir.trim_with(quotes);
            let plain = !dir.is_empty()
                && !dir
                    .iter()
                    .any(|b| matches!(b, b'$' | b'`' | b'~' | b'*' | b'"' | b'\'' | b'\\' | b' '));
            if plain {
                Ok(Some(dir.into()))
            } else {
                Err(strange())
            }
        }
        _ => Err(strange()),
    }
}

/// Returns `text` as the shell would pass it on: `\$`, `` \` ``, `\"` and `\\` lose their backslash.
fn expanded(text: &[u8]) -> BString {
    let mut out = BString::default();
    let mut rest = text;
    while let Some((byte, tail)) = rest.split_first() {
        rest = match (byte, tail) {
            (b'\\', [escaped @ (b'$' | b'`' | b'"' | b'\\'), tail @ ..]) => {
                out.push(*escaped);
                tail
            }
            _ => {
                out.push(*byte);
                tail
            }
        };
    }
    out
}
