//! An applier that somebody else brings: a program that speaks JSON lines on its standard streams,
//! as `docs/compare.md` has it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use crate::Trouble;
use crate::appliers::Answer;

/// What a program says of itself.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hello {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The formats that it reads, by surefoot's names for them.
    pub(crate) formats: Vec<String>,
    /// Whether it asks for what the author of an edit saw.
    #[serde(default)]
    pub(crate) base: bool,
}

/// One edit and the file that it meets.
#[derive(Debug, Serialize)]
pub(crate) struct Request<'r> {
    pub(crate) id: u64,
    pub(crate) format: &'r str,
    pub(crate) path: &'r str,
    pub(crate) file: &'r str,
    pub(crate) edit: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<&'r str>,
}

#[derive(Debug, Deserialize)]
struct Reply {
    id: u64,
    applied: Option<String>,
    refused: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
}

/// What a program made of a request.
#[derive(Debug)]
pub(crate) enum Said {
    /// Its answer, and whether a warning came with it.
    Answer(Answer, bool),
    /// It ended without one.
    Crashed,
    /// It took too long.
    TimedOut,
}

/// A program, and the processes of it that wait for a request.
#[derive(Debug)]
pub(crate) struct Program {
    command: String,
    patience: Duration,
    pub(crate) hello: Hello,
    idle: Mutex<Vec<Session>>,
}

impl Program {
    /// Starts `command` through the shell, and hears what it is.
    ///
    /// # Errors
    ///
    /// Where it does not start, or does not say what it is.
    pub(crate) fn start(command: &str, patience: Duration) -> Result<Self, Trouble> {
        let mut session = Session::start(command)?;
        let line = match session.ask("{\"hello\":1}", patience) {
            Heard::Line(line) => line,
            Heard::End => return Err(format!("`{command}` ended before it said what it is").into()),
            Heard::Nothing => return Err(format!("`{command}` does not say what it is").into()),
        };
        let hello = serde_json::from_str(&line);
        let hello: Hello = hello.map_err(|error| format!("`{command}` says `{line}`: {error}"))?;
        Ok(Self {
            command: command.to_owned(),
            patience,
            hello,
            idle: Mutex::new(vec![session]),
        })
    }

    /// Gives it one edit. After a crash or a time-out another process takes its place.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, or its answer is none: that is a fault of the program's protocol,
    /// and no outcome.
    pub(crate) fn ask(&self, request: &Request<'_>) -> Result<Said, Trouble> {
        let waiting = self.idle.lock().map_err(|_| "a thread panicked")?.pop();
        let mut session = match waiting {
            Some(session) => session,
            None => self.again()?,
        };
        let line = match session.ask(&serde_json::to_string(request)?, self.patience) {
            Heard::Line(line) => line,
            Heard::End => return Ok(Said::Crashed),
            Heard::Nothing => return Ok(Said::TimedOut),
        };
        let said = read(&line, request.id).map_err(|why| {
            let (command, id) = (&self.command, request.id);
            format!("`{command}` answers request {id} with a line that is no answer: {why}")
        })?;
        self.idle
            .lock()
            .map_err(|_| "a thread panicked")?
            .push(session);
        Ok(said)
    }

    fn again(&self) -> Result<Session, Trouble> {
        let mut session = Session::start(&self.command)?;
        match session.ask("{\"hello\":1}", self.patience) {
            Heard::Line(_) => Ok(session),
            _ => Err(format!("`{}` does not start again", self.command).into()),
        }
    }
}

fn read(line: &str, id: u64) -> Result<Said, Trouble> {
    let reply: Reply = serde_json::from_str(line)?;
    if reply.id != id {
        return Err(format!("it is for request {}", reply.id).into());
    }
    let answer = match (reply.applied, reply.refused) {
        (Some(file), None) => Answer::Applied(file),
        (None, Some(why)) => Answer::Refused(why),
        _ => return Err("it needs one of `applied` and `refused`".into()),
    };
    Ok(Said::Answer(answer, !reply.warnings.is_empty()))
}

/// One process. What is written to it and read from it goes through threads of their own, so that a
/// program that does neither holds nobody up.
#[derive(Debug)]
struct Session {
    child: Child,
    requests: Sender<String>,
    lines: Receiver<String>,
}

enum Heard {
    Line(String),
    End,
    Nothing,
}

impl Session {
    fn start(command: &str) -> Result<Self, Trouble> {
        let mut child = Command::new("sh")
            .args(["-c", command])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run `{command}`: {error}"))?;
        let stdin = child.stdin.take().ok_or("it has no standard input")?;
        let stdout = child.stdout.take().ok_or("it has no standard output")?;
        let (requests, received) = channel();
        std::thread::spawn(move || write(stdin, &received));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            requests,
            lines,
        })
    }

    fn ask(&mut self, line: &str, patience: Duration) -> Heard {
        if self.requests.send(format!("{line}\n")).is_err() {
            return Heard::End;
        }
        match self.lines.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Disconnected) => Heard::End,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
        }
    }
}

fn write(mut stdin: ChildStdin, requests: &Receiver<String>) {
    for request in requests {
        let written = stdin.write_all(request.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The shell and what it started. Best effort: what is already gone cannot be ended.
        if let Ok(id) = i32::try_from(self.child.id()) {
            let _gone = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        drop(self.child.wait());
    }
}

#[cfg(test)]
mod tests;
