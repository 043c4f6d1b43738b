//! Whole plans in memory. Each test states an answer that follows from the edit alone.

mod elided;
mod mapped;
mod oracle;
mod ranges;

use proptest::prelude::*;

use super::*;
use crate::blob::{IdPrefix, PlainIds};
use crate::lines::LineNo;
use crate::outcome::NotFound;
use crate::patch::{
    Base, Change, Count, Destination, Edit, Existing, Expect, Hunk, Line, LineHunk, Order, Patch,
    RangeHunk, Span, TextHunk,
};
use crate::path::PathSpec;
use crate::preimage::{Preimage, Witness, WitnessSource};

const IDS: PlainIds = PlainIds(gix_hash::Kind::Sha1);

/// A tree with the one file `f`, and what is known of it.
fn tree(content: &str) -> Preimages {
    with_witness(content, None)
}

fn with_witness(content: &str, witness: Option<&str>) -> Preimages {
    let mut preimages = Preimages::default();
    let path = RepoPath::new("f").unwrap();
    let mut file = Preimage::file(content, Mode::Regular);
    file.blob = IDS.blob_id(&path, content.as_bytes());
    let seen = |text: &str| Witness {
        source: WitnessSource::Index,
        content: text.into(),
    };
    file.witnesses = witness.map(seen).into_iter().collect();
    preimages.insert(path, file);
    preimages
}

fn id(content: &str) -> IdPrefix {
    BlobId::of(gix_hash::Kind::Sha1, content.as_bytes())
        .unwrap()
        .into()
}

fn edit(change: Change) -> Edit {
    Edit::new(PathSpec::from_root("f"), change, Span::default())
}

fn modify(hunks: Vec<Hunk>, order: Order) -> Edit {
    edit(Change::Modify { hunks, order })
}

/// Lines in a diff's notation: ` context`, `-old`, `+new`.
fn hunk(body: &str) -> LineHunk {
    let line = |line: &str| {
        let (sign, text) = line.split_at(1);
        let text = format!("{text}\n").into();
        match sign {
            " " => Line::Context(text),
            "-" => Line::Delete(text),
            _ => Line::Insert(text),
        }
    };
    LineHunk {
        lines: body.lines().map(line).collect(),
        ..LineHunk::default()
    }
}

fn text(old: &str, new: &str) -> TextHunk {
    TextHunk {
        old: old.into(),
        new: new.into(),
        count: Count::One,
        span: Span::default(),
    }
}

fn range(first: usize, last: usize, new: &str, expect: Option<&str>) -> RangeHunk {
    let lines = LineRange::new(first - 1, last);
    let expect = expect.map(|text| Expect::Text(text.into()));
    RangeHunk {
        lines,
        new: new.into(),
        expect,
        span: Span::default(),
    }
}

fn planned(tree: &Preimages, edits: Vec<Edit>, policy: &Policy) -> Result<Plan, Refused> {
    let reading = Reading {
        patch: Patch { edits },
        assumption: String::new(),
        fallback: false,
    };
    plan(
        &[Step {
            label: None,
            readings: vec![reading],
        }],
        tree,
        &IDS,
        policy,
    )
}

/// Plans `edit` on `tree` and returns the new content of `f`, or the refusal's code.
fn outcome(tree: &Preimages, edit: Edit) -> Result<String, &'static str> {
    let plan = planned(tree, vec![edit], &Policy::BALANCED)
        .map_err(|refused| refused.refusals()[0].reason.code())?;
    let after = plan.outputs().get(&RepoPath::new("f").unwrap()).cloned();
    Ok(after.map_or("(untouched)".into(), |after| {
        after.map_or("(gone)".into(), |after| after.content.to_string())
    }))
}

fn check_lines(file: &str, body: &str, expected: Result<&str, &'static str>) {
    let edit = modify(vec![Hunk::Lines(hunk(body))], Order::Any);
    assert_eq!(
        outcome(&tree(file), edit),
        expected.map(String::from),
        "{body:?} in {file:?}"
    );
}

fn check_text(file: &str, old: &str, new: &str, expected: Result<&str, &'static str>) {
    let edit = modify(vec![Hunk::Text(text(old, new))], Order::Any);
    assert_eq!(
        outcome(&tree(file), edit),
        expected.map(String::from),
        "{old:?} in {file:?}"
    );
}

#[test]
fn an_anchor_that_stands_once_lands_and_one_that_stands_twice_is_refused() {
    check_lines("a\nb\nc\n", " a\n-b\n+x", Ok("a\nx\nc\n"));
    check_lines("a\nb\na\nb\n", "-b\n+x", Err("ambiguous"));
    check_lines("a\nb\n", "-z\n+x", Err("not-found"));
    check_text("a = 1\nb = 2\n", "b = 2", "b = 3", Ok("a = 1\nb = 3\n"));
    check_text(
        "x = 1\nx = 1\nx = 1\n",
        "x = 1\nx = 1\n",
        "y\n",
        Err("ambiguous"),
    );
}

fn replaced(file: &str, old: &str, new: &str, count: Count) -> Result<String, &'static str> {
    let hunk = TextHunk {
        count,
        ..text(old, new)
    };
    outcome(&tree(file), modify(vec![Hunk::Text(hunk)], Order::Any))
}

#[test]
fn every_occurrence_is_replaced_once_where_all_are_meant() {
    let all = |file, old, new| replaced(file, old, new, Count::All);
    assert_eq!(all("aaaa b\n", "aa", "a"), Ok("aa b\n".into()));
    assert_eq!(
        all("f(u); f(u)\n", "f(u)", "r(f(u))"),
        Ok("r(f(u)); r(f(u))\n".into())
    );
    assert_eq!(
        all("x1 x1\r\nx1\r\n", "x1", "y\nx1"),
        Ok("y\r\nx1 y\r\nx1\r\ny\r\nx1\r\n".into())
    );
    assert_eq!(all("b\n", "a", "c"), Err("not-found"));
    let three = |file| replaced(file, "a", "b", Count::Exactly(3));
    assert_eq!(three("a a a\n"), Ok("b b b\n".into()));
    assert_eq!(three("a a\n"), Err("not-found"));
    assert_eq!(three("a a a a\n"), Err("ambiguous"));
    assert_eq!(
        replaced("aaa\n", "aa", "b", Count::Exactly(2)),
        Err("ambiguous")
    );
}

