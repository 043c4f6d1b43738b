//! Where settings come from, and which outweigh which.

use crate::scratch::{Done, Scratch, finish, surefoot};

const EDIT: &str = r#"{"path":"a.py","old":"x = 1","new":"x = 2"}"#;

/// Runs a check in a folder below the root, with a configuration file there or above.
fn run(files: &[(&str, &str)], variables: &[(&str, &str)], options: &[&str]) -> Done {
    let scratch = Scratch::git(&[("sub/a.py", "x = 1\n")]);
    for (name, content) in files {
        scratch.write(name, content);
    }
    let mut command = surefoot();
    command.args(["apply", "--check", "--json"]).args(options);
    command
        .current_dir(scratch.at("sub"))
        .envs(variables.iter().copied());
    finish(&mut command, EDIT.as_bytes())
}

fn check(files: &[(&str, &str)], variables: &[(&str, &str)], options: &[&str], policy: &str) {
    let done = run(files, variables, options);
    assert_eq!(done.report()["policy"], policy, "{done:?}");
}

#[test]
fn options_outweigh_the_environment_and_that_the_nearest_file() {
    let far = (".surefoot.toml", "policy = 'robust'");
    let near = ("sub/.surefoot.toml", "policy = 'strict'");
    check(&[], &[], &[], "balanced");
    check(&[far], &[], &[], "robust");
    check(&[far, near], &[], &[], "strict");
    check(
        &[far, near],
        &[("SUREFOOT_POLICY", "balanced")],
        &[],
        "balanced",
    );
    check(
        &[far, near],
        &[("SUREFOOT_POLICY", "balanced")],
        &["--policy", "robust"],
        "robust",
    );
}

#[test]
fn a_file_that_cannot_be_understood_is_trouble() {
    fn check(content: &str, part: &str) {
        let done = run(&[(".surefoot.toml", content)], &[], &[]);
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{done:?}");
        assert!(
            done.err.contains(".surefoot.toml") && done.err.contains(part),
            "{done:?}"
        );
    }
    check(
        "policy = 'strict'\npolcy = 'strict'\n",
        ":2: unknown field `polcy`",
    );
    check("policy = 'lax'\n", "no policy is named `lax`");
    check("policy =\n", ".surefoot.toml`:1: ");
    check("floor = 7\n", "from 0 to 1");
}

#[test]
fn an_environment_that_cannot_be_understood_is_trouble() {
    let done = run(&[], &[("SUREFOOT_FLOOR", "high")], &[]);
    assert_eq!((done.status, done.out.as_str()), (2, ""), "{done:?}");
    assert!(
        done.err
            .contains("SUREFOOT_FLOOR: must be a number from 0 to 1"),
        "{done:?}"
    );
}

#[test]
fn a_variable_that_is_no_setting_is_said_and_ignored() {
    let done = run(&[], &[("SUREFOOT_POLCY", "strict")], &[]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(
        done.err.contains("SUREFOOT_POLCY is no setting"),
        "{done:?}"
    );
}

#[test]
fn allowed_paths_can_be_set_for_a_tree() {
    let done = run(&[(".surefoot.toml", "allow = ['src/**']")], &[], &[]);
    assert_eq!(
        (done.status, done.codes()),
        (1, vec!["forbidden-path".to_owned()])
    );
    let done = run(
        &[(".surefoot.toml", "allow = ['src/**', 'sub/*.py']")],
        &[],
        &[],
    );
    assert_eq!(done.status, 0, "{done:?}");
}

#[test]
fn a_setting_for_programs_does_not_clash_with_a_diff_in_silence() {
    let scratch = Scratch::git(&[("a.py", "x = 1\n")]);
    scratch.write(".surefoot.toml", "output_format = 'json'");
    assert_eq!(scratch.apply(&[], EDIT).report()["outcome"], "applied");
    let done = scratch.apply(
        &["--diff"],
        r#"{"path":"a.py","old":"x = 2","new":"x = 3"}"#,
    );
    assert_eq!((done.status, done.out.as_str()), (2, ""), "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 2\n");
}
