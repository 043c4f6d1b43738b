//! What the construction must know of a language. Each is one file that makes one [`Language`].

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
