//! Diffs that git wrote, read whole.

use bstr::ByteSlice as _;

use super::{check, parse};
use crate::unified_diff::print::forget_spans;
use crate::{Format as _, UnifiedDiff};

const ALL_KINDS: &[u8] = include_bytes!("../../../fixtures/unified-diff/all-kinds.diff");
const MOVES: &[u8] = include_bytes!("../../../fixtures/unified-diff/moves.diff");
const SERIES: &[u8] = include_bytes!("../../../fixtures/unified-diff/series.mbox");

/// Returns `section` of the fixture, which begins with its `diff --git` line.
fn section(fixture: &[u8], name: &str) -> Vec<u8> {
    let wanted = format!("diff --git a/{name}");
    let starts: Vec<usize> = fixture.find_iter("diff --git ").collect();
    let ends = starts.iter().skip(1).copied().chain([fixture.len()]);
    let sections = starts
        .iter()
        .copied()
        .zip(ends)
        .filter_map(|(a, b)| fixture.get(a..b));
    sections
        .filter(|text| text.starts_with(wanted.as_bytes()))
        .collect::<Vec<_>>()
        .concat()
}

#[test]
fn every_kind_of_change_is_read() {
    let with = |name: &str, expected: &str| check(section(ALL_KINDS, name), expected);
    with(
        "change",
        "delete change 100644>100644 base b8b4a3f5cc8c3a0716dff5992276accacc7f3d63 [becomes link$]\n\
         create change >120000 post 24fd12a2085f0afe3bb862aeeb164e0e0fc9217d [tool.sh]",
    );
    with(
        "data.bin",
        "binary data.bin base dae33ce3159477c8aa2913c714a7dcd8f0228886 post \
         4ed0f700cacd8cf29280fa33e6313350e239dbf7 literal \\0\\x01\\x02\\x03binary\\0more\\0 literal \
         \\0\\x01\\x02\\x03binary\\0",
    );
    with(
        "dir b/b x.txt",
        "modify dir b/b x.txt base 442412f43cb7e03bf9927fdb2488891dba39f8dd post \
         9527beb9da71aa00ca1b8a9976ad64fcc3cd2f26 @1,1 [ deep$|-sea$|+SEA$]",
    );
    with(
        "dos.txt",
        "modify dos.txt base 6de9d5ac75494c5b10a8060c3e1be339b52e78b5 post \
         b88653bec6bf9aeafa1ce2b2b7b0ed0ef5c8643e @1,1 [ crlf%|-line%|+changed%]",
    );
    with("empty.txt", "keep empty.txt renamed fresh_empty.txt");
    with(
        "new.txt",
        "create new.txt >100755 post 551d4ca02409217331a67af29eacfdd3e87ae679 [brand$new]",
    );
    with("tool.sh", "keep tool.sh 100644>100755");
}

#[test]
fn a_file_of_all_kinds_is_one_patch() {
    let count = |input| {
        parse(input)
            .unwrap()
            .steps
            .iter()
            .map(|s| s.readings[0].patch.edits.len())
            .sum::<usize>()
    };
    assert_eq!(count(ALL_KINDS), 15);
    assert_eq!(count(MOVES), 4);
    assert_eq!(count(SERIES), 19);
    assert!(parse(SERIES).unwrap().recoveries.is_empty());
    assert_eq!(parse(SERIES).unwrap().steps.len(), 2);
}

#[test]
fn what_git_wrote_is_printed_so_that_it_reads_the_same() {
    for fixture in [ALL_KINDS, MOVES, SERIES] {
        for step in parse(fixture).unwrap().steps {
            let mut patch = step.readings[0].patch.clone();
            let printed = UnifiedDiff.print(&patch).unwrap();
            let mut again = parse(&printed).unwrap().steps[0].readings[0].patch.clone();
            forget_spans(&mut patch);
            forget_spans(&mut again);
            assert_eq!(again, patch);
        }
    }
}

#[test]
fn binary_patches_are_checked() {
    let good = section(ALL_KINDS, "data.bin");
    let text = String::from_utf8(good).unwrap();
    check(
        text.replace("literal 16", "literal 15"),
        "! malformed does not inflate",
    );
    check(
        text.replace("literal 16", "literal 17"),
        "! malformed does not inflate",
    );
    check(
        text.replace("literal 16", "literal 99999999999"),
        "! toocostly 1 GiB",
    );
    check(text.replace("XcmZ", "WcmZ"), "! malformed does not inflate");
    check(
        text.replace("XcmZ", "XcmZ "),
        "! malformed no line of a binary",
    );
    check(
        text.replace("XcmZQ", "X~~~~"),
        "! malformed no line of a binary",
    );
    let cut = text.find("literal 11").unwrap();
    check(text.get(..cut - 1).unwrap(), "! malformed cut off");
}

#[test]
fn a_diff_that_is_cut_off_is_never_read_as_less() {
    let whole = parse(ALL_KINDS).unwrap().steps[0].readings[0].patch.clone();
    for end in 0..ALL_KINDS.len() {
        let Ok(parsed) = parse(&ALL_KINDS[..end]) else {
            continue;
        };
        for reading in parsed.steps.iter().flat_map(|step| &step.readings) {
            let (last, before) = reading.patch.edits.split_last().unwrap();
            let count = before.len();
            assert_eq!(before, &whole.edits[..count], "cut at {end}");
            // The last may lack what only proves, such as a marker, an id or a context line's end.
            let full = &whole.edits[count];
            assert_eq!(
                (&last.path, &last.destination),
                (&full.path, &full.destination)
            );
        }
    }
}