#[test]
fn a_text_inside_a_longer_word_is_not_that_word() {
    check_text("value = 10\n", "value = 1", "value = 2", Err("not-found"));
    check_text(
        "return total_items\n",
        "return total",
        "return sum",
        Err("not-found"),
    );
    check_text("self.x = 1\n", "x = 1", "x = 2", Ok("self.x = 2\n"));
    check_text("v = 1.5\n", "v = 1", "v = 2", Err("not-found"));
    check_text("x = café\n", "x = caf", "x = tea", Err("not-found"));
    check_text("x = e\u{301}\n", "x = e", "x = f", Err("not-found"));
}

#[test]
fn a_byte_order_mark_below_the_top_is_text() {
    check_lines(
        "ins()\n\u{feff}cc = 3\n",
        "-ins()\n \u{feff}cc = 3",
        Ok("\u{feff}cc = 3\n"),
    );
    check_lines(
        "ins()\r\n\u{feff}cc = 3\r\n",
        " ins()\n-\u{feff}cc = 3\n+\u{feff}cc = 4",
        Ok("ins()\r\n\u{feff}cc = 4\r\n"),
    );
    check_lines(
        "ins()\r\n\u{feff}cc = 3\r\n",
        " ins()\n-\u{feff}cc = 3\n+cc = 3",
        Ok("ins()\r\ncc = 3\r\n"),
    );
    check_lines(
        "\u{feff}cc = 3\nx\n\u{feff}cc = 3\n",
        "-\u{feff}cc = 3\n+dd",
        Err("ambiguous"),
    );
    check_lines("ins()\n\u{feff}cc = 3\n", "-cc = 3\n+dd", Err("not-found"));
}

#[test]
fn what_is_undone_may_hold_placeholders() {
    let go = |file: &str, edit: Edit| {
        let patch = Patch { edits: vec![edit] };
        let back = crate::patch::reverse(&patch).unwrap();
        outcome(&tree(file), back.edits[0].clone())
    };
    let placeholder = "# ... rest of the code ...";
    let file = format!("a\n{placeholder}\nb\n");
    let lines = hunk(&format!(" a\n-{placeholder}\n+c\n b"));
    let edit = modify(vec![Hunk::Lines(lines)], Order::File);
    assert_eq!(go("a\nc\nb\n", edit), Ok(file.clone()));
    let pair = text("a\n...\nb\n", "a\nc\nb\n");
    let edit = modify(vec![Hunk::Text(pair)], Order::Any);
    assert_eq!(go("a\nc\nb\n", edit), Ok("a\n...\nb\n".into()));
    let lines = range(2, 2, "c\n", Some(placeholder));
    let edit = modify(vec![Hunk::Range(lines)], Order::Any);
    assert_eq!(go("a\nc\nb\n", edit), Ok(file.clone()));
    let delete = Edit::new(
        PathSpec::from_root("f"),
        Change::Delete {
            shown: Some(file.clone().into()),
        },
        Span::default(),
    );
    let back = crate::patch::reverse(&Patch {
        edits: vec![delete],
    })
    .unwrap();
    assert_eq!(
        outcome(&Preimages::default(), back.edits[0].clone()),
        Ok(file)
    );
}

#[test]
fn a_last_line_without_newline_counts_as_the_line_that_it_is() {
    check_text("dd\nx\ndd", "dd\n", "ee\n", Err("ambiguous"));
    check_text("x\ndd", "dd\n", "ee\n", Ok("x\nee"));
    check_text("x\ndd\n", "dd\n\n", "ee\n\n", Ok("x\nee\n"));
    check_text("dd\n\nx\ndd\n", "dd\n\n", "ee\n\n", Ok("ee\n\nx\ndd\n"));
    check_text("aa\nbb", "aa\n", "aa\nbb\n", Err("already-applied"));
    let of = |count| replaced("dd\nx\ndd", "dd\n", "ee\n", count);
    assert_eq!(of(Count::All), Ok("ee\nx\nee".into()));
    assert_eq!(of(Count::Exactly(2)), Ok("ee\nx\nee".into()));
    assert_eq!(of(Count::Exactly(1)), Err("ambiguous"));
    let twice = with_witness("x\ndd\n", Some("dd\nx\ndd"));
    let edit = modify(vec![Hunk::Text(text("dd\n", "ee\n"))], Order::Any);
    assert_eq!(outcome(&twice, edit), Err("ambiguous"));
}

#[test]
fn a_text_that_ends_behind_a_newline_goes_on_in_the_next_line_whatever_the_endings() {
    let new = "\n y";
    check_text("q\na_1\n\nz\n", "a_1\n", new, Ok("q\n\n y\nz\n"));
    check_text("q\r\na_1\n\nz\n", "a_1\n", new, Ok("q\r\n\n y\nz\n"));
}

#[test]
fn anchors_that_say_nothing_are_too_small() {
    check_lines("a {\n}\n", "-}\n+};", Err("anchor-too-small"));
    check_lines("a\n\nb\n", "-\n+x", Err("anchor-too-small"));
    check_text("f() {\n  g();\n}\n", "}\n", "};\n", Err("anchor-too-small"));
}

