//! Daily work must not be refused: a repository's last commits, as small text edits one by one.
//!
//! Each hunk of a commit becomes one edit or two; each quotes whole lines, just enough of them to be
//! unique in the file as it then is. Nothing is committed in between, so all but the first edits
//! meet a file that git does not know. After a refusal the harness makes the change itself, as a
//! person would.

mod cut;

use std::fmt::Write as _;
use std::path::PathBuf;

use bstr::ByteSlice as _;

use self::cut::{Change, cut};
use crate::Trouble;
use crate::process::{Answer, Surefoot};
use crate::record::{Record, Tally};
use crate::rng::Rng;
use crate::scratch::{Commit, Scratch};

/// What to try.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The repository; it is cloned, and not touched.
    repository: PathBuf,
    /// How many of its last commits with one parent.
    #[arg(long, default_value_t = 500)]
    commits: usize,
    /// From which all choices follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file for the first edits and for every fault, one JSON document a line.
    #[arg(long)]
    log: Option<PathBuf>,
}

/// How many edits go into the log for reading, right or not.
const SHOWN: usize = 50;

/// What is known so far.
struct Sweep<'s> {
    surefoot: &'s Surefoot,
    scratch: Scratch,
    endings: Tally,
    codes: Tally,
    settings: Tally,
    log: Vec<String>,
}

/// Runs the sweep.
pub(crate) fn run(surefoot: &Surefoot, options: &Options) -> Result<Record, Trouble> {
    let scratch = Scratch::clone(&options.repository, options.commits)?;
    let commits = scratch.commits.clone();
    let (endings, codes, settings) = <(Tally, Tally, Tally)>::default();
    let mut sweep = Sweep {
        surefoot,
        scratch,
        endings,
        codes,
        settings,
        log: Vec::new(),
    };
    for (index, commit) in commits.iter().enumerate() {
        sweep.try_commit(commit, &mut Rng::of_trial(options.seed, index))?;
    }
    if let Some(path) = &options.log {
        write_log(path, &sweep.log)?;
    }
    sweep.record(options)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness records what it finds"
)]
fn write_log(path: &std::path::Path, lines: &[String]) -> Result<(), Trouble> {
    Ok(std::fs::write(path, lines.join("\n") + "\n")?)
}

