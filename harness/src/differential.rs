//! Generated diffs on real files, applied by git and by surefoot, each on its own copy.
//!
//! Where both accept, bytes and modes must be equal, unless git is wrong; and as each line of the
//! file is known by where it came from, the landings of both are judged by the truth.

mod drift;
mod render;
mod sources;
mod trial;
mod truth;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;
use surefoot_corpus::{Entry, Tree};

use self::trial::{Place, Trial, Truth};
use crate::Trouble;
use crate::process::{Answer, Git, Surefoot};
use crate::record::{Record, Tally};
use crate::rng::Rng;

/// What to try.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many diffs.
    #[arg(long, default_value_t = 2400)]
    trials: usize,
    /// From which all choices follow; 3 is kept apart, and no rule is made by looking at its trials.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Try only this trial.
    #[arg(long)]
    only: Option<usize>,
    /// A folder to put the trials in that ended wrong, or the only one.
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// How one program's try ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Right,
    Wrong,
    Refused,
}

impl Ending {
    const ALL: [Self; 3] = [Self::Right, Self::Wrong, Self::Refused];

    fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "WRONG",
            Self::Refused => "refused",
        }
    }
}

/// What both programs did.
struct Outcome {
    git: Ending,
    ours: Ending,
    differ: bool,
    answer: Answer,
    dirty: bool,
}

/// What is known so far.
#[derive(Default)]
struct Sweep {
    pairs: Tally,
    differing: Tally,
    refusals: Tally,
    needless: Tally,
    faults: String,
}

/// Runs the sweep.
pub(crate) fn run(surefoot: &Surefoot, options: &Options) -> Result<Record, Trouble> {
    let sources = sources::sources()?;
    let arena = Arena::new()?;
    let mut sweep = Sweep::default();
    let trials = options
        .only
        .map_or(0..options.trials, |only| only..only + 1);
    for index in trials {
        let mut rng = Rng::of_trial(options.seed, index);
        let Some(trial) = trial::make(&sources, &mut rng)? else {
            sweep.pairs.count("no change");
            continue;
        };
        let outcome = arena.try_both(surefoot, &trial)?;
        let wrong = sweep.count(index, &trial, &outcome);
        if let Some(folder) = options
            .keep
            .as_ref()
            .filter(|_| wrong || options.only.is_some())
        {
            keep(&folder.join(index.to_string()), &trial, &outcome)?;
        }
    }
    Ok(sweep.record(options))
}

impl Sweep {
    /// Counts a trial; tells whether it ended wrong.
    fn count(&mut self, index: usize, trial: &Trial, outcome: &Outcome) -> bool {
        let key = |git: Ending, ours: Ending| format!("git {}, ours {}", git.name(), ours.name());
        self.pairs.count(key(outcome.git, outcome.ours));
        let drifts: Vec<String> = trial
            .drifts
            .iter()
            .map(|drift| format!("{drift:?}"))
            .collect();
        let drifts = if drifts.is_empty() {
            "no drift".to_owned()
        } else {
            drifts.join("+")
        };
        let ids = if trial.has_ids { "ids" } else { "no ids" };
        let about = format!(
            "{drifts}, {ids}, {:?}, context {}{}",
            trial.place,
            trial.context,
            if trial.misnumbered {
                ", misnumbered"
            } else {
                ""
            }
        );
        if outcome.ours == Ending::Refused && outcome.git == Ending::Right {
            self.refusals.count(outcome.answer.codes());
            if trial.drifts.is_empty() && !trial.misnumbered {
                let zero = if trial.context == 0 {
                    "no context"
                } else {
                    "context"
                };
                self.needless
                    .count(format!("{} ({ids}, {zero})", outcome.answer.codes()));
            }
        }
        if outcome.differ {
            let judged = format!(
                "git {}, ours {}, {ids}",
                outcome.git.name(),
                outcome.ours.name()
            );
            self.differing.count(judged);
        }
        let word = match (&outcome.answer, outcome.ours) {
            (Answer::Trouble(_), _) => "TROUBLE",
            _ if outcome.dirty => "DIRTY",
            (_, Ending::Wrong) if trial.is_decidable() => "SILENT",
            (_, Ending::Wrong) => "unproven",
            _ => return false,
        };
        let _infallible = writeln!(self.faults, "{word} trial {index}: {about}");
        true
    }

    fn record(&self, options: &Options) -> Record {
        let sum = |keys: &dyn Fn(Ending, Ending) -> bool| -> usize {
            let all = Ending::ALL
                .iter()
                .flat_map(|&git| Ending::ALL.map(|ours| (git, ours)));
            let chosen = all.filter(|&(git, ours)| keys(git, ours));
            chosen
                .map(|(a, b)| {
                    self.pairs
                        .of(&format!("git {}, ours {}", a.name(), b.name()))
                })
                .sum()
        };
        let tried = sum(&|_, _| true);
        let mut text = format!("{tried} diffs on real files, seed {}\n\n", options.seed);
        self.pairs.print(&mut text, "");
        let silent = [
            sum(&|git, _| git == Ending::Wrong),
            sum(&|_, ours| ours == Ending::Wrong),
        ];
        let _infallible = writeln!(
            text,
            "\nlanded wrong: git {}, ours {}",
            silent[0], silent[1]
        );
        text.push_str("\nboth accept, and the results differ\n");
        self.differing.print(&mut text, "");
        text.push_str("\ngit lands right and we refuse, by code\n");
        self.refusals.print(&mut text, "");
        text.push_str("\nthe same where the file had not changed and the numbers were right\n");
        self.needless.print(&mut text, "");
        if !self.faults.is_empty() {
            let _infallible = write!(text, "\n{}", self.faults);
        }
        let seed = if options.seed == 1 {
            String::new()
        } else {
            format!("-seed-{}", options.seed)
        };
        Record {
            name: format!("differential{seed}.txt"),
            text,
            right: self.faults.is_empty(),
        }
    }
}

