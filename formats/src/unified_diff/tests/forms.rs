//! File headers: names, modes, renames, ids, and what other tools write.

use super::{check, check_with, parse};
use crate::unified_diff::names;
use crate::{Format as _, ParseOptions, UnifiedDiff};

const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";
const LINES: &str = "@1,1 [-a$|+b$]";

#[test]
fn names_lose_their_prefixes_where_both_sides_carry_them() {
    let with = |old: &str, new: &str, path: &str| {
        check(
            format!("--- {old}\n+++ {new}\n{HUNK}"),
            &format!("modify {path} {LINES}"),
        );
    };
    with("a/d/x", "b/d/x", "d/x");
    with("i/x", "w/x", "x");
    with("x", "x", "x");
    with("d/x", "d/x", "d/x");
    with("a/x", "x", "x~a/x");
    with("x", "b/x", "x~b/x");
    with("a/x", "a/x", "x~a/x");
    with(
        "x\t2020-01-05 16:56:19.000000000 -0600",
        "x\t2020-01-05 16:56:35.000 -0600",
        "x",
    );
    with(
        "x 2020-01-05 16:56:19.000000000 -0600",
        "x 2020-01-05 16:56:35.000 -0600",
        "x",
    );
    with(
        "\"a/s \\\"q\\\" \\303\\251\\\\\"",
        "\"b/s \\\"q\\\" \\303\\251\\\\\"",
        "s \"q\" é\\",
    );
    with("a/x y\t", "b/x y\t", "x y");
    with("/tmp/x", "/tmp/x", "/tmp/x");
    with("a/../x", "b/../x", "../x");
}

#[test]
fn names_that_differ_are_a_conflict() {
    let with = |old: &str, new: &str| {
        check(
            format!("--- {old}\n+++ {new}\n{HUNK}"),
            "! malformed name conflict",
        );
    };
    with("a/old.txt", "b/new.txt");
    with("old/x", "new/x");
    with("x.orig", "x");
    check(
        format!("diff --git a/x b/x\n--- a/y\n+++ b/y\n{HUNK}"),
        "! malformed name conflict",
    );
    check(
        format!("diff --git a/x b/y\n--- a/x\n+++ b/y\n{HUNK}"),
        "! malformed name conflict",
    );
    check(
        format!("--- \"a/x\\q\"\n+++ b/x\n{HUNK}"),
        "! malformed no quoted name",
    );
    check(
        format!("--- /dev/null\n+++ /dev/null\n{HUNK}"),
        "! malformed both sides",
    );
}

#[test]
fn the_caller_may_say_how_much_to_strip() {
    let strip = |count: usize, input: String, expected: &str| {
        let options = ParseOptions {
            strip: Some(count),
            ..ParseOptions::default()
        };
        check_with(&options, input, expected);
    };
    let sides = |old: &str, new: &str| format!("--- {old}\n+++ {new}\n{HUNK}");
    strip(
        1,
        sides("old/d/x", "new/d/x"),
        &format!("modify d/x {LINES}"),
    );
    strip(0, sides("a/x", "a/x"), &format!("modify a/x {LINES}"));
    strip(2, sides("a/d/x", "b/d/x"), &format!("modify x {LINES}"));
    strip(3, sides("a/d/x", "b/d/x"), "! malformed components");
    let moved = "diff --git a/d/x b/d/y\nsimilarity index 100%\nrename from d/x\nrename to d/y\n";
    strip(1, moved.to_owned(), "keep d/x renamed d/y");
    strip(2, moved.to_owned(), "keep x renamed y");
}

#[test]
fn the_git_line_is_split_where_both_halves_agree() {
    let with = |line: &str, old: &str, new: &str| {
        let split = names::git_line(line.as_bytes()).unwrap();
        assert_eq!(split, Some((old.into(), new.into())), "{line}");
    };
    with("a/x b/x", "a/x", "b/x");
    with("a/p b/l b/x b/p b/l b/x", "a/p b/l b/x", "b/p b/l b/x");
    with("a/x y b/x y", "a/x y", "b/x y");
    with("\"a/\\t\" \"b/\\t\"", "a/\t", "b/\t");
    with("a/x \"b/\\t\"", "a/x", "b/\t");
    with("a/x b/y", "a/x", "b/y");
    assert_eq!(names::git_line(b"a/x y b/z").unwrap(), None);
}

