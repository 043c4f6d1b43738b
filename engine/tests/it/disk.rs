//! Modes, links, full disks, and files that change while we work.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use surefoot_engine::outcome::Outcome;
use surefoot_engine::policy::Policy;
use surefoot_engine::worktree::{Worktree, apply};

use crate::scene::{Scene, create, delete, parsed, rename, text, with_base};

const LINES: &str = "first line\nsecond line\nthird line\n";

fn numbered(lines: usize) -> String {
    (0..lines).map(|n| format!("line number {n}\n")).collect()
}

#[test]
fn permission_bits_survive() {
    for scene in [Scene::plain(), Scene::git()] {
        for mode in [0o644, 0o640, 0o600, 0o444, 0o755, 0o750, 0o2664] {
            let name = format!("f{mode:o}");
            scene.write(&name, LINES);
            fs::set_permissions(scene.at(&name), fs::Permissions::from_mode(mode)).unwrap();
            scene.apply(vec![text(&name, "second line", "2nd line")]);
            let now = fs::metadata(scene.at(&name)).unwrap().permissions().mode() & 0o7777;
            assert_eq!(now, mode, "{mode:o} became {now:o}");
            assert_eq!(scene.read(&name), b"first line\n2nd line\nthird line\n");
        }
    }
}

#[test]
fn a_file_with_two_names_is_kept_whole_or_parted_on_demand() {
    let mut scene = Scene::plain();
    scene.write("x.txt", LINES);
    fs::hard_link(scene.at("x.txt"), scene.at("hard.txt")).unwrap();
    let edit = || vec![text("x.txt", "second line", "2nd line")];
    assert_eq!(scene.refuse(edit()), "unsupported");
    assert_eq!(fs::metadata(scene.at("x.txt")).unwrap().nlink(), 2);
    scene.options.break_links = true;
    scene.apply(edit());
    assert_eq!(scene.read("hard.txt"), LINES.as_bytes());
    assert_eq!(scene.read("x.txt"), b"first line\n2nd line\nthird line\n");
    assert_eq!(fs::metadata(scene.at("hard.txt")).unwrap().nlink(), 1);
}

#[test]
fn extended_attributes_survive() {
    let scene = Scene::plain();
    scene.write("x.txt", LINES);
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(scene.at("x.txt"), "user.mark", b"kept", flags).is_err() {
        println!("skipped: this file system has no extended attributes");
        return;
    }
    scene.apply(vec![text("x.txt", "second line", "2nd line")]);
    let mut value = [0; 16];
    let len = rustix::fs::getxattr(scene.at("x.txt"), "user.mark", &mut value[..]).unwrap();
    assert_eq!(&value[..len], b"kept");
}

#[test]
fn renames_may_cross() {
    for scene in [Scene::plain(), Scene::git()] {
        scene.write("a.txt", "content of a\n");
        scene.write("b.txt", "content of b\n");
        if scene.at(".git").exists() {
            scene.commit();
        }
        let id = |text: &str| {
            let id = surefoot_engine::blob::BlobId::of(gix_hash::Kind::Sha1, text.as_bytes());
            id.unwrap().to_string()
        };
        let [a, b] = [id("content of a\n"), id("content of b\n")];
        scene.apply(vec![
            with_base(rename("a.txt", "b.txt"), &a),
            with_base(rename("b.txt", "a.txt"), &b),
        ]);
        assert_eq!(scene.read("a.txt"), b"content of b\n");
        assert_eq!(scene.read("b.txt"), b"content of a\n");
        assert_eq!(scene.tree().len(), 2);
    }
}

#[test]
fn emptied_folders_go_and_others_stay() {
    let scene = Scene::plain();
    scene.write("deep/er/gone.txt", "gone\n");
    scene.write("kept/gone.txt", "gone\n");
    scene.write("kept/stays.txt", "stays\n");
    scene.apply(vec![
        delete("deep/er/gone.txt", "gone\n"),
        delete("kept/gone.txt", "gone\n"),
    ]);
    assert!(!scene.at("deep").exists());
    assert_eq!(scene.read("kept/stays.txt"), b"stays\n");
}

