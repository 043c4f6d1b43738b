//! What is to be judged: commands that are right, and mutants that an oracle has confirmed.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_corpus::shell::{Command, Kind, Mutant, Row, hash, mutants};

use super::oracle::{Answer, Oracle, Question, Syntax};
use crate::Trouble;

/// Commands of one tool, where they are capped.
const CAP: usize = 4;

/// A command and what is true of it.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) text: String,
    pub(crate) held_out: bool,
    pub(crate) truth: Truth,
}

/// What is true of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// It is right, as far as its tool says.
    Valid,
    /// Its collection says that it is right, and its tool that it has no such flag.
    Stale,
    /// It has a mistake of this kind.
    Mutant(Kind),
}

impl Truth {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Stale => "stale",
            Self::Mutant(kind) => kind.name(),
        }
    }
}

/// All trials, and how many commands there were on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trials {
    pub(crate) all: Vec<Trial>,
    /// Counts from step to step, in their order.
    pub(crate) funnel: Vec<(&'static str, usize)>,
}

/// Makes the trials.
pub(crate) fn make(rows: &[Row], uncapped: bool, oracle: &mut Oracle) -> Result<Trials, Trouble> {
    let mut funnel = vec![("rows", rows.len())];
    let mut seen = BTreeSet::new();
    let mut installed = Vec::new();
    for command in rows.iter().filter_map(Row::command) {
        if oracle.program(&command.tool).is_none() {
            continue;
        }
        let first = command.text.split_whitespace().next().unwrap_or("");
        // Where there is no sudo, nobody would write it.
        let bare = matches!(first, "sudo" | "doas") && !oracle.exists(first);
        installed.push(if bare { command.bare() } else { command });
    }
    let commands: Vec<Command> = installed
        .into_iter()
        .filter(|command| seen.insert(command.text.clone()))
        .collect();
    funnel.push(("of tools on the path, rendered, distinct", commands.len()));
    let texts: Vec<String> = commands
        .iter()
        .map(|command| command.text.clone())
        .collect();
    let parses = oracle.parse(&texts);
    let mut commands: Vec<Command> = commands
        .into_iter()
        .zip(parses)
        .filter(|(_, syntax)| *syntax == Syntax::Parses)
        .map(|(command, _)| command)
        .collect();
    funnel.push(("that bash parses", commands.len()));
    commands.retain(|command| command.names().iter().all(|name| oracle.exists(name)));
    funnel.push(("whose words for programs all name one", commands.len()));
    let pool = pool(&commands);
    if !uncapped {
        commands = capped(commands);
        funnel.push(("at most four of a tool", commands.len()));
    }
    let tools: BTreeSet<&str> = commands
        .iter()
        .map(|command| command.tool.as_str())
        .collect();
    funnel.push(("tools", tools.len()));
    let mut all = valid(&commands, oracle)?;
    funnel.push((
        "whose tool rejects a flag",
        all.iter()
            .filter(|trial| trial.truth == Truth::Stale)
            .count(),
    ));
    for kind in Kind::ALL {
        all.extend(mistakes(&commands, kind, &pool, oracle)?);
    }
    Ok(Trials { all, funnel })
}

/// Returns every long flag of the commands, with its tool.
fn pool(commands: &[Command]) -> Vec<(String, String)> {
    let flags: BTreeSet<(String, String)> = commands
        .iter()
        .flat_map(|command| {
            command
                .flags()
                .into_iter()
                .filter_map(|flag| flag.strip_prefix("--").map(str::to_owned))
                .map(|name| (command.tool.clone(), name))
                .collect::<Vec<_>>()
        })
        .collect();
    flags.into_iter().collect()
}

fn capped(commands: Vec<Command>) -> Vec<Command> {
    let mut of_tool: BTreeMap<String, Vec<Command>> = BTreeMap::new();
    for command in commands {
        of_tool
            .entry(command.tool.clone())
            .or_default()
            .push(command);
    }
    of_tool
        .into_values()
        .flat_map(|mut commands| {
            commands.sort_by_key(|command| hash(&command.text));
            commands.truncate(CAP);
            commands
        })
        .collect()
}

