use proptest::prelude::*;

use super::*;
use crate::locate::naive;

fn check(file: &str, anchor: &[&str], expected: &[usize]) {
    let file = File::new(file.as_bytes());
    let anchor: Vec<&[u8]> = anchor.iter().map(|line| line.as_bytes()).collect();
    let budget = Budget::for_bytes(0);
    assert_eq!(
        find(&file, &anchor, 0..file.len(), &budget).unwrap(),
        expected
    );
}

#[test]
fn places_are_all_found_and_overlaps_counted() {
    check("a\nb\na\n", &["a"], &[0, 2]);
    check("a\na\na\n", &["a", "a"], &[0, 1]);
    check("a\nb\nc", &["b", "c"], &[1]);
    check("a\r\nb\r\n", &["a", "b"], &[0]);
    check("\u{feff}a\nb\n", &["a"], &[0]);
    check("a\nb\n", &["b", "a"], &[]);
    check("a\n", &[], &[]);
    check("", &["a"], &[]);
}

#[test]
fn equal_lines_do_not_cost_their_square() {
    let file = "a\n".repeat(200_000);
    let file = File::new(file.as_bytes());
    let mut anchor: Vec<&[u8]> = vec![b"a"; 100_000];
    let budget = Budget::for_bytes(0);
    assert_eq!(
        find(&file, &anchor, 0..file.len(), &budget).unwrap().len(),
        100_001
    );
    anchor.push(b"b");
    assert_eq!(
        find(&file, &anchor, 0..file.len(), &budget).unwrap().len(),
        0
    );
}

proptest! {
    #[test]
    fn the_fast_search_finds_what_the_naive_one_finds(
        file in "[ab]{0,3}(\n[ab]{0,1}){0,60}",
        anchor in prop::collection::vec("[ab]{0,1}", 1..6),
        from in 0usize..5,
    ) {
        let file = File::new(file.as_bytes());
        let anchor: Vec<&[u8]> = anchor.iter().map(|line| line.as_bytes()).collect();
        let within = from.min(file.len())..file.len();
        let fast = find(&file, &anchor, within.clone(), &Budget::for_bytes(0)).unwrap();
        prop_assert_eq!(fast, naive::find(&file, &anchor, within));
    }
}