#[test]
fn an_anchor_whose_text_stands_at_another_depth_too_is_ambiguous() {
    let file = "if a:\n    x\n    y\nx\ny\n";
    check_lines(file, " x\n-y\n+z", Err("ambiguous"));
    check_lines(file, "     x\n-    y\n+    z", Err("ambiguous"));
    check_lines("  if a:\n    b\nb\n", "-b\n+c", Err("ambiguous"));
    check_lines(
        "if a:\n    b\n  b\n",
        "-    b\n+    c",
        Ok("if a:\n    c\n  b\n"),
    );
}

#[test]
fn what_is_there_already_is_not_made_again() {
    check_lines("a\nb\nc\n", " a\n+b", Err("already-applied"));
    check_lines("a\nx\n", "-b\n+x", Err("already-applied"));
    check_lines(
        "pad,\npad,\npad,\n]\n",
        " pad,\n+pad,\n ]",
        Err("already-applied"),
    );
    check_text(
        "a = 1\nb = 2\n",
        "a = 1\n",
        "a = 1\nb = 2\n",
        Err("already-applied"),
    );
    check_text("a = 2\n", "a = 1", "a = 2", Err("already-applied"));
    check_lines("a\nb\n", " a\n b", Err("no-change"));
    check_text("a\n", "a", "a", Err("no-change"));
}

#[test]
fn an_insertion_is_made_once_however_it_is_written() {
    check_lines(
        "ins()\na\nb\n",
        "-a\n+ins()\n+a\n b",
        Err("already-applied"),
    );
    check_lines(
        "ins()\na = 1\n",
        "-a = 1\n+ins()\n+a = 1",
        Err("already-applied"),
    );
    check_lines("a\nb\n", "-a\n+ins()\n+a\n b", Ok("ins()\na\nb\n"));
    let after = |file: &str| {
        let lines = LineRange::new(1, 1);
        let expect = Some(Expect::Text("x = 3".into()));
        let new = "zed\n".into();
        let hunk = RangeHunk {
            lines,
            new,
            expect,
            span: Span::default(),
        };
        outcome(&tree(file), modify(vec![Hunk::Range(hunk)], Order::Any))
    };
    assert_eq!(after("x = 3\nb\n"), Ok("x = 3\nzed\nb\n".into()));
    assert_eq!(after("x = 3\nzed\nb\n"), Err("already-applied"));
    let grown = range(1, 1, "x = 3\ny\n", Some("x = 3"));
    let grown = modify(vec![Hunk::Range(grown)], Order::Any);
    assert_eq!(outcome(&tree("x = 3\ny\n"), grown), Err("already-applied"));
    check_text(
        "\u{feff}ins()\na_1 = 1\n",
        "a_1 = 1",
        "ins()\na_1 = 1",
        Err("already-applied"),
    );
}

#[test]
fn endings_that_only_the_new_text_has_are_the_files_to_give() {
    check_text("call\n# one", "# one\r\n", "# two\r\n", Ok("call\n# two"));
    check_text("a = 2\nb\n", "a = 2", "ins\r\na = 2", Ok("ins\na = 2\nb\n"));
    let lines = vec![Line::Context("a\n".into()), Line::Insert("x\r\n".into())];
    let hunk = LineHunk {
        lines,
        ..LineHunk::default()
    };
    let edit = modify(vec![Hunk::Lines(hunk)], Order::Any);
    assert_eq!(outcome(&tree("a\nb\n"), edit), Ok("a\nx\nb\n".into()));
}

#[test]
fn the_files_endings_mark_and_last_newline_are_its_own() {
    check_lines(
        "a\r\nb\r\nc\r\n",
        " a\n-b\n+x\n+y\n c",
        Ok("a\r\nx\r\ny\r\nc\r\n"),
    );
    check_lines("a\nb\r\nc\n", "-b\n+x", Ok("a\nx\r\nc\n"));
    check_lines("a\nb\r\nc\n", " a\n+x", Err("malformed"));
    check_lines("a\nb", "-b\n+x\n+y", Ok("a\nx\ny"));
    check_lines("a\nb", " b\n+c", Ok("a\nb\nc"));
    check_lines("a\nb", " a\n-b", Ok("a"));
    check_lines("a\r\nb", " a\n-b", Ok("a"));
    check_lines("a\n\nb", " a\n \n-b", Ok("a\n\n"));
    check_lines("a\nb", " a\n-b\n+", Ok("a\n\n"));
    check_lines("a\nb", "-a\n-b", Ok(""));
    check_lines("\u{feff}a\nb\n", "-a\n+x", Ok("\u{feff}x\nb\n"));
    check_text("a\r\nb\r\n", "a\nb\n", "a\nx\nb\n", Ok("a\r\nx\r\nb\r\n"));
    check_text("a\nlast", "last\n", "end\n", Ok("a\nend"));
    check_text("a\nb\nc\n", "b\n", "x", Err("malformed"));
    check_text(
        "\u{feff}a = 1\n",
        "a = 1\n",
        "a = 2\n",
        Ok("\u{feff}a = 2\n"),
    );
}

#[test]
fn an_author_who_shows_endings_changes_them() {
    let lines = vec![Line::Delete("a\r\n".into()), Line::Insert("a\n".into())];
    let hunk = LineHunk {
        lines,
        ..LineHunk::default()
    };
    let edit = modify(vec![Hunk::Lines(hunk)], Order::Any);
    assert_eq!(outcome(&tree("a\r\nb\r\n"), edit), Ok("a\nb\r\n".into()));
    check_text("a\r\nb\r\n", "a\r\n", "a\n", Ok("a\nb\r\n"));
    check_text(
        "a\r\nb\r\n",
        "a\r\nb\r\n",
        "a\nx\nb\n",
        Ok("a\r\nx\r\nb\r\n"),
    );
}

