//! JSON with what an edit needs and common readers drop: places, repeated keys, and raw bytes.
//!
//! A string's bytes are kept as they are, be they UTF-8 or not. A key that stands twice in one
//! object, an escape that is half of a surrogate pair, and a text that ends too early are errors.

use bstr::BString;
use surefoot_engine::patch::Span;

use crate::error::{ParseError, ParseErrorKind};
use crate::input::{line_at, quoted};

/// Arrays and objects within each other, at most.
const DEPTH: usize = 64;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// As written.
    Number(BString),
    String(BString),
    Array(Vec<Value>),
    /// No name stands twice.
    Object(Vec<(BString, Value)>),
}

impl Value {
    /// Returns what kind of value this is, in words.
    pub(crate) fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }
}

/// Reads the one value that begins at byte `at` of `input`, after white space, and returns it with
/// the offset behind it.
///
/// # Errors
///
/// Where there is none.
pub(crate) fn read(input: &[u8], at: usize) -> Result<(Value, usize), ParseError> {
    let mut reader = Reader { input, at };
    let value = reader.value(0)?;
    Ok((value, reader.at))
}

struct Reader<'a> {
    input: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, start: usize, message: String) -> ParseError {
        let span = Span {
            start,
            end: self.at.max(start),
        };
        let line = line_at(self.input, start);
        ParseError {
            kind: ParseErrorKind::Malformed,
            line,
            span,
            path: None,
            message,
        }
    }

    fn unexpected(&self, wanted: &str) -> ParseError {
        match self.input.get(self.at..) {
            None | Some([]) => {
                self.error(self.at, format!("the JSON is cut off: {wanted} is missing"))
            }
            Some([byte, ..]) => self.error(
                self.at,
                format!("the JSON has {} instead of {wanted}", quoted(&[*byte])),
            ),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, ParseError> {
        self.skip_blanks();
        let start = self.at;
        if depth > DEPTH {
            return Err(self.error(start, format!("the JSON nests deeper than {DEPTH}")));
        }
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Value {
            kind,
            span: Span {
                start,
                end: self.at,
            },
        })
    }

    fn word(&mut self) -> Result<Kind, ParseError> {
        let words: [(&[u8], Kind); 3] = [
            (b"null", Kind::Null),
            (b"true", Kind::Bool(true)),
            (b"false", Kind::Bool(false)),
        ];
        let rest = self.input.get(self.at..).unwrap_or_default();
        for (word, kind) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.unexpected("a value"))
    }

    fn number(&mut self) -> Result<Kind, ParseError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected("a number without leading zero"));
        }
        Ok(Kind::Number(
            self.input.get(start..self.at).unwrap_or_default().into(),
        ))
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            Err(self.unexpected("a digit"))
        } else {
            Ok(())
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, ParseError> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(Kind::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Kind, ParseError> {
        let mut fields = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(fields));
        }
        loop {
            let (name, start) = self.key()?;
            if !seen.insert(name.clone()) {
                let message = format!("the key {} stands twice in one object", quoted(&name));
                return Err(self.error(start, message));
            }
            fields.push((name, self.value(depth + 1)?));
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("`,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Kind::Object(fields))
    }

    fn key(&mut self) -> Result<(BString, usize), ParseError> {
        self.skip_blanks();
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in quotes"));
        }
        let name = self.string()?;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok((name, start))
    }

    fn string(&mut self) -> Result<BString, ParseError> {
        let mut out = BString::default();
        self.at += 1;
        loop {
            let rest = self.input.get(self.at..).unwrap_or_default();
            let plain = rest
                .iter()
                .take_while(|b| !matches!(b, b'"' | b'\\' | 0..0x20))
                .count();
            out.extend_from_slice(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => {
                    let message = "a JSON string holds a control byte that must be escaped".into();
                    return Err(self.error(self.at, message));
                }
                None => return Err(self.unexpected("the end of a string")),
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn escape(&mut self, out: &mut BString) -> Result<(), ParseError> {
        let start = self.at;
        self.at += 1;
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0C,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let c = self.unicode(start)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.unexpected("an escape that JSON knows")),
        };
        self.at += 1;
        out.push(byte);
        Ok(())
    }

    /// Reads what follows a `\u`, both halves where it is a pair.
    fn unicode(&mut self, start: usize) -> Result<char, ParseError> {
        let first = self.hex4()?;
        let code = if (0xD800..0xDC00).contains(&first) && self.rest_is(b"\\u") {
            self.at += 2;
            let second = self.hex4()?;
            let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
            low.map(|low| 0x1_0000 + ((first - 0xD800) << 10) + low)
        } else {
            Some(first)
        };
        code.and_then(char::from_u32)
            .ok_or_else(|| self.error(start, "a JSON escape is half of a surrogate pair".into()))
    }

    fn rest_is(&self, text: &[u8]) -> bool {
        self.input
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(text))
    }

    fn hex4(&mut self) -> Result<u32, ParseError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("four hex digits"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests;
