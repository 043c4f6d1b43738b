//! What the trials come to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use surefoot_corpus::shell::Kind;

use super::configurations::{Outcome, Said};
use super::trials::{Trial, Trials, Truth};
use crate::Trouble;
use crate::stats::bootstrap::{Bootstrap, Cluster};
use crate::stats::rate::Interval;

/// The draws of the bootstrap over tools.
const BOOTSTRAP: Bootstrap = Bootstrap {
    resamples: 2000,
    seed: 0x5375_7265_666f_6f74,
};

/// Which tools are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Tuned,
    HeldOut,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::HeldOut => "held out",
        }
    }
}

/// A share with its interval over tools.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    hits: u64,
    trials: u64,
    interval: Interval,
}

impl Share {
    fn value(self) -> f64 {
        self.hits as f64 / self.trials.max(1) as f64
    }

    fn json(self) -> Value {
        json!({"hits": self.hits, "of": self.trials, "rate": round(self.value()),
               "interval": [round(self.interval.low), round(self.interval.high)]})
    }
}

fn round(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// One verifier on one part of the tools.
#[derive(Clone, Debug)]
struct Line {
    name: &'static str,
    part: Part,
    recall: Vec<(Kind, Share)>,
    stale: Share,
    raw: Share,
    confirmed: Share,
    blocked: Share,
    abstained: Share,
    blind: Share,
}

impl Line {
    /// The mean over the paper's four kinds.
    fn four(&self) -> f64 {
        let kinds = [Kind::Binary, Kind::Syntax, Kind::Long, Kind::Short];
        let of = |kind: Kind| {
            let found = self.recall.iter().find(|(other, _)| *other == kind);
            found.map_or(0.0, |(_, share)| share.value())
        };
        kinds.into_iter().map(of).sum::<f64>() / 4.0
    }
}

/// All figures.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    funnel: Vec<(&'static str, usize)>,
    lines: Vec<Line>,
    times: Vec<Duration>,
}

/// Counts.
pub(crate) fn summary(trials: &Trials, outcomes: &[Outcome]) -> Summary {
    let lines = outcomes
        .iter()
        .flat_map(|outcome| [Part::Tuned, Part::HeldOut].map(|part| line(trials, outcome, part)))
        .collect();
    // Of what is right, as most commands are; what is wrong may take a look at every program.
    let mut times: Vec<Duration> = outcomes
        .iter()
        .flat_map(|outcome| trials.all.iter().zip(&outcome.times))
        .filter(|(trial, _)| matches!(trial.truth, Truth::Valid | Truth::Stale))
        .map(|(_, time)| *time)
        .collect();
    times.sort();
    Summary {
        funnel: trials.funnel.clone(),
        lines,
        times,
    }
}

fn line(trials: &Trials, outcome: &Outcome, part: Part) -> Line {
    let share = |truth: &dyn Fn(Truth) -> bool, hit: &dyn Fn(Said) -> bool| {
        let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
        let wanted =
            |trial: &&Trial| trial.held_out == (part == Part::HeldOut) && truth(trial.truth);
        for (trial, said) in trials
            .all
            .iter()
            .zip(&outcome.said)
            .filter(|(trial, _)| wanted(trial))
        {
            let cluster = clusters
                .entry(&trial.tool)
                .or_insert(Cluster { hits: 0, trials: 0 });
            cluster.trials += 1;
            cluster.hits += u64::from(hit(*said));
        }
        let clusters: Vec<Cluster> = clusters.into_values().collect();
        Share {
            hits: clusters.iter().map(|cluster| cluster.hits).sum(),
            trials: clusters.iter().map(|cluster| cluster.trials).sum(),
            interval: BOOTSTRAP.interval(&clusters),
        }
    };
    let right = |truth: Truth| matches!(truth, Truth::Valid | Truth::Stale);
    let valid = |truth: Truth| truth == Truth::Valid;
    Line {
        name: outcome.name,
        part,
        recall: Kind::ALL
            .iter()
            .map(|kind| {
                (
                    *kind,
                    share(&|truth| truth == Truth::Mutant(*kind), &Said::is_alarm),
                )
            })
            .collect(),
        stale: share(&|truth| truth == Truth::Stale, &Said::is_alarm),
        raw: share(&right, &Said::is_alarm),
        confirmed: share(&valid, &Said::is_alarm),
        blocked: share(&right, &|said| said == Said::Blocks),
        abstained: share(&right, &|said| said == Said::Abstains),
        blind: share(&|truth| matches!(truth, Truth::Mutant(_)), &|said| {
            said == Said::Abstains
        }),
    }
}

