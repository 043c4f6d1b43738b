use super::*;

#[test]
fn a_rejection_names_the_flag() {
    for (line, flag) in [
        ("ls: unrecognized option '--amned'", "--amned"),
        ("ls: invalid option -- 'z'", "-z"),
        ("ls: invalid option -- 'z'", "-az"),
        ("error: unexpected argument '--amned' found", "--amned"),
        ("Unknown option: amned", "--amned"),
        ("find: unknown predicate `-nmae'", "-nmae"),
        ("unknown shorthand flag: unknown flag 'q' in -q", "-q"),
    ] {
        assert!(rejects(line, flag), "{line}");
    }
}

#[test]
fn other_complaints_are_none() {
    for (line, flag) in [
        ("ls: option '--amned' is ambiguous", "--amned"),
        ("x: option requires an argument -- 'z'", "-z"),
        ("usage: x [-z] unknown option", "-z"),
        ("x: unrecognized option '--other'", "--amned"),
        ("x: cannot open '-z': No such file; unknown option", "-z"),
        ("x: invalid option -- 'zz'", "-z"),
    ] {
        assert!(!rejects(line, flag), "{line}");
    }
}

#[test]
fn facts_are_lines() {
    let (question, answer) = fact("git\tlog -x\t--stat\trejects").unwrap();
    assert_eq!(question.subcommands, ["log", "-x"]);
    assert_eq!(answer, Answer::Rejects);
    assert!(fact("git").is_none());
}