#[test]
fn line_numbers_need_proof() {
    let file = "a\nb\nc\nb\n";
    let at = |hunk: RangeHunk| modify(vec![Hunk::Range(hunk)], Order::Any);
    let go = |hunk| outcome(&tree(file), at(hunk));
    assert_eq!(go(range(1, 1, "x\n", None)), Err("unanchored"));
    assert_eq!(go(range(1, 1, "x\n", Some("a"))), Ok("x\nb\nc\nb\n".into()));
    assert_eq!(go(range(2, 2, "x\n", Some("b\n"))), Err("ambiguous"));
    assert_eq!(go(range(2, 2, "x\n", Some("a\n"))), Err("stale"));
    assert_eq!(go(range(9, 9, "x\n", Some("a\n"))), Err("stale"));
    let based = |content: &str| Edit {
        base: Some(Base::Blob(id(content))),
        ..at(range(2, 2, "", None))
    };
    assert_eq!(outcome(&tree(file), based(file)), Ok("a\nc\nb\n".into()));
    assert_eq!(outcome(&tree(file), based("other")), Err("stale"));
}

#[test]
fn a_scope_is_closed_and_a_heading_is_a_witness() {
    let file = "def a():\n    y = 0\n\ndef b():\n    x = 1\n    return x\n";
    let scoped = |scope: &str| {
        let hunk = LineHunk {
            scopes: vec![scope.into()],
            ..hunk("-    x = 1\n+    x = 9")
        };
        outcome(&tree(file), modify(vec![Hunk::Lines(hunk)], Order::File))
    };
    assert_eq!(scoped("def a():"), Err("not-found"));
    assert_eq!(scoped("def none():"), Err("not-found"));
    assert!(scoped("def b():").is_ok());
    let twice = "def a():\n    x = 1\n\ndef b():\n    x = 1\n";
    let headed = |heading: &str| {
        let hunk = LineHunk {
            heading: Some(heading.into()),
            ..hunk("-    x = 1\n+    x = 9")
        };
        outcome(&tree(twice), modify(vec![Hunk::Lines(hunk)], Order::File))
    };
    assert_eq!(
        headed("def b():"),
        Ok("def a():\n    x = 1\n\ndef b():\n    x = 9\n".into())
    );
    assert_eq!(headed("def c():"), Err("stale"));
    // A witness with the same two copies says nothing against the one that the heading names.
    let hunk = LineHunk {
        heading: Some("def b():".into()),
        ..hunk("-    x = 1\n+    x = 9")
    };
    let edit = modify(vec![Hunk::Lines(hunk)], Order::File);
    assert!(outcome(&with_witness(twice, Some(twice)), edit).is_ok());
}

#[test]
fn ids_prove_or_weaken() {
    let file = "def a():\n    x\n    y\n\ndef b():\n    x\n    y\n";
    let with = |base: &str, post: Option<&str>, start: usize| {
        let old_start = Some(LineNo(start));
        let hunk = LineHunk {
            old_start,
            ..hunk("     x\n-    y\n+    z")
        };
        let base = Some(Base::Blob(id(base)));
        Edit {
            base,
            post: post.map(id),
            ..modify(vec![Hunk::Lines(hunk)], Order::File)
        }
    };
    let right = "def a():\n    x\n    y\n\ndef b():\n    x\n    z\n";
    assert_eq!(
        outcome(&tree(file), with(file, Some(right), 5)),
        Ok(right.into())
    );
    assert_eq!(
        outcome(&tree(file), with(file, Some("else"), 5)),
        Err("post-mismatch")
    );
    assert_eq!(
        outcome(&tree(right), with(file, Some(right), 5)),
        Ok("(untouched)".into())
    );
    assert_eq!(
        outcome(&tree(file), with("else", None, 5)),
        Err("ambiguous")
    );
    let once = "def b():\n    x\n    y\n";
    assert_eq!(outcome(&tree(once), with("else", None, 5)), Err("stale"));
    assert!(outcome(&tree(once), with("else", None, 1)).is_ok());
}

#[test]
fn a_base_that_is_to_be_had_must_carry_the_place() {
    let base = "fn parse() {\n    a();\n    b();\n}\n";
    let decoy = "fn parse() {\n    z();\n}\n\nimpl X {\n    a();\n    b();\n}\n";
    let shifted = format!("use x;\n{base}");
    let go = |file: &str, known: bool| {
        let hunk = LineHunk {
            old_start: Some(LineNo(1)),
            heading: Some("fn parse() {".into()),
            ..hunk("     a();\n-    b();\n+    c();")
        };
        let base_id = Some(Base::Blob(id(base)));
        let edit = Edit {
            base: base_id,
            ..modify(vec![Hunk::Lines(hunk)], Order::File)
        };
        let mut preimages = tree(file);
        if known {
            let id = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
            preimages.insert_blob(id, base.into());
        }
        outcome(&preimages, edit)
    };
    let right = Ok(shifted.replace("b();", "c();"));
    assert_eq!(go(&shifted, true), right);
    assert_eq!(go(&shifted, false), right);
    assert_eq!(go(decoy, true), Err("stale"));
    assert_eq!(go(decoy, false), Err("stale"));
}

#[test]
fn a_copy_elsewhere_is_not_taken_where_the_stated_place_was_changed() {
    let changed = "get(a)\ncheck(a)\nlog_all(a)\nput(a)\n";
    let copy = "get(a)\ncheck(a)\nlog(a)\nput(a)\n";
    let between = "x\n".repeat(40);
    let file = format!("{changed}{between}{copy}");
    let go = |file: &str, start| {
        let old_start = Some(LineNo(start));
        let hunk = LineHunk {
            old_start,
            ..hunk(" get(a)\n check(a)\n-log(a)\n+trace(a)\n put(a)")
        };
        outcome(&tree(file), modify(vec![Hunk::Lines(hunk)], Order::File))
    };
    assert_eq!(go(&file, 0), Err("ambiguous"));
    assert!(go(&file, 44).is_ok());
    assert!(go(&format!("{between}{copy}"), 0).is_ok());
}

