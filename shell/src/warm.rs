//! Learns about tools before they are needed; with the user's leave, by asking them for help.

use std::ffi::OsStr;

use crate::evidence::{self, NextLevel, Tool};
use crate::machine::Machine;
use crate::sandbox::{End, Sandbox, may_run};

/// How deep subcommands are asked.
const MAX_LEVELS: usize = 2;

/// The most subcommands that one tool is asked about.
const MOST: usize = 160;

/// Learns what files say of `tool`, and where there is a sandbox, what it says itself: it is run with
/// `--help`, and each subcommand that it lists, too. Returns whether anything is known of its flags.
pub fn warm(machine: &Machine, tool: &str, sandbox: Option<&Sandbox>) -> bool {
    let Some(program) = machine.find(tool.as_bytes()) else {
        return false;
    };
    let wanted = Tool {
        name: tool,
        program: &program,
        subcommands: &[],
    };
    let known = evidence::of(machine, wanted);
    if let Some(sandbox) = sandbox.filter(|_| may_run(&program).is_ok()) {
        let mut left = MOST;
        let deep = known.next == NextLevel::Subcommand;
        ask(machine, sandbox, wanted, &mut left, deep);
    }
    !evidence::of(machine, wanted).flags.is_empty()
}

fn ask(machine: &Machine, sandbox: &Sandbox, tool: Tool<'_>, left: &mut usize, deep: bool) {
    let Some(text) = help(sandbox, tool) else {
        return;
    };
    let subcommands = evidence::note(machine, tool, &text);
    let deeper = deep || (tool.subcommands.is_empty() && subcommands.len() > 2);
    if !deeper || tool.subcommands.len() >= MAX_LEVELS {
        return;
    }
    for name in subcommands {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let mut path = tool.subcommands.to_vec();
        path.push(name);
        let next = Tool {
            subcommands: &path,
            ..tool
        };
        ask(machine, sandbox, next, left, true);
    }
}

/// Returns what a tool says to `--help`, if it is help.
fn help(sandbox: &Sandbox, tool: Tool<'_>) -> Option<String> {
    let mut arguments: Vec<&OsStr> = tool.subcommands.iter().map(OsStr::new).collect();
    arguments.push(OsStr::new("--help"));
    let said = sandbox.run(tool.program, &arguments)?;
    let text = String::from_utf8_lossy(&said.text).into_owned();
    // Some print their usage beside an error, which lists flags as well.
    (said.end != End::Killed && text.len() > 40).then_some(text)
}
