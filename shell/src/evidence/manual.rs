//! Flags out of a manual page.

use super::roff::{FONT, Page, Place};
use crate::flags::{Flags, Takes};

/// Returns the flags that a page's headings and usage lines define.
pub(crate) fn flags(page: &Page) -> Flags {
    let mut flags = Flags::default();
    for line in &page.lines {
        if line.place == Place::Head {
            heading(&line.text, &mut flags);
        }
        mentions(&line.text, &mut flags);
    }
    let synopsis = page
        .lines
        .iter()
        .filter(|line| line.place == Place::Synopsis);
    synopsis.for_each(|line| usage(&line.text, &mut flags));
    flags
}

/// One flag, as a heading gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    /// With its dashes, without its value.
    text: String,
    takes: Takes,
}

/// Adds the flags of a heading such as `-o FILE, --output=FILE`.
pub(crate) fn heading(text: &str, flags: &mut Flags) {
    let given = given(text);
    // `-o, --output=FILE` gives the value once for both; `-f, --follow[=HOW]` for the long one alone.
    let shared = given
        .iter()
        .map(|one| one.takes)
        .find(|takes| *takes == Takes::Required);
    for one in given {
        let takes = match (one.takes, shared) {
            (Takes::Nothing, Some(shared)) => shared,
            (takes, _) => takes,
        };
        add(&one.text, takes, flags);
    }
}

fn add(text: &str, takes: Takes, flags: &mut Flags) {
    if let Some(name) = text.strip_prefix("--") {
        if let Some(rest) = name
            .strip_prefix("[no-]")
            .or_else(|| name.strip_prefix("[no]"))
        {
            let dash = if name.starts_with("[no-]") {
                "no-"
            } else {
                "no"
            };
            flags.add_long(rest, takes);
            flags.add_long(&format!("{dash}{rest}"), Takes::Nothing);
        } else {
            flags.add_long(name, takes);
        }
        return;
    }
    let name = text.strip_prefix('-').unwrap_or(text);
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => flags.add_short(letter, takes),
        (Some(_), Some(_)) => flags.add_single(name, takes),
        _ => {}
    }
}

/// Reads the flags of a heading, up to where a description begins on the same line.
fn given(text: &str) -> Vec<Given> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<Given> = Vec::new();
    let mut at = 0;
    let mut boundary = true;
    while let Some(c) = chars.get(at).copied() {
        if c == '-' && boundary {
            let (one, next) = one(&chars, at);
            if let Some(one) = one {
                out.push(one);
            }
            at = next.max(at + 1);
            boundary = false;
            continue;
        }
        // Two blanks, or a tab, after a flag: the description follows.
        let gap = c == '\t' || (c == ' ' && chars.get(at + 1) == Some(&' '));
        if gap && !out.is_empty() {
            break;
        }
        if c != FONT {
            boundary = c.is_whitespace()
                || matches!(
                    c,
                    ',' | '|' | '/' | '[' | '(' | '{' | ';' | '"' | '\'' | '`'
                );
        }
        at += 1;
    }
    out
}

/// Reads one flag, which begins at `at`, and what says whether it takes a value.
fn one(chars: &[char], at: usize) -> (Option<Given>, usize) {
    let get = |at: usize| chars.get(at).copied();
    let mut end = at;
    while get(end) == Some('-') {
        end += 1;
    }
    let dashes = end - at;
    let mut text: String = "-".repeat(dashes.min(2));
    let rest: String = chars.iter().skip(end).take(5).collect();
    for optional in ["[no-]", "[no]"] {
        if dashes == 2 && rest.starts_with(optional) {
            text.push_str(optional);
            end += optional.len();
        }
    }
    // Some pages set the letter, but not its dash, in another font.
    while get(end) == Some(FONT) && get(end + 1).is_some_and(|c| c.is_ascii_alphanumeric()) {
        end += 1;
    }
    let start = end;
    // A dash that no name follows, or three of them, is no flag.
    let odd = |c: char| {
        matches!(
            c,
            '?' | '@' | '#' | '%' | '+' | ':' | '!' | '^' | '$' | '0'..='9'
        )
    };
    match get(end) {
        Some(c) if c.is_ascii_alphanumeric() || (dashes == 1 && odd(c)) => {}
        _ => return (None, end),
    }
    if dashes > 2 {
        return (None, end);
    }
    while let Some(c) = get(end) {
        let inside = c.is_ascii_alphanumeric()
            || (matches!(c, '-' | '_' | '.' | '+')
                && get(end + 1).is_some_and(|c| c.is_ascii_alphanumeric()))
            || (end == start && odd(c));
        if !inside {
            break;
        }
        end += 1;
    }
    let name: String = chars.iter().skip(start).take(end - start).collect();
    // `-nNUM`: a letter and its value, set in another font or in capitals.
    let attached =
        get(end) == Some(FONT) && get(end + 1).is_some_and(|c| c.is_ascii_alphanumeric());
    let rest: String = name.chars().skip(1).collect();
    let capitals = rest.len() > 1 && rest.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let takes = if dashes == 1 && capitals && !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        text.extend(name.chars().take(1));
        Takes::Required
    } else {
        text.push_str(&name);
        if attached && dashes == 1 {
            Takes::Required
        } else {
            value(chars, end)
        }
    };
    (Some(Given { text, takes }), end)
}

