//! The verifier of the pre-action verification paper: every word with a dash that the manual page, as it
//! is rendered, or the help text holds anywhere is a flag; whatever else begins with a dash is none.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use surefoot_shell::sandbox::{Sandbox, may_run};

use super::HELPER;
use super::configurations::Said;
use super::oracle::parallel;
use super::trials::Trials;
use crate::Trouble;

/// What is known of every tool.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    flags: BTreeMap<String, BTreeSet<String>>,
}

/// Which words are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// All that begin with a dash.
    All,
    /// All but those of one dash and several letters.
    Selected,
}

impl Paper {
    /// Reads the pages of all tools and asks them for help.
    pub(crate) fn new(trials: &Trials) -> Result<Self, Trouble> {
        let sandbox = Sandbox {
            program: std::env::current_exe()?,
            first: HELPER.into(),
            limit: Duration::from_secs(4),
        };
        let tools: BTreeSet<String> = trials.all.iter().map(|trial| trial.tool.clone()).collect();
        let tools: Vec<String> = tools.into_iter().collect();
        let flags = parallel(&tools, |tool| {
            let mut text = page(tool);
            text.push('\n');
            text.push_str(&help(&sandbox, tool));
            dashed(&text)
        });
        Ok(Self {
            flags: tools.into_iter().zip(flags).collect(),
        })
    }

    /// Judges the words behind the tool.
    pub(crate) fn judge(&self, tool: &str, text: &str, words: Words) -> Said {
        let known = self.flags.get(tool).filter(|known| !known.is_empty());
        let Some(known) = known else {
            return Said::Abstains;
        };
        let at = text.find(tool).map_or(0, |at| at + tool.len());
        let rest = text.get(at..).unwrap_or("");
        let unknown = rest
            .split_whitespace()
            .take_while(|word| *word != "--" && !word.starts_with(['|', ';', '&']))
            .filter(|word| word.len() > 1 && word.starts_with('-'))
            .map(|word| word.split('=').next().unwrap_or(word))
            .filter(|word| words == Words::All || word.starts_with("--") || word.len() == 2)
            .any(|word| !known.contains(word));
        if unknown { Said::Warns } else { Said::Admits }
    }
}

fn page(tool: &str) -> String {
    let done = Command::new("man")
        .args(["-P", "cat", tool])
        .env("MANWIDTH", "200")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let text = done.map(|done| done.stdout).unwrap_or_default();
    let mut out = String::new();
    for c in String::from_utf8_lossy(&text).chars() {
        if c == '\u{8}' {
            out.pop();
        } else {
            out.push(c);
        }
    }
    out
}

fn help(sandbox: &Sandbox, tool: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program: Option<PathBuf> = std::env::split_paths(&path)
        .map(|folder| folder.join(tool))
        .find(|program| may_run(program).is_ok());
    let said = program.and_then(|program| sandbox.run(&program, &[OsStr::new("--help")]));
    said.map(|said| String::from_utf8_lossy(&said.text).into_owned())
        .unwrap_or_default()
}

/// Returns every word of `text` that is written like a flag.
fn dashed(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices('-') {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
            continue;
        }
        let rest = text.get(at..).unwrap_or("");
        let dashes = if rest.starts_with("--") { 2 } else { 1 };
        let name: String = rest
            .chars()
            .skip(dashes)
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .collect();
        if name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            found.insert(format!(
                "{}{}",
                "-".repeat(dashes),
                name.trim_end_matches(['-', '_'])
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dashed_word_of_a_text_is_a_flag() {
        let found: Vec<String> = dashed("-a, --all-of=X [-n] re-do --x- (see --other).")
            .into_iter()
            .collect();
        assert_eq!(found, ["--all-of", "--other", "--x", "-a", "-n"]);
    }

    #[test]
    fn groups_are_alarms_unless_they_are_left_out() {
        let flags = BTreeSet::from(["-a".to_owned(), "-b".to_owned(), "--all".to_owned()]);
        let paper = Paper {
            flags: BTreeMap::from([("tool".to_owned(), flags)]),
        };
        assert_eq!(
            paper.judge("tool", "tool -a --all=x", Words::All),
            Said::Admits
        );
        assert_eq!(paper.judge("tool", "tool -ab", Words::All), Said::Warns);
        assert_eq!(
            paper.judge("tool", "tool -ab", Words::Selected),
            Said::Admits
        );
        assert_eq!(paper.judge("tool", "tool -- -z", Words::All), Said::Admits);
        assert_eq!(paper.judge("other", "other -z", Words::All), Said::Abstains);
    }
}
