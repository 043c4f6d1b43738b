//! Printing what diffs cannot say.

use surefoot_engine::patch::{Change, Edit, Existing, Hunk, Line, LineHunk, Order, Patch, Span};
use surefoot_engine::path::PathSpec;

use super::parse;
use crate::unified_diff::names;
use crate::{Format as _, UnifiedDiff};

fn edit(change: Change) -> Edit {
    Edit::new(PathSpec::from_root("x"), change, Span::default())
}

fn hunk(lines: Vec<Line>) -> Edit {
    let hunks = vec![Hunk::Lines(LineHunk {
        lines,
        ..LineHunk::default()
    })];
    edit(Change::Modify {
        hunks,
        order: Order::File,
    })
}

#[track_caller]
fn check(edit: Edit, expected: Result<&str, &str>) {
    let printed = UnifiedDiff.print(&Patch { edits: vec![edit] });
    let printed = printed
        .map(|text| text.to_string())
        .map_err(|error| error.0);
    assert_eq!(printed.as_deref().map_err(|error| *error), expected);
}

#[test]
fn edits_are_printed_as_git_writes_them() {
    let change = vec![Line::Delete("a\n".into()), Line::Insert("b".into())];
    check(
        hunk(change),
        Ok(
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,1 +0,1 @@\n-a\n+b\n\\ No newline at end of file\n",
        ),
    );
    let create = Change::Create {
        content: "a\n".into(),
        existing: Existing::Exists,
    };
    check(
        edit(create),
        Ok("diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,1 @@\n+a\n"),
    );
    let create = Change::Create {
        content: "".into(),
        existing: Existing::Exists,
    };
    check(
        edit(create),
        Ok("diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +0,0 @@\n"),
    );
    let delete = Change::Delete {
        shown: Some("a\n".into()),
    };
    check(
        edit(delete),
        Ok("diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"),
    );
}

#[test]
fn what_a_diff_cannot_say_is_not_printed() {
    check(
        edit(Change::Write {
            content: "a".into(),
        }),
        Err("a whole file, whatever it was before"),
    );
    check(
        edit(Change::Keep),
        Err("an edit that would be read as another"),
    );
    let create = Change::Create {
        content: "a".into(),
        existing: Existing::Malformed,
    };
    check(edit(create), Err("a creation by an empty search"));
    let two_in_one = vec![Line::Insert("a\nb\n".into())];
    check(
        hunk(two_in_one),
        Err("an edit that would be read as another"),
    );
    let unended = vec![Line::Insert("a".into()), Line::Insert("b\n".into())];
    check(hunk(unended), Err("an edit that would be read as another"));
}

#[test]
fn names_are_quoted_as_git_does() {
    let with = |name: &[u8], quoted: &str| {
        assert_eq!(names::quote(name, false), quoted);
        assert_eq!(names::whole(quoted.as_bytes()).unwrap(), name);
    };
    with(b"plain name.txt", "plain name.txt");
    with("é".as_bytes(), "\"\\303\\251\"");
    with(
        b"\x07\x08\t\n\x0b\x0c\r\x1b\"\\\x7f",
        "\"\\a\\b\\t\\n\\v\\f\\r\\033\\\"\\\\\\177\"",
    );
}

#[test]
fn a_doubtful_prefix_stays_doubtful() {
    for input in [
        "--- a/x y\n+++ x y\n-a\n+b\n",
        "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
    ] {
        let patch = &parse(input.as_bytes()).unwrap().steps[0].readings[0].patch;
        assert!(UnifiedDiff.print(patch).is_ok());
    }
}