/// A limit on file sizes is the disk that is full: the write of the second file fails half-way.
#[test]
fn a_write_that_fails_half_way_leaves_both_files() {
    let scene = Scene::plain();
    scene.write("a.txt", LINES);
    scene.write("z.txt", numbered(60_000));
    let before = scene.tree();
    let edits = vec![
        text("a.txt", "second line", "2nd line"),
        text("z.txt", "line number 4711\n", "line number 4711, changed\n"),
    ];
    let worktree = Worktree::discover(scene.root()).unwrap();
    // The limit ends a process with a signal unless that is ignored, as the shell's trap does.
    let child = std::process::Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 100; exec \"$0\" --exact disk::limited --nocapture",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SUREFOOT_TEST_ROOT", scene.root())
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{}",
        String::from_utf8_lossy(&child.stdout)
    );
    assert!(String::from_utf8_lossy(&child.stdout).contains("cannot write `z.txt`"));
    assert_eq!(scene.tree(), before);
    // Without the limit the same edits land.
    let outcome = apply(&worktree, &parsed(edits), &Policy::BALANCED, &scene.options).unwrap();
    assert!(matches!(outcome, Outcome::Applied(_)));
}

/// The part of the test above that runs under the limit; by itself it does nothing.
#[test]
fn limited() {
    let Some(root) = std::env::var_os("SUREFOOT_TEST_ROOT") else {
        return;
    };
    let mut scene = Scene::plain();
    scene.options.caller = root.clone().into();
    let worktree = Worktree::discover(root.as_ref()).unwrap();
    let edits = vec![
        text("a.txt", "second line", "2nd line"),
        text("z.txt", "line number 4711\n", "line number 4711, changed\n"),
    ];
    match apply(&worktree, &parsed(edits), &Policy::BALANCED, &scene.options) {
        Err(error) => {
            println!("{error}");
            assert!(error.left.is_empty());
        }
        Ok(outcome) => panic!("{outcome:?}"),
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_and_nothing_changes() {
    if rustix::process::geteuid().is_root() {
        println!("skipped: root may write anywhere");
        return;
    }
    let scene = Scene::plain();
    scene.write("a.txt", LINES);
    scene.write("closed/b.txt", LINES);
    let mode = |mode| fs::set_permissions(scene.at("closed"), fs::Permissions::from_mode(mode));
    mode(0o555).unwrap();
    let before = scene.tree();
    let edits = ["a.txt", "closed/b.txt"].map(|name| text(name, "second line", "2nd line"));
    let error = scene.try_apply(edits.into()).unwrap_err();
    assert_eq!(scene.tree(), before);
    mode(0o755).unwrap();
    assert!(error.to_string().contains("closed/b.txt"), "{error}");
}

#[test]
fn a_check_writes_nothing() {
    for mut scene in [Scene::plain(), Scene::git()] {
        scene.write("a.txt", LINES);
        scene.options.check = true;
        let before = scene.tree();
        let edits = vec![
            text("a.txt", "second line", "2nd line"),
            create("n/b.txt", "new\n"),
        ];
        assert!(!scene.apply(edits).written);
        assert_eq!(scene.tree(), before);
        assert!(!scene.at(".git/surefoot").exists());
    }
}

#[test]
fn bytes_that_are_no_text_survive() {
    let scene = Scene::git();
    scene.write("b.bin", b"\xff\xfe first\r\nkey = one\r\n\x00\x80 last");
    scene.apply(vec![text("b.bin", "key = one", "key = two")]);
    assert_eq!(
        scene.read("b.bin"),
        b"\xff\xfe first\r\nkey = two\r\n\x00\x80 last"
    );
}

#[test]
fn a_renamed_file_keeps_its_permissions() {
    let scene = Scene::git();
    scene.write("a.txt", "alpha\n");
    scene.commit();
    fs::set_permissions(scene.at("a.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    let id = scene.run_git(&["hash-object", "a.txt"]);
    scene.apply(vec![with_base(rename("a.txt", "b.txt"), &id)]);
    let mode = fs::metadata(scene.at("b.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o600);
    // Where git is told to look past the bit, it stays as the disk has it.
    scene.run_git(&["config", "core.fileMode", "false"]);
    scene.write("c.sh", "one\n");
    scene.commit();
    fs::set_permissions(scene.at("c.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    scene.apply(vec![text("c.sh", "one", "two")]);
    let mode = fs::metadata(scene.at("c.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

#[test]
fn the_repositorys_own_folder_is_closed_whatever_its_name() {
    let scene = Scene::git();
    scene.write("a.txt", "alpha\n");
    scene.commit();
    fs::rename(scene.at(".git"), scene.at("gd")).unwrap();
    scene.write(".git", "gitdir: gd\n");
    let code = scene.refuse(vec![create("gd/hooks/post-commit", "#!/bin/sh\n")]);
    assert_eq!(code, "forbidden-path");
    assert!(!scene.at("gd/hooks/post-commit").exists());
}

#[test]
fn a_repository_inside_a_plain_folder_is_closed() {
    let scene = Scene::plain();
    scene.write("sub/.git/HEAD", "ref: refs/heads/main\n");
    scene.write("sub/x.txt", "one\n");
    let code = scene.refuse(vec![text("sub/x.txt", "one", "two")]);
    assert_eq!(code, "forbidden-path");
}

#[test]
fn a_folder_gives_way_to_a_file_whatever_sorts_between() {
    let scene = Scene::plain();
    scene.write("d/x", "one\n");
    scene.write("d-x", "two\n");
    scene.apply(vec![
        text("d-x", "two", "three"),
        delete("d/x", "one\n"),
        create("d", "a file now\n"),
    ]);
    assert_eq!(scene.read("d"), b"a file now\n");
    assert_eq!(scene.read("d-x"), b"three\n");
}

/// A small file system of its own, as far as this machine lets us mount one.
struct Small(tempfile::TempDir);

impl Small {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = std::process::Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=1m", "none"]);
        let mounted = command.arg(folder.path()).output();
        mounted
            .is_ok_and(|done| done.status.success())
            .then(|| Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let mut command = std::process::Command::new("umount");
        command.arg(self.0.path()).status().unwrap();
    }
}

/// However little room there is, the edit lands whole or changes nothing, and leaves nothing behind.
#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let Some(small) = Small::mount() else {
        println!("skipped: no file system can be mounted here");
        return;
    };
    for git in [false, true] {
        let (mut failed, mut landed) = (0, 0);
        for room in 0..24 {
            let folder = tempfile::tempdir_in(small.0.path()).unwrap();
            let mut scene = Scene::plain();
            scene.options.caller = folder.path().to_owned();
            scene.folder = folder;
            scene.write("a.txt", LINES);
            scene.write("z.txt", numbered(600));
            if git {
                scene.run_git(&["init", "-q", "--template="]);
                scene.commit();
                scene.options.target = surefoot_engine::worktree::Target::WorktreeAndIndex;
            }
            // The last pages are kept free, one more each time.
            let filler = scene.root().parent().unwrap().join("filler");
            fs::write(&filler, vec![0; 2 << 20]).unwrap_err();
            let size = fs::metadata(&filler).unwrap().len();
            let file = fs::OpenOptions::new().write(true).open(&filler).unwrap();
            file.set_len(size.saturating_sub(room * 4096)).unwrap();
            drop(file);
            let before = scene.tree();
            let edits = vec![
                text("a.txt", "second line", "2nd line"),
                text("z.txt", "line number 471\n", "line number 471, changed\n"),
                create("new/b.txt", &numbered(300)),
            ];
            let outcome = scene.try_apply(edits);
            fs::remove_file(&filler).unwrap();
            match outcome {
                Ok(Outcome::Applied(_)) => {
                    landed += 1;
                    assert_eq!(scene.read("new/b.txt"), numbered(300).as_bytes());
                    assert!(String::from_utf8_lossy(&scene.read("z.txt")).contains("changed"));
                }
                Ok(Outcome::Refused(refused)) => panic!("{refused}"),
                Err(error) => {
                    failed += 1;
                    assert!(error.left.is_empty(), "{error:?}");
                    assert_eq!(scene.tree(), before, "git {git}, {room} pages: {error:?}");
                }
            }
            if git {
                let status = scene.run_git(&["status", "--porcelain"]);
                assert!(!status.contains("??") && !status.contains(" M"), "{status}");
                assert!(!scene.at(".git/index.lock").exists());
                assert!(!scene.at(".git/surefoot.lock").exists());
            }
        }
        assert!(failed > 2 && landed > 2, "git {git}: {failed}, {landed}");
    }
}
