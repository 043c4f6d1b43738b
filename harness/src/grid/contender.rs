//! What is compared: a peer, or surefoot with some policy, format and evidence.

use std::sync::Arc;

use surefoot_corpus::grid::{Rendering, Trial};
use surefoot_engine::policy::Policy;

use super::surefoot::{self, Evidence, Surefoot};
use super::theirs::{self, Program, Said};
use crate::Trouble;
use crate::appliers::{self, Answer, Applier, Block, Format, Request};
use crate::stats::Verdict;

/// The file's name in edits.
pub(super) const PATH: &str = "file.py";

/// One row of the tables.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Peer(Applier, Format),
    Ours(Surefoot),
    Theirs(Arc<Program>, Rendering, Evidence),
}

impl Contender {
    /// Returns a peer under a name of its own.
    pub(crate) fn peer(name: impl Into<String>, applier: Applier, format: Format) -> Self {
        Self {
            name: name.into(),
            kind: Kind::Peer(applier, format),
        }
    }

    /// Returns surefoot with that policy, format and evidence.
    pub(crate) fn ours(policy: Policy, rendering: Rendering, evidence: Evidence) -> Self {
        let ours = Surefoot {
            policy,
            rendering,
            evidence,
        };
        Self {
            name: ours.name(),
            kind: Kind::Ours(ours),
        }
    }

    /// Returns somebody's program with every format that it reads; with what the author saw too, where
    /// it asks for that.
    ///
    /// # Errors
    ///
    /// Where it reads a format that there is not.
    pub(crate) fn theirs(program: &Arc<Program>) -> Result<Vec<Self>, Trouble> {
        let hello = &program.hello;
        let mut all = Vec::new();
        for name in &hello.formats {
            let is = |rendering: &Rendering| surefoot::format(*rendering) == name;
            let rendering = Rendering::ALL.into_iter().find(is).ok_or_else(|| {
                let names = Rendering::ALL.map(surefoot::format).join(", ");
                format!("`{}` reads `{name}`; the formats are {names}", hello.name)
            })?;
            let base = hello.base.then_some(Evidence::Base);
            for evidence in [Evidence::Text].into_iter().chain(base) {
                all.push(Self {
                    name: format!("{}-{name}", hello.name),
                    kind: Kind::Theirs(program.clone(), rendering, evidence),
                });
            }
        }
        Ok(all)
    }

    /// Returns what format surefoot or a program of somebody's gets.
    pub(crate) fn rendering(&self) -> Option<Rendering> {
        match &self.kind {
            Kind::Peer(..) => None,
            Kind::Ours(ours) => Some(ours.rendering),
            Kind::Theirs(_, rendering, _) => Some(*rendering),
        }
    }

    /// Returns the name in tables and digests, without the evidence.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it knows beside the file and the edit.
    pub(crate) fn evidence(&self) -> Evidence {
        match &self.kind {
            Kind::Peer(_, Format::Versions) => Evidence::Base,
            Kind::Peer(..) => Evidence::Text,
            Kind::Ours(ours) => ours.evidence,
            Kind::Theirs(_, _, evidence) => *evidence,
        }
    }

    /// Makes sure that the program behind a peer is there and is the one that is meant.
    ///
    /// # Errors
    ///
    /// Where it is not: that is no outcome.
    pub(crate) fn check(&self) -> Result<(), Trouble> {
        match &self.kind {
            Kind::Peer(Applier::Patch(patch), _) => patch.version().map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Applies `trial`'s edit to its file, and judges what came of it.
    ///
    /// # Errors
    ///
    /// Where the applier cannot be run at all, which is no outcome.
    pub(crate) fn run(&self, trial: &Trial<'_>) -> Result<Verdict, Trouble> {
        match &self.kind {
            Kind::Ours(ours) => {
                let (answer, warned) = ours.apply(trial);
                Ok(judged(&answer, warned, trial))
            }
            Kind::Theirs(program, rendering, evidence) => {
                run_theirs(program, *rendering, *evidence, trial)
            }
            Kind::Peer(applier, format) => {
                let answer = run_peer(applier, *format, trial)?;
                Ok(Verdict::of(&answer, &trial.expected))
            }
        }
    }
}

fn judged(answer: &Answer, warned: bool, trial: &Trial<'_>) -> Verdict {
    match Verdict::of(answer, &trial.expected) {
        Verdict::Silent if warned => Verdict::Flagged,
        verdict => verdict,
    }
}

/// Gives `trial`'s edit to somebody's program.
fn run_theirs(
    program: &Program,
    rendering: Rendering,
    evidence: Evidence,
    trial: &Trial<'_>,
) -> Result<Verdict, Trouble> {
    let edit = rendering.render(trial, PATH);
    let base = (evidence == Evidence::Base).then(|| joined(trial.edit.base()));
    let said = program.ask(&theirs::Request {
        id: trial.edit.row.id as u64,
        format: surefoot::format(rendering),
        path: PATH,
        file: &trial.file,
        edit: &edit,
        base: base.as_deref(),
    })?;
    Ok(match said {
        Said::Answer(answer, warned) => judged(&answer, warned, trial),
        Said::Crashed => Verdict::Crashed,
        Said::TimedOut => Verdict::TimedOut,
    })
}

/// Writes `trial`'s edit down as `format` has it, and gives it to the peer.
fn run_peer(applier: &Applier, format: Format, trial: &Trial<'_>) -> Result<Answer, Trouble> {
    let file = trial.file.as_str();
    let give = |edit| applier.apply(&Request { file, edit });
    let edit = trial.edit;
    match format {
        Format::Blocks => {
            let hunks = edit.hunks();
            let quote = |line: &String| trial.condition.quote(line) + "\n";
            let texts: Vec<(String, String)> = hunks
                .iter()
                .map(|hunk| (hunk.old.iter().map(quote).collect(), joined(&hunk.new)))
                .collect();
            let blocks: Vec<Block<'_>> =
                texts.iter().map(|(old, new)| Block { old, new }).collect();
            give(appliers::Edit::Blocks(&blocks))
        }
        Format::Diff => {
            let diff = Rendering::UnifiedDiff.render(trial, PATH);
            give(appliers::Edit::Diff(&diff))
        }
        Format::Lines => {
            let hunks = edit.hunks();
            let texts: Vec<String> = hunks.iter().map(|hunk| joined(&hunk.new)).collect();
            let ranges: Vec<_> = hunks
                .iter()
                .zip(&texts)
                .map(|(hunk, new)| {
                    let start = hunk.first - 1;
                    (start..start + hunk.old.len(), new.as_str())
                })
                .collect();
            give(appliers::Edit::Lines(&ranges))
        }
        Format::Function => {
            let (found, new) = (trial.functions(), joined(&edit.function_after()));
            let functions: Vec<appliers::Function<'_>> = found
                .iter()
                .map(|found| appliers::Function {
                    name: &found.qualified,
                    lines: found.first - 1..found.last,
                })
                .collect();
            give(appliers::Edit::Function {
                name: &edit.row.qualified,
                new: &new,
                functions: &functions,
            })
        }
        Format::Versions => {
            let (base, target) = (joined(edit.base()), joined(&edit.target()));
            give(appliers::Edit::Versions {
                base: &base,
                target: &target,
            })
        }
    }
}

/// Joins `lines`, each with its end.
pub(super) fn joined(lines: &[String]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect()
}
