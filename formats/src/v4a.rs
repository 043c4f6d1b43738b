//! The V4A patch format: `*** Begin Patch` to `*** End Patch`, as Codex and its kin write it.
//!
//! A marker stands at the start of its line; a line that reads like one behind a blank is context.
//! Without its end marker a patch is cut off and refused. Every line of a hunk or a new file
//! carries its sign: dropping or guessing one would change the text.

mod header;
mod ops;
mod write;

use bstr::{BStr, BString};
use surefoot_engine::patch::{Parsed, Patch, Reading, Recovery, Step};

use self::ops::{Blanks, Ops};
use crate::error::{ParseError, PrintError};
use crate::input::{InputLine, each_line, input_lines, malformed};
use crate::{Ends, Format, ParseOptions};

/// The format `v4a`.
#[derive(Clone, Copy, Debug)]
pub struct V4a;

impl Format for V4a {
    fn name(&self) -> &'static str {
        "v4a"
    }

    fn summary(&self) -> &'static str {
        "`*** Begin Patch` with add, update, move and delete, scopes and end-of-file marks"
    }

    fn claims(&self, input: &BStr) -> bool {
        each_line(input).any(|line| {
            is_marker(line.trimmed(), "Begin Patch")
                || Marker::of(line.text()).is_some_and(|m| m.is_op())
        })
    }

    fn ends(&self) -> Ends {
        Ends::Itself
    }

    fn parse(&self, input: &BStr, _: &ParseOptions) -> Result<Parsed, ParseError> {
        let lines = input_lines(input);
        let (bodies, recoveries) = bodies(&lines)?;
        let mut readings = Vec::new();
        for blanks in [Blanks::Context, Blanks::Separator] {
            let mut ops = Ops::new(blanks);
            bodies.iter().try_for_each(|body| ops.read(body))?;
            let unsure = ops.met_blanks();
            if ops.edits.is_empty() {
                return Err(malformed("the patch holds no operation"));
            }
            let assumption = if unsure {
                blanks.assumption().into()
            } else {
                String::new()
            };
            readings.push(Reading {
                patch: Patch { edits: ops.edits },
                assumption,
                fallback: false,
            });
            if !unsure {
                break;
            }
        }
        Ok(Parsed {
            format: self.name(),
            steps: vec![Step {
                label: None,
                readings,
            }],
            recoveries,
        })
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        write::print(patch)
    }
}

/// A line that begins with `***`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker<'a> {
    Begin,
    End,
    Add(&'a [u8]),
    Delete(&'a [u8]),
    Update(&'a [u8]),
    MoveTo(&'a [u8]),
    EndOfFile,
    /// Known from other tools, and not read.
    Other,
}

/// Makes the marker that names a path.
type Named<'a> = fn(&'a [u8]) -> Marker<'a>;

/// Tells whether `text` is `***` and `words`, in any case and with any blanks between.
fn is_marker(text: &[u8], words: &str) -> bool {
    text.strip_prefix(b"***")
        .is_some_and(|rest| rest.trim_ascii().eq_ignore_ascii_case(words.as_bytes()))
}

impl<'a> Marker<'a> {
    /// Returns the marker that begins at the very start of `line`.
    fn of(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"***")?;
        for (words, marker) in [
            ("Begin Patch", Self::Begin),
            ("End Patch", Self::End),
            ("End of File", Self::EndOfFile),
        ] {
            if is_marker(line, words) {
                return Some(marker);
            }
        }
        let named: [(&str, Named<'a>); 5] = [
            ("Add File:", Self::Add),
            ("Create File:", Self::Add),
            ("Delete File:", Self::Delete),
            ("Update File:", Self::Update),
            ("Move to:", Self::MoveTo),
        ];
        let rest = rest.trim_ascii();
        let found = named.iter().find_map(|(words, marker)| {
            let (head, path) = rest.split_at_checked(words.len())?;
            head.eq_ignore_ascii_case(words.as_bytes())
                .then(|| marker(path.trim_ascii()))
        });
        Some(found.unwrap_or(Self::Other))
    }

    /// Tells whether this begins the part for a file.
    fn is_op(self) -> bool {
        matches!(self, Self::Add(_) | Self::Delete(_) | Self::Update(_))
    }
}

type Bodies<'a> = (Vec<Vec<InputLine<'a>>>, Vec<Recovery>);

/// Returns the lines between each begin and its end, without the markers' own indentation, and
/// what was tolerated.
fn bodies<'a>(lines: &[InputLine<'a>]) -> Result<Bodies<'a>, ParseError> {
    let mut bodies = Vec::new();
    let mut recoveries = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let begins = is_marker(line.trimmed(), "Begin Patch");
        if !begins && bodies.is_empty() && Marker::of(line.text()).is_some_and(Marker::is_op) {
            recoveries.push(line.recovery("`*** Begin Patch` is missing"));
        } else if begins {
            at += 1;
        } else if matches!(Marker::of(line.text()), Some(Marker::Other) | None) {
            at += 1;
            continue;
        } else {
            return Err(line.malformed("a patch's marker stands outside of the patch"));
        }
        let indent = surefoot_engine::lines::indentation(line.raw);
        let rest = lines.get(at..).unwrap_or_default();
        let body = dedented(rest, indent)
            .ok_or_else(|| line.malformed("`*** End Patch` is missing: the patch is cut off"))?;
        if !indent.is_empty() {
            recoveries.push(line.recovery("the indentation of the whole patch was taken off"));
        }
        at += body.len() + 1;
        bodies.push(body);
    }
    if bodies.is_empty() {
        return Err(malformed("there is no `*** Begin Patch`"));
    }
    Ok((bodies, recoveries))
}

/// Returns the lines up to `*** End Patch`, each without `indent`; `None` where it never comes.
fn dedented<'a>(lines: &[InputLine<'a>], indent: &[u8]) -> Option<Vec<InputLine<'a>>> {
    let strip = |line: &InputLine<'a>| match line.raw.strip_prefix(indent) {
        Some(raw) => Some(InputLine {
            raw,
            start: line.start + indent.len(),
            ..*line
        }),
        None => line.is_blank().then_some(*line),
    };
    // A begin marker may be padded on a line of its own, above a patch that is not.
    let is_end = |line: &InputLine<'a>| Marker::of(line.text()) == Some(Marker::End);
    let whole: Option<Vec<_>> = lines
        .iter()
        .map(strip)
        .take_while(|line| line.as_ref().is_none_or(|l| !is_end(l)))
        .collect();
    if let Some(body) = whole
        && body.len() < lines.len()
    {
        return Some(body);
    }
    let end = lines.iter().position(is_end)?;
    lines.get(..end).map(<[_]>::to_vec)
}

#[cfg(test)]
mod tests;
