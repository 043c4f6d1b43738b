//! A scratch repository, and runs of surefoot in it.

#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder of its own, a git repository where asked for.
pub(crate) struct Scratch {
    dir: tempfile::TempDir,
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    /// Returns the JSON report.
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Returns the codes of the refusals.
    pub(crate) fn codes(&self) -> Vec<String> {
        let report = self.report();
        let refusals = report["refusals"].as_array().unwrap();
        refusals
            .iter()
            .map(|refusal| refusal["code"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Scratch {
    /// Returns an empty folder that is no repository.
    pub(crate) fn plain() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// Returns a repository with `files` committed.
    pub(crate) fn git(files: &[(&str, &str)]) -> Self {
        let scratch = Self::plain();
        for (name, content) in files {
            scratch.write(name, content);
        }
        scratch.run_git(&["init", "-q", "-b", "main"]);
        scratch.run_git(&["add", "-A"]);
        scratch.run_git(&["commit", "-q", "--allow-empty", "-m", "before"]);
        scratch
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.at(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.at(name)).unwrap()).unwrap()
    }

    /// Runs git and returns its standard output.
    pub(crate) fn run_git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.path()).args(arguments);
        let done = finish(isolate(&mut command), b"");
        assert_eq!(done.status, 0, "git {arguments:?}: {done:?}");
        done.out
    }

    /// Runs `surefoot apply` with `options` in this folder, `edit` on standard input.
    pub(crate) fn apply(&self, options: &[&str], edit: &str) -> Done {
        let mut command = surefoot();
        command.arg("apply").args(options).current_dir(self.path());
        finish(&mut command, edit.as_bytes())
    }
}

/// Returns the binary under test, its environment cleaned of what the user has set.
pub(crate) fn surefoot() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
    isolate(&mut command);
    command
}

/// Takes the user's and the machine's configuration away from `command`.
pub(crate) fn isolate(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let name: &OsStr = &name;
        let bytes = name.as_bytes();
        let ours = bytes.starts_with(b"SUREFOOT_") || bytes.starts_with(b"GIT_");
        if ours || matches!(bytes, b"NO_COLOR" | b"CLICOLOR" | b"CLICOLOR_FORCE") {
            command.env_remove(name);
        }
    }
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "a")
            .env(format!("GIT_{who}_EMAIL"), "a@invalid");
    }
    command
}

/// Runs `command` with `input` on standard input.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Done {
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A process that refuses its arguments does not read its input.
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input)
        .unwrap_or_default();
    let output = child.wait_with_output().unwrap();
    Done {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
