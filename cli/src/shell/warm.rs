//! `surefoot shell warm`: learns about tools before they are needed.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use surefoot_shell::sandbox::{Sandbox, become_tool};

use crate::trouble::Trouble;

/// The first argument of the process that is to become a tool.
const HELPER: &str = "__become-tool";

/// How long a tool may take to print its help.
const LIMIT: Duration = Duration::from_secs(3);

/// Becomes a tool in the sandbox, if that is what this process was started for.
pub(crate) fn helper() -> Option<u8> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(HELPER)) {
        return None;
    }
    let rest: Vec<OsString> = arguments.collect();
    Some(become_tool(&rest))
}

/// Learns about `tools`, or all programs.
///
/// # Errors
///
/// Where our own binary is not to be found, which the sandbox starts anew.
pub(crate) fn run(tools: &[String], allow_exec: bool) -> Result<ExitCode, Trouble> {
    let machine = super::machine(true);
    let sandbox = if allow_exec {
        let program = std::env::current_exe()
            .map_err(|error| Trouble::new("cannot find our own binary", error))?;
        Some(Sandbox {
            program,
            first: HELPER.into(),
            limit: LIMIT,
        })
    } else {
        None
    };
    let all: Vec<String> = if tools.is_empty() {
        let programs = machine.programs();
        programs
            .iter()
            .filter_map(|name| String::from_utf8(name.clone()).ok())
            .collect()
    } else {
        tools.to_vec()
    };
    let mut known = 0;
    for (nth, tool) in all.iter().enumerate() {
        progress(nth, all.len(), tool);
        known += usize::from(surefoot_shell::warm(&machine, tool, sandbox.as_ref()));
        // What a long run has learned survives its end.
        if nth % 64 == 63 {
            machine.save();
        }
    }
    machine.save();
    progress(all.len(), all.len(), "");
    crate::print(format!("flags are known of {known} of {} tools\n", all.len()).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Draws a bar on standard error, where that is a terminal.
fn progress(done: usize, all: usize, tool: &str) {
    const WIDTH: usize = 30;
    let mut err = std::io::stderr().lock();
    if !err.is_terminal() {
        return;
    }
    let full = done * WIDTH / all.max(1);
    let bar = format!("{}{}", "#".repeat(full), " ".repeat(WIDTH - full));
    let tool = crate::report::safe_text(tool.as_bytes());
    let end = if done == all { "\n" } else { "" };
    // A bar that nobody can see is no reason to stop.
    let _unseen = write!(err, "\r[{bar}] {done}/{all} {tool:<30.30}{end}");
}