/// The folders that the two programs work in.
struct Arena {
    folder: tempfile::TempDir,
}

impl Arena {
    fn new() -> Result<Self, Trouble> {
        let arena = Self {
            folder: tempfile::tempdir()?,
        };
        arena.make(&arena.repository(), &Tree::default())?;
        Git::at(&arena.repository()).output(&["init", "-q", "-b", "main"])?;
        Ok(arena)
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn try_both(&self, surefoot: &Surefoot, trial: &Trial) -> Result<Outcome, Trouble> {
        let before = tree(&trial.path, trial.file.as_deref(), trial.executable.0);
        let wanted = wanted(trial);
        let theirs = self.folder.path().join("theirs");
        self.make(&theirs, &before)?;
        let zero = if trial.context == 0 {
            "--unidiff-zero"
        } else {
            "--verbose"
        };
        let args = ["apply", "--whitespace=nowarn", zero, "-"];
        let done = Git::at(&theirs).attempt(&args, &trial.diff)?;
        let found_theirs = Tree::read(&theirs)?;
        let git = judge(done.status == Some(0), &found_theirs, wanted.as_ref());

        let root = self.lay_out(trial, &before)?;
        let answer = surefoot.apply(&root, &[], &trial.diff)?;
        let found = Tree::read(&root)?;
        let applied = matches!(answer, Answer::Applied(_));
        let ours = judge(applied, &found, wanted.as_ref());
        let both = applied && done.status == Some(0);
        let differ = both && found != found_theirs;
        let dirty = !applied && found != before;
        Ok(Outcome {
            git,
            ours,
            differ,
            answer,
            dirty,
        })
    }

    /// Makes `root` hold `tree` and nothing else.
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness makes what is edited"
    )]
    fn make(&self, root: &Path, tree: &Tree) -> Result<(), Trouble> {
        if root.is_dir() {
            std::fs::remove_dir_all(root)?;
        }
        Ok(tree.write(root)?)
    }

    /// Makes the file and its place, and returns the root.
    #[expect(
        clippy::disallowed_methods,
        reason = "the harness makes what is edited"
    )]
    fn lay_out(&self, trial: &Trial, before: &Tree) -> Result<PathBuf, Trouble> {
        let plain = self.folder.path().join("ours");
        if trial.place == Place::Plain {
            self.make(&plain, before)?;
            return Ok(plain);
        }
        let root = self.repository();
        for name in ["lib", ".git/objects", ".git/surefoot"] {
            if root.join(name).is_dir() {
                std::fs::remove_dir_all(root.join(name))?;
            }
        }
        std::fs::create_dir_all(root.join(".git/objects/pack"))?;
        if root.join(".git/index").is_file() {
            std::fs::remove_file(root.join(".git/index"))?;
        }
        let git = Git::at(&root);
        if trial.place != Place::BlobUnknown {
            tree(&trial.path, trial.base.as_deref(), trial.executable.0).write(&root)?;
            git.output(&["add", "-A"])?;
            std::fs::remove_dir_all(root.join("lib"))?;
        }
        before.write(&root)?;
        if trial.place != Place::BaseInIndex {
            git.output(&["add", "-A"])?;
        }
        Ok(root)
    }
}

fn judge(accepted: bool, found: &Tree, wanted: Option<&Tree>) -> Ending {
    match (accepted, wanted) {
        (false, _) => Ending::Refused,
        (true, Some(wanted)) if wanted == found => Ending::Right,
        (true, _) => Ending::Wrong,
    }
}

/// Returns a tree of one file, or of none.
fn tree(path: &str, content: Option<&[u8]>, executable: bool) -> Tree {
    let mut tree = Tree::default();
    if let Some(content) = content {
        tree.insert(
            path,
            Entry::File {
                content: content.into(),
                executable,
            },
        );
    }
    tree
}

/// Returns the one right tree; `None` where only a refusal is right.
fn wanted(trial: &Trial) -> Option<Tree> {
    let path = trial.renamed.as_ref().unwrap_or(&trial.path);
    match &trial.truth {
        Truth::Content(content) => Some(tree(path, Some(content), trial.executable.1)),
        Truth::Gone => Some(Tree::default()),
        Truth::Refusal => None,
    }
}

/// Writes a trial down for reading.
#[expect(
    clippy::disallowed_methods,
    reason = "the harness keeps what went wrong"
)]
fn keep(folder: &Path, trial: &Trial, outcome: &Outcome) -> Result<(), Trouble> {
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content);
    write("edit.diff", &trial.diff)?;
    write("base", trial.base.as_deref().unwrap_or_default())?;
    write("file", trial.file.as_deref().unwrap_or_default())?;
    if let Truth::Content(content) = &trial.truth {
        write("wanted", content)?;
    }
    let (git, ours, answer) = (outcome.git, outcome.ours, &outcome.answer);
    let place = trial.place;
    let about = format!(
        "git {git:?}, ours {ours:?}, {place:?}\n{:?}\n{answer:?}\n",
        trial.drifts
    );
    write("about.txt", about.as_bytes().as_bstr())?;
    Ok(())
}
