//! Redirections and here-documents.

use bstr::BString;

use super::{Doubt, InText, Parser, Place, Quoting, Rest, Setting, Stop, is_name};
use crate::span::Span;

/// A here-document whose text is still to come.
#[derive(Clone, Debug)]
pub(super) struct HereDocument {
    delimiter: BString,
    expands: bool,
    strips_tabs: bool,
}

impl Parser<'_> {
    /// Reads a redirection, if one stands here.
    pub(super) fn redirection(&mut self) -> Result<bool, Stop> {
        let start = self.at;
        if !self.descriptor()? {
            return Ok(false);
        }
        let operators: [&[u8]; 12] = [
            b"&>>", b"<<<", b"<<-", b"&>", b"<<", b"<&", b"<>", b">>", b">&", b">|", b"<", b">",
        ];
        let Some(operator) = operators.into_iter().find(|sign| self.looks_at(sign)) else {
            self.at = start;
            return Ok(false);
        };
        // `<(` and `>(` begin a word.
        if operator.len() == 1 && self.peek_at(1) == Some(b'(') {
            self.at = start;
            return Ok(false);
        }
        self.at += operator.len();
        self.blanks()?;
        let target = self.at;
        self.descriptor()?;
        // In `> 2>f` the number belongs to the second redirection, so the first has no target.
        if !self.at_word() || self.at != target {
            return Err(self.unexpected());
        }
        match operator {
            b"<<" | b"<<-" => self.here_document(operator == b"<<-")?,
            _ => {
                // Before the command's name, bash has no place for a target that looks like an
                // assignment.
                if self.word()?.lead.contains(&b'=') {
                    self.doubt(Doubt::Rare);
                }
            }
        }
        Ok(true)
    }

    /// Moves past a file descriptor, `2` or `{name}`, that stands right before a redirection. Tells
    /// whether there is a redirection at all.
    fn descriptor(&mut self) -> Result<bool, Stop> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match rest.first() {
            Some(b'<' | b'>') => return Ok(true),
            Some(b'&') => return Ok(rest.get(1) == Some(&b'>')),
            Some(b'{' | b'0'..=b'9') => {}
            _ => return Ok(false),
        }
        let length = if rest.first() == Some(&b'{') {
            let Some(close) = rest.iter().take(256).position(|byte| *byte == b'}') else {
                return Ok(false);
            };
            if !rest.get(1..close).is_some_and(is_name) {
                return Ok(false);
            }
            close + 1
        } else {
            rest.iter()
                .position(|byte| !byte.is_ascii_digit())
                .unwrap_or(rest.len())
        };
        self.step(length)?;
        let found = matches!(rest.get(length), Some(b'<' | b'>'));
        if found {
            self.at += length;
        }
        Ok(found)
    }

    fn here_document(&mut self, strips_tabs: bool) -> Result<(), Stop> {
        let word = self.word()?;
        let raw = self.text.get(word.span.range()).unwrap_or_default();
        let expands = word.quoting == Quoting::Bare && !raw.contains(&b'\\');
        let delimiter = if word.rest == Rest::Nothing {
            word.lead
        } else if expands {
            // Nothing in a delimiter is expanded.
            self.doubt(Doubt::Rare);
            raw.into()
        } else {
            self.doubt(Doubt::Rare);
            word.lead
        };
        self.pending.push(HereDocument {
            delimiter,
            expands,
            strips_tabs,
        });
        Ok(())
    }

    /// Reads the texts of the here-documents that begin on this line.
    pub(super) fn here_documents(&mut self) -> Result<(), Stop> {
        for (nth, document) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            if nth > 0 && self.peek() == Some(b'\n') {
                self.at += 1;
            }
            let start = self.at;
            let end = self.here_end(&document)?;
            let next = self.at;
            if document.expands {
                self.at = start;
                self.here_text(end)?;
                self.at = next;
            }
        }
        Ok(())
    }

    /// Moves past the line that ends `document`. Returns where its text ends.
    fn here_end(&mut self, document: &HereDocument) -> Result<usize, Stop> {
        let mut joined = false;
        loop {
            let start = self.at;
            let rest = self.text.get(start..).unwrap_or_default();
            if rest.is_empty() {
                self.doubt(Doubt::OpenHereDocument);
                return Ok(start);
            }
            let length = rest
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len());
            self.step(length + 1)?;
            let mut line = rest.get(..length).unwrap_or_default();
            if document.strips_tabs {
                while let Some(stripped) = line.strip_prefix(b"\t") {
                    line = stripped;
                }
            }
            if !joined && line == document.delimiter.as_slice() {
                // The newline after the delimiter ends the command before it, too.
                self.at = start + length;
                return Ok(start);
            }
            // Inside of a substitution the delimiter's line may hold what closes it.
            if self.depth > 1 && line.starts_with(&document.delimiter) {
                self.doubt(Doubt::StraddlingHereDocument);
            }
            // An escaped newline joins the next line to this one, which is then no delimiter.
            let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
            joined = document.expands && backslashes % 2 == 1;
            self.at = (start + length + 1).min(self.text.len());
        }
    }

    /// Reads the expansions of a here-document's text up to `end`.
    fn here_text(&mut self, end: usize) -> Result<(), Stop> {
        let whole = self.text;
        self.text = whole.get(..end).unwrap_or(whole);
        let setting = std::mem::replace(&mut self.setting, Setting::Command);
        let done = self.here_expansions();
        self.setting = setting;
        self.text = whole;
        done
    }

    fn here_expansions(&mut self) -> Result<(), Stop> {
        while let Some(byte) = self.peek() {
            self.step(1)?;
            let start = self.at;
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.setting = Setting::Text;
                    self.backquotes()?;
                    self.setting = Setting::Command;
                    let span = Span::new(start, self.at);
                    let place = Place::HereDocument;
                    self.out.in_text.push(InText { span, place });
                }
                b'$' => {
                    self.dollar(super::word::Within::HereDocument)?;
                }
                _ => self.at += 1,
            }
        }
        Ok(())
    }
}
