//! The perturbation grid: every applier on every edit under every drift, against a truth that was
//! fixed before any of them ran.

mod contender;
mod outcomes;
mod page;
mod paper;
mod rows;
mod run;
mod set;
mod shard;
mod summary;
mod surefoot;
mod tables;
mod theirs;

#[cfg(test)]
mod tests;

use std::io::{BufWriter, Write as _};
use std::num::NonZero;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use surefoot_corpus::grid::{Condition, Edit};
use surefoot_engine::policy::Policy;

use self::contender::Contender;
use self::outcomes::Outcomes;
use self::rows::Rows;
use self::run::Plan;
use self::set::Set;
use self::shard::Shard;
use self::summary::Summary;
use self::theirs::{Hello, Program};
use crate::Trouble;
use crate::record::{Record, complain};

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Which trials; by default the grid and the harsh drifts.
    #[arg(long, value_enum)]
    set: Vec<Set>,
    /// Edits in another language than Python, of sources that `corpus fetch` gets. Its sets have the
    /// language in their names.
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
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
    /// Write one page with all tables and pictures to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Where fetched sources are kept; by default `$SUREFOOT_CORPUS`, else in the user's cache.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// Whom to compare surefoot with.
#[derive(Debug, clap::Args)]
pub(crate) struct Comparison {
    /// An applier: a command that speaks JSON lines on its standard streams (see docs/compare.md).
    #[arg(long = "applier", value_name = "COMMAND", required = true)]
    appliers: Vec<String>,
    /// How many seconds an answer may take.
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    timeout: NonZero<u32>,
    /// Which trials; by default the grid and the harsh drifts.
    #[arg(long, value_enum)]
    set: Vec<Set>,
    /// How many threads; by default one a core.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Write a row a trial to this folder, as JSON lines.
    #[arg(long, value_name = "FOLDER")]
    rows: Option<PathBuf>,
    /// Print one JSON summary in place of the tables.
    #[arg(long)]
    json: bool,
    /// Write one page with all tables and pictures to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Where fetched sources are kept; by default `$SUREFOOT_CORPUS`, else in the user's cache.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// Where to run what the paper has.
#[derive(Debug, clap::Args)]
pub(crate) struct Replication {
    /// How many threads; by default one a core.
    #[arg(long)]
    jobs: Option<NonZero<usize>>,
    /// Where fetched sources are kept; by default `$SUREFOOT_CORPUS`, else in the user's cache.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
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
    /// Write one page with all tables and pictures to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
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
    let to = Sinks {
        rows: options.rows.as_deref(),
        html: options.html.as_deref(),
        json: options.json,
        tables: &out.join("grid"),
    };
    finish(all, &to)
}

/// Runs appliers that somebody brings beside surefoot, which gets the same formats and evidence, and
/// records the outcomes in `out`.
pub(crate) fn compare(options: &Comparison, out: &Path) -> Result<bool, Trouble> {
    let patience = std::time::Duration::from_secs(options.timeout.get().into());
    let mut contenders = Vec::new();
    for command in &options.appliers {
        let program = Arc::new(Program::start(command, patience)?);
        let Hello { name, version, .. } = &program.hello;
        complain(&format!("{name} {version}"));
        contenders.extend(Contender::theirs(&program)?);
    }
    let same = |ours: &Contender| {
        let mut theirs = contenders.iter();
        theirs.any(|it| (it.rendering(), it.evidence()) == (ours.rendering(), ours.evidence()))
    };
    let ours: Vec<Contender> = set::ours(Policy::BALANCED).filter(same).collect();
    contenders.extend(ours);
    let sets = match options.set.as_slice() {
        [] => &Set::DEFAULT,
        sets => sets,
    };
    let of = |set: &Set| {
        let edits = set.edits(None, &cache(options.cache.as_deref())?)?;
        let shard = Shard::WHOLE;
        let name = set.name().to_owned();
        run_with(
            name,
            set.conditions(),
            edits,
            contenders.clone(),
            shard,
            options.jobs,
        )
    };
    let all: Vec<Rows> = sets.iter().map(of).collect::<Result<_, _>>()?;
    let to = Sinks {
        rows: options.rows.as_deref(),
        html: options.html.as_deref(),
        json: options.json,
        tables: &out.join("compare"),
    };
    finish(all, &to)
}

/// Runs what the paper has, and records its figures beside ours in `out`.
pub(crate) fn replicate(options: &Replication, out: &Path) -> Result<bool, Trouble> {
    let run = |set: Set| -> Result<Outcomes, Trouble> {
        let mut contenders = set.contenders();
        contenders.retain(|it| paper::APPLIERS.contains(&it.name()));
        let edits = set.edits(None, &cache(options.cache.as_deref())?)?;
        let shard = Shard::WHOLE;
        let (name, conditions) = (set.name().to_owned(), set.conditions());
        Ok(run_with(name, conditions, edits, contenders, shard, options.jobs)?.outcomes)
    };
    let (grid, hunks, requests) = (run(Set::Grid)?, run(Set::Hunks2)?, run(Set::Requests)?);
    let figures = paper::Figures {
        grid: &grid,
        hunks: &hunks,
        requests: &requests,
    };
    let record = Record {
        name: "paper.md".to_owned(),
        text: figures.table(),
        right: true,
    };
    record.write(&out.join("grid"))?;
    Ok(record.right)
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
    let to = Sinks {
        rows: parts.rows.as_deref(),
        html: parts.html.as_deref(),
        json: parts.json,
        tables: &out.join("grid"),
    };
    finish(all, &to)
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
    let shard = options.shard.unwrap_or(Shard::WHOLE);
    let language = options.lang.as_deref();
    let edits = set.edits(language, &cache(options.cache.as_deref())?)?;
    let name = match language {
        Some(language) => format!("{language}-{}", set.name()),
        None => set.name().to_owned(),
    };
    run_with(
        name,
        set.conditions(),
        edits,
        contenders,
        shard,
        options.jobs,
    )
}

/// Returns the folder for fetched sources.
fn cache(named: Option<&Path>) -> Result<PathBuf, Trouble> {
    let cache = named
        .map(Path::to_owned)
        .or_else(surefoot_corpus::grid::cache);
    Ok(cache.ok_or("there is no cache folder; name one with --cache")?)
}

fn run_with(
    set: String,
    conditions: Vec<Condition>,
    edits: Vec<Edit>,
    contenders: Vec<Contender>,
    shard: Shard,
    jobs: Option<NonZero<usize>>,
) -> Result<Rows, Trouble> {
    let manifest = rows::manifest_of(&edits)?;
    let plan = Plan {
        set,
        edits,
        conditions,
        contenders,
        shard,
    };
    let jobs = jobs.or_else(|| std::thread::available_parallelism().ok());
    Ok(Rows {
        manifest,
        shard,
        outcomes: run::run(&plan, jobs.map_or(1, NonZero::get))?,
    })
}

/// Where outcomes go.
struct Sinks<'s> {
    rows: Option<&'s Path>,
    html: Option<&'s Path>,
    /// A summary on standard output takes the tables' place.
    json: bool,
    tables: &'s Path,
}

