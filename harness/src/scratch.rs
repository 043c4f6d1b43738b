//! A clone of a repository that sweeps may do anything with.

use std::path::Path;

use crate::Trouble;
use crate::process::Git;

/// A clone with a working tree, and the commits to try in it. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// git in the clone.
    pub(crate) git: Git,
    /// What the repository calls itself.
    pub(crate) name: String,
    /// The commits, oldest first.
    pub(crate) commits: Vec<Commit>,
    _folder: tempfile::TempDir,
}

/// A commit with one parent.
#[derive(Clone, Debug)]
pub(crate) struct Commit {
    /// Its id.
    pub(crate) id: String,
    /// Its parent's id.
    pub(crate) parent: String,
}

impl Scratch {
    /// Clones `repository`, sharing its objects, and lists the last `count` commits of its HEAD
    /// that have one parent.
    pub(crate) fn clone(repository: &Path, count: usize) -> Result<Self, Trouble> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("tree");
        let repository = std::path::absolute(repository)?;
        let outer = Git::at(folder.path());
        let from = repository.to_string_lossy();
        outer.output(&["clone", "-q", "--shared", "--no-checkout", &from, "tree"])?;
        let git = Git::at(&root);
        let count = format!("--max-count={count}");
        let list = [
            "rev-list",
            "--parents",
            "--reverse",
            "--no-merges",
            "--min-parents=1",
            &count,
        ];
        let lines = git.lines(&[&list[..], &["HEAD"]].concat())?;
        let commits = lines.iter().filter_map(|line| {
            let (id, parent) = line.split_once(' ')?;
            Some(Commit {
                id: id.to_owned(),
                parent: parent.to_owned(),
            })
        });
        let commits = commits.collect();
        let name = name_of(&repository);
        Ok(Self {
            git,
            name,
            commits,
            _folder: folder,
        })
    }

    /// Brings HEAD, index and files to `commit`.
    pub(crate) fn move_to(&self, commit: &str) -> Result<(), Trouble> {
        self.git
            .output(&["checkout", "-q", "-f", "--detach", commit])?;
        self.git.output(&["clean", "-q", "-f", "-d", "-x"])?;
        Ok(())
    }
}

/// Returns the last part of a repository's path that is a name.
fn name_of(repository: &Path) -> String {
    let parts = repository
        .components()
        .rev()
        .map(|part| part.as_os_str().to_string_lossy());
    let mut names = parts.filter(|part| !matches!(&**part, "repo" | ".git" | "/"));
    names
        .next()
        .map_or_else(|| "repository".to_owned(), |name| name.replace('+', "/"))
}
