#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at the disk themselves"
)]

mod meddling;
mod recovery;
mod rights;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

use super::disk::faults::How;
use super::{ApplyOptions, Error, Target, Worktree, apply};
use crate::blob::{BlobId, IdPrefix};
use crate::outcome::Outcome;
use crate::patch::{
    Base, Change, Count, Destination, Edit, Existing, Hunk, Mode, ModeChange, Order, Parsed, Patch,
    Reading, Span, Step, TextHunk,
};
use crate::path::PathSpec;
use crate::policy::Policy;

/// What is where: content and mode, or a link's target with mode 0, or a folder's mode.
type Tree = BTreeMap<String, (Vec<u8>, u32)>;

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        let entries: Vec<_> = fs::read_dir(&folder).unwrap().map(Result::unwrap).collect();
        for entry in &entries {
            let path = entry.path();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if name == ".git" {
                continue;
            }
            let metadata = entry.metadata().unwrap();
            if metadata.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(name, (target.into_os_string().into_encoded_bytes(), 0));
            } else if metadata.is_dir() {
                let mode = metadata.permissions().mode() & 0o7777;
                found.insert(format!("{name}/"), (Vec::new(), mode));
                open.push(path);
            } else {
                let mode = metadata.permissions().mode() & 0o7777;
                found.insert(name, (fs::read(&path).unwrap(), mode));
            }
        }
    }
    found
}

fn write(root: &Path, name: &str, content: &str, mode: u32) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

fn edit(path: &str, change: Change) -> Edit {
    Edit::new(PathSpec::from_root(path), change, Span::default())
}

