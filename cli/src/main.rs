//! The `surefoot` binary: arguments in, report out.
//!
//! Exit status, as for patch(1): 0 applied (or would apply), 1 refused and nothing changed, 2
//! trouble. Results go to standard output, talk to standard error.

#[cfg(windows)]
compile_error!("surefoot runs on Linux and macOS; nobody has made it safe on Windows yet");

mod apply;
mod args;
mod config;
mod diff;
mod pages;
mod report;
mod shell;
mod terminal;
mod trouble;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::args::{Arguments, Command};
use crate::trouble::Trouble;

fn main() -> ExitCode {
    // A panic is a fault of ours. Whatever was staged or published is undone while it unwinds.
    std::panic::catch_unwind(run).unwrap_or(ExitCode::from(trouble::STATUS))
}

fn run() -> ExitCode {
    if let Some(status) = shell::helper() {
        return ExitCode::from(status);
    }
    let arguments = match parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let status = if error.use_stderr() {
                trouble::STATUS
            } else {
                0
            };
            return match error.print() {
                Ok(()) => ExitCode::from(status),
                Err(_) => ExitCode::from(trouble::STATUS),
            };
        }
    };
    let done = match arguments.command {
        Command::Apply(arguments) => apply::run(&arguments),
        Command::Shell { command } => shell::run(&command),
        Command::Formats => print(&pages::formats()).map(|()| ExitCode::SUCCESS),
        Command::Schema => pages::schema()
            .and_then(|page| print(&page))
            .map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => {
            print(&pages::completions(shell)).map(|()| ExitCode::SUCCESS)
        }
        Command::Man { command } => pages::man(command.as_deref())
            .and_then(|page| print(&page))
            .map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|trouble| {
        trouble.tell();
        ExitCode::from(trouble::STATUS)
    })
}

/// Reads the command line. Called as `git-surefoot`, as `git surefoot` does, the help says so.
fn parse() -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command();
    let called = std::env::args_os().next();
    if args::is_git_name(called.as_deref()) {
        command = command.bin_name("git surefoot");
    }
    Arguments::from_arg_matches(&command.try_get_matches()?)
}

/// Writes a result to standard output. A reader who has gone away has seen enough.
fn print(bytes: &[u8]) -> Result<(), Trouble> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Trouble::new("cannot write to standard output", error))
        }
        _ => Ok(()),
    }
}
