//! What surefoot prints about itself.

use crate::scratch::{Done, Scratch, finish, surefoot};

fn run(arguments: &[&str]) -> Done {
    let mut command = surefoot();
    finish(command.args(arguments), b"")
}

#[test]
fn every_format_has_a_line() {
    let done = run(&["formats"]);
    assert_eq!(done.status, 0, "{done:?}");
    let names: Vec<&str> = done
        .out
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for name in [
        "search-replace",
        "unified-diff",
        "v4a",
        "str-replace",
        "line-range",
        "whole-file",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn there_are_completions_for_the_usual_shells() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = run(&["completions", shell]);
        assert_eq!(done.status, 0, "{done:?}");
        assert!(
            done.out.contains("surefoot") && done.out.contains("dry-run"),
            "{shell}"
        );
    }
    assert_eq!(run(&["completions", "csh"]).status, 2);
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let whole = run(&["man"]);
    assert!(whole.out.contains(".TH surefoot 1"), "{whole:?}");
    let apply = run(&["man", "apply"]);
    assert!(apply.out.contains(".TH surefoot-apply 1"), "{apply:?}");
    assert!(
        apply.out.contains("min\\-anchor") && apply.out.contains("SUREFOOT_FLOOR"),
        "{apply:?}"
    );
    assert_eq!(run(&["man", "nothing"]).status, 2);
}

#[test]
fn help_is_a_result_and_bad_usage_is_talk() {
    let done = run(&["--help"]);
    assert_eq!((done.status, done.err.as_str()), (0, ""), "{done:?}");
    assert!(done.out.contains("apply"), "{done:?}");
    let done = run(&[]);
    assert_eq!((done.status, done.out.as_str()), (2, ""), "{done:?}");
    assert_eq!(
        run(&["--version"]).out,
        format!("surefoot {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn git_finds_it_under_its_own_name() {
    let scratch = Scratch::git(&[("a.py", "x = 1\n")]);
    let bin = Scratch::plain();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_surefoot"), bin.at("git-surefoot")).unwrap();
    let mut command = std::process::Command::new("git");
    crate::scratch::isolate(&mut command);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", bin.path().display()));
    command
        .args(["surefoot", "apply", "--json"])
        .current_dir(scratch.path());
    let done = finish(
        &mut command,
        br#"{"path":"a.py","old":"x = 1","new":"x = 2"}"#,
    );
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(scratch.read("a.py"), "x = 2\n");
    command.args(["--no-such-option"]);
    assert!(finish(&mut command, b"").err.contains("git surefoot"));
}
