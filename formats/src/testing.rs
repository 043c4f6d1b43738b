//! What the tests of several formats share: a short way to write a patch down, patches without
//! their places, and patches made up.

use std::fmt::Write as _;

use bstr::BString;
use proptest::prelude::*;
use surefoot_engine::blob::IdPrefix;
use surefoot_engine::lines::{LineNo, LineRange};
use surefoot_engine::patch::*;
use surefoot_engine::path::{PathSpec, RelativeTo};

use crate::{ParseError, ParseOptions};

/// Writes the readings of `parsed` down, or the error's message. Paths that count from the caller
/// begin with `~/`.
pub(crate) fn spelled(parsed: &Result<Parsed, ParseError>) -> String {
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return format!("{:?}: {error}", error.kind),
    };
    let readings = parsed.steps.iter().flat_map(|step| &step.readings);
    readings
        .map(|reading| spelled_patch(&reading.patch))
        .collect::<Vec<_>>()
        .join("--\n")
}

fn spelled_path(path: &PathSpec) -> String {
    let home = if path.relative_to == RelativeTo::Caller {
        "~/"
    } else {
        ""
    };
    format!("{home}{}", path.text)
}

fn spelled_patch(patch: &Patch) -> String {
    let mut out = String::new();
    for edit in &patch.edits {
        out += &spelled_path(&edit.path);
        if let Destination::Rename(to) = &edit.destination {
            write!(out, " => {}", spelled_path(to)).unwrap();
        }
        match &edit.base {
            None => {}
            Some(Base::Blob(blob)) => write!(out, " base {blob}").unwrap(),
            Some(Base::Receipt { blob, shown }) => {
                write!(out, " receipt {blob} {}", shown.unwrap()).unwrap();
            }
        }
        out.push('\n');
        match &edit.change {
            Change::Modify { hunks, .. } => {
                hunks.iter().for_each(|hunk| spelled_hunk(hunk, &mut out));
            }
            Change::Create { content, existing } => {
                writeln!(out, "create {existing:?} {content:?}").unwrap();
            }
            Change::Write { content } => writeln!(out, "write {content:?}").unwrap(),
            Change::Delete { .. } => out += "delete\n",
            Change::Keep => out += "keep\n",
            Change::Binary { .. } => out += "binary\n",
        }
    }
    out
}

fn spelled_hunk(hunk: &Hunk, out: &mut String) {
    match hunk {
        Hunk::Text(hunk) => {
            writeln!(out, "{:?} -> {:?} {:?}", hunk.old, hunk.new, hunk.count).unwrap();
        }
        Hunk::Range(hunk) => {
            write!(out, "{}: {:?}", hunk.lines, hunk.new).unwrap();
            match &hunk.expect {
                None => {}
                Some(Expect::Text(text)) => write!(out, " expect {text:?}").unwrap(),
                Some(Expect::Digest(bytes)) => {
                    write!(out, " digest {:02x}{:02x}", bytes[0], bytes[31]).unwrap();
                }
            }
            out.push('\n');
        }
        Hunk::Lines(hunk) => {
            out.push('@');
            if let Some(start) = hunk.old_start {
                write!(out, "{start}").unwrap();
            }
            for scope in &hunk.scopes {
                write!(out, " [{scope}]").unwrap();
            }
            if let Some(heading) = &hunk.heading {
                write!(out, " ({heading})").unwrap();
            }
            *out += if hunk.at_end { " end\n" } else { "\n" };
            for line in &hunk.lines {
                let (sign, text) = match line {
                    Line::Context(text) => (' ', text),
                    Line::Delete(text) => ('-', text),
                    Line::Insert(text) => ('+', text),
                };
                write!(out, "{sign}{text}").unwrap();
            }
        }
    }
}

/// Asserts what `input` is read as.
#[track_caller]
pub(crate) fn check_format(format: Option<&str>, path: Option<&str>, input: &str, expected: &str) {
    let options = ParseOptions {
        path: path.map(Into::into),
        ..ParseOptions::default()
    };
    let parsed = crate::parse(input.into(), format, &options);
    assert_eq!(spelled(&parsed), expected, "reading\n{input}");
}

/// Returns the patch of the first reading, without any place in the input.
pub(crate) fn first_without_places(parsed: &Parsed) -> Patch {
    let mut patch = parsed.steps[0].readings[0].patch.clone();
    for edit in &mut patch.edits {
        edit.span = Span::default();
        let Change::Modify { hunks, .. } = &mut edit.change else {
            continue;
        };
        for hunk in hunks {
            match hunk {
                Hunk::Lines(hunk) => hunk.span = Span::default(),
                Hunk::Text(hunk) => hunk.span = Span::default(),
                Hunk::Range(hunk) => hunk.span = Span::default(),
            }
        }
    }
    patch
}

