use super::*;

pub(super) fn stdlib() -> (Manifest, Corpus) {
    let manifest = Manifest::stdlib().unwrap();
    let corpus = Corpus::load(Path::new(rustpython_pylib::LIB_PATH), &manifest).unwrap();
    (manifest, corpus)
}

/// Returns a row without a function's name.
pub(super) fn row_of(
    base: &str,
    lines: (usize, usize),
    target: usize,
    anchor: usize,
    operation: Operation,
) -> Row {
    Row {
        id: 0,
        path: "x.py".to_owned(),
        sha256: manifest::digest(base.as_bytes()),
        qualified: String::new(),
        first: lines.0,
        last: lines.1,
        target,
        anchor,
        operation,
        second: None,
    }
}

/// Returns an edit of the function `name` at `lines` of `base`. Lines are counted from 1.
pub(super) fn edit_of(
    base: &str,
    name: &str,
    lines: (usize, usize),
    target: usize,
    anchor: usize,
    operation: Operation,
) -> Edit {
    let folder = tempfile::tempdir().unwrap();
    #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
    std::fs::write(folder.path().join("x.py"), base).unwrap();
    let row = Row {
        qualified: name.to_owned(),
        ..row_of(base, lines, target, anchor, operation)
    };
    let (tag, rows) = ("hand".to_owned(), vec![row]);
    let corpus = Corpus::load(folder.path(), &Manifest { tag, rows }).unwrap();
    corpus.edits()[0].clone()
}

#[test]
fn the_sample_is_the_one_that_was_fixed() {
    let (manifest, _) = stdlib();
    let root = Path::new(rustpython_pylib::LIB_PATH);
    let sampled = sample(&PYTHON, root, "stdlib", Some(224), 640).unwrap();
    assert_eq!(sampled.rows.len(), 640);
    for (sampled, fixed) in sampled.rows.iter().zip(&manifest.rows) {
        assert_eq!(sampled, fixed);
    }
    assert_eq!(
        manifest.write().unwrap(),
        include_str!("../../manifests/stdlib.json")
    );
}

#[test]
fn another_file_in_a_pinned_ones_place_stops_the_run() {
    let (mut manifest, _) = stdlib();
    manifest.rows[7].sha256 = "00".repeat(32);
    let error = Corpus::load(Path::new(rustpython_pylib::LIB_PATH), &manifest).unwrap_err();
    assert!(matches!(error, CorpusError::Digest { .. }), "{error}");
}

/// What an operation adds and takes away, in lines.
pub(super) fn sizes(operation: Operation) -> (usize, usize) {
    match operation {
        Operation::Modify => (1, 1),
        Operation::InsertAfter | Operation::InsertBefore => (1, 0),
        Operation::Delete => (0, 1),
        Operation::Replace2 => (2, 1),
    }
}

#[test]
fn a_target_differs_from_its_file_by_its_operation_alone() {
    let (_, corpus) = stdlib();
    for edit in corpus.edits() {
        for condition in Condition::GRID {
            let trial = Trial::new(edit, condition);
            let (old, new): (Vec<&str>, Vec<&str>) = (
                trial.file.lines().collect(),
                trial.expected.lines().collect(),
            );
            let (added, removed) = sizes(edit.row.operation);
            assert_eq!(new.len() + removed, old.len() + added);
            let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
            let rest = old.len() - head - removed.min(old.len() - head);
            assert_eq!(old[old.len() - rest..], new[new.len() - rest..]);
            assert_ne!(trial.file, trial.expected);
        }
    }
}

#[test]
fn a_shift_moves_the_function_and_touches_nothing_in_it() {
    let (_, corpus) = stdlib();
    for edit in corpus.edits() {
        let function = &edit.base()[edit.row.first - 1..edit.row.last];
        for (condition, by) in [
            (Condition::ShiftDown, 1),
            (Condition::ShiftUp, -1),
            (Condition::ShiftDown5, 5),
        ] {
            let file = Trial::new(edit, condition).file;
            let lines: Vec<&str> = file.lines().collect();
            let moved = isize::try_from(edit.row.first - 1).unwrap() + by;
            // On a file's first line there is nothing above that could go.
            let first = usize::try_from(moved).unwrap_or(0);
            assert_eq!(
                lines[first..first + function.len()],
                *function,
                "{}",
                edit.row.id
            );
        }
    }
}