impl Summary {
    /// Tells whether no right command is blocked.
    pub(crate) fn is_right(&self) -> bool {
        self.lines.iter().all(|line| line.blocked.hits == 0)
    }

    fn percentile(&self, thousandths: usize) -> Duration {
        let at = self.times.len().saturating_sub(1) * thousandths / 1000;
        self.times.get(at).copied().unwrap_or_default()
    }

    /// Returns the figures as JSON.
    pub(crate) fn json(&self) -> Result<String, Trouble> {
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                let recall: serde_json::Map<String, Value> = line
                    .recall
                    .iter()
                    .map(|(kind, share)| (kind.name().to_owned(), share.json()))
                    .collect();
                json!({
                    "configuration": line.name, "tools": line.part.name(), "recall": recall, "recall_of_four": round(line.four()),
                    "false_positives_raw": line.raw.json(), "false_positives_confirmed": line.confirmed.json(),
                    "valid_blocked": line.blocked.json(), "valid_abstained": line.abstained.json(),
                    "mutants_abstained": line.blind.json(), "stale_found": line.stale.json(),
                })
            })
            .collect();
        let funnel: Vec<Value> = self
            .funnel
            .iter()
            .map(|(name, count)| json!([name, count]))
            .collect();
        let mut text = serde_json::to_string_pretty(
            &json!({"version": 1, "funnel": funnel, "configurations": lines}),
        )?;
        text.push('\n');
        Ok(text)
    }

    /// Returns the figures as tables.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        for (name, count) in &self.funnel {
            let _infallible = writeln!(out, "{count:>7}  {name}");
        }
        for part in [Part::Tuned, Part::HeldOut] {
            let _infallible = writeln!(out, "\n{} tools", part.name());
            for line in self.lines.iter().filter(|line| line.part == part) {
                write_line(&mut out, line);
            }
        }
        let _infallible = writeln!(
            out,
            "\na right command, in the process, all known: median {:?}, 95 % {:?}, 99 % {:?}",
            self.percentile(500),
            self.percentile(950),
            self.percentile(990)
        );
        out
    }
}

fn write_line(out: &mut String, line: &Line) {
    let mut put = |name: &str, share: Share| {
        let _infallible = writeln!(
            out,
            "    {name:<34} {:.4} {}  {} of {}",
            share.value(),
            share.interval,
            share.hits,
            share.trials
        );
    };
    let head = format!(
        "  {}: recall of the four kinds {:.4}\n",
        line.name,
        line.four()
    );
    for (kind, share) in &line.recall {
        put(&format!("recall {}", kind.name()), *share);
    }
    put("false alarms, raw", line.raw);
    put("false alarms, confirmed", line.confirmed);
    put("right commands blocked", line.blocked);
    put("right commands abstained from", line.abstained);
    put("mutants abstained from", line.blind);
    put("stale commands found", line.stale);
    let at = out.rfind("    recall binary").unwrap_or(out.len());
    out.insert_str(at, &head);
}

/// Returns a letter for each trial and verifier, with the trial's name and no text of the collection.
pub(crate) fn letters(trials: &Trials, outcomes: &[Outcome]) -> String {
    let names: Vec<&str> = outcomes.iter().map(|outcome| outcome.name).collect();
    let mut out = format!("# {}\n", names.join(" | "));
    for (nth, trial) in trials.all.iter().enumerate() {
        let letters: String = outcomes
            .iter()
            .filter_map(|outcome| outcome.said.get(nth))
            .map(|said| said.letter())
            .collect();
        let _infallible = writeln!(out, "{letters} {}", trial.id);
    }
    out
}

/// Returns what the last verifier got wrong, for reading.
pub(crate) fn faults(trials: &Trials, outcomes: &[Outcome], held_out: bool) -> String {
    let mut out = String::new();
    let Some(outcome) = outcomes.last() else {
        return out;
    };
    for ((trial, said), why) in trials.all.iter().zip(&outcome.said).zip(&outcome.why) {
        let wrong = match trial.truth {
            Truth::Valid | Truth::Stale => said.is_alarm() || *said == Said::Abstains,
            Truth::Mutant(_) => !said.is_alarm(),
        };
        if wrong && (held_out || !trial.held_out) {
            let _infallible = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{why}",
                said.letter(),
                trial.truth.name(),
                trial.id,
                trial.text
            );
        }
    }
    out
}