/// Makes up texts out of the pieces that formats are made of.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "------- SEARCH\n",
        "+++++++ REPLACE\n",
        "<<<<<<< SEARCH",
        ">>>>>>> REPLACE",
        ":start_line:3\n",
        "-------\n",
        "```python\n",
        "```\n",
        "````",
        "a.py\n",
        "`src/b.rs`\n",
        "some prose about a.py\n",
        "*** Begin Patch\n",
        "*** End Patch\n",
        "*** Update File: a.py\n",
        "*** Add File: b.py\n",
        "*** Delete File: c.py\n",
        "*** Move to: d.py\n",
        "*** End of File\n",
        "@@\n",
        "@@ class A\n",
        "@@ -1,2 +1,2 @@ f\n",
        " x\n",
        "-x\n",
        "+y\n",
        "+",
        "-",
        " ",
        "\n",
        "\r\n",
        "{",
        "}",
        "[",
        "]",
        "\"path\":",
        "\"a.py\"",
        "\"old\":",
        "\"new\":",
        "\"x\"",
        ",",
        ":",
        "\"lines\":[1,2]",
        "{\"path\":\"a\",\"old\":\"b\",\"new\":\"c\"}",
        "\"\\u12",
        "\\n",
        "\\",
        "null",
        "12",
        "apply_patch <<'EOF'\n",
        "bash -lc \"cd x && apply_patch <<EOF\n",
        "EOF\n",
        "edit 1:2\n",
        "end_of_edit\n",
        "--- a/x\n",
        "+++ b/x\n",
        "diff --git a/x b/x\n",
        "1 | a\n",
        "  2\tb\n",
        "<path>",
        "</path>",
        "é",
        "\t",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c ]{0,6}",
        1 => prop::sample::select(vec![
            "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "-------", "*** End Patch", "@@", "```", "1 | x",
            ":start_line:4", "\\=======", "<<<<<<< HEAD", "{", "a.py", "\\n",
        ]).prop_map(String::from),
    ]
}

/// Makes up whole lines.
pub(crate) fn any_lines() -> impl Strategy<Value = BString> {
    prop::collection::vec(any_line(), 0..6).prop_map(|lines| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
            .into()
    })
}

fn any_path() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a.py",
        "src/b.rs",
        "Makefile",
        "odd name",
        "docs/my notes.md",
        "x",
    ])
    .prop_map(String::from)
}

fn any_hunk() -> impl Strategy<Value = Hunk> {
    let starts = prop::option::of(0_usize..9);
    let lines = (any_lines(), any_lines(), starts).prop_map(|(old, new, start)| {
        Hunk::Lines(LineHunk {
            old_start: start.map(LineNo),
            lines: LineHunk::from_pair(&old, &new),
            ..LineHunk::default()
        })
    });
    let scoped = (any_lines(), any_lines(), any_line(), any::<bool>()).prop_map(
        |(old, new, scope, at_end)| {
            let lines = LineHunk::from_pair(&old, &new);
            Hunk::Lines(LineHunk {
                scopes: vec![scope.into()],
                at_end,
                lines,
                ..LineHunk::default()
            })
        },
    );
    let counts = prop_oneof![
        Just(Count::One),
        Just(Count::All),
        (2_u64..9).prop_map(Count::Exactly)
    ];
    let text =
        ("[a-c\\n\"\\\\é]{1,8}", "[a-c\\n\"\\\\é]{0,8}", counts).prop_map(|(old, new, count)| {
            Hunk::Text(TextHunk {
                old: old.into(),
                new: new.into(),
                count,
                span: Span::default(),
            })
        });
    let expects = prop_oneof![
        Just(None),
        any_lines().prop_map(|text| Some(Expect::Text(text))),
        any::<[u8; 32]>().prop_map(|bytes| Some(Expect::Digest(bytes))),
    ];
    let range =
        (0_usize..9, 0_usize..4, any_lines(), expects).prop_map(|(start, len, new, expect)| {
            let lines = LineRange::new(start, start + len);
            Hunk::Range(RangeHunk {
                lines,
                new,
                expect,
                span: Span::default(),
            })
        });
    prop_oneof![lines, scoped, text, range]
}

fn any_change() -> impl Strategy<Value = Change> {
    let orders = prop_oneof![Just(Order::File), Just(Order::Any)];
    let whens = prop_oneof![Just(Existing::Exists), Just(Existing::Malformed)];
    prop_oneof![
        6 => (prop::collection::vec(any_hunk(), 1..3), orders)
            .prop_map(|(hunks, order)| Change::Modify { hunks, order }),
        1 => (any_lines(), whens).prop_map(|(content, existing)| Change::Create { content, existing }),
        1 => any_lines().prop_map(|content| Change::Write { content }),
        1 => Just(Change::Delete { shown: None }),
        1 => Just(Change::Keep),
    ]
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let bases = prop::option::of("[0-9a-f]{40}").prop_map(|hex| {
        hex.and_then(|hex| IdPrefix::new(hex.as_bytes()))
            .map(Base::Blob)
    });
    let moves = prop::option::weighted(0.1, any_path());
    (any_path(), any_change(), bases, moves, any::<bool>()).prop_map(
        |(path, change, base, to, root)| {
            let spec = |text: String| {
                if root {
                    PathSpec::from_root(text)
                } else {
                    PathSpec::from_caller(text)
                }
            };
            let destination = to.map_or(Destination::Same, |to| Destination::Rename(spec(to)));
            let base = base.filter(|_| !root);
            Edit {
                destination,
                base,
                ..Edit::new(spec(path), change, Span::default())
            }
        },
    )
}

/// Makes up patches, of which a format can say some.
pub(crate) fn any_patch() -> impl Strategy<Value = Patch> {
    prop::collection::vec(any_edit(), 1..4).prop_map(|edits| Patch {
        edits: merged(edits),
    })
}

/// Joins neighbours that a parser would take for one edit.
fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    for edit in edits {
        match (out.last_mut(), &edit.change) {
            (
                Some(Edit {
                    path,
                    base,
                    destination: Destination::Same,
                    change: Change::Modify { hunks, .. },
                    ..
                }),
                Change::Modify { hunks: more, .. },
            ) if *path == edit.path
                && *base == edit.base
                && edit.destination == Destination::Same =>
            {
                hunks.extend(more.iter().cloned());
            }
            _ => out.push(edit),
        }
    }
    out
}
