//! Expansions: parameters, arithmetic, command substitutions.

use super::word::Within;
use super::{Doubt, Parser, Script, Stop, Why};
use crate::span::Span;

impl Parser<'_> {
    /// Reads what begins with `$`. Returns `None`, past the sign, where it stands for itself.
    pub(super) fn dollar(&mut self, within: Within) -> Result<Option<Why>, Stop> {
        let open = self.at;
        match self.peek_at(1) {
            Some(b'(') => {
                if self.peek_at(2) == Some(b'(') {
                    if let Some(end) = self.arithmetic_end(open + 3)? {
                        self.at += 3;
                        self.nested(|parser| parser.expansions_up_to(end, end + 2))?;
                        return Ok(Some(Why::Expansion));
                    }
                    // bash tries arithmetic first, too, but finds its end in its own way.
                    self.doubt(Doubt::Parenthesis);
                }
                self.at += 1;
                self.substitution(1)?;
                Ok(Some(Why::Substitution))
            }
            Some(b'{') => {
                self.nested(|parser| parser.braces(within))?;
                Ok(Some(Why::Expansion))
            }
            Some(b'[') => {
                self.doubt(Doubt::Rare);
                self.at += 2;
                while self.peek().is_some_and(|byte| byte != b']') {
                    self.step(1)?;
                    self.at += 1;
                }
                if self.peek().is_none() {
                    return Err(Stop::Unclosed { at: open });
                }
                self.at += 1;
                Ok(Some(Why::Expansion))
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.at += 2;
                while self
                    .peek()
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                {
                    self.step(1)?;
                    self.at += 1;
                }
                Ok(Some(Why::Expansion))
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9') => {
                self.at += 2;
                Ok(Some(Why::Expansion))
            }
            _ => {
                self.at += 1;
                Ok(None)
            }
        }
    }

    /// Reads commands in parentheses, of which the opening one, `width` bytes long, stands here.
    pub(super) fn substitution(&mut self, width: usize) -> Result<(), Stop> {
        let open = self.at;
        self.at += width;
        let outer = std::mem::take(&mut self.pending);
        self.list()?;
        if self.peek() != Some(b')') {
            return Err(match self.peek() {
                None => Stop::Unclosed { at: open },
                Some(_) => self.unexpected(),
            });
        }
        self.at += 1;
        if !self.pending.is_empty() {
            self.doubt(Doubt::StraddlingHereDocument);
        }
        let inner = std::mem::replace(&mut self.pending, outer);
        self.pending.extend(inner);
        Ok(())
    }

    /// Reads `${…}`.
    fn braces(&mut self, within: Within) -> Result<(), Stop> {
        let open = self.at;
        self.at += 2;
        if self
            .peek()
            .is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'}'))
        {
            self.doubt(Doubt::Quotes);
        }
        while let Some(byte) = self.peek() {
            self.step(1)?;
            match byte {
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.at += 2,
                b'\'' if within != Within::Word => {
                    self.doubt(Doubt::Quotes);
                    self.at += 1;
                }
                b'\'' => self.skip_single()?,
                b'"' => {
                    if within != Within::Word {
                        self.doubt(Doubt::Quotes);
                    }
                    self.nested(Self::skip_double)?;
                }
                b'`' => self.backquotes()?,
                b'$' => {
                    self.dollar(within)?;
                }
                b'<' | b'>' if self.peek_at(1) == Some(b'(') => {
                    self.doubt(Doubt::Quotes);
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        Err(Stop::Unclosed { at: open })
    }

    fn skip_single(&mut self) -> Result<(), Stop> {
        let open = self.at;
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|byte| *byte == b'\'')
            .ok_or(Stop::Unclosed { at: open })?;
        self.step(length)?;
        self.at += length + 2;
        Ok(())
    }

    /// Returns where `))` closes the arithmetic that begins at `from`; `None` where it is none.
    pub(super) fn arithmetic_end(&mut self, from: usize) -> Result<Option<usize>, Stop> {
        let mut at = from;
        let mut depth = 0usize;
        let mut quote = None;
        while let Some(byte) = self.text.get(at).copied() {
            self.step(1)?;
            match (quote, byte) {
                (_, b'\\') => at += 1,
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(') => depth += 1,
                (None, b')') if depth > 0 => depth -= 1,
                (None, b')') => {
                    let closes = self.text.get(at + 1) == Some(&b')');
                    return Ok(closes.then_some(at));
                }
                _ => {}
            }
            at += 1;
        }
        Ok(None)
    }

    /// Reads the expansions from here up to `end`, and goes on at `next`.
    pub(super) fn expansions_up_to(&mut self, end: usize, next: usize) -> Result<(), Stop> {
        let whole = self.text;
        self.text = whole.get(..end).unwrap_or(whole);
        let done = self.expansions();
        self.text = whole;
        self.at = next;
        done
    }

    fn expansions(&mut self) -> Result<(), Stop> {
        while let Some(byte) = self.peek() {
            self.step(1)?;
            match byte {
                b'\\' => {
                    self.doubt(Doubt::Quotes);
                    self.at += 2;
                }
                b'`' => self.backquotes()?,
                b'$' => {
                    self.dollar(Within::Arithmetic)?;
                }
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    /// Reads a command substitution between backquotes, of which the first stands here.
    pub(super) fn backquotes(&mut self) -> Result<(), Stop> {
        let open = self.at;
        let mut inside = Vec::new();
        let mut escaped = false;
        self.at += 1;
        loop {
            self.step(1)?;
            match self.peek() {
                None => return Err(Stop::Unclosed { at: open }),
                Some(b'`') => break,
                Some(b'\\') => {
                    match self.peek_at(1) {
                        Some(next @ (b'`' | b'\\' | b'$')) => {
                            escaped = true;
                            inside.push(next);
                        }
                        Some(next) => inside.extend([b'\\', next]),
                        None => return Err(Stop::Unclosed { at: open }),
                    }
                    self.at += 2;
                }
                Some(byte) => {
                    inside.push(byte);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let whole = Span::new(open, self.at);
        self.nested(|parser| parser.inner(&inside, whole, escaped))
    }

    /// Parses `inside`, which stands within `whole`: one byte further, unless bytes were `escaped`.
    fn inner(&mut self, inside: &[u8], whole: Span, escaped: bool) -> Result<(), Stop> {
        let mut parser = Parser::new(inside);
        parser.depth = self.depth;
        parser.setting = self.setting;
        parser.steps = self.steps;
        parser.list()?;
        self.steps = parser.steps;
        if parser.at < inside.len() {
            return Err(Stop::Unexpected { at: whole.start });
        }
        if !parser.pending.is_empty() {
            self.doubt(Doubt::StraddlingHereDocument);
        }
        let place = |span: Span| {
            if escaped {
                whole
            } else {
                Span::new(span.start + whole.start + 1, span.end + whole.start + 1)
            }
        };
        self.adopt(parser.out, place);
        Ok(())
    }

    fn adopt(&mut self, script: Script, place: impl Fn(Span) -> Span) {
        self.out.functions.extend(script.functions);
        script
            .doubts
            .into_iter()
            .for_each(|doubt| self.doubt(doubt));
        for mut command in script.commands {
            command.span = place(command.span);
            for word in &mut command.words {
                word.span = place(word.span);
            }
            self.out.commands.push(command);
        }
        for mut text in script.in_text {
            text.span = place(text.span);
            self.out.in_text.push(text);
        }
    }
}