#[test]
fn lines_that_an_older_state_has_where_stated_land_where_they_have_moved_to() {
    let then = "a1\na2\na3\nb\nc\n";
    let go = |now: &str| {
        let old_start = Some(LineNo(0));
        let hunk = LineHunk {
            old_start,
            ..hunk(" a1\n-a2\n+x\n a3")
        };
        let edit = modify(vec![Hunk::Lines(hunk)], Order::File);
        outcome(&with_witness(now, Some(then)), edit)
    };
    assert!(go("new\na1\na2\na3\nb\nc\n").is_ok());
    assert_eq!(go("a1\nother\na3\nb\nc\na1\na2\na3\n"), Err("ambiguous"));
}

#[test]
fn a_path_with_two_even_spellings_needs_one_that_exists() {
    let create = |even| {
        let path = PathSpec {
            or: Some("b/g".into()),
            even,
            ..PathSpec::from_root("g")
        };
        let change = Change::Create {
            content: "new\n".into(),
            existing: Existing::Exists,
        };
        let edit = Edit::new(path, change, Span::default());
        let plan = planned(&tree("x\n"), vec![edit], &Policy::BALANCED);
        plan.map(|plan| plan.files()[0].path.to_string())
            .map_err(|refused| refused.refusals()[0].reason.code())
    };
    assert_eq!(create(true), Err("ambiguous"));
    assert_eq!(create(false), Ok("g".into()));
}