#[test]
fn git_headers_say_what_becomes_of_the_file() {
    check(
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
        "keep x 100644>100755",
    );
    check(
        "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
        "keep x renamed y",
    );
    check(
        "diff --git a/t/a.sh b/t/b.sh\nold mode 100644\nnew mode 100755\nsimilarity index 100%\ncopy from t/a.sh\ncopy to t/b.sh\n",
        "keep t/a.sh copied t/b.sh 100644>100755",
    );
    check(
        format!(
            "diff --git a/x b/y\nsimilarity index 63%\nrename from x\nrename to y\nindex de9bbd6..08aab16 100644\n--- a/x\n+++ b/y\n{HUNK}"
        ),
        &format!("modify x renamed y base de9bbd6 post 08aab16 {LINES}"),
    );
    check(
        "diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n",
        "create e >100644 post e69de29 []",
    );
    check(
        "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n",
        "delete e 100644>100644 base e69de29 []",
    );
    // An irreversible delete shows nothing.
    check(
        "diff --git a/e b/e\ndeleted file mode 100644\nindex 72ab60e..0000000\n",
        "delete e 100644>100644 base 72ab60e",
    );
    check(
        "diff --git a/l b/l\nindex 1111111..2222222 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
        &format!("modify l 120000>120000 base 1111111 post 2222222 {LINES}"),
    );
    check(
        format!("diff --git a/x b/x\nindex 1234..xyzw\n--- a/x\n+++ b/x\n{HUNK}"),
        &format!("modify x {LINES}"),
    );
    // Models leave the two lines out.
    check(
        format!("diff --git a/x b/x\n{HUNK}"),
        &format!("modify x {LINES}"),
    );
}

#[test]
fn files_come_and_go() {
    check(
        "diff --git a/x b/x\nnew file mode 100755\nindex 0000000..1111111\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        "create x >100755 post 1111111 [a$b$]",
    );
    check(
        "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
        "create x~b/x [a$]",
    );
    check(
        "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        "delete x~a/x [a$]",
    );
    check(
        "--- x\t1970-01-01 00:00:00.000000000 +0000\n+++ x\t2020-01-01 00:00:00.0 +0000\n@@ -0,0 +1 @@\n+a\n",
        "create x [a$]",
    );
    // Emptied is not deleted.
    check(
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n",
        "modify x @1,1 [-a$]",
    );
    // Nothing was there: no lines, or no file.
    check(
        "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
        "modify x @1,1 [+a$]\nor\ncreate x [a$]",
    );
    // A file that becomes a link is deleted and created.
    check(
        "diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
         diff --git a/x b/x\nnew file mode 120000\nindex 0000000..2222222\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n",
        "delete x 100644>100644 base 1111111 [a$]\ncreate x >120000 post 2222222 [y]",
    );
    check(
        "diff --git a/foo b/foo\nnew file mode 100644\n--- /dev/null\n+++ b/foo\n@@ -0,0 +1,2 @@\n+this\n+was\n+four\n+lines\n",
        "create foo >100644 [this$was$four$lines$]",
    );
    check(
        "--- /dev/null\n+++ b/x\n@@ -1,1 +1,2 @@\n a\n+b\n",
        "! malformed has old lines",
    );
    check(
        "--- a/x\n+++ /dev/null\n@@ -1,2 +1 @@\n-a\n b\n",
        "! malformed keeps lines",
    );
    check(
        "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n@@ -5 +0,0 @@\n-b\n",
        "! malformed keeps lines",
    );
}

#[test]
fn headers_that_promise_more_than_follows_are_cut_off() {
    let cut = "! malformed cut off";
    check("diff --git a/g b/g\n", cut);
    check("diff --git a/g b/g\n--- a/g\n", cut);
    check("diff --git a/g b/g\nindex 1111111..2222222 100644\n", cut);
    check(
        "diff --git a/g b/g\nindex 1111111..2222222 100644\n--- a/g\n+++ b/g\n",
        cut,
    );
    check("diff --git a/g b/g\nnew file mode 100644\n", cut);
    check(
        "diff --git a/g b/g\nnew file mode 100644\nindex 0000000..1111111\n",
        cut,
    );
    check(
        "diff --git a/g b/h\nsimilarity index 63%\nrename from g\nrename to h\n",
        cut,
    );
    check(
        "diff --git a/g b/hi\nsimilarity index 100%\nrename from g\nrename to h",
        "! malformed conflict",
    );
    check(
        "diff --git a/g b/g\nold mode 100644\n",
        "! malformed is missing",
    );
    check(
        "diff --git a/g b/h\nrename from g\n",
        "! malformed one side only",
    );
    check(
        format!("--- a/f\n+++ b/f\n{HUNK}diff --git a/g b/g\n--- a/g\n"),
        cut,
    );
}

