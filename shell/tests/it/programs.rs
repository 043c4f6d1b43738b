//! Syntax and programs: what blocks, what must not, and that nothing is ever run.

use surefoot_shell::Code::{SyntaxError, UnknownCommand, UnterminatedHeredoc};

use crate::world::{World, verdict};

fn world() -> World {
    World::new(&[
        "ls", "grep", "git", "sudo", "env", "timeout", "xargs", "find", "apt", "watch", "sh",
        "cat", "ssh", "which", "make",
    ])
}

#[test]
fn a_missing_program_blocks_wherever_it_stands() {
    let world = world();
    for command in [
        "grpe x",
        "ls | grpe x",
        "ls; grpe x",
        "ls $(grpe x)",
        "ls `grpe x`",
        "(grpe x)",
        "{ grpe x; }",
        "if grpe x; then ls; fi",
        "for i in a; do grpe $i; done",
        "sudo -u root grpe x",
        "env A=b grpe x",
        "timeout -k 1 5 grpe x",
        "ls | xargs -n 1 grpe",
        "find . -exec grpe {} \\;",
        "bash -c 'ls; grpe x'",
        "sh -c \"ls | grpe\"",
        "sudo env A=1 timeout 5 grpe",
        "watch -n 1 'grpe x'",
        "A=1 grpe x",
        "! grpe x",
        "cat <(grpe x)",
        "f() { grpe x; }",
        "command grpe x",
        "exec grpe x",
    ] {
        world.check(command, "block", &[(UnknownCommand, "grpe")]);
    }
}

#[test]
fn the_nearest_programs_are_suggested() {
    let (_, report) = world().verdict("grpe x");
    assert_eq!(report.findings[0].suggestions, ["grep"]);
    assert_eq!(
        (report.findings[0].span.start, report.findings[0].span.end),
        (0, 4)
    );
}

#[test]
fn spans_reach_into_quoted_scripts() {
    let command = "sudo bash -c 'ls; grpe x'";
    let (_, report) = world().verdict(command);
    assert_eq!(command.get(report.findings[0].span.range()), Some("grpe"));
}

#[test]
fn a_program_that_may_come_to_be_does_not_block() {
    let world = world();
    for command in [
        "f() { ls; }; f x",
        "alias ll=ls; ll",
        "source x; foo",
        ". ./env; foo",
        "eval \"$x\"; foo",
        "PATH=/x:$PATH foo",
        "export PATH=/x; foo",
        "apt install foo && foo",
        "make install; foo",
        "command -v foo && foo",
        "which foo && foo",
        "if type foo; then foo; fi",
        "cat x > /usr/local/bin/foo; git x /usr/local/bin/foo; foo",
        "./foo",
        "x/foo",
        "/nowhere/foo",
        "$foo x",
        "ssh host foo",
        "\"$(ls)\" x",
        "env PATH=/x foo",
    ] {
        let (verdict, report) = world.verdict(command);
        assert_ne!(verdict, "block", "{command}\n{report:#?}");
    }
}

#[test]
fn a_failure_that_is_caught_only_warns() {
    world().check("grpe x || ls", "warn", &[(UnknownCommand, "grpe")]);
    world().check("ls || grpe x", "block", &[(UnknownCommand, "grpe")]);
}

#[test]
fn builtins_and_keywords_are_programs_too() {
    let world = world();
    for command in [
        "cd /tmp",
        "echo x",
        "[ -f x ]",
        "[[ -f x ]]",
        "true",
        "read -r x",
        "set -euo pipefail",
        "time ls",
        "(( x + 1 ))",
    ] {
        world.check(command, "admit", &[]);
    }
}

#[test]
fn what_bash_rejects_blocks() {
    let world = world();
    for command in [
        "ls |",
        "ls &&",
        "ls 'x",
        "ls \"x",
        "ls $(",
        "ls `",
        "if ls; then",
        "for i in; do",
        "ls )",
        "| ls",
        "ls | | cat",
        "ls ;; cat",
        "[[ a b",
        "[[ -f x & y ]]",
        "git commit -m 'don't panic'",
        "-x |",
        "bash -c 'ls |'",
    ] {
        let (verdict, report) = world.verdict(command);
        assert_eq!(verdict, "block", "{command}");
        assert_eq!(report.findings[0].code, SyntaxError, "{command}");
    }
}

