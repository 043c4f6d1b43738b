use super::*;

fn applier(name: &str) -> Applier {
    let all = Applier::all();
    let found = all.into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no applier `{name}`")).1
}

/// Checks what the named applier makes of `edit`: the file expected, or a refusal for `None`.
fn check(name: &str, file: &str, edit: Edit<'_>, expected: Option<&str>) {
    let answer = applier(name).apply(&Request { file, edit }).unwrap();
    match (&answer, expected) {
        (Answer::Refused(_), None) => {}
        (Answer::Applied(text), Some(expected)) => assert_eq!(text, expected, "{name}"),
        _ => panic!("{name}: {answer:?}, not {expected:?}"),
    }
}

fn check_block(names: &[&str], file: &str, old: &str, new: &str, expected: Option<&str>) {
    for name in names {
        check(name, file, Edit::Blocks(&[Block { old, new }]), expected);
    }
}

/// Every reading of old and new lines.
const BLOCKS: [&str; 9] = [
    "sr-exact",
    "sr-ws",
    "sr-ws-indented",
    "sr-exact-first",
    "sr-ws-first",
    "sr-fuzzy",
    "robust-w1",
    "robust-w2",
    "robust-w2-disjoint",
];

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = Applier::all().into_iter().map(|(name, _)| name).collect();
    let len = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), len);
}

#[test]
fn an_edit_of_another_format_is_no_trial() {
    for (name, applier) in Applier::all() {
        let edits = [
            Edit::Blocks(&[]),
            Edit::Diff(""),
            Edit::Lines(&[]),
            Edit::Function {
                name: "f",
                new: "",
                functions: &[],
            },
            Edit::Versions {
                base: "",
                target: "",
            },
        ];
        for edit in edits {
            let read = applier.apply(&Request { file: "a\n", edit }).is_ok();
            assert_eq!(
                read,
                applier.formats().contains(&edit.format()),
                "{name} {edit:?}"
            );
        }
    }
}

#[test]
fn what_stands_once_is_replaced_by_all() {
    let file = "one\ntwo\nthree\nfour\n";
    check_block(&BLOCKS, file, "two\nthree\n", "2\n", Some("one\n2\nfour\n"));
    check_block(&BLOCKS, file, "one\ntwo\n", "", Some("three\nfour\n"));
}

#[test]
fn nothing_to_find_is_found_nowhere() {
    check_block(&BLOCKS, "one\n", "", "2\n", None);
    check_block(&BLOCKS, "", "one\n", "2\n", None);
    check_block(&BLOCKS, "one\n", "two\nfive\n", "2\n", None);
}

#[test]
fn lines_are_found_whole() {
    check_block(
        &["sr-exact", "sr-exact-first", "sr-ws"],
        "one two\n",
        "two\n",
        "2\n",
        None,
    );
}

#[test]
fn of_two_places_the_permissive_take_the_first() {
    let (file, old) = ("a\nb\nx\na\nb\n", "a\nb\n");
    let first = Some("c\nx\na\nb\n");
    check_block(
        &["sr-exact-first", "sr-ws-first", "sr-fuzzy"],
        file,
        old,
        "c\n",
        first,
    );
    let strict = [
        "sr-exact",
        "sr-ws",
        "sr-ws-indented",
        "robust-w1",
        "robust-w2",
    ];
    check_block(&strict, file, old, "c\n", None);
}

#[test]
fn places_that_overlap_are_two() {
    check_block(&["sr-exact", "sr-ws"], "a\na\na\n", "a\na\n", "b\n", None);
}

#[test]
fn new_lines_go_in_as_they_are_written() {
    let (file, old) = (
        "def f():\n  go(1,  2)\n  stop()\n",
        "      go(1, 2) \n\tstop()\n",
    );
    let applied = Some("def f():\n    go(2)\n");
    check_block(
        &["sr-ws", "sr-ws-first", "robust-w1"],
        file,
        old,
        "    go(2)\n",
        applied,
    );
    check_block(
        &["sr-exact", "sr-ws-indented"],
        file,
        old,
        "    go(2)\n",
        None,
    );
    let old = "  go(1, 2) \n  stop()\n";
    check_block(
        &["sr-ws-indented", "robust-w2"],
        file,
        old,
        "    go(2)\n",
        applied,
    );
    check_block(&["sr-ws"], file, "  go(1,2)\n  stop()\n", "", None);
}

