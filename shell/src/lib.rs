//! Tells whether a command line parses, whether its programs exist, and whether they take the flags
//! that it gives them. Runs none of it.
//!
//! [`ShellVerifier`] judges a text against a [`Machine`]. Only what the shell itself would refuse
//! blocks: a text that bash cannot parse, a program that is not there. What rests on manual pages, on
//! tables in programs and on completions only warns, and where too little is known it is said so.

mod bash;
mod cache;
mod check;
mod disk;
mod evidence;
mod flags;
mod judge;
mod machine;
#[cfg(all(feature = "exec", target_os = "linux"))]
pub mod sandbox;
mod span;
mod suggest;
pub mod syntax;
mod verdict;
#[cfg(all(feature = "exec", target_os = "linux"))]
mod warm;
mod wrapper;

pub use check::ShellVerifier;
pub use flags::{Flags, Operands, Takes};
pub use machine::Machine;
pub use span::Span;
pub use verdict::{Abstained, Checked, Code, Finding, Kind, Level, Report, Source, Tier};
#[cfg(all(feature = "exec", target_os = "linux"))]
pub use warm::warm;

/// Returns the program that `tool` stands for on `machine`, and what is known of its flags or of those
/// of its subcommand. `None` where there is no such program.
#[must_use]
pub fn known(
    machine: &Machine,
    tool: &str,
    subcommands: &[String],
) -> Option<(std::path::PathBuf, Flags)> {
    let program = machine.find(tool.as_bytes())?;
    let wanted = evidence::Tool {
        name: tool,
        program: &program,
        subcommands,
    };
    let known = evidence::of(machine, wanted);
    Some((program, known.flags.clone()))
}
