//! A small edit, whole process, against a bare program that does the same.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};

use crate::Trouble;
use crate::process::{Git, Surefoot};
use crate::record::Record;

/// What to time.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many pairs of runs in each setting.
    #[arg(long, default_value_t = 400)]
    pairs: usize,
}

/// Lines of the file that is edited.
const LINES: usize = 500;

/// What is allowed, in thousandths of the floor.
const LIMITS: [(&str, bool, u64); 2] = [
    ("in a git worktree", true, 1800),
    ("without git", false, 1300),
];

/// Runs the sweep.
pub(crate) fn run(surefoot: &Surefoot, options: &Options) -> Result<Record, Trouble> {
    let floor = std::env::current_exe()?.with_file_name("floor");
    let mut text = format!(
        "user and system time of a one-line edit of a {LINES}-line file, whole process,\n\
         against a bare program that reads, changes and renames it: {} pairs\n\n",
        options.pairs
    );
    let mut right = true;
    for (name, has_git, limit) in LIMITS {
        let pairs = time_pairs(surefoot.binary(), &floor, has_git, options.pairs)?;
        let ours = median(pairs.iter().map(|&(ours, _)| ours).collect());
        let bare = median(pairs.iter().map(|&(_, bare)| bare).collect());
        let ratio = median(
            pairs
                .iter()
                .map(|&(ours, bare)| ours * 1000 / bare.max(1))
                .collect(),
        );
        right &= ratio <= limit;
        writeln!(
            text,
            "{name}: {:.2} times (limit {:.1}); medians {ours} and {bare} microseconds",
            thousandths(ratio),
            thousandths(limit),
        )?;
    }
    Ok(Record {
        name: "speed.txt".to_owned(),
        text,
        right,
    })
}

fn thousandths(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX)) / 1000.0
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied().unwrap_or(0)
}

/// Returns the microseconds of each pair: ours, and the floor's.
#[expect(
    clippy::disallowed_methods,
    reason = "the harness makes what it measures on"
)]
fn time_pairs(
    surefoot: &Path,
    floor: &Path,
    has_git: bool,
    count: usize,
) -> Result<Vec<(u64, u64)>, Trouble> {
    let folder = tempfile::tempdir()?;
    let root = folder.path();
    let line = |number: usize| format!("    let value_{number} = compute(input, {number});\n");
    let content: String = (0..LINES).map(line).collect();
    for name in ["ours.rs", "bare.rs"] {
        std::fs::write(root.join(name), &content)?;
    }
    if has_git {
        let git = Git::at(root);
        git.output(&["init", "-q", "-b", "main"])?;
        git.output(&["add", "-A"])?;
        git.output(&["commit", "-q", "-m", "start"])?;
    }
    let (one, two) = (line(250), line(250).replace("input", "other"));
    let (one, two) = (one.trim_end(), two.trim_end());
    let mut pairs = Vec::new();
    for round in 0..count + 10 {
        let (old, new) = if round % 2 == 0 {
            (one, two)
        } else {
            (two, one)
        };
        let edit = serde_json::json!({ "path": "ours.rs", "old": old, "new": new }).to_string();
        std::fs::write(root.join("edit.json"), edit)?;
        let mut ours = Command::new(surefoot);
        ours.args(["apply", "--json", "edit.json"]);
        let mut bare = Command::new(floor);
        bare.args(["bare.rs", old, new]);
        let pair = if round % 4 < 2 {
            let ours = time(ours.current_dir(root))?;
            (ours, time(bare.current_dir(root))?)
        } else {
            let bare = time(bare.current_dir(root))?;
            (time(ours.current_dir(root))?, bare)
        };
        // The first rounds warm the caches.
        if round >= 10 {
            pairs.push(pair);
        }
    }
    let (ours, bare) = (
        std::fs::read(root.join("ours.rs"))?,
        std::fs::read(root.join("bare.rs"))?,
    );
    if ours != bare {
        return Err("the two programs did not do the same".into());
    }
    Ok(pairs)
}

/// Returns the microseconds of user and system time that `command` takes.
fn time(command: &mut Command) -> Result<u64, Trouble> {
    let before = used()?;
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(format!("{} ended with {status}", command.get_program().display()).into());
    }
    Ok(used()?.saturating_sub(before))
}

/// Returns the microseconds that the children of this process have used so far.
fn used() -> Result<u64, Trouble> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let [user, system] = [usage.user_time(), usage.system_time()];
    let micros = user.tv_sec() * 1_000_000 + user.tv_usec();
    Ok(u64::try_from(
        micros + system.tv_sec() * 1_000_000 + system.tv_usec(),
    )?)
}