#[test]
fn names_that_change_places_are_two_files_in_the_report() {
    let mut preimages = tree("one\n");
    let other = RepoPath::new("g").unwrap();
    preimages.insert(other, Preimage::file("two\n", Mode::Regular));
    let rename = |from: &str, to: &str| Edit {
        destination: Destination::Rename(PathSpec::from_root(to)),
        ..Edit::new(PathSpec::from_root(from), Change::Keep, Span::default())
    };
    let edits = vec![rename("f", "g"), rename("g", "f")];
    let plan = planned(&preimages, edits, &Policy::BALANCED).unwrap();
    let files = plan.files().iter().map(|file| {
        (
            file.from.clone().unwrap().to_string(),
            file.path.to_string(),
        )
    });
    let pairs = [("g", "f"), ("f", "g")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(files.collect::<Vec<_>>(), pairs);
}

#[test]
fn lines_are_joined_only_where_the_text_says_so() {
    check_text("a\nb\n\nc\n", "a\nb\n", "a", Ok("a\nc\n"));
    check_text("x\n\ny\n", "\ny", "\n\ny", Ok("x\n\n\ny\n"));
}

#[test]
fn a_new_text_inside_of_a_longer_line_is_not_there_already() {
    check_text(
        "int a; // x\ny();\n",
        "int a; // x y();",
        "int a;",
        Err("not-found"),
    );
    check_text(
        "    int a;\ny();\n",
        "int a; // x y();",
        "int a;",
        Err("already-applied"),
    );
}

#[test]
fn a_copy_that_has_gone_makes_the_other_doubtful() {
    let now = "def b():\n    x\n";
    let then = "def a():\n    x\n\ndef b():\n    x\n";
    let edit = || modify(vec![Hunk::Text(text("    x\n", "    z\n"))], Order::Any);
    assert_eq!(
        outcome(&with_witness(now, Some(then)), edit()),
        Err("ambiguous")
    );
    assert!(outcome(&with_witness(now, Some(now)), edit()).is_ok());
    assert!(outcome(&with_witness(now, None), edit()).is_ok());
    let moved = with_witness(now, Some("def a():\n    x\n"));
    let plan = planned(&moved, vec![edit()], &Policy::BALANCED).unwrap();
    assert_eq!(plan.warnings()[0].code, "moved-since-witness");
    let strict = planned(&moved, vec![edit()], &Policy::STRICT).unwrap_err();
    assert_eq!(strict.refusals()[0].reason.code(), "stale");
}

#[test]
fn edits_of_a_batch_see_the_file_as_it_was() {
    let go = |file: &str, pairs: &[(&str, &str)]| {
        let hunks = pairs
            .iter()
            .map(|(old, new)| Hunk::Text(text(old, new)))
            .collect();
        outcome(&tree(file), modify(hunks, Order::Any))
    };
    assert_eq!(
        go("p = red\n", &[("red", "green"), ("green", "blue")]),
        Err("not-found")
    );
    assert_eq!(go("a\nb\n", &[("a", "b"), ("b", "a")]), Ok("b\na\n".into()));
    assert_eq!(go("a b\n", &[("a", "x"), ("b", "y")]), Ok("x y\n".into()));
    assert_eq!(go("a b\n", &[("a b", "x"), ("b", "y")]), Err("overlap"));
    // Together: `one` and `two` change places. One after the other: both become `one`.
    assert_eq!(
        go(
            "k = one\nk = two\n",
            &[("k = one", "k = two\nx"), ("k = two\n", "k = one\n")]
        ),
        Ok("k = two\nx\nk = one\n".into())
    );
    assert_eq!(
        go("a1 q\nb\n", &[("a1 q", ""), ("b", "a1 q")]),
        Ok("\na1 q\n".into())
    );
}

#[test]
fn many_texts_of_one_file_cost_one_pass_together() {
    let line = |n: usize| format!("    let value_{n} = compute({n}, \"k\");");
    let file: String = (0..8000).map(|n| line(n) + "\r\n").collect();
    let pair = |n: usize| {
        let (this, next) = (line(n), line(n + 1));
        text(
            &format!("{this}\n{next}\n"),
            &format!("{this}\nnew_{n}\n{next}\n"),
        )
    };
    let hunks = (0..1000).map(|n| Hunk::Text(pair(n * 3))).collect();
    let mut right = String::new();
    for n in 0..8000 {
        right += &(line(n) + "\r\n");
        if n % 3 == 0 && n < 3000 {
            right.push_str(&["new_", &n.to_string(), "\r\n"].concat());
        }
    }
    assert_eq!(outcome(&tree(&file), modify(hunks, Order::Any)), Ok(right));
}

#[test]
fn the_files_end_chooses_among_copies_that_git_knows_too() {
    let last = || {
        let hunk = LineHunk {
            at_end: true,
            ..hunk(" a1\n-b2\n+b3")
        };
        modify(vec![Hunk::Lines(hunk)], Order::File)
    };
    let twice = "a1\nb2\na1\nb2\n";
    let right = Ok("a1\nb2\na1\nb3\n".into());
    assert_eq!(outcome(&tree(twice), last()), right);
    assert_eq!(outcome(&with_witness(twice, Some(twice)), last()), right);
    // One more copy has gone: it may have been the last one.
    let thrice = format!("{twice}a1\nb2\n");
    let gone = with_witness(twice, Some(&thrice));
    assert_eq!(outcome(&gone, last()), Err("ambiguous"));
}

#[test]
fn hunks_of_a_diff_stand_in_file_order() {
    let file = "x\nmid\nx\nend\n";
    let go = |bodies: [&str; 2]| {
        let hunks = bodies.iter().map(|body| Hunk::Lines(hunk(body))).collect();
        outcome(&tree(file), modify(hunks, Order::File))
    };
    assert_eq!(go(["-mid\n+m", "-x\n+y"]), Ok("x\nm\ny\nend\n".into()));
    assert_eq!(go(["-end\n+e", "-mid\n+m"]), Err("not-found"));
    assert_eq!(go(["-x\n+y", "-end\n+e"]), Err("ambiguous"));
}

#[test]
fn hunks_may_share_context_that_one_of_them_changes() {
    let file = "aa\nbb\ncc\ndd\n";
    let both = [" aa\n-bb\n+BB\n cc", " aa\n bb\n-cc\n+CC\n dd"];
    for order in [Order::File, Order::Any] {
        let hunks = both.map(|body| Hunk::Lines(hunk(body))).to_vec();
        let right = Ok("aa\nBB\nCC\ndd\n".into());
        assert_eq!(
            outcome(&tree(file), modify(hunks, order)),
            right,
            "{order:?}"
        );
    }
    let pairs = [("aa\nbb\n", "aa\nBB\n"), ("bb\ncc\n", "bb\nCC\n")];
    let hunks = pairs.map(|(old, new)| Hunk::Text(text(old, new))).to_vec();
    assert_eq!(
        outcome(&tree(file), modify(hunks, Order::Any)),
        Ok("aa\nBB\nCC\ndd\n".into())
    );
    // Changes in the wrong order, or of one line, stay refused.
    let go = |bodies: [&str; 2]| {
        let hunks = bodies.map(|body| Hunk::Lines(hunk(body))).to_vec();
        outcome(&tree(file), modify(hunks, Order::File))
    };
    assert_eq!(go([both[1], both[0]]), Err("not-found"));
    assert_eq!(go([both[0], both[0]]), Err("not-found"));
    assert_eq!(go([" aa\n+x", " aa\n+y\n bb"]), Err("overlap"));
}

#[test]
fn a_hunk_that_quotes_what_another_brings_is_told_so() {
    let file = "aa\nbb\ncc\ndd\n";
    let by = |hunks: Vec<Hunk>, order| {
        let refused = planned(&tree(file), vec![modify(hunks, order)], &Policy::BALANCED);
        match &refused.unwrap_err().refusals()[0].reason {
            Reason::NotFound { why, .. } => why.clone(),
            other => panic!("{other}"),
        }
    };
    let lines = [" aa\n-bb\n+BB\n cc", " BB\n-cc\n+CC"].map(|body| Hunk::Lines(hunk(body)));
    let chained = NotFound::Chained { by: 1 };
    assert_eq!(by(lines.to_vec(), Order::File), chained);
    let pairs = [("bb", "xx BB"), ("BB", "CC")].map(|(old, new)| Hunk::Text(text(old, new)));
    assert_eq!(by(pairs.to_vec(), Order::Any), chained);
    let strange = [" aa\n-bb\n+BB\n cc", " ZZ\n-cc\n+CC"].map(|body| Hunk::Lines(hunk(body)));
    assert_eq!(by(strange.to_vec(), Order::File), NotFound::Anchor);
}

#[test]
fn placeholders_are_filled_or_refused() {
    let file = "def plan(days):\n    steps = []\n    go(steps)\n    return steps\n";
    check_lines(
        file,
        "-def plan(days):\n+def plan(days, cap):\n     ...\n-    return steps\n+    return steps[:cap]",
        Ok("def plan(days, cap):\n    steps = []\n    go(steps)\n    return steps[:cap]\n"),
    );
    check_lines(
        file,
        "-    go(steps)\n+    # ... rest of the code ...",
        Err("unsupported"),
    );
    check_lines(
        "def f():\n    a\n\ndef g():\n    b\n",
        " def f():\n-    a\n+    A\n ...\n+    c",
        Err("unsupported"),
    );
    check_lines("x(\n...\ny\n", " ...\n-y\n+z", Ok("x(\n...\nz\n"));
}

#[test]
fn a_fallback_reading_counts_only_where_the_first_finds_no_place() {
    let reading = |old: &str, fallback| {
        let edits = vec![modify(vec![Hunk::Text(text(old, "new"))], Order::Any)];
        let assumption = old.into();
        Reading {
            patch: Patch { edits },
            assumption,
            fallback,
        }
    };
    let go = |file: &str| {
        let readings = vec![reading("first", false), reading("second", true)];
        let label = None;
        plan(
            &[Step { label, readings }],
            &tree(file),
            &IDS,
            &Policy::BALANCED,
        )
        .map(|plan| plan.recoveries()[0].message.clone())
        .map_err(|refused| refused.refusals()[0].reason.code())
    };
    assert_eq!(go("first second"), Ok("read so: first".into()));
    assert_eq!(go("second"), Ok("read so: second".into()));
    assert_eq!(go("first first second"), Err("ambiguous"));
}

#[test]
fn a_new_file_may_hold_an_ellipsis_and_no_word_of_code_left_out() {
    let create = |content: &str| {
        let change = Change::Create {
            content: content.into(),
            existing: Existing::Exists,
        };
        outcome(&Preimages::default(), edit(change))
    };
    assert_eq!(create("a\n...\n"), Ok("a\n...\n".into()));
    assert_eq!(create("a\n// ... existing code ...\n"), Err("unsupported"));
}

#[test]
fn whole_contents_need_a_base_or_git() {
    let write = || {
        edit(Change::Write {
            content: "new\n".into(),
        })
    };
    assert_eq!(outcome(&tree("old\n"), write()), Err("unanchored"));
    let based = Edit {
        base: Some(Base::Blob(id("old\n"))),
        ..write()
    };
    assert_eq!(outcome(&tree("old\n"), based.clone()), Ok("new\n".into()));
    assert_eq!(outcome(&tree("else\n"), based), Err("stale"));
    let delete = |shown: Option<&str>| {
        edit(Change::Delete {
            shown: shown.map(Into::into),
        })
    };
    assert_eq!(outcome(&tree("old\n"), delete(None)), Err("unanchored"));
    assert_eq!(
        outcome(&tree("old\n"), delete(Some("old\n"))),
        Ok("(gone)".into())
    );
    assert_eq!(
        outcome(&tree("old\n"), delete(Some("else\n"))),
        Err("stale")
    );
    let create = |existing| {
        edit(Change::Create {
            content: "new\n".into(),
            existing,
        })
    };
    assert_eq!(
        outcome(&tree("old\n"), create(Existing::Exists)),
        Err("exists")
    );
    assert_eq!(
        outcome(&tree("old\n"), create(Existing::Malformed)),
        Err("malformed")
    );
    assert_eq!(
        outcome(&Preimages::default(), create(Existing::Exists)),
        Ok("new\n".into())
    );
}

/// Lines of which some are equal, as in real files.
fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-d]{1,2}( [xy])?", 1..24)
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

