//! What the process is started with: git's variables, the shell's folder, somebody else's files.

#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use crate::scratch::{Done, Scratch, finish, surefoot};

const EDIT: &str = r#"[{"path":"a.txt","old":"beta","new":"BETA"}]"#;
const OLD: &str = "alpha\nbeta\n";
const NEW: &str = "alpha\nBETA\n";

fn run(folder: &Path, options: &[&str], environment: &[(&str, &Path)], edit: &str) -> Done {
    let mut command = surefoot();
    command.arg("apply").args(options).current_dir(folder);
    command.envs(environment.iter().copied());
    finish(&mut command, edit.as_bytes())
}

#[test]
fn an_absolute_path_may_go_by_the_shell_s_name_of_the_tree() {
    let scratch = Scratch::git(&[("tree.txt", OLD), ("sub/a.txt", OLD)]);
    let elsewhere = Scratch::plain();
    let link = elsewhere.at("link");
    symlink(scratch.path(), &link).unwrap();
    let edit = |path: &Path| EDIT.replace("a.txt", path.to_str().unwrap());
    let named = edit(&link.join("sub/a.txt"));
    // Without the shell's word, or against it, the link is no name of the tree.
    for shell in [elsewhere.path(), &link, Path::new("/")] {
        let done = run(&scratch.at("sub"), &["--json"], &[("PWD", shell)], &named);
        assert_eq!(
            (done.status, done.codes()),
            (1, vec!["outside-tree".into()]),
            "{shell:?}"
        );
        assert_eq!(scratch.read("sub/a.txt"), OLD);
    }
    let shell = link.join("sub");
    let outside = edit(&elsewhere.at("a.txt"));
    let done = run(
        &scratch.at("sub"),
        &["--json"],
        &[("PWD", &shell)],
        &outside,
    );
    assert_eq!(done.codes(), ["outside-tree"]);
    let done = run(&scratch.at("sub"), &["--json"], &[("PWD", &shell)], &named);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("sub/a.txt"), NEW);
}

#[test]
fn a_link_straight_into_a_folder_does_not_name_what_is_above_it() {
    let scratch = Scratch::git(&[("a.txt", OLD), ("sub/b.txt", OLD)]);
    let elsewhere = Scratch::plain();
    elsewhere.write("a.txt", OLD);
    let link = elsewhere.at("link");
    symlink(scratch.at("sub"), &link).unwrap();
    let path = elsewhere.at("a.txt");
    let edit = EDIT.replace("a.txt", path.to_str().unwrap());
    let done = run(&scratch.at("sub"), &["--json"], &[("PWD", &link)], &edit);
    assert_eq!(done.codes(), ["outside-tree"]);
    assert_eq!(
        (scratch.read("a.txt"), elsewhere.read("a.txt")),
        (OLD.into(), OLD.into())
    );
}

#[test]
fn the_index_that_the_environment_names_is_the_one_written() {
    let scratch = Scratch::git(&[("a.txt", OLD)]);
    let index = scratch.at(".git/other-index");
    std::fs::copy(scratch.at(".git/index"), &index).unwrap();
    let before = std::fs::read(scratch.at(".git/index")).unwrap();
    let environment = [("GIT_INDEX_FILE", index.as_path())];
    let done = run(scratch.path(), &["--index"], &environment, EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.txt"), NEW);
    assert_eq!(std::fs::read(scratch.at(".git/index")).unwrap(), before);
    std::fs::rename(index, scratch.at(".git/index")).unwrap();
    assert_eq!(scratch.run_git(&["diff"]), "");
    assert_eq!(scratch.run_git(&["show", ":a.txt"]), NEW);
    assert_eq!(scratch.run_git(&["status", "--porcelain"]), "M  a.txt\n");
}

#[test]
fn the_index_that_a_hook_s_git_holds_is_refused() {
    let scratch = Scratch::git(&[("a.txt", OLD)]);
    let index = scratch.at(".git/index.lock");
    std::fs::copy(scratch.at(".git/index"), &index).unwrap();
    let environment = [("GIT_INDEX_FILE", index.as_path())];
    let done = run(scratch.path(), &["--index", "--json"], &environment, EDIT);
    assert_eq!((done.status, done.codes()), (1, vec!["unsupported".into()]));
    assert_eq!(scratch.read("a.txt"), OLD);
    assert!(index.exists());
}

#[test]
fn the_git_folder_that_the_environment_names_counts_for_its_own_tree_only() {
    // As git runs its hooks: both variables, the folder at the top.
    let scratch = Scratch::git(&[("a.txt", OLD), ("sub/b.txt", OLD)]);
    let own = scratch.at(".git");
    let done = run(scratch.path(), &["--index"], &[("GIT_DIR", &own)], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.run_git(&["show", ":a.txt"]), NEW);

    // Another repository's: neither its files nor its index are meant.
    let other = Scratch::git(&[("a.txt", OLD)]);
    let environment = [
        ("GIT_DIR", &*other.at(".git")),
        ("GIT_INDEX_FILE", &*other.at(".git/index")),
    ];
    let before = std::fs::read(other.at(".git/index")).unwrap();
    scratch.write("a.txt", OLD);
    scratch.run_git(&["add", "-A"]);
    let done = run(scratch.path(), &["--index"], &environment, EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.txt"), NEW);
    assert_eq!(scratch.run_git(&["show", ":a.txt"]), NEW);
    assert_eq!(std::fs::read(other.at(".git/index")).unwrap(), before);
    assert_eq!(other.read("a.txt"), OLD);
}

#[test]
fn a_git_folder_elsewhere_serves_the_tree_that_the_environment_names() {
    let scratch = Scratch::git(&[("a.txt", OLD)]);
    let tree = Scratch::plain();
    tree.write("a.txt", OLD);
    let own = scratch.at(".git");
    let environment = [("GIT_DIR", own.as_path()), ("GIT_WORK_TREE", tree.path())];
    let done = run(tree.path(), &["--json"], &environment, EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(
        (tree.read("a.txt"), scratch.read("a.txt")),
        (NEW.into(), OLD.into())
    );
}

#[test]
fn a_repository_that_somebody_else_owns_is_not_trusted() {
    let scratch = Scratch::git(&[("a.txt", OLD)]);
    let give = |path: &Path| chown(path, Some(77), Some(77)).is_ok();
    if !(give(scratch.path()) && give(&scratch.at(".git"))) {
        println!("skipped: only root may give files away");
        return;
    }
    for options in [
        &["--json"][..],
        &["--json", "--index"],
        &["--json", "--check"],
    ] {
        let done = run(scratch.path(), options, &[], EDIT);
        assert_eq!(done.status, 2, "{done:?}");
        assert!(format!("{done:?}").contains("safe.directory"), "{done:?}");
        assert_eq!(scratch.read("a.txt"), OLD);
    }
    // As git's own way to say that it is meant.
    let elsewhere = Scratch::plain();
    let path = std::fs::canonicalize(scratch.path()).unwrap();
    elsewhere.write(
        "config",
        format!("[safe]\n\tdirectory = {}\n", path.display()),
    );
    let config = elsewhere.at("config");
    let done = run(
        scratch.path(),
        &["--json"],
        &[("GIT_CONFIG_GLOBAL", &config)],
        EDIT,
    );
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.txt"), NEW);
}
