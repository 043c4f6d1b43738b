//! What somebody else does to the tree while we work.

use super::*;

/// Runs `edits`; before step `at` the folder `d` is moved to `moved`.
fn run(root: &Path, edits: Vec<Edit>, at: usize, moved: &Path) -> (Result<Outcome, Error>, usize) {
    let _alone = alone();
    let worktree = Worktree::discover(root).unwrap();
    let faults = &worktree.disk.faults;
    faults.at.set(Some(at));
    faults.how.set(How::Move);
    *faults.meddled.borrow_mut() = root.join("d");
    *faults.moved.borrow_mut() = moved.to_owned();
    let options = options(root, Target::Worktree);
    let outcome = apply(&worktree, &parsed(edits), &Policy::BALANCED, &options);
    let steps = faults.steps.get();
    (outcome, steps)
}

#[test]
fn a_folder_that_is_moved_out_of_the_tree_is_not_written_there() {
    let lines = "alpha one\nbeta two\n";
    let kinds: [fn() -> Vec<Edit>; 4] = [
        || {
            vec![
                text("d/e/a.txt", "beta two", "beta three"),
                text("z", "beta two", "x"),
            ]
        },
        || {
            vec![
                create("d/e/new.txt", "new\n"),
                create("d/f/new.txt", "new\n"),
            ]
        },
        || {
            vec![
                delete("d/e/a.txt", "alpha one\nbeta two\n"),
                text("z", "beta two", "x"),
            ]
        },
        || {
            vec![
                text("d/e/a.txt", "beta two", "beta three"),
                text("d/b.txt", "beta two", "x"),
            ]
        },
    ];
    for (kind, edits) in kinds.iter().enumerate() {
        let (mut landed, mut refused) = (0, 0);
        for at in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let (root, moved) = (folder.path().join("tree"), folder.path().join("moved"));
            for name in ["d/e/a.txt", "d/b.txt", "z"] {
                write(&root, name, lines, 0o644);
            }
            let before = tree(&root);
            let (outcome, steps) = run(&root, edits(), at, &moved);
            if steps <= at {
                break;
            }
            // Both places together are the tree as it was, unless the move came behind the commit.
            if moved.exists() && !root.join("d").exists() {
                fs::rename(&moved, root.join("d")).unwrap();
            }
            match outcome {
                Ok(Outcome::Applied(_)) => landed += 1,
                Ok(Outcome::Refused(reasons)) => {
                    refused += 1;
                    let code = reasons.refusals()[0].reason.code();
                    assert_eq!(code, "changed-underfoot", "kind {kind} step {at}");
                    assert_eq!(tree(&root), before, "kind {kind} step {at}");
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(tree(&root), before, "kind {kind} step {at}: {error:?}");
                }
            }
        }
        assert!(
            refused > 3,
            "kind {kind}: {refused} refused, {landed} landed"
        );
    }
}

#[test]
fn a_mode_or_an_attribute_that_somebody_gives_meanwhile_is_not_lost() {
    let probe = tempfile::NamedTempFile::new().unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    let mut hows = vec![How::Close];
    if rustix::fs::setxattr(probe.path(), "user.mark", b"x", flags).is_ok() {
        hows.push(How::Mark);
    } else {
        println!("skipped for attributes: this file system has none");
    }
    for how in hows {
        let first = stage(Ground::Plain);
        let (_, steps) = first.clone().run(Ground::Plain, None, how);
        let mut refused = 0;
        for at in 0..steps {
            let stage = first.clone();
            let (outcome, _) = stage.run(Ground::Plain, Some(at), how);
            let file = stage.root().join("a.txt");
            let kept = match how {
                How::Close => fs::metadata(&file).unwrap().permissions().mode() & 0o7777 == 0o600,
                _ => rustix::fs::getxattr(&file, "user.mark", &mut [0; 8][..]).is_ok(),
            };
            assert!(kept, "{how:?} step {at}: {outcome:?}");
            if let Outcome::Refused(reasons) = outcome.unwrap() {
                refused += 1;
                let code = reasons.refusals()[0].reason.code();
                assert_eq!(code, "changed-underfoot", "{how:?} step {at}");
                let mut now = tree(stage.root());
                now.get_mut("a.txt").unwrap().1 = stage.before["a.txt"].1;
                assert_eq!(now, stage.before, "{how:?} step {at}");
            }
            stage.no_debris();
        }
        assert!(refused > 3, "{how:?}: {refused} of {steps}");
    }
}

#[test]
fn a_second_name_that_somebody_gives_meanwhile_is_not_parted() {
    let first = stage(Ground::Plain);
    let (_, steps) = first.clone().run(Ground::Plain, None, How::Fail);
    let mut refused = 0;
    for at in 0..steps {
        let stage = first.clone();
        let elsewhere = tempfile::tempdir().unwrap();
        let other = elsewhere.path().join("other");
        let (outcome, _) = stage.run_with(Ground::Plain, Some(at), How::Link, &other);
        let content = |path: &Path| fs::read(path).unwrap();
        assert_eq!(
            content(&other),
            content(&stage.root().join("a.txt")),
            "step {at}"
        );
        if let Outcome::Refused(reasons) = outcome.unwrap() {
            refused += 1;
            let code = reasons.refusals()[0].reason.code();
            assert_eq!(code, "changed-underfoot", "step {at}");
            assert_eq!(tree(stage.root()), stage.before, "step {at}");
        }
        stage.no_debris();
    }
    assert!(refused > 3, "{refused} of {steps}");
}
