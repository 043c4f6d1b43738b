//! The shell benchmark: examples of a public collection and mutants of them, judged by surefoot and by
//! simpler verifiers, against oracles that know none of them.
//!
//! Syntax is for bash to say, names are for the path, flags are for the tools themselves: each is run
//! in the sandbox with the flag and nothing else, once, and what it said is kept as facts. Tools whose
//! name's hash is divisible by five are held out: reported apart, and never looked at while rules are made.

mod configurations;
mod oracle;
mod paper;
mod report;
mod trials;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use surefoot_corpus::shell::{Row, page_rows, rows};

use crate::Trouble;
use crate::record::Record;
use oracle::Oracle;

/// What to judge.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The extract of the collection in lines of JSON, or a checkout of it.
    #[arg(long)]
    commands: PathBuf,
    /// What tools were found to accept and to reject, read first and written last.
    #[arg(long, default_value = "snapshots/shell/facts.tsv")]
    facts: PathBuf,
    /// Run the tools in the sandbox to find out what is not among the facts yet.
    #[arg(long)]
    probe: bool,
    /// Judge all commands, not four of each tool.
    #[arg(long)]
    uncapped: bool,
    /// Where to list what ended wrong, for tools that are not held out.
    #[arg(long)]
    faults: Option<PathBuf>,
    /// List those of the held-out tools, too: only once nothing will be changed any more.
    #[arg(long, requires = "faults")]
    held_out: bool,
    /// Where surefoot keeps what it learns; by default nowhere.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Judge with surefoot a second time after each tool was asked for help in the sandbox.
    #[arg(long)]
    warm: bool,
    /// Judge as the paper's verifier does, too: pages are rendered, and tools asked for help in the sandbox.
    #[arg(long)]
    paper: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The first argument of the process that is to become a tool.
const HELPER: &str = "__become-tool";

/// Becomes a tool in the sandbox, if that is what this process was started for.
pub(crate) fn helper() -> Option<u8> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(HELPER)) {
        return None;
    }
    let rest: Vec<_> = arguments.collect();
    Some(surefoot_shell::sandbox::become_tool(&rest))
}

/// Runs the benchmark.
pub(crate) fn run(options: &Options, out: &Path) -> Result<bool, Trouble> {
    let rows = read(&options.commands)?;
    let mut oracle = Oracle::new(&options.facts, options.probe)?;
    let mut trials = trials::make(&rows, options.uncapped, &mut oracle)?;
    trials.funnel.push((
        "tools whose flags are known without running any",
        configurations::covered(&trials)?,
    ));
    oracle.save()?;
    let outcomes = configurations::judge(&trials, options)?;
    let summary = report::summary(&trials, &outcomes);
    if let Some(path) = &options.faults {
        write(path, &report::faults(&trials, &outcomes, options.held_out))?;
    }
    let name = if options.uncapped {
        "shell/uncapped"
    } else {
        "shell/capped"
    };
    let letters = Record {
        name: format!("{name}-letters.txt"),
        text: report::letters(&trials, &outcomes),
        right: true,
    };
    write(&out.join(&letters.name), &letters.text)?;
    let right = summary.is_right();
    if options.json {
        print(&summary.json()?);
        write(&out.join(format!("{name}.json")), &summary.json()?)?;
        write(&out.join(format!("{name}.txt")), &summary.text())?;
        return Ok(right);
    }
    let record = Record {
        name: format!("{name}.txt"),
        text: summary.text(),
        right,
    };
    write(&out.join(format!("{name}.json")), &summary.json()?)?;
    record.write(out)?;
    Ok(right)
}

#[expect(
    clippy::print_stdout,
    reason = "the summary is what the program is run for"
)]
fn print(text: &str) {
    print!("{text}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness records what it finds"
)]
fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(path, text)?)
}

/// Reads the collection: an extract, or the English pages of a checkout.
#[expect(
    clippy::disallowed_methods,
    reason = "the collection is the harness's to read"
)]
fn read(path: &Path) -> Result<Vec<Row>, Trouble> {
    if path.is_file() {
        return Ok(rows(&std::fs::read_to_string(path)?));
    }
    let mut found = Vec::new();
    for folder in ["common", "linux"] {
        let folder = path.join("pages").join(folder);
        let mut pages: Vec<PathBuf> = std::fs::read_dir(&folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        pages.sort();
        for page in pages {
            let name = page.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            found.extend(page_rows(name, &std::fs::read_to_string(&page)?));
        }
    }
    Ok(found)
}