fn text(path: &str, old: &str, new: &str) -> Edit {
    let hunk = TextHunk {
        old: old.into(),
        new: new.into(),
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

fn create(path: &str, content: &str) -> Edit {
    edit(
        path,
        Change::Create {
            content: content.into(),
            existing: Existing::Exists,
        },
    )
}

fn delete(path: &str, shown: &str) -> Edit {
    edit(
        path,
        Change::Delete {
            shown: Some(shown.into()),
        },
    )
}

fn based(mut edit: Edit, content: &str) -> Edit {
    let id = BlobId::of(gix_hash::Kind::Sha1, content.as_bytes()).unwrap();
    edit.base = IdPrefix::new(id.to_string().as_bytes()).map(Base::Blob);
    edit
}

fn parsed(edits: Vec<Edit>) -> Vec<Parsed> {
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

fn options(root: &Path, target: Target) -> ApplyOptions {
    ApplyOptions {
        target,
        check: false,
        break_links: false,
        allow: Vec::new(),
        base: None,
        caller: root.to_owned(),
    }
}

/// One tree that knows every kind of step, and the edits that bring them all about.
fn scene(root: &Path) -> Vec<Parsed> {
    write(root, "a.txt", "alpha one\nbeta two\n", 0o644);
    write(root, "run.sh", "echo first\necho second\n", 0o640);
    write(root, "old/gone.txt", "to be removed\n", 0o644);
    write(root, "from.txt", "moved as it is\n", 0o644);
    write(root, "swap/inner.txt", "a file in a folder\n", 0o644);
    // No umask makes a folder so.
    fs::set_permissions(root.join("swap"), fs::Permissions::from_mode(0o2773)).unwrap();
    write(root, "flat", "a file that becomes a folder\n", 0o644);
    std::os::unix::fs::symlink("a.txt", root.join("link")).unwrap();
    let mut moved = edit("from.txt", Change::Keep);
    moved.destination = Destination::Rename(PathSpec::from_root("deep/er/to.txt"));
    let mut mode = text("run.sh", "echo second", "echo changed");
    mode.mode = Some(ModeChange {
        old: Some(Mode::Regular),
        new: Mode::Executable,
    });
    let mut linked = create("new-link", "run.sh");
    linked.mode = Some(ModeChange {
        old: None,
        new: Mode::Symlink,
    });
    parsed(vec![
        text("a.txt", "beta two", "beta three"),
        mode,
        delete("old/gone.txt", "to be removed\n"),
        based(moved, "moved as it is\n"),
        create("fresh/file.txt", "new here\n"),
        linked,
        delete("swap/inner.txt", "a file in a folder\n"),
        create("swap", "the folder is a file now\n"),
        delete("flat", "a file that becomes a folder\n"),
        create("flat/inside.txt", "in the new folder\n"),
    ])
}

fn scene_after(before: &Tree) -> Tree {
    let mut after = before.clone();
    let mode = before["from.txt"].1;
    for gone in [
        "old/gone.txt",
        "old/",
        "from.txt",
        "swap/inner.txt",
        "swap/",
        "flat",
    ] {
        after.remove(gone).unwrap();
    }
    let file = |text: &str, mode| (text.as_bytes().to_vec(), mode);
    after.insert("a.txt".into(), file("alpha one\nbeta three\n", 0o644));
    after.insert("run.sh".into(), file("echo first\necho changed\n", 0o750));
    for folder in ["deep/", "deep/er/", "fresh/", "flat/"] {
        after.insert(folder.into(), (Vec::new(), before["old/"].1));
    }
    after.insert("deep/er/to.txt".into(), file("moved as it is\n", mode));
    after.insert("fresh/file.txt".into(), file("new here\n", 0o644));
    after.insert("new-link".into(), file("run.sh", 0));
    after.insert("swap".into(), file("the folder is a file now\n", 0o644));
    after.insert("flat/inside.txt".into(), file("in the new folder\n", 0o644));
    after
}

/// A child process has our lock's file open until it runs its program: no test may start one
/// while another test looks whether a lock was left.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn start(root: &Path) -> Result<Worktree, Error> {
    let _alone = alone();
    Worktree::discover(root)
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let _alone = alone();
    let out = Command::new("git")
        .arg("-C")
        .arg(root)
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
    assert!(
        out.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ground {
    Plain,
    Git(Target),
}

/// A scene on fresh ground.
struct Stage {
    folder: tempfile::TempDir,
    inputs: Vec<Parsed>,
    before: Tree,
    after: Tree,
    index: [String; 2],
    /// The disk has only the renames that every one has.
    plain_disk: bool,
}

fn stage(ground: Ground) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let inputs = scene(root);
    let before = tree(root);
    let mut after = scene_after(&before);
    let mut index = [String::new(), String::new()];
    if let Ground::Git(target) = ground {
        commit_all(root);
        let old = git(root, &["ls-files", "-s"]);
        let new = if target == Target::Worktree {
            old.clone()
        } else {
            indexed(&after)
        };
        if target == Target::Index {
            after = before.clone();
        }
        index = [old, new];
    }
    Stage {
        folder,
        inputs,
        before,
        after,
        index,
        plain_disk: false,
    }
}

fn commit_all(root: &Path) {
    git(root, &["init", "-q", "--template="]);
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", "first"]);
}

/// Returns the index that git itself makes of `tree`.
fn indexed(tree: &Tree) -> String {
    let other = tempfile::tempdir().unwrap();
    for (name, (content, mode)) in tree.iter().filter(|(name, _)| !name.ends_with('/')) {
        let path = other.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if *mode == 0 {
            let target = String::from_utf8(content.clone()).unwrap();
            std::os::unix::fs::symlink(target, path).unwrap();
        } else {
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
        }
    }
    git(other.path(), &["init", "-q", "--template="]);
    git(other.path(), &["add", "."]);
    git(other.path(), &["ls-files", "-s"])
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let new = to.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            fs::create_dir(&new).unwrap();
            fs::set_permissions(&new, entry.metadata().unwrap().permissions()).unwrap();
            copy(&entry.path(), &new);
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), new).unwrap();
        } else {
            fs::copy(entry.path(), new).unwrap();
        }
    }
}

impl Clone for Stage {
    fn clone(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(self.root(), folder.path());
        Self {
            folder,
            inputs: self.inputs.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
            index: self.index.clone(),
            plain_disk: self.plain_disk,
        }
    }
}

