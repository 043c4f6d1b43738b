//! What the tests share: a fresh tree, edits by hand, and git without anybody's configuration.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use surefoot_engine::blob::IdPrefix;
use surefoot_engine::outcome::{Applied, Outcome};
use surefoot_engine::patch::{
    Base, Change, Count, Destination, Edit, Existing, Hunk, Mode, ModeChange, Order, Parsed, Patch,
    Reading, Span, Step, TextHunk,
};
use surefoot_engine::path::PathSpec;
use surefoot_engine::policy::Policy;
use surefoot_engine::worktree::{ApplyOptions, Error, Target, Worktree, apply};

pub(crate) struct Scene {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) options: ApplyOptions,
}

impl Scene {
    pub(crate) fn plain() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = ApplyOptions {
            target: Target::Worktree,
            check: false,
            break_links: false,
            allow: Vec::new(),
            base: None,
            caller: folder.path().to_owned(),
        };
        Self { folder, options }
    }

    pub(crate) fn git() -> Self {
        let scene = Self::plain();
        scene.run_git(&["init", "-q", "--template="]);
        scene
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap()
    }

    pub(crate) fn commit(&self) {
        self.run_git(&["add", "-A"]);
        self.run_git(&["commit", "-qm", "state"]);
    }

    pub(crate) fn run_git(&self, arguments: &[&str]) -> String {
        let (success, out) = self.try_git(arguments);
        assert!(success, "git {arguments:?}: {out}");
        out
    }

    pub(crate) fn try_git(&self, arguments: &[&str]) -> (bool, String) {
        let out = Command::new("git")
            .args(["-c", "protocol.file.allow=always", "-C"])
            .arg(self.root())
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([
                ("GIT_AUTHOR_NAME", "a"),
                ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ])
            .envs([
                ("GIT_COMMITTER_NAME", "a"),
                ("GIT_COMMITTER_EMAIL", "a@example.org"),
            ])
            .output()
            .unwrap();
        let text = [out.stdout, out.stderr].concat();
        (out.status.success(), String::from_utf8(text).unwrap())
    }

    pub(crate) fn try_apply(&self, edits: Vec<Edit>) -> Result<Outcome, Error> {
        let worktree = Worktree::discover(self.root())?;
        apply(&worktree, &parsed(edits), &Policy::BALANCED, &self.options)
    }

    pub(crate) fn apply(&self, edits: Vec<Edit>) -> Applied {
        match self.try_apply(edits).unwrap() {
            Outcome::Applied(applied) => *applied,
            Outcome::Refused(refused) => panic!("{refused}"),
        }
    }

    /// Returns the code of the first refusal.
    pub(crate) fn refuse(&self, edits: Vec<Edit>) -> &'static str {
        match self.try_apply(edits).unwrap() {
            Outcome::Applied(applied) => panic!("applied: {:?}", applied.plan),
            Outcome::Refused(refused) => refused.refusals()[0].reason.code(),
        }
    }

    /// Every path below the root but git's, with what is there.
    pub(crate) fn tree(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = vec![self.root().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path
                    .strip_prefix(self.root())
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                let metadata = fs::symlink_metadata(&path).unwrap();
                if name == ".git" {
                    continue;
                }
                if metadata.is_dir() {
                    found.push((name, "folder".into()));
                    open.push(path);
                } else if metadata.is_file() {
                    let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                    found.push((name, format!("{:?} {text}", metadata.permissions())));
                } else {
                    found.push((name, format!("{:?}", metadata.file_type())));
                }
            }
        }
        found.sort();
        found
    }
}

pub(crate) fn parsed(edits: Vec<Edit>) -> Vec<Parsed> {
    let reading = Reading {
        patch: Patch { edits },
        assumption: String::new(),
        fallback: false,
    };
    let step = Step {
        label: None,
        readings: vec![reading],
    };
    vec![Parsed {
        format: "test",
        steps: vec![step],
        recoveries: Vec::new(),
    }]
}

fn edit(path: &str, change: Change) -> Edit {
    Edit::new(PathSpec::from_root(path), change, Span::default())
}

/// An edit in which `old` becomes `new`.
pub(crate) fn text(path: &str, old: &str, new: &str) -> Edit {
    let (old, new) = (old.into(), new.into());
    let hunk = TextHunk {
        old,
        new,
        count: Count::One,
        span: Span::default(),
    };
    edit(
        path,
        Change::Modify {
            hunks: vec![Hunk::Text(hunk)],
            order: Order::Any,
        },
    )
}

pub(crate) fn create(path: &str, content: &str) -> Edit {
    edit(
        path,
        Change::Create {
            content: content.into(),
            existing: Existing::Exists,
        },
    )
}

pub(crate) fn link(path: &str, target: &str) -> Edit {
    let mode = Some(ModeChange {
        old: None,
        new: Mode::Symlink,
    });
    Edit {
        mode,
        ..create(path, target)
    }
}

pub(crate) fn delete(path: &str, shown: &str) -> Edit {
    edit(
        path,
        Change::Delete {
            shown: Some(shown.into()),
        },
    )
}

pub(crate) fn rename(from: &str, to: &str) -> Edit {
    let destination = Destination::Rename(PathSpec::from_root(to));
    Edit {
        destination,
        ..edit(from, Change::Keep)
    }
}

pub(crate) fn with_base(edit: Edit, id: &str) -> Edit {
    let base = IdPrefix::new(id.trim().as_bytes()).map(Base::Blob);
    Edit { base, ..edit }
}
