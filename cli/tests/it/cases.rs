//! Every case of the corpus, through the real process.

use std::io::Write as _;
use std::process::{Command, Stdio};

use surefoot_corpus::{Run, Trial, cases};

/// Sends one trial's edit to the binary and returns what is wrong with what came of it.
fn fault(trial: Trial<'_>) -> Option<String> {
    let work = tempfile::tempdir().unwrap();
    let ground = trial.lay_out(work.path()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
    command.args(ground.args()).current_dir(work.path());
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // A refusal may come before all input is read.
    let _sent = input.write_all(&trial.edit());
    drop(input);
    let done = child.wait_with_output().unwrap();
    let run = Run {
        status: done.status.code(),
        stdout: done.stdout,
    };
    let grade = ground.grade(&run).unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    (!grade.is_right()).then(|| format!("{trial}: {grade:?} {said}\n    {}", trial.case.why))
}

/// Tries all cases in all their settings, and lists every one that does not end as it must.
#[test]
fn every_case_ends_as_it_must() {
    let cases = cases().unwrap();
    let trials: Vec<Trial<'_>> = cases.iter().flat_map(|case| case.trials()).collect();
    let half = trials.len().div_ceil(2);
    let faults: Vec<String> = std::thread::scope(|scope| {
        let halves = trials.chunks(half).map(|chunk| {
            scope.spawn(|| chunk.iter().copied().filter_map(fault).collect::<Vec<_>>())
        });
        let halves: Vec<_> = halves.collect();
        halves
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    });
    let list = faults.join("\n");
    assert!(
        faults.is_empty(),
        "{} of {} trials:\n{list}",
        faults.len(),
        trials.len()
    );
}