impl Sweep<'_> {
    fn record(&self, options: &Options) -> Result<Record, Trouble> {
        let name = &self.scratch.name;
        let head = self
            .scratch
            .commits
            .last()
            .map_or("", |commit| commit.id.as_str());
        let commits = self.scratch.commits.len();
        let edits = self.endings.total();
        let refused = self.endings.of("refused");
        let mut text = format!(
            "{name} at {head}: {commits} commits, seed {}\n\n",
            options.seed
        );
        writeln!(text, "{edits:>6}  edits")?;
        self.endings.print(&mut text, "");
        writeln!(text, "\nrefused: {refused} of {edits}, by code")?;
        self.codes.print(&mut text, "");
        text.push_str("\nedits by setting\n");
        self.settings.print(&mut text, "");
        let wrong =
            self.endings.of("SILENT") + self.endings.of("DIRTY") + self.endings.of("TROUBLE");
        let right = wrong == 0 && refused * 100 <= edits * 2;
        Ok(Record {
            name: format!("daily-{}.txt", name.replace('/', "-")),
            text,
            right,
        })
    }

    fn try_commit(&mut self, commit: &Commit, rng: &mut Rng) -> Result<(), Trouble> {
        let changes = self.changes(commit)?;
        if changes.is_empty() {
            return Ok(());
        }
        self.scratch.move_to(&commit.parent)?;
        let rebasing = rng.chance(20) && self.stop_a_rebase(&commit.parent)?;
        for change in changes {
            self.try_change(&change, rebasing, rng)?;
        }
        if rebasing {
            self.scratch.git.output(&["rebase", "--quit"])?;
        }
        Ok(())
    }

    /// Returns the commit's changes to text files.
    fn changes(&self, commit: &Commit) -> Result<Vec<Change>, Trouble> {
        let git = &self.scratch.git;
        let raw = git.output(&["diff-tree", "-r", "-z", "--raw", &commit.parent, &commit.id])?;
        let fields: Vec<&[u8]> = raw.split(|&byte| byte == 0).collect();
        let mut changes = Vec::new();
        for pair in fields.chunks_exact(2) {
            let [state, path] = pair else { continue };
            let (Ok(state), Ok(path)) = (state.to_str(), path.to_str()) else {
                continue;
            };
            let parts: Vec<&str> = state.trim_start_matches(':').split(' ').collect();
            let [old_mode, new_mode, old, new, _] = parts[..] else {
                continue;
            };
            let regular = |mode: &str| mode.starts_with("100") || mode == "000000";
            if !regular(old_mode) || !regular(new_mode) || old == new {
                continue;
            }
            let old = self.blob(old_mode, old)?;
            let new = self.blob(new_mode, new)?;
            let text = |blob: &Option<Vec<u8>>| {
                blob.as_ref()
                    .is_none_or(|blob| !blob.contains(&0) && blob.to_str().is_ok())
            };
            if text(&old) && text(&new) {
                changes.push(Change {
                    path: path.to_owned(),
                    old,
                    new,
                });
            }
        }
        Ok(changes)
    }

    fn blob(&self, mode: &str, id: &str) -> Result<Option<Vec<u8>>, Trouble> {
        if mode == "000000" {
            return Ok(None);
        }
        self.scratch.git.output(&["cat-file", "blob", id]).map(Some)
    }

    /// Starts a rebase that stops at `parent`; tells whether it did.
    fn stop_a_rebase(&self, parent: &str) -> Result<bool, Trouble> {
        let git = &self.scratch.git;
        let onto = format!("{parent}~1");
        let editor = "sequence.editor=sed -i -e 1s/pick/edit/";
        git.attempt(&["-c", editor, "rebase", "-i", &onto], b"")?;
        let stopped = git.root().join(".git/rebase-merge").is_dir();
        if stopped && git.text(&["rev-parse", "HEAD"])? == parent {
            return Ok(true);
        }
        git.attempt(&["rebase", "--quit"], b"")?;
        self.scratch.move_to(parent)?;
        Ok(false)
    }

    fn try_change(
        &mut self,
        change: &Change,
        rebasing: bool,
        rng: &mut Rng,
    ) -> Result<(), Trouble> {
        for step in cut(change, rng) {
            let absolute = rng.chance(50);
            let root = self.scratch.git.root().to_owned();
            let path = if absolute {
                root.join(&change.path).to_string_lossy().into_owned()
            } else {
                change.path.clone()
            };
            let edit = step.document(&path);
            let answer = self.surefoot.apply(&root, &[], edit.as_bytes())?;
            let found = read(&root.join(&change.path))?;
            let ending = match &answer {
                Answer::Applied(_) if found == step.after => "right",
                Answer::Applied(_) => "SILENT",
                Answer::Refused(_) if found != step.before => "DIRTY",
                Answer::Refused(_) => "refused",
                Answer::Trouble(_) => "TROUBLE",
            };
            self.endings.count(ending);
            if ending == "refused" {
                self.codes
                    .count(format!("{} ({})", answer.codes(), step.kind));
            }
            self.settings.count(if rebasing {
                "in a rebase"
            } else {
                "in no rebase"
            });
            self.settings.count(if absolute {
                "absolute path"
            } else {
                "relative path"
            });
            if ending != "right" || self.log.len() < SHOWN {
                self.log.push(log_line(ending, &edit, &answer));
            }
            if found != step.after {
                write(&root.join(&change.path), step.after.as_deref())?;
            }
        }
        Ok(())
    }
}

fn log_line(ending: &str, edit: &str, answer: &Answer) -> String {
    let answer = match answer {
        Answer::Applied(tiers) => format!("applied by {}", tiers.join(", ")),
        Answer::Refused(refusals) => format!("{refusals:?}"),
        Answer::Trouble(message) => message.clone(),
    };
    serde_json::json!({ "ending": ending, "edit": edit, "answer": answer }).to_string()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness looks at what it judges"
)]
fn read(path: &std::path::Path) -> Result<Option<Vec<u8>>, Trouble> {
    match std::fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        // A folder may stand where the file stood, once another change has made it.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness makes the change that was refused"
)]
fn write(path: &std::path::Path, content: Option<&[u8]>) -> Result<(), Trouble> {
    let Some(content) = content else {
        return Ok(std::fs::remove_file(path)?);
    };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, content)?)
}
