use super::*;

#[test]
fn lines_that_name_a_file_are_told_from_prose() {
    use Sureness::{Path, Word, Words};
    let check = |line: &str, expected: Option<(&str, Sureness)>| {
        let expected = expected.map(|(path, sure)| (path.into(), sure));
        assert_eq!(path_of(line.as_bytes()), expected, "{line:?}");
    };
    check("src/a.py", Some(("src/a.py", Path)));
    check("  ./src/a.py:  ", Some(("src/a.py", Path)));
    check("# src/a.py", Some(("src/a.py", Path)));
    check("### `src/a.py`", Some(("src/a.py", Path)));
    check("**a.py**", Some(("a.py", Path)));
    check("**`a.py`**:", Some(("a.py", Path)));
    check("//a.py", Some(("a.py", Path)));
    check("// a.py", Some(("a.py", Path)));
    check("File: src/a.py", Some(("src/a.py", Path)));
    check(
        "**File:** `src/my notes.md`",
        Some(("src/my notes.md", Path)),
    );
    check("<!-- a.html -->", Some(("a.html", Path)));
    check("<path>my file</path>", Some(("my file", Path)));
    check("Makefile", Some(("Makefile", Path)));
    check(".gitignore", Some((".gitignore", Path)));
    check("a/b", Some(("a/b", Path)));
    check("Changes:", Some(("Changes", Word)));
    check("**Changes**", Some(("Changes", Word)));
    check("run", Some(("run", Word)));
    check("docs/my notes.md", Some(("docs/my notes.md", Words)));
    check(
        "then update utils.py",
        Some(("then update utils.py", Words)),
    );
    check("Here is the change:", None);
    check("I use and/or here", None);
    check("Done!", None);
    check("", None);
    check("```", None);
    check("foo(bar)", None);
}

#[test]
fn sentences_that_mention_files() {
    let check = |line: &str, expected: &[&str]| {
        let expected: Vec<BString> = expected.iter().map(|name| (*name).into()).collect();
        assert_eq!(mentioned(line.as_bytes()), expected, "{line:?}");
    };
    check("Now in `src/a.py`, and in b.rs.", &["src/a.py", "b.rs"]);
    check("Use obj.method(), e.g. this", &[]);
    check("and/or", &[]);
}
