//! Who says what is right: bash, the path, and the tools themselves. None knows a verifier.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use surefoot_shell::sandbox::{End, Sandbox, may_run};

use super::HELPER;
use crate::Trouble;

/// What a tool says of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// That it has none such.
    Rejects,
    /// Nothing of the kind.
    Silent,
    /// It was not run, or had to be stopped.
    Unknown,
}

impl Answer {
    fn name(self) -> &'static str {
        match self {
            Self::Rejects => "rejects",
            Self::Silent => "silent",
            Self::Unknown => "unknown",
        }
    }
}

/// A tool with its subcommand, and a flag.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Question {
    pub(crate) tool: String,
    pub(crate) subcommands: Vec<String>,
    pub(crate) flag: String,
}

/// The oracles, and what they have said.
#[derive(Debug)]
pub(crate) struct Oracle {
    facts: BTreeMap<Question, Answer>,
    path: PathBuf,
    probe: bool,
    bash: PathBuf,
    builtins: BTreeSet<String>,
    programs: HashMap<String, Option<PathBuf>>,
}

impl Oracle {
    /// Reads the facts in `path`.
    #[expect(clippy::disallowed_methods, reason = "the facts are the harness's own")]
    pub(crate) fn new(path: &Path, probe: bool) -> Result<Self, Trouble> {
        let text = if path.exists() {
            std::fs::read_to_string(path)?
        } else {
            String::new()
        };
        let facts = text.lines().filter_map(fact).collect();
        let mut oracle = Self {
            facts,
            path: path.to_owned(),
            probe,
            bash: PathBuf::new(),
            builtins: BTreeSet::new(),
            programs: HashMap::new(),
        };
        oracle.bash = oracle.program("bash").ok_or("there is no bash")?;
        let words = Command::new(&oracle.bash)
            .args(["--norc", "-c", "compgen -b; compgen -k"])
            .output()?;
        let words = String::from_utf8(words.stdout)?;
        oracle.builtins = words.lines().map(str::to_owned).collect();
        Ok(oracle)
    }