#[test]
fn an_exact_copy_further_in_comes_before_the_place_itself() {
    let file = "a\nb\nif x:\n    a\n    b\n";
    let wrong = Some("a\nb\nif x:\nc\n");
    check_block(
        &["sr-exact", "robust-w1"],
        file,
        "    a\n    b\n",
        "c\n",
        wrong,
    );
    check_block(&["sr-ws"], file, "    a\n    b\n", "c\n", None);
}

#[test]
fn blocks_are_applied_one_after_the_other_or_not_at_all() {
    let block = |old, new| Block { old, new };
    let two = [block("a\n", "b\n"), block("c\n", "d\n")];
    check("sr-exact", "a\nc\n", Edit::Blocks(&two), Some("b\nd\n"));
    // The first block makes a second place for the second.
    check(
        "sr-exact",
        "a\nb\n",
        Edit::Blocks(&[two[0], block("b\n", "e\n")]),
        None,
    );
    check("sr-exact", "a\nx\n", Edit::Blocks(&two), None);
}

#[test]
fn the_likest_window_is_taken_from_six_tenths_on() {
    // 6 of 10 characters on either side match, and then 5.
    check_block(
        &["sr-fuzzy"],
        "zzzz\nabcdefghij\n",
        "abcdef0123\n",
        "x\n",
        Some("zzzz\nx\n"),
    );
    check_block(
        &["sr-fuzzy"],
        "zzzz\nabcdefghij\n",
        "abcde01234\n",
        "x\n",
        None,
    );
}

/// Ten lines, one of which an edit quotes with another last letter.
const TEN: &str = "alpha = one()\nbravo = two()\n\ncharlie\n\ndelta\n\necho\n\nfoxtrot\n";

#[test]
fn robust_takes_the_likest_only_far_ahead() {
    let old = "alpha = one()\nbravo = twx()\n";
    let applied = TEN.replace("alpha = one()\nbravo = two()\n", "x\n");
    let robust = ["robust-w1", "robust-w2", "robust-w2-disjoint"];
    check_block(&robust, TEN, old, "x\n", Some(&applied));
    // Two such places, then too few lines, then too unlike.
    let twice = format!("{TEN}{TEN}");
    check_block(&robust, &twice, old, "x\n", None);
    // A place right below it is disjoint from it.
    let below = "alpha = one()\nbravo = two()\n".repeat(2);
    check_block(&robust, &below, old, "x\n", None);
    check_block(&robust, TEN, "bravo = twx()\n", "x\n", None);
    check_block(&robust, TEN, "alpha = xxx()\nbravo = xxx()\n", "x\n", None);
}

#[test]
fn only_one_reading_counts_a_window_that_overlaps() {
    // The window one line down shares nearly all of its text with the likest.
    let file = "a\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n";
    let old = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb\n";
    check_block(&["robust-w2"], file, old, "x\n", None);
    check_block(&["robust-w2-disjoint"], file, old, "x\n", Some("a\nx\n"));
}

const DIFF: &str = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n one\n two\n-three\n+3\n four\n five\n";

/// Every reader of unified diffs.
const DIFFS: [&str; 7] = [
    "udiff-f0",
    "udiff-f2",
    "git-apply",
    "diffy",
    "robust-w1",
    "robust-w2",
    "robust-w2-disjoint",
];

#[test]
fn a_diff_of_the_file_is_applied_by_all() {
    for name in DIFFS {
        check(
            name,
            "one\ntwo\nthree\nfour\nfive\n",
            Edit::Diff(DIFF),
            Some("one\ntwo\n3\nfour\nfive\n"),
        );
        check(name, "alpha\nbravo\n", Edit::Diff(DIFF), None);
    }
    for name in DIFFS.iter().filter(|name| **name != "diffy") {
        check(name, "one\n", Edit::Diff("no diff"), None);
    }
    // It says of text without a hunk that it has applied it, which is wrong.
    check("diffy", "one\n", Edit::Diff("no diff"), Some("one\n"));
}

#[test]
fn fuzz_ignores_lines_at_a_hunks_ends() {
    let file = "1\ntwo\nthree\nfour\n5\n";
    check("udiff-f0", file, Edit::Diff(DIFF), None);
    check(
        "udiff-f2",
        file,
        Edit::Diff(DIFF),
        Some("1\ntwo\n3\nfour\n5\n"),
    );
    check("git-apply", file, Edit::Diff(DIFF), None);
}

