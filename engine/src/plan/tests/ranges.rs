//! Lines by their numbers, on a file that is not what the author saw.

use super::*;

/// Plans that line `line`, said to be `expect`, becomes `x`; `base` is what the author saw, and
/// `known` whether that is to be had.
fn go(
    file: &str,
    (line, expect): (usize, &str),
    (base, known): (&str, bool),
) -> Result<String, &'static str> {
    let count = lines_in(expect);
    let hunk = range(line, line + count - 1, "x\n", Some(expect));
    let edit = Edit {
        base: Some(Base::Blob(id(base))),
        ..modify(vec![Hunk::Range(hunk)], Order::Any)
    };
    let mut preimages = tree(file);
    if known {
        let id = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
        preimages.insert_blob(id, base.into());
    }
    outcome(&preimages, edit)
}

fn lines_in(text: &str) -> usize {
    text.lines().count()
}

#[test]
fn a_base_that_is_another_file_leaves_numbers_to_more_than_one_line() {
    let file = "a\nb\nc\nd\n";
    assert_eq!(go(file, (2, "b\n"), ("else\n", false)), Err("stale"));
    assert_eq!(
        go(file, (2, "b\nc\n"), ("else\n", false)),
        Ok("a\nx\nd\n".into())
    );
    assert_eq!(
        go("a\n}\n{\nd\n", (2, "}\n{\n"), ("else\n", false)),
        Err("stale")
    );
}

#[test]
fn a_base_that_is_to_be_had_must_carry_the_numbered_lines() {
    // Below the line nothing matters.
    let base = "a\nb\nc\nd\n";
    assert_eq!(
        go("a\nb\nc\nz\n", (2, "b\n"), (base, true)),
        Ok("a\nx\nc\nz\n".into())
    );
    // The line that was meant is gone, and its copy from elsewhere has come to stand there.
    let base = "fn f() {\n    go(1);\n}\nfn g() {\n    halt();\n}\n";
    let decoy = "fn g() {\n    go(1);\n}\nfn f() {\n    halt();\n}\n";
    assert_eq!(go(decoy, (2, "    go(1);\n"), (base, true)), Err("stale"));
    // What the base does not have at these lines, its author has not seen there.
    assert_eq!(
        go("a\nb\nc\n", (2, "b\n"), ("b\na\nc\n", true)),
        Err("stale")
    );
}

#[test]
fn an_older_state_with_the_numbered_lines_must_carry_them() {
    let go = |now: &str, then: &str| {
        let hunk = range(2, 2, "x\n", Some("b\n"));
        outcome(
            &with_witness(now, Some(then)),
            modify(vec![Hunk::Range(hunk)], Order::Any),
        )
    };
    assert_eq!(
        go("a\nb\nc\nnew\n", "a\nb\nc\n"),
        Ok("a\nx\nc\nnew\n".into())
    );
    // The state is older than what the author saw: it says nothing of the numbers.
    assert_eq!(go("a\nb\nc\n", "b\na\nc\n"), Ok("a\nx\nc\n".into()));
    // The line was removed with others, and so its copy has come to stand in its place.
    assert_eq!(go("q\nb\nz\n", "a\nb\nc\nd\nq\nb\nz\n"), Err("stale"));
}

#[test]
fn each_edit_of_a_batch_is_held_to_the_base_that_it_names() {
    let file = "one\ntwo\nfour\nfive\nsix\n";
    let first = "one\ntwo\nfour\nfive\nend\n";
    let edit = |base: &str, body: &str, start: usize| {
        let lines = LineHunk {
            old_start: Some(LineNo(start)),
            ..hunk(body)
        };
        Edit {
            base: Some(Base::Blob(id(base))),
            ..modify(vec![Hunk::Lines(lines)], Order::File)
        }
    };
    let go = |second: &str| {
        let mut preimages = tree(file);
        for base in [first, second] {
            let id = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
            preimages.insert_blob(id, base.into());
        }
        let edits = vec![
            edit(first, " one\n-two\n+2", 0),
            edit(second, " four\n-five\n+5", 2),
        ];
        let planned = planned(&preimages, edits, &Policy::BALANCED);
        planned.map(|_| ()).map_err(|refused| {
            let first = &refused.refusals()[0];
            (first.hunk, first.reason.code())
        })
    };
    assert_eq!(go(first), Ok(()));
    assert_eq!(go("top\ntwo\nfour\nfive\nsix\n"), Ok(()));
    // The first one's base would carry these lines; their own has them in no such place.
    assert_eq!(go("five\nfour\n"), Err((Some(2), "stale")));
}
