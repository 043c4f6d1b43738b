//! `surefoot apply`: what it answers, and what it leaves behind.

use crate::scratch::{Scratch, finish, surefoot};

const TWICE: &str = "\
class Cache:
    def get(self, key):
        return self.items[key]


class Table:
    def get(self, key):
        return self.items[key]
";

const EDIT: &str = r#"{"path":"a.py","old":"x = 1","new":"x = 2"}"#;

fn one_file() -> Scratch {
    Scratch::git(&[("a.py", "x = 1\ny = 1\n")])
}

#[test]
fn an_edit_with_one_place_lands() {
    let scratch = one_file();
    let done = scratch.apply(&[], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 2\ny = 1\n");
    insta::assert_snapshot!(done.out, @"applied: `a.py` modified: line 1 (exact)");
}

#[test]
fn a_check_decides_and_writes_nothing() {
    let scratch = one_file();
    let done = scratch.apply(&["--check"], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    insta::assert_snapshot!(done.out, @r"
    would apply: modify `a.py`: line 1 (exact)
    nothing was written
    ");
    assert_eq!(scratch.apply(&["--dry-run"], EDIT).out, done.out);
    let report = scratch.apply(&["--check", "--json"], EDIT).report();
    assert_eq!(report["outcome"], "applied");
    assert_eq!(report["written"], false);
    assert_eq!(scratch.read("a.py"), "x = 1\ny = 1\n");
}

#[test]
fn an_edit_with_two_places_is_refused_with_both() {
    let scratch = Scratch::git(&[("a.py", TWICE)]);
    let edit =
        r#"{"path":"a.py","old":"        return self.items[key]\n","new":"        return None\n"}"#;
    let done = scratch.apply(&[], edit);
    assert_eq!(done.status, 1, "{done:?}");
    assert_eq!(scratch.read("a.py"), TWICE);
    assert_eq!(done.err, "");
    insta::assert_snapshot!(done.out, @r"
    refused (ambiguous): `a.py`, hunk 1: 2 places match equally well (exact): line 3, line 8
      line 3        return self.items[key]
        quote below it  (a blank line)
      line 8        return self.items[key]
        quote above it  class Table: ⏎     def get(self, key):
    hint: quote a line beside the change that only one of them has
    nothing was written
    ");
}

#[test]
fn a_lost_anchor_shows_the_first_line_that_differs() {
    let scratch = Scratch::git(&[("a.py", "def f():\n\treturn g(1)\n\ndef h():\n\treturn 2\n")]);
    let edit = r#"{"path":"a.py","old":"def f():\n    return g(1)\n","new":"def f():\n    return g(2)\n"}"#;
    let done = scratch.apply(&["--policy", "strict"], edit);
    assert_eq!(done.status, 1, "{done:?}");
    insta::assert_snapshot!(done.out, @r"
    refused (not-found): `a.py`, hunk 1: no place matches; nearest is lines 1-2 at 1.000
      lines 1-2     def f():
        line 2 has      →return g(1)
        not, as quoted  ····return g(1)
    hint: quote the old lines as the file has them
    nothing was written
    ");
}

#[test]
fn an_input_that_is_no_edit_is_refused_and_no_trouble() {
    let scratch = one_file();
    let done = scratch.apply(&[], "please make x two\n");
    assert_eq!(done.status, 1, "{done:?}");
    insta::assert_snapshot!(done.out, @r"
    refused (malformed): standard input: the input looks like no edit format
    nothing was written
    ");
    let done = scratch.apply(&["--json"], "please make x two\n");
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["malformed".to_owned()])
    );
    assert_eq!(done.report()["format"], serde_json::Value::Null);
}

#[test]
fn trouble_leaves_standard_output_empty() {
    fn check(options: &[&str], part: &str) {
        let done = one_file().apply(options, EDIT);
        assert_eq!(
            (done.status, done.out.as_str()),
            (2, ""),
            "{options:?}: {done:?}"
        );
        assert!(done.err.contains(part), "{options:?}: {done:?}");
    }
    check(
        &["--json", "no-such-file"],
        "cannot read `no-such-file`: No such file",
    );
    check(&["--json", "."], "cannot read `.`");
    check(&["--json", "-C", "no-such-folder"], "no-such-folder");
    check(&["--json", "--policy", "lax"], "no policy is named `lax`");
    check(&["--json", "--floor", "2"], "from 0 to 1");
    check(&["--json", "--no-such-option"], "--no-such-option");
    check(&["--json", "--diff"], "cannot be used with");
    check(&["--json", "--index", "--cached"], "cannot be used with");
    check(&["--json", "--allow", "["], "`[` is no glob");
    check(
        &["--json", "--allow", "{a,b}.py"],
        "once for each alternative",
    );
    check(&["--json", "-", "-"], "once only");
}

#[test]
fn several_inputs_are_a_series_that_lands_together_or_not() {
    let scratch = one_file();
    scratch.write("one.json", EDIT);
    scratch.write("two.json", r#"{"path":"a.py","old":"x = 2","new":"x = 3"}"#);
    let done = scratch.apply(&["--json", "one.json", "two.json"], "");
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 3\ny = 1\n");
    // The first would land; the second finds its text nowhere.
    scratch.write("one.json", r#"{"path":"a.py","old":"y = 1","new":"y = 2"}"#);
    let done = scratch.apply(&["--json", "one.json", "two.json"], "");
    assert_eq!(done.status, 1, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 3\ny = 1\n");
}

#[test]
fn standard_input_is_one_of_several() {
    let scratch = one_file();
    scratch.write("two.json", r#"{"path":"a.py","old":"x = 2","new":"x = 3"}"#);
    let done = scratch.apply(&["-", "two.json"], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 3\ny = 1\n");
}

#[test]
fn json_paths_count_from_the_callers_folder_and_may_be_absolute() {
    let scratch = Scratch::git(&[("a.py", "x = 1\n"), ("sub/a.py", "x = 1\n")]);
    let mut command = surefoot();
    command
        .args(["apply", "--json"])
        .current_dir(scratch.at("sub"));
    let done = finish(&mut command, EDIT.as_bytes());
    assert_eq!(done.report()["files"][0]["path"], "sub/a.py");
    assert_eq!(scratch.read("sub/a.py"), "x = 2\n");
    assert_eq!(scratch.read("a.py"), "x = 1\n");

    let path = scratch.at("a.py");
    let edit = serde_json::json!({"path": path.to_str(), "old": "x = 1", "new": "x = 3"});
    let mut command = surefoot();
    command
        .args(["apply", "--json"])
        .current_dir(scratch.at("sub"));
    let done = finish(&mut command, edit.to_string().as_bytes());
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 3\n");

    let edit = r#"{"path":"/etc/passwd","old":"root","new":"toor"}"#;
    let done = scratch.apply(&["--json"], edit);
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["outside-tree".to_owned()])
    );
}

#[test]
fn diff_paths_count_from_the_root_wherever_the_call_stands() {
    let scratch = Scratch::git(&[("a.py", "x = 1\n"), ("sub/a.py", "x = 1\n")]);
    let edit = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";
    let mut command = surefoot();
    command
        .args(["apply", "--json"])
        .current_dir(scratch.at("sub"));
    let done = finish(&mut command, edit.as_bytes());
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 2\n");
    assert_eq!(scratch.read("sub/a.py"), "x = 1\n");
}

#[test]
fn with_a_folder_named_the_call_stands_there_and_its_inputs_do_not() {
    let scratch = Scratch::git(&[("sub/a.py", "x = 1\n")]);
    let other = Scratch::plain();
    other.write("edit.json", EDIT);
    let sub = scratch.at("sub");
    let done = other.apply(&["--json", "-C", sub.to_str().unwrap(), "edit.json"], "");
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("sub/a.py"), "x = 2\n");
}

#[test]
fn a_plain_folder_will_do() {
    let scratch = Scratch::plain();
    scratch.write("a.py", "x = 1\n");
    let done = scratch.apply(&["--json"], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 2\n");
}

#[test]
fn a_path_that_is_not_allowed_is_refused() {
    let scratch = one_file();
    let done = scratch.apply(&["--json", "--allow", "src/**"], EDIT);
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["forbidden-path".to_owned()])
    );
    assert_eq!(scratch.read("a.py"), "x = 1\ny = 1\n");
    let done = scratch.apply(&["--json", "--allow", "src/**", "--allow", "*.py"], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
}

#[test]
fn the_index_moves_only_where_asked_for() {
    let scratch = one_file();
    assert_eq!(scratch.apply(&[], EDIT).status, 0);
    assert_eq!(scratch.run_git(&["diff", "--cached", "--name-only"]), "");
    let scratch = one_file();
    assert_eq!(scratch.apply(&["--index"], EDIT).status, 0);
    assert_eq!(
        scratch.run_git(&["diff", "--cached", "--name-only"]),
        "a.py\n"
    );
    assert_eq!(scratch.run_git(&["diff", "--name-only"]), "");
    let scratch = one_file();
    assert_eq!(scratch.apply(&["--cached"], EDIT).status, 0);
    assert_eq!(scratch.run_git(&["show", ":a.py"]), "x = 2\ny = 1\n");
    assert_eq!(scratch.read("a.py"), "x = 1\ny = 1\n");
}

#[test]
fn a_needed_base_must_be_named() {
    let scratch = one_file();
    let done = scratch.apply(&["--json", "--3way"], EDIT);
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["unanchored".to_owned()])
    );
    let done = scratch.apply(&["--json", "--3way", "--base", "HEAD"], EDIT);
    assert_eq!(done.status, 0, "{done:?}");
}

#[test]
fn a_series_turned_round_undoes_itself() {
    let scratch = one_file();
    scratch.write(
        "one.diff",
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 1\n",
    );
    scratch.write(
        "two.diff",
        "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-x = 2\n+x = 3\n y = 1\n",
    );
    assert_eq!(scratch.apply(&["one.diff", "two.diff"], "").status, 0);
    assert_eq!(scratch.read("a.py"), "x = 3\ny = 1\n");
    let done = scratch.apply(&["-R", "one.diff", "two.diff"], "");
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 1\ny = 1\n");
}

#[test]
fn what_does_not_carry_the_old_text_cannot_be_turned_round() {
    let scratch = one_file();
    let done = scratch.apply(&["-R", "--json"], r#"{"path":"a.py","content":"x = 2\n"}"#);
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["unsupported".to_owned()])
    );
}

#[test]
fn a_refused_part_of_a_series_is_named() {
    let scratch = one_file();
    scratch.write("one.json", EDIT);
    let done = scratch.apply(&["--json", "one.json", "-"], EDIT);
    assert_eq!(done.status, 1, "{done:?}");
    let message = done.report()["refusals"][0]["message"].clone();
    assert!(
        message.as_str().unwrap().starts_with("part 2: "),
        "{message}"
    );
}

#[test]
fn a_fix_can_be_sent_as_it_is() {
    let scratch = Scratch::git(&[("a.py", "def f(a):\n    b = a + 1\n    return b\n")]);
    let edit = r#"{"path":"a.py","old":"def f(a):\n    b = a + 2\n    return b\n","new":"def f(a):\n    return a\n"}"#;
    let done = scratch.apply(&["--json"], edit);
    assert_eq!(done.status, 1, "{done:?}");
    if let Some(fix) = done.report()["refusals"][0]["fix"].as_str() {
        assert_eq!(scratch.apply(&["--json"], fix).status, 0, "{fix}");
    }
}

#[test]
fn colour_is_for_terminals_or_where_it_is_forced() {
    fn check(variables: &[(&str, &str)], coloured: bool) {
        let mut command = surefoot();
        let scratch = one_file();
        command
            .arg("apply")
            .current_dir(scratch.path())
            .envs(variables.iter().copied());
        let done = finish(&mut command, b"{}");
        assert_eq!(
            done.out.contains('\x1b'),
            coloured,
            "{variables:?}: {done:?}"
        );
    }
    check(&[], false);
    check(&[("CLICOLOR_FORCE", "1")], true);
    check(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
}

#[test]
fn a_reader_who_has_gone_away_is_no_trouble() {
    let scratch = one_file();
    let mut command = surefoot();
    command.arg("apply").current_dir(scratch.path());
    command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), EDIT.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(scratch.read("a.py"), "x = 2\ny = 1\n");
}

#[test]
fn an_unknown_format_is_refused_by_name() {
    let scratch = one_file();
    let done = scratch.apply(&["--format", "ed"], EDIT);
    assert_eq!(done.status, 1, "{done:?}");
    insta::assert_snapshot!(done.out, @r"
    refused (unsupported): standard input: there is no format `ed`
    hint: `surefoot formats` lists the formats
    nothing was written
    ");
}
