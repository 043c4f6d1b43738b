//! Edits of a base that the file no longer is: what the lines of both prove, and where they prove
//! nothing. Each refusal is a wrong landing that one rule less would allow.

use super::*;

/// Plans the lines `body`, in a diff's notation, from line `start` of `base` on, counted from 1, on
/// `file`.
fn go(base: &str, file: &str, start: usize, body: &str) -> Result<String, &'static str> {
    hunks(base, file, &[(start, body)])
}

fn hunks(base: &str, file: &str, bodies: &[(usize, &str)]) -> Result<String, &'static str> {
    let hunks = bodies.iter().map(|(start, body)| {
        Hunk::Lines(LineHunk {
            old_start: Some(LineNo(start - 1)),
            ..hunk(body)
        })
    });
    let edit = Edit {
        base: Some(Base::Blob(id(base))),
        ..modify(hunks.collect(), Order::File)
    };
    let mut preimages = tree(file);
    let id = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
    preimages.insert_blob(id, base.into());
    outcome(&preimages, edit)
}

/// Makes `depth: text` lines of a text in which each leading `.` is a level of four spaces.
fn code(text: &str) -> String {
    let line = |line: &str| {
        let rest = line.trim_start_matches('.');
        format!("{}{rest}\n", "    ".repeat(line.len() - rest.len()))
    };
    text.split(' ')
        .map(|word| line(&word.replace('_', " ")))
        .collect()
}

const F: &str = "def_f(): .a1 .total .a2 def_end(): .z";

#[test]
fn a_line_lands_where_its_neighbours_and_headers_prove_it() {
    let base = code(F);
    let modify = "-    total\n+    total = 1";
    let landed = |file: &str| go(&base, &code(file), 3, modify);
    let made = |file: &str| {
        let one = file.replace("total .a2", "total_=_1 .a2");
        Ok(code(&one.replace("total ..a2", "total_=_1 ..a2")))
    };
    for file in [
        "import_x def_f(): .a1 .total .a2 def_end(): .z",
        "def_f(): .new .a1 .total .a2 def_end(): .z",
        "def_f(): .a1 .#_why .total .a2 def_end(): .z",
        "def_other(): .total def_f(): .a1 .total .a2 def_end(): .z",
        "def_end(): .z def_f(): .a1 .total .a2",
        "if_x: .def_f(): ..a1 ..total ..a2 def_end(): .z",
    ] {
        assert_eq!(landed(file), made(file), "{file}");
    }
    // A parameter more is the same function, as long as no other has its name.
    let file = "def_f(x): .a1 .total .a2 def_end(): .z";
    assert_eq!(landed(file), made(file));
    assert_eq!(landed(&format!("{file} def_f(y): .q")), Err("stale"));
}

#[test]
fn what_is_gone_or_changed_has_no_place() {
    let base = code(F);
    for (file, code_of) in [
        ("def_f(): .a1 .a2 def_end(): .z", "stale"),
        ("def_f(): .a1 .total_+_1 .a2 def_end(): .z", "conflict"),
        ("def_end(): .z", "stale"),
        ("def_other(): .total def_end(): .z", "stale"),
    ] {
        let modify = go(&base, &code(file), 3, "-    total\n+    total = 1");
        assert_eq!(modify, Err(code_of), "{file}");
    }
}

/// A line that occurs once in each text proves nothing by itself: others write the same words.
#[test]
fn a_coincidence_under_another_header_is_no_place() {
    let file = code("def_g(): .b1 .total .b2 def_end(): .z");
    let modify = "-    total\n+    total = 1";
    assert_eq!(go(&code(F), &file, 3, modify), Err("stale"));
    let file = code("def_f_new(): .a1 .total .a2_changed def_end(): .z");
    assert_eq!(go(&code(F), &file, 3, modify), Err("stale"));
}

/// The name of a method stays where the class around it is another.
#[test]
fn outer_headers_count_too() {
    let base = code("class_A: .def_run(): ..a1 ..a2 ..a3");
    let file = code("class_A2: .def_run(): ..a1 ..a2 ..x3");
    let modify = "-        a2\n+        b";
    assert_eq!(go(&base, &file, 4, modify), Err("stale"));
    let file = code("class_B: .def_run(): ..q class_A: .def_run(): ..a1 ..a2 ..x3");
    let made = file.replace("        a2\n", "        b\n");
    assert_eq!(go(&base, &file, 4, modify), Ok(made));
}

