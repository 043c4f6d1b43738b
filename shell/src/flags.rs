//! The flags of one tool or subcommand, as far as they are known.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::verdict::{Kind, Level, Source};

/// Whether a flag takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Takes {
    /// None.
    Nothing,
    /// One may be attached to it; the next word is none.
    Optional,
    /// One has to follow, attached or as the next word.
    Required,
    /// Nobody knows.
    Unknown,
}

/// Where a tool's flags may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operands {
    /// Among its operands.
    #[default]
    Among,
    /// Before the first operand: what follows belongs to another program.
    After,
}

/// The flags that are known, by how they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// `--name`
    pub long: BTreeMap<String, Takes>,
    /// `-x`
    pub short: BTreeMap<char, Takes>,
    /// `-name`
    pub single: BTreeMap<String, Takes>,
    /// Names that some text gives with two dashes, as a flag of this tool or of another.
    pub mentioned: BTreeSet<String>,
    /// Beginnings of families that nobody lists: `-W…` of a compiler.
    pub families: Vec<String>,
    /// Where flags may stand.
    pub operands: Operands,
    /// How whole the set is known to be.
    pub level: Option<Level>,
    /// Where all this is from.
    pub sources: Vec<Source>,
}

/// What is known of one flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// There is such a flag.
    Yes(Takes),
    /// It is the beginning of these, and of more than one.
    Ambiguous(Vec<String>),
    /// None is known.
    No,
}

impl Flags {
    /// Returns how many flags are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.long.len() + self.short.len() + self.single.len()
    }

    /// Tells whether no flag is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how whole the set is.
    #[must_use]
    pub fn level(&self) -> Level {
        let grounded = self
            .sources
            .iter()
            .any(|source| source.kind != Kind::BuiltIn);
        match self.level {
            Some(level) => level,
            None if grounded && !self.is_empty() => Level::Open,
            None => Level::None,
        }
    }

    /// Adds a long flag; what is said of its value here outweighs nothing that is known.
    pub(crate) fn add_long(&mut self, name: &str, takes: Takes) {
        merge(self.long.entry(name.to_owned()).or_insert(takes), takes);
    }

    /// Adds a short flag, as [`Self::add_long`].
    pub(crate) fn add_short(&mut self, letter: char, takes: Takes) {
        merge(self.short.entry(letter).or_insert(takes), takes);
    }

    /// Adds a long flag with one dash, as [`Self::add_long`].
    pub(crate) fn add_single(&mut self, name: &str, takes: Takes) {
        merge(self.single.entry(name.to_owned()).or_insert(takes), takes);
    }

    /// Adds all that `other` knows.
    pub(crate) fn add(&mut self, other: &Self) {
        for (name, takes) in &other.long {
            self.add_long(name, *takes);
        }
        for (letter, takes) in &other.short {
            self.add_short(*letter, *takes);
        }
        for (name, takes) in &other.single {
            self.add_single(name, *takes);
        }
        self.mentioned.extend(other.mentioned.iter().cloned());
        self.families.extend(other.families.iter().cloned());
        for source in &other.sources {
            if !self.sources.contains(source) {
                self.sources.push(source.clone());
            }
        }
    }

    /// Adds all that `other` knows, of whose flags `kind` at `path` is the source.
    pub(crate) fn add_from(&mut self, other: &Self, kind: Kind, path: &std::path::Path) {
        self.add(other);
        if !other.is_empty() || !other.families.is_empty() {
            self.sources.push(Source {
                kind,
                path: path.to_owned(),
                flags: other.len(),
            });
        }
    }

    /// Returns what is known of `--name`.
    pub(crate) fn long(&self, name: &str) -> Known {
        if let Some(takes) = self.long.get(name) {
            return Known::Yes(*takes);
        }
        if matches!(name, "help" | "version") || self.has_family("--", name) {
            return Known::Yes(Takes::Nothing);
        }
        if self.mentioned.contains(name) {
            return Known::Yes(Takes::Unknown);
        }
        if self.negates() && self.is_negation(name) {
            return Known::Yes(Takes::Nothing);
        }
        let matching: Vec<(&String, &Takes)> = self
            .long
            .range(name.to_owned()..)
            .take_while(|(full, _)| full.starts_with(name))
            .collect();
        match matching.as_slice() {
            [] => Known::No,
            [(_, takes)] => Known::Yes(**takes),
            // Several names of one flag are no choice; nobody knows which are, so it is not said.
            several => Known::Ambiguous(several.iter().map(|(full, _)| (*full).clone()).collect()),
        }
    }

    /// Tells whether the tool has flags that undo others, as a habit.
    fn negates(&self) -> bool {
        let undone = self
            .long
            .range("no-".to_owned()..)
            .take_while(|(name, _)| name.starts_with("no-"))
            .filter(|(name, _)| {
                name.strip_prefix("no-")
                    .is_some_and(|rest| self.long.contains_key(rest))
            });
        self.level() != Level::Closed && undone.take(4).count() == 4
    }

    fn is_negation(&self, name: &str) -> bool {
        name.strip_prefix("no-")
            .is_some_and(|rest| self.long.contains_key(rest))
            || self.long.contains_key(&format!("no-{name}"))
    }

    /// Returns what is known of `-name`, written as one long flag.
    pub(crate) fn single(&self, name: &str) -> Known {
        // ffmpeg's stream specifiers and the like.
        let bare = name.split(':').next().unwrap_or(name);
        for name in [name, bare] {
            if let Some(takes) = self.single.get(name) {
                return Known::Yes(*takes);
            }
        }
        if self.has_family("-", name) {
            return Known::Yes(Takes::Unknown);
        }
        let negated = name.strip_prefix("no").filter(|rest| rest.len() > 1);
        if negated.is_some_and(|rest| self.single.contains_key(rest))
            || self.single.contains_key(&format!("no{name}"))
        {
            return Known::Yes(Takes::Nothing);
        }
        let mut matching = self
            .single
            .range(name.to_owned()..)
            .take_while(|(full, _)| full.starts_with(name));
        match (name.len() > 1, matching.next()) {
            (true, Some((_, takes))) => Known::Yes(*takes),
            _ => Known::No,
        }
    }

    fn has_family(&self, dashes: &str, name: &str) -> bool {
        self.families.iter().any(|family| {
            family
                .strip_prefix(dashes)
                .filter(|start| !start.starts_with('-'))
                .is_some_and(|start| name.starts_with(start))
        })
    }
}

/// Brings together what two sources say of one flag's value.
fn merge(held: &mut Takes, new: Takes) {
    *held = match (*held, new) {
        (Takes::Unknown, other) | (other, Takes::Unknown) => other,
        (held, new) if held == new => held,
        // Prose that forgets a value is commoner than prose that makes one up, but either way the
        // next word is not known to be one.
        (Takes::Required | Takes::Optional, Takes::Nothing)
        | (Takes::Nothing, Takes::Required | Takes::Optional) => Takes::Unknown,
        _ => Takes::Optional,
    };
}