fn question(command: &Command, flag: &str) -> Question {
    Question {
        tool: command.tool.clone(),
        subcommands: command.subcommands.clone(),
        flag: flag.to_owned(),
    }
}

fn trial(command: &Command, text: &str, truth: Truth) -> Trial {
    Trial {
        id: format!("{}/{}", command.id, truth.name()),
        tool: command.tool.clone(),
        text: text.to_owned(),
        held_out: command.is_held_out(),
        truth,
    }
}

fn valid(commands: &[Command], oracle: &mut Oracle) -> Result<Vec<Trial>, Trouble> {
    let questions: Vec<Question> = commands
        .iter()
        .flat_map(|command| {
            command
                .flags()
                .into_iter()
                .map(|flag| question(command, flag))
                .collect::<Vec<_>>()
        })
        .collect();
    oracle.ask(&questions)?;
    Ok(commands
        .iter()
        .map(|command| {
            let stale = command
                .flags()
                .into_iter()
                .any(|flag| oracle.answer(&question(command, flag)) == Answer::Rejects);
            trial(
                command,
                &command.text,
                if stale { Truth::Stale } else { Truth::Valid },
            )
        })
        .collect())
}

/// Returns a mutant of each command, if its oracle confirms one of those that were drawn.
fn mistakes(
    commands: &[Command],
    kind: Kind,
    pool: &[(String, String)],
    oracle: &mut Oracle,
) -> Result<Vec<Trial>, Trouble> {
    let mut open: Vec<(&Command, std::vec::IntoIter<Mutant>)> = commands
        .iter()
        .map(|command| (command, mutants(command, kind, pool).into_iter()))
        .collect();
    let mut found = Vec::new();
    while !open.is_empty() {
        let drawn: Vec<Option<Mutant>> = open.iter_mut().map(|(_, rest)| rest.next()).collect();
        let mutants: Vec<Mutant> = drawn.iter().flatten().cloned().collect();
        let confirmed = confirm(kind, &open, &drawn, &mutants, oracle)?;
        let mut next = Vec::new();
        for (((command, rest), mutant), confirmed) in open.into_iter().zip(drawn).zip(confirmed) {
            match mutant {
                Some(mutant) if confirmed => {
                    found.push(trial(command, &mutant.text, Truth::Mutant(kind)));
                }
                Some(_) => next.push((command, rest)),
                None => {}
            }
        }
        open = next;
    }
    Ok(found)
}

fn confirm(
    kind: Kind,
    open: &[(&Command, std::vec::IntoIter<Mutant>)],
    drawn: &[Option<Mutant>],
    mutants: &[Mutant],
    oracle: &mut Oracle,
) -> Result<Vec<bool>, Trouble> {
    match kind {
        Kind::Binary => Ok(drawn
            .iter()
            .map(|mutant| {
                mutant
                    .as_ref()
                    .is_some_and(|mutant| !oracle.exists(&mutant.token))
            })
            .collect()),
        Kind::Syntax | Kind::Unbalanced => {
            let texts: Vec<String> = mutants.iter().map(|mutant| mutant.text.clone()).collect();
            let mut answers = oracle.parse(&texts).into_iter();
            Ok(drawn
                .iter()
                .map(|mutant| mutant.is_some() && answers.next() == Some(Syntax::Fails))
                .collect())
        }
        Kind::Long | Kind::Short | Kind::Cluster => {
            let questions: Vec<Option<Question>> = open
                .iter()
                .zip(drawn)
                .map(|((command, _), mutant)| {
                    mutant
                        .as_ref()
                        .map(|mutant| question(command, &mutant.token))
                })
                .collect();
            let asked: Vec<Question> = questions.iter().flatten().cloned().collect();
            oracle.ask(&asked)?;
            Ok(questions
                .iter()
                .map(|question| {
                    question
                        .as_ref()
                        .is_some_and(|question| oracle.answer(question) == Answer::Rejects)
                })
                .collect())
        }
    }
}
