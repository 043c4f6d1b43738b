//! The table of changed files that stands above a mail's diff: a checksum that comes for free.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice as _};
use surefoot_engine::lines;
use surefoot_engine::outcome::Quoted;
use surefoot_engine::patch::{Change, Destination, Edit, Hunk, Line, Patch};

use super::cursor::Cursor;
use super::hunk_header::{number, words};
use super::names;
use super::parser::Parser;

/// What a diffstat says.
#[derive(Debug)]
pub(super) struct Diffstat {
    /// Files, insertions and deletions of the last line.
    totals: [u64; 3],
    /// Each file's name and its changed lines, where both are given in full.
    files: Vec<(BString, u64)>,
}

impl Diffstat {
    /// Reads the diffstat in the text from `at` on; `None` where its last line is missing.
    pub(super) fn read(mut at: Cursor<'_>) -> Option<Self> {
        let mut files = Vec::new();
        while let Some(line) = at.text() {
            if let Some(totals) = totals(line) {
                return Some(Self { totals, files });
            }
            files.extend(file(line));
            at.advance();
        }
        None
    }

    /// Checks the diffstat against the diff below it.
    pub(super) fn check(&self, patch: &Patch, parser: &Parser<'_>) -> Result<(), String> {
        let mut found: BTreeMap<&BStr, [u64; 2]> = BTreeMap::new();
        for edit in &patch.edits {
            let counts = found.entry(result(edit)).or_default();
            let more = changed_lines(edit);
            counts
                .iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum = sum.saturating_add(more));
        }
        let [files, insertions, deletions] = self.totals;
        let sum = |side: usize| -> u64 { found.values().filter_map(|c| c.get(side)).sum() };
        let (count, plus, minus) = (found.len() as u64, sum(0), sum(1));
        // git counts no lines of a binary file.
        let lines_agree = parser.binary || (plus == insertions && minus == deletions);
        if files != count || !lines_agree {
            return Err(format!(
                "the diffstat counts {files} files, {insertions} insertions and {deletions} \
                 deletions, the diff has {count}, {plus} and {minus}"
            ));
        }
        for (name, lines) in &self.files {
            let counts = found.get(name.as_bstr());
            let agrees = counts.is_some_and(|[plus, minus]| plus.saturating_add(*minus) == *lines);
            if parser.options.strip.is_none() && !agrees {
                let name = Quoted(name.as_bstr());
                return Err(format!(
                    "the diffstat has {lines} lines for `{name}`, the diff not"
                ));
            }
        }
        Ok(())
    }
}

/// Returns the path that the diffstat has an edit under.
fn result(edit: &Edit) -> &BStr {
    match &edit.destination {
        Destination::Same => edit.path.text.as_bstr(),
        Destination::Rename(to) | Destination::Copy(to) => to.text.as_bstr(),
    }
}

/// Returns the lines that an edit inserts and deletes.
fn changed_lines(edit: &Edit) -> [u64; 2] {
    let count = |text: &BString| lines::split(text).count() as u64;
    match &edit.change {
        Change::Modify { hunks, .. } => {
            let lines = hunks.iter().filter_map(|hunk| match hunk {
                Hunk::Lines(hunk) => Some(&hunk.lines),
                Hunk::Text(_) | Hunk::Range(_) => None,
            });
            lines
                .flatten()
                .fold([0, 0], |[plus, minus], line| match line {
                    Line::Insert(_) => [plus + 1, minus],
                    Line::Delete(_) => [plus, minus + 1],
                    Line::Context(_) => [plus, minus],
                })
        }
        Change::Create { content, .. } | Change::Write { content } => [count(content), 0],
        Change::Delete { shown } => [0, shown.as_ref().map_or(0, count)],
        Change::Keep | Change::Binary { .. } => [0, 0],
    }
}

/// Reads ` 2 files changed, 3 insertions(+), 1 deletion(-)`.
fn totals(line: &[u8]) -> Option<[u64; 3]> {
    let mut parts = line.strip_prefix(b" ")?.trim_ascii_end().split_str(", ");
    let part = |part: &[u8], words: [&str; 2]| {
        let (count, word) = part.split_once_str(" ")?;
        words
            .iter()
            .any(|w| w.as_bytes() == word)
            .then(|| number(count))
            .flatten()
    };
    let files = part(parts.next()?, ["file changed", "files changed"])?;
    let mut totals = [files, 0, 0];
    for text in parts {
        let plus = part(text, ["insertion(+)", "insertions(+)"]);
        let minus = part(text, ["deletion(-)", "deletions(-)"]);
        let [_, insertions, deletions] = &mut totals;
        match (plus, minus) {
            (Some(plus), _) => *insertions = plus,
            (None, Some(minus)) => *deletions = minus,
            (None, None) => return None,
        }
    }
    Some(totals)
}

/// Reads ` path | 12 ++--`; `None` where the name is shortened or is two, or the file is binary.
fn file(line: &[u8]) -> Option<(BString, u64)> {
    let (name, graph) = line.strip_prefix(b" ")?.rsplit_once_str(" | ")?;
    let name = name.trim_ascii_end();
    let annotated = name.ends_with(b")") || name.find(" => ").is_some();
    if annotated || name.starts_with(b"...") {
        return None;
    }
    let lines = number(words(graph).next()?)?;
    Some((names::whole(name).ok()?, lines))
}