/// Copied, and then the original is changed: the copy keeps the neighbours that the author saw.
#[test]
fn a_pristine_copy_is_not_the_changed_original() {
    let base = code("def_f(): .a1 .a2 .a3 def_end(): .z");
    let file = code("def_f(): .a1_x .a2 .a3_x def_g(): .a1 .a2 .a3 def_end(): .z");
    let modify = go(&base, &file, 3, "-    a2\n+    b");
    // Between lines that only one of the texts has, the line under the old header is the old one.
    let made = file.replacen("    a2\n", "    b\n", 1);
    assert!(modify == Err("stale") || modify == Ok(made), "{modify:?}");
    let file = code("def_f(): .q1 .q2 .q3 def_g(): .a1 .a2 .a3 def_end(): .z");
    assert_eq!(go(&base, &file, 3, "-    a2\n+    b"), Err("stale"));
}

#[test]
fn of_two_equal_functions_neither_is_the_one() {
    let twice = "def_f(): .a1 .total .a2 def_f(): .a1 .total .a2 def_end(): .z";
    let modify = "-    total\n+    total = 1";
    assert_eq!(go(&code(F), &code(twice), 3, modify), Err("stale"));
}

/// The same header twice, told apart by the line above it alone.
#[test]
fn a_header_that_stands_twice_proves_nothing() {
    let base = code("#[cfg(unix)] fn_imp(): .a .x .b #[cfg(windows)] fn_imp(): .c .d");
    let file = code("#[cfg(windows)] fn_imp(): .c .x .d");
    assert_eq!(go(&base, &file, 4, "-    x\n+    y"), Err("stale"));
}

/// White space inside of a line is content.
#[test]
fn a_line_that_another_has_changed_is_not_overwritten() {
    let base = "f:\n    p\n    say(\"a b\")\n    q\n";
    let file = "f:\n    p\n    say(\"ab\")\n    q\n";
    let modify = "-    say(\"a b\")\n+    say(\"c\")";
    assert_eq!(go(base, file, 3, modify), Err("conflict"));
    let (base, file) = ("x\t1\n11\t24\ny\t2\n", "x\t1\n1\t124\ny\t2\n");
    assert_eq!(go(base, file, 2, "-11\t24\n+11\t25"), Err("stale"));
}

#[test]
fn what_is_made_in_part_or_whole_is_not_made_again() {
    let base = code("def_f(): .a1 .a2 .a3 def_end(): .z");
    let twice = "-    a2\n+    probe\n+    a2(1)";
    let file = code("def_f(): .a1 .probe .a2 .a3 def_end(): .z");
    assert_eq!(go(&base, &file, 3, twice), Err("stale"));
    let file = code("top def_f(): .a1 .probe .a2(1) .a3 def_end(): .z");
    assert_eq!(go(&base, &file, 3, twice), Err("already-applied"));
    let insert = "     a2\n+    probe\n     a3";
    let file = code("top def_f(): .a1 .a2 .probe .a3 def_end(): .z");
    assert_eq!(go(&base, &file, 3, insert), Err("already-applied"));
}

/// Lines that are passed over must be nowhere in the other text: else they hide a shift.
#[test]
fn an_arm_does_not_become_the_next_one() {
    let base = code("def_f(): .switch: ..case_A: ...go ..case_B: ...go ..end def_z(): .z");
    let file = code("def_f(): .switch: ..case_B: ...go ..case_Z: ...go ..end def_z(): .z");
    let modify = "-            go\n+            went";
    assert_eq!(go(&base, &file, 4, modify), Err("stale"));
}

#[test]
fn hunks_whose_blocks_have_changed_places_land_in_theirs() {
    let base = code("def_f(): .a1 .a2 .a3 def_g(): .b1 .b2 .b3");
    let file = code("def_g(): .b1 .b2 .b3 def_f(): .a1 .a2 .a3");
    let both = [(3, "-    a2\n+    a"), (7, "-    b2\n+    b")];
    let made = file
        .replace("    a2\n", "    a\n")
        .replace("    b2\n", "    b\n");
    assert_eq!(hunks(&base, &file, &both), Ok(made));
}

