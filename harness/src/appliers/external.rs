//! Appliers that somebody else wrote: GNU `patch`, git's two, and the crate `diffy`.

use std::path::Path;
use std::process::Command;

use bstr::ByteSlice as _;

use super::Answer;
use crate::Trouble;
use crate::process::{Done, run};

/// GNU `patch`.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// The program, by name or path.
    pub(crate) program: String,
    /// How many lines of context it may ignore at a hunk's ends.
    pub(crate) fuzz: u8,
}

impl Patch {
    /// Returns the program of that name on the `PATH`.
    pub(crate) fn with_fuzz(fuzz: u8) -> Self {
        Self {
            program: "patch".to_owned(),
            fuzz,
        }
    }

    /// Returns the first line of what the program says of its version.
    ///
    /// # Errors
    ///
    /// Where there is no such program, or it is not GNU's: others find other places.
    pub(crate) fn version(&self) -> Result<String, Trouble> {
        let done = start(Command::new(&self.program).arg("--version"), b"")?;
        let version = done
            .stdout
            .lines()
            .next()
            .unwrap_or_default()
            .to_str_lossy();
        if version.starts_with("GNU patch ") {
            return Ok(version.into_owned());
        }
        Err(format!("`{}` is not GNU patch: it says `{version}`", self.program).into())
    }

    /// Runs the program on `file`. A status other than 0 is its refusal.
    pub(super) fn apply(&self, file: &str, diff: &str) -> Result<Answer, Trouble> {
        let folder = folder_of(&[("file", file), ("diff", diff)])?;
        let mut command = Command::new(&self.program);
        let fuzz = format!("-F{}", self.fuzz);
        command
            .current_dir(folder.path())
            .args(["-f", "-s", &fuzz, "-r", "-", "-o", "out", "file", "diff"]);
        for name in ["POSIXLY_CORRECT", "PATCH_GET", "VERSION_CONTROL"] {
            command.env_remove(name);
        }
        let done = start(&mut command, b"")?;
        // It says on its standard output what it does not like of a diff.
        let said = [done.stdout.as_slice(), &done.stderr].concat();
        answer(&done, &said, || read(&folder.path().join("out")))
    }
}

/// Runs `git apply` on `file`, outside of any repository.
pub(super) fn git_apply(file: &str, diff: &str) -> Result<Answer, Trouble> {
    let Some(start) = diff.match_indices("@@ -").map(|(at, _)| at).find(|at| {
        let before = diff.get(..*at).unwrap_or_default();
        before.is_empty() || before.ends_with('\n')
    }) else {
        return Ok(Answer::refused("the diff has no hunk"));
    };
    // The file has a name of ours, so that the diff's cannot lead anywhere.
    let hunks = diff.get(start..).unwrap_or_default();
    let diff = format!("--- a/file\n+++ b/file\n{hunks}");
    let folder = folder_of(&[("file", file)])?;
    let done = git(folder.path(), &["apply", "--whitespace=nowarn", "-"], &diff)?;
    answer(&done, &done.stderr, || read(&folder.path().join("file")))
}

/// Runs `git merge-file` on `file` and its author's two versions. A conflict is a refusal.
pub(super) fn merge_file(file: &str, base: &str, target: &str) -> Result<Answer, Trouble> {
    let folder = folder_of(&[("file", file), ("base", base), ("target", target)])?;
    let args = ["merge-file", "-p", "-q", "file", "base", "target"];
    let done = git(folder.path(), &args, "")?;
    // Its status is the number of conflicts, of which it counts no more than 127.
    match done.status {
        Some(1..=127) => Ok(Answer::refused("the two versions conflict")),
        Some(0) => Ok(Answer::Applied(String::from_utf8(done.stdout)?)),
        status => Err(format!("git merge-file: {status:?}, {}", done.stderr.as_bstr()).into()),
    }
}

/// Applies a diff with the crate `diffy`.
pub(super) fn diffy(file: &str, diff: &str) -> Answer {
    let patch = match diffy::Patch::from_str(diff) {
        Ok(patch) => patch,
        Err(error) => return Answer::refused(error.to_string()),
    };
    match diffy::apply(file, &patch) {
        Ok(text) => Answer::Applied(text),
        Err(error) => Answer::refused(error.to_string()),
    }
}

fn git(folder: &Path, args: &[&str], input: &str) -> Result<Done, Trouble> {
    let mut command = Command::new("git");
    command.current_dir(folder).args(args);
    // In a repository, `git apply` passes over files that are outside of the folder it stands in.
    let ceiling = folder.parent().unwrap_or(folder);
    command.env("GIT_CEILING_DIRECTORIES", ceiling);
    start(&mut command, input.as_bytes())
}

/// Runs `command`, and says which program it is that cannot be run.
fn start(command: &mut Command, input: &[u8]) -> Result<Done, Trouble> {
    let program = command.get_program().to_string_lossy().into_owned();
    run(command, input).map_err(|trouble| format!("cannot run `{program}`: {trouble}").into())
}

/// Makes an answer of what a program did; one that a signal ended has given none.
fn answer(
    done: &Done,
    said: &[u8],
    text: impl FnOnce() -> Result<String, Trouble>,
) -> Result<Answer, Trouble> {
    match done.status {
        Some(0) => Ok(Answer::Applied(text()?)),
        Some(_) => Ok(Answer::refused(said.trim_ascii().to_str_lossy())),
        None => Err("a signal ended the applier".into()),
    }
}

/// Returns a fresh folder with those files.
#[expect(clippy::disallowed_methods, reason = "the programs read files")]
fn folder_of(files: &[(&str, &str)]) -> Result<tempfile::TempDir, Trouble> {
    let folder = tempfile::tempdir()?;
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

#[expect(clippy::disallowed_methods, reason = "the programs write files")]
fn read(path: &Path) -> Result<String, Trouble> {
    Ok(std::fs::read_to_string(path)?)
}
