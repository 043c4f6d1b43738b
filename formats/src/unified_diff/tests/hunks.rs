//! Hunk headers, counts, and the lines below them.

use super::{check, check_with, recoveries};

#[test]
fn line_numbers_that_contradict_each_other_are_told() {
    let with = |headers: &[&str], expected: &str| {
        let bodies = ["-a\n+b\n+c\n", "-d\n", "-e\n+f\n"];
        let hunks: Vec<String> = headers
            .iter()
            .zip(bodies)
            .map(|(header, body)| format!("@@ {header} @@\n{body}"))
            .collect();
        let input = format!("--- a/x\n+++ b/x\n{}", hunks.concat());
        assert_eq!(recoveries(&input), expected);
    };
    with(&["-1 +1,2", "-5 +5,0", "-9 +9"], "");
    with(
        &["-10 +30,2"],
        "hunk 1: the header moves its lines by +20, the hunks before it by +0",
    );
    with(
        &["-1 +1,2", "-5 +8,0", "-9 +12"],
        "hunk 2: the header moves its lines by +4, the hunks before it by +1",
    );
    with(
        &["-5 +5,2", "-3 +3,0"],
        "hunk 2: begins at line 3, before the last one ends",
    );
}
use crate::ParseOptions;

/// Puts a hunk below the header of `x`.
fn of_x(hunk: &str) -> String {
    format!("--- a/x\n+++ b/x\n{hunk}")
}

/// A text that its wrapping shows to be whole.
fn whole() -> ParseOptions {
    ParseOptions {
        complete: true,
        ..ParseOptions::default()
    }
}

#[test]
fn headers_state_places_as_far_as_they_can_be_read() {
    let body = " a\n-b\n+c\n d\n";
    let lines = "[ a$|-b$|+c$| d$]";
    let with = |header: &str, place: &str| {
        check(
            of_x(&format!("{header}\n{body}")),
            &format!("modify x @{place} {lines}"),
        );
    };
    with("@@ -5,3 +6,3 @@", "5,6");
    with("@@ -5,3 +6,3 @@ fn main() {", "5,6 fn main() {");
    with("@@ -5,3 +6,3 @@  spaced  heading ", "5,6 spaced  heading");
    with("@@-5,3 +6,3@@", "5,6");
    with("@@ -5,3 +6,3", "5,6");
    with("@@ -0,3 +0,3 @@", "?,?");
    with("@@ -5,3 @@", "5,?");
    with("@@ line 42 @@", "42,?");
    with("@@ lines 42-45 @@", "42,?");
    with("@@", "?,?");
    with("@@ @@", "?,?");
    with("@@ ... @@", "?,?");
    with("@@ ... @@ class A:", "?,? class A:");
    with("@@ def f(): @@", "?,? def f():");
    with("@@ def f():", "?,? def f():");
}

#[test]
fn broken_headers_are_refused() {
    let with = |header: &str, words: &str| {
        check(
            of_x(&format!("{header}\n a\n-b\n+c\n d\n")),
            &format!("! {words}"),
        );
    };
    with("@@ 7,4 +7,4 @@", "malformed hunk header");
    with("@@ -7,4 7,4 @@", "malformed hunk header");
    with("@@ -7,4 +7,x @@", "malformed hunk header");
    with("@@ -7,4 +7,4 +9,1 @@", "malformed hunk header");
    with("@@ +7,4 @@", "malformed hunk header");
    with("@@ -1,3 +1,3 def f()", "malformed hunk header");
    with(
        "@@ -99999999999999999999,3 +1,3 @@",
        "malformed hunk header",
    );
    with("@@@ -1,3 -1,3 +1,3 @@@", "unsupported combined");
}

#[test]
fn an_empty_side_names_the_line_before_it() {
    check(of_x("@@ -3,0 +4 @@\n+new\n"), "modify x @4,4 [+new$]");
    check(of_x("@@ -3 +2,0 @@\n-old\n"), "modify x @3,3 [-old$]");
    check(of_x("@@ -1,2 +0,0 @@\n-a\n-b\n"), "modify x @1,1 [-a$|-b$]");
}

