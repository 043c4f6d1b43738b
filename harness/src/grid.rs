//! The perturbation grid: every applier on every edit under every drift, against a truth that was
//! fixed before any of them ran.

mod contender;
mod outcomes;
mod rows;
mod run;
mod set;
mod shard;
mod summary;
mod surefoot;
mod tables;

#[cfg(test)]
mod tests;

use std::io::BufWriter;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use self::contender::Contender;
use self::outcomes::Outcomes;
use self::rows::Rows;
use self::run::Plan;
use self::set::Set;
use self::shard::Shard;
use self::summary::Summary;
use crate::Trouble;
use crate::record::Record;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which trials; by default the grid and the harsh drifts.
    #[arg(long, value_enum)]
    set: Vec<Set>,
    /// Run only the appliers whose name has this in it.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// How many threads; by default one a core.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Run part K of N, counted from 0. `N` alone takes K from `JOB_COMPLETION_INDEX` or
    /// `SLURM_ARRAY_TASK_ID`. Needs `--rows`; see `merge`.
    #[arg(long, value_name = "K/N", requires = "rows")]
    shard: Option<Shard>,
    /// Write a row a trial to this folder, as JSON lines.
    #[arg(long, value_name = "FOLDER")]
    rows: Option<PathBuf>,
    /// Print one JSON summary in place of the tables.
    #[arg(long)]
    json: bool,
    /// Where fetched sources are kept.
    #[arg(long, value_name = "FOLDER", default_value = "target/corpus")]
    cache: PathBuf,
}

/// What to put together.
#[derive(Debug, clap::Args)]
pub(crate) struct Parts {
    /// The parts' rows, of one set or of several.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write all rows to this folder.
    #[arg(long, value_name = "FOLDER")]
    rows: Option<PathBuf>,
    /// Print one JSON summary in place of the tables.
    #[arg(long)]
    json: bool,
}

/// Runs the trials that `options` ask for, and records them in `out`. Tells whether surefoot landed
/// nothing wrong.
pub(crate) fn run(options: &Options, out: &Path) -> Result<bool, Trouble> {
    let sets = match options.set.as_slice() {
        [] => &Set::DEFAULT,
        sets => sets,
    };
    let all: Vec<Rows> = sets
        .iter()
        .map(|set| run_set(*set, options))
        .collect::<Result<_, _>>()?;
    finish(all, options.rows.as_deref(), options.json, out)
}

/// Puts the parts of runs together, and records them in `out`.
pub(crate) fn merge(parts: &Parts, out: &Path) -> Result<bool, Trouble> {
    let mut sets: Vec<Vec<Rows>> = Vec::new();
    for file in &parts.files {
        let named = |trouble: Trouble| format!("`{}`: {trouble}", file.display());
        let rows = read(file)
            .and_then(|text| Rows::read(&text))
            .map_err(named)?;
        let same = |set: &&mut Vec<Rows>| {
            let first = set.first();
            first.is_some_and(|it| it.outcomes.set == rows.outcomes.set)
        };
        match sets.iter_mut().find(same) {
            Some(set) => set.push(rows),
            None => sets.push(vec![rows]),
        }
    }
    let all = sets
        .into_iter()
        .map(Rows::merge)
        .collect::<Result<_, _>>()?;
    finish(all, parts.rows.as_deref(), parts.json, out)
}

fn run_set(set: Set, options: &Options) -> Result<Rows, Trouble> {
    let wanted = |contender: &Contender| {
        let named = |part: &String| contender.name().contains(part.as_str());
        options.only.is_empty() || options.only.iter().any(named)
    };
    let contenders: Vec<Contender> = set.contenders().into_iter().filter(wanted).collect();
    if contenders.is_empty() {
        let set = set.name();
        return Err(format!("`{set}` has no applier of this name").into());
    }
    let edits = set.edits(&options.cache)?;
    let manifest = rows::manifest_of(&edits)?;
    let shard = options.shard.unwrap_or(Shard::WHOLE);
    let plan = Plan {
        set: set.name(),
        edits,
        conditions: set.conditions(),
        contenders,
        shard,
    };
    let jobs = options
        .jobs
        .or_else(|| std::thread::available_parallelism().ok());
    Ok(Rows {
        manifest,
        shard,
        outcomes: run::run(&plan, jobs.map_or(1, NonZero::get))?,
    })
}

/// Writes rows where they are wanted, and for whole runs the tables or the summary.
#[expect(clippy::print_stdout, reason = "the summary is what was asked for")]
fn finish(all: Vec<Rows>, folder: Option<&Path>, json: bool, out: &Path) -> Result<bool, Trouble> {
    if let Some(folder) = folder {
        for rows in &all {
            let path = folder.join(rows.file_name());
            let named = |trouble| format!("cannot write `{}`: {trouble}", path.display());
            write(rows, &path).map_err(named)?;
        }
    }
    if all.iter().any(|rows| rows.shard != Shard::WHOLE) {
        return Ok(true);
    }
    let all: Vec<Outcomes> = all.into_iter().map(|rows| rows.outcomes).collect();
    let right = all.iter().all(|outcomes| outcomes.wrong().is_empty());
    if json {
        println!("{}", serde_json::to_string(&Summary::of(&all))?);
        return Ok(right);
    }
    for outcomes in &all {
        let record = Record {
            name: format!("grid/{}.md", outcomes.set),
            text: tables::markdown(outcomes),
            right,
        };
        record.write(out)?;
    }
    Ok(right)
}

/// Writes rows so that half a file never stands under the name.
#[expect(
    clippy::disallowed_methods,
    reason = "the harness records what it finds"
)]
fn write(rows: &Rows, path: &Path) -> Result<(), Trouble> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    rows.write(BufWriter::new(&file))?;
    file.persist(path)?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "rows are files")]
fn read(path: &Path) -> Result<String, Trouble> {
    Ok(std::fs::read_to_string(path)?)
}
