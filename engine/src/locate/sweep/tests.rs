use proptest::prelude::*;

use super::*;
use crate::locate::naive;

fn found(haystack: &str, needles: &[String], most: usize) -> Vec<Vec<usize>> {
    let texts = needles.iter().map(|needle| needle.as_bytes());
    let budget = Budget::for_bytes(0);
    let texts = Texts::find(haystack.as_bytes(), texts, most, &budget).unwrap();
    let places = |needle: &String| texts.get(needle.as_bytes()).unwrap().to_vec();
    needles.iter().map(places).collect()
}

#[test]
fn texts_of_every_length_are_found_at_all_their_places() {
    let haystack = "aaaaaaaaaaaa x = 10\nabcd";
    let needles = [
        "a",
        "aaaa",
        "aaaaaaaaaa",
        "x = 1",
        "abcd",
        "abcde",
        "aaaa x = 10\nab",
    ];
    let needles = needles.map(String::from);
    let expected = [
        (0..12).chain([20]).collect(),
        (0..9).collect(),
        vec![0, 1, 2],
        vec![13],
        vec![20],
        vec![],
        vec![8],
    ];
    assert_eq!(found(haystack, &needles, 64), expected);
    assert_eq!(found(haystack, &needles, 1)[1], [0]);
}

#[test]
fn equal_bytes_do_not_cost_their_square() {
    let haystack = "a".repeat(100_000);
    let needles: Vec<String> = (1..2000).map(|len| "a".repeat(len * 10)).collect();
    let texts = needles.iter().map(|needle| needle.as_bytes());
    // It is found, or refused; it may not take long.
    let budget = Budget::for_bytes(haystack.len());
    if let Ok(texts) = Texts::find(haystack.as_bytes(), texts, 2, &budget) {
        assert_eq!(texts.get(needles[7].as_bytes()), Some(&[0, 1][..]));
    }
}

proptest! {
    #[test]
    fn a_pass_for_all_finds_what_the_naive_search_finds_for_each(
        haystack in "[ab\n]{0,80}",
        needles in prop::collection::vec("[ab\n]{1,14}", 1..12),
        cuts in prop::collection::vec((0usize..80, 1usize..20), 0..12),
        most in 1usize..6,
    ) {
        let cut = |(at, len): &(usize, usize)| {
            let at = (*at).min(haystack.len());
            haystack.get(at..(at + len).min(haystack.len())).unwrap().to_owned()
        };
        let cuts = cuts.iter().map(cut).filter(|cut| !cut.is_empty());
        let needles: Vec<String> = needles.into_iter().chain(cuts).collect();
        let fast = found(&haystack, &needles, most);
        for (needle, places) in needles.iter().zip(fast) {
            let mut all = naive::find_text(haystack.as_bytes(), needle.as_bytes());
            all.truncate(most);
            prop_assert_eq!(places, all, "{:?}", needle);
        }
    }
}