impl Stage {
    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, ground: Ground, at: Option<usize>, how: How) -> (Result<Outcome, Error>, usize) {
        self.run_with(ground, at, how, Path::new(""))
    }

    fn run_with(
        &self,
        ground: Ground,
        at: Option<usize>,
        how: How,
        moved: &Path,
    ) -> (Result<Outcome, Error>, usize) {
        let _alone = alone();
        let worktree = Worktree::discover(self.root()).unwrap();
        worktree.disk.faults.at.set(at);
        worktree.disk.faults.how.set(how);
        worktree.disk.faults.plain.set(self.plain_disk);
        *worktree.disk.faults.meddled.borrow_mut() = self.root().join("a.txt");
        *worktree.disk.faults.moved.borrow_mut() = moved.to_owned();
        let target = match ground {
            Ground::Plain => Target::Worktree,
            Ground::Git(target) => target,
        };
        let options = options(self.root(), target);
        let outcome = apply(&worktree, &self.inputs, &Policy::BALANCED, &options);
        let steps = worktree.disk.faults.steps.get();
        (outcome, steps)
    }

    fn index_now(&self) -> String {
        git(self.root(), &["ls-files", "-s"])
    }

    fn no_debris(&self) {
        let names = ["index.lock", "surefoot.lock"];
        for name in names {
            assert!(
                !self.root().join(".git").join(name).exists(),
                "{name} is left"
            );
        }
        if let Ok(entries) = fs::read_dir(self.root().join(".git")) {
            for entry in entries {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(!name.starts_with("surefoot-"), "{name} is left");
            }
        }
    }

    fn is_old(&self, ground: Ground) -> bool {
        let same = tree(self.root()) == self.before;
        match ground {
            Ground::Plain => same,
            Ground::Git(_) => same && self.index_now() == self.index[0],
        }
    }

    fn is_new(&self, ground: Ground) -> bool {
        let same = tree(self.root()) == self.after;
        match ground {
            Ground::Plain => same,
            Ground::Git(_) => same && self.index_now() == self.index[1],
        }
    }
}

const GROUNDS: [Ground; 4] = [
    Ground::Plain,
    Ground::Git(Target::Worktree),
    Ground::Git(Target::WorktreeAndIndex),
    Ground::Git(Target::Index),
];

#[test]
fn every_kind_of_step_lands() {
    for ground in GROUNDS {
        let stage = stage(ground);
        let (outcome, _) = stage.run(ground, None, How::Fail);
        match outcome.unwrap() {
            Outcome::Applied(applied) => assert!(applied.written),
            Outcome::Refused(refused) => panic!("{ground:?}: {refused}"),
        }
        assert_eq!(tree(stage.root()), stage.after, "{ground:?}");
        assert!(
            stage.is_new(ground),
            "{ground:?}: {} {}",
            stage.index_now(),
            stage.index[1]
        );
        stage.no_debris();
    }
}

#[test]
fn a_step_that_fails_leaves_everything_old() {
    for ground in GROUNDS {
        check_failures(ground, &stage(ground));
    }
}

#[test]
fn a_killed_run_is_whole_after_the_next_start() {
    for ground in GROUNDS {
        check_kills(ground, &stage(ground));
    }
}

#[test]
fn what_somebody_writes_meanwhile_is_never_lost() {
    for ground in [Ground::Plain, Ground::Git(Target::WorktreeAndIndex)] {
        check_meddling(ground, &stage(ground));
    }
}

/// The file systems of some networks, containers and older kernels.
#[test]
fn a_disk_that_can_only_rename_is_as_safe() {
    for ground in [Ground::Plain, Ground::Git(Target::WorktreeAndIndex)] {
        let mut first = stage(ground);
        first.plain_disk = true;
        check_kills(ground, &first);
        // What surrounds the files makes no difference to these.
        if ground == Ground::Plain {
            check_failures(ground, &first);
            check_meddling(ground, &first);
        }
    }
}

