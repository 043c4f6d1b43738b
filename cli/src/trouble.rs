//! What kept us from an answer: bad usage, the disk, the repository. Exit status 2.

use std::error::Error as StdError;
use std::io::Write as _;
use std::path::PathBuf;

use bstr::ByteSlice as _;
use surefoot_engine::outcome::Quoted;
use surefoot_engine::worktree;

/// The exit status of trouble.
pub(crate) const STATUS: u8 = 2;

/// What kept us from an answer. A refusal is an answer and no trouble.
#[derive(Debug)]
pub(crate) struct Trouble {
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
    fate: Fate,
}

/// What became of the files.
#[derive(Debug)]
enum Fate {
    /// They are as they were.
    Untouched,
    /// The edits landed; the trouble came after.
    Landed,
    /// These could not be put back.
    Left(Vec<PathBuf>),
}

impl Trouble {
    /// Returns the trouble that `message` says and `source` caused.
    pub(crate) fn new(
        message: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self {
            message: message.into(),
            source: Some(source.into()),
            fate: Fate::Untouched,
        }
    }

    /// Returns the trouble that `message` says.
    pub(crate) fn plain(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
            fate: Fate::Untouched,
        }
    }

    /// Returns this trouble as one that came after the edits landed.
    pub(crate) fn after_landing(self) -> Self {
        Self {
            fate: Fate::Landed,
            ..self
        }
    }

    /// Says on standard error what happened, its causes joined by `: `, and what became of the
    /// files.
    pub(crate) fn tell(&self) {
        tell(&self.words());
    }

    fn words(&self) -> String {
        let mut words = format!("surefoot: {}", self.message);
        let mut source = self.source.as_ref().map(|source| {
            let source: &(dyn StdError + 'static) = source.as_ref();
            source
        });
        while let Some(error) = source {
            words.push_str(": ");
            words.push_str(&Quoted(error.to_string().as_str().into()).to_string());
            source = error.source();
        }
        match &self.fate {
            Fate::Untouched => words.push_str("\nnothing was written"),
            Fate::Landed => words.push_str("\nthe edits are applied"),
            Fate::Left(paths) => paths.iter().for_each(|path| {
                let path = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
                words.push_str("\ncould not be put back: `");
                words.push_str(&Quoted(path.as_bstr()).to_string());
                words.push('`');
            }),
        }
        words.push('\n');
        words
    }
}

impl From<worktree::Error> for Trouble {
    fn from(error: worktree::Error) -> Self {
        let left = error.left;
        let fate = if left.is_empty() {
            Fate::Untouched
        } else {
            Fate::Left(left)
        };
        Self {
            message: error.message,
            source: error.source,
            fate,
        }
    }
}

/// Writes `words` to standard error. Where even that is closed there is nobody left to tell.
pub(crate) fn tell(words: &str) {
    std::io::stderr()
        .lock()
        .write_all(words.as_bytes())
        .unwrap_or_default();
}