#[test]
fn headers_that_contradict_themselves_are_refused() {
    let with = |lines: &str, words: &str| {
        check(
            format!("diff --git a/x b/x\n{lines}"),
            &format!("! malformed {words}"),
        );
    };
    with(
        "new file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "deny",
    );
    with(
        "new file mode 100644\ndeleted file mode 100644\n",
        "both new and deleted",
    );
    with(
        "old mode 100644\nold mode 100644\nnew mode 100755\n",
        "twice",
    );
    with("old mode 1006\nnew mode 100755\n", "no mode");
    with(
        "new file mode 100644\nrename from x\nrename to y\n",
        "declared new",
    );
    with("rename from y\nrename to z\n", "name conflict");
    check(
        "diff --git a/x b/x\nold mode 100644\nnew mode 100644\n",
        "! nochange equal",
    );
}

#[test]
fn what_is_not_read_says_so() {
    check("diff --cc x\nindex 1,2..3\n", "! unsupported combined");
    check(
        "diff --git a/x b/x\nBinary files a/x and b/x differ\n",
        "! binary content",
    );
    check(
        format!("--- a/f\n+++ b/f\n{HUNK}Binary files a/x and b/x differ\n"),
        "! binary content",
    );
    check("Index: x\n=======\n", "! malformed cut off");
    check(
        "*** a\n--- b\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
        "! unsupported context",
    );
    check("5,7c3\n< a\n---\n> b\n", "! unsupported ed");
    check("d5 3\na7 2\nx\ny\n", "! unsupported ed");
    check(
        format!("--- a/f\n+++ b/f\n{HUNK}Submodule lib 1234567..89abcde:\n  > a\n"),
        "! unsupported submodule",
    );
    check(
        format!("--- a/f\n+++ b/f\n{HUNK}* Unmerged path g\n"),
        "! unsupported conflicts",
    );
    let id = "0123456789012345678901234567890123456789";
    check(
        format!("commit {id}\n\n    b\n\n--- a/f\n+++ b/f\n{HUNK}\ncommit {id}\n"),
        "! unsupported several commits",
    );
}

#[test]
fn other_tools_headers_are_read() {
    check(
        format!(
            "Index: src/x.c\n{}\n--- src/x.c\t(revision 1)\n+++ src/x.c\t(working copy)\n{HUNK}",
            "=".repeat(67)
        ),
        &format!("modify src/x.c {LINES}"),
    );
    check(
        format!(
            "diff -u -r1.1 x.c\n--- x.c\t1 Jan 2003 10:00:00 -0000\t1.1\n+++ x.c\t2 Jan 2003 10:00:00 -0000\n{HUNK}"
        ),
        &format!("modify x.c {LINES}"),
    );
    let options = ParseOptions {
        path: Some("src/x".into()),
        ..ParseOptions::default()
    };
    check_with(&options, HUNK, &format!("modify src/x {LINES}"));
    check(HUNK, "! malformed outside of any file");
}

#[test]
fn an_error_names_its_line_and_file() {
    let error = parse(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ 7 @@\n").unwrap_err();
    assert_eq!((error.line, error.path), (6, Some("x".into())));
    let found = error.span;
    assert_eq!((found.start, found.end), (34, 42));
}

#[test]
fn claims_what_looks_like_a_diff() {
    let claims = |input: &str| UnifiedDiff.claims(input.into());
    assert!(claims("diff --git a/x b/x\n"));
    assert!(claims("text\n--- a/x\n+++ b/x\n"));
    assert!(claims("@@ -1 +1 @@\n"));
    assert!(claims("diff --cc x\n"));
    assert!(!claims("--- a/x\ntext\n"));
    assert!(!claims(
        "*** Begin Patch\n*** Update File: x\n@@ -1 +1 @@\n"
    ));
    assert!(!claims("- one\n+ two\n"));
    assert!(!claims(""));
}
