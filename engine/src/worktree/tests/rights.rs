//! Who may do what with a file after an edit: no more than before.

use std::os::unix::fs::{MetadataExt as _, chown};

use rustix::fs::{XattrFlags, getxattr, setxattr};

use super::*;

const ACL: &str = "system.posix_acl_access";
const CAPABILITY: &str = "security.capability";

fn run(root: &Path, at: Option<usize>) -> (Result<Outcome, Error>, usize) {
    let _alone = alone();
    let worktree = Worktree::discover(root).unwrap();
    worktree.disk.faults.at.set(at);
    let inputs = parsed(vec![text("f", "beta two", "beta three")]);
    let options = options(root, Target::Worktree);
    let outcome = apply(&worktree, &inputs, &Policy::BALANCED, &options);
    (outcome, worktree.disk.faults.steps.get())
}

fn warned(outcome: Result<Outcome, Error>) -> bool {
    match outcome.unwrap() {
        Outcome::Applied(applied) => applied
            .plan
            .warnings()
            .iter()
            .any(|warning| warning.code == "attributes-lost"),
        Outcome::Refused(refused) => panic!("{refused}"),
    }
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 256];
    let len = getxattr(path, name, &mut value[..]).ok()?;
    value.truncate(len);
    Some(value)
}

/// A list that lets user 77 read, as the kernel stores it.
fn list(group: u16) -> Vec<u8> {
    let none = u32::MAX;
    let entries: [(u16, u16, u32); 5] = [
        (1, 6, none),
        (2, 4, 77),
        (4, group, none),
        (0x10, 4, none),
        (0x20, 0, none),
    ];
    let mut bytes = 2u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

/// The right to bind low ports, as the kernel stores it.
fn capability() -> Vec<u8> {
    [0x0200_0000u32, 1 << 10, 0, 0, 0]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

fn ours(mode: u32) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "f", "alpha one\nbeta two\n", mode);
    if chown(folder.path().join("f"), Some(77), Some(78)).is_err() {
        println!("skipped: only root may give files away");
        return None;
    }
    // A change of owner has taken the set-id bits.
    let mode = fs::Permissions::from_mode(mode);
    fs::set_permissions(folder.path().join("f"), mode).unwrap();
    Some(folder)
}

#[test]
fn another_owner_s_file_keeps_its_owner_bits_and_attributes() {
    for mode in [0o6755, 0o4711, 0o2750, 0o640] {
        let Some(folder) = ours(mode) else { return };
        let file = folder.path().join("f");
        let set = |name: &str, value: &[u8]| setxattr(&file, name, value, XattrFlags::empty());
        let capable = set(CAPABILITY, &capability()).is_ok();
        let marked = set("user.mark", b"kept").is_ok();
        let (outcome, _) = run(folder.path(), None);
        assert!(!warned(outcome), "{mode:o}");
        let now = fs::metadata(&file).unwrap();
        assert_eq!(
            (now.uid(), now.gid(), now.mode() & 0o7777),
            (77, 78, mode),
            "{mode:o}"
        );
        assert_eq!(attribute(&file, CAPABILITY).is_some(), capable);
        assert_eq!(attribute(&file, "user.mark").is_some(), marked);
    }
}

#[test]
fn rights_go_with_the_owner() {
    // What may be left of each mode where neither the user nor the group could be kept.
    for (mode, most) in [
        (0o6755, 0o755),
        (0o4711, 0o711),
        (0o2750, 0o700),
        (0o660, 0o600),
    ] {
        let Some(first) = ours(mode) else { return };
        let (_, steps) = run(first.path(), None);
        let mut lost = 0;
        for at in 0..steps {
            let Some(folder) = ours(mode) else { return };
            let file = folder.path().join("f");
            let capable = setxattr(&file, CAPABILITY, &capability(), XattrFlags::empty()).is_ok();
            let (outcome, _) = run(folder.path(), Some(at));
            let now = fs::metadata(&file).unwrap();
            if now.uid() == 77 {
                // Refused, undone, or landed whole.
                assert_eq!(now.mode() & 0o7777, mode, "step {at}");
                assert_eq!(attribute(&file, CAPABILITY).is_some(), capable);
                continue;
            }
            lost += 1;
            // The group can still be given: it is the second try.
            assert_eq!(now.gid(), 78, "step {at}");
            assert_eq!(now.mode() & 0o7777, mode & 0o777, "step {at}");
            assert_eq!(attribute(&file, CAPABILITY), None);
            assert!(warned(outcome));
        }
        assert_eq!(lost, 1, "{mode:o}");
        assert_eq!(
            crate::worktree::carry::without_owner(mode, [false, false]),
            most
        );
    }
}

#[test]
fn a_list_of_users_is_kept_and_none_comes_from_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "f", "alpha one\nbeta two\n", 0o640);
    let file = folder.path().join("f");
    if setxattr(&file, ACL, &list(4), XattrFlags::empty()).is_err() {
        println!("skipped: this file system has no lists of users");
        return;
    }
    let before = attribute(&file, ACL);
    let (outcome, _) = run(folder.path(), None);
    assert!(!warned(outcome));
    assert_eq!(attribute(&file, ACL), before);

    write(folder.path(), "f", "alpha one\nbeta two\n", 0o640);
    rustix::fs::removexattr(&file, ACL).unwrap();
    let default = "system.posix_acl_default";
    setxattr(folder.path(), default, &list(4), XattrFlags::empty()).unwrap();
    let (outcome, _) = run(folder.path(), None);
    assert!(!warned(outcome));
    assert_eq!(
        attribute(&file, ACL),
        None,
        "user 77 may read what he could not"
    );
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o640);
}