/// Tells whether a value follows at `at`.
fn value(chars: &[char], mut at: usize) -> Takes {
    let get = |at: usize| chars.get(at).copied();
    while get(at) == Some(FONT) {
        at += 1;
    }
    match (get(at), get(at + 1)) {
        (Some('['), Some('=')) => Takes::Optional,
        (Some('['), Some(c)) if c.is_ascii_alphabetic() || c == '<' || c == FONT => Takes::Optional,
        (Some('=' | '<' | ':'), Some(_)) => Takes::Required,
        (Some(' '), _) => {
            at += 1;
            let changed = get(at) == Some(FONT);
            while get(at) == Some(FONT) {
                at += 1;
            }
            match get(at) {
                Some('[') => match get(at + 1) {
                    Some('-' | ',' | '|') => Takes::Nothing,
                    _ => Takes::Optional,
                },
                Some('<' | '{' | '\'' | '"') => Takes::Required,
                Some('=') => Takes::Required,
                Some(c) if c.is_ascii_uppercase() => Takes::Required,
                // In a heading, a word in another font is a value; `or` and `and` join flags.
                Some(c) if c.is_alphanumeric() || c == '/' || c == '.' => {
                    let word: String = chars
                        .iter()
                        .skip(at)
                        .take_while(|c| c.is_alphanumeric())
                        .collect();
                    match word.as_str() {
                        "or" | "and" => Takes::Nothing,
                        _ if changed => Takes::Required,
                        _ => Takes::Unknown,
                    }
                }
                _ => Takes::Nothing,
            }
        }
        _ => Takes::Nothing,
    }
}

/// Adds the flags of a usage line. `[-abc]` is a group where most of its letters are known.
pub(crate) fn usage(text: &str, flags: &mut Flags) {
    for one in given(text) {
        let Some(name) = one.text.strip_prefix('-') else {
            continue;
        };
        let letters: Vec<char> = name.chars().collect();
        if name.starts_with('-') || letters.len() == 1 {
            // A usage line says less of values than a heading does.
            if !known(&one.text, flags) {
                add(&one.text, one.takes, flags);
            }
            continue;
        }
        if flags.single.contains_key(name) {
            continue;
        }
        let held = letters
            .iter()
            .filter(|letter| flags.short.contains_key(letter))
            .count();
        let mut distinct = letters.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let mixed = name.chars().any(|c| c.is_ascii_uppercase())
            && name.chars().any(|c| c.is_ascii_lowercase());
        let group = distinct.len() == letters.len()
            && (held * 2 > letters.len()
                || (flags.single.is_empty()
                    && (letters.len() >= 6 || mixed || held > 0 || flags.short.len() >= 5)));
        if group {
            for (nth, letter) in letters.iter().enumerate() {
                let takes = if nth + 1 == letters.len() {
                    one.takes
                } else {
                    Takes::Nothing
                };
                if letter.is_ascii_alphanumeric() && !flags.short.contains_key(letter) {
                    flags.add_short(*letter, takes);
                }
            }
        } else {
            flags.add_single(name, one.takes);
        }
    }
}

fn known(text: &str, flags: &Flags) -> bool {
    match text.strip_prefix("--") {
        Some(name) => flags.long.contains_key(name),
        None => text
            .chars()
            .nth(1)
            .is_some_and(|letter| flags.short.contains_key(&letter)),
    }
}

/// Adds every `--name` that stands in `text`.
pub(crate) fn mentions(text: &str, flags: &mut Flags) {
    let text = text.replace(FONT, "");
    let mut rest = text.as_str();
    while let Some(at) = rest.find("--") {
        let before = rest.get(..at).and_then(|text| text.chars().next_back());
        let after = rest.get(at + 2..).unwrap_or("");
        let mut body = after;
        let mut negatable = "";
        for optional in ["[no-]", "[no]"] {
            if let Some(stripped) = body.strip_prefix(optional) {
                body = stripped;
                negatable = optional.trim_matches(['[', ']']);
            }
        }
        let length = body
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')))
            .unwrap_or(body.len());
        let name = body
            .get(..length)
            .unwrap_or("")
            .trim_end_matches(['.', '-', '_']);
        let begins = before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-');
        if begins && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() > 1 {
            flags.mentioned.insert(name.to_owned());
            if !negatable.is_empty() {
                flags.mentioned.insert(format!("{negatable}{name}"));
            }
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests;
