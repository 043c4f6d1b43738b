//! Holds a command's words against the flags that are known.

use crate::flags::{Flags, Known, Operands, Takes};
use crate::span::Span;
use crate::syntax::{Rest, Word};
use crate::verdict::Level;

/// How a flag is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dash {
    /// `--name`
    Long,
    /// `-x`, alone or in a group
    Short,
    /// `-name`
    Single,
}

/// A flag that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Suspect {
    pub(crate) span: Span,
    /// The flag without its dashes.
    pub(crate) name: String,
    pub(crate) dash: Dash,
    pub(crate) what: What,
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// None is known by this name.
    Unknown,
    /// It begins several.
    Ambiguous(Vec<String>),
}

/// What became of a command's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walk {
    pub(crate) suspects: Vec<Suspect>,
    /// The first operand.
    pub(crate) operand: Option<usize>,
    /// Words that may be flags, which nobody knows before the command runs.
    pub(crate) open: Vec<Span>,
    /// The flags that were recognised.
    pub(crate) known: usize,
}

/// Reads `words` from `first` on. With `stop`, ends at the first operand.
pub(crate) fn walk(words: &[Word], first: usize, flags: &Flags, stop: Operands) -> Walk {
    let mut walk = Walk::default();
    let mut at = first;
    while let Some(word) = words.get(at) {
        let lead = String::from_utf8_lossy(&word.lead);
        if !lead.starts_with('-') || lead == "-" {
            if lead.is_empty() && word.rest != Rest::Nothing {
                walk.open.push(word.span);
            }
            walk.operand.get_or_insert(at);
            if stop == Operands::After || flags.operands == Operands::After {
                return walk;
            }
            at += 1;
            continue;
        }
        if lead == "--" && word.rest == Rest::Nothing {
            return walk;
        }
        let takes_next = match lead.strip_prefix("--") {
            Some(body) => long(word, body, flags, &mut walk),
            None => dashed(word, lead.get(1..).unwrap_or_default(), flags, &mut walk),
        };
        at += match takes_next {
            Next::Value => 2,
            Next::Flag => 1,
        };
    }
    walk
}

/// What the word after a flag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The flag's value.
    Value,
    /// Whatever it says itself.
    Flag,
}

fn long(word: &Word, body: &str, flags: &Flags, walk: &mut Walk) -> Next {
    let (name, value) = match body.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (body, None),
    };
    if value.is_none() && word.rest != Rest::Nothing {
        walk.open.push(word.span);
        return Next::Flag;
    }
    let what = match flags.long(name) {
        Known::Yes(takes) => {
            walk.known += 1;
            return match takes {
                Takes::Required if value.is_none() => Next::Value,
                _ => Next::Flag,
            };
        }
        Known::Ambiguous(several) => What::Ambiguous(several),
        // Some programs take their long flags with two dashes, too.
        Known::No if flags.single.contains_key(name) => return Next::Flag,
        Known::No => What::Unknown,
    };
    walk.suspects.push(Suspect {
        span: word.span,
        name: name.to_owned(),
        dash: Dash::Long,
        what,
    });
    Next::Flag
}

fn dashed(word: &Word, body: &str, flags: &Flags, walk: &mut Walk) -> Next {
    let name = body.split('=').next().unwrap_or(body);
    let Some(first) = name.chars().next() else {
        walk.open.push(word.span);
        return Next::Flag;
    };
    // Counts, sizes, signals: no flag is a number.
    if first.is_ascii_digit() || (first == '.' && name.len() > 1) {
        return Next::Flag;
    }
    if name.len() > 1
        && let Known::Yes(takes) = flags.single(name)
    {
        walk.known += 1;
        let attached = body.len() > name.len();
        return match takes {
            Takes::Required if !attached => Next::Value,
            _ => Next::Flag,
        };
    }
    if name.len() == 1
        && !flags.short.contains_key(&first)
        && let Known::Yes(takes) = flags.single(name)
    {
        walk.known += 1;
        return match takes {
            Takes::Required => Next::Value,
            _ => Next::Flag,
        };
    }
    cluster(word, body, name, flags, walk)
}

fn cluster(word: &Word, body: &str, name: &str, flags: &Flags, walk: &mut Walk) -> Next {
    let letters: Vec<char> = body.chars().collect();
    for (nth, letter) in letters.iter().enumerate() {
        let last = nth + 1 == letters.len();
        match flags.short.get(letter) {
            Some(Takes::Nothing) => {}
            Some(Takes::Required) => {
                walk.known += 1;
                return match last && word.rest == Rest::Nothing {
                    true => Next::Value,
                    false => Next::Flag,
                };
            }
            Some(Takes::Optional | Takes::Unknown) => {
                walk.known += 1;
                return Next::Flag;
            }
            None if nth > 0 && !letter.is_ascii_alphabetic() => {
                walk.known += 1;
                return Next::Flag;
            }
            None => {
                // Of a tool that only has long ones, it may be an abbreviation.
                let abbreviates = flags.short.is_empty()
                    && letters.len() == 1
                    && flags.single.keys().any(|name| name.starts_with(*letter));
                if abbreviates || flags.has_short_family(*letter) {
                    return Next::Flag;
                }
                let long_style = name.len() > 1 && flags.single.len() >= 3;
                if nth == 0 && word.rest != Rest::Nothing && letters.len() == 1 {
                    return Next::Flag;
                }
                walk.suspects.push(Suspect {
                    span: word.span,
                    name: if long_style {
                        name.to_owned()
                    } else {
                        letter.to_string()
                    },
                    dash: if long_style {
                        Dash::Single
                    } else {
                        Dash::Short
                    },
                    what: What::Unknown,
                });
                return Next::Flag;
            }
        }
    }
    walk.known += 1;
    Next::Flag
}

impl Flags {
    fn has_short_family(&self, letter: char) -> bool {
        self.families
            .iter()
            .any(|family| family.strip_prefix('-') == Some(letter.to_string().as_str()))
    }

    /// Tells whether enough is known to doubt a flag written like this.
    pub(crate) fn may_doubt(&self, dash: Dash) -> bool {
        if self.level() == Level::None {
            return false;
        }
        let closed = self.level() == Level::Closed;
        // A tool that has no long flags may still be said to have no `--help`.
        let told = |name: &String| !matches!(name.as_str(), "help" | "version");
        let without_long = !self.mentioned.iter().any(told);
        match dash {
            // A page that names no long flag at all, and many others, describes a tool without any.
            Dash::Long => {
                closed
                    || !self.long.is_empty()
                    || (without_long && (self.short.len() >= 3 || self.single.len() >= 5))
            }
            Dash::Short => closed || !self.short.is_empty() || self.single.len() >= 5,
            Dash::Single => !self.single.is_empty(),
        }
    }
}
