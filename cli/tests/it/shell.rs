//! Shell commands through the real process, on the machine as it is.

#![expect(clippy::disallowed_methods, reason = "a test lays its own ground")]

use serde_json::Value;

use crate::scratch::{finish, surefoot};

/// Judges `command` and returns the report and the status.
fn check(command: &str) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let mut process = surefoot();
    process.current_dir(folder.path());
    process.args(["shell", "check", "--json", "--no-cache"]);
    let done = finish(&mut process, command.as_bytes());
    let report = done.report();
    (report, done.status)
}

fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).exists())
}

fn has_page(tool: &str) -> bool {
    ["/usr/share/man/man1", "/usr/local/share/man/man1"]
        .iter()
        .any(|folder| {
            std::path::Path::new(folder)
                .join(format!("{tool}.1.gz"))
                .exists()
        })
}

/// Commands as agents write them. What a machine has no program or page for is passed over; to abstain
/// counts neither way, and what is right never blocks.
#[test]
fn every_command_gets_its_verdict() {
    let mut judged = 0;
    for line in include_str!("../../../corpus/cases/shell.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let names = |key: &str| -> Vec<String> {
            let list = case[key].as_array().into_iter().flatten();
            list.map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        let page = case["page"].as_str();
        if !names("needs").iter().all(|tool| is_installed(tool)) || !page.is_none_or(has_page) {
            continue;
        }
        let (report, status) = check(case["command"].as_str().unwrap());
        let verdict = report["verdict"].as_str().unwrap().to_owned();
        let allowed = names("verdicts");
        assert!(
            verdict == "abstain" || allowed.contains(&verdict),
            "{line}\n{report:#}"
        );
        assert_eq!(status, i32::from(verdict == "block"), "{line}");
        judged += 1;
    }
    assert!(judged >= 15, "only {judged} cases could be judged");
}

#[test]
fn words_behind_two_dashes_stand_for_themselves() {
    let run = |arguments: &[&str]| {
        let mut process = surefoot();
        let done = finish(
            process
                .args(["shell", "check", "--no-cache", "--"])
                .args(arguments),
            b"",
        );
        (done.status, done.out)
    };
    let (status, text) = run(&["echo", "it's | sur3foot-none"]);
    assert_eq!(status, 0, "{text}");
    let (status, text) = run(&["echo it | sur3foot-none"]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("unknown-command (exact): `sur3foot-none`"),
        "{text}"
    );
}

#[test]
fn a_batch_has_a_verdict_a_line() {
    let mut process = surefoot();
    process.args(["shell", "check", "--batch", "--json", "--no-cache"]);
    let done = finish(&mut process, b"echo a\nsur3foot-none\necho 'b\n\n");
    let verdicts: Vec<String> = done
        .out
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["verdict"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(verdicts, ["admit", "block", "block", "admit"]);
    assert_eq!(done.status, 1);
}

#[test]
fn what_was_learned_is_kept_and_a_damaged_file_ignored() {
    let home = tempfile::tempdir().unwrap();
    let run = || {
        let mut process = surefoot();
        process.env("XDG_CACHE_HOME", home.path());
        finish(
            process.args(["shell", "check", "--json", "--", "bash --norc -c 'ls -a'"]),
            b"",
        )
    };
    let first = run();
    let file = home.path().join("surefoot/shell");
    assert!(file.exists());
    assert_eq!(first.out, run().out);
    std::fs::write(&file, b"surefoot-shell-1\xff\xff\xff\xff").unwrap();
    assert_eq!(first.out, run().out);
}

#[test]
fn a_hostile_folder_is_not_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    let trap = folder.path().join("ls");
    std::fs::write(&trap, "#!/bin/sh\ntouch was-run\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&trap, mode).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut process = surefoot();
    process.current_dir(folder.path());
    process.env("XDG_CACHE_HOME", home.path());
    let path = std::env::var("PATH").unwrap();
    process.env("PATH", format!(".:{path}"));
    let done = finish(
        process.args(["shell", "warm", "ls", "./ls", "--allow-exec"]),
        b"",
    );
    assert_eq!(done.status, 0);
    let done = finish(
        surefoot()
            .current_dir(folder.path())
            .env("PATH", format!(".:{path}"))
            .args([
                "shell",
                "check",
                "--no-cache",
                "--",
                "ls; ./ls --x; sur3foot-none",
            ]),
        b"",
    );
    // What `.` may hold is not known, so nothing blocks.
    assert_eq!(done.status, 0, "{}", done.out);
    assert!(!folder.path().join("was-run").exists());
}
