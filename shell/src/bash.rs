//! Asks bash whether a text parses. bash reads it and runs nothing of it (`-n`).

use std::path::PathBuf;
use std::process::{Command, Stdio};

use bstr::{BString, ByteSlice as _};

/// The longest text that can be given to bash as an argument, one byte under the kernel's limit.
const LONGEST: usize = (128 << 10) - 1;

/// What bash says of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It parses.
    Parses,
    /// It parses, but for a here-document that its end ends.
    OpenHereDocument,
    /// It does not parse; bash's words, without its name and the line.
    Rejects(BString),
    /// Nobody can tell; why.
    Unknown(&'static str),
}

/// Asks the bash at `program`.
///
/// The environment is empty: a user's settings change what parses, and functions in it would run.
pub(crate) fn ask(program: Option<&PathBuf>, text: &[u8]) -> Answer {
    if text.contains(&0) {
        return Answer::Unknown("it holds a NUL byte, which no shell can be given");
    }
    if text.len() > LONGEST {
        return Answer::Unknown("it is too long to be given to a shell");
    }
    let Some(program) = program else {
        return Answer::Unknown("there is no bash to ask");
    };
    let text: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(text);
    let done = Command::new(program)
        .args(["--norc", "--noprofile", "-n", "-c", "--"])
        .arg(text)
        .env_clear()
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    let Ok(done) = done else {
        return Answer::Unknown("bash cannot be started");
    };
    let said = words(&done.stderr);
    match done.status.code() {
        // It exits with 0 after some errors, and says them nonetheless.
        Some(0) if said.is_empty() => Answer::Parses,
        Some(0) if said.contains_str("here-document") && said.contains_str("delimited by") => {
            Answer::OpenHereDocument
        }
        Some(0) if is_error(&said) => Answer::Rejects(said),
        Some(0) => Answer::Parses,
        // Other statuses: a limit of bash's own, such as its stack.
        Some(1 | 2 | 127) if is_error(&said) => Answer::Rejects(said),
        _ => Answer::Unknown("bash fails to read it"),
    }
}

fn is_error(said: &[u8]) -> bool {
    [
        "syntax error",
        "unexpected",
        "operator expected",
        "bad substitution",
        "conditional",
        "not a valid",
    ]
    .iter()
    .any(|word| said.contains_str(word))
}

/// Returns the first telling line of bash's words, without its name and the line number.
fn words(said: &[u8]) -> BString {
    let line = said
        .lines()
        .find(|line| is_error(line))
        .or_else(|| said.lines().next())
        .unwrap_or_default();
    let rest = line
        .split_once_str("line ")
        .and_then(|(_, rest)| rest.split_once_str(": "))
        .map_or(line, |(_, rest)| rest);
    let short: Vec<u8> = rest.iter().copied().take(200).collect();
    short.into()
}
