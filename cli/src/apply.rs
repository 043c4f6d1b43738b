//! `surefoot apply`: reads the edits, has them planned and landed, and reports.

use std::io::{IsTerminal as _, Read as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bstr::{BString, ByteSlice as _};
use surefoot_engine::outcome::{Outcome, Quoted, Reason, Refusal, Refused};
use surefoot_engine::patch::{Parsed, Reading, Step, reverse};
use surefoot_engine::policy::Policy;
use surefoot_engine::worktree::{self, ApplyOptions, Target, Worktree};
use surefoot_formats::{ParseError, ParseErrorKind, ParseOptions};

use crate::args::{ApplyArguments, OutputFormat};
use crate::config::Settings;
use crate::diff;
use crate::report::{self, Decision, Input, Report, Unread};
use crate::terminal::Colour;
use crate::trouble::{Trouble, tell};

/// The largest input, in bytes.
const MOST: u64 = 1 << 30;

/// The exit status of a refusal.
const REFUSED: u8 = 1;

/// Carries out `surefoot apply` and returns its exit status.
///
/// # Errors
///
/// Bad usage, or where the disk or the repository fails; then nothing is on standard output.
pub(crate) fn run(arguments: &ApplyArguments) -> Result<ExitCode, Trouble> {
    let caller = caller(arguments)?;
    let settings = Settings::load(arguments, &caller)?;
    check_usage(arguments, &settings)?;
    let inputs = Inputs::read(arguments, &settings)?;
    let (report, change) = if inputs.unread.is_empty() {
        decide(arguments, &settings, &caller, inputs)?
    } else {
        let format = settings.format.as_deref();
        (
            report::unread(&inputs.read, &inputs.unread, settings.policy.name, format),
            None,
        )
    };
    let printed = print(arguments, &settings, &report, change.as_deref());
    printed.map_err(|trouble| {
        if report.written {
            trouble.after_landing()
        } else {
            trouble
        }
    })?;
    Ok(match report.outcome {
        Decision::Applied => ExitCode::SUCCESS,
        Decision::Refused => ExitCode::from(REFUSED),
    })
}

/// Returns the folder that the call counts from: that of `-C`, else the current one.
fn caller(arguments: &ApplyArguments) -> Result<PathBuf, Trouble> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line knows where it stands"
    )]
    let here = std::env::current_dir();
    let here = here.map_err(|error| Trouble::new("cannot tell the current folder", error))?;
    Ok(arguments
        .directory
        .as_ref()
        .map_or_else(|| here.clone(), |dir| here.join(dir)))
}

/// Tells whether a glob has a bracket that is not closed: it would fit nothing.
fn is_open(glob: &str) -> bool {
    glob.rfind('[')
        .is_some_and(|at| glob.rfind(']').is_none_or(|close| close < at))
}

/// Checks what the options say together, so far as settings have a part in it.
fn check_usage(arguments: &ApplyArguments, settings: &Settings) -> Result<(), Trouble> {
    for glob in &settings.allow {
        // The engine matches as git does, which has no alternatives: such a glob would fit nothing.
        if glob.is_empty() || glob.contains(['{', '}']) || is_open(glob) {
            let glob = Quoted(glob.as_str().into());
            return Err(Trouble::plain(format!(
                "`{glob}` is no glob: it must not be empty nor leave a bracket open; in place of \
                 braces give --allow once for each alternative"
            )));
        }
    }
    if arguments.diff && settings.output == OutputFormat::Json {
        return Err(Trouble::plain("--diff goes with --output-format text only"));
    }
    let stdin = arguments
        .inputs
        .iter()
        .filter(|path| path.as_os_str() == "-")
        .count();
    if stdin > 1 {
        return Err(Trouble::plain("standard input can be read once only"));
    }
    Ok(())
}

/// What was made of the inputs.
#[derive(Default)]
struct Inputs {
    /// The edits, for the engine.
    parsed: Vec<Parsed>,
    /// The same inputs, for the report.
    read: Vec<Input>,
    /// Those that are no edits.
    unread: Vec<Unread>,
}

impl Inputs {
    fn read(arguments: &ApplyArguments, settings: &Settings) -> Result<Self, Trouble> {
        let options = ParseOptions {
            path: arguments
                .path
                .clone()
                .map(|path| BString::from(path.into_vec())),
            strip: arguments.strip,
            ..ParseOptions::default()
        };
        let stdin = [PathBuf::from("-")];
        let none = arguments.inputs.is_empty();
        let paths = if none {
            stdin.as_slice()
        } else {
            arguments.inputs.as_slice()
        };
        let mut inputs = Self::default();
        for path in paths {
            let format = settings.format.as_deref();
            let parsed = read_input(path)?
                .ok_or_else(too_large)
                .and_then(|bytes| surefoot_formats::parse(bytes.as_bstr(), format, &options));
            inputs.add(name(path), parsed);
        }
        Ok(inputs)
    }