#[test]
fn a_quote_is_moved_in_and_nothing_else() {
    let check = |condition: Condition, line: &str, expected: &str| {
        assert_eq!(condition.quote(line), expected, "{condition:?} {line:?}");
    };
    check(Condition::None, "    a", "    a");
    check(Condition::ShiftDown, "  a", "  a");
    check(Condition::Reindent4, "  a", "      a");
    check(Condition::Reindent8, "a", "        a");
    check(Condition::ReindentTabs, "        a  b", "\t\ta  b");
    check(Condition::ReindentTabs, "      a", "\t  a");
    check(Condition::ReindentTabs, "  a", "\ta");
}

#[test]
fn words_that_are_no_keywords_are_found() {
    let check = |line: &str, expected: Option<&str>| {
        let found = PYTHON
            .identifier(line)
            .and_then(|(start, end)| line.get(start..end));
        assert_eq!(found, expected, "{line}");
    };
    check("    return not value", Some("value"));
    check("    return None", None);
    check("  x2 = 1", Some("x2"));
    check("return 'word'", Some("word"));
    check("", None);
}

#[test]
fn a_diff_says_what_git_says() {
    use std::process::Command;
    let (_, corpus) = stdlib();
    let folder = tempfile::tempdir().unwrap();
    for edit in corpus.edits().iter().step_by(40) {
        let trial = Trial::new(edit, Condition::None);
        let at = |name: &str| folder.path().join(name);
        #[expect(clippy::disallowed_methods, reason = "git reads files")]
        std::fs::write(at("old"), &trial.file).unwrap();
        #[expect(clippy::disallowed_methods, reason = "git reads files")]
        std::fs::write(at("new"), &trial.expected).unwrap();
        let git = Command::new("git")
            .args(["diff", "--no-index", "--no-indent-heuristic"])
            .args([at("old"), at("new")])
            .output()
            .unwrap();
        let body = |text: &str| {
            text.split_once("\n@@ ")
                .map(|(_, body)| body.to_owned())
                .unwrap()
        };
        let theirs = body(&String::from_utf8(git.stdout).unwrap());
        let ours = body(&Rendering::UnifiedDiff.render(&trial, "x.py"));
        // Behind the numbers git quotes a heading. Where a line has twins beside it git may slide.
        let numbers = |text: &str| text.split(" @@").next().unwrap().to_owned();
        assert_eq!(numbers(&theirs), numbers(&ours), "{}", edit.row.id);
    }
}

/// The functions that an applier is told of are where the shifted file has them, also where the
/// line that is gone leaves a file that no parser reads.
#[test]
fn functions_move_with_the_lines_above_them() {
    let (_, corpus) = stdlib();
    for edit in corpus.edits() {
        let row = &edit.row;
        let wanted = &edit.base()[row.first - 1..row.last];
        for condition in Condition::GRID {
            let trial = Trial::new(edit, condition);
            let lines: Vec<&str> = trial.file.lines().collect();
            let found = trial.functions();
            assert_eq!(found.len(), edit.functions().len());
            let is = |function: &&Function| lines[function.first - 1..function.last] == *wanted;
            let same: Vec<_> = found.iter().filter(is).collect();
            let named = same
                .iter()
                .any(|function| function.qualified == row.qualified);
            assert!(named, "{} {}", row.id, condition.name());
        }
    }
}

#[test]
fn a_line_is_taken_only_from_above_the_function() {
    let base = "def f():\n    a = 1\n    b = 2\n    c = 3\n    return a\n";
    let edit = edit_of(base, "f", (1, 5), 2, 2, Operation::Modify);
    assert!(!Condition::ShiftUp.fits(&edit));
    assert!(Condition::ShiftDown.fits(&edit));
}
