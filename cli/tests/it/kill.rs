//! The real process, killed after each of its system calls in turn.
//!
//! The next start must find every file old or every file new, and leave nothing behind.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use surefoot_corpus::{Entry, Tree};

/// What surrounds the files, and what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    Plain,
    Git,
    Index,
}

/// How a traced run ended.
enum Ending {
    /// It was killed after the system call asked for.
    Killed,
    /// It ended before that, with this status.
    Ended(i32),
    /// Tracing is not allowed here.
    Forbidden(String),
}

const OLD: [(&str, &str); 4] = [
    ("a.txt", "alpha\nbeta\n"),
    ("b.txt", "gamma\ndelta\n"),
    ("deep/c.txt", "epsilon\nzeta\n"),
    ("keep.txt", "eta\n"),
];

const NEW: [(&str, &str); 4] = [
    ("a.txt", "alpha\nBETA\n"),
    ("b.txt", "GAMMA\ndelta\n"),
    ("deep/c.txt", "epsilon\nZETA\n"),
    ("keep.txt", "eta\n"),
];

const MODIFY: &str = r#"[
{"path":"a.txt","old":"beta","new":"BETA"},
{"path":"b.txt","old":"gamma","new":"GAMMA"},
{"path":"deep/c.txt","old":"zeta","new":"ZETA"}
]"#;

/// One file changes, one comes, in a folder that comes with it, and one goes with its folder.
const MIXED_NEW: [(&str, &str); 4] = [
    ("a.txt", "alpha\nBETA\n"),
    ("b.txt", "gamma\ndelta\n"),
    ("keep.txt", "eta\n"),
    ("new/d.txt", "theta\n"),
];

const MIXED: &str = "\
diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 alpha
-beta
+BETA
diff --git a/deep/c.txt b/deep/c.txt
deleted file mode 100644
--- a/deep/c.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-epsilon
-zeta
diff --git a/new/d.txt b/new/d.txt
new file mode 100644
--- /dev/null
+++ b/new/d.txt
@@ -0,0 +1 @@
+theta
";

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for &(path, content) in files {
        tree.insert(
            path,
            Entry::File {
                content: content.into(),
                executable: false,
            },
        );
    }
    tree
}

/// The folders of one test, with the edit to be made.
struct Arena {
    work: tempfile::TempDir,
    setting: Setting,
    old: Tree,
    new: Tree,
}

impl Arena {
    #[expect(clippy::disallowed_methods, reason = "the tests make what is edited")]
    fn new(setting: Setting, new: &[(&str, &str)], edit: &str) -> Self {
        let work = tempfile::tempdir().unwrap();
        let arena = Self {
            work,
            setting,
            old: tree(&OLD),
            new: tree(new),
        };
        std::fs::write(arena.path("edit"), edit).unwrap();
        std::fs::write(
            arena.path("trivial"),
            r#"{"path":"keep.txt","old":"eta","new":"iota"}"#,
        )
        .unwrap();
        arena.old.write(&arena.path("template")).unwrap();
        if setting != Setting::Plain {
            arena.git("template", &["init", "-q", "--template=", "-b", "main"]);
            arena.git("template", &["add", "-A"]);
            arena.git("template", &["commit", "-q", "-m", "old"]);
        }
        arena
    }

