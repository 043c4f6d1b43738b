//! `surefoot shell`: verdicts on shell commands, and what is known of tools' flags.

mod report;
mod text;
mod warm;

use std::ffi::OsString;
use std::io::{BufRead as _, IsTerminal as _, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::process::ExitCode;

use surefoot_engine::verify::Verifier as _;
use surefoot_shell::{Flags, Machine, ShellVerifier};

use crate::args::{CheckArguments, ShellCommand};
use crate::report::put;
use crate::terminal::Colour;
use crate::trouble::Trouble;
use report::{Decision, Report};
pub(crate) use warm::helper;

/// The longest input, in bytes.
const MOST: u64 = 1 << 30;

/// The exit status of a blocked command.
const BLOCKED: u8 = 1;

/// Carries out a subcommand of `surefoot shell` and returns its exit status.
///
/// # Errors
///
/// Bad usage, or where the input cannot be read.
pub(crate) fn run(command: &ShellCommand) -> Result<ExitCode, Trouble> {
    match command {
        ShellCommand::Check(arguments) => check(arguments),
        ShellCommand::Flags { tool } => flags(tool),
        ShellCommand::Warm { tools, allow_exec } => warm::run(tools, *allow_exec),
    }
}

pub(super) fn machine(cached: bool) -> Machine {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let machine = Machine::new(&path);
    match cache_file().filter(|_| cached) {
        Some(file) => machine.with_cache(file),
        None => machine,
    }
}

fn cache_file() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let folder = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(folder.join("surefoot").join("shell"))
}

fn check(arguments: &CheckArguments) -> Result<ExitCode, Trouble> {
    let machine = machine(!arguments.no_cache);
    let status = if arguments.batch {
        batch(arguments, &machine)?
    } else {
        let command = match arguments.words.as_slice() {
            [] => input()?,
            [whole] => whole.as_bytes().to_vec(),
            words => joined(words),
        };
        one(arguments, &machine, &command)?
    };
    machine.save();
    Ok(status)
}

/// Judges one command and prints the verdict.
fn one(arguments: &CheckArguments, machine: &Machine, command: &[u8]) -> Result<ExitCode, Trouble> {
    let report = Report::of(&ShellVerifier.verify(command, machine));
    let page = if arguments.json {
        let mut page = serde_json::to_vec(&report)
            .map_err(|error| Trouble::new("cannot write the report", error))?;
        page.push(b'\n');
        page
    } else {
        let terminal = std::io::stdout().is_terminal();
        let colour = Colour::choose(terminal, |name| std::env::var_os(name));
        text::page(&report, command, colour).into_bytes()
    };
    crate::print(&page)?;
    Ok(match report.verdict {
        Decision::Block => ExitCode::from(BLOCKED),
        _ => ExitCode::SUCCESS,
    })
}

/// Judges each line of standard input. The status is that of the worst.
fn batch(arguments: &CheckArguments, machine: &Machine) -> Result<ExitCode, Trouble> {
    let mut worst = ExitCode::SUCCESS;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Trouble::new("cannot read standard input", error))?;
        let status = one(arguments, machine, &line)?;
        if status != ExitCode::SUCCESS {
            worst = status;
        }
    }
    Ok(worst)
}

fn input() -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Trouble::new("cannot read standard input", error))?;
    if bytes.len() as u64 > MOST {
        return Err(Trouble::plain("standard input holds more than 1 GiB"));
    }
    Ok(bytes)
}

/// Joins words to a command line in which each of them stands for itself.
fn joined(words: &[OsString]) -> Vec<u8> {
    let mut out = Vec::new();
    for word in words {
        if !out.is_empty() {
            out.push(b' ');
        }
        let word = word.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:@%+,".contains(byte);
        if !word.is_empty() && word.iter().all(plain) {
            out.extend(word);
            continue;
        }
        out.push(b'\'');
        for byte in word {
            match byte {
                b'\'' => out.extend(b"'\\''"),
                _ => out.push(*byte),
            }
        }
        out.push(b'\'');
    }
    out
}

fn flags(words: &[String]) -> Result<ExitCode, Trouble> {
    let (tool, subcommands) = words
        .split_first()
        .ok_or_else(|| Trouble::plain("no tool is named"))?;
    let machine = machine(true);
    let known = surefoot_shell::known(&machine, tool, subcommands);
    machine.save();
    let Some((program, flags)) = known else {
        let message = format!(
            "no program is named `{}`",
            surefoot_engine::outcome::Quoted(tool.as_str().into())
        );
        return Err(Trouble::plain(message));
    };
    let program = crate::report::safe_text(program.as_os_str().as_bytes());
    crate::print(listing(&program, &flags).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn listing(program: &str, flags: &Flags) -> String {
    let mut out = format!("{program}: {}\n", text::level(flags.level()));
    for source in &flags.sources {
        let path = crate::report::safe_text(source.path.as_os_str().as_bytes());
        put(
            &mut out,
            format_args!("from {} {path}: {}\n", source.kind.name(), source.flags),
        );
    }
    let value = |takes| match takes {
        surefoot_shell::Takes::Nothing => "",
        surefoot_shell::Takes::Optional => " [VALUE]",
        surefoot_shell::Takes::Required => " VALUE",
        surefoot_shell::Takes::Unknown => " ?",
    };
    for (letter, takes) in &flags.short {
        put(&mut out, format_args!("  -{letter}{}\n", value(*takes)));
    }
    for (name, takes) in &flags.single {
        put(&mut out, format_args!("  -{name}{}\n", value(*takes)));
    }
    for (name, takes) in &flags.long {
        put(&mut out, format_args!("  --{name}{}\n", value(*takes)));
    }
    out
}
