use super::*;
use crate::grid::tests::{edit_of, stdlib};
use crate::grid::{Condition, Trial};

/// Line 3 is `y = 2`: the target. The anchor is lines 2 to 4, the function lines 1 to 4.
const BASE: &str = "@x\ndef f():\n    y = 2\n    return y\n\nz = 1\n";

/// Checks the file that an edit which changes line 3 of `BASE` meets, and the one it must make.
fn check(drift: Drift, file: &str, expected: &str) {
    let edit = edit_of(BASE, "f", (2, 4), 3, 2, Operation::Modify);
    let trial = Trial::new(&edit, Condition::Harsh(drift));
    assert_eq!(trial.file, file, "{drift:?}");
    assert_eq!(trial.expected, expected, "{drift:?}");
}

#[test]
fn indentation_changes_in_the_whole_file() {
    check(
        Drift::HalfIndent,
        "@x\ndef f():\n  y = 2\n  return y\n\nz = 1\n",
        "@x\ndef f():\n  y_sf = 2\n  return y\n\nz = 1\n",
    );
    check(
        Drift::DoubleIndent,
        "@x\ndef f():\n        y = 2\n        return y\n\nz = 1\n",
        "@x\ndef f():\n        y_sf = 2\n        return y\n\nz = 1\n",
    );
    check(
        Drift::Tabs,
        "@x\ndef f():\n\ty = 2\n\treturn y\n\nz = 1\n",
        "@x\ndef f():\n\ty_sf = 2\n\treturn y\n\nz = 1\n",
    );
    check(
        Drift::Crlf,
        "@x\r\ndef f():\r\n    y = 2\r\n    return y\r\n\r\nz = 1\r\n",
        "@x\r\ndef f():\r\n    y_sf = 2\r\n    return y\r\n\r\nz = 1\r\n",
    );
    check(
        Drift::Nested,
        "if True:\n    @x\n    def f():\n        y = 2\n        return y\n\nz = 1\n",
        "if True:\n    @x\n    def f():\n        y_sf = 2\n        return y\n\nz = 1\n",
    );
}

#[test]
fn copies_are_of_the_file_before_and_the_edit_stays_in_the_original() {
    let edited = "@x\ndef f():\n    y_sf = 2\n    return y\n";
    let own = "@x\ndef f():\n    y = 2\n    return y\n";
    let copy = "@x\ndef f_sf_copy():\n    y = 2\n    return y\n";
    let rest = "\nz = 1\n";
    for (drift, copy) in [(Drift::CopyBefore, copy), (Drift::TwinBefore, own)] {
        let file = format!("{copy}\n{own}{rest}");
        check(drift, &file, &format!("{copy}\n{edited}{rest}"));
    }
    for (drift, copy) in [(Drift::CopyAfter, copy), (Drift::TwinAfter, own)] {
        let file = format!("{own}\n{copy}{rest}");
        check(drift, &file, &format!("{edited}\n{copy}{rest}"));
    }
}

#[test]
fn a_function_moves_or_takes_another_name() {
    check(
        Drift::Moved,
        "\nz = 1\n\n@x\ndef f():\n    y = 2\n    return y\n",
        "\nz = 1\n\n@x\ndef f():\n    y_sf = 2\n    return y\n",
    );
    check(
        Drift::Renamed,
        "@x\ndef f_sf_renamed():\n    y = 2\n    return y\n\nz = 1\n",
        "@x\ndef f_sf_renamed():\n    y_sf = 2\n    return y\n\nz = 1\n",
    );
}

#[test]
fn what_must_be_refused_leaves_the_file_alone() {
    let same = |drift, file: &str| check(drift, file, file);
    same(
        Drift::TargetEdited,
        "@x\ndef f():\n    y_sf_other = 2\n    return y\n\nz = 1\n",
    );
    same(Drift::FunctionDeleted, "\nz = 1\n");
    same(
        Drift::StatementDeleted,
        "@x\ndef f():\n    return y\n\nz = 1\n",
    );
    same(
        Drift::AlreadyApplied,
        "@x\ndef f():\n    y_sf = 2\n    return y\n\nz = 1\n",
    );
}