fn check_failures(ground: Ground, first: &Stage) {
    for how in [How::Fail, How::Panic] {
        let mut at = 0;
        loop {
            let stage = first.clone();
            let run = catch_unwind(AssertUnwindSafe(|| stage.run(ground, Some(at), how)));
            let landed = matches!(&run, Ok((Ok(Outcome::Applied(_)), _)));
            let whole = if landed {
                stage.is_new(ground)
            } else {
                stage.is_old(ground)
            };
            // A failure behind the commit may leave files for the next start to remove.
            start(stage.root()).unwrap();
            assert!(
                whole || stage.is_new(ground),
                "{ground:?} {how:?} step {at}: {:?}\n{}",
                tree(stage.root()).keys(),
                git(stage.root(), &["status", "--porcelain"])
            );
            stage.no_debris();
            if matches!(&run, Ok((_, steps)) if *steps <= at) {
                assert!(landed);
                break;
            }
            at += 1;
        }
        assert!(at > 5, "{ground:?}: only {at} steps");
    }
}

fn check_kills(ground: Ground, first: &Stage) {
    let mut at = 0;
    let mut new = 0;
    loop {
        let stage = first.clone();
        let (outcome, steps) = stage.run(ground, Some(at), How::Kill);
        drop(outcome);
        start(stage.root()).unwrap();
        let (is_old, is_new) = (stage.is_old(ground), stage.is_new(ground));
        let now = tree(stage.root());
        assert!(is_old || is_new, "{ground:?} step {at}: {now:?}");
        stage.no_debris();
        new += usize::from(is_new);
        if steps <= at {
            assert!(is_new);
            break;
        }
        at += 1;
    }
    assert!(
        new > 1,
        "{ground:?}: a commit is noted before the last step"
    );
}

fn check_meddling(ground: Ground, first: &Stage) {
    for how in [How::Meddle, How::Replace] {
        let (_, steps) = first.clone().run(ground, None, how);
        let mut refused = 0;
        for at in 0..steps {
            let stage = first.clone();
            let (outcome, _) = stage.run(ground, Some(at), how);
            let theirs = fs::read(stage.root().join("a.txt")).unwrap();
            assert_eq!(
                theirs, b"somebody else's\n",
                "{ground:?} {how:?} step {at}: {outcome:?}"
            );
            if ground != Ground::Plain {
                let differs = git(stage.root(), &["diff", "--name-only"]);
                assert!(
                    differs.contains("a.txt"),
                    "{how:?} step {at}: git takes it for ours"
                );
            }
            if let Ok(Outcome::Refused(reasons)) = outcome {
                refused += 1;
                let code = reasons.refusals()[0].reason.code();
                assert!(["changed-underfoot", "dirty"].contains(&code), "{code}");
                let mut now = tree(stage.root());
                now.insert("a.txt".into(), stage.before["a.txt"].clone());
                assert_eq!(now, stage.before, "{ground:?} step {at}");
            }
            stage.no_debris();
        }
        assert!(refused > 3, "{ground:?}: {refused} of {steps}");
    }
}

#[test]
fn recovery_leaves_what_somebody_changed_since() {
    let stage = stage(Ground::Plain);
    // The kill comes where all is in place and the old files are still kept.
    let (_, all) = self::stage(Ground::Plain).run(Ground::Plain, None, How::Fail);
    let mut seen = false;
    for at in 0..all {
        let stage = self::stage(Ground::Plain);
        drop(stage.run(Ground::Plain, Some(at), How::Kill));
        let file = stage.root().join("a.txt");
        if fs::read(&file).unwrap() != b"alpha one\nbeta three\n" {
            continue;
        }
        fs::write(&file, "somebody else's\n").unwrap();
        match start(stage.root()) {
            Ok(_) => {}
            Err(error) => {
                seen = true;
                assert!(
                    error.left.iter().any(|path| path.ends_with("a.txt")),
                    "{error:?}"
                );
                let kept = error.left.iter().filter(|path| !path.ends_with("a.txt"));
                let kept: Vec<_> = kept
                    .map(|path| fs::read(stage.root().join(path)).unwrap())
                    .collect();
                assert!(
                    kept.contains(&b"alpha one\nbeta two\n".to_vec()),
                    "{error:?}"
                );
            }
        }
        assert_eq!(fs::read(&file).unwrap(), b"somebody else's\n");
        // It is said once, and work goes on.
        start(stage.root()).unwrap();
    }
    assert!(seen, "no kill point had the file in place");
    drop(stage);
}

