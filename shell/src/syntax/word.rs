//! Words: quotes, and how far a word's value is known before it runs.

use bstr::BString;

use super::{Doubt, InText, Parser, Place, Quoting, Rest, Stop, Why, Word, is_meta, is_name};
use crate::span::Span;

/// What an expansion stands in, which decides what quotes mean there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// An unquoted part of a word.
    Word,
    /// Double quotes.
    DoubleQuotes,
    /// The text of a here-document.
    HereDocument,
    /// Arithmetic.
    Arithmetic,
}

/// A word that is being read.
#[derive(Debug, Default)]
struct Build {
    lead: Vec<u8>,
    open: Option<Why>,
    quoted: bool,
}

impl Build {
    fn push(&mut self, byte: u8) {
        if self.open.is_none() {
            self.lead.push(byte);
        }
    }

    fn open(&mut self, why: Why) {
        self.open.get_or_insert(why);
    }
}

impl Parser<'_> {
    /// Reads a word, which begins here.
    pub(super) fn word(&mut self) -> Result<Word, Stop> {
        let start = self.at;
        let mut build = Build::default();
        while let Some(byte) = self.peek() {
            self.step(1)?;
            if is_meta(byte) {
                if !self.word_goes_on(byte, start, &mut build)? {
                    break;
                }
                continue;
            }
            match byte {
                b'\\' => {
                    // Joined lines may make a reserved word of two halves.
                    if self.peek_at(1) == Some(b'\n') {
                        self.doubt(Doubt::Rare);
                    }
                    self.escape(&mut build);
                }
                b'\'' => self.single(&mut build)?,
                b'"' => self.double(&mut build)?,
                b'`' => {
                    build.open(Why::Substitution);
                    self.backquotes()?;
                }
                b'$' => self.dollar_in_word(&mut build)?,
                _ => self.plain(byte, start, &mut build),
            }
        }
        let span = Span::new(start, self.at);
        Ok(Word {
            span,
            quoting: self.quoting(span, build.quoted),
            lead: BString::from(build.lead),
            rest: build.open.map_or(Rest::Nothing, Rest::Open),
        })
    }

    fn quoting(&self, span: Span, quoted: bool) -> Quoting {
        if !quoted {
            return Quoting::Bare;
        }
        let raw = self.text.get(span.range()).unwrap_or_default();
        let single = raw.len() >= 2
            && raw.first() == Some(&b'\'')
            && raw.iter().skip(1).position(|byte| *byte == b'\'') == Some(raw.len() - 2);
        if single {
            Quoting::Single
        } else {
            Quoting::Other
        }
    }

    /// Reads what a word may hold of the bytes that else end it. Tells whether it goes on.
    fn word_goes_on(&mut self, byte: u8, start: usize, build: &mut Build) -> Result<bool, Stop> {
        if matches!(byte, b'<' | b'>') && self.peek_at(1) == Some(b'(') {
            build.open(Why::Substitution);
            self.at += 1;
            self.substitution(1)?;
            return Ok(true);
        }
        if byte != b'(' || self.at == start {
            return Ok(false);
        }
        let before = self.text.get(start..self.at).unwrap_or_default();
        match before.split_last() {
            Some((b'=', name)) if !name.is_empty() => {
                self.doubt(Doubt::Parenthesis);
                build.open(Why::Expansion);
                self.nested(Self::array)?;
                Ok(true)
            }
            // An extended pattern, where the shell has them on.
            Some((b'?' | b'*' | b'+' | b'@' | b'!', _)) => Err(self.unexpected()),
            _ => Ok(false),
        }
    }

    fn plain(&mut self, byte: u8, start: usize, build: &mut Build) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        match byte {
            b'*' | b'?' => build.open(Why::Glob),
            b'[' => {
                let before = self.text.get(start..self.at).unwrap_or_default();
                if is_name(before) {
                    self.doubt(Doubt::Subscript);
                }
                if closes(rest, b']') {
                    build.open(Why::Glob);
                }
            }
            b'{' if is_brace_expansion(rest) => build.open(Why::Brace),
            b'~' if self.at == start => build.open(Why::Tilde),
            _ => {}
        }
        build.push(byte);
        self.at += 1;
    }

    fn escape(&mut self, build: &mut Build) {
        match self.peek_at(1) {
            Some(b'\n') => {}
            Some(byte) => {
                build.quoted = true;
                build.push(byte);
            }
            None => {
                build.push(b'\\');
                self.at += 1;
                return;
            }
        }
        self.at += 2;
    }

    fn single(&mut self, build: &mut Build) -> Result<(), Stop> {
        let open = self.at;
        build.quoted = true;
        self.at += 1;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|byte| *byte == b'\'')
            .ok_or(Stop::Unclosed { at: open })?;
        self.step(length)?;
        if build.open.is_none() {
            build.lead.extend(rest.iter().take(length));
        }
        self.at += length + 1;
        Ok(())
    }

    /// Reads `"…"`.
    fn double(&mut self, build: &mut Build) -> Result<(), Stop> {
        let open = self.at;
        build.quoted = true;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.step(1)?;
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    match self.peek_at(1) {
                        Some(b'\n') => {}
                        Some(next @ (b'$' | b'`' | b'"' | b'\\')) => build.push(next),
                        Some(next) => {
                            build.push(b'\\');
                            build.push(next);
                        }
                        None => return Err(Stop::Unclosed { at: open }),
                    }
                    self.at += 2;
                }
                b'`' => {
                    build.open(Why::Substitution);
                    let start = self.at;
                    self.backquotes()?;
                    let span = Span::new(start, self.at);
                    let place = Place::DoubleQuotes;
                    self.out.in_text.push(InText { span, place });
                }
                b'$' => match self.dollar(Within::DoubleQuotes)? {
                    Some(why) => build.open(why),
                    None => build.push(b'$'),
                },
                _ => {
                    build.push(byte);
                    self.at += 1;
                }
            }
        }
        Err(Stop::Unclosed { at: open })
    }

    /// Reads `"…"` whose value nobody asks for.
    pub(super) fn skip_double(&mut self) -> Result<(), Stop> {
        self.double(&mut Build::default())
    }

    fn dollar_in_word(&mut self, build: &mut Build) -> Result<(), Stop> {
        match self.peek_at(1) {
            Some(b'\'') => self.ansi(build),
            Some(b'"') => {
                self.at += 1;
                self.double(build)
            }
            _ => {
                match self.dollar(Within::Word)? {
                    Some(why) => build.open(why),
                    None => build.push(b'$'),
                }
                Ok(())
            }
        }
    }

    /// Reads `$'…'`.
    fn ansi(&mut self, build: &mut Build) -> Result<(), Stop> {
        let open = self.at;
        build.quoted = true;
        self.at += 2;
        while let Some(byte) = self.peek() {
            self.step(1)?;
            match byte {
                b'\'' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    match self.peek_at(1) {
                        Some(b'n') => build.push(b'\n'),
                        Some(b't') => build.push(b'\t'),
                        Some(next @ (b'\\' | b'\'' | b'"')) => build.push(next),
                        // Octal, hexadecimal, control: known to bash, of no use to us.
                        _ => build.open(Why::Expansion),
                    }
                    self.at += 2;
                }
                _ => {
                    build.push(byte);
                    self.at += 1;
                }
            }
        }
        Err(Stop::Unclosed { at: open })
    }
}

/// Tells whether `close` stands in `rest` before the word can end.
fn closes(rest: &[u8], close: u8) -> bool {
    rest.iter()
        .take(256)
        .take_while(|byte| !is_meta(**byte))
        .any(|byte| *byte == close)
}

/// Tells whether `rest`, after a `{`, holds a comma or two dots before its `}`.
fn is_brace_expansion(rest: &[u8]) -> bool {
    let inside: Vec<u8> = rest
        .iter()
        .copied()
        .take(256)
        .take_while(|byte| *byte != b'}' && !is_meta(*byte))
        .collect();
    rest.get(inside.len()) == Some(&b'}')
        && (inside.contains(&b',') || inside.windows(2).any(|pair| pair == b".."))
}
