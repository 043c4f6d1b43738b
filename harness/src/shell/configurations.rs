//! The verifiers that are compared.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::{Duration, Instant};

use surefoot_engine::verify::{Verdict, Verifier as _};
use surefoot_shell::sandbox::Sandbox;
use surefoot_shell::{Code, Level, Machine, Report, ShellVerifier};

use super::paper::{Paper, Words};
use super::trials::Trials;
use super::{HELPER, Options};
use crate::Trouble;

/// What a verifier says of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Nothing is wrong.
    Admits,
    /// Nothing is wrong, and of the flags too little is known.
    Abstains,
    /// Something is wrong: it warns.
    Warns,
    /// Something is wrong: it blocks.
    Blocks,
}

impl Said {
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Admits => '.',
            Self::Abstains => '?',
            Self::Warns => 'w',
            Self::Blocks => 'B',
        }
    }

    /// Tells whether the author hears of a mistake.
    pub(crate) fn is_alarm(self) -> bool {
        matches!(self, Self::Warns | Self::Blocks)
    }
}

/// What one verifier said of every trial, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) said: Vec<Said>,
    /// What it took for each, once all was known; empty where it was not measured.
    pub(crate) times: Vec<Duration>,
    /// Words on what was found, for the list of faults.
    pub(crate) why: Vec<String>,
}

/// Lets every verifier judge every trial.
pub(crate) fn judge(trials: &Trials, options: &Options) -> Result<Vec<Outcome>, Trouble> {
    let path: OsString = std::env::var_os("PATH").ok_or("there is no PATH")?;
    let mut machine = Machine::new(&path);
    if let Some(cache) = &options.cache {
        machine = machine.with_cache(cache.to_owned());
    }
    let mut all = simple(trials, &machine);
    if options.paper {
        all.extend(papers(trials, &all)?);
    }
    all.push(full("surefoot", trials, &machine));
    machine.save();
    if options.warm {
        let machine = Machine::new(&path);
        ask(trials, &machine)?;
        all.push(full("surefoot after warm --allow-exec", trials, &machine));
    }
    Ok(all)
}

/// Lets the paper's verifier judge, all words and some, on top of syntax and programs.
fn papers(trials: &Trials, simple: &[Outcome]) -> Result<Vec<Outcome>, Trouble> {
    let paper = Paper::new(trials)?;
    let exact = simple
        .last()
        .map(|outcome| outcome.said.as_slice())
        .unwrap_or_default();
    let judge = |name: &'static str, words: Words| {
        let mut out = outcome(name);
        for (trial, exact) in trials.all.iter().zip(exact) {
            out.said.push(match exact {
                Said::Blocks => Said::Blocks,
                _ => paper.judge(&trial.tool, &trial.text, words),
            });
        }
        out
    };
    Ok(vec![
        judge("paper, full", Words::All),
        judge("paper, selective", Words::Selected),
    ])
}

/// Returns of how many tools enough is known to doubt a flag, or a subcommand's.
pub(crate) fn covered(trials: &Trials) -> Result<usize, Trouble> {
    let path: OsString = std::env::var_os("PATH").ok_or("there is no PATH")?;
    let machine = Machine::new(&path);
    let tools: BTreeSet<&str> = trials.all.iter().map(|trial| trial.tool.as_str()).collect();
    let known = |tool: &&&str| {
        surefoot_shell::known(&machine, tool, &[])
            .is_some_and(|(_, flags)| flags.level() > Level::None)
    };
    Ok(tools.iter().filter(known).count())
}

/// Asks every tool of the trials for help.
fn ask(trials: &Trials, machine: &Machine) -> Result<(), Trouble> {
    let sandbox = Sandbox {
        program: std::env::current_exe()?,
        first: HELPER.into(),
        limit: Duration::from_secs(4),
    };
    let tools: BTreeSet<&str> = trials.all.iter().map(|trial| trial.tool.as_str()).collect();
    for tool in tools {
        surefoot_shell::warm(machine, tool, Some(&sandbox));
    }
    Ok(())
}

/// Lets the parts of surefoot that need no flags judge, each for itself.
fn simple(trials: &Trials, machine: &Machine) -> Vec<Outcome> {
    let mut exact = outcome("surefoot, syntax and programs");
    let mut syntax = outcome("syntax");
    let mut program = outcome("programs");
    for trial in &trials.all {
        let (_, report) = read(ShellVerifier.verify(trial.text.as_bytes(), machine));
        let has = |code: Code| report.findings.iter().any(|finding| finding.code == code);
        let alarm = |alarm: bool| if alarm { Said::Blocks } else { Said::Admits };
        syntax.said.push(alarm(has(Code::SyntaxError)));
        program.said.push(alarm(has(Code::UnknownCommand)));
        exact
            .said
            .push(alarm(has(Code::SyntaxError) || has(Code::UnknownCommand)));
    }
    vec![syntax, program, exact]
}

/// Lets surefoot judge.
fn full(name: &'static str, trials: &Trials, machine: &Machine) -> Outcome {
    // Once to learn, once to be timed.
    for trial in &trials.all {
        drop(ShellVerifier.verify(trial.text.as_bytes(), machine));
    }
    let mut full = outcome(name);
    for trial in &trials.all {
        let start = Instant::now();
        let verdict = ShellVerifier.verify(trial.text.as_bytes(), machine);
        full.times.push(start.elapsed());
        let (said, report) = read(verdict);
        full.said.push(said);
        let words: Vec<String> = report
            .findings
            .iter()
            .map(|finding| format!("{} {}", finding.code.name(), finding.token))
            .chain(report.abstained.iter().map(|one| format!("({})", one.why)))
            .collect();
        full.why.push(words.join("; "));
    }
    full
}

fn outcome(name: &'static str) -> Outcome {
    Outcome {
        name,
        said: Vec::new(),
        times: Vec::new(),
        why: Vec::new(),
    }
}

fn read(verdict: Verdict<Report, surefoot_shell::Finding, Report, Report>) -> (Said, Report) {
    match verdict {
        Verdict::Warn(report, _) => (Said::Warns, report),
        Verdict::Refuse(report) => (Said::Blocks, report),
        Verdict::Abstain(report) => (Said::Abstains, report),
        Verdict::Admit(report) => {
            let blind = report
                .commands
                .iter()
                .any(|command| command.tool.is_some() && command.evidence == Level::None)
                && report
                    .abstained
                    .iter()
                    .any(|one| one.why.starts_with(b"too little"));
            (if blind { Said::Abstains } else { Said::Admits }, report)
        }
    }
}