/// Writes rows where they are wanted, and for whole runs the page, and the tables or the summary.
#[expect(clippy::print_stdout, reason = "the summary is what was asked for")]
fn finish(all: Vec<Rows>, to: &Sinks<'_>) -> Result<bool, Trouble> {
    if let Some(folder) = to.rows {
        for rows in &all {
            let path = folder.join(rows.file_name());
            write(&path, |file| rows.write(file))?;
        }
    }
    if all.iter().any(|rows| rows.shard != Shard::WHOLE) {
        return Ok(true);
    }
    let all: Vec<Outcomes> = all.into_iter().map(|rows| rows.outcomes).collect();
    let right = all.iter().all(|outcomes| outcomes.wrong().is_empty());
    let summary = Summary::of(&all);
    if let Some(path) = to.html {
        let page = page::of(&summary)?;
        write(path, |mut file| {
            file.write_all(page.as_bytes())?;
            Ok(file.flush()?)
        })?;
    }
    if to.json {
        println!("{}", serde_json::to_string(&summary)?);
        return Ok(right);
    }
    for outcomes in &all {
        let record = Record {
            name: format!("{}.md", outcomes.set),
            text: tables::markdown(outcomes),
            right,
        };
        record.write(to.tables)?;
    }
    Ok(right)
}

/// Writes a file so that half of it never stands under its name.
#[expect(
    clippy::disallowed_methods,
    reason = "the harness records what it finds"
)]
fn write(
    path: &Path,
    content: impl FnOnce(BufWriter<&std::fs::File>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let all = || -> Result<(), Trouble> {
        std::fs::create_dir_all(folder)?;
        let anybody = std::fs::Permissions::from_mode(0o666);
        let file = tempfile::Builder::new()
            .permissions(anybody)
            .tempfile_in(folder)?;
        content(BufWriter::new(file.as_file()))?;
        file.persist(path)?;
        Ok(())
    };
    all().map_err(|trouble| format!("cannot write `{}`: {trouble}", path.display()).into())
}

#[expect(clippy::disallowed_methods, reason = "rows are files")]
fn read(path: &Path) -> Result<String, Trouble> {
    Ok(std::fs::read_to_string(path)?)
}
