//! What holds for every input, and for every diff that others write.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bstr::{BString, ByteSlice as _};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use surefoot_engine::lines::LineNo;
use surefoot_engine::patch::{Change, Hunk, Line, LineHunk, Patch};

use super::parse;
use crate::unified_diff::print::forget_spans;
use crate::{Format as _, UnifiedDiff};

/// Lines of a file, few enough to repeat, with the ones that look like parts of a diff.
fn file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => "[a-e]{0,2}",
        1 => Just("-- remark".to_owned()),
        1 => Just("++ y".to_owned()),
        1 => Just("- ".to_owned()),
        1 => Just("@@ -1 +1 @@".to_owned()),
        1 => Just("diff --git a/x b/x".to_owned()),
    ];
    (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        if ended && !text.is_empty() {
            text + "\n"
        } else {
            text
        }
    })
}

fn diff(old: &str, new: &str, context: usize) -> String {
    let mut options = diffy::DiffOptions::new();
    options
        .set_context_len(context)
        .set_original_filename("a/x")
        .set_modified_filename("b/x");
    options.create_patch(old, new).to_string()
}

/// Returns the first reading's hunks of a single modified file.
fn hunks(patch: &Patch) -> Vec<&LineHunk> {
    let [edit] = patch.edits.as_slice() else {
        return Vec::new();
    };
    let Change::Modify { hunks, .. } = &edit.change else {
        return Vec::new();
    };
    let lines = hunks.iter().filter_map(|hunk| match hunk {
        Hunk::Lines(hunk) => Some(hunk),
        Hunk::Text(_) | Hunk::Range(_) => None,
    });
    lines.collect()
}

fn first(input: &[u8]) -> Option<Patch> {
    Some(
        parse(input)
            .ok()?
            .steps
            .first()?
            .readings
            .first()?
            .patch
            .clone(),
    )
}

/// Returns the header's number for a side that begins at `start`.
fn written(start: Option<LineNo>, empty: bool) -> Option<usize> {
    start.map(|start| if empty { start.0 } else { start.0 + 1 })
}

fn agrees_with_diffy(ours: &LineHunk, theirs: &diffy::Hunk<'_, [u8]>) {
    let lines: Vec<Line> = theirs
        .lines()
        .iter()
        .map(|line| match line {
            diffy::Line::Context(text) => Line::Context((*text).into()),
            diffy::Line::Delete(text) => Line::Delete((*text).into()),
            diffy::Line::Insert(text) => Line::Insert((*text).into()),
        })
        .collect();
    assert_eq!(ours.lines, lines);
    let (old, new) = (theirs.old_range(), theirs.new_range());
    assert_eq!(written(ours.old_start, old.is_empty()), Some(old.start()));
    assert_eq!(written(ours.new_start, new.is_empty()), Some(new.start()));
}

/// What comparing with the `patch` crate came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Peer {
    /// It reads the same.
    Agrees,
    /// It panics.
    Panics,
    /// It does not read the text.
    Refuses,
    /// It drops a last blank line without its sign, against its own count.
    Drops,
}

fn agrees_with_patch(ours: &[&LineHunk], text: &str) -> Peer {
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        patch::Patch::from_single(text).ok().map(|theirs| {
            let hunks = theirs.hunks.iter().map(|hunk| {
                let lines: Vec<(char, String)> = hunk
                    .lines
                    .iter()
                    .map(|line| match line {
                        patch::Line::Context(text) => (' ', (*text).to_owned()),
                        patch::Line::Remove(text) => ('-', (*text).to_owned()),
                        patch::Line::Add(text) => ('+', (*text).to_owned()),
                    })
                    .collect();
                (hunk.old_range.count, hunk.new_range.count, lines)
            });
            hunks.collect::<Vec<_>>()
        })
    }));
    let theirs = match parsed {
        Ok(Some(theirs)) => theirs,
        Ok(None) => return Peer::Refuses,
        Err(_) => return Peer::Panics,
    };
    let counted = |(old, _, lines): &(u64, u64, Vec<(char, String)>)| {
        lines.iter().filter(|(sign, _)| *sign != '+').count() as u64 == *old
    };
    if !theirs.iter().all(counted) {
        return Peer::Drops;
    }
    let ours: Vec<_> = ours
        .iter()
        .map(|hunk| {
            let text = |text: &BString| {
                text.trim_end_with(|c| c == '\n')
                    .to_str_lossy()
                    .into_owned()
            };
            let lines: Vec<(char, String)> = hunk
                .lines
                .iter()
                .map(|line| match line {
                    Line::Context(line) => (' ', text(line)),
                    Line::Delete(line) => ('-', text(line)),
                    Line::Insert(line) => ('+', text(line)),
                })
                .collect();
            (
                hunk.old().count() as u64,
                hunk.new_lines().count() as u64,
                lines,
            )
        })
        .collect();
    assert_eq!(ours, theirs);
    Peer::Agrees
}

