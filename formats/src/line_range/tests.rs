use crate::testing::check_format;

fn check(input: &str, expected: &str) {
    check_format(Some("line-range"), None, input, expected);
}

#[test]
fn ranges_count_from_one_and_include_both_ends() {
    check(
        r#"{"path":"a","lines":[4,5],"new":"x\n","expect":"y\nz\n"}"#,
        "~/a\nlines 4-5: \"x\\n\" expect \"y\\nz\\n\"\n",
    );
    check(
        r#"{"path":"a","lines":[4,4],"new":"","expect":null}"#,
        "~/a\nline 4: \"\"\n",
    );
    check(
        r#"{"path":"a","start_line":4,"end_line":5,"new_text":"x"}"#,
        "~/a\nlines 4-5: \"x\"\n",
    );
    check(
        r#"{"path":"a","insert_after":3,"new":"x","expect":"y"}"#,
        "~/a\nbefore line 4: \"x\" expect \"y\"\n",
    );
    check(
        r#"{"path":"a","insert_after":0,"new":"x"}"#,
        "~/a\nbefore line 1: \"x\"\n",
    );
    let digest = format!("sha256:0a{}ff", "00".repeat(30));
    check(
        &format!(r#"{{"path":"a","lines":[1,2],"new":"x","digest":"{digest}"}}"#),
        "~/a\nlines 1-2: \"x\" digest 0aff\n",
    );
    check(
        r#"{"path":"a","edits":[{"lines":[8,9],"new":"x"},{"lines":[2,2],"new":"y"}]}"#,
        "~/a\nlines 8-9: \"x\"\nline 2: \"y\"\n",
    );
}

#[test]
fn places_that_cannot_be_are_refused() {
    let check =
        |input: &str, expected: &str| check(input, &format!("Malformed: line 1: {expected}"));
    check(
        r#"{"path":"a","lines":[0,1],"new":"x"}"#,
        "lines are counted from 1, and line 0 is named",
    );
    check(
        r#"{"path":"a","lines":[6,5],"new":"x"}"#,
        "the last line, 5, is before the first, 6",
    );
    check(
        r#"{"path":"a","lines":[1],"new":"x"}"#,
        "`lines` is to be an array of two lines, the first and the last and is an array",
    );
    check(
        r#"{"path":"a","lines":[1.5,2],"new":"x"}"#,
        "`lines` is to be a whole number and is a number",
    );
    check(
        r#"{"path":"a","start_line":1,"new":"x"}"#,
        "a range needs its first and its last line",
    );
    check(r#"{"path":"a","lines":[1,2]}"#, "the new text is missing");
    check(
        r#"{"path":"a","insert_after":1,"new":""}"#,
        "the text to insert is empty",
    );
    check(
        r#"{"path":"a","lines":[1,2],"new":"x","digest":"sha256:00"}"#,
        "a digest is `sha256:` and 64 hex digits",
    );
    check(
        r#"{"path":"a","lines":[1,2],"new":"x","digest":"y","expect":"z"}"#,
        "both `expect` and `digest` are given: leave one out",
    );
    check(
        r#"{"path":"a","lines":[1,99999999999999999999],"new":"x"}"#,
        "`lines` is to be a whole number and is a number",
    );
}

#[test]
fn commands_end_with_their_own_mark() {
    check(
        "a.py\nedit 2:3\nx\n  y\nend_of_edit\n",
        "a.py\nlines 2-3: \"x\\n  y\\n\"\n",
    );
    check(
        "a.py\nedit 2:3\nend_of_edit\nedit 5:5\nz\nend_of_edit\n",
        "a.py\nlines 2-3: \"\"\nline 5: \"z\\n\"\n",
    );
    check_format(
        Some("line-range"),
        Some("a"),
        "edit 2:3\nend_of_edit\n",
        "~/a\nlines 2-3: \"\"\n",
    );
    check(
        "edit 2:3\nend_of_edit\n",
        "Malformed: line 1: the edit names no file",
    );
    check(
        "a.py\nedit 2:3\nx\n",
        "Malformed: line 2: `end_of_edit` is missing: the edit is cut off",
    );
    check(
        "a.py\nedit 3:2\nend_of_edit\n",
        "Malformed: line 2: the last line, 2, is before the first, 3",
    );
    check(
        "a.py\nedit 1:2\nedit 3:4\nend_of_edit\n",
        "Malformed: line 3: an edit begins before the one above ends",
    );
}

#[test]
fn a_batch_with_every_proof_is_read() {
    check(
        include_str!("../../fixtures/line-range/batch.json"),
        "~/src/lexer.c receipt 9f2c4e1ab3 lines 10-60\n\
         lines 12-14: \"int a, b, c;\\n\" expect \"int a;\\nint b;\\nint c;\\n\"\n\
         before line 31: \"\\nvoid reset(void);\\n\" expect \"}\"\nline 58: \"\"\n\
         ~/src/lexer.h\nline 1: \"#pragma once\" digest baad\n",
    );
}