/// A depth that the file shows is taken from it; one that it does not show is not made up.
#[test]
fn new_lines_stand_as_deep_as_those_around_them() {
    let base = "def f:\n  a1\n  if x:\n    a2\n  a3\n";
    let wide = "def f:\n    a1\n    if x:\n        a2\n    a3\n";
    let insert = "     a2\n+    new\n   a3";
    let made = wide.replace("        a2\n", "        a2\n        new\n");
    assert_eq!(go(base, wide, 4, insert), Ok(made));
    let deeper = "     a2\n+    for y:\n+      new\n   a3";
    assert_eq!(go(base, wide, 4, deeper), Err("stale"));
    // One step for all, which two depths show: then a third has made it too.
    let nested = "if q:\n    def f:\n      a1\n      if x:\n        a2\n      a3\n";
    let made = nested.replace(
        "        a2\n",
        "        a2\n        for y:\n          new\n",
    );
    assert_eq!(go(base, nested, 4, deeper), Ok(made));
    let tabs = "def f:\n\ta1\n\tif x:\n\t\ta2\n\ta3\n";
    let made = tabs.replace("\t\ta2\n", "\t\ta2\n\t\tnew\n");
    assert_eq!(go(base, tabs, 4, insert), Ok(made));
}

#[test]
fn a_new_line_ends_as_those_around_it() {
    let base = "def f:\n  a1\n  a2\ndef g:\n  b1\n  b2\n";
    let file = "def f:\r\n  a1\r\n  a2\r\ndef g:\n  b1\n  b2\n";
    let both = [(2, "   a1\n+  x\n   a2"), (5, "   b1\n+  y\n   b2")];
    let made = "def f:\r\n  a1\r\n  x\r\n  a2\r\ndef g:\n  b1\n  y\n  b2\n";
    assert_eq!(hunks(base, file, &both), Ok(made.to_owned()));
}

/// Whoever removes one of two equal lines does not say which; if one has moved, it matters.
#[test]
fn of_equal_neighbours_all_must_be_there() {
    let base = "def f:\n  a\n  x\n  x\n  b\n";
    let remove = "   a\n   x\n-  x\n   b";
    let same = "top\ndef f:\n  a\n  x\n  x\n  b\n";
    let made = "top\ndef f:\n  a\n  x\n  b\n";
    assert_eq!(go(base, same, 2, remove), Ok(made.to_owned()));
    let moved = "def f:\n  a\n  x\n  b\n  x\n";
    assert_eq!(go(base, moved, 2, remove), Err("conflict"));
}

/// Of a pristine copy and a changed original that one name encloses, neither is proven: had the copy
/// been changed instead, the bytes would be the same.
#[test]
fn a_copy_left_as_it_was_is_not_taken_for_the_changed_original() {
    let base = "# one\n# two\n# three\n# four\n# five\n\nend\n";
    let file = "# one\n# two\n# three, but\n# four\n\n# two\n# three\n# four\n# five\n\nend\n";
    let remove = " # two\n-# three\n # four";
    assert_eq!(go(base, file, 2, remove), Err("stale"));
    let base = code("class_A: .def_f(x): ..if_a: ...go(a) ..if_b: ...go(b) .def_z(): ..z");
    let file = code(
        "class_A: .def_f(x,_y): ..if_a: ...go(a) ..if_b: ...go(b) .def_z(): ..z \
         .def_f(x): ..if_a: ...go(a) ..if_b: ...go(b)",
    );
    let remove = "-    def f(x):\n-        if a:\n             go(a)";
    assert_eq!(go(&base, &file, 2, remove), Err("stale"));
    // Under a name of its own a copy is no rival.
    let copied = code(
        "class_A: .def_f_copy(x): ..if_a: ...go(a) ..if_b: ...go(b) \
         .def_f(x): ..if_a: ...go(a) ..if_b: ...go(b) .def_z(): ..z",
    );
    let modify = "-            go(a)\n+            went(a)";
    let at = copied.rfind("            go(a)\n").unwrap();
    let mut made = copied.clone();
    made.replace_range(at..at + 18, "            went(a)\n");
    assert_eq!(go(&base, &copied, 4, modify), Ok(made));
}

/// Where nothing encloses a line, its neighbours and its order must speak for it.
#[test]
fn rows_without_headers_need_a_neighbour_and_their_order() {
    let base = "one,1\ntwo,2\nthree,3\nfour,4\n";
    let modify = "-two,2\n+two,3";
    let made = |file: &str| Ok(file.replace("two,2", "two,3"));
    for file in [
        "zero,0\none,1\ntwo,2\nthree,3\nfour,4\n",
        "one,1\ntwo,2\nfour,4\n",
    ] {
        assert_eq!(go(base, file, 2, modify), made(file), "{file}");
    }
    assert_eq!(
        go(base, "one,1\nx\ntwo,2\ny\nthree,3\n", 2, modify),
        Err("stale")
    );
    assert_eq!(
        go(base, "one,1\nthree,3\nfour,4\ntwo,2\n", 2, modify),
        Err("stale")
    );
}

