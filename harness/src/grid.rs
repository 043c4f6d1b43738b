//! The perturbation grid: every applier on every edit under every drift, against a truth that was
//! fixed before any of them ran.

mod appliers;
mod patch;
mod ratio;
mod surefoot;

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::num::NonZero;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use surefoot_corpus::grid::{Condition, Corpus, Edit, Manifest, Trial};

use self::appliers::Applier;
use crate::Trouble;
use crate::record::Record;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many threads; by default one a core.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Run only the appliers of this name.
    #[arg(long)]
    only: Option<String>,
}

/// What became of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letter {
    /// The file is the expected one, byte for byte.
    Success,
    /// The applier refused, and the file is as it was.
    Clean,
    /// The applier reports success, and the file is another.
    Silent,
}

impl Letter {
    fn of(answer: Option<&str>, expected: &str) -> Self {
        match answer {
            Some(file) if file == expected => Self::Success,
            Some(_) => Self::Silent,
            None => Self::Clean,
        }
    }

    fn as_char(self) -> char {
        match self {
            Self::Success => 'S',
            Self::Clean => 'C',
            Self::Silent => 'X',
        }
    }
}

/// The outcomes of a run: a letter for each edit, condition and applier.
#[derive(Debug)]
pub(crate) struct Outcomes {
    appliers: Vec<Applier>,
    /// By edit; in each by condition and then by applier.
    letters: Vec<Vec<Letter>>,
}

/// Runs the grid on the pinned Python library.
pub(crate) fn run(options: &Options) -> Result<Record, Trouble> {
    let corpus = stdlib()?;
    let wanted = |applier: &Applier| {
        let only = options.only.as_ref();
        only.is_none_or(|name| applier.name().contains(name.as_str()))
    };
    let appliers: Vec<Applier> = appliers::ALL.iter().copied().filter(wanted).collect();
    if appliers.is_empty() {
        return Err("no applier has this name".into());
    }
    let jobs = options
        .jobs
        .or_else(|| std::thread::available_parallelism().ok());
    let outcomes = Outcomes::of(&corpus, &appliers, jobs.map_or(1, NonZero::get))?;
    Ok(Record {
        name: "grid.txt".to_owned(),
        right: outcomes.surefoot_is_never_silent(),
        text: outcomes.table(),
    })
}

/// Reads the 640 edits of the pinned Python library.
pub(crate) fn stdlib() -> Result<Corpus, Trouble> {
    let root = Path::new(rustpython_pylib::LIB_PATH);
    Ok(Corpus::load(root, &Manifest::stdlib()?)?)
}

impl Outcomes {
    /// Runs `appliers` on every edit of `corpus`, on `jobs` threads. Equal for any number of them.
    pub(crate) fn of(corpus: &Corpus, appliers: &[Applier], jobs: usize) -> Result<Self, Trouble> {
        let edits = corpus.edits();
        let share = edits.len().div_ceil(jobs.max(1)).max(1);
        let letters = std::thread::scope(|scope| {
            let run = |edits| scope.spawn(move || outcomes_of(edits, appliers));
            let threads: Vec<_> = edits.chunks(share).map(run).collect();
            let mut all = Vec::new();
            for thread in threads {
                all.extend(
                    thread
                        .join()
                        .map_err(|_| "a thread of the grid panicked")??,
                );
            }
            Ok::<_, Trouble>(all)
        })?;
        Ok(Self {
            appliers: appliers.to_vec(),
            letters,
        })
    }

    fn letter(&self, edit: usize, condition: usize, applier: usize) -> Option<Letter> {
        let at = condition * self.appliers.len() + applier;
        self.letters.get(edit)?.get(at).copied()
    }

    /// Counts successes, clean and silent failures of one cell.
    pub(crate) fn cell(&self, condition: usize, applier: usize) -> [usize; 3] {
        let count = |wanted| {
            let is = |edit: &usize| self.letter(*edit, condition, applier) == Some(wanted);
            (0..self.letters.len()).filter(is).count()
        };
        [Letter::Success, Letter::Clean, Letter::Silent].map(count)
    }

    fn surefoot_is_never_silent(&self) -> bool {
        let silent = |(applier, kind): (usize, &Applier)| {
            let cells = (0..Condition::GRID.len()).map(|condition| self.cell(condition, applier));
            kind.is_ours() && cells.into_iter().any(|[_, _, silent]| silent > 0)
        };
        !self.appliers.iter().enumerate().any(silent)
    }

    /// Returns the SHA-256 of every outcome of the six baselines, in the construction's order.
    pub(crate) fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        for edit in 0..self.letters.len() {
            for (condition, kind) in Condition::GRID.iter().enumerate() {
                for (at, applier) in self.appliers.iter().enumerate() {
                    if !applier.is_baseline() {
                        continue;
                    }
                    let letter = self
                        .letter(edit, condition, at)
                        .map_or('?', Letter::as_char);
                    let name = kind.name().to_lowercase();
                    hasher.update(format!("{edit}\t{name}\t{}\t{letter}\n", applier.name()));
                }
            }
        }
        let digest: [u8; 32] = hasher.finalize().into();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the table of cells: success/clean/silent.
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "success/clean/silent of {} edits, each under six conditions\n\n{:<40}",
            self.letters.len(),
            ""
        );
        let mut put = |words: std::fmt::Arguments<'_>| text.write_fmt(words).unwrap_or_default();
        for condition in Condition::GRID {
            put(format_args!(" {:>12}", condition.name()));
        }
        for (at, applier) in self.appliers.iter().enumerate() {
            put(format_args!("\n{:<40}", applier.name()));
            for condition in 0..Condition::GRID.len() {
                let [success, clean, silent] = self.cell(condition, at);
                put(format_args!(
                    " {:>12}",
                    format!("{success}/{clean}/{silent}")
                ));
            }
        }
        put(format_args!(
            "\n\ndigest of the six baselines: {}\n",
            self.digest()
        ));
        text
    }

    /// Returns one letter a trial, a line for each applier and condition.
    #[cfg(test)]
    pub(crate) fn letters(&self) -> String {
        let mut text = String::new();
        for (at, applier) in self.appliers.iter().enumerate() {
            for (condition, kind) in Condition::GRID.iter().enumerate() {
                let line: String = (0..self.letters.len())
                    .filter_map(|edit| self.letter(edit, condition, at))
                    .map(Letter::as_char)
                    .collect();
                let words = writeln!(text, "{} {}\n{line}", applier.name(), kind.name());
                words.unwrap_or_default();
            }
        }
        text
    }
}

fn outcomes_of(edits: &[Edit], appliers: &[Applier]) -> Result<Vec<Vec<Letter>>, Trouble> {
    let scratch = tempfile::tempdir()?;
    let mut all = Vec::new();
    for edit in edits {
        let mut letters = Vec::new();
        for condition in Condition::GRID {
            let trial = Trial::new(edit, condition);
            for applier in appliers {
                let answer = applier.apply(&trial, scratch.path())?;
                letters.push(Letter::of(answer.as_deref(), &trial.expected));
            }
        }
        all.push(letters);
    }
    Ok(all)
}
