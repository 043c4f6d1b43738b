//! What the construction must know of a language. Each is one file that makes one [`Language`].
//!
//! A new one is such a file with its manifests, a feature for its grammar and a line in
//! [`LIBRARIES`].

#[cfg(feature = "c")]
mod c;
#[cfg(feature = "cpp")]
mod cpp;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "java")]
mod java;
#[cfg(feature = "javascript")]
mod javascript;
#[cfg(feature = "rust")]
mod rust;
#[cfg(feature = "syntax")]
mod syntax;
#[cfg(test)]
#[cfg(feature = "syntax")]
mod tests;
#[cfg(feature = "typescript")]
mod typescript;

use super::CorpusError;
use super::listing::Listing;
use super::manifest::Manifest;
use super::sample::Function;

/// A language that edits are sampled from.
#[derive(Debug)]
pub struct Language {
    /// Its name, in lower case: the tag in every hash, and its word on the command line.
    pub name: &'static str,
    /// How its files' names end, without the dot.
    pub extensions: &'static [&'static str],
    /// Files of the pinned packages that are out whatever they hold.
    pub(super) left_out: &'static [&'static str],
    /// What one level of indentation is.
    pub(super) unit: &'static str,
    /// What begins a comment that ends with its line.
    pub(super) comment: &'static str,
    /// The words that an edit brings in before and behind its own name.
    pub(super) probe: (&'static str, &'static str),
    /// What words have besides ASCII letters, digits and `_`.
    pub(super) letters: &'static str,
    /// The words that are no names.
    pub(super) keywords: &'static [&'static str],
    /// Reads a file.
    pub(super) outline: fn(&str) -> Outline,
}

/// What a parser knows of a file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Every function with a body, in document order.
    pub(super) functions: Vec<Function>,
    /// The first and the last line, counted from 0, of what a comment must not come into: strings,
    /// and what else goes over several lines as one token.
    pub(super) tokens: Vec<(usize, usize)>,
    /// Whether the language's grammar reads the file without a fault.
    pub(super) is_whole: bool,
}

/// Pinned sources in one language, and what was sampled from them.
#[derive(Debug)]
pub struct Library {
    /// What they are in.
    pub language: &'static Language,
    /// Where they come from.
    pub packages: &'static [Package],
    /// Parts of paths, each path with a `/` before it, whose files are out.
    pub(super) leaves_out: &'static [&'static str],
    pub(super) edits: &'static str,
    pub(super) files: &'static str,
    pub(super) account: &'static str,
}

/// Sources that a registry has under a name and a version.
#[derive(Debug)]
pub struct Package {
    /// What has it.
    pub registry: Registry,
    /// Its name there.
    pub name: &'static str,
    /// Its version, which never changes what it holds.
    pub version: &'static str,
    /// The folder in it that is taken; empty for all of it.
    pub folder: &'static str,
}

/// What keeps packages, each with a tool of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    /// Rust's, through cargo.
    Crates,
    /// JavaScript's, through npm.
    Npm,
    /// Debian's, through apt.
    Debian,
}

/// The extended corpora, as far as their languages' grammars are built in.
pub static LIBRARIES: &[&Library] = &[
    #[cfg(feature = "rust")]
    &rust::LIBRARY,
    #[cfg(feature = "typescript")]
    &typescript::LIBRARY,
    #[cfg(feature = "javascript")]
    &javascript::LIBRARY,
    #[cfg(feature = "go")]
    &go::LIBRARY,
    #[cfg(feature = "java")]
    &java::LIBRARY,
    #[cfg(feature = "c")]
    &c::LIBRARY,
    #[cfg(feature = "cpp")]
    &cpp::LIBRARY,
];

impl Library {
    /// Returns the library of the language `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        LIBRARIES
            .iter()
            .find(|library| library.language.name == name)
            .copied()
    }

    /// Returns the edits that were sampled from it.
    ///
    /// # Errors
    ///
    /// Where the committed manifest is damaged.
    pub fn manifest(&self) -> Result<Manifest, CorpusError> {
        Manifest::read(self.edits)
    }

    /// Returns its files as they were pinned.
    ///
    /// # Errors
    ///
    /// Where the committed listing is damaged.
    pub fn listing(&self) -> Result<Listing, CorpusError> {
        Listing::read(self.files)
    }

    /// Returns what was counted when it was pinned.
    #[must_use]
    pub fn account(&self) -> &'static str {
        self.account
    }

    /// Tells whether the construction is to see the file at `path`.
    pub(super) fn takes(&self, path: &str) -> bool {
        let path = format!("/{path}");
        !self.leaves_out.iter().any(|part| path.contains(part))
    }
}

impl Language {
    /// Tells whether the construction takes this file: text without surprises, of at most 4,000
    /// lines. Tabs are none where the language is indented by them, at the begin of a line.
    pub(super) fn takes(&self, path: &str, text: &str) -> bool {
        let odd = |c: char| {
            matches!(
                c,
                '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
            )
        };
        let lead = if self.unit == "\t" { "\t" } else { "" };
        let tabbed = |line: &str| line.trim_start_matches(|c| lead.contains(c)).contains('\t');
        text.ends_with('\n')
            && !text.starts_with('\u{feff}')
            && !text.contains(odd)
            && !text.lines().any(tabbed)
            && text.lines().count() <= 4000
            && !self.left_out.contains(&path)
    }

    /// Returns every function of `text`, in document order.
    pub(super) fn functions(&self, text: &str) -> Vec<Function> {
        (self.outline)(text).functions
    }

    /// Returns a line that declares `name`, with `indent` before it.
    pub(super) fn declaration(&self, indent: &str, name: &str) -> String {
        let (before, behind) = self.probe;
        format!("{indent}{before}{name}{behind}")
    }

    /// Returns the place and the end, in bytes, of the first word in `line` that is no keyword.
    pub(super) fn identifier(&self, line: &str) -> Option<(usize, usize)> {
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || self.letters.contains(c);
        let goes_on = |c: char| begins(c) || c.is_ascii_digit();
        let mut from = 0;
        while let Some(start) = line.get(from..)?.find(begins) {
            let start = from + start;
            let rest = line.get(start..)?;
            let end = start + rest.find(|c| !goes_on(c)).unwrap_or(rest.len());
            if !self.keywords.contains(&line.get(start..end)?) {
                return Some((start, end));
            }
            from = end;
        }
        None
    }
}
