//! Tools that misbehave when they are asked for help, in the sandbox of `shell warm --allow-exec`.

#![expect(clippy::disallowed_methods, reason = "a test lays its own ground")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use surefoot_shell::sandbox::{End, Refusal, Said, Sandbox, may_run};

/// A folder with one tool, and a file that it should not touch.
struct Ground {
    folder: tempfile::TempDir,
    tool: PathBuf,
    file: PathBuf,
}

fn ground(script: &str) -> Ground {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let file = folder.path().join("precious");
    std::fs::write(&file, "kept").unwrap();
    let tool = bin.join("tool");
    std::fs::write(
        &tool,
        format!("#!/bin/sh\nPRECIOUS='{}'\n{script}\n", file.display()),
    )
    .unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    Ground { folder, tool, file }
}

/// Runs the tool. `None`, and a word, where the kernel has no sandbox to offer.
#[expect(clippy::print_stderr, reason = "what is passed over is said")]
fn run(tool: &Path) -> Option<(Said, Duration)> {
    let sandbox = Sandbox {
        program: env!("CARGO_BIN_EXE_surefoot").into(),
        first: "__become-tool".into(),
        limit: Duration::from_secs(1),
    };
    if sandbox.run(Path::new("/bin/true"), &[]).is_none() {
        eprintln!("skipped: there is no landlock here");
        return None;
    }
    let start = Instant::now();
    let said = sandbox.run(tool, &["--help".as_ref()]).unwrap();
    Some((said, start.elapsed()))
}

#[test]
fn what_a_tool_says_is_read() {
    let ground =
        ground("echo out \"$1\"; echo err >&2; touch \"$HOME/mine\" && echo written; exit 3");
    if let Some((said, _)) = run(&ground.tool) {
        let text = String::from_utf8(said.text).unwrap();
        assert_eq!(
            (text.as_str(), said.end),
            ("out --help\nwritten\nerr\n", End::Status(3))
        );
    }
}

#[test]
fn nothing_outside_of_its_home_can_be_changed() {
    let ground = ground(
        "rm -rf \"$PRECIOUS\" 2>/dev/null; echo x > \"$PRECIOUS\"; touch \"$PRECIOUS.new\"; kill -9 $PPID; echo done",
    );
    if let Some((said, _)) = run(&ground.tool) {
        assert_eq!(said.end, End::Status(0));
        assert_eq!(std::fs::read_to_string(&ground.file).unwrap(), "kept");
        assert!(!ground.folder.path().join("precious.new").exists());
    }
}

#[test]
fn a_tool_that_hangs_floods_or_forks_is_stopped() {
    for script in [
        "sleep 600 & sleep 600",
        "while :; do echo flood; done",
        "fork() { sleep 600 & sleep 600 & }; for i in 1 2 3 4 5 6 7 8; do fork; done; wait",
        "trap '' TERM HUP INT; while :; do :; done",
    ] {
        let ground = ground(script);
        if let Some((said, took)) = run(&ground.tool) {
            assert_eq!(said.end, End::Killed, "{script}");
            assert!(took < Duration::from_secs(20), "{script}: {took:?}");
            assert!(said.text.len() <= 2 << 20, "{script}");
        }
    }
}

#[test]
fn some_tools_are_never_run() {
    assert_eq!(may_run(Path::new("bin/tool")), Err(Refusal::Unsafe));
    let ground = ground("");
    assert_eq!(may_run(&ground.tool), Ok(()));
    let rm = ground.tool.with_file_name("rm");
    std::fs::copy(&ground.tool, &rm).unwrap();
    assert_eq!(may_run(&rm), Err(Refusal::Listed));
    std::fs::set_permissions(&ground.tool, std::fs::Permissions::from_mode(0o4755)).unwrap();
    assert_eq!(may_run(&ground.tool), Err(Refusal::Privileged));
    std::fs::set_permissions(&ground.tool, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(may_run(&ground.tool), Err(Refusal::Unsafe));
}
