//! Each of a repository's last commits, applied to its parent, must give its tree.

use std::fmt::Write as _;
use std::path::PathBuf;

use bstr::ByteSlice as _;

use crate::Trouble;
use crate::process::{Answer, Surefoot};
use crate::record::{Record, Tally};
use crate::scratch::{Commit, Scratch};

/// What to try.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The repository; it is cloned, and not touched.
    repository: PathBuf,
    /// How many of its last commits with one parent.
    #[arg(long, default_value_t = 500)]
    commits: usize,
}

/// How one commit ended.
enum Ending {
    /// The index is the commit's tree, and the files are as the index.
    Right,
    /// The commit changes no file.
    Empty,
    /// Refused, as it must be: why.
    RefusedRightly(&'static str),
    /// Refused, with its reason.
    Refused(String),
    /// Applied, and something is not the commit's: what.
    Silent(String),
    /// Neither.
    Trouble(String),
}

/// Runs the sweep.
pub(crate) fn run(surefoot: &Surefoot, options: &Options) -> Result<Record, Trouble> {
    let scratch = Scratch::clone(&options.repository, options.commits)?;
    let mut tally = Tally::default();
    let mut faults = String::new();
    for commit in &scratch.commits {
        let (name, fault) = match try_commit(surefoot, &scratch, commit)? {
            Ending::Right => ("right", None),
            Ending::Empty => ("without a change", None),
            Ending::RefusedRightly(why) => (why, None),
            Ending::Refused(why) => ("REFUSED", Some(why)),
            Ending::Silent(why) => ("SILENT", Some(why)),
            Ending::Trouble(why) => ("TROUBLE", Some(why)),
        };
        tally.count(name);
        if let Some(why) = fault {
            writeln!(faults, "{name} {}: {why}", commit.id)?;
        }
    }
    let name = &scratch.name;
    let head = scratch
        .commits
        .last()
        .map_or("", |commit| commit.id.as_str());
    let mut text = format!("{name} at {head}: {} commits\n\n", tally.total());
    tally.print(&mut text, "");
    if !faults.is_empty() {
        write!(text, "\n{faults}")?;
    }
    let right = faults.is_empty();
    Ok(Record {
        name: format!("history-{}.txt", name.replace('/', "-")),
        text,
        right,
    })
}

fn try_commit(surefoot: &Surefoot, scratch: &Scratch, commit: &Commit) -> Result<Ending, Trouble> {
    let git = &scratch.git;
    let show = [
        "show",
        "--binary",
        "--full-index",
        "-M",
        "--format=",
        &commit.id,
    ];
    let diff = git.output(&show)?;
    if diff.is_empty() {
        return Ok(Ending::Empty);
    }
    scratch.move_to(&commit.parent)?;
    Ok(match surefoot.apply(git.root(), &["--index"], &diff)? {
        Answer::Applied(_) => judge(scratch, commit)?,
        Answer::Refused(refusals) => {
            if let Some(how) = changes(scratch)? {
                return Ok(Ending::Silent(format!("refused, but {how}")));
            }
            let why = refusals
                .iter()
                .map(|(code, message)| format!("{code}: {message}"));
            match refused_rightly(scratch, commit)? {
                Some(why) => Ending::RefusedRightly(why),
                None => Ending::Refused(why.take(3).collect::<Vec<_>>().join("; ")),
            }
        }
        Answer::Trouble(why) => Ending::Trouble(why),
    })
}

/// Compares index and files with the commit's tree.
fn judge(scratch: &Scratch, commit: &Commit) -> Result<Ending, Trouble> {
    let git = &scratch.git;
    let written = git.attempt(&["write-tree"], b"")?;
    if written.status != Some(0) {
        return Ok(Ending::Silent(format!(
            "no tree: {}",
            written.stderr.as_bstr()
        )));
    }
    let wanted = git.text(&["rev-parse", &format!("{}^{{tree}}", commit.id)])?;
    if written.stdout.trim_ascii() != wanted.as_bytes() {
        let found = written.stdout.trim_ascii().to_str_lossy().into_owned();
        let names = git.lines(&["diff-tree", "-r", "--raw", &wanted, &found])?;
        return Ok(Ending::Silent(
            names.into_iter().take(3).collect::<Vec<_>>().join("; "),
        ));
    }
    let status = files_off_index(scratch)?;
    Ok(status.map_or(Ending::Right, Ending::Silent))
}

/// Returns what in the files is not as the index says, the first of it.
fn files_off_index(scratch: &Scratch) -> Result<Option<String>, Trouble> {
    let git = &scratch.git;
    git.attempt(&["update-index", "-q", "--refresh"], b"")?;
    let changed = git.lines(&["diff-files", "--raw"])?;
    let others = git.lines(&["ls-files", "--others"])?;
    let changed = changed
        .first()
        .map(|line| format!("a file is not as the index says: {line}"));
    Ok(changed.or_else(|| others.first().map(|path| format!("left over: {path}"))))
}

/// Returns what a refusal changed, the first of it.
fn changes(scratch: &Scratch) -> Result<Option<String>, Trouble> {
    let staged = scratch
        .git
        .lines(&["diff-index", "--cached", "--raw", "HEAD"])?;
    let staged = staged
        .first()
        .map(|line| format!("the index changed: {line}"));
    Ok(staged.or(files_off_index(scratch)?))
}

/// Returns why a commit is rightly refused: a submodule, or a path with a filter.
fn refused_rightly(scratch: &Scratch, commit: &Commit) -> Result<Option<&'static str>, Trouble> {
    let git = &scratch.git;
    let raw = git.lines(&["diff-tree", "-r", "--raw", &commit.parent, &commit.id])?;
    if raw
        .iter()
        .any(|line| line.split(' ').take(2).any(|mode| mode.ends_with("160000")))
    {
        return Ok(Some("refused: touches a submodule"));
    }
    let paths = git.output(&[
        "diff-tree",
        "-r",
        "-z",
        "--name-only",
        &commit.parent,
        &commit.id,
    ])?;
    let filters = git.output_of(&["check-attr", "-z", "--stdin", "filter"], &paths)?;
    let values = filters.split(|&byte| byte == 0).skip(2).step_by(3);
    let filtered = values
        .into_iter()
        .any(|value| value != b"unspecified" && value != b"unset");
    Ok(filtered.then_some("refused: touches a filtered path"))
}