fn reads_what_it_prints(patch: &Patch) {
    let Ok(printed) = UnifiedDiff.print(patch) else {
        return;
    };
    let (mut wanted, mut again) = (patch.clone(), first(&printed).unwrap());
    forget_spans(&mut wanted);
    forget_spans(&mut again);
    assert_eq!(again, wanted);
}

/// A diff with something done to its bytes.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), any::<u8>(), 0..4_u8);
    let seeds = prop::sample::select(vec![
        include_bytes!("../../../fixtures/unified-diff/all-kinds.diff").as_slice(),
        include_bytes!("../../../fixtures/unified-diff/moves.diff").as_slice(),
        include_bytes!("../../../fixtures/unified-diff/series.mbox").as_slice(),
    ]);
    (seeds, prop::collection::vec(change, 1..6)).prop_map(|(seed, changes)| {
        let mut text = seed.to_vec();
        for (index, byte, kind) in changes {
            if text.is_empty() {
                break;
            }
            let at = index.index(text.len());
            match kind {
                0 => text[at] = byte,
                1 => text.truncate(at),
                2 => drop(text.remove(at)),
                _ => {
                    let end = text[at..]
                        .find_byte(b'\n')
                        .map_or(text.len(), |n| at + n + 1);
                    let line = text[at..end].to_vec();
                    text.splice(end..end, line);
                }
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_input_panics(input in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(parse(&input));
    }

    #[test]
    fn no_lines_that_look_like_a_diff_panic(input in "(--- |\\+\\+\\+ |@@|-|\\+| |\\\\ |diff --git |a/x|b/x|1|,|0|\n|\r\n|\"|From |/dev/null|index |\\.\\.){0,60}") {
        if let Ok(parsed) = parse(input.as_bytes()) {
            for step in &parsed.steps {
                for reading in &step.readings {
                    reads_what_it_prints(&reading.patch);
                }
            }
        }
    }

    #[test]
    fn no_damaged_diff_panics_and_what_is_read_is_printed(input in mutated()) {
        if let Ok(parsed) = parse(&input) {
            for step in &parsed.steps {
                for reading in &step.readings {
                    reads_what_it_prints(&reading.patch);
                }
            }
        }
    }

    #[test]
    fn a_cut_hunk_is_never_read_as_a_smaller_change(old in file(), new in file(), at in any::<prop::sample::Index>()) {
        prop_assume!(old != new);
        let text = diff(&old, &new, 3);
        let whole = first(text.as_bytes()).unwrap();
        let cut = &text.as_bytes()[..at.index(text.len())];
        let (whole, cut) = (hunks(&whole).into_iter().cloned().collect::<Vec<_>>(), first(cut));
        let Some(cut) = cut else { return Ok(()) };
        for (cut, whole) in hunks(&cut).iter().zip(&whole) {
            prop_assert_eq!(cut.lines.len(), whole.lines.len());
        }
    }
}

#[test]
fn others_read_the_same() {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    let counts: RefCell<BTreeMap<Peer, usize>> = RefCell::default();
    let config = ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..Default::default()
    };
    let inputs = (file(), file(), 0..5_usize);
    let result = TestRunner::new(config).run(&inputs, |(old, new, context)| {
        prop_assume!(old != new);
        let text = diff(&old, &new, context);
        let theirs = diffy::Patch::from_bytes(text.as_bytes()).unwrap();
        let patch = first(text.as_bytes()).unwrap();
        // Two readings begin with the one that the header states.
        let ours = hunks(&patch);
        prop_assert_eq!(ours.len(), theirs.hunks().len());
        for (ours, theirs) in ours.iter().zip(theirs.hunks()) {
            agrees_with_diffy(ours, theirs);
        }
        let peer = agrees_with_patch(&ours, &text);
        *counts.borrow_mut().entry(peer).or_default() += 1;
        let printed = UnifiedDiff.print(&patch).unwrap();
        let again = diffy::Patch::from_bytes(&printed).unwrap();
        for (ours, theirs) in ours.iter().zip(again.hunks()) {
            agrees_with_diffy(ours, theirs);
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("the `patch` crate: {counts:?}");
    result.unwrap();
    // It panics on more than half of these. Were hardly any left, the test would say nothing of it.
    let agrees = counts.get(&Peer::Agrees).copied().unwrap_or(0);
    assert!(agrees * 5 > counts.values().sum(), "{counts:?}");
}
