//! git's hooks, in which git itself holds the index or has given it free.

#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use crate::scratch::{Scratch, surefoot};

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