proptest! {
    #[test]
    fn an_exact_edit_made_from_a_to_b_turns_a_into_b(a in lines(), b in lines()) {
        let (a, b) = (joined(&a), joined(&b));
        prop_assume!(a != b);
        let lines = LineHunk::from_pair(a.as_bytes(), b.as_bytes());
        let hunk = LineHunk { lines, ..LineHunk::default() };
        let edit = modify(vec![Hunk::Lines(hunk)], Order::Any);
        match outcome(&tree(&a), edit) {
            Ok(result) => prop_assert_eq!(result, b),
            // The whole file as anchor stands once; what can speak against it is the result, which
            // may hold the old text or be held by it.
            Err(code) => prop_assert!(["already-applied", "ambiguous"].contains(&code), "{}", code),
        }
    }

    #[test]
    fn a_batch_that_lands_gives_what_its_edits_give_one_after_the_other(
        a in prop::collection::vec("[a-e]{1,2}", 2..10),
        asked in prop::collection::vec(
            (0usize..10, 1usize..3, prop::collection::vec("[a-e]{1,2}", 0..3), 0u8..5),
            2..4,
        ),
    ) {
        let file = joined(&a);
        let hunks: Vec<Hunk> = asked
            .iter()
            .map(|(at, len, new, kind)| {
                let at = at % a.len();
                let old = joined(&a[at..(at + len).min(a.len())]);
                let new = joined(new);
                let count = if *kind == 0 { Count::All } else { Count::One };
                if *kind < 3 {
                    // Also inside of lines: the first byte is left out of both.
                    let cut = usize::from(*kind == 2 && !new.is_empty());
                    let (old, new) = (old.get(cut..).unwrap(), new.get(cut..).unwrap());
                    Hunk::Text(TextHunk { count, ..text(old, new) })
                } else {
                    let lines = LineHunk::from_pair(old.as_bytes(), new.as_bytes());
                    Hunk::Lines(LineHunk { lines, ..LineHunk::default() })
                }
            })
            .collect();
        let batch = outcome(&tree(&file), modify(hunks.clone(), Order::Any));
        let one_by_one = hunks.into_iter().try_fold(file.clone(), |now, hunk| {
            outcome(&tree(&now), modify(vec![hunk], Order::Any))
        });
        if let (Ok(batch), Ok(one_by_one)) = (batch, one_by_one) {
            prop_assert_eq!(batch, one_by_one);
        }
    }

    #[test]
    fn copying_the_match_makes_it_ambiguous(a in lines(), at in 0usize..24, len in 1usize..4) {
        let at = at % a.len();
        let end = (at + len).min(a.len());
        let quoted = joined(&a[at..end]);
        let copied = joined(&[&a[..], &["between it all".to_owned()], &a[at..end]].concat());
        let change = Hunk::Text(text(&quoted, "something new\n"));
        prop_assert_eq!(outcome(&tree(&copied), modify(vec![change], Order::Any)), Err("ambiguous"));
    }

    #[test]
    fn a_text_lands_where_it_stands_whatever_the_endings(
        lines in prop::collection::vec(("[a-c]{1,4}", prop::bool::ANY), 2..10),
        from in 0usize..40,
        len in 1usize..12,
    ) {
        // The truth is made without endings: the text is cut from the file as if all were LF.
        let plain: String = lines.iter().map(|(text, _)| format!("{text}\n")).collect();
        let ending = |crlf: bool| if crlf { "\r\n" } else { "\n" };
        let file: String =
            lines.iter().map(|(text, crlf)| format!("{text}{}", ending(*crlf))).collect();
        let from = from % plain.len();
        let old = plain.get(from..(from + len).min(plain.len())).unwrap();
        let change = Hunk::Text(text(old, "Z Z"));
        if let Ok(result) = outcome(&tree(&file), modify(vec![change], Order::Any)) {
            prop_assert_eq!(plain.matches(old).count(), 1);
            // A newline at the end of the old text may be kept where the file ends.
            let wanted = plain.replace(old, "Z Z");
            let result = result.replace("\r\n", "\n");
            prop_assert!(result == wanted || result == format!("{wanted}\n"), "{} {}", result, wanted);
        }
    }

    #[test]
    fn bytes_outside_of_the_changed_lines_survive(
        a in prop::collection::vec(("[a-d]{1,3}", prop::bool::ANY), 1..16),
        at in 0usize..16,
        last in prop::bool::ANY,
    ) {
        let ending = |crlf: &bool| if *crlf { "\r\n" } else { "\n" };
        let at = at % a.len();
        let line = |(text, crlf): &(String, bool)| format!("{text}{}", ending(crlf));
        let mut file: String = a.iter().map(line).collect();
        if last {
            file.truncate(file.trim_end().len());
        }
        let body = format!("-{}\n+new text", a[at].0);
        let edit = modify(vec![Hunk::Lines(hunk(&body))], Order::Any);
        if let Ok(result) = outcome(&tree(&file), edit) {
            let before: String = a[..at].iter().map(line).collect();
            let after = file.get(before.len() + a[at].0.len()..).unwrap();
            prop_assert_eq!(result, format!("{before}new text{after}"));
        }
    }
}

