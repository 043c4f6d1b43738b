//! What an edit comes wrapped in: shell here-documents, tool calls, fences, indentation, listings.
//!
//! Each layer that is taken off is said in the recoveries, and places in the text found inside are
//! given back as places in the input. Where the wrapping allows two texts (a shell would have
//! changed it on the way), both are offered.

pub(crate) mod fence;
pub(crate) mod noise;

mod carrier;
mod map;
mod shell;
mod view;

use bstr::BString;
use surefoot_engine::patch::{Recovery, Span};

pub(crate) use map::Map;
pub(crate) use view::outside_of_fences;

use crate::error::ParseError;
use crate::input::{each_line, malformed};

/// What is known of the end of a text that was wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing: there was no wrapping.
    Unknown,
    /// The wrapping is closed, so the text is whole.
    Closed,
    /// The wrapping is never closed: the text may be cut off.
    Missing,
}

/// A text found inside of an input.
#[derive(Clone, Debug)]
pub(crate) struct Payload {
    /// The text.
    pub(crate) text: BString,
    /// Another text that the wrapping allows, and what tells it from the first.
    pub(crate) rival: Option<(BString, &'static str)>,
    /// Where the text stands in the input.
    pub(crate) map: Map,
    /// What was taken off.
    pub(crate) recoveries: Vec<Recovery>,
    /// The folder that the wrapping changes to first.
    pub(crate) dir: Option<BString>,
    /// The file that the wrapping names.
    pub(crate) path: Option<BString>,
    /// What the wrapping's own end says of the text.
    pub(crate) end: End,
}

impl Payload {
    fn literal(input: &[u8]) -> Self {
        Self {
            text: input.into(),
            rival: None,
            map: Map::default(),
            recoveries: Vec::new(),
            dir: None,
            path: None,
            end: End::Unknown,
        }
    }

    fn note(&mut self, line: usize, message: &str) {
        self.recoveries.push(Recovery {
            line,
            message: message.into(),
        });
    }
}

/// Returns the texts that `input` may be meant as, the most literal first.
///
/// # Errors
///
/// Where the wrapping contradicts itself.
pub(crate) fn open(input: &[u8]) -> Result<Vec<Payload>, ParseError> {
    let mut payload = Payload::literal(input);
    if let Some(text) = input.strip_prefix(surefoot_engine::lines::BOM) {
        payload.text = text.into();
        payload.map.push_shift(surefoot_engine::lines::BOM.len());
        payload.note(1, "a byte-order mark before the edit was left aside");
    }
    // A call may carry a shell script that carries a patch; nothing nests deeper in practice.
    for _ in 0..2 {
        if let Some(carried) = carrier::carried(&payload.text)? {
            carried.put_into(&mut payload);
        }
        shell::open(&mut payload)?;
    }
    let mut payloads = vec![payload];
    let Some(first) = payloads.first() else {
        return Ok(payloads);
    };
    let others: Vec<Payload> = [escaped_once_more(first), numbered(first), indented(first)]
        .into_iter()
        .flatten()
        .collect();
    payloads.extend(others);
    Ok(payloads)
}

/// The text on one line, with `\n` for its line ends.
fn escaped_once_more(payload: &Payload) -> Option<Payload> {
    let text = payload.text.trim_ascii();
    let one_line = !text.contains(&b'\n') && memchr::memmem::find(text, b"\\n").is_some();
    let text = one_line.then(|| noise::unescaped(text)).flatten()?;
    let mut other = Payload {
        text,
        ..payload.clone()
    };
    other.map.push_whole(Span {
        start: 0,
        end: payload.text.len(),
    });
    other.note(0, "the edit was escaped twice");
    Some(other)
}

/// The text with a line number before every line.
fn numbered(payload: &Payload) -> Option<Payload> {
    let (_, text) = noise::without_numbers(&payload.text)?;
    let mut other = Payload {
        text,
        ..payload.clone()
    };
    other.map.push_lines(&payload.text, &other.text);
    other.note(0, "the line numbers before every line were taken off");
    Some(other)
}

/// The text indented as a whole.
fn indented(payload: &Payload) -> Option<Payload> {
    let first = each_line(&payload.text).find(|line| !line.is_blank())?;
    let indent = surefoot_engine::lines::indentation(first.raw);
    if indent.is_empty() {
        return None;
    }
    let mut text = BString::default();
    for line in each_line(&payload.text) {
        match line.raw.strip_prefix(indent) {
            Some(raw) => text.extend_from_slice(raw),
            None if line.is_blank() => text.extend_from_slice(line.raw.trim_start_blanks()),
            None => return None,
        }
    }
    let mut other = Payload {
        text,
        ..payload.clone()
    };
    other.map.push_lines(&payload.text, &other.text);
    other.note(0, "the indentation of the whole edit was taken off");
    Some(other)
}

trait TrimBlanks {
    fn trim_start_blanks(&self) -> &[u8];
}

impl TrimBlanks for [u8] {
    /// Keeps the ending.
    fn trim_start_blanks(&self) -> &[u8] {
        let blanks = self
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count();
        self.get(blanks..).unwrap_or_default()
    }
}

/// Returns the error for a wrapping whose end is missing.
pub(crate) fn cut_off() -> ParseError {
    malformed("what the edit is wrapped in is never closed: the input is cut off")
}
