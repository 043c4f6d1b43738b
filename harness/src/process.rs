//! Running the binary under test, and git beside it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bstr::ByteSlice as _;

use crate::Trouble;

/// What a process did.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    /// The exit status; `None` where a signal ended it.
    pub(crate) status: Option<i32>,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// Its standard error.
    pub(crate) stderr: Vec<u8>,
}

/// Runs `command` with `input`, deaf to the user's git configuration.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Result<Done, Trouble> {
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "a")
            .env(format!("GIT_{who}_EMAIL"), "a@invalid");
    }
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A process may end before it has read everything, which is no fault.
            let _sent = stdin.map(|mut stdin| stdin.write_all(input));
        });
        child.wait_with_output()
    })?;
    Ok(Done {
        status: output.status.code(),
        stdout: output.stdout,
        stderr: output.stderr,
    })
}

/// git, in one folder.
#[derive(Clone, Debug)]
pub(crate) struct Git {
    root: PathBuf,
}

impl Git {
    /// Returns git as it stands in `root`.
    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Returns the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Runs git and returns what it did, also where it failed.
    pub(crate) fn attempt<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        input: &[u8],
    ) -> Result<Done, Trouble> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root);
        command.args([
            "-c",
            "core.autocrlf=false",
            "-c",
            "gc.auto=0",
            "-c",
            "advice.detachedHead=false",
        ]);
        run(command.args(args), input)
    }

    /// Runs git and returns its standard output.
    pub(crate) fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>, Trouble> {
        self.output_of(args, b"")
    }

    /// Runs git with `input` and returns its standard output.
    pub(crate) fn output_of<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        input: &[u8],
    ) -> Result<Vec<u8>, Trouble> {
        let done = self.attempt(args, input)?;
        if done.status == Some(0) {
            return Ok(done.stdout);
        }
        let args: Vec<_> = args
            .iter()
            .map(|arg| arg.as_ref().to_string_lossy())
            .collect();
        Err(format!("git {}: {}", args.join(" "), done.stderr.as_bstr()).into())
    }

    /// Runs git and returns its standard output as text, trimmed.
    pub(crate) fn text<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<String, Trouble> {
        Ok(self.output(args)?.trim_ascii().to_str_lossy().into_owned())
    }

    /// Runs git and returns the lines of its standard output.
    pub(crate) fn lines<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<String>, Trouble> {
        Ok(self
            .output(args)?
            .lines()
            .map(|line| line.to_str_lossy().into_owned())
            .collect())
    }
}

/// The binary under test.
#[derive(Clone, Debug)]
pub(crate) struct Surefoot {
    binary: PathBuf,
}

/// What the binary made of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Applied; the tiers that placed the hunks.
    Applied(Vec<String>),
    /// Refused, with the code and message of each refusal.
    Refused(Vec<(String, String)>),
    /// Something else, in words.
    Trouble(String),
}

impl Answer {
    /// Returns the codes of a refusal, each once, joined.
    pub(crate) fn codes(&self) -> String {
        let Self::Refused(refusals) = self else {
            return String::new();
        };
        let mut codes: Vec<&str> = refusals.iter().map(|(code, _)| code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.join("+")
    }
}

impl Surefoot {
    /// Returns the binary at `path`.
    pub(crate) fn new(path: &Path) -> Result<Self, Trouble> {
        if path.is_file() {
            return Ok(Self {
                binary: std::path::absolute(path)?,
            });
        }
        Err(format!(
            "no surefoot at `{}`: build it, or name it with --surefoot",
            path.display()
        )
        .into())
    }

    /// Returns the binary's path.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }

    /// Runs `surefoot apply --json` in `root` with `args`, `input` on its standard input.
    pub(crate) fn apply(
        &self,
        root: &Path,
        args: &[&str],
        input: &[u8],
    ) -> Result<Answer, Trouble> {
        let mut command = Command::new(&self.binary);
        command
            .current_dir(root)
            .args(["apply", "--json"])
            .args(args)
            .arg("-");
        let done = run(&mut command, input)?;
        Ok(read_answer(&done))
    }
}

fn read_answer(done: &Done) -> Answer {
    let report: serde_json::Value = match serde_json::from_slice(&done.stdout) {
        Ok(report) => report,
        Err(_) => {
            let said = done.stderr.as_bstr();
            return Answer::Trouble(format!("status {:?}, no report: {said}", done.status));
        }
    };
    let list = |value: &serde_json::Value, key: &str| {
        value
            .get(key)
            .and_then(serde_json::Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let text = |value: &serde_json::Value, key: &str| {
        value
            .get(key)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    match (done.status, text(&report, "outcome").as_str()) {
        (Some(0), "applied") => {
            let files = list(&report, "files");
            let hunks = files.iter().flat_map(|file| list(file, "hunks"));
            Answer::Applied(hunks.map(|hunk| text(&hunk, "tier")).collect())
        }
        (Some(1), "refused") => {
            let refusals = list(&report, "refusals");
            let read = |refusal| (text(refusal, "code"), text(refusal, "message"));
            Answer::Refused(refusals.iter().map(read).collect())
        }
        (status, outcome) => Answer::Trouble(format!("status {status:?}, outcome `{outcome}`")),
    }
}