/// A file in any of the shapes that editors leave behind.
fn any_file() -> impl Strategy<Value = String> {
    let line = ("[a-d]{0,2}( [xy])?", prop::bool::weighted(0.2));
    let lines = prop::collection::vec(line, 1..10);
    let kinds = (0u8..3, prop::bool::ANY, prop::bool::weighted(0.2));
    (lines, kinds).prop_map(|(lines, (endings, finished, mark))| {
        let mut file = if mark {
            "\u{feff}".to_owned()
        } else {
            String::new()
        };
        for (text, crlf) in lines {
            let crlf = endings == 1 || (endings == 2 && crlf);
            file += &text;
            file += if crlf { "\r\n" } else { "\n" };
        }
        if !finished {
            file.truncate(file.trim_end_matches(['\r', '\n']).len());
        }
        file
    })
}

/// An edit of lines `at..at + len` of `file`, as an author writes it who sees no endings.
fn any_edit_of(file: &str, (at, len, comes, kind): &(usize, usize, Vec<String>, u8)) -> Edit {
    let plain = file.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let all: Vec<&str> = plain.lines().collect();
    let at = at % (all.len() + 1);
    let end = (at + len).min(all.len());
    let old = &all[at..end];
    match kind {
        0 => {
            let mut body: Vec<String> = Vec::new();
            let from = at.saturating_sub(2);
            body.extend(all[from..at].iter().map(|line| format!(" {line}")));
            body.extend(old.iter().map(|line| format!("-{line}")));
            body.extend(comes.iter().map(|line| format!("+{line}")));
            body.extend(all[end..].iter().take(2).map(|line| format!(" {line}")));
            let hunk = LineHunk {
                old_start: Some(LineNo(from)),
                new_start: Some(LineNo(from)),
                ..hunk(&body.join("\n"))
            };
            modify(vec![Hunk::Lines(hunk)], Order::File)
        }
        1 => {
            let (old, new) = (old.join("\n"), comes.join("\n"));
            modify(
                vec![Hunk::Text(text(&(old + "\n"), &(new + "\n")))],
                Order::Any,
            )
        }
        2 => {
            let (old, new) = (old.join("\n"), comes.join("\n"));
            modify(
                vec![Hunk::Text(text(
                    if old.is_empty() { "a" } else { &old },
                    &new,
                ))],
                Order::Any,
            )
        }
        3 => {
            let (old, new) = (
                joined_lines(old),
                comes
                    .iter()
                    .map(|line| format!("{line}\n"))
                    .collect::<String>(),
            );
            let lines = LineHunk::from_pair(old.as_bytes(), new.as_bytes());
            modify(
                vec![Hunk::Lines(LineHunk {
                    lines,
                    ..LineHunk::default()
                })],
                Order::Any,
            )
        }
        _ => {
            let expect = Some(Expect::Text(old.join("\n").into()));
            let new = comes
                .iter()
                .map(|line| format!("{line}\n"))
                .collect::<String>()
                .into();
            let hunk = RangeHunk {
                lines: LineRange::new(at, end),
                new,
                expect,
                span: Span::default(),
            };
            modify(vec![Hunk::Range(hunk)], Order::Any)
        }
    }
}

fn joined_lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]
    #[test]
    fn what_an_edit_has_made_its_reverse_undoes(
        a in any_file(),
        how in (0usize..10, 0usize..3, prop::collection::vec("[a-d]{0,2}( z)?", 0..3), 0u8..5),
    ) {
        let edit = any_edit_of(&a, &how);
        let patch = Patch { edits: vec![edit.clone()] };
        let Ok(b) = outcome(&tree(&a), edit) else { return Ok(()) };
        let Ok(back) = crate::patch::reverse(&patch) else { return Ok(()) };
        let plain = |text: &str| text.replace("\r\n", "\n").replace('\u{feff}', "");
        // No file ends in a blank line that has no newline: there the last line gets one, and what
        // was before cannot be known. A text without lines says itself how it ends.
        let ends_blank = ["", "\n"].contains(&plain(&b).as_str()) || plain(&b).ends_with("\n\n");
        if a.ends_with('\n') != b.ends_with('\n') {
            prop_assert!(ends_blank || how.3 == 2, "{:?} made {:?}", patch, b);
            return Ok(());
        }
        if let Ok(result) = outcome(&tree(&b), back.edits[0].clone()) {
            prop_assert_eq!(plain(&result), plain(&a), "{:?} made {:?}", patch, b);
        }
    }
}
