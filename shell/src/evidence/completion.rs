//! Flags out of completion files, each read by its own format.

use std::path::Path;

use super::manual;
use crate::flags::{Flags, Takes};
use crate::machine::Completion;

/// Returns the flags that the completion in `text` gives for `tool`.
pub(crate) fn flags(kind: Completion, text: &str, tool: &str) -> Flags {
    let mut flags = Flags::default();
    match kind {
        // A program in a shell's language: only what is plainly a long flag can be told from the
        // rest, and letters leak in from everywhere.
        Completion::Bash => manual::mentions(text, &mut flags),
        Completion::Fish => fish(text, tool, &mut flags),
        Completion::Zsh => zsh(text, &mut flags),
    }
    flags
}

/// Reads `complete -c tool -s x -l long -o old -r`.
fn fish(text: &str, tool: &str, flags: &mut Flags) {
    for line in text.lines() {
        let words = words(line);
        if words.first().map(String::as_str) != Some("complete") {
            continue;
        }
        let (mut short, mut long, mut old) = (Vec::new(), Vec::new(), Vec::new());
        let mut takes = Takes::Nothing;
        let mut command = None;
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let value = words.get(at + 1).cloned();
            let (name, attached) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (word.as_str(), None),
            };
            let inline = attached.is_some();
            let value = attached.or(value);
            let took = match name {
                "-c" | "--command" => {
                    command = value;
                    true
                }
                "-s" | "--short-option" => {
                    short.extend(value.and_then(|value| value.chars().next()));
                    true
                }
                "-l" | "--long-option" => {
                    long.extend(value);
                    true
                }
                "-o" | "--old-option" => {
                    old.extend(value);
                    true
                }
                "-n" | "--condition" | "-a" | "--arguments" | "-d" | "--description" | "-w"
                | "--wraps" | "-p" | "--path" => true,
                "-r" | "--require-parameter" | "-x" | "--exclusive" => {
                    takes = Takes::Required;
                    false
                }
                _ if !name.starts_with("--") && name.starts_with('-') && name.len() > 2 => {
                    if name.contains(['r', 'x']) {
                        takes = Takes::Required;
                    }
                    false
                }
                _ => false,
            };
            at += if took && !inline { 2 } else { 1 };
        }
        if command.as_deref().is_some_and(|command| command != tool) {
            continue;
        }
        short
            .into_iter()
            .for_each(|letter| flags.add_short(letter, takes));
        long.iter().for_each(|name| flags.add_long(name, takes));
        old.iter().for_each(|name| flags.add_single(name, takes));
    }
}

/// Splits a line of fish into words.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut any = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (_, '\\') => word.extend(chars.next()),
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => word.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                any = true;
            }
            (None, '#') if word.is_empty() => break,
            (None, ' ' | '\t') => {
                if any || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (None, _) => word.push(c),
        }
    }
    if any || !word.is_empty() {
        out.push(word);
    }
    out
}

/// Reads the specifications of `_arguments`: `'(-x --long)'{-x,--long=}'[text]:message:'`.
fn zsh(text: &str, flags: &mut Flags) {
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        for (start, _) in line.match_indices('-') {
            let before = line.get(..start).unwrap_or("");
            // A specification begins in quotes or braces, perhaps after a list of what it excludes.
            let begins = before.ends_with(['\'', '"', '{', '*'])
                || before.ends_with(")'")
                || before.ends_with("'(*)'")
                || (before.ends_with(',') && before.rfind('{') > before.rfind('}'))
                || (before.ends_with(')')
                    && before.rfind('(').is_some_and(|at| {
                        before.get(..at).is_some_and(|b| b.ends_with(['\'', '"']))
                    }));
            if !begins {
                continue;
            }
            let rest = line.get(start..).unwrap_or("");
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '?')))
                .unwrap_or(rest.len());
            let name = rest.get(..length).unwrap_or("");
            let after = rest.get(length..).unwrap_or("");
            // What follows tells a specification from a word of the program around it.
            let specified =
                after.starts_with(['[', ':', '=', '+', ',', '}', '\'']) || after.starts_with("-[");
            if !specified {
                continue;
            }
            let has_value = line.get(start..).is_some_and(|rest| {
                rest.split(']')
                    .nth(1)
                    .is_some_and(|rest| rest.starts_with(':'))
            });
            let takes = match (has_value, after.starts_with(['=', '+'])) {
                (true, _) => Takes::Required,
                (false, true) => Takes::Optional,
                (false, false) => Takes::Unknown,
            };
            match name.strip_prefix("--") {
                Some(long) if long.len() > 1 => flags.add_long(long, takes),
                Some(_) => {}
                None => {
                    let name = name.trim_start_matches('-');
                    let mut letters = name.chars();
                    match (letters.next(), letters.next()) {
                        (Some(letter), None) => flags.add_short(letter, takes),
                        (Some(_), Some(_)) => flags.add_single(name, takes),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Returns the flags in the text of a script: the long ones that it names, and those that it gives to
/// `getopts`.
pub(crate) fn script(text: &str) -> Flags {
    let mut flags = Flags::default();
    manual::mentions(text, &mut flags);
    for line in text.lines() {
        let line = line.trim();
        if let Some(at) = line.find("getopts ") {
            let rest = line.get(at + 8..).unwrap_or("").trim_start();
            let string: String = rest
                .trim_start_matches(['"', '\'', ':'])
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == ':')
                .collect();
            let mut last = None;
            for c in string.chars() {
                match (c, last) {
                    (':', Some(letter)) => {
                        flags.short.insert(letter, Takes::Required);
                    }
                    (':', None) => {}
                    _ => {
                        flags.add_short(c, Takes::Nothing);
                        last = Some(c);
                    }
                }
            }
        }
        pattern(line, &mut flags);
    }
    flags
}

/// Reads a branch of `case`: `-x | --long)`.
fn pattern(line: &str, flags: &mut Flags) {
    let Some((patterns, _)) = line.split_once(')') else {
        return;
    };
    if !patterns.starts_with('-') && !patterns.starts_with("(-") {
        return;
    }
    for one in patterns.trim_start_matches('(').split('|') {
        let one = one
            .trim()
            .trim_matches(['"', '\''])
            .trim_end_matches("=*")
            .trim_end_matches('*');
        if let Some(name) = one.strip_prefix("--") {
            if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && name.len() > 1 {
                flags.add_long(name, Takes::Unknown);
            }
        } else if let Some(name) = one.strip_prefix('-') {
            let mut letters = name.chars();
            if let (Some(letter), None) = (letters.next(), letters.next()) {
                flags.add_short(letter, Takes::Unknown);
            }
        }
    }
}

/// Tells whether `bytes` begin as a script does.
pub(crate) fn is_script(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#!")
}

/// Returns the name of `path`'s last part without a version: `python3.11` becomes `python3`.
pub(crate) fn stem(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    Some(stem.to_owned())
}
