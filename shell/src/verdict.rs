//! What is said of a command line.

use std::path::PathBuf;

use bstr::BString;

use crate::span::Span;

/// Everything that was found out about a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The simple commands, wrapped ones too.
    pub commands: Vec<Checked>,
    /// What is wrong, in the order in which it stands.
    pub findings: Vec<Finding>,
    /// What was not checked, and why.
    pub abstained: Vec<Abstained>,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Where it stands.
    pub span: Span,
    /// The program that it runs; `None` for what the shell does itself, and where it is not known.
    pub tool: Option<PathBuf>,
    /// The subcommand, a word for each level.
    pub subcommand: Vec<BString>,
    /// How much is known of its flags.
    pub evidence: Level,
}

/// How much is known of a tool's flags.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Level {
    /// Too little to say that a flag is none of them.
    None,
    /// Most of them: from text that was written for people.
    Open,
    /// All of them: from the table that the tool itself reads, or sources that agree.
    Closed,
}

/// One thing that is wrong, or seems so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub code: Code,
    /// How it is known.
    pub tier: Tier,
    /// Where it stands.
    pub span: Span,
    /// The word or flag at fault.
    pub token: BString,
    /// What to tell the author: one clause, lower case.
    pub message: BString,
    /// What may have been meant, likeliest first.
    pub suggestions: Vec<BString>,
    /// What it rests on.
    pub evidence: Vec<Source>,
}

/// How a finding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// As the shell itself would find. Only these block.
    Exact,
    /// Against a set that is known to be whole.
    Closed,
    /// Against a set that may lack something.
    Open,
}

/// What is wrong. Stable, one meaning each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// bash cannot parse it.
    SyntaxError,
    /// No program, function or builtin has this name.
    UnknownCommand,
    /// A here-document is ended by the end of the text.
    UnterminatedHeredoc,
    /// The tool has no such subcommand.
    UnknownSubcommand,
    /// The tool has no such flag.
    UnknownFlag,
    /// Another subcommand of the tool has this flag; this one has not.
    FlagOfOtherSubcommand,
    /// The beginning of several flags.
    AmbiguousAbbreviation,
    /// The rest of a group of flags is the value of one of them, though it looks like flags.
    OptionTakesRest,
    /// Backquotes run a command where text is more likely meant.
    SubstitutionInText,
}

impl Code {
    /// Returns the code as reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SyntaxError => "syntax-error",
            Self::UnknownCommand => "unknown-command",
            Self::UnterminatedHeredoc => "unterminated-heredoc",
            Self::UnknownSubcommand => "unknown-subcommand",
            Self::UnknownFlag => "unknown-flag",
            Self::FlagOfOtherSubcommand => "flag-of-other-subcommand",
            Self::AmbiguousAbbreviation => "ambiguous-abbreviation",
            Self::OptionTakesRest => "option-takes-rest",
            Self::SubstitutionInText => "substitution-in-text",
        }
    }
}

/// Where flags are known from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Source {
    /// Its kind.
    pub kind: Kind,
    /// The file; empty for what is built in.
    pub path: PathBuf,
    /// How many flags it gave.
    pub flags: usize,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// A manual page.
    Manual,
    /// The tables in the program that getopt reads.
    Program,
    /// The text of a script.
    Script,
    /// A completion for bash, fish or zsh.
    Completion,
    /// What is built into surefoot.
    BuiltIn,
    /// What the tool printed when asked for help.
    Help,
}

impl Kind {
    /// Returns the kind as reports have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Program => "program",
            Self::Script => "script",
            Self::Completion => "completion",
            Self::BuiltIn => "built-in",
            Self::Help => "help",
        }
    }
}

/// What was not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstained {
    /// Where it stands.
    pub span: Span,
    /// Why.
    pub why: BString,
}