    fn path(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    /// Returns what git says in `folder`.
    #[track_caller]
    fn git(&self, folder: &str, args: &[&str]) -> Vec<u8> {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.path(folder)).args(args);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "a")
                .env(format!("GIT_{who}_EMAIL"), "a@invalid");
        }
        let done = git.output().unwrap();
        assert!(
            done.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        done.stdout
    }

    /// Makes the tree as it was at first.
    #[expect(clippy::disallowed_methods, reason = "the tests make what is edited")]
    fn reset(&self) {
        let root = self.path("tree");
        if root.exists() {
            std::fs::remove_dir_all(&root).unwrap();
        }
        copy(&self.path("template"), &root);
    }

    /// Returns the command that makes the edit, or only starts.
    fn command(&self, edit: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_surefoot"));
        command
            .args(["apply", "--json", "-C"])
            .arg(self.path("tree"))
            .args(args);
        command.arg(self.path(edit)).current_dir(self.work.path());
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn edit(&self) -> Command {
        let args: &[&str] = if self.setting == Setting::Index {
            &["--index"]
        } else {
            &[]
        };
        self.command("edit", args)
    }

    fn start(&self) -> Command {
        self.command("trivial", &["--check"])
    }

    /// Tells whether every file is old or every file new, with nothing left behind.
    fn is_whole(&self) -> bool {
        let found = Tree::read(&self.path("tree")).unwrap();
        (found == self.old || found == self.new) && self.debris().is_none()
    }

    /// Returns the first thing in git's own folder that a finished run does not leave there.
    fn debris(&self) -> Option<String> {
        let folder = self.path("tree/.git");
        let names = if folder.is_dir() {
            list(&folder)
        } else {
            Vec::new()
        };
        names.into_iter().find(|name| {
            name.ends_with(".lock") || name.contains("txn-") || name.contains(".surefoot-")
        })
    }

    /// Starts the program once more, and says what is not as it must be then.
    fn fault(&self) -> Option<String> {
        let mut start = self.start();
        let done = start
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        if done.status.code() != Some(0) {
            let said = [done.stdout, done.stderr].concat();
            return Some(format!(
                "{}: {}",
                done.status,
                String::from_utf8_lossy(&said)
            ));
        }
        let found = Tree::read(&self.path("tree")).unwrap();
        let (from_old, from_new) = (self.old.difference(&found), self.new.difference(&found));
        if let (Some(old), Some(new)) = (&from_old, &from_new) {
            return Some(format!("neither old ({old}) nor new ({new})"));
        }
        if self.setting == Setting::Plain {
            return None;
        }
        if let Some(debris) = self.debris() {
            return Some(format!("left over: {debris}"));
        }
        let staged = self.git("tree", &["diff-index", "--cached", "--name-only", "HEAD"]);
        let wanted = self.setting == Setting::Index && from_old.is_some();
        (staged.is_empty() == wanted)
            .then(|| format!("index: {}", String::from_utf8_lossy(&staged)))
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests make what is edited")]
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), &to).unwrap();
        }
    }
}

/// Returns the path of every file below `folder`, the objects aside.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests look for what was left behind"
)]
fn list(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        names.push(entry.path().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() && entry.file_name() != OsStr::new("objects") {
            names.extend(list(&entry.path()));
        }
    }
    names
}

/// Runs `command` and kills it after its system call number `last`.
fn kill_after(mut command: Command, last: usize) -> Ending {
    trace_me(&mut command);
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ending::Forbidden(error.to_string()),
    };
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    // The first stop is that of the exec itself.
    match waitpid(pid, None).unwrap() {
        WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
        other => return Ending::Forbidden(format!("{other:?}")),
    }
    let options = ptrace::Options::PTRACE_O_TRACESYSGOOD | ptrace::Options::PTRACE_O_EXITKILL;
    if let Err(error) = ptrace::setoptions(pid, options) {
        return Ending::Forbidden(error.to_string());
    }
    let mut stops = 0;
    let mut signal = None;
    // Each call stops the process twice: before it is made and after.
    while stops < 2 * last {
        ptrace::syscall(pid, signal.take()).unwrap();
        match waitpid(pid, None).unwrap() {
            WaitStatus::PtraceSyscall(_) => stops += 1,
            WaitStatus::Stopped(_, other) => signal = Some(other),
            WaitStatus::Exited(_, status) => return Ending::Ended(status),
            WaitStatus::Signaled(_, signal, _) => panic!("ended by {signal}"),
            _ => {}
        }
    }
    nix::sys::signal::kill(pid, Signal::SIGKILL).unwrap();
    loop {
        match waitpid(pid, None).unwrap() {
            WaitStatus::Signaled(..) => return Ending::Killed,
            WaitStatus::Exited(_, status) => return Ending::Ended(status),
            _ => {}
        }
    }
}

