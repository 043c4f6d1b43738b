//! From bytes to a plan, in every format: the edit is made from `a` to `b` and must turn `a` into
//! `b`, or be refused.

use bstr::{BString, ByteSlice as _};
use proptest::prelude::*;
use surefoot_engine::blob::{BlobId, BlobIds as _, IdPrefix, PlainIds};
use surefoot_engine::lines::{LineNo, LineRange};
use surefoot_engine::patch::{
    Base, Change, Count, Edit, Expect, Hunk, Line, LineHunk, Mode, Order, Patch, RangeHunk, Span,
    TextHunk,
};
use surefoot_engine::path::{PathSpec, RepoPath};
use surefoot_engine::policy::Policy;
use surefoot_engine::preimage::{Preimage, Preimages};
use surefoot_formats::{ParseOptions, by_name, parse};

const IDS: PlainIds = PlainIds(gix_hash::Kind::Sha1);

/// A file before and after, with one region of lines that differ.
#[derive(Clone, Debug)]
struct Pair {
    before: Vec<String>,
    start: usize,
    gone: usize,
    comes: Vec<String>,
}

impl Pair {
    fn a(&self) -> String {
        self.before.concat()
    }

    fn b(&self) -> String {
        let (head, tail) = self.before.split_at(self.start);
        [head, &self.comes, &tail[self.gone..]].concat().concat()
    }

    fn old(&self) -> &[String] {
        &self.before[self.start..self.start + self.gone]
    }
}

/// Lines that look like the matter of real files, markers of every format among them.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-e]{1,3} = [0-9]",
        2 => "    [a-e]{1,2}\\(\\)",
        1 => Just(String::new()),
        1 => prop::sample::select(vec![
            "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "--- a/x", "+++ b/x", "@@ -1 +1 @@",
            "*** End Patch", "*** Update File: x", "```", "-------", "...", "\\ No newline",
            "{\"path\": \"x\"}", "+", "-", "diff --git a/x b/x", "1 | one", "\ttab", "é",
        ]).prop_map(String::from),
    ]
    .prop_map(|line| line + "\n")
}

fn pair() -> impl Strategy<Value = Pair> {
    (
        prop::collection::vec(line(), 3..20),
        0usize..20,
        0usize..4,
        prop::collection::vec(line(), 0..4),
    )
        .prop_map(|(before, start, gone, comes)| {
            let start = start % before.len();
            let gone = gone.min(before.len() - start);
            Pair {
                before,
                start,
                gone,
                comes,
            }
        })
        .prop_filter("something changes", |pair| pair.a() != pair.b())
}

fn id(content: &str) -> IdPrefix {
    BlobId::of(gix_hash::Kind::Sha1, content.as_bytes())
        .expect("no crafted collision")
        .into()
}

fn edit(spec: PathSpec, change: Change) -> Edit {
    Edit::new(spec, change, Span::default())
}

/// The change with up to three lines of context on both sides.
fn hunk(pair: &Pair) -> LineHunk {
    let from = pair.start.saturating_sub(3);
    let to = (pair.start + pair.gone + 3).min(pair.before.len());
    let text = |line: &String| -> BString { line.as_str().into() };
    let above = pair.before[from..pair.start]
        .iter()
        .map(text)
        .map(Line::Context);
    let below = pair.before[pair.start + pair.gone..to]
        .iter()
        .map(text)
        .map(Line::Context);
    let gone = pair.old().iter().map(text).map(Line::Delete);
    let comes = pair.comes.iter().map(text).map(Line::Insert);
    LineHunk {
        old_start: Some(LineNo(from)),
        new_start: Some(LineNo(from)),
        lines: above.chain(gone).chain(comes).chain(below).collect(),
        ..LineHunk::default()
    }
}

