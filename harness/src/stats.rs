//! What trials come to: rates with their intervals, two appliers side by side, and a digest.

pub(crate) mod bootstrap;
pub(crate) mod digest;
pub(crate) mod mcnemar;
pub(crate) mod rate;

#[cfg(test)]
mod tests;

use crate::appliers::Answer;

/// What became of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The one right file, byte for byte.
    Success,
    /// Nothing was changed, and the author was told.
    Clean,
    /// Anything else, without a word.
    Silent,
    /// Anything else, with a warning.
    Flagged,
    /// The applier ended without an answer.
    Crashed,
    /// The applier took too long.
    TimedOut,
}

impl Verdict {
    /// All of them, in the order of tables.
    pub(crate) const ALL: [Self; 6] = [
        Self::Success,
        Self::Clean,
        Self::Silent,
        Self::Flagged,
        Self::Crashed,
        Self::TimedOut,
    ];

    /// Judges `answer` by the file that the edit was to make.
    pub(crate) fn of(answer: &Answer, expected: &str) -> Self {
        match answer {
            Answer::Refused(_) => Self::Clean,
            Answer::Applied(text) if text == expected => Self::Success,
            Answer::Applied(_) => Self::Silent,
        }
    }

    /// Returns the letter that stands for it in records and digests.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Success => 'S',
            Self::Clean => 'C',
            Self::Silent => 'X',
            Self::Flagged => 'F',
            Self::Crashed => 'K',
            Self::TimedOut => 'T',
        }
    }

    /// Returns the word for it in rows and summaries.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Clean => "clean",
            Self::Silent => "silent",
            Self::Flagged => "flagged",
            Self::Crashed => "crashed",
            Self::TimedOut => "timed-out",
        }
    }
}
