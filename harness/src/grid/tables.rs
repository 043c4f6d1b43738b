//! Outcomes as Markdown.

use std::fmt::{self, Write as _};

use super::outcomes::{Cell, Column, Outcomes};
use crate::stats::Verdict;
use crate::stats::bootstrap::Bootstrap;
use crate::stats::mcnemar::mcnemar;
use crate::stats::rate::Rate;

/// As many draws as the grid's construction has; the seed is in the tables.
const BOOTSTRAP: Bootstrap = Bootstrap {
    resamples: 2000,
    seed: 1,
};

/// The one that all others are tested against.
const OURS: (&str, &str) = ("surefoot-balanced-search-replace", "text");

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.success, self.clean, self.silent)?;
        if self.flagged > 0 {
            write!(f, "/{}", self.flagged)?;
        }
        for (count, word) in [(self.crashed, "crashed"), (self.timed_out, "timed out")] {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        Ok(())
    }
}

/// Returns every table of the set.
pub(crate) fn markdown(outcomes: &Outcomes) -> String {
    let mut text = String::new();
    write(&mut text, outcomes).unwrap_or_default();
    text
}

fn write(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    let trials: u64 = (0..outcomes.conditions.len())
        .map(|condition| outcomes.cell(condition, 0).trials())
        .sum();
    writeln!(
        text,
        "# {}\n\n{} edits, {trials} trials for each applier. Success is the one right file, byte for byte; clean is a \
         refusal;\nsilent is anything else, flagged the same with a warning. Rates have Wilson's 95 % interval, then\n\
         that of a bootstrap by file (B = {}, seed {}).\n\nDigest of all outcomes: `{}`",
        outcomes.set,
        outcomes.edits.len(),
        BOOTSTRAP.resamples,
        BOOTSTRAP.seed,
        outcomes.digest()
    )?;
    if let Some(digest) = outcomes.baselines().filter(|_| outcomes.set == "grid") {
        writeln!(text, "\nDigest of the six baselines: `{digest}`")?;
    }
    totals(text, outcomes)?;
    match outcomes.conditions.len() {
        ..=6 => cells(text, outcomes)?,
        _ => silent(text, outcomes)?,
    }
    tests(text, outcomes)?;
    wrong(text, outcomes)
}

/// One row an applier: all its trials, the unperturbed one apart.
fn totals(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    let stress = outcomes.conditions.iter().enumerate();
    let stress = stress.filter(|(_, name)| *name != "none");
    let stress: Vec<usize> = stress.map(|(at, _)| at).collect();
    writeln!(
        text,
        "\n## Totals, `none` aside\n\n\
         | applier | evidence | success | clean | silent | flagged | success rate | silent rate |\n\
         | --- | --- | ---: | ---: | ---: | ---: | --- | --- |"
    )?;
    for (column, Column { applier, evidence }) in outcomes.columns.iter().enumerate() {
        let cell = outcomes.sum(&stress, column);
        let rate = |verdict| -> String {
            let Some(rate) = Rate::new(cell.of(verdict), cell.trials()) else {
                return String::new();
            };
            if cell.of(verdict) == 0 {
                return rate.to_string();
            }
            let clusters = outcomes.clusters(&stress, column, verdict);
            format!("{rate} {}", BOOTSTRAP.interval(&clusters))
        };
        let Cell {
            success,
            clean,
            silent,
            flagged,
            ..
        } = cell;
        let (applied, wrong) = (rate(Verdict::Success), rate(Verdict::Silent));
        writeln!(
            text,
            "| {applier} | {evidence} | {success} | {clean} | {silent} | {flagged} | {applied} | {wrong} |"
        )?;
    }
    Ok(())
}

/// Every cell, where there are few conditions.
fn cells(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    let names = outcomes.conditions.join(" | ");
    let rule = " ---: |".repeat(outcomes.conditions.len());
    writeln!(
        text,
        "\n## Cells: success/clean/silent, and flagged where there is any\n\n\
         | applier | evidence | {names} |\n| --- | --- |{rule}"
    )?;
    for (column, Column { applier, evidence }) in outcomes.columns.iter().enumerate() {
        write!(text, "| {applier} | {evidence} |")?;
        for condition in 0..outcomes.conditions.len() {
            write!(text, " {} |", outcomes.cell(condition, column))?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The cells of one condition after the other, where there are many.
fn silent(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    writeln!(
        text,
        "\n## Cells: success/clean/silent, and flagged where there is any, by condition"
    )?;
    for (at, condition) in outcomes.conditions.iter().enumerate() {
        writeln!(
            text,
            "\n### {condition}\n\n| applier | text | witness | base |\n| --- | ---: | ---: | ---: |"
        )?;
        let mut names: Vec<&str> = outcomes
            .columns
            .iter()
            .map(|it| it.applier.as_str())
            .collect();
        names.dedup();
        for name in names {
            write!(text, "| {name} |")?;
            for evidence in ["text", "witness", "base"] {
                let is = |column: &Column| column.applier == name && column.evidence == evidence;
                match outcomes.columns.iter().position(is) {
                    Some(column) => write!(text, " {} |", outcomes.cell(at, column))?,
                    None => write!(text, " |")?,
                }
            }
            writeln!(text)?;
        }
    }
    Ok(())
}

/// McNemar's test of silent landings, each applier against ours.
fn tests(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    let is_ours = |it: &Column| (it.applier.as_str(), it.evidence.as_str()) == OURS;
    let Some(ours) = outcomes.columns.iter().position(is_ours) else {
        return Ok(());
    };
    let (name, evidence) = OURS;
    writeln!(
        text,
        "\n## Silent where {name} ({evidence}) is not, or the other way round\n\n\
         | applier | evidence | it alone | ours alone | McNemar's p |\n| --- | --- | ---: | ---: | ---: |"
    )?;
    for (column, Column { applier, evidence }) in outcomes.columns.iter().enumerate() {
        let (it, we) = outcomes.only_silent(column, ours);
        if it + we == 0 {
            continue;
        }
        let p = mcnemar(it, we);
        writeln!(text, "| {applier} | {evidence} | {it} | {we} | {p:.2e} |")?;
    }
    Ok(())
}

/// Every trial that surefoot landed wrong.
fn wrong(text: &mut String, outcomes: &Outcomes) -> fmt::Result {
    writeln!(text, "\n## Where surefoot landed wrong\n")?;
    let wrong = outcomes.wrong();
    if wrong.is_empty() {
        return writeln!(text, "Nowhere.");
    }
    let same = |a: &(_, usize, usize, Verdict), b: &(_, usize, usize, Verdict)| {
        (a.1, a.2, a.3) == (b.1, b.2, b.3)
    };
    for run in wrong.chunk_by(same) {
        let Some((_, condition, column, verdict)) = run.first() else {
            continue;
        };
        let (condition, column) = (
            outcomes.conditions.get(*condition),
            outcomes.columns.get(*column),
        );
        let (Some(condition), Some(Column { applier, evidence })) = (condition, column) else {
            continue;
        };
        let ids: Vec<String> = run.iter().map(|(of, ..)| of.id.to_string()).collect();
        let (count, word, ids) = (ids.len(), verdict.word(), ids.join(" "));
        writeln!(
            text,
            "- {applier}, {evidence}, {condition}: {count} {word}: {ids}"
        )?;
    }
    Ok(())
}
