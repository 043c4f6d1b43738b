//! Runs a tool where it can harm nothing, to read what it says: only where the user allows it.
//!
//! A helper process, our own binary started anew, takes its rights away from itself and then becomes
//! the tool. It may read and execute the system's folders and write one temporary home; it has no
//! capabilities, no network, no other process to signal; its time, memory and output are limited, and
//! its whole process group is killed at the end. Where any of this cannot be had, the tool is not run.
//!
//! # Limits
//!
//! The kernel limits no number of processes for root. A tool that forks without end is stopped by
//! its time, as it cannot leave its process group.

mod helper;
mod policy;

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use helper::become_tool;
pub use policy::{Refusal, may_run};

/// The most that is read of what a tool says.
const FLOOD: u64 = 1 << 20;

/// What starts a helper.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// A program that calls [`become_tool`] with the arguments behind [`Self::first`].
    pub program: PathBuf,
    /// What to give it first, so that it knows.
    pub first: OsString,
    /// How long a tool may take.
    pub limit: Duration,
}

/// What a tool did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What it wrote to standard output and to standard error, one behind the other.
    pub text: Vec<u8>,
    /// How it ended.
    pub end: End,
}

/// How a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this status.
    Status(i32),
    /// Killed, by its limits or by a fault.
    Killed,
}

impl Sandbox {
    /// Runs `program` with `arguments`. `None` where it was not started.
    #[must_use]
    pub fn run(&self, program: &Path, arguments: &[&OsStr]) -> Option<Said> {
        let home = Home::new()?;
        let child = Command::new(&self.program)
            .arg(&self.first)
            .arg(&home.0)
            .arg(program)
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .envs(
                [
                    ("LC_ALL", "C"),
                    ("TERM", "dumb"),
                    ("PAGER", "cat"),
                    ("MANPAGER", "cat"),
                    ("GIT_PAGER", "cat"),
                    ("COLUMNS", "200"),
                    ("NO_COLOR", "1"),
                ]
                .map(|(name, value)| (OsString::from(name), OsString::from(value))),
            )
            .env("HOME", &home.0)
            .env("TMPDIR", &home.0)
            .current_dir(&home.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let said = self.listen(child)?;
        let not_started = said.end == End::Status(i32::from(helper::NOT_STARTED));
        (!not_started).then_some(said)
    }

    fn listen(&self, mut child: Child) -> Option<Said> {
        let out = child.stdout.take()?;
        let err = child.stderr.take()?;
        let readers = [
            std::thread::spawn(move || read(out)),
            std::thread::spawn(move || read(err)),
        ];
        let start = Instant::now();
        let mut status = None;
        while start.elapsed() < self.limit {
            if let Ok(Some(ended)) = child.try_wait() {
                status = Some(ended);
                break;
            }
            std::thread::sleep(Duration::from_millis(3));
        }
        kill_group(&child);
        // What was not in the group yet when it was killed is now.
        kill_group(&child);
        let last = child.wait().ok()?;
        let mut text = Vec::new();
        for reader in readers {
            text.extend(reader.join().ok()?);
        }
        let code = status.and(last.code());
        Some(Said {
            text,
            end: code.map_or(End::Killed, End::Status),
        })
    }
}

fn read(from: impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // An error ends it as the end does: what came counts.
    drop(from.take(FLOOD).read_to_end(&mut bytes));
    bytes
}

fn kill_group(child: &Child) {
    let group = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may be gone already.
        let _gone = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// A temporary home, removed with all that was written there.
#[derive(Debug)]
struct Home(PathBuf);

impl Home {
    #[expect(
        clippy::disallowed_methods,
        reason = "a folder of ours, for one run of one tool"
    )]
    fn new() -> Option<Self> {
        static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let base = std::env::temp_dir();
        for _ in 0..64 {
            let nth = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let path = base.join(format!("surefoot-probe-{}-{nth}", std::process::id()));
            // A folder that is there already is somebody else's.
            if std::fs::create_dir(&path).is_ok() {
                return Some(Self(path));
            }
        }
        None
    }
}

impl Drop for Home {
    #[expect(clippy::disallowed_methods, reason = "the folder is ours")]
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}