    /// Writes the facts.
    #[expect(clippy::disallowed_methods, reason = "the facts are the harness's own")]
    pub(crate) fn save(&self) -> Result<(), Trouble> {
        if !self.probe {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let lines: String = self
            .facts
            .iter()
            .map(|(question, answer)| {
                let path = question.subcommands.join(" ");
                format!(
                    "{}\t{path}\t{}\t{}\n",
                    question.tool,
                    question.flag,
                    answer.name()
                )
            })
            .collect();
        Ok(std::fs::write(&self.path, lines)?)
    }

    /// Returns the program that `name` stands for.
    pub(crate) fn program(&mut self, name: &str) -> Option<PathBuf> {
        if let Some(found) = self.programs.get(name) {
            return found.clone();
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| is_program(path));
        self.programs.insert(name.to_owned(), found.clone());
        found
    }

    /// Tells whether anything answers to `name`.
    pub(crate) fn exists(&mut self, name: &str) -> bool {
        self.builtins.contains(name) || self.program(name).is_some()
    }

    /// Tells which of `texts` parse, in their order: status 0, and nothing said.
    pub(crate) fn parse(&self, texts: &[String]) -> Vec<Syntax> {
        parallel(texts, |text| {
            let done = Command::new(&self.bash)
                .args(["--norc", "-n", "-c", "--", text])
                .env_clear()
                .env("LC_ALL", "C")
                .stdin(Stdio::null())
                .output();
            match done {
                Ok(done) if done.status.success() && done.stderr.is_empty() => Syntax::Parses,
                Ok(done) if done.status.success() => Syntax::Complains,
                Ok(_) => Syntax::Fails,
                Err(_) => Syntax::Complains,
            }
        })
    }

    /// Asks all `questions` that nothing is known of, if that is allowed.
    pub(crate) fn ask(&mut self, questions: &[Question]) -> Result<(), Trouble> {
        if !self.probe {
            return Ok(());
        }
        let mut open: Vec<Question> = questions
            .iter()
            .filter(|question| !self.facts.contains_key(question))
            .cloned()
            .collect();
        open.sort();
        open.dedup();
        let programs: Vec<Option<PathBuf>> = open
            .iter()
            .map(|question| self.program(&question.tool))
            .collect();
        let sandbox = Sandbox {
            program: std::env::current_exe()?,
            first: HELPER.into(),
            limit: Duration::from_secs(4),
        };
        let slow: Mutex<HashMap<String, usize>> = Mutex::default();
        let pairs: Vec<(Question, Option<PathBuf>)> = open.iter().cloned().zip(programs).collect();
        let answers = parallel(&pairs, |(question, program)| {
            let is_slow = slow
                .lock()
                .is_ok_and(|slow| slow.get(&question.tool).is_some_and(|count| *count > 2));
            if is_slow {
                return Answer::Unknown;
            }
            let answer = program
                .as_ref()
                .map_or(Answer::Unknown, |program| run(&sandbox, program, question));
            if answer == Answer::Unknown
                && let Ok(mut slow) = slow.lock()
            {
                *slow.entry(question.tool.clone()).or_default() += 1;
            }
            answer
        });
        self.facts.extend(open.into_iter().zip(answers));
        Ok(())
    }

    /// Returns what is known of a question.
    pub(crate) fn answer(&self, question: &Question) -> Answer {
        self.facts.get(question).copied().unwrap_or(Answer::Unknown)
    }
}

/// What bash makes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// It parses.
    Parses,
    /// It parses, and bash says something nonetheless.
    Complains,
    /// It does not parse.
    Fails,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the path is walked as a shell does"
)]
fn is_program(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn fact(line: &str) -> Option<(Question, Answer)> {
    let mut fields = line.split('\t');
    let question = Question {
        tool: fields.next()?.to_owned(),
        subcommands: fields
            .next()?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        flag: fields.next()?.to_owned(),
    };
    let answer = match fields.next()? {
        "rejects" => Answer::Rejects,
        "silent" => Answer::Silent,
        _ => Answer::Unknown,
    };
    Some((question, answer))
}

fn run(sandbox: &Sandbox, program: &Path, question: &Question) -> Answer {
    if may_run(program).is_err() {
        return Answer::Unknown;
    }
    let mut arguments: Vec<&OsStr> = question.subcommands.iter().map(OsStr::new).collect();
    arguments.push(OsStr::new(&question.flag));
    let Some(said) = sandbox.run(program, &arguments) else {
        return Answer::Unknown;
    };
    let text = String::from_utf8_lossy(&said.text);
    match said.end {
        _ if text.lines().any(|line| rejects(line, &question.flag)) => Answer::Rejects,
        End::Killed => Answer::Unknown,
        End::Status(_) => Answer::Silent,
    }
}

/// Words with which tools say that a flag is none of theirs.
const WORDS: [&str; 31] = [
    "unrecognized option",
    "unrecognised option",
    "unrecognized argument",
    "unrecognised argument",
    "unrecognized flag",
    "unrecognized parameter",
    "unrecognized switch",
    "unrecognized command-line",
    "unrecognized command line",
    "invalid option",
    "invalid flag",
    "unknown option",
    "unknown flag",
    "unknown shorthand flag",
    "unknown argument",
    "unknown switch",
    "unknown command line",
    "unknown command-line",
    "unknown parameter",
    "unknown primary",
    "unknown predicate",
    "unknown long option",
    "unknown arg",
    "illegal option",
    "unexpected argument",
    "no such option",
    "not recognized",
    "not a valid option",
    "bad option",
    "unsupported option",
    "invalid command-line option",
];

/// Words that tell of something else.
const OTHER: [&str; 8] = [
    "requires",
    "missing",
    "ambiguous",
    "no such file",
    "needs an argument",
    "expects",
    "usage:",
    "must be",
];

/// Tells whether `line` says that there is no `flag`.
pub(crate) fn rejects(line: &str, flag: &str) -> bool {
    let lower = line.to_lowercase();
    if !WORDS.iter().any(|word| lower.contains(word))
        || OTHER.iter().any(|word| lower.contains(word))
    {
        return false;
    }
    let names = |name: &str| {
        line.match_indices(name).any(|(at, _)| {
            let before = line.get(..at).and_then(|text| text.chars().next_back());
            let after = line
                .get(at + name.len()..)
                .and_then(|text| text.chars().next());
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-');
            edge(after) && before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-')
        })
    };
    if names(flag) {
        return true;
    }
    match flag.strip_prefix("--") {
        Some(name) => names(name) || names(&format!("-{name}")),
        None => {
            // Of a group the last letter is the one in doubt.
            let Some(letter) = flag.chars().next_back() else {
                return false;
            };
            [
                format!("-- '{letter}'"),
                format!("-- {letter}"),
                format!("-- \"{letter}\""),
                format!("-- `{letter}'"),
                format!("'{letter}'"),
                format!("\"{letter}\""),
                format!("`{letter}'"),
                format!(": {letter}"),
            ]
            .iter()
            .any(|form| lower_ends(line, form))
                || names(&format!("-{letter}"))
        }
    }
}

fn lower_ends(line: &str, form: &str) -> bool {
    line.match_indices(form).any(|(at, _)| {
        let after = line
            .get(at + form.len()..)
            .and_then(|text| text.chars().next());
        after.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

/// Runs `work` on all `items`, two at a time for each processor, and keeps their order.
pub(crate) fn parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get() * 2);
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(at) else {
                            return mine;
                        };
                        mine.push((at, work(item)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_default())
            .collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests;
