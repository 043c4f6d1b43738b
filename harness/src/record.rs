//! What a sweep found, as a small table that is kept with the sources.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::Trouble;

/// A table to be kept, and whether nothing is wrong in it.
#[derive(Debug)]
pub(crate) struct Record {
    /// The file's name.
    pub(crate) name: String,
    /// The file's text.
    pub(crate) text: String,
    /// Whether the sweep's promise held.
    pub(crate) right: bool,
}

impl Record {
    /// Writes the table below `folder`, and says it on standard output.
    #[expect(
        clippy::print_stdout,
        reason = "the table is what the program is run for"
    )]
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness records what it finds"
    )]
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Trouble> {
        let path = folder.join(&self.name);
        let named = |error| format!("cannot write `{}`: {error}", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(named)?;
        std::fs::write(&path, &self.text).map_err(named)?;
        print!("{}", self.text);
        Ok(())
    }
}

/// Counts by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, usize>);

impl Tally {
    /// Counts one more `name`.
    pub(crate) fn count(&mut self, name: impl Into<String>) {
        self.add(name, 1);
    }

    /// Counts `number` more of `name`.
    pub(crate) fn add(&mut self, name: impl Into<String>, number: usize) {
        *self.0.entry(name.into()).or_default() += number;
    }

    /// Returns how often `name` was counted.
    pub(crate) fn of(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Returns how often anything was counted.
    pub(crate) fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Adds a line for each name to `text`, the most frequent first.
    pub(crate) fn print(&self, text: &mut String, indent: &str) {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        for (name, count) in rows {
            let _infallible = writeln!(text, "{indent}{count:>6}  {name}");
        }
    }
}

/// Says `message` on standard error.
#[expect(clippy::print_stderr, reason = "talk goes to standard error")]
pub(crate) fn complain(message: &str) {
    eprintln!("surefoot-harness: {message}");
}
