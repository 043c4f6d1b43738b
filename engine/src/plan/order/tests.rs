use proptest::prelude::*;

use super::*;

/// Every choice that keeps the order, written out.
fn all(options: &[Options]) -> Vec<Vec<usize>> {
    let mut choices = vec![Vec::new()];
    for (k, here) in options.iter().enumerate() {
        let longer = |choice: &Vec<usize>| {
            let last = choice.last().map(|last| last + options[k - 1].to);
            let fits = here
                .starts
                .iter()
                .filter(move |place| last.is_none_or(|last| last <= **place + here.from));
            let choice = choice.clone();
            fits.map(move |place| [&choice[..], &[*place]].concat())
                .collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices
}

/// Hunks that begin one behind the other.
fn assigned(options: &[Vec<usize>]) -> Assignment {
    let option = |starts: &Vec<usize>| Options {
        starts: starts.clone(),
        from: 0,
        to: 1,
    };
    assign(&options.iter().map(option).collect::<Vec<_>>())
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
        options in prop::collection::vec(
            (prop::collection::btree_set(0usize..12, 1..5), 0usize..3, 0usize..3),
            1..6,
        ),
    ) {
        let options: Vec<Options> = options
            .into_iter()
            .map(|(places, from, len)| Options {
                starts: places.into_iter().collect(),
                from,
                to: from + len,
            })
            .collect();
        let choices = all(&options);
        match assign(&options) {
            Assignment::One(chosen) => prop_assert_eq!(choices, vec![chosen]),
            Assignment::None(_) => prop_assert!(choices.is_empty()),
            Assignment::Many => prop_assert!(choices.len() > 1),
        }
    }
}