/// The same pair as `format` would have it: its edit, with no more evidence than is usual there.
fn patch(format: &str, pair: &Pair) -> Patch {
    let root = PathSpec::from_root("f.txt");
    let caller = PathSpec::from_caller("f.txt");
    let lines = |hunk, order| Change::Modify {
        hunks: vec![Hunk::Lines(hunk)],
        order,
    };
    let bare = LineHunk {
        old_start: None,
        new_start: None,
        ..hunk(pair)
    };
    let quoted = |hunk: &LineHunk| -> (Vec<u8>, Vec<u8>) {
        (
            hunk.old().collect::<Vec<_>>().concat(),
            hunk.new_lines().collect::<Vec<_>>().concat(),
        )
    };
    let edit = match format {
        "unified-diff" => {
            let change = lines(hunk(pair), Order::File);
            Edit {
                base: Some(Base::Blob(id(&pair.a()))),
                post: Some(id(&pair.b())),
                ..edit(root, change)
            }
        }
        "v4a" => edit(root, lines(bare, Order::File)),
        "search-replace" => {
            let (old, new) = quoted(&bare);
            let lines_of = LineHunk::from_pair(&old, &new);
            edit(
                root,
                lines(
                    LineHunk {
                        lines: lines_of,
                        ..LineHunk::default()
                    },
                    Order::Any,
                ),
            )
        }
        "str-replace" => {
            let (old, new) = quoted(&bare);
            let (old, new) = (old.into(), new.into());
            let hunk = TextHunk {
                old,
                new,
                count: Count::One,
                span: Span::default(),
            };
            edit(
                caller,
                Change::Modify {
                    hunks: vec![Hunk::Text(hunk)],
                    order: Order::Any,
                },
            )
        }
        "line-range" => {
            let hunk = RangeHunk {
                lines: LineRange::new(pair.start, pair.start + pair.gone),
                new: pair.comes.concat().into(),
                expect: (pair.gone > 0).then(|| Expect::Text(pair.old().concat().into())),
                span: Span::default(),
            };
            let change = Change::Modify {
                hunks: vec![Hunk::Range(hunk)],
                order: Order::Any,
            };
            Edit {
                base: Some(Base::Blob(id(&pair.a()))),
                ..edit(caller, change)
            }
        }
        "whole-file" => Edit {
            base: Some(Base::Blob(id(&pair.a()))),
            ..edit(
                caller,
                Change::Write {
                    content: pair.b().into(),
                },
            )
        },
        other => panic!("{other} has no rendering here"),
    };
    Patch { edits: vec![edit] }
}

fn tree(content: &str) -> Preimages {
    let path = RepoPath::new("f.txt").expect("a plain name");
    let mut file = Preimage::file(content, Mode::Regular);
    file.blob = IDS.blob_id(&path, content.as_bytes());
    let mut preimages = Preimages::default();
    preimages.insert(path, file);
    preimages
}

/// Prints, parses and plans; returns the new content, or the refusal in words.
fn landed(format: &str, pair: &Pair) -> Result<String, String> {
    let printed = by_name(format)
        .expect("a format of the list")
        .print(&patch(format, pair))
        .map_err(|e| e.to_string())?;
    let parsed = parse(printed.as_bstr(), Some(format), &ParseOptions::default())
        .map_err(|error| format!("{error}\n{}", printed.as_bstr()))?;
    let plan = surefoot_engine::plan(&parsed.steps, &tree(&pair.a()), &IDS, &Policy::BALANCED)
        .map_err(|refused| refused.to_string())?;
    let after = plan.outputs().values().next().cloned().flatten();
    Ok(after
        .map(|after| after.content.to_string())
        .unwrap_or_default())
}

const FORMATS: [&str; 6] = [
    "unified-diff",
    "v4a",
    "search-replace",
    "str-replace",
    "line-range",
    "whole-file",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_made_from_a_to_b_turns_a_into_b_or_is_refused(pair in pair()) {
        for format in FORMATS {
            if let Ok(result) = landed(format, &pair) {
                prop_assert_eq!(result, pair.b(), "{}", format);
            }
        }
    }

    #[test]
    fn proven_formats_land_whatever_the_lines_look_like(pair in pair()) {
        // With the base named nothing is left to guess: a refusal here would be needless.
        for format in ["unified-diff", "line-range"] {
            let result = landed(format, &pair);
            let elided = matches!(&result, Err(why) if why.contains("left out"));
            if !elided {
                prop_assert_eq!(result, Ok(pair.b()), "{}", format);
            }
        }
    }
}

#[test]
fn an_ordinary_edit_lands_in_every_format() {
    let lines = [
        "one = 1\n",
        "two = 2\n",
        "three = 3\n",
        "four = 4\n",
        "five = 5\n",
    ];
    let pair = Pair {
        before: lines.map(String::from).to_vec(),
        start: 2,
        gone: 1,
        comes: vec!["drei = 3\n".into()],
    };
    for format in FORMATS {
        assert_eq!(landed(format, &pair), Ok(pair.b()), "{format}");
    }
}