#[test]
fn context_stays_as_the_file_has_it() {
    let file = "  one\n  two\n  three\n  four\n  five\n";
    check(
        "robust-w1",
        file,
        Edit::Diff(DIFF),
        Some("  one\n  two\n3\n  four\n  five\n"),
    );
    let file = "one\ntwo\nthree\nfour\nfive";
    check(
        "robust-w1",
        file,
        Edit::Diff(DIFF),
        Some("one\ntwo\n3\nfour\nfive"),
    );
}

#[test]
fn a_diff_that_is_not_whole_is_refused() {
    let file = "one\ntwo\n";
    for diff in [
        "@@ -1,2 +1,1 @@\n one\n",
        "@@ -1 +1 @@\n-one\n+1\n two\n",
        "@@ -1 +1 @@\n-one\n?1\n",
        "@@ -1,1 +1,2 @@\n-one\n-two\n",
        "@@ -1 +1 @@\n-one\n+1\n--- a/g\n",
        "@@ -x +1 @@\n-one\n+1\n",
        "@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+1\n",
        "@@ -0,0 +1 @@\n+1\n",
    ] {
        check("robust-w1", file, Edit::Diff(diff), None);
    }
}

#[test]
fn a_program_that_is_not_there_is_no_refusal() {
    let patch = |program: &str| Patch {
        program: program.to_owned(),
        fuzz: 0,
    };
    let trouble = patch("no-such-patch").apply("one\n", DIFF).unwrap_err();
    let said = trouble.to_string();
    assert!(said.starts_with("cannot run `no-such-patch`"), "{said}");
    let trouble = patch("git").version().unwrap_err().to_string();
    assert!(trouble.starts_with("`git` is not GNU patch"), "{trouble}");
    assert!(patch("patch").version().unwrap().starts_with("GNU patch "));
}

#[test]
fn ranges_are_lines_of_the_file_whatever_they_are() {
    let check = |ranges: &[(Range<usize>, &str)], expected| {
        check("line", "a\nb\nc\n", Edit::Lines(ranges), expected);
    };
    check(&[(1..2, "x\n")], Some("a\nx\nc\n"));
    check(&[(0..1, ""), (2..3, "y\nz\n")], Some("b\ny\nz\n"));
    check(&[(1..1, "x\n")], Some("a\nx\nb\nc\n"));
    check(&[(2..4, "x\n")], None);
    check(&[(4..5, "x\n")], None);
    check(&[(1..3, "x\n"), (2..3, "y\n")], None);
}

#[test]
fn a_function_is_found_by_as_much_of_its_name_as_asked() {
    let file = "class A:\n  def f(): 1\nclass B:\n  def f(): 2\n  def g(): 3\n  def g(): 4\n";
    let function = |name, at: usize| Function {
        name,
        lines: at..at + 1,
    };
    let functions = [
        function("A.f", 1),
        function("B.f", 3),
        function("B.g", 4),
        function("B.g", 5),
    ];
    let check = |applier: &str, name: &str, replaced: Option<&str>| {
        let new = "  new\n";
        let edit = Edit::Function {
            name,
            new,
            functions: &functions,
        };
        let expected = replaced.map(|old| file.replace(old, new));
        check(applier, file, edit, expected.as_deref());
    };
    check("func", "B.f", Some("  def f(): 1\n"));
    check("func-refuse-duplicates", "B.f", None);
    check("func-qualified", "B.f", Some("  def f(): 2\n"));
    check("func", "g", Some("  def g(): 3\n"));
    check("func-qualified", "B.g", None);
    check("func", "h", None);
}

#[test]
fn a_function_outside_of_the_file_is_refused() {
    let name = "f";
    let edit = Edit::Function {
        name,
        new: "",
        functions: &[Function { name, lines: 1..9 }],
    };
    check("func", "a\nb\n", edit, None);
}

#[test]
fn versions_are_merged_or_conflict() {
    let (base, target) = ("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n");
    let edit = Edit::Versions { base, target };
    check(
        "merge-file",
        "A\nb\nc\nd\ne\nf\n",
        edit,
        Some("A\nb\nc\nd\nE\nf\n"),
    );
    check("merge-file", "a\nb\nc\nd\n5\nf\n", edit, None);
}