#[test]
fn a_line_comes_into_the_anchor_and_never_where_the_edit_inserts() {
    // With the target between two gaps, an insertion leaves one place only.
    let check = |operation, drift, file: &str, expected: &str| {
        let edit = edit_of(BASE, "f", (2, 4), 3, 2, operation);
        let trial = Trial::new(&edit, Condition::Harsh(drift));
        assert_eq!(trial.file, file, "{operation:?}");
        assert_eq!(trial.expected, expected, "{operation:?}");
    };
    check(
        Operation::InsertAfter,
        Drift::CommentInside,
        "@x\ndef f():\n    # sf-drift\n    y = 2\n    return y\n\nz = 1\n",
        "@x\ndef f():\n    # sf-drift\n    y = 2\n    sf_probe_0000 = None\n    return y\n\nz = 1\n",
    );
    check(
        Operation::InsertBefore,
        Drift::BlankInside,
        "@x\ndef f():\n    y = 2\n\n    return y\n\nz = 1\n",
        "@x\ndef f():\n    sf_probe_0000 = None\n    y = 2\n\n    return y\n\nz = 1\n",
    );
}

#[test]
fn no_comment_comes_into_a_string_or_a_continued_line() {
    let check = |base: &str, fits: bool| {
        let edit = edit_of(base, "f", (1, 5), 4, 2, Operation::InsertBefore);
        assert_eq!(Drift::CommentInside.fits(&edit), fits, "{base}");
        assert!(Drift::BlankInside.fits(&edit), "{base}");
    };
    // The anchor is lines 2 to 4, and the edit inserts at the end of line 3.
    check(
        "def f():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n",
        true,
    );
    check(
        "def f():\n    a = '''\n    '''\n    c = 3\n    d = 4\n",
        false,
    );
    check(
        "def f():\n    a = 1 + \\\n    2\n    c = 3\n    d = 4\n",
        false,
    );
}

#[test]
fn every_drift_has_a_name_of_its_own_and_a_demand() {
    let all: Vec<Condition> = Condition::harsh().collect();
    let mut names: Vec<&str> = all.iter().map(|condition| condition.name()).collect();
    let of = |demand| all.iter().filter(|it| it.demand() == demand).count();
    let counts = [Demand::Apply, Demand::Undecidable, Demand::Refuse].map(of);
    assert_eq!(counts, [16, 2, 4]);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 22);
}

#[test]
fn the_names_that_drifts_bring_in_are_in_no_file() {
    for edit in stdlib().1.edits() {
        assert!(edit.base().iter().all(|line| {
            !line.contains("sf_")
                || !["_sf_copy", "_sf_like", "_sf_renamed", "_sf_other"]
                    .iter()
                    .any(|name| line.contains(name))
        }));
    }
}

#[test]
fn a_drifted_target_differs_from_its_file_by_the_edit_alone() {
    differ_by_the_edit_alone(&stdlib().1);
}

/// Checks it for every drift of every edit of `corpus`.
pub(in crate::grid) fn differ_by_the_edit_alone(corpus: &crate::grid::Corpus) {
    for edit in corpus.edits() {
        let (added, removed) = crate::grid::tests::sizes(edit.row.operation);
        for condition in Condition::harsh().filter(|it| it.fits(edit)) {
            let trial = Trial::new(edit, condition);
            let context = format!("{} {}", edit.row.id, condition.name());
            let again = Trial::new(edit, condition);
            assert_eq!(trial.file, again.file, "{context}");
            assert_eq!(trial.expected, again.expected, "{context}");
            if condition.demand() == Demand::Refuse {
                assert_eq!(trial.file, trial.expected, "{context}");
                continue;
            }
            let old: Vec<&str> = trial.file.split_inclusive('\n').collect();
            let new: Vec<&str> = trial.expected.split_inclusive('\n').collect();
            assert_eq!(new.len() + removed, old.len() + added, "{context}");
            let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
            let tail = old.len() - head.min(old.len() - removed) - removed;
            assert_eq!(
                old[old.len() - tail..],
                new[new.len() - tail..],
                "{context}"
            );
            assert_ne!(trial.file, trial.expected, "{context}");
        }
    }
}

#[test]
fn a_drift_changes_the_file_that_it_is_done_to() {
    let (_, corpus) = stdlib();
    let mut unfit = 0;
    for edit in corpus.edits() {
        let none = Trial::new(edit, Condition::None).file;
        for (drift, name, _) in TABLE {
            let drifted = Trial::new(edit, Condition::Harsh(drift)).file;
            if drift.fits(edit) {
                assert_ne!(drifted, none, "{} {name}", edit.row.id);
            } else {
                assert_eq!(drifted, none, "{} {name}", edit.row.id);
                unfit += 1;
            }
        }
    }
    // A few anchors are all string or continued line.
    assert!((1..20).contains(&unfit), "{unfit}");
}
