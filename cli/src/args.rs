//! The command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use surefoot_engine::policy::Score;

/// Lands an edit where it provably belongs, or refuses and says why.
#[derive(Debug, Parser)]
#[command(name = "surefoot", version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Apply edits to the working tree: all of them, or none
    #[command(after_long_help = SETTINGS)]
    Apply(Box<ApplyArguments>),
    /// Judge shell commands without running them
    Shell {
        /// What to do
        #[command(subcommand)]
        command: ShellCommand,
    },
    /// List the edit formats that are read
    Formats,
    /// Print the JSON schema of the report
    Schema,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of one command where it is named
    Man {
        /// The command, such as `apply`
        command: Option<String>,
    },
}

/// What to do with shell commands.
#[derive(Debug, Subcommand)]
pub(crate) enum ShellCommand {
    /// Tell whether a command parses, names programs that exist and gives them flags that they take
    ///
    /// Nothing of it is run. A command that bash cannot parse, or whose program does not exist, is
    /// blocked (status 1); a flag that none of the manual pages, completions and programs knows is
    /// warned of (status 0).
    Check(CheckArguments),
    /// Print what is known of a tool's flags, and from where
    Flags {
        /// The tool, and its subcommands
        #[arg(required = true, num_args = 1..)]
        tool: Vec<String>,
    },
    /// Learn about tools before they are needed
    ///
    /// Manual pages, completions and the programs themselves are read. With --allow-exec, tools are
    /// also run with --help, and their subcommands too, on Linux: without network, capabilities or a
    /// place to write but a temporary home, within limits of time and memory; tools that act when they are
    /// started, and those with rights of their own, never.
    Warm {
        /// The tools; without any, all programs on the PATH
        tools: Vec<String>,

        /// Run tools in a sandbox to ask them for help
        #[arg(long)]
        allow_exec: bool,
    },
}

/// What to judge.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The command: one word that holds all of it, or its words; without any it is read from standard
    /// input
    #[arg(last = true, value_name = "CMD")]
    pub(crate) words: Vec<OsString>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Read one command a line, and print one verdict a line
    #[arg(long, conflicts_with = "words")]
    pub(crate) batch: bool,

    /// Neither read nor write what earlier runs learned of this machine's tools
    #[arg(long)]
    pub(crate) no_cache: bool,
}

const SETTINGS: &str = "\
Settings also come from the nearest `.surefoot.toml` above the starting folder (policy, min_anchor,
floor, margin, allow, format, output_format) and from the environment (SUREFOOT_POLICY,
SUREFOOT_MIN_ANCHOR, SUREFOOT_FLOOR, SUREFOOT_MARGIN, SUREFOOT_ALLOW with `:` between globs,
SUREFOOT_FORMAT, SUREFOOT_OUTPUT_FORMAT). The environment outweighs the file, and options outweigh
both. Naming a policy sets every dial; the dials named beside it, or in a weightier place, come on top.

Exit status: 0 applied (or would apply), 1 refused and nothing changed, 2 trouble (usage, disk,
repository) and nothing changed.";

/// What to apply, where and how.
#[derive(Debug, Args)]
pub(crate) struct ApplyArguments {
    /// The edits; `-`, or none, is standard input. Several are a series: each is planned on the
    /// result of the one before, and all land together
    #[arg(value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Decide and report, and write nothing
    #[arg(long, visible_alias = "dry-run")]
    pub(crate) check: bool,

    /// The edits' format, or `auto` to tell it from the text [default: auto]
    #[arg(short, long, value_name = "NAME|auto")]
    pub(crate) format: Option<String>,

    /// The folder where the search for the working tree starts, and from where paths in JSON edits
    /// count
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: Option<PathBuf>,

    /// The file meant by an edit that names none
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: Option<OsString>,

    /// Path components to remove from a diff's file names
    #[arg(short = 'p', long, value_name = "N")]
    pub(crate) strip: Option<usize>,

    /// Undo the edits: turn each round, the last one first
    #[arg(short = 'R', long)]
    pub(crate) reverse: bool,

    /// Print one JSON report (short for --output-format json)
    #[arg(long, conflicts_with = "output_format")]
    pub(crate) json: bool,

    /// How to report [default: text]
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) output_format: Option<OutputFormat>,

    /// Print the change as a unified diff; the report goes to standard error
    #[arg(long, conflicts_with = "json")]
    pub(crate) diff: bool,

    /// What a match may get away with: strict, balanced or robust [default: balanced]
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: Option<String>,

    /// The fewest telling lines that an anchor needs where its text alone speaks for it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_anchor: Option<u32>,

    /// The least likeness, from 0 to 1, that a fuzzy match needs
    #[arg(long, value_name = "F", value_parser = score)]
    pub(crate) floor: Option<Score>,

    /// The least lead over the next best place, from 0 to 1, that a fuzzy match needs
    #[arg(long, value_name = "F", value_parser = score)]
    pub(crate) margin: Option<Score>,

    /// What the author of the edits saw: a revision, or for one file a blob id
    #[arg(long, value_name = "REV|OID")]
    pub(crate) base: Option<String>,

    /// Change the files and their index entries, which must agree before
    #[arg(long, conflicts_with = "cached")]
    pub(crate) index: bool,

    /// Change the index alone
    #[arg(long)]
    pub(crate) cached: bool,

    /// Refuse an edit that does not say what its author saw
    #[arg(long = "3way")]
    pub(crate) three_way: bool,

    /// Replace a file that has several names (hard links), which parts them
    #[arg(long)]
    pub(crate) break_links: bool,

    /// Refuse paths that none of these globs fits; may be given several times
    #[arg(long, value_name = "GLOB")]
    pub(crate) allow: Vec<String>,
}

/// How to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// One JSON object, as `surefoot schema` describes it
    Json,
}

/// Reads a likeness: a number from 0 to 1 with at most three decimals.
pub(crate) fn score(text: &str) -> Result<Score, String> {
    text.parse()
        .ok()
        .and_then(score_of)
        .ok_or_else(|| SCORE.to_owned())
}

/// What [`score`] and [`score_of`] accept.
pub(crate) const SCORE: &str = "must be a number from 0 to 1 with at most three decimals";

/// Returns the likeness that is `number`, or `None` unless it is in thousandths from 0 to 1.
pub(crate) fn score_of(number: f64) -> Option<Score> {
    (0..=1000)
        .map(Score)
        .find(|score| (f64::from(score.0) - number * 1000.0).abs() < 1e-6)
}

/// Tells whether the binary was called under the name that `git surefoot` looks for.
pub(crate) fn is_git_name(called: Option<&OsStr>) -> bool {
    called
        .map(std::path::Path::new)
        .and_then(|path| path.file_name())
        == Some(OsStr::new("git-surefoot"))
}

#[cfg(test)]
mod tests;
