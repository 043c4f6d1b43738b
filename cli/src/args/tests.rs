use clap::CommandFactory as _;

use super::*;

fn check(input: &str, expected: Option<u16>) {
    assert_eq!(score(input).ok(), expected.map(Score), "{input}");
}

#[test]
fn a_likeness_is_a_number_of_thousandths() {
    check("0", Some(0));
    check("1", Some(1000));
    check("0.9", Some(900));
    check("0.001", Some(1));
    check(".25", Some(250));
    check("0.9005", None);
    check("1.001", None);
    check("-0.1", None);
    check("90", None);
    check("NaN", None);
    check("inf", None);
    check("", None);
    check("high", None);
}

#[test]
fn the_definition_of_the_command_line_is_sound() {
    Arguments::command().debug_assert();
}

#[test]
fn only_the_name_git_surefoot_is_gits() {
    assert!(is_git_name(Some(OsStr::new("/usr/bin/git-surefoot"))));
    assert!(is_git_name(Some(OsStr::new("git-surefoot"))));
    assert!(!is_git_name(Some(OsStr::new("/usr/bin/surefoot"))));
    assert!(!is_git_name(Some(OsStr::new("/opt/git-surefoot/surefoot"))));
    assert!(!is_git_name(None));
}

#[test]
fn an_allowed_glob_takes_no_file_with_it() {
    let line = [
        "surefoot", "apply", "--allow", "src/**", "fix.diff", "--allow", "doc/*",
    ];
    let Command::Apply(apply) = Arguments::parse_from(line).command else {
        panic!("not apply")
    };
    assert_eq!(apply.allow, ["src/**", "doc/*"]);
    assert_eq!(apply.inputs, [PathBuf::from("fix.diff")]);
}
