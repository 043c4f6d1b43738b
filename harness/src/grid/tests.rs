use super::*;

/// The whole grid, every trial of it: a change of any shows as a changed letter.
#[test]
fn every_trial_ends_as_recorded() {
    let corpus = stdlib().unwrap();
    let outcomes = Outcomes::of(&corpus, appliers::ALL, 2).unwrap();
    assert!(outcomes.surefoot_is_never_silent(), "{}", outcomes.table());
    insta::with_settings!({
        snapshot_path => "../../../snapshots/grid",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("cells", outcomes.table());
        insta::assert_snapshot!("letters", outcomes.letters());
    });
}

#[test]
fn any_number_of_threads_gives_the_same_digest() {
    let corpus = stdlib().unwrap();
    let quick = [Applier::Exact, Applier::Line];
    let digest = |jobs| Outcomes::of(&corpus, &quick, jobs).unwrap().digest();
    assert_eq!(digest(1), digest(3));
}
