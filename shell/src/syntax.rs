//! Finds every simple command of a bash command line, with its words as far as they are literal.
//!
//! The parser follows bash's grammar closely enough that what it accepts *without a doubt* parses in
//! bash too; the tests hold it to that. What it rejects, and what it doubts, is for bash to judge:
//! nothing here blocks a command. It never recurses deeper than [`MAX_DEPTH`] and takes no more steps
//! than a bound that follows from the text's length.

mod command;
mod compound;
mod expansion;
mod redirect;
mod word;

use bstr::BString;

use crate::span::Span;

/// How deep commands and expansions may be nested before the parser gives up.
pub const MAX_DEPTH: usize = 64;

/// What a text holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Every simple command, in the order in which their first words stand.
    pub commands: Vec<Simple>,
    /// The names of the functions that the text defines.
    pub functions: Vec<BString>,
    /// Why bash has to be asked although the parser accepts. Empty where it is sure.
    pub doubts: Vec<Doubt>,
    /// Command substitutions where text is more likely meant.
    pub in_text: Vec<InText>,
}

/// A command with its words: no compound command, no function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    /// From its first byte to its last.
    pub span: Span,
    /// The names that it assigns to before its first word.
    pub assigns: Vec<BString>,
    /// The command's name and its arguments. Empty where it only assigns or redirects.
    pub words: Vec<Word>,
    /// What becomes of its failure.
    pub failure: Failure,
    /// Whether the text around it is more likely meant as text.
    pub setting: Setting,
}

/// What becomes of a command's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It counts.
    Counts,
    /// Something stands behind `||` for it.
    Caught,
}

/// Where a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Among commands.
    Command,
    /// Between backquotes in an unquoted here-document.
    Text,
}

/// One word of a command, decoded as far as its value is known before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word as it stands, with its quotes.
    pub span: Span,
    /// Its value up to where it ceases to be known.
    pub lead: BString,
    /// What follows the lead.
    pub rest: Rest,
    /// Whether any of it is quoted.
    pub quoting: Quoting,
}

impl Word {
    /// Returns the value, or `None` where part of it is only known when the command runs.
    #[must_use]
    pub fn literal(&self) -> Option<&[u8]> {
        (self.rest == Rest::Nothing).then_some(self.lead.as_slice())
    }
}

/// What follows the known part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing: the lead is the value.
    Nothing,
    /// Something that the shell puts in when it runs.
    Open(Why),
}

/// Why a word's value is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A parameter or an arithmetic expansion.
    Expansion,
    /// A command substitution or a process substitution.
    Substitution,
    /// A pattern for file names.
    Glob,
    /// A brace expansion.
    Brace,
    /// A home folder.
    Tilde,
}

/// Whether a word is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// No byte of it is.
    Bare,
    /// The whole of it stands between one pair of single quotes, so its bytes stand in the text too.
    Single,
    /// Otherwise.
    Other,
}

/// A construct on which the parser may differ from bash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// `name[`: a subscript, which bash reads differently where an assignment may stand.
    Subscript,
    /// `=(` or an extended pattern.
    Parenthesis,
    /// `[[ … ]]`, whose inside the parser only skims.
    Conditional,
    /// `coproc`, `select`, or a name that bash checks further.
    Rare,
    /// A here-document that the end of the text ends.
    OpenHereDocument,
    /// A here-document whose text begins after the substitution that it stands in.
    StraddlingHereDocument,
    /// Quotes in a parameter expansion between double quotes.
    Quotes,
}

/// A command substitution where text is more likely meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InText {
    /// The substitution, with its backquotes.
    pub span: Span,
    /// Where it stands.
    pub place: Place,
}

/// Where backquotes run a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a here-document whose delimiter is not quoted.
    HereDocument,
    /// In a word between double quotes, beside other text.
    DoubleQuotes,
}

/// Why a text was not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The grammar has no place for what stands here.
    Unexpected {
        /// The byte where it stands; the text's length where it ends too early.
        at: usize,
    },
    /// A quote, bracket or compound command is never closed.
    Unclosed {
        /// Where it opens.
        at: usize,
    },
    /// It is nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Reading it takes more steps than its length justifies.
    TooCostly,
}

/// Parses a whole text.
///
/// # Errors
///
/// Where the parser cannot read it; bash may still be able to.
///
/// # Complexity
///
/// `O(n)` for texts as people write them; never more than a fixed multiple of `n` before it stops.
pub fn parse(text: &[u8]) -> Result<Script, Stop> {
    let mut parser = Parser::new(text);
    parser.list()?;
    if parser.at < text.len() {
        return Err(parser.unexpected());
    }
    if !parser.pending.is_empty() {
        parser.out.doubts.push(Doubt::OpenHereDocument);
    }
    let mut script = parser.out;
    script.commands.sort_by_key(|command| command.span.start);
    Ok(script)
}

/// Reads one text from its start to its end.
#[derive(Debug)]
struct Parser<'a> {
    /// Only up to where is read: a here-document's text is read by moving the end.
    text: &'a [u8],
    at: usize,
    depth: usize,
    steps: usize,
    setting: Setting,
    pending: Vec<redirect::HereDocument>,
    out: Script,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            // Scans ahead (for the end of arithmetic) may read a byte a few times, never without end.
            steps: text.len().saturating_mul(24).saturating_add(4096),
            setting: Setting::Command,
            pending: Vec::new(),
            out: Script::default(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn looks_at(&self, what: &[u8]) -> bool {
        self.text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(what))
    }

    fn unexpected(&self) -> Stop {
        Stop::Unexpected { at: self.at }
    }

    fn step(&mut self, cost: usize) -> Result<(), Stop> {
        self.steps = self.steps.checked_sub(cost).ok_or(Stop::TooCostly)?;
        Ok(())
    }

    /// Runs `read` one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.depth >= MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    fn doubt(&mut self, doubt: Doubt) {
        if !self.out.doubts.contains(&doubt) {
            self.out.doubts.push(doubt);
        }
    }

    /// Moves past blanks, escaped newlines and a comment.
    fn blanks(&mut self) -> Result<(), Stop> {
        loop {
            self.step(1)?;
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => {
                    while self.peek().is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Moves past blanks, comments and newlines, and past the here-documents that begin there.
    fn lines(&mut self) -> Result<(), Stop> {
        loop {
            self.blanks()?;
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.at += 1;
            self.here_documents()?;
        }
    }
}

/// Tells whether `byte` ends an unquoted word.
fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>'
    )
}

/// Tells whether `name` may name a variable.
fn is_name(name: &[u8]) -> bool {
    name.first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

#[cfg(test)]
mod tests;
