//! Measures surefoot on edits whose truth is known, and records what it found under `snapshots/`.
//!
//! Each sweep runs the real binary as its users do. Its truth comes from git's history or from the
//! way the edit was made, never from the code under test. Equal arguments give equal records, the
//! speed sweep's times aside.

mod appliers;
mod corpus;
mod daily;
mod differential;
mod grid;
mod history;
mod process;
mod record;
mod rng;
mod scratch;
mod shell;
mod speed;
mod stats;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Whatever keeps a sweep from going on.
pub(crate) type Trouble = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, Parser)]
#[command(about = "Measures surefoot on edits whose truth is known")]
struct Args {
    /// The binary under test; by default the one beside this.
    #[arg(long, global = true)]
    surefoot: Option<PathBuf>,
    /// The folder that records are written to.
    #[arg(long, global = true, default_value = "snapshots")]
    out: PathBuf,
    #[command(subcommand)]
    sweep: Sweep,
}

#[derive(Debug, Subcommand)]
enum Sweep {
    /// Applies each of a repository's last commits to its parent, and compares trees.
    History(history::Options),
    /// Cuts a repository's last commits into small text edits, and applies them one by one.
    Daily(daily::Options),
    /// Applies generated diffs with git and with surefoot, and compares both with the truth.
    Differential(differential::Options),
    /// Runs the perturbation grid: every applier on 640 edits of real functions under every drift.
    Grid(grid::Options),
    /// Runs what the paper has, and prints its figures beside ours.
    Paper(grid::Replication),
    /// Runs an applier that you bring beside surefoot, on the grid's trials.
    Compare(grid::Comparison),
    /// Puts the rows of a grid's shards together, and makes the tables of them.
    Merge(grid::Parts),
    /// Fetches the pinned sources of other languages than Python, and pins their samples.
    #[command(subcommand)]
    Corpus(corpus::Step),
    /// Judges shell commands, right ones and mutants of them, whose answers programs other than surefoot gave.
    Shell(shell::Options),
    /// Times a small edit against a bare program that does the same.
    Speed(speed::Options),
}

fn main() -> ExitCode {
    if let Some(status) = shell::helper() {
        return ExitCode::from(status);
    }
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(trouble) => {
            record::complain(&trouble.to_string());
            ExitCode::from(2)
        }
    }
}

/// Runs the sweep asked for; tells whether nothing is wrong.
fn run(args: &Args) -> Result<bool, Trouble> {
    match &args.sweep {
        Sweep::Grid(options) => grid::run(options, &args.out),
        Sweep::Paper(options) => grid::replicate(options, &args.out),
        Sweep::Compare(options) => grid::compare(options, &args.out),
        Sweep::Merge(parts) => grid::merge(parts, &args.out),
        Sweep::Corpus(step) => corpus::run(step),
        Sweep::Shell(options) => shell::run(options, &args.out),
        Sweep::History(options) => record(args, |surefoot| history::run(surefoot, options)),
        Sweep::Daily(options) => record(args, |surefoot| daily::run(surefoot, options)),
        Sweep::Differential(options) => {
            record(args, |surefoot| differential::run(surefoot, options))
        }
        Sweep::Speed(options) => record(args, |surefoot| speed::run(surefoot, options)),
    }
}

/// Runs a sweep of the binary, and records what it found.
fn record(
    args: &Args,
    sweep: impl FnOnce(&process::Surefoot) -> Result<record::Record, Trouble>,
) -> Result<bool, Trouble> {
    let binary = match &args.surefoot {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("surefoot"),
    };
    let surefoot = process::Surefoot::new(&binary)?;
    let record = sweep(&surefoot)?;
    record.write(&args.out)?;
    Ok(record.right)
}