#[test]
fn counts_rule_lines_that_look_like_headers() {
    check(
        of_x("@@ -1,4 +1,3 @@\n create\n--- old remark\n -- second\n index\n"),
        "modify x @1,1 [ create$|--- old remark$| -- second$| index$]",
    );
    check(
        of_x("@@ -1,2 +1,2 @@\n a\n--- x\n+++ y\n"),
        "modify x @1,1 [ a$|--- x$|+++ y$]",
    );
}

#[test]
fn a_counted_line_that_may_be_a_header_has_two_readings() {
    check(
        of_x("@@ -1,2 +1,2 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"),
        "modify x @1,1 [-a$|+b$|--- a/y$|+++ b/y$] @1,1 [-c$|+d$]\n\
         or\n\
         modify x @1,1 [-a$|+b$]\n\
         modify y @1,1 [-c$|+d$]",
    );
}

#[test]
fn an_undercounted_hunk_keeps_all_its_lines() {
    let input = of_x("@@ -2 +2 @@\n rising\n-high\n+higher\n falling\n");
    check(&input, "modify x @2,2 [ rising$|-high$|+higher$| falling$]");
    assert_eq!(
        recoveries(&input),
        "hunk 1: counted 3 old lines, header says 1; hunk 1: counted 3 new lines, header says 1"
    );
    check(
        of_x("@@ -10,2 +10,3 @@\n a\n b\n+c\n+d\n+e\n"),
        "modify x @10,10 [ a$| b$|+c$|+d$|+e$]",
    );
    // The lines go on behind a blank that lost its sign.
    check(
        of_x("@@ -1 +1 @@\n-a\n+b\n\n-c\n"),
        "modify x @1,1 [-a$|+b$| $|-c$]",
    );
    // The next file's header ends the lines all the same.
    check(
        of_x("@@ -1 +1 @@\n-a\n-b\n+c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n"),
        "modify x @1,1 [-a$|-b$|+c$]\nmodify y @1,1 [-c$|+d$]",
    );
}

#[test]
fn an_undercounted_hunk_before_what_may_be_a_header_is_refused() {
    let start = "@@ -1 +1 @@\n-a\n-b\n+c\n";
    check(
        of_x(&format!("{start}--- remark\n+++ other\n x\n")),
        "! malformed may be a file header",
    );
    check(
        of_x(&format!("{start}--- a/g.txt\n")),
        "! malformed may be a file header",
    );
}

#[test]
fn an_overcounted_hunk_is_miscounted_if_more_follows() {
    check(
        of_x("@@ -1,9 +1,9 @@\n a\n-b\n+c\n@@ -20 +20 @@\n-d\n+e\n"),
        "modify x @1,1 [ a$|-b$|+c$] @20,20 [-d$|+e$]",
    );
    check(
        of_x("@@ -1,9 +1,9 @@\n a\n-b\n+c\ndiff --git a/y b/y\nold mode 100644\nnew mode 100755\n"),
        "modify x @1,1 [ a$|-b$|+c$]\nkeep y 100644>100755",
    );
    check(
        of_x("@@ -1,9 +1,9 @@\n a\n-b\n+c\n d\n\nThis replaces b.\n"),
        "modify x @1,1 [ a$|-b$|+c$| d$]",
    );
}

