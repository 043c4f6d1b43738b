use crate::testing::check_format;

fn check(input: &str, expected: &str) {
    check_format(Some("str-replace"), None, input, expected);
}

const READ: &str = "~/a\n\"x\" -> \"y\" One\n";

#[test]
fn pairs_go_by_many_names() {
    check(r#"{"path":"a","old":"x","new":"y"}"#, READ);
    check(
        r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
        READ,
    );
    check(
        r#"{"filePath":"a","oldString":"x","newString":"y","replaceAll":false}"#,
        READ,
    );
    check(r#"{"filename":"a","old_str":"x","new_str":"y"}"#, READ);
    check(r#"{"path":"a","old_text":"x","new_text":"y"}"#, READ);
    check(r#"{"path":"a","oldText":"x","newText":"y"}"#, READ);
    check(r#"{"path":"a","search":"x","replace":"y"}"#, READ);
    check(r#"{"path":"a","before":"x","after":"y"}"#, READ);
    check(
        r#"{"command":"str_replace","path":"a","old_str":"x","new_str":"y"}"#,
        READ,
    );
    check(
        r#"{"path":"a","old":"x","new":"y","description":"why"}"#,
        READ,
    );
    check_format(
        Some("str-replace"),
        Some("a"),
        r#"{"old":"x","new":"y"}"#,
        READ,
    );
}

#[test]
fn documents_hold_one_edit_or_several() {
    let two = "~/a\n\"x\" -> \"y\" One\n\"p\" -> \"q\" One\n";
    let apart = "~/a\n\"x\" -> \"y\" One\n~/b\n\"p\" -> \"q\" One\n";
    check(
        r#"{"path":"a","edits":[{"old":"x","new":"y"},{"old":"p","new":"q"}]}"#,
        two,
    );
    check(
        r#"[{"path":"a","old":"x","new":"y"},{"path":"b","old":"p","new":"q"}]"#,
        apart,
    );
    check(
        r#"{"edits":[{"path":"a","old":"x","new":"y"},{"path":"b","old":"p","new":"q"}]}"#,
        apart,
    );
    check(
        "{\"path\":\"a\",\"old\":\"x\",\"new\":\"y\"}\n{\"path\":\"a\",\"old\":\"p\",\"new\":\"q\"}\n",
        two,
    );
    check(
        "So:\n```json\n{\"path\":\"a\",\"old\":\"x\",\"new\":\"y\"}\n```\nDone.\n",
        READ,
    );
    check(
        "<tool_call>\n{\"path\":\"a\",\"old\":\"x\",\"new\":\"y\"}\n</tool_call>\n",
        READ,
    );
    check(
        r#"[{"path":"a","old":"x","new":"y"},{"path":"a","lines":[1,1],"new":"q","expect":"p"},{"path":"a","content":"z"}]"#,
        "~/a\n\"x\" -> \"y\" One\nline 1: \"q\" expect \"p\"\n~/a\nwrite \"z\"\n",
    );
}

#[test]
fn calls_wrap_their_arguments() {
    let args = r#"{"file_path":"a","old_string":"x","new_string":"y"}"#;
    check(&format!(r#"{{"name":"Edit","input":{args}}}"#), READ);
    check(
        &format!(r#"{{"tool_name":"Edit","tool_input":{args},"session_id":"s"}}"#),
        READ,
    );
    let string = args.replace('"', "\\\"");
    check(
        &format!(r#"{{"function":{{"name":"edit","arguments":"{string}"}}}}"#),
        READ,
    );
    check(
        &format!(r#"{{"tool_name":"Edit","cwd":"/r","tool_input":{args}}}"#),
        &READ.replace("~/a", "~//r/a"),
    );
    check(
        r#"{"name":"create_file","input":{"filePath":"a","content":"x"}}"#,
        "~/a\ncreate Exists \"x\"\n",
    );
    check(
        r#"{"name":"Write","input":{"file_path":"a","content":"x"}}"#,
        "~/a\nwrite \"x\"\n",
    );
}

#[test]
fn counts_are_stated() {
    let check = |more: &str, expected: &str| {
        check(
            &format!(r#"{{"path":"a","old":"x","new":"y",{more}}}"#),
            expected,
        );
    };
    let count = |words: &str| READ.replace("One", words);
    check(r#""replace_all":true"#, &count("All"));
    check(r#""allow_multiple":true"#, &count("All"));
    check(r#""replace_all":"true""#, &count("All"));
    check(r#""replace_all":null"#, READ);
    check(r#""expected_replacements":1"#, READ);
    check(r#""expected_replacements":3"#, &count("Exactly(3)"));
    check(
        r#""expected_replacements":0"#,
        "Malformed: line 1: 0 replacements are expected, so there is nothing to do",
    );
    check(
        r#""expected_replacements":2,"replace_all":false"#,
        "Malformed: line 1: several replacements are expected, and only one is allowed",
    );
    check(
        r#""expected_replacements":-1"#,
        "Malformed: line 1: `expected_replacements` is to be a whole number and is a number",
    );
}

#[test]
fn inserts_and_creates() {
    check(
        r#"{"command":"insert","path":"a","insert_line":2,"new_str":"x\n"}"#,
        "~/a\nbefore line 3: \"x\\n\"\n",
    );
    check(
        r#"{"command":"insert","path":"a","insert_line":0,"insert_text":"x\n"}"#,
        "~/a\nbefore line 1: \"x\\n\"\n",
    );
    check(
        r#"{"command":"create","path":"a","file_text":"x"}"#,
        "~/a\ncreate Exists \"x\"\n",
    );
    check(
        r#"{"path":"a","old":"","new":"x"}"#,
        "~/a\ncreate Malformed \"x\"\n",
    );
}

#[test]
fn bases_are_ids_or_receipts() {
    let check = |base: &str, expected: &str| {
        check(
            &format!(r#"{{"path":"a","old":"x","new":"y","base":"{base}"}}"#),
            expected,
        );
    };
    let read = |base: &str| READ.replace("~/a", &format!("~/a {base}"));
    check("0123abc", &read("base 0123abc"));
    check("0123ABCD", &read("base 0123abcd"));
    check("r:0123abcd:3-9", &read("receipt 0123abcd lines 3-9"));
    let wrong = |base: &str| {
        format!(
            "Malformed: line 1: the base `{base}` is neither a blob id of 7 digits or more nor a receipt"
        )
    };
    for base in [
        "012345",
        "HEAD",
        "",
        "r:0123abc:1-2",
        "r:0123abcd:2-1",
        "r:0123abcd",
        "r:0123abcd:0-1",
    ] {
        check(base, &wrong(base));
    }
}

#[test]
fn contradictions_are_refused() {
    let check =
        |input: &str, expected: &str| check(input, &format!("Malformed: line 1: {expected}"));
    check(r#"{"path":"a","old":"x"}"#, "the new text is missing");
    check(
        r#"{"path":"a","new":"x"}"#,
        "the object names no change: no old text, lines or content",
    );
    check(r#"{"old":"x","new":"y"}"#, "the edit names no file");
    check(
        r#"{"path":"a","old":"x","lines":[1,1],"new":"y"}"#,
        "the object names two kinds of change at once",
    );
    check(
        r#"{"path":"a","old":"x","new":"y","expect":"x"}"#,
        "`expect` does not go with a pair of texts",
    );
    check(
        r#"{"path":"a","old":"x","old_string":"x","new":"y"}"#,
        "two keys say the same, `old_string` the second",
    );
    check(
        r#"{"path":"a","old":"x","new":"y","new":"z"}"#,
        "the key `new` stands twice in one object",
    );
    check(
        r#"{"path":"a","old":"","new":""}"#,
        "old and new text are both empty",
    );
    check(
        r#"{"path":"a","old":"","new":"x","replace_all":true}"#,
        "an empty old text stands everywhere; it cannot be replaced at all places",
    );
    check(
        r#"{"path":"a","old":"x","new":"y","patch":"z"}"#,
        "`patch` does not go with a pair of texts",
    );
    check(r#"{"path":"a","edits":[]}"#, "the list of edits is empty");
    check(
        r#"{"path":"a","edits":[{"path":"b","old":"x","new":"y"}]}"#,
        "the edit is for `b` inside of a list for another file",
    );
    check(
        r#"{"path":"a","edits":[{"old":"x","new":"y"}],"replace_all":true}"#,
        "`replace_all` does not go with a list of edits",
    );
    check(
        r#"{"command":"insert","path":"a","old":"x","new":"y"}"#,
        "the command `insert` does not go with the other keys",
    );
    check(
        r#"{"path":"a","old":"x","new":"y"} and so on"#,
        "`and so on` follows the JSON on its last line",
    );
    check(
        r#"{"path":"a","old":1,"new":"y"}"#,
        "`old` is to be a string and is a number",
    );
    check(
        r#"{"path":"a","old":"x","new":"y""#,
        "the JSON is cut off: `,` or `}` is missing",
    );
    check(
        r#"{"path":"a","old":"x","new":"\ud800"}"#,
        "a JSON escape is half of a surrogate pair",
    );
}

#[test]
fn what_is_not_done_is_unsupported() {
    let check =
        |input: &str, expected: &str| check(input, &format!("Unsupported: line 1: {expected}"));
    check(
        r#"{"command":"view","path":"a"}"#,
        "the command `view` is none that changes a file",
    );
    check(
        r#"{"path":"a","symbol":"f","new":"x"}"#,
        "edits of a whole function by name are not read yet",
    );
    check(
        r#"{"path":"a","edits":[{"old":"x","new":"y"}],"dryRun":true}"#,
        "a dry run is asked for inside of the edit; use `--check`",
    );
}

#[test]
fn copied_numbers_and_doubled_escapes_are_second_readings() {
    check(
        r#"{"path":"a","old":"  3\tx\n  4\tz\n","new":"  3\ty\n  4\tz\n"}"#,
        "~/a\n\"  3\\tx\\n  4\\tz\\n\" -> \"  3\\ty\\n  4\\tz\\n\" One\n--\n~/a\n\"x\\nz\\n\" -> \"y\\nz\\n\" One\n",
    );
    check(
        r#"{"path":"a","old":"x\\nz","new":"y\\nz"}"#,
        "~/a\n\"x\\\\nz\" -> \"y\\\\nz\" One\n--\n~/a\n\"x\\nz\" -> \"y\\nz\" One\n",
    );
    check(
        r#"{"path":"a","old":"x","new":"print(\"a\\n\")"}"#,
        "~/a\n\"x\" -> \"print(\\\"a\\\\n\\\")\" One\n",
    );
}

#[test]
fn keys_that_say_nothing_are_left_aside_aloud() {
    let input = r#"{"path":"a","old":"x","new":"y","mood":"good","id":7}"#;
    let parsed = crate::parse(input.into(), None, &crate::ParseOptions::default()).unwrap();
    let said: Vec<&str> = parsed
        .recoveries
        .iter()
        .map(|r| r.message.as_str())
        .collect();
    assert_eq!(said, ["the key `mood` was left aside"]);
}

#[test]
fn a_log_of_calls_is_read() {
    check(
        include_str!("../../fixtures/str-replace/calls.jsonl"),
        "~/app/models.py\n\"class User:\\n    pass\\n\" -> \"class User:\\n    name: str\\n\" One\n\
         ~/app/views.py\n\"get_user\" -> \"load_user\" All\n\"\\t\\\"name\\\"\" -> \"\\t\\\"full name\\\"\" One\n\
         ~/app/urls.py\nbefore line 5: \"path(u, user),\\n\"\n\
         ~/app/new.py\ncreate Exists \"NEW = \\\"é\\\"\\n\"\n\
         ~/app/forms.py\n\"a = 1\" -> \"a = 2\" Exactly(2)\n\
         ~/app/all.py\nwrite \"__all__ = []\\n\"\n",
    );
}
