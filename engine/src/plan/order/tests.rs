use proptest::prelude::*;

use super::*;

/// Every ascending choice, written out.
fn all(options: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut choices = vec![Vec::new()];
    for places in options {
        let longer = |choice: &Vec<usize>| {
            let last = choice.last().copied();
            let fits = places
                .iter()
                .filter(move |place| last.is_none_or(|last| last < **place));
            let choice = choice.clone();
            fits.map(move |place| [&choice[..], &[*place]].concat())
                .collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices
}

fn assigned(options: &[Vec<usize>]) -> Assignment {
    assign(&options.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn one_way_to_keep_the_order_is_taken_and_two_are_not() {
    assert_eq!(
        assigned(&[vec![5], vec![1, 9]]),
        Assignment::One(vec![5, 9])
    );
    assert_eq!(
        assigned(&[vec![1, 9], vec![1, 9]]),
        Assignment::One(vec![1, 9])
    );
    assert_eq!(assigned(&[vec![5], vec![7, 9]]), Assignment::Many);
    assert_eq!(assigned(&[vec![5], vec![1]]), Assignment::None(1));
    assert_eq!(assigned(&[]), Assignment::One(vec![]));
}

proptest! {
    #[test]
    fn the_count_agrees_with_writing_every_choice_out(
        options in prop::collection::vec(prop::collection::btree_set(0usize..12, 1..5), 1..6),
    ) {
        let options: Vec<Vec<usize>> =
            options.into_iter().map(|places| places.into_iter().collect()).collect();
        let choices = all(&options);
        match assigned(&options) {
            Assignment::One(chosen) => prop_assert_eq!(choices, vec![chosen]),
            Assignment::None(_) => prop_assert!(choices.is_empty()),
            Assignment::Many => prop_assert!(choices.len() > 1),
        }
    }
}
