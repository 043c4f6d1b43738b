//! Repairs that are cut short, and what is told of those that cannot be made.

use super::*;
use crate::worktree::{discover, disk, recover};

/// Opens a tree without repairing it.
fn open(root: &Path) -> Worktree {
    let discover::Found { root, folders, git } = discover::find(root).unwrap();
    Worktree {
        root,
        folders,
        git,
        disk: disk::Disk::default(),
    }
}

fn repair(root: &Path, at: usize, how: How) -> (Result<(), Error>, usize) {
    let _alone = alone();
    let worktree = open(root);
    worktree.disk.faults.at.set(Some(at));
    worktree.disk.faults.how.set(how);
    let done = recover::recover(&worktree);
    (done, worktree.disk.faults.steps.get())
}

#[test]
fn a_repair_that_is_cut_short_is_made_at_the_next_start() {
    for ground in [Ground::Plain, Ground::Git(Target::WorktreeAndIndex)] {
        let first = stage(ground);
        let (_, steps) = first.clone().run(ground, None, How::Fail);
        for killed in (0..steps).step_by(2) {
            let stage = first.clone();
            drop(stage.run(ground, Some(killed), How::Kill));
            for at in 0.. {
                let (done, steps) = repair(stage.root(), at, How::Kill);
                if steps <= at {
                    done.unwrap();
                    break;
                }
                assert!(at < 200, "{ground:?} {killed}: it never ends");
            }
            assert!(
                stage.is_old(ground) || stage.is_new(ground),
                "{ground:?} killed at {killed}: {:?}",
                tree(stage.root()).keys()
            );
            stage.no_debris();
        }
    }
}

#[test]
fn a_repair_that_the_disk_fails_is_made_later_or_told() {
    let ground = Ground::Plain;
    let (_, steps) = stage(ground).run(ground, None, How::Fail);
    for killed in (0..steps).step_by(3) {
        for at in 0.. {
            let stage = stage(ground);
            drop(stage.run(ground, Some(killed), How::Kill));
            let (done, steps) = repair(stage.root(), at, How::Fail);
            let named = |name: &String| {
                let left = done.as_ref().err().map(|error| &error.left);
                left.is_some_and(|left| left.iter().any(|path| path.starts_with(name)))
            };
            start(stage.root()).unwrap();
            let now = tree(stage.root());
            let whole = |wanted: &Tree| {
                let rest = now.iter().filter(|(name, _)| !wanted.contains_key(*name));
                wanted
                    .iter()
                    .all(|(name, file)| now.get(name) == Some(file))
                    && rest
                        .into_iter()
                        .all(|(name, _)| name.ends_with('/') || named(name))
            };
            // Only what is kept of old files behind the commit can stay, with its folder, and then
            // it is named; an empty folder is no file.
            assert!(
                now == stage.before || whole(&stage.after),
                "killed at {killed}, failed at {at}: {done:?}: {:?}",
                now.keys()
            );
            if steps <= at {
                break;
            }
        }
    }
}

#[test]
fn what_a_panic_could_not_put_back_is_told_at_the_next_start() {
    let ground = Ground::Plain;
    let (_, steps) = stage(ground).run(ground, None, How::Fail);
    let mut told = 0;
    for at in 0..steps {
        let stage = stage(ground);
        // Somebody writes the file in its new state, and the panic comes right after.
        let run = catch_unwind(AssertUnwindSafe(|| {
            stage.run(ground, Some(at), How::MeddleAndPanic)
        }));
        assert!(run.is_err(), "step {at}");
        let file = stage.root().join("a.txt");
        assert_eq!(fs::read(&file).unwrap(), b"somebody else's\n", "step {at}");
        // Behind the commit nothing is put back, and what is kept of the old files goes.
        let journal = fs::read(stage.root().join(".surefoot.lock")).unwrap_or_default();
        let kept = tree(stage.root())
            .keys()
            .any(|name| name.contains(".surefoot-"));
        let kept = kept && !journal.ends_with(b"commit\n");
        let next = start(stage.root());
        assert_eq!(next.is_err(), kept, "step {at}: {next:?}");
        told += usize::from(kept);
        start(stage.root()).unwrap();
    }
    assert!(told > 0);
}

