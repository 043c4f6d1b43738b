use proptest::prelude::*;

use super::*;
use crate::testing::{any_patch, any_text, check_format, first_without_places};

const BLOCK: &str = "a.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n";
const READ: &str = "a.py\n@\n-x\n+y\n";

fn name_of(input: &str) -> String {
    match parse(input.into(), None, &ParseOptions::default()) {
        Ok(parsed) => parsed.format.into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_format_is_told_from_the_text() {
    let check = |input: &str, expected: &str| assert_eq!(name_of(input), expected, "{input}");
    check(BLOCK, "search-replace");
    check(
        "*** Begin Patch\n*** Delete File: a\n*** End Patch\n",
        "v4a",
    );
    check("*** Update File: a\n-x\n+y\n*** End Patch\n", "v4a");
    check(r#"{"path":"a","old":"x","new":"y"}"#, "str-replace");
    check(
        r#"{"command":"create","path":"a","file_text":"x"}"#,
        "str-replace",
    );
    check(
        r#"{"path":"a","lines":[1,2],"new":"y","expect":"x"}"#,
        "line-range",
    );
    check(
        r#"{"path":"a","insert_after":0,"new":"y","expect":"x"}"#,
        "line-range",
    );
    check(r#"{"path":"a","content":"y"}"#, "whole-file");
    check(r#"{"path":"a","delete":true}"#, "whole-file");
    check("a.py\n```\nx\n```\n", "whole-file");
    check("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n", "unified-diff");
    check("", "the input looks like no edit format");
    check("hello\n", "the input looks like no edit format");
}

#[test]
fn what_an_edit_changes_is_no_second_edit() {
    let block = |old: &str| format!("a.md\n<<<<<<< SEARCH\n{old}=======\ny\n>>>>>>> REPLACE\n");
    let check = |input: &str, expected: &str| assert_eq!(name_of(input), expected, "{input}");
    check(
        &block("*** Begin Patch\n*** Delete File: a\n*** End Patch\n"),
        "search-replace",
    );
    check(
        &block("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n"),
        "search-replace",
    );
    check(
        &block("{\n  \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"\n}\n"),
        "search-replace",
    );
    let v4a =
        "*** Begin Patch\n*** Update File: a.md\n@@\n <<<<<<< SEARCH\n-x\n+y\n*** End Patch\n";
    check(v4a, "v4a");
}

#[test]
fn two_edits_in_two_formats_are_refused() {
    let v4a = "*** Begin Patch\n*** Delete File: a\n*** End Patch\n";
    let both = format!("{BLOCK}\n{v4a}");
    assert_eq!(
        name_of(&both),
        "the input holds both search-replace and v4a; name one with `--format`"
    );
    check_format(Some("search-replace"), None, &both, READ);
}

#[test]
fn a_cut_off_edit_does_not_give_way_to_what_it_holds() {
    let cut = "a.md\n<<<<<<< SEARCH\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n=======\n";
    assert_eq!(
        name_of(cut),
        "line 2: the block is never closed: the input is cut off"
    );
}

#[test]
fn an_unknown_format_is_refused() {
    check_format(
        Some("none"),
        None,
        "",
        "Unsupported: there is no format `none`",
    );
}

#[test]
fn wrappings_are_taken_off() {
    let check = |input: &str, expected: &str| check_format(None, None, input, expected);
    let v4a = "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\n";
    let quoted = v4a.replace('\n', "\\n");
    check(&format!("\u{feff}{v4a}"), READ);
    check(&format!("Here it is:\n\n```\n{v4a}```\nDone.\n"), READ);
    check(&format!("apply_patch <<'EOF'\n{v4a}EOF\n"), READ);
    check(
        &format!("```bash\napply_patch << \"EOF\"\n{v4a}EOF\n```\n"),
        READ,
    );
    check(&format!("<<'EOF'\n{v4a}EOF\n"), READ);
    check(
        &format!("bash -lc \"apply_patch <<'EOF'\n{v4a}EOF\"\n"),
        READ,
    );
    check(
        &format!("cd sub && apply_patch <<EOF\n{v4a}EOF\n"),
        "~/sub/a.py\n@\n-x\n+y\n",
    );
    check(
        &format!("cd /top && apply_patch <<EOF\n{v4a}EOF\n"),
        "~//top/a.py\n@\n-x\n+y\n",
    );
    check(
        &format!(r#"{{"command":["apply_patch","{quoted}"]}}"#),
        READ,
    );
    check(
        &format!(r#"{{"command":["bash","-lc","apply_patch <<'EOF'\n{quoted}EOF\n"]}}"#),
        READ,
    );
    check(&format!(r#"{{"input":"{quoted}"}}"#), READ);
    check(&format!(r#"{{"patch":"{quoted}"}}"#), READ);
    check(
        &format!(r#"{{"name":"apply_patch","arguments":{{"input":"{quoted}"}}}}"#),
        READ,
    );
    check(
        &format!(r#"{{"input":"{quoted}","workdir":"sub"}}"#),
        "~/sub/a.py\n@\n-x\n+y\n",
    );
    check(&quoted, READ);
    let block = BLOCK.replace('\n', "\\n");
    check(&format!(r#"{{"diff":"{block}"}}"#), READ);
    let bare = block.replace("a.py\\n", "");
    check(
        &format!(r#"{{"path":"a.py","diff":"{bare}"}}"#),
        "~/a.py\n@\n-x\n+y\n",
    );
    check(
        &format!(
            "<apply_diff>\n<path>a.py</path>\n<diff>\n{}</diff>\n</apply_diff>\n",
            BLOCK.replacen("a.py\n", "", 1)
        ),
        READ,
    );
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n";
    check(&format!("So:\n```diff\n{diff}```\n"), "a.py\n@1\n-x\n+y\n");
    let indented: String = diff.lines().map(|line| format!("    {line}\n")).collect();
    check(&indented, "a.py\n@1\n-x\n+y\n");
}

#[test]
fn wrappings_that_mean_more_are_refused() {
    let check = |input: &str, expected: &str| check_format(None, None, input, expected);
    let v4a = "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\n";
    let strange = "the command line does more than change the folder and apply the edit";
    check(
        &format!("cd sub\napply_patch <<'EOF'\n{v4a}EOF\n"),
        &format!("Unsupported: line 1: {strange}"),
    );
    check(
        &format!("rm x && apply_patch <<'EOF'\n{v4a}EOF\n"),
        &format!("Unsupported: line 1: {strange}"),
    );
    check(
        &format!("cd a && apply_patch <<'EOF' > log\n{v4a}EOF\n"),
        &format!("Unsupported: line 1: {strange}"),
    );
    check(
        &format!("apply_patch <<'EOF'\n{v4a}EOF\napply_patch <<'EOF'\n{v4a}EOF\n"),
        "Malformed: line 8: a second edit follows the here-document",
    );
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n";
    check(
        &format!("```diff\n{diff}"),
        "Malformed: what the edit is wrapped in is never closed: the input is cut off",
    );
}

#[test]
fn a_shell_may_have_changed_the_text() {
    let v4a = "*** Begin Patch\n*** Update File: a.sh\n-\\$x\n+y\n*** End Patch\n";
    let read = "a.sh\n@\n-\\$x\n+y\n";
    check_format(
        None,
        None,
        &format!("apply_patch <<'EOF'\n{v4a}EOF\n"),
        read,
    );
    check_format(
        None,
        None,
        &format!("apply_patch <<EOF\n{v4a}EOF\n"),
        &format!("{read}--\na.sh\n@\n-$x\n+y\n"),
    );
}

#[test]
fn places_are_those_in_the_input() {
    let input = format!(
        "apply_patch <<'EOF'\n{}",
        "*** Begin Patch\n*** Update File: a\n-x\n?\n*** End Patch\nEOF\n"
    );
    let error = parse(input.as_str().into(), None, &ParseOptions::default()).unwrap_err();
    assert_eq!(error.line, 5);
    assert_eq!(input.get(error.span.start..error.span.end), Some("?\n"));
    let input = input.replace('?', "+y");
    let parsed = parse(input.as_str().into(), None, &ParseOptions::default()).unwrap();
    let span = parsed.steps[0].readings[0].patch.edits[0].span;
    assert_eq!(
        input.get(span.start..span.end),
        Some("*** Update File: a\n-x\n+y\n")
    );
}

proptest! {
    #[test]
    fn bytes_never_panic(input in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(parse(input.as_bstr(), None, &ParseOptions::default()));
        for format in FORMATS {
            drop(parse(input.as_bstr(), Some(format.name()), &ParseOptions::default()));
        }
    }

    #[test]
    fn pieces_of_formats_never_panic(input in any_text()) {
        let options = ParseOptions { path: Some("z".into()), ..ParseOptions::default() };
        drop(parse(input.as_str().into(), None, &options));
        for format in FORMATS {
            drop(parse(input.as_str().into(), Some(format.name()), &options));
        }
    }

    #[test]
    fn what_was_read_can_be_written_and_read_again(input in any_text()) {
        let options = ParseOptions::default();
        for format in FORMATS.iter().filter(|format| format.name() != "unified-diff") {
            let Ok(parsed) = format.parse(input.as_str().into(), &options) else { continue };
            let patch = first_without_places(&parsed);
            let Ok(text) = format.print(&patch) else { continue };
            let again = format.parse(text.as_bstr(), &options);
            let again = again.map(|parsed| first_without_places(&parsed));
            prop_assert_eq!(again.as_ref(), Ok(&patch), "{} wrote\n{}", format.name(), text);
        }
    }

    #[test]
    fn what_can_be_written_is_read_back(patch in any_patch()) {
        for format in FORMATS.iter().filter(|format| format.name() != "unified-diff") {
            let Ok(text) = format.print(&patch) else { continue };
            let parsed = format.parse(text.as_bstr(), &ParseOptions::default());
            let again = parsed.map(|parsed| first_without_places(&parsed));
            prop_assert_eq!(again.as_ref(), Ok(&patch), "{} wrote\n{}", format.name(), text);
        }
    }

    #[test]
    fn a_changed_byte_never_panics(patch in any_patch(), at in any::<prop::sample::Index>(), byte: u8) {
        for format in FORMATS {
            let Ok(text) = format.print(&patch) else { continue };
            let mut text: Vec<u8> = text.into();
            let at = at.index(text.len());
            text[at] = byte;
            drop(parse(text.as_bstr(), Some(format.name()), &ParseOptions::default()));
            text.truncate(at);
            drop(parse(text.as_bstr(), Some(format.name()), &ParseOptions::default()));
        }
    }
}

#[test]
fn what_is_tolerated_in_each_of_many_hunks_is_placed_where_it_stands() {
    const HUNKS: usize = 20_000;
    let hunks: String = (0..HUNKS).map(|n| format!("@@\n-a{n}\n+b\n")).collect();
    let input = format!("Do this:\n```diff\n--- a/f\n+++ b/f\n{hunks}```\n");
    let parsed = parse(input.as_str().into(), None, &ParseOptions::default()).unwrap();
    let told = parsed.recoveries.iter();
    let lines: Vec<usize> = told
        .filter(|recovery| recovery.message.contains("states no lines"))
        .map(|recovery| recovery.line)
        .collect();
    // Four lines stand above the first hunk, and each has three.
    let strays = lines
        .iter()
        .enumerate()
        .find(|(n, line)| **line != 5 + 3 * n);
    assert_eq!((lines.len(), strays), (HUNKS, None));
}
