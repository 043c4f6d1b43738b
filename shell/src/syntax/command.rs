//! Lists, pipelines and simple commands.

use bstr::BString;

use super::{Doubt, Failure, Parser, Simple, Stop, is_meta, is_name};
use crate::span::Span;

/// Words that end a list where a command could begin.
const ENDS: [&[u8]; 7] = [b"then", b"do", b"done", b"fi", b"esac", b"elif", b"else"];

impl Parser<'_> {
    /// Reads commands up to what cannot begin one. Returns how many there were.
    pub(super) fn list(&mut self) -> Result<usize, Stop> {
        self.nested(|parser| {
            let mut count = 0;
            loop {
                parser.lines()?;
                if parser.at_end_of_list() {
                    return Ok(count);
                }
                parser.and_or()?;
                count += 1;
                parser.blanks()?;
                match parser.peek() {
                    Some(b'\n') => {}
                    Some(b';') if !matches!(parser.peek_at(1), Some(b';' | b'&')) => parser.at += 1,
                    Some(b'&') if parser.peek_at(1) != Some(b'&') => parser.at += 1,
                    _ if parser.at_end_of_list() => return Ok(count),
                    _ => return Err(parser.unexpected()),
                }
            }
        })
    }

    /// Reads commands, of which there has to be one.
    pub(super) fn some_list(&mut self) -> Result<(), Stop> {
        match self.list()? {
            0 => Err(self.unexpected()),
            _ => Ok(()),
        }
    }

    fn at_end_of_list(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.peek_at(1), Some(b';' | b'&')),
            _ => {
                let bare = self.bare();
                bare == b"}" || ENDS.contains(&bare)
            }
        }
    }

    /// Returns the unquoted word at the cursor, or nothing where it is quoted or expanded.
    pub(super) fn bare(&self) -> &[u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        // No reserved word is longer than eight bytes.
        let length = rest
            .iter()
            .take(10)
            .position(|byte| is_meta(*byte))
            .unwrap_or(rest.len().min(10));
        let bare = rest.get(..length).unwrap_or_default();
        if bare
            .iter()
            .any(|byte| matches!(byte, b'\'' | b'"' | b'\\' | b'`' | b'$'))
        {
            return &[];
        }
        bare
    }

    /// Moves past `word` if it stands here unquoted.
    pub(super) fn take(&mut self, word: &[u8]) -> bool {
        let there = self.bare() == word;
        if there {
            self.at += word.len();
        }
        there
    }

    /// Moves past `word`, which closes what was opened at `open`.
    pub(super) fn close(&mut self, word: &[u8], open: usize) -> Result<(), Stop> {
        if self.take(word) {
            return Ok(());
        }
        Err(match self.peek() {
            None => Stop::Unclosed { at: open },
            Some(_) => self.unexpected(),
        })
    }

    fn and_or(&mut self) -> Result<(), Stop> {
        let first = self.out.commands.len();
        self.pipeline()?;
        loop {
            self.blanks()?;
            let alternative = self.looks_at(b"||");
            if !alternative && !self.looks_at(b"&&") {
                return Ok(());
            }
            self.at += 2;
            if alternative {
                for command in self.out.commands.iter_mut().skip(first) {
                    command.failure = Failure::Caught;
                }
            }
            self.lines()?;
            self.pipeline()?;
        }
    }

    fn pipeline(&mut self) -> Result<(), Stop> {
        let mut prefixed = false;
        loop {
            self.blanks()?;
            if self.take(b"!") {
                prefixed = true;
            } else if self.take(b"time") {
                prefixed = true;
                self.blanks()?;
                if self.take(b"-p") {
                    self.blanks()?;
                }
            } else {
                break;
            }
        }
        if prefixed && (self.peek().is_none_or(|byte| matches!(byte, b'\n' | b';'))) {
            // `time` and `!` may stand alone, in some places.
            self.doubt(Doubt::Rare);
            return Ok(());
        }
        loop {
            self.command()?;
            self.blanks()?;
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                return Ok(());
            }
            self.at += 1;
            if self.peek() == Some(b'&') {
                self.at += 1;
            }
            self.lines()?;
        }
    }

    fn command(&mut self) -> Result<(), Stop> {
        self.step(1)?;
        // A reserved word is no command's name where a command may begin.
        if self.at_end_of_list() || self.bare() == b"!" {
            return Err(self.unexpected());
        }
        if self.nested(Self::compound)? {
            return self.redirections();
        }
        self.simple()
    }

    fn simple(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let mut end = start;
        // Commands in this one's substitutions come after it, so that its name precedes theirs.
        let slot = self.out.commands.len();
        let mut simple = Simple {
            span: Span::new(start, start),
            assigns: Vec::new(),
            words: Vec::new(),
            failure: Failure::Counts,
            setting: self.setting,
        };
        let mut redirected = false;
        loop {
            self.blanks()?;
            if self.redirection()? {
                redirected = true;
                end = self.at;
                continue;
            }
            if !self.at_word() {
                break;
            }
            if simple.words.is_empty()
                && let Some(name) = self.assignment()?
            {
                simple.assigns.push(name);
                end = self.at;
                continue;
            }
            let word = self.word()?;
            end = self.at;
            let first = simple.words.is_empty();
            simple.words.push(word);
            if first && !redirected && simple.assigns.is_empty() {
                self.blanks()?;
                if self.peek() == Some(b'(') {
                    return self.function(&simple.words);
                }
            }
        }
        if simple.words.is_empty() && simple.assigns.is_empty() && !redirected {
            return Err(self.unexpected());
        }
        simple.span = Span::new(start, end);
        self.out
            .commands
            .insert(slot.min(self.out.commands.len()), simple);
        Ok(())
    }

    /// Reads `()` and a body, after the name.
    fn function(&mut self, words: &[super::Word]) -> Result<(), Stop> {
        self.at += 1;
        self.blanks()?;
        if self.peek() != Some(b')') {
            return Err(self.unexpected());
        }
        self.at += 1;
        let name = words.first().and_then(super::Word::literal);
        match name {
            Some(name) if is_name(name) => self.out.functions.push(name.into()),
            Some(name) => {
                self.doubt(Doubt::Rare);
                self.out.functions.push(name.into());
            }
            None => self.doubt(Doubt::Rare),
        }
        self.body()
    }

    /// Reads a function's body.
    pub(super) fn body(&mut self) -> Result<(), Stop> {
        self.lines()?;
        if self.nested(Self::compound)? {
            return self.redirections();
        }
        Err(self.unexpected())
    }

    fn redirections(&mut self) -> Result<(), Stop> {
        loop {
            self.blanks()?;
            if !self.redirection()? {
                return Ok(());
            }
        }
    }

    /// Tells whether a word begins here.
    pub(super) fn at_word(&self) -> bool {
        match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.peek_at(1) == Some(b'('),
            Some(byte) => !is_meta(byte),
        }
    }

    /// Reads `name=value`, if that is what stands here. Returns the name.
    fn assignment(&mut self) -> Result<Option<BString>, Stop> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
            .unwrap_or(rest.len());
        self.step(length)?;
        let name = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        let sign = match after {
            [b'=', ..] => 1,
            [b'+', b'=', ..] => 2,
            _ => return Ok(None),
        };
        if !is_name(name) {
            return Ok(None);
        }
        let name = BString::from(name);
        self.at += length + sign;
        if self.peek() == Some(b'(') {
            self.doubt(Doubt::Parenthesis);
            self.nested(Self::array)?;
        } else if self.at_word() {
            self.word()?;
        }
        Ok(Some(name))
    }

    /// Reads an array's words and its parentheses.
    pub(super) fn array(&mut self) -> Result<(), Stop> {
        let open = self.at;
        self.at += 1;
        loop {
            self.lines()?;
            match self.peek() {
                None => return Err(Stop::Unclosed { at: open }),
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                _ if self.at_word() => {
                    self.word()?;
                }
                _ => return Err(self.unexpected()),
            }
        }
    }
}