/// What comes to the end of a text belongs to its end.
#[test]
fn an_insertion_at_an_end_needs_the_end() {
    let base = "a\nb\n";
    let append = " b\n+c";
    assert_eq!(
        go(base, "x\na\nb\n", 2, append),
        Ok("x\na\nb\nc\n".to_owned())
    );
    assert_eq!(go(base, "a\nb\nx\n", 2, append), Err("stale"));
    let prepend = "+c\n a";
    assert_eq!(
        go(base, "a\nb\nx\n", 1, prepend),
        Ok("c\na\nb\nx\n".to_owned())
    );
    assert_eq!(go(base, "x\na\nb\n", 1, prepend), Err("stale"));
}

#[test]
fn a_report_says_that_a_base_carried_it() {
    let (base, file) = ("a\nb\nc\n", "x\na\nb\nc\n");
    let lines = LineHunk {
        old_start: Some(LineNo(1)),
        ..hunk("-b\n+B")
    };
    let edit = Edit {
        base: Some(Base::Blob(id(base))),
        ..modify(vec![Hunk::Lines(lines)], Order::File)
    };
    let mut preimages = tree(file);
    let blob = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
    preimages.insert_blob(blob, base.into());
    let plan = planned(&preimages, vec![edit], &Policy::STRICT).unwrap();
    let placed = &plan.files()[0].hunks[0];
    assert_eq!(
        (placed.tier, placed.evidence),
        (Tier::Mapped, Evidence::Base)
    );
    assert_eq!((placed.lines.start, placed.offset), (LineNo(2), Some(1)));
}

/// Plans the edit of the whole of `base` to `target` on `file`.
fn whole(base: &str, file: &str, target: &str) -> Result<String, &'static str> {
    let lines = LineHunk {
        lines: LineHunk::from_pair(base.as_bytes(), target.as_bytes()),
        old_start: Some(LineNo(0)),
        ..LineHunk::default()
    };
    let edit = Edit {
        base: Some(Base::Blob(id(base))),
        ..modify(vec![Hunk::Lines(lines)], Order::File)
    };
    let mut preimages = tree(file);
    let blob = BlobId::of(gix_hash::Kind::Sha1, base.as_bytes()).unwrap();
    preimages.insert_blob(blob, base.into());
    outcome(&preimages, edit)
}

#[test]
fn an_edit_of_endings_is_for_the_base_alone() {
    let (base, file) = ("a\r\nb\nc\n", "x\na\r\nb\nc\n");
    for target in ["a\nb\nc\n", "a\nB\nc\n", "a\r\nb\nc", "\u{feff}a\r\nb\nc\n"] {
        assert_eq!(whole(base, file, target), Err("stale"), "{target:?}");
        assert_eq!(whole(base, base, target), Ok(target.to_owned()));
    }
    let marked = "\u{feff}a\nb\n";
    assert_eq!(whole(marked, "\u{feff}x\na\nb\n", "a\nb\n"), Err("stale"));
}

/// Lines of a few words at a few depths, with either end; the last one may lack its.
fn text_of_lines() -> impl Strategy<Value = String> {
    let line = (
        "(  ){0,2}",
        "[a-f]{0,2}",
        prop_oneof![9 => Just("\n"), 1 => Just("\r\n")],
    );
    let lines = prop::collection::vec(line, 1..12);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, unfinished, mark)| {
        let lines = lines
            .into_iter()
            .map(|(depth, word, end)| depth + &word + end);
        let mut text: String = lines.collect();
        if unfinished {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        // One text in four begins with a mark, or an edit comes to bring one.
        if mark && text.len().is_multiple_of(2) {
            text.insert(0, '\u{feff}');
        }
        text
    })
}

proptest! {
    /// A line has come above, and nothing else: then what lands is the edit whole, every byte of it.
    #[test]
    fn what_is_carried_is_carried_whole(base in text_of_lines(), target in text_of_lines()) {
        let top = "import something\n";
        let mark = |text: &str| text.starts_with('\u{feff}');
        let bare = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
        let under = |text: &str| {
            let mark = if mark(text) { "\u{feff}" } else { "" };
            format!("{mark}{top}{}", bare(text))
        };
        // That its last line has no newline is the file's to keep, whichever line that is then.
        let right = match bare(&target).is_empty() && !base.ends_with('\n') {
            true => under(&target).trim_end().to_owned(),
            false => under(&target),
        };
        if let Ok(landed) = whole(&base, &under(&base), &target) {
            prop_assert_eq!(landed, right);
        }
    }
}
