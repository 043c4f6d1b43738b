//! Shell commands with their right answers: examples of a public collection, and what is made of them.
//!
//! Nothing here knows a verifier. Every choice follows from a hash of what is chosen for, so that
//! neither order nor threads matter; whether a mutant really is one is for oracles outside to say.

mod mutate;
mod render;

pub use mutate::{Kind, Mutant, mutants};
pub use render::{Dialect, render};

use sha2::{Digest as _, Sha256};

/// What all choices follow from.
const SEED: &str = "surefoot-v1";

/// Returns the number that `text` is hashed to.
#[must_use]
pub fn hash(text: &str) -> u64 {
    let mut digest = Sha256::new();
    digest.update(SEED);
    digest.update([0]);
    digest.update(text);
    let digest = digest.finalize();
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// Words that another command's name follows.
const RUNNERS: [&str; 30] = [
    "sudo", "doas", "env", "xargs", "nohup", "time", "nice", "exec", "command", "setsid", "stdbuf",
    "if", "then", "do", "while", "else", "until", "!", "strace", "ltrace", "fakeroot", "watch",
    "timeout", "taskset", "chrt", "unshare", "ionice", "flock", "linux64", "setarch",
];

/// One example command, as its collection has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The page, without its folder.
    pub page: String,
    /// Which of the page's examples, from 0.
    pub index: usize,
    /// The command with its placeholders.
    pub raw: String,
}

/// One command that is to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The page and the example's number.
    pub id: String,
    /// The text.
    pub text: String,
    /// The tool: the first word behind `sudo` and assignments.
    pub tool: String,
    /// Where the tool's name stands.
    pub tool_at: usize,
    /// The words that the page's name repeats behind the tool.
    pub subcommands: Vec<String>,
    /// Where the words of tool and subcommand end.
    pub path_end: usize,
}

impl Row {
    /// Returns the command that the row is rendered to; `None` for key presses, for placeholders in
    /// the middle of a flag, and where there is no tool.
    #[must_use]
    pub fn command(&self) -> Option<Command> {
        let dialect = if hash(&format!("{}{}", self.page, self.index)) & 1 == 0 {
            Dialect::Long
        } else {
            Dialect::Short
        };
        let text = render(&self.raw, dialect)?;
        let (tool, tool_at) = tool(&text)?;
        let end = tool_at + tool.len();
        let (subcommands, path_end) = path(&text, end, &self.page, &tool);
        Some(Command {
            id: format!("{}#{}", self.page, self.index),
            text,
            tool,
            tool_at,
            subcommands,
            path_end,
        })
    }
}

impl Command {
    /// Returns the command without what stands before its tool, such as `sudo`.
    #[must_use]
    pub fn bare(self) -> Self {
        Self {
            text: self.text.get(self.tool_at..).unwrap_or_default().to_owned(),
            path_end: self.path_end - self.tool_at,
            tool_at: 0,
            ..self
        }
    }

    /// Returns the words that stand where a command's name does, as far as that can be told without a
    /// shell's grammar: first, and behind what separates commands or runs another. Quoted text is
    /// left out.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut bare = String::new();
        let mut quote = None;
        for c in self.text.chars() {
            match quote {
                Some(open) if open == c => quote = None,
                Some(_) => {}
                None if c == '\'' || c == '"' => quote = Some(c),
                None => bare.push(c),
            }
        }
        let is_name = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic())
                && word
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+'))
        };
        let mut found = Vec::new();
        for part in bare.split(['|', ';', '&', '(', ')', '`', '\n', '{']) {
            let mut words = part.split_whitespace().peekable();
            while let Some(word) = words.next() {
                if word.contains('=') && !word.starts_with('-') {
                    continue;
                }
                if word == "find" {
                    found.extend(
                        part.split("-exec ")
                            .skip(1)
                            .filter_map(|rest| rest.split_whitespace().next())
                            .map(str::to_owned),
                    );
                }
                if is_name(word) {
                    found.push(word.to_owned());
                }
                if !RUNNERS.contains(&word) {
                    break;
                }
                while words.peek().is_some_and(|word| !is_name(word)) {
                    words.next();
                }
            }
        }
        found
    }

    /// Tells whether nobody may look at it while rules are made.
    #[must_use]
    pub fn is_held_out(&self) -> bool {
        hash(&self.tool).is_multiple_of(5)
    }

    /// Returns the words that begin with a dash, up to a lone `--`, a pipe or another command.
    #[must_use]
    pub fn flags(&self) -> Vec<&str> {
        let rest = self
            .text
            .get(self.tool_at + self.tool.len()..)
            .unwrap_or("");
        rest.split_whitespace()
            .take_while(|word| {
                *word != "--" && !word.starts_with(['|', ';', '&', '>', '<', '\'', '"', '('])
            })
            .filter(|word| word.starts_with('-') && word.len() > 1)
            .map(|word| word.split('=').next().unwrap_or(word))
            .filter(|word| {
                word.trim_start_matches('-')
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            })
            .collect()
    }
}

/// Returns the rows of an extract in lines of JSON: `[folder, page, index, raw]`.
#[must_use]
pub fn rows(extract: &str) -> Vec<Row> {
    extract
        .lines()
        .filter_map(|line| serde_json::from_str::<(String, String, usize, String)>(line).ok())
        .map(|(_, page, index, raw)| Row { page, index, raw })
        .collect()
}

/// Returns the rows of one page in Markdown: the lines between single backquotes.
#[must_use]
pub fn page_rows(page: &str, text: &str) -> Vec<Row> {
    text.lines()
        .filter_map(|line| line.strip_prefix('`')?.strip_suffix('`'))
        .enumerate()
        .map(|(index, raw)| Row {
            page: page.to_owned(),
            index,
            raw: raw.to_owned(),
        })
        .collect()
}

/// Returns the tool of a command and where its name begins.
fn tool(text: &str) -> Option<(String, usize)> {
    let mut at = 0;
    let mut wrapped = false;
    loop {
        let rest = text.get(at..)?;
        let start = at + (rest.len() - rest.trim_start().len());
        let rest = text.get(start..)?;
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = rest.get(..length)?;
        let assigns = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        if matches!(word, "sudo" | "doas") {
            wrapped = true;
        } else if !(assigns || (wrapped && word.starts_with('-'))) {
            let fits = !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '['));
            return fits.then(|| (word.to_owned(), start));
        }
        at = start + length;
    }
}

/// Returns the words behind the tool that the page's name has behind its first: `git-commit` has one.
fn path(text: &str, end: usize, page: &str, tool: &str) -> (Vec<String>, usize) {
    let mut end = end;
    let mut words = Vec::new();
    let Some(mut rest) = page.strip_prefix(tool) else {
        return (words, end);
    };
    while let Some(name) = rest.strip_prefix('-') {
        let after = text.get(end..).unwrap_or("");
        let trimmed = after.trim_start();
        let word = trimmed.split_whitespace().next().unwrap_or("");
        let fits = !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !word.starts_with('-')
            && name
                .strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        if !fits {
            break;
        }
        end += after.len() - trimmed.len() + word.len();
        rest = name.strip_prefix(word).unwrap_or("");
        words.push(word.to_owned());
    }
    (words, end)
}

#[cfg(test)]
mod tests;
