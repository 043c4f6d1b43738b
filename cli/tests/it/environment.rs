//! Where a call stands: git's own environment, another name of the folder, another owner.

#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::os::unix::fs::{chown, symlink};

use crate::scratch::{Done, Scratch, finish, surefoot};

const EDIT: &str = "a.txt\n<<<<<<< SEARCH\none two\n=======\none three\n>>>>>>> REPLACE\n";

/// A hook of `repository` that runs surefoot on [`EDIT`] with `options`.
fn hook(repository: &Scratch, name: &str, options: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let surefoot = surefoot().get_program().to_owned();
    let script = format!(
        "#!/bin/sh\nprintf '%s' '{EDIT}' | '{}' apply {options} >hook.out 2>hook.err\n\
         echo $? >hook.status\n",
        surefoot.display()
    );
    let path = format!(".git/hooks/{name}");
    repository.write(&path, script);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(repository.at(&path), mode).unwrap();
}

fn told(scratch: &Scratch) -> String {
    ["hook.status", "hook.out", "hook.err"]
        .map(|name| scratch.read(name))
        .concat()
}

#[test]
fn a_hook_changes_the_commit_that_is_under_way() {
    let scratch = Scratch::git(&[("a.txt", "one two\n"), ("b.txt", "b\n")]);
    hook(&scratch, "pre-commit", "--cached");
    scratch.write("b.txt", "more\n");
    scratch.run_git(&["add", "b.txt"]);
    scratch.run_git(&["commit", "-qm", "next"]);
    // git gives the index free for the hooks of such a commit, and reads it again.
    assert_eq!(scratch.read("hook.status"), "0\n", "{}", told(&scratch));
    assert_eq!(scratch.run_git(&["show", "HEAD:a.txt"]), "one three\n");
    assert_eq!(scratch.read("a.txt"), "one two\n");
    scratch.run_git(&["fsck", "--strict"]);
}

#[test]
fn the_index_of_a_partial_commit_is_refused() {
    let scratch = Scratch::git(&[("a.txt", "one two\n"), ("b.txt", "b\n")]);
    hook(&scratch, "pre-commit", "--index");
    scratch.write("b.txt", "more\n");
    // Here GIT_INDEX_FILE names a lock file that git renames when the hook is done.
    scratch.run_git(&["commit", "-qm", "next", "--", "b.txt"]);
    assert_eq!(scratch.read("hook.status"), "1\n", "{}", told(&scratch));
    assert_eq!(scratch.read("a.txt"), "one two\n");
    assert_eq!(scratch.run_git(&["show", ":a.txt"]), "one two\n");
}

/// Runs an edit in `scratch` under `variables`.
fn apply(scratch: &Scratch, variables: &[(&str, &str)]) -> Done {
    let mut command = surefoot();
    command
        .args(["apply", "--json"])
        .current_dir(scratch.path())
        .envs(variables.iter().copied());
    finish(&mut command, EDIT.as_bytes())
}

#[test]
fn an_environment_for_another_repository_does_not_count() {
    let scratch = Scratch::git(&[("a.txt", "one two\n")]);
    let other = Scratch::git(&[("a.txt", "one two\n")]);
    let dir = other.at(".git").to_str().unwrap().to_owned();
    let index = other.at(".git/index").to_str().unwrap().to_owned();
    let tree = other.path().to_str().unwrap().to_owned();
    let variables = [
        ("GIT_DIR", dir.as_str()),
        ("GIT_WORK_TREE", &tree),
        ("GIT_INDEX_FILE", &index),
    ];
    let done = apply(&scratch, &variables);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.txt"), "one three\n");
    assert_eq!(other.read("a.txt"), "one two\n");
}

#[test]
fn an_absolute_path_may_name_the_tree_as_the_shell_does() {
    let scratch = Scratch::git(&[("sub/a.txt", "one two\n")]);
    let links = Scratch::plain();
    symlink(scratch.path(), links.at("link")).unwrap();
    symlink(scratch.at("sub"), links.at("deep")).unwrap();
    let run = |shell: &str, path: &str| {
        let path = links.at(path).to_str().unwrap().to_owned();
        let edit = serde_json::json!({ "path": path, "old": "one", "new": "1" });
        let mut command = surefoot();
        command
            .args(["apply", "--check", "--json"])
            .current_dir(links.at(shell))
            .env("PWD", links.at(shell));
        finish(&mut command, edit.to_string().as_bytes()).status
    };
    assert_eq!(run("link", "link/sub/a.txt"), 0);
    assert_eq!(run("link/sub", "link/sub/a.txt"), 0);
    // A link into the middle of the tree says nothing of where the tree is.
    assert_eq!(run("deep", "a.txt"), 1);
    assert_eq!(run("deep", "sub/a.txt"), 1);
}

#[test]
fn the_repository_of_somebody_else_is_not_trusted() {
    let scratch = Scratch::git(&[("a.txt", "one two\n")]);
    let folders = [".git", "."].map(|name| scratch.at(name));
    if folders
        .iter()
        .any(|at| chown(at, Some(12345), None).is_err())
    {
        println!("skipped: only root can give a folder away");
        return;
    }
    let done = apply(&scratch, &[]);
    assert_eq!(done.status, 2, "{done:?}");
    assert!(
        done.out.is_empty() && done.err.contains("safe.directory"),
        "{done:?}"
    );
    assert_eq!(scratch.read("a.txt"), "one two\n");
}

#[test]
fn root_keeps_a_files_owner_and_its_set_id_bits() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let scratch = Scratch::plain();
    scratch.write("a.txt", "one two\n");
    if chown(scratch.at("a.txt"), Some(12345), Some(12345)).is_err() {
        println!("skipped: only root can give a file away");
        return;
    }
    let mode = std::fs::Permissions::from_mode(0o6755);
    std::fs::set_permissions(scratch.at("a.txt"), mode).unwrap();
    let done = apply(&scratch, &[]);
    assert_eq!(done.status, 0, "{done:?}");
    let now = std::fs::metadata(scratch.at("a.txt")).unwrap();
    // Root keeps the owner, and then the bits are still that owner's.
    assert_eq!(
        (now.uid(), now.gid(), now.mode() & 0o7777),
        (12345, 12345, 0o6755)
    );
}