#[test]
fn a_journal_with_a_line_that_we_do_not_know_is_left_alone() {
    let stage = stage(Ground::Plain);
    let (_, steps) = self::stage(Ground::Plain).run(Ground::Plain, None, How::Fail);
    drop(stage.run(Ground::Plain, Some(steps / 2), How::Kill));
    let lock = stage.root().join(".surefoot.lock");
    let mut file = fs::OpenOptions::new().append(true).open(&lock).unwrap();
    std::io::Write::write_all(&mut file, b"turn\ta.txt\n").unwrap();
    drop(file);
    let before = tree(stage.root());
    let error = start(stage.root()).unwrap_err();
    assert!(error.to_string().contains("another version"), "{error}");
    assert_eq!(tree(stage.root()), before);
}

#[test]
fn a_journal_cut_off_in_its_first_line_is_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".surefoot.lock", "surefoot 1 01234", 0o644);
    start(folder.path()).unwrap();
    assert!(tree(folder.path()).is_empty());
    write(folder.path(), ".surefoot.lock", "somebody's notes", 0o644);
    assert!(start(folder.path()).is_err());
    assert_eq!(tree(folder.path()).len(), 1);
}

#[test]
fn another_tree_s_journal_is_not_played_back_here() {
    let ground = Ground::Git(Target::Worktree);
    let (_, steps) = stage(ground).run(ground, None, How::Fail);
    let mut told = 0;
    for killed in 0..steps {
        // One repository, whose files are at one place and then at another.
        let stage = stage(ground);
        let other = stage.clone();
        fs::remove_dir_all(other.root().join(".git")).unwrap();
        let repository = stage.root().join(".git");
        let pointer = format!("gitdir: {}\n", repository.to_str().unwrap());
        fs::write(other.root().join(".git"), pointer).unwrap();
        drop(stage.run(ground, Some(killed), How::Kill));
        let config = |root: &Path| {
            let root = root.to_str().unwrap();
            git(stage.root(), &["config", "core.worktree", root]);
        };
        config(other.root());
        let lock = repository.join("surefoot.lock");
        let left = fs::metadata(&lock).is_ok_and(|lock| lock.len() > 0);
        let there = start(other.root());
        assert_eq!(tree(other.root()), stage.before, "killed at {killed}");
        assert_eq!(there.is_err(), left, "killed at {killed}: {there:?}");
        if let Err(error) = there {
            told += 1;
            let here = stage.root().to_str().unwrap();
            assert!(error.to_string().contains(here), "{error}");
        }
        config(stage.root());
        start(stage.root()).unwrap();
        assert!(stage.is_old(ground) || stage.is_new(ground), "{killed}");
        stage.no_debris();
    }
    assert!(told > 3, "{told} of {steps}");
}

#[test]
fn another_user_s_journal_is_not_believed() {
    let ground = Ground::Plain;
    let stage = stage(ground);
    let (_, steps) = self::stage(ground).run(ground, None, How::Fail);
    drop(stage.run(ground, Some(steps / 2), How::Kill));
    let lock = stage.root().join(".surefoot.lock");
    if std::os::unix::fs::chown(&lock, Some(77), None).is_err() {
        println!("skipped: only root may give files away");
        return;
    }
    let before = tree(stage.root());
    let error = start(stage.root()).unwrap_err();
    assert!(error.to_string().contains("another user"), "{error}");
    assert_eq!(tree(stage.root()), before);
    std::os::unix::fs::chown(&lock, Some(rustix::process::geteuid().as_raw()), None).unwrap();
    start(stage.root()).unwrap();
    assert!(stage.is_old(ground));
}
