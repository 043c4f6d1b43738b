//! `--diff`: what it prints, git takes.

use crate::scratch::{Scratch, finish, surefoot};

/// Checks that `edit` with `--check --diff` prints a diff that, applied by git, gives what `edit`
/// gives when it lands.
fn check(files: &[(&str, &str)], edit: &str) {
    let (ours, gits) = (Scratch::git(files), Scratch::git(files));
    let done = ours.apply(&["--check", "--diff"], edit);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.err.contains("would apply"), "{done:?}");
    let mut apply = std::process::Command::new("git");
    crate::scratch::isolate(&mut apply)
        .args(["apply", "--index"])
        .current_dir(gits.path());
    let applied = finish(&mut apply, done.out.as_bytes());
    assert_eq!(applied.status, 0, "{applied:?}\n{}", done.out);
    let landed = ours.apply(&["--index"], edit);
    assert_eq!(landed.status, 0, "{landed:?}");
    assert_eq!(
        ours.run_git(&["write-tree"]),
        gits.run_git(&["write-tree"]),
        "{}",
        done.out
    );
}

#[test]
fn git_applies_what_is_printed() {
    let numbers: String = (1..=40).map(|n| format!("{n}\n")).collect();
    let edit =
        r#"{"path":"n","edits":[{"old":"\n5\n","new":"\nfive\n"},{"old":"\n30\n","new":"\n"}]}"#;
    check(&[("n", &numbers)], edit);
    check(&[("n", "a\nb")], r#"{"path":"n","old":"b","new":"c"}"#);
    check(
        &[("n", "a\r\nb\r\n")],
        r#"{"path":"n","old":"b","new":"c"}"#,
    );
    check(
        &[("a b", "a\nb\n")],
        r#"{"path":"a b","old":"b","new":"c"}"#,
    );
    check(
        &[("ü\"", "a\nb\n")],
        r#"{"path":"ü\"","old":"b","new":"c"}"#,
    );
    check(&[], "--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    check(
        &[("n", "a\nb\n")],
        "--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
    );
    check(
        &[("n", "a\nb\nc\nd\n")],
        "diff --git a/n b/m\nrename from n\nrename to m\n--- a/n\n+++ b/m\n@@ -2 +2 @@\n-b\n+B\n",
    );
    check(
        &[("n", "a\nb\n")],
        "diff --git a/n b/n\nold mode 100644\nnew mode 100755\n",
    );
    check(
        &[],
        "diff --git a/e b/e\nnew file mode 100755\nindex 0000000..e69de29\n",
    );
}

#[test]
fn a_refused_edit_prints_its_refusal() {
    let scratch = Scratch::git(&[("n", "a\na\n")]);
    let done = scratch.apply(&["--diff"], r#"{"path":"n","old":"a","new":"b"}"#);
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.out.starts_with("refused (ambiguous)"), "{done:?}");
}

#[test]
fn in_colour_the_changed_part_of_a_line_is_set_off() {
    let scratch = Scratch::git(&[("n", "let answer = 41;\n\x1b\n")]);
    let mut command = surefoot();
    command
        .args(["apply", "--check", "--diff"])
        .current_dir(scratch.path());
    command.env("CLICOLOR_FORCE", "1");
    let done = finish(
        &mut command,
        br#"{"path":"n","old":"answer = 41","new":"answer = 42"}"#,
    );
    assert!(done.out.contains("\x1b[1;7;31m41"), "{done:?}");
    assert!(done.out.contains("\x1b[1;7;32m42"), "{done:?}");
    assert!(done.out.contains(r" \u{1b}"), "{done:?}");
}
