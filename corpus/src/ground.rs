//! A case laid out on disk.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::case::{Setting, Trial};
use crate::tree::Tree;

/// A tree on disk that an edit is about to meet.
#[derive(Debug)]
pub struct Ground<'t> {
    pub(crate) trial: Trial<'t>,
    root: PathBuf,
    guarded: Tree,
}

impl<'t> Trial<'t> {
    /// Makes the tree, and what surrounds it, in the empty folder `work`.
    ///
    /// # Errors
    ///
    /// Where something cannot be written, or git fails.
    #[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
    pub fn lay_out(self, work: &Path) -> io::Result<Ground<'t>> {
        let root = work.join("tree");
        for (path, content) in &self.case.outside {
            let path = tidy(&root.join(path));
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, content)?;
        }
        let base = self.case.base.as_ref().unwrap_or(&self.case.before);
        match self.setting {
            Setting::Plain => self.case.before.write(&root)?,
            Setting::Committed | Setting::NoIds => {
                self.case.before.write(&root)?;
                init_and_commit(&root)?;
            }
            Setting::Blob | Setting::Dirty => {
                base.write(&root)?;
                init_and_commit(&root)?;
                clear(&root)?;
                self.case.before.write(&root)?;
                if self.setting == Setting::Blob {
                    commit(&root)?;
                }
            }
        }
        let guarded = guarded(&root)?;
        Ok(Ground {
            trial: self,
            root,
            guarded,
        })
    }
}

impl Ground<'_> {
    /// Returns the tree's root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the arguments that send this trial's edit to `surefoot` on its standard input.
    #[must_use]
    pub fn args(&self) -> Vec<OsString> {
        let mut args: Vec<OsString> = vec!["apply".into(), "--json".into(), "-C".into()];
        let stand = self.trial.case.stand.as_ref();
        args.push(
            stand
                .map_or(self.root.clone(), |stand| self.root.join(stand))
                .into(),
        );
        if self.trial.explicit {
            args.extend(["--format".into(), self.trial.case.format.clone().into()]);
        }
        if let Some(path) = &self.trial.case.path {
            args.extend(["--path".into(), path.into()]);
        }
        args.push("-".into());
        args
    }

    /// Reads the tree as it stands now.
    ///
    /// # Errors
    ///
    /// Where a file cannot be read.
    pub fn tree(&self) -> io::Result<Tree> {
        Tree::read(&self.root)
    }

    /// Returns what changed outside of the tree's own files: beside the tree, or in git's hooks.
    #[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
    pub(crate) fn outside_changed(&self) -> io::Result<Option<String>> {
        let changed = self.trial.case.outside.iter().find(|(path, content)| {
            let now = std::fs::read(tidy(&self.root.join(path)));
            !now.is_ok_and(|now| now == content.as_bytes())
        });
        match changed {
            Some((path, _)) => Ok(Some(format!("`{path}` is not as it was"))),
            None => Ok(self.guarded.difference(&guarded(&self.root)?)),
        }
    }
}

/// Reads what no edit may ever change: the hooks of the repository, also where there is none.
fn guarded(root: &Path) -> io::Result<Tree> {
    Tree::read(&root.join(".git/hooks"))
}

/// Takes `..` out of a path by its letters, as a link's target may not exist yet.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            tidy.pop();
        } else {
            tidy.push(part);
        }
    }
    tidy
}

#[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
fn clear(root: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name() == ".git" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn init_and_commit(root: &Path) -> io::Result<()> {
    git(root, &["init", "-q", "--template=", "-b", "main"])?;
    commit(root)
}

fn commit(root: &Path) -> io::Result<()> {
    git(root, &["add", "-f", "-A"])?;
    git(root, &["commit", "-q", "--allow-empty", "-m", "state"])
}

/// Runs git in `root`, deaf to the user's configuration.
fn git(root: &Path, args: &[&str]) -> io::Result<()> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(root)
        .args(["-c", "core.autocrlf=false", "-c", "gc.auto=0"])
        .args(args);
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
    let done = command.stdin(Stdio::null()).output()?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    Err(io::Error::other(format!(
        "git {} failed: {said}",
        args.join(" ")
    )))
}

#[cfg(test)]
mod tests;
