use super::*;
use crate::grid::Operation;
use crate::grid::tests::{edit_of, stdlib};

/// Line 3 is the target, lines 2 to 4 are the anchor.
const BASE: &str = "import a\ndef f():\n    y = 2\n    return y\n\nz = 1\n";

fn check(rendering: Rendering, condition: Condition, expected: &str) {
    let edit = edit_of(BASE, "f", (2, 4), 3, 2, Operation::Replace2);
    let written = rendering.render(&Trial::new(&edit, condition), "p.py");
    assert_eq!(written, expected, "{rendering:?} {condition:?}");
}

#[test]
fn each_format_says_the_edit() {
    let plain = |rendering, expected: &str| check(rendering, Condition::None, expected);
    plain(
        Rendering::SearchReplace,
        "p.py\n<<<<<<< SEARCH\ndef f():\n    y = 2\n    return y\n=======\ndef f():\n    \
         sf_probe_0000 = None\n    y_sf = 2\n    return y\n>>>>>>> REPLACE\n",
    );
    let body = " import a\n def f():\n-    y = 2\n+    sf_probe_0000 = None\n+    y_sf = 2\n     \
                return y\n \n z = 1\n";
    let diff = format!("--- a/p.py\n+++ b/p.py\n@@ -1,6 +1,7 @@\n{body}");
    plain(Rendering::UnifiedDiff, &diff);
    plain(
        Rendering::V4a,
        &format!("*** Begin Patch\n*** Update File: p.py\n@@\n{body}*** End Patch\n"),
    );
    plain(
        Rendering::StrReplace,
        r#"{"new":"def f():\n    sf_probe_0000 = None\n    y_sf = 2\n    return y\n","old":"def f():\n    y = 2\n    return y\n","path":"p.py"}"#,
    );
    plain(
        Rendering::LineRange,
        r#"{"lines":[2,4],"new":"def f():\n    sf_probe_0000 = None\n    y_sf = 2\n    return y\n","path":"p.py"}"#,
    );
    plain(
        Rendering::CheckedRange,
        r#"{"expect":"def f():\n    y = 2\n    return y\n","lines":[2,4],"new":"def f():\n    sf_probe_0000 = None\n    y_sf = 2\n    return y\n","path":"p.py"}"#,
    );
    plain(
        Rendering::Function,
        r#"{"new":"def f():\n    sf_probe_0000 = None\n    y_sf = 2\n    return y\n","path":"p.py","symbol":"f"}"#,
    );
}

#[test]
fn only_what_locates_is_quoted_at_another_depth() {
    let deeper = |rendering, expected: &str| check(rendering, Condition::Reindent4, expected);
    deeper(
        Rendering::SearchReplace,
        "p.py\n<<<<<<< SEARCH\n    def f():\n        y = 2\n        return y\n=======\ndef f():\n    \
         sf_probe_0000 = None\n    y_sf = 2\n    return y\n>>>>>>> REPLACE\n",
    );
    let body = "     import a\n     def f():\n-        y = 2\n+    sf_probe_0000 = None\n+    y_sf = 2\n         \
                return y\n \n     z = 1\n";
    deeper(
        Rendering::UnifiedDiff,
        &format!("--- a/p.py\n+++ b/p.py\n@@ -1,6 +1,7 @@\n{body}"),
    );
    deeper(
        Rendering::V4a,
        &format!("*** Begin Patch\n*** Update File: p.py\n@@\n{body}*** End Patch\n"),
    );
    deeper(
        Rendering::StrReplace,
        r#"{"new":"def f():\n    sf_probe_0000 = None\n    y_sf = 2\n    return y\n","old":"    def f():\n        y = 2\n        return y\n","path":"p.py"}"#,
    );
    let edit = edit_of(BASE, "f", (2, 4), 3, 2, Operation::Replace2);
    let [none, deeper] = [Condition::None, Condition::Reindent4].map(|it| Trial::new(&edit, it));
    for same in [
        Rendering::LineRange,
        Rendering::Function,
        Rendering::WholeFile,
    ] {
        assert_eq!(same.render(&none, "p.py"), same.render(&deeper, "p.py"));
    }
}

#[test]
fn several_hunks_are_several_blocks_objects_or_hunks() {
    // Two assignments, twelve lines apart.
    let middle: String = (0..11).map(|n| format!("    # {n}\n")).collect();
    let base = format!("def f():\n    a = 1\n{middle}    b = 2\n");
    let mut edit = edit_of(&base, "f", (1, 14), 14, 12, Operation::Modify);
    edit.row.second = Some(2);
    let edit = edit.with_hunks(2).unwrap();
    let trial = Trial::new(&edit, Condition::None);
    assert_eq!(
        Rendering::SearchReplace.render(&trial, "p.py"),
        "p.py\n<<<<<<< SEARCH\n    a = 1\n=======\n    a_sf = 1\n>>>>>>> REPLACE\n\n\
         p.py\n<<<<<<< SEARCH\n    b = 2\n=======\n    b_sf = 2\n>>>>>>> REPLACE\n"
    );
    assert_eq!(
        Rendering::LineRange.render(&trial, "p.py"),
        r#"[{"lines":[2,2],"new":"    a_sf = 1\n","path":"p.py"},{"lines":[14,14],"new":"    b_sf = 2\n","path":"p.py"}]"#
    );
    assert_eq!(
        Rendering::UnifiedDiff.render(&trial, "p.py"),
        "--- a/p.py\n+++ b/p.py\n@@ -1,5 +1,5 @@\n def f():\n-    a = 1\n+    a_sf = 1\n     # 0\n     # 1\n     # 2\n\
         @@ -11,4 +11,4 @@\n     # 8\n     # 9\n     # 10\n-    b = 2\n+    b_sf = 2\n"
    );
}