#[test]
fn an_overcounted_hunk_at_the_end_is_miscounted_only_if_it_is_finished() {
    // As much context below as above, and one line off: models count like that. But only the end
    // of a wrapping tells that from a text that was cut off.
    let cut = "! malformed cut off";
    let finished = of_x("@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n");
    check(&finished, cut);
    check_with(&whole(), &finished, "modify x @1,1 [ a$|-b$|+c$| d$]");
    let check = |input: String, expected: &str| check_with(&whole(), input, expected);
    check(of_x("@@ -1,7 +1,8 @@\n a\n b\n-c\n-d\n+if not e:\n"), cut);
    check(of_x("@@ -1,4 +1,4 @@\n a\n-b\n+c\n"), cut);
    check(of_x("@@ -1,5 +1,5 @@\n a\n b\n-c\n+d\n e\n"), cut);
    check(of_x("@@ -1,9 +1,9 @@\n a\n-b\n+c\n d\n"), cut);
    check(of_x("@@ -1,3 +1,3 @@\n a\n-b\n"), cut);
    check(of_x("@@ -0,0 +1,3 @@\n+a\n+b\n"), cut);
    // A tool wrote the id, and tools count right.
    check(
        format!("diff --git a/x b/x\nindex 1111111..2222222 100644\n{finished}"),
        cut,
    );
}

#[test]
fn blank_lines_without_their_sign_are_context_by_count() {
    let input = of_x("@@ -1,4 +1,4 @@\n a\n\n-b\n+c\n d\n");
    check(&input, "modify x @1,1 [ a$| $|-b$|+c$| d$]");
    assert_eq!(recoveries(&input), "hunk 1: blank lines without their sign");
    // By count one of the three belongs to the hunk; without it the hunk says the same.
    check(
        of_x("@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n\n\n\n"),
        "modify x @1,1 [ a$|-b$|+c$| d$| $]\nor\nmodify x @1,1 [ a$|-b$|+c$| d$]",
    );
    // Beyond the counts they mean nothing.
    check(of_x("@@ -1 +1 @@\n-b\n+c\n\n\n"), "modify x @1,1 [-b$|+c$]");
    // In a new file they are lines of it.
    check(
        "--- /dev/null\n+++ b/x\n@@ -0,0 +1,3 @@\n+a\n\n+b\n",
        "create x~b/x [a$$b$]",
    );
    check(
        "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n\n",
        "! malformed cut off",
    );
}

#[test]
fn context_without_its_sign_is_context_where_the_counts_say_so() {
    let input = of_x("@@ -1,3 +1,3 @@\ndef f():\n-b\n+c\nend\n");
    check(&input, "modify x @1,1 [ def f():$|-b$|+c$| end$]");
    assert_eq!(
        recoveries(&input),
        "hunk 1: context lines without their sign"
    );
    check(
        of_x("@@ -1,5 +1,5 @@\ndef f():\n-b\n+c\nend\n"),
        "! malformed no lines",
    );
    // A sentence below a miscounted hunk may be meant; both are tried.
    check(
        of_x("@@ -1,5 +1,5 @@\n a\n-b\n+c\n d\n\nThis replaces b.\n"),
        "modify x @1,1 [ a$|-b$|+c$| d$| $| This replaces b.$]\nor\nmodify x @1,1 [ a$|-b$|+c$| d$]",
    );
}

#[test]
fn hunks_need_no_header() {
    let input = of_x(" a\n-b\n+c\n");
    check(&input, "modify x @?,? [ a$|-b$|+c$]");
    assert_eq!(recoveries(&input), "hunk 1: there is no hunk header");
    check(
        of_x("-b\n+c\n--- a/y\n+++ b/y\n-d\n+e\n"),
        "modify x @?,? [-b$|+c$]\nmodify y @?,? [-d$|+e$]",
    );
    check(of_x("@@\n+only new\n"), "modify x @?,? [+only new$]");
}

