//! Unified diffs, as git, diff and svn write them, as mails carry them, and as models do.
//!
//! What a header states rules where the lines do not deny it. Where they do, the lines' signs rule
//! and the difference is told; where a text may have been cut off, it is refused. No line that
//! looks like part of a diff is ever dropped: it belongs to a hunk, or the text is malformed.
//!
//! The forms are those of git's `diff-format` and of `diff -u`; the rule that a mail's diff begins
//! behind its `---` line, and no earlier, is our answer to diffs quoted in messages.

mod binary;
mod body;
mod cursor;
mod diffstat;
mod header;
mod hunk;
mod hunk_header;
mod mail;
mod names;
mod parser;
mod print;
mod section;
mod shift;
mod text;

#[cfg(test)]
mod tests;

use bstr::{BStr, BString};
use surefoot_engine::patch::{Parsed, Patch, Reading, Recovery, Span, Step};

use self::cursor::Cursor;
use self::mail::Mail;
use self::parser::{Lean, Parser, Trouble};
use crate::{Format, ParseError, ParseErrorKind, ParseOptions, PrintError};

/// The largest input, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// Unified diffs of git, `diff -u` and mails, and what models write in their place.
#[derive(Clone, Copy, Debug)]
pub struct UnifiedDiff;

impl Format for UnifiedDiff {
    fn name(&self) -> &'static str {
        "unified-diff"
    }

    fn summary(&self) -> &'static str {
        "diffs of git, diff -u and svn, patch mails, and diffs without right counts"
    }

    fn claims(&self, input: &BStr) -> bool {
        let mut at = Cursor::new(input);
        while let Some(line) = at.text() {
            // V4A has `@@` lines too, and says before them what it is.
            if line.starts_with(b"*** Begin Patch") || line.starts_with(b"*** Update File: ") {
                return false;
            }
            if text::is_diff(at, line) {
                return true;
            }
            at.advance();
        }
        false
    }

    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError> {
        if input.len() > MOST_BYTES {
            return Err(too_large(input.len()));
        }
        let first = Pass::run(input, options, Lean::Counts);
        let second = first
            .contested
            .then(|| Pass::run(input, options, Lean::Signs));
        let (pass, rival) = match (first, second) {
            (
                Pass {
                    result: Ok(first),
                    recoveries,
                    ..
                },
                rival,
            ) => (
                (first, recoveries),
                rival.and_then(|rival| rival.result.ok()),
            ),
            (
                Pass { result: Err(_), .. },
                Some(Pass {
                    result: Ok(second),
                    recoveries,
                    ..
                }),
            ) => ((second, recoveries), None),
            (
                Pass {
                    result: Err(trouble),
                    ..
                },
                _,
            ) => return Err(trouble.into_error()),
        };
        let (parts, mut recoveries) = pass;
        recoveries.extend(crlf_recovery(input));
        let mut rivals = rival.unwrap_or_default().into_iter();
        let steps = parts
            .into_iter()
            .map(|part| step(part, rivals.next()))
            .collect();
        Ok(Parsed {
            format: self.name(),
            steps,
            recoveries,
        })
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        let printed = print::patch(patch)?;
        // Rather than to prove that no line is taken for another, ask.
        let parsed = self.parse(BStr::new(&printed), &ParseOptions::default());
        let mut wanted = patch.clone();
        print::forget_spans(&mut wanted);
        let same = parsed.is_ok_and(|parsed| match parsed.steps.as_slice() {
            [Step { readings, .. }] => readings.first().is_some_and(|reading| {
                let mut found = reading.patch.clone();
                print::forget_spans(&mut found);
                found == wanted
            }),
            _ => false,
        });
        if same {
            Ok(printed)
        } else {
            Err(PrintError("an edit that would be read as another"))
        }
    }
}

/// A part of the input, by its label.
type Part = (Option<BString>, Patch);

/// What reading the input one way came to.
#[derive(Debug)]
struct Pass {
    result: Result<Vec<Part>, Trouble>,
    recoveries: Vec<Recovery>,
    contested: bool,
}

impl Pass {
    fn run(input: &BStr, options: &ParseOptions, lean: Lean) -> Self {
        let mut parser = Parser::new(options, lean);
        let result = parts(&mut parser, Cursor::new(input));
        Self {
            result,
            recoveries: parser.recoveries,
            contested: parser.contested,
        }
    }
}

fn parts(parser: &mut Parser<'_>, cursor: Cursor<'_>) -> Result<Vec<Part>, Trouble> {
    match mail::split(cursor)? {
        None => Ok(vec![(None, text::read(parser, cursor, text::Kind::Plain)?)]),
        Some(mails) => {
            let (covers, mails): (Vec<_>, Vec<_>) = mails.into_iter().partition(Mail::is_cover);
            for cover in covers {
                parser.tolerate(
                    cover.body.line(),
                    "the series' cover letter holds no diff".into(),
                );
            }
            let part =
                |mail: Mail<'_>| Ok((mail.label, text::read(parser, mail.body, text::Kind::Mail)?));
            mails.into_iter().map(part).collect()
        }
    }
}

/// Returns what is made of a part, and of the same part read the other way.
fn step((label, patch): Part, rival: Option<Part>) -> Step {
    let Some((_, rival)) = rival.filter(|(_, rival)| *rival != patch) else {
        let assumption = String::new();
        return Step {
            label,
            readings: vec![Reading {
                patch,
                assumption,
                fallback: false,
            }],
        };
    };
    let stated = "what the headers count and state holds".to_owned();
    let looks = "what the lines look like holds".to_owned();
    let readings = vec![
        Reading {
            patch,
            assumption: stated,
            fallback: false,
        },
        Reading {
            patch: rival,
            assumption: looks,
            fallback: false,
        },
    ];
    Step { label, readings }
}

/// Says that the diff itself, not only the lines in it, has endings of CR LF.
fn crlf_recovery(input: &BStr) -> Option<Recovery> {
    let mut at = Cursor::new(input);
    while let Some(raw) = at.raw() {
        if raw.starts_with(b"@@ ") || raw.starts_with(b"+++ ") {
            let message = "the diff's own lines end in CR LF".to_owned();
            return raw.ends_with(b"\r\n").then_some(Recovery {
                line: at.line(),
                message,
            });
        }
        at.advance();
    }
    None
}

fn too_large(len: usize) -> ParseError {
    ParseError {
        kind: ParseErrorKind::TooCostly,
        line: 0,
        span: Span { start: 0, end: len },
        path: None,
        message: "the input is larger than 1 GiB".to_owned(),
    }
}