#[test]
fn an_open_here_document_warns() {
    let (verdict, report) = world().verdict("cat <<EOF\nx");
    assert_eq!(verdict, "warn");
    assert_eq!(report.findings[0].code, UnterminatedHeredoc);
}

#[test]
fn without_bash_nothing_blocks_for_its_syntax() {
    let world = World::new(&["ls"]);
    std::fs::remove_file(world.path().join("bin/bash")).unwrap();
    world.check("ls |", "abstain", &[]);
}

#[test]
fn hostile_input_gets_a_verdict_in_bounded_time() {
    let machine = world().machine();
    let texts: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\0".to_vec(),
        b"ls \0 x".to_vec(),
        b"\xff\xfe ls".to_vec(),
        b"ls \xff".to_vec(),
        b"(".repeat(10_000),
        b"$(".repeat(10_000),
        b"bash -c \"".repeat(100),
        b"sudo ".repeat(10_000),
        b"ls | ".repeat(200_000),
        b"'".repeat(1_000_001),
        b"a".repeat(1_000_000),
        b"ls -"
            .iter()
            .copied()
            .chain(b"a".repeat(1_000_000))
            .collect(),
        b"ls --"
            .iter()
            .copied()
            .chain(b"a".repeat(1_000_000))
            .collect(),
        b"cat <<E\n".repeat(2_000),
        b"if ".repeat(10_000),
        b"ls `".repeat(9_999),
        b"env A=1 ".repeat(10_000),
        b"find -exec ".repeat(10_000),
    ];
    for text in texts {
        let (verdict, _) = verdict(&text, &machine);
        assert!(["admit", "warn", "block", "abstain"].contains(&verdict));
    }
}

#[test]
fn nothing_is_run() {
    let world = world();
    world.program("su-real", "#!/bin/sh\ntouch \"$0.was-run\"\n");
    for command in [
        "ls --help",
        "git commit --amned",
        "find . -exec ls {} \\;",
        "bash -c 'ls'",
        "$(ls)",
        "cat <<E\n`ls`\n$(ls)\nE",
        "ls() { ls; }; ls",
        "ls |",
        "[[ $(ls) ]]",
    ] {
        let _verdict = world.verdict(command);
    }
    assert_eq!(world.traces(), Vec::<String>::new());
}

/// Pieces of commands, of which some are no words at all.
const PIECES: [&str; 36] = [
    "ls ", "grep ", "git ", "sudo ", "env ", "timeout ", "xargs ", "find ", "-exec ", "bash ",
    "-c ", "watch ", "--", "-", "--x=", "-abc ", "'", "\"", "$(", ")", "`", "{", "}", ";", "|",
    "&&", "||", "<<E\n", "\nE\n", "A=b ", "$x ", "é", "\0", "\\", "\n", "0",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        cases: 200,
        ..Default::default()
    })]

    #[test]
    fn equal_commands_get_equal_verdicts_and_no_panic(picks in proptest::collection::vec(0..PIECES.len(), 0..24)) {
        let world = World::new(&["ls", "grep", "git", "sudo", "env", "timeout", "xargs", "find", "watch"]);
        let text: String = picks.iter().map(|pick| PIECES[*pick]).collect();
        let (verdict, report) = world.verdict(&text);
        for finding in &report.findings {
            proptest::prop_assert!(finding.span.start <= finding.span.end && finding.span.end <= text.len());
        }
        proptest::prop_assert_eq!((verdict, report), world.verdict(&text));
    }

    #[test]
    fn any_bytes_get_a_verdict(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..120)) {
        let world = World::new(&["ls"]);
        let (verdict, _) = verdict(&bytes, &world.machine());
        proptest::prop_assert!(!verdict.is_empty());
    }
}
