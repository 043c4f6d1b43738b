use proptest::prelude::*;

use super::super::text::lines;
use super::*;

/// The likeness of every window, without leaving any out.
fn every(file: &[&str], old: &[&str]) -> Vec<Scored> {
    let windows = file.windows(old.len()).enumerate();
    let score = |(at, window): (usize, &[&str])| {
        let (window, old) = (trimmed(window), trimmed(old));
        let anchor = Anchor::new(&old);
        let shared = anchor.matches(&anchor.encode(&window), &mut Room::default());
        let likeness = anchor.likeness(window.chars().count(), shared);
        Scored { at, likeness }
    };
    windows.map(score).collect()
}

/// Returns the text of `lines` without the last one's end.
fn trimmed(lines: &[&str]) -> String {
    let text = lines.concat();
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

/// The first of the likest, as the definition has it.
fn likest(all: &[Scored], floor: f64) -> Option<Scored> {
    let mut best: Option<Scored> = None;
    for scored in all.iter().filter(|scored| scored.likeness >= floor) {
        if best.is_none_or(|best| scored.likeness > best.likeness) {
            best = Some(*scored);
        }
    }
    best
}

/// Files in which windows are alike: few different lines, many times.
fn text(most: usize) -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ab]{0,3}\n",
        "    (return|raise) [abé]{1,4}\n",
        "(    |\t)x = [ab]\n",
    ];
    proptest::collection::vec(line, 1..most).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn no_window_that_matters_is_left_out(
        file in text(40),
        old in text(5),
        floor in prop_oneof![Just(0.0), Just(0.6), Just(0.9)],
        margin in prop_oneof![Just(0.05), Just(0.2), Just(0.5)],
    ) {
        let (file, old) = (lines(&file), lines(&old));
        let all = every(&file, &old);
        let mut windows = Windows::new(&file, &old);
        let best = windows.best(floor);
        prop_assert_eq!(best, likest(&all, floor));
        let Some(best) = best else { return Ok(()) };
        for apart in [1, old.len()] {
            let counts = |at: usize| at.abs_diff(best.at) >= apart;
            let rival = all
                .iter()
                .filter(|scored| scored.at != best.at && counts(scored.at))
                .any(|scored| best.likeness - scored.likeness < margin);
            prop_assert_eq!(windows.has_rival(best, margin, counts), rival);
        }
    }
}

#[test]
fn of_equals_the_first_is_the_likest() {
    let file = ["b\n", "a\n", "b\n", "a\n"];
    let best = Windows::new(&file, &["a\n", "b\n"]).best(0.6).unwrap();
    assert_eq!((best.at, best.likeness), (1, 1.0));
    let best = Windows::new(&file, &["b\n", "b\n"]).best(0.6).unwrap();
    assert_eq!(best.at, 0);
}

#[test]
fn a_file_shorter_than_the_anchor_has_no_window() {
    assert_eq!(Windows::new(&["a\n"], &["a\n", "b\n"]).best(0.0), None);
    assert_eq!(Windows::new(&[], &["a\n"]).best(0.0), None);
}
