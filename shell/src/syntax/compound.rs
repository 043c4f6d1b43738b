//! Compound commands: groups, conditions, loops, functions.

use super::{Doubt, Parser, Stop, is_name};

impl Parser<'_> {
    /// Reads a compound command, if one begins here.
    pub(super) fn compound(&mut self) -> Result<bool, Stop> {
        let open = self.at;
        if self.peek() == Some(b'(') {
            self.parenthesis(open)?;
            return Ok(true);
        }
        let word = self.bare().to_vec();
        match word.as_slice() {
            b"{" => self.group(open)?,
            b"if" => self.condition(open)?,
            b"while" | b"until" => self.repeat(open)?,
            b"for" => self.each(open)?,
            b"select" => {
                self.doubt(Doubt::Rare);
                self.each(open)?;
            }
            b"case" => self.case(open)?,
            b"[[" => self.test(open)?,
            b"function" => self.keyword_function()?,
            b"coproc" => {
                self.at += word.len();
                self.doubt(Doubt::Rare);
                self.blanks()?;
                if !self.nested(Self::compound)? {
                    return Ok(false);
                }
            }
            // Only the case and for commands give it a meaning; bash decides elsewhere.
            b"in" => {
                self.doubt(Doubt::Rare);
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn parenthesis(&mut self, open: usize) -> Result<(), Stop> {
        if self.peek_at(1) == Some(b'(') {
            if let Some(end) = self.arithmetic_end(open + 2)? {
                return self.expansions_up_to(end, end + 2);
            }
            self.doubt(Doubt::Parenthesis);
        }
        self.at += 1;
        self.some_list()?;
        if self.peek() != Some(b')') {
            return Err(match self.peek() {
                None => Stop::Unclosed { at: open },
                Some(_) => self.unexpected(),
            });
        }
        self.at += 1;
        Ok(())
    }

    fn group(&mut self, open: usize) -> Result<(), Stop> {
        self.at += 1;
        self.some_list()?;
        self.close(b"}", open)
    }

    fn condition(&mut self, open: usize) -> Result<(), Stop> {
        self.at += 2;
        self.some_list()?;
        self.close(b"then", open)?;
        self.some_list()?;
        while self.take(b"elif") {
            self.some_list()?;
            self.close(b"then", open)?;
            self.some_list()?;
        }
        if self.take(b"else") {
            self.some_list()?;
        }
        self.close(b"fi", open)
    }

    fn repeat(&mut self, open: usize) -> Result<(), Stop> {
        self.at += 5;
        self.some_list()?;
        self.do_done(open)
    }

    fn do_done(&mut self, open: usize) -> Result<(), Stop> {
        self.close(b"do", open)?;
        self.some_list()?;
        self.close(b"done", open)
    }

    fn each(&mut self, open: usize) -> Result<(), Stop> {
        self.at += self.bare().len();
        self.blanks()?;
        if self.looks_at(b"((") {
            let at = self.at;
            let end = self.arithmetic_end(at + 2)?.ok_or(Stop::Unclosed { at })?;
            // bash counts the semicolons.
            self.doubt(Doubt::Rare);
            self.expansions_up_to(end, end + 2)?;
        } else {
            if !self.at_word() {
                return Err(self.unexpected());
            }
            let name = self.word()?;
            if !name.literal().is_some_and(is_name) {
                self.doubt(Doubt::Rare);
            }
            self.lines()?;
            if self.take(b"in") {
                self.blanks()?;
                while self.at_word() {
                    self.word()?;
                    self.blanks()?;
                }
                if !matches!(self.peek(), None | Some(b';' | b'\n')) {
                    return Err(self.unexpected());
                }
            }
        }
        self.blanks()?;
        if self.peek() == Some(b';') {
            self.at += 1;
        }
        self.lines()?;
        if self.bare() == b"{" {
            self.doubt(Doubt::Rare);
            return self.group(open);
        }
        self.do_done(open)
    }

    fn case(&mut self, open: usize) -> Result<(), Stop> {
        self.at += 4;
        self.blanks()?;
        if !self.at_word() {
            return Err(self.unexpected());
        }
        self.word()?;
        self.lines()?;
        self.close(b"in", open)?;
        loop {
            self.lines()?;
            if self.take(b"esac") {
                return Ok(());
            }
            if self.peek() == Some(b'(') {
                self.at += 1;
                self.blanks()?;
            }
            self.patterns(open)?;
            self.list()?;
            match (self.peek(), self.peek_at(1)) {
                (Some(b';'), Some(b';' | b'&')) => {
                    self.at += 2;
                    if self.peek() == Some(b'&') {
                        self.at += 1;
                    }
                }
                (None, _) => return Err(Stop::Unclosed { at: open }),
                _ => return self.close(b"esac", open),
            }
        }
    }

    fn patterns(&mut self, open: usize) -> Result<(), Stop> {
        loop {
            self.blanks()?;
            if !self.at_word() {
                return Err(match self.peek() {
                    None => Stop::Unclosed { at: open },
                    Some(_) => self.unexpected(),
                });
            }
            self.word()?;
            self.blanks()?;
            match self.peek() {
                Some(b'|') if self.peek_at(1) != Some(b'|') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return Ok(());
                }
                None => return Err(Stop::Unclosed { at: open }),
                Some(_) => return Err(self.unexpected()),
            }
        }
    }

    /// Skims `[[ … ]]`: finds its end and the substitutions inside.
    fn test(&mut self, open: usize) -> Result<(), Stop> {
        self.at += 2;
        self.doubt(Doubt::Conditional);
        loop {
            self.lines()?;
            match self.peek() {
                None => return Err(Stop::Unclosed { at: open }),
                _ if self.take(b"]]") => return Ok(()),
                _ if self.at_word() => {
                    self.word()?;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn keyword_function(&mut self) -> Result<(), Stop> {
        self.at += 8;
        self.blanks()?;
        if !self.at_word() {
            return Err(self.unexpected());
        }
        let name = self.word()?;
        match name.literal() {
            Some(name) => {
                if !is_name(name) {
                    self.doubt(Doubt::Rare);
                }
                self.out.functions.push(name.into());
            }
            None => self.doubt(Doubt::Rare),
        }
        self.blanks()?;
        if self.peek() == Some(b'(') {
            self.at += 1;
            self.blanks()?;
            // `function f (list)` has its body in these parentheses.
            if self.peek() != Some(b')') {
                self.doubt(Doubt::Rare);
                self.some_list()?;
                if self.peek() != Some(b')') {
                    return Err(self.unexpected());
                }
                self.at += 1;
                return Ok(());
            }
            self.at += 1;
        }
        self.lines()?;
        if self.nested(Self::compound)? {
            return Ok(());
        }
        Err(self.unexpected())
    }
}