#[expect(
    unsafe_code,
    reason = "between fork and exec the closure makes one system call, which is async-signal-safe, \
              and touches no memory that another thread could hold"
)]
fn trace_me(command: &mut Command) {
    // SAFETY: as above; the conversion of the error number allocates nothing.
    unsafe {
        command.pre_exec(|| ptrace::traceme().map_err(std::io::Error::from));
    }
}

/// Kills the edit after each of its system calls, and returns at how many points that was.
fn kill_everywhere(setting: Setting, new: &[(&str, &str)], edit: &str) -> usize {
    let arena = Arena::new(setting, new, edit);
    let mut faults = Vec::new();
    let mut ends = (0, 0);
    for last in 1.. {
        arena.reset();
        let ending = kill_after(arena.edit(), last);
        if let Ending::Forbidden(why) = ending {
            skip(&why);
            return usize::MAX;
        }
        if let Some(fault) = arena.fault() {
            faults.push(format!("killed after call {last}: {fault}"));
        }
        let is_old = arena.old == Tree::read(&arena.path("tree")).unwrap();
        if is_old {
            ends.0 += 1;
        } else {
            ends.1 += 1;
        }
        if let Ending::Ended(status) = ending {
            assert_eq!(
                status, 0,
                "{setting:?}: the edit is applied where nothing kills it"
            );
            assert!(!is_old, "{setting:?}");
            break;
        }
    }
    let list = faults.join("\n");
    assert!(
        faults.is_empty(),
        "{setting:?}: {} faults of {ends:?}\n{list}",
        faults.len()
    );
    assert!(
        ends.0 > 0 && ends.1 > 1,
        "{setting:?}: old and new must both be reached: {ends:?}"
    );
    ends.0 + ends.1 - 1
}

/// Kills the edit wherever it leaves something behind, and then the start that repairs it at some
/// of its own calls. Tries each `stride`th call of both.
fn kill_the_repair_too(setting: Setting, stride: usize) {
    let arena = Arena::new(setting, &NEW, MODIFY);
    let mut faults = Vec::new();
    let mut tried = 0;
    for last in (1..).step_by(stride) {
        arena.reset();
        match kill_after(arena.edit(), last) {
            Ending::Killed => {}
            Ending::Ended(_) => break,
            Ending::Forbidden(why) => return skip(&why),
        }
        if arena.is_whole() {
            continue;
        }
        for repair in (1..).step_by(stride) {
            arena.reset();
            let first = kill_after(arena.edit(), last);
            assert!(
                matches!(first, Ending::Killed),
                "equal runs make equal calls"
            );
            let second = kill_after(arena.start(), repair);
            tried += 1;
            faults.extend(
                arena
                    .fault()
                    .map(|fault| format!("calls {last}, {repair}: {fault}")),
            );
            if matches!(second, Ending::Ended(_)) {
                break;
            }
        }
    }
    assert!(tried > 10, "{setting:?}: only {tried} repairs were tried");
    assert!(
        faults.is_empty(),
        "{setting:?}: {} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Says that this machine does not let a process be traced.
#[expect(clippy::print_stderr, reason = "a test that did not run must say so")]
fn skip(why: &str) {
    eprintln!("SKIPPED: no process can be traced here ({why}), so none was killed");
}

#[test]
fn three_files_are_all_old_or_all_new_wherever_the_process_is_killed() {
    let settings = [Setting::Plain, Setting::Git, Setting::Index];
    let points = settings.map(|setting| kill_everywhere(setting, &NEW, MODIFY));
    let total = points
        .iter()
        .fold(0_usize, |sum, &points| sum.saturating_add(points));
    assert!(total >= 200, "{points:?} points are too few");
}

#[test]
fn a_file_that_comes_and_one_that_goes_are_part_of_it() {
    kill_everywhere(Setting::Index, &MIXED_NEW, MIXED);
}

#[test]
fn a_repair_that_is_killed_is_repaired_by_the_next_start() {
    kill_the_repair_too(Setting::Plain, 13);
    kill_the_repair_too(Setting::Index, 13);
}