#[test]
fn a_missing_newline_is_said_by_its_marker() {
    let mark = "\\ No newline at end of file\n";
    check(
        of_x(&format!("@@ -1,2 +1,2 @@\n a\n-b\n{mark}+c\n{mark}")),
        "modify x @1,1 [ a$|-b|+c]",
    );
    check(
        of_x(&format!("@@ -1,2 +1,1 @@\n-a\n b\n{mark}")),
        "modify x @1,1 [-a$| b]",
    );
    check(
        of_x("@@ -1 +1 @@\n-a\n+b\n\\ Kein Zeilenumbruch am Ende\n"),
        "modify x @1,1 [-a$|+b]",
    );
    // What follows contradicts the marker.
    check(
        of_x(&format!("@@ -1,2 +1,1 @@\n-a\n{mark} b\n")),
        "! malformed marked as the last",
    );
    check(
        of_x(&format!("@@ -1 +1 @@\n{mark}-a\n+b\n")),
        "! malformed without a line above",
    );
    check(
        of_x(&format!("@@ -1 +1 @@\n-a\n+b\n{mark}{mark}")),
        "! malformed marked twice",
    );
    check(
        of_x("@@ -1 +1 @@\n-a\n+b\n\\"),
        "! malformed no line of a hunk",
    );
}

#[test]
fn endings_belong_to_the_lines() {
    check(of_x("@@ -1 +1 @@\n-a\r\n+b\n"), "modify x @1,1 [-a%|+b$]");
    check(
        "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n\\ No newline at end of file\r\n",
        "modify x @1,1 [-a%|+b]",
    );
    // The marker takes LF away; the CR is the line's own.
    check(
        of_x("@@ -1 +1 @@\n-a\n+b\r\n\\ No newline at end of file\n"),
        "modify x @1,1 [-a$|+b\r]",
    );
}

#[test]
fn a_text_that_ends_inside_a_line_is_taken_only_if_that_line_anchors() {
    check(
        of_x("@@ -1,2 +1,2 @@\n-a\n+b\n c"),
        "modify x @1,1 [-a$|+b$| c$]",
    );
    let added = of_x("@@ -1 +1 @@\n-a\n+b");
    check(&added, "! malformed ends inside an added line");
    check_with(&whole(), &added, "modify x @1,1 [-a$|+b$]");
    check(of_x("@@ -1,2 +1,2 @"), "! malformed hunk header");
    check(of_x("@@ -1 +1 @@\n-a\n+b\n@"), "! malformed cut off");
    check(of_x("@@ -1 +1 @@\n-a\n+b\ndiff --g"), "! malformed cut off");
    check(of_x("@@ -1,2 +1,2 @@"), "! malformed cut off");
}

#[test]
fn lines_that_belong_nowhere_are_refused() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let stray = "! malformed outside of any";
    check(of_x(&format!("{hunk}def f():\n-    c\n")), stray);
    check(of_x(&format!("{hunk}\nThen:\n+    c\n")), stray);
    check(of_x(&format!("{hunk}text\n- not a list\n")), stray);
    check(
        of_x(&format!("{hunk}\n\nrename to y\n")),
        "! malformed git header line",
    );
    check(of_x("@@ -1 +1 @@\n"), "! malformed no lines");
    check(of_x(""), "! malformed without hunks");
    check(
        "--- a/x\n@@ -1 +1 @@\n-a\n+b\n",
        "! malformed outside of any file",
    );
    check(
        "+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "! malformed without its `---`",
    );
    check(of_x("@@ -1 +1 @@\n a\n"), "! nochange change nothing");
    check(
        of_x("@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n 4\n@@ 7,4 +7,4 @@\n 7\n-8\n+eight\n 9\n 10\n"),
        "! malformed hunk header",
    );
}

#[test]
fn prose_around_a_diff_means_nothing() {
    check(
        format!(
            "Here it is:\n\n{}\nIt does:\n\n- one thing\n---\n* another\n",
            of_x("@@ -1 +1 @@\n-a\n+b\n")
        ),
        "modify x @1,1 [-a$|+b$]",
    );
    check(
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\nAnd in y:\n\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
        "modify x @1,1 [-a$|+b$]\nmodify y @1,1 [-a$|+b$]",
    );
    check(
        "  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -a\n  +b\n",
        "! malformed no diff",
    );
    check("", "! malformed no diff");
}