    fn add(&mut self, name: String, parsed: Result<Parsed, ParseError>) {
        match parsed {
            Ok(parsed) => {
                let recoveries = parsed.recoveries.clone();
                self.read.push(Input {
                    name,
                    format: parsed.format,
                    recoveries,
                });
                self.parsed.push(parsed);
            }
            Err(error) => self.unread.push(Unread { name, error }),
        }
    }
}

/// Returns what an input is called, for people.
fn name(path: &Path) -> String {
    match path.as_os_str().as_bytes() {
        b"-" => "standard input".to_owned(),
        bytes => report::path_text(bytes),
    }
}

/// Reads one input whole, or returns `None` where it is too large.
fn read_input(path: &Path) -> Result<Option<BString>, Trouble> {
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            tell("surefoot: reads the edits from the terminal, up to ctrl-D\n");
        }
        stdin.lock().take(MOST + 1).read_to_end(&mut bytes)
    } else {
        #[expect(
            clippy::disallowed_methods,
            reason = "the inputs are the command line's to read"
        )]
        let file = std::fs::File::open(path);
        file.and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
    };
    let len = read.map_err(|error| {
        let name = Quoted(path.as_os_str().as_bytes().into()).to_string();
        Trouble::new(format!("cannot read `{name}`"), error)
    })?;
    Ok((len as u64 <= MOST).then(|| bytes.into()))
}

fn too_large() -> ParseError {
    ParseError {
        kind: ParseErrorKind::Unsupported,
        line: 0,
        span: surefoot_engine::patch::Span::default(),
        path: None,
        message: "larger than 1 GiB".to_owned(),
    }
}

/// Turns the edits round where asked for, and has them planned and landed.
fn decide(
    arguments: &ApplyArguments,
    settings: &Settings,
    caller: &Path,
    inputs: Inputs,
) -> Result<(Report, Option<Vec<u8>>), Trouble> {
    if !arguments.reverse {
        return land(arguments, settings, caller, &inputs);
    }
    match inputs.parsed.into_iter().rev().map(reversed).collect() {
        Ok(parsed) => land(arguments, settings, caller, &Inputs { parsed, ..inputs }),
        Err(reason) => {
            let refused = Refused::one(Refusal::of_input(reason));
            Ok((
                report::refused(&inputs.read, settings.policy.name, &refused),
                None,
            ))
        }
    }
}

/// Returns the edits that undo `parsed`, the last first.
fn reversed(parsed: Parsed) -> Result<Parsed, Reason> {
    let turn = |reading: &Reading| -> Result<Reading, Reason> {
        Ok(Reading {
            patch: reverse(&reading.patch)?,
            assumption: reading.assumption.clone(),
            fallback: reading.fallback,
        })
    };
    let steps = parsed
        .steps
        .iter()
        .rev()
        .map(|step| -> Result<Step, Reason> {
            let readings = step.readings.iter().map(turn).collect::<Result<_, _>>()?;
            Ok(Step {
                label: step.label.clone(),
                readings,
            })
        });
    let steps = steps.collect::<Result<_, _>>()?;
    Ok(Parsed { steps, ..parsed })
}

/// Plans and lands `inputs`. Returns the report, and the change as a diff where one is asked for.
fn land(
    arguments: &ApplyArguments,
    settings: &Settings,
    caller: &Path,
    inputs: &Inputs,
) -> Result<(Report, Option<Vec<u8>>), Trouble> {
    let policy = Policy {
        needs_base: arguments.three_way,
        ..settings.policy
    };
    let options = ApplyOptions {
        target: match (arguments.index, arguments.cached) {
            (_, true) => Target::Index,
            (true, false) => Target::WorktreeAndIndex,
            (false, false) => Target::Worktree,
        },
        check: arguments.check,
        break_links: arguments.break_links,
        allow: settings.allow.clone(),
        base: arguments.base.clone(),
        caller: caller.to_owned(),
    };
    let worktree = Worktree::discover(caller)?;
    let outcome = worktree::apply(&worktree, &inputs.parsed, &policy, &options)?;
    Ok(match outcome {
        Outcome::Applied(applied) => {
            let change = arguments
                .diff
                .then(|| diff::of(&applied, colour(&std::io::stdout())));
            (report::applied(&inputs.read, policy.name, &applied), change)
        }
        Outcome::Refused(refused) => (report::refused(&inputs.read, policy.name, &refused), None),
    })
}

fn colour(stream: &impl std::io::IsTerminal) -> Colour {
    Colour::choose(stream.is_terminal(), |name| std::env::var_os(name))
}

/// Prints the report; with a change beside it, the change is the result and the report is talk.
fn print(
    arguments: &ApplyArguments,
    settings: &Settings,
    report: &Report,
    change: Option<&[u8]>,
) -> Result<(), Trouble> {
    if settings.output == OutputFormat::Json {
        let mut line = serde_json::to_vec(report)
            .map_err(|error| Trouble::new("cannot write the report", error))?;
        line.push(b'\n');
        return crate::print(&line);
    }
    if let Some(change) = change {
        tell(&report::text(
            report,
            arguments.check,
            colour(&std::io::stderr()),
        ));
        return crate::print(change);
    }
    crate::print(report::text(report, arguments.check, colour(&std::io::stdout())).as_bytes())
}