#[test]
fn a_journal_that_was_copied_here_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "victim.txt", "mine\n", 0o644);
    write(
        folder.path(),
        ".surefoot-0123456789abcdef-0",
        "theirs\n",
        0o644,
    );
    let journal = "surefoot 1 0123456789abcdef 1 1\n\
                   away\tvictim.txt\t.surefoot-0123456789abcdef-0\npublish\ncommit\n";
    write(folder.path(), ".surefoot.lock", journal, 0o644);
    let before = tree(folder.path());
    let error = Worktree::discover(folder.path()).unwrap_err();
    assert!(error.to_string().contains(".surefoot.lock"), "{error}");
    assert_eq!(tree(folder.path()), before);
}

#[test]
fn a_killed_run_is_not_undone_in_a_copy_of_its_repository() {
    let ground = Ground::Git(Target::Worktree);
    let (_, all) = stage(ground).run(ground, None, How::Fail);
    let mut left = 0;
    for at in 0..all {
        let stage = stage(ground);
        drop(stage.run(ground, Some(at), How::Kill));
        let lock = stage.root().join(".git/surefoot.lock");
        if fs::metadata(&lock).map_or(0, |lock| lock.len()) == 0 {
            continue;
        }
        left += 1;
        // A copy has other inodes, and so has a file that is written anew.
        let journal = fs::read(&lock).unwrap();
        fs::rename(&lock, stage.root().join(".git/kept")).unwrap();
        fs::write(&lock, journal).unwrap();
        let before = tree(stage.root());
        assert!(start(stage.root()).is_err(), "step {at}");
        assert_eq!(tree(stage.root()), before, "step {at}");
    }
    assert!(left > 3, "{left} of {all}");
}

#[test]
fn a_record_is_found_again_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q"]);
    let worktree = start(folder.path()).unwrap();
    let git = worktree.git.as_ref().unwrap();
    let path = crate::path::RepoPath::new("a/b.rs").unwrap();
    assert_eq!(super::record::recall(git, &path), None);
    let id = |text: &str| BlobId::of(gix_hash::Kind::Sha1, text.as_bytes()).unwrap();
    let stamp = super::index::Stamp([1, 2, 3, 4, 5, -6]);
    for tracked in [None, Some(id("tracked"))] {
        let last = super::record::Last {
            result: id("result"),
            stamp,
            tracked,
        };
        super::record::remember(git, &[(&path, last)]);
        assert_eq!(super::record::recall(git, &path), Some(last));
    }
    let other = crate::path::RepoPath::new("a/c.rs").unwrap();
    assert_eq!(super::record::recall(git, &other), None);
    let size = fs::metadata(folder.path().join(".git/surefoot/last"))
        .unwrap()
        .len();
    assert!(size <= 1 << 20, "{size}");
}

#[test]
fn names_of_our_own_are_not_edited() {
    for name in [
        ".surefoot.lock",
        ".surefoot-0123456789abcdef-1",
        "a/.surefoot-x",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let worktree = start(folder.path()).unwrap();
        let inputs = parsed(vec![create(name, "x\n")]);
        let options = options(folder.path(), Target::Worktree);
        match apply(&worktree, &inputs, &Policy::BALANCED, &options).unwrap() {
            Outcome::Refused(refused) => {
                assert_eq!(
                    refused.refusals()[0].reason.code(),
                    "forbidden-path",
                    "{name}"
                );
            }
            Outcome::Applied(_) => panic!("{name} was written"),
        }
        assert!(tree(folder.path()).is_empty());
    }
}