/// Does what `diff` says to `base`, by its numbers alone; all that it quotes must be there.
fn patched(base: &[String], diff: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    let mut due = 0;
    for line in diff.lines().skip(2) {
        if let Some(heading) = line.strip_prefix("@@ -") {
            assert_eq!(due, out.len());
            let numbers: Vec<usize> = heading
                .trim_end_matches(" @@")
                .split([',', '+', ' '])
                .filter(|number| !number.is_empty())
                .map(|number| number.parse().unwrap())
                .collect();
            let start = numbers[0] - usize::from(numbers[1] > 0);
            out.extend_from_slice(&base[at..start]);
            at = start;
            assert_eq!(out.len(), numbers[2] - usize::from(numbers[3] > 0));
            due = out.len() + numbers[3];
            continue;
        }
        let (sign, line) = line.split_at(1);
        if sign != "+" {
            assert_eq!(base[at], line);
            at += 1;
        }
        if sign != "-" {
            out.push(line.to_owned());
        }
    }
    assert_eq!(due, out.len());
    out.extend_from_slice(&base[at..]);
    out
}

#[test]
fn what_is_written_reads_back_as_the_target() {
    let (_, corpus) = stdlib();
    for count in 1..=4 {
        let edits = corpus.edits().iter();
        for edit in edits.filter_map(|edit| edit.with_hunks(count)) {
            let trial = Trial::new(&edit, Condition::None);
            let (base, target) = (edit.base(), edit.target());
            let diff = Rendering::UnifiedDiff.render(&trial, "p.py");
            assert_eq!(patched(base, &diff), target, "{} {diff}", edit.row.id);

            let bare = Rendering::V4a.render(&trial, "p.py");
            let bodies = |text: &str| -> Vec<String> {
                text.lines()
                    .filter(|line| line.starts_with([' ', '+', '-']))
                    .map(str::to_owned)
                    .collect()
            };
            assert_eq!(bodies(&bare), bodies(&diff)[2..]);
            assert_eq!(
                bare.matches("\n@@\n").count(),
                diff.matches("\n@@ -").count()
            );

            let mut spliced = base.to_vec();
            for hunk in edit.hunks().iter().rev() {
                let lines = hunk.first - 1..hunk.first - 1 + hunk.old.len();
                assert_eq!(base[lines.clone()], hunk.old);
                spliced.splice(lines, hunk.new.clone());
            }
            assert_eq!(spliced, target, "{}", edit.row.id);
        }
    }
}

#[test]
fn hunks_are_of_one_function_and_four_lines_apart() {
    let (manifest, corpus) = stdlib();
    let with_second = manifest.rows.iter().filter(|row| row.second.is_some());
    let mut counts = Vec::new();
    for count in 2..=4 {
        let edits = corpus.edits().iter();
        let edits: Vec<Edit> = edits.filter_map(|edit| edit.with_hunks(count)).collect();
        for edit in &edits {
            let lines: Vec<usize> = edit.hunks().iter().map(|hunk| hunk.first).collect();
            assert_eq!(lines.len(), count);
            assert!(
                lines.windows(2).all(|pair| pair[1] - pair[0] >= 4),
                "{lines:?}"
            );
            let function = edit.row.first..=edit.row.last;
            assert!(
                lines.iter().all(|line| function.contains(line)),
                "{lines:?}"
            );
            assert!(lines.contains(&edit.row.target));
        }
        counts.push(edits.len());
    }
    assert_eq!(counts[0], with_second.count());
    assert!(
        counts.is_sorted_by(|more, fewer| more > fewer),
        "{counts:?}"
    );
    assert!(corpus.edits()[0].with_hunks(0).is_none());
}

#[test]
fn git_knows_the_blobs_and_takes_the_diff() {
    use std::process::Command;
    let (_, corpus) = stdlib();
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .current_dir(folder.path())
            .env("GIT_CEILING_DIRECTORIES", folder.path());
        let done = command.args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    for edit in corpus.edits().iter().step_by(80) {
        let trial = Trial::new(edit, Condition::None);
        let diff = Rendering::GitDiff.render(&trial, "p.py");
        let whole = Rendering::WholeFile.render(&trial, "p.py");
        let whole: Value = serde_json::from_str(&whole).unwrap();
        #[expect(clippy::disallowed_methods, reason = "git reads files")]
        std::fs::write(folder.path().join("p.py"), &trial.file).unwrap();
        #[expect(clippy::disallowed_methods, reason = "git reads files")]
        std::fs::write(folder.path().join("p.diff"), &diff).unwrap();
        let before = git(&["hash-object", "--no-filters", "p.py"]);
        git(&["apply", "p.diff"]);
        let after = git(&["hash-object", "--no-filters", "p.py"]);
        assert!(
            diff.contains(&format!("\nindex {before}..{after} 100644\n")),
            "{diff}"
        );
        #[expect(clippy::disallowed_methods, reason = "git reads files")]
        let made = std::fs::read_to_string(folder.path().join("p.py")).unwrap();
        assert_eq!(made, trial.expected);
        assert_eq!(whole["base"], Value::String(before));
        assert_eq!(whole["content"], Value::String(trial.expected));
    }
}

#[test]
fn of_equal_lines_the_last_one_goes_as_in_git() {
    let base = "def f():\n    a()\n    a()\n    a()\n    b()\n";
    let edit = edit_of(base, "f", (1, 5), 2, 1, Operation::Delete);
    let trial = Trial::new(&edit, Condition::None);
    assert_eq!(
        Rendering::UnifiedDiff.render(&trial, "p.py"),
        "--- a/p.py\n+++ b/p.py\n@@ -1,5 +1,4 @@\n def f():\n     a()\n     a()\n-    a()\n     b()\n"
    );
}
