use bstr::ByteSlice as _;

use super::{Setting, cases};

#[test]
fn every_folder_is_a_case_with_an_answer_and_a_reason() {
    let cases = cases().unwrap();
    assert!(cases.len() >= 180, "{} cases", cases.len());
    for case in &cases {
        let answer = &case.answer;
        assert!(
            answer.applied.is_some() || answer.refused.is_some(),
            "{}",
            case.name
        );
        assert!(case.why.ends_with('.'), "{}: {}", case.name, case.why);
        assert!(!case.trials().is_empty(), "{}", case.name);
    }
}

#[test]
fn an_edit_without_ids_keeps_all_else() {
    let cases = cases().unwrap();
    let case = cases
        .iter()
        .find(|case| case.name == "landing-period-shift")
        .unwrap();
    let trials = case.trials();
    let bare = trials
        .iter()
        .find(|trial| trial.setting == Setting::NoIds)
        .unwrap()
        .edit();
    let wanted = case
        .edit
        .lines_with_terminator()
        .filter(|line| !line.starts_with(b"index 4925"));
    assert_eq!(bare, wanted.collect::<Vec<_>>().concat());
    assert_ne!(bare, case.edit);
}

#[test]
fn a_refusal_without_a_repository_may_give_its_own_code() {
    let cases = cases().unwrap();
    let case = cases
        .iter()
        .find(|case| case.name == "whole-file-tracked")
        .unwrap();
    for trial in case.trials() {
        let wanted = (trial.setting == Setting::Plain).then(|| vec!["unanchored"]);
        assert_eq!(trial.codes(), wanted, "{trial}");
    }
}
