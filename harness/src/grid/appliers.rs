//! The appliers that are compared, each as plain as its definition.

use std::ops::Range;
use std::path::Path;

use surefoot_corpus::grid::{Function, Rendering, Trial};

use super::surefoot::Evidence;
use super::{patch, ratio, surefoot};
use crate::Trouble;

/// A way to apply an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applier {
    /// The anchor's lines as they stand; refuses unless they occur once.
    Exact,
    /// The anchor's lines with white space folded; refuses unless they occur once.
    Folded,
    /// The most similar window, if it is similar at all.
    Fuzzy,
    /// GNU patch, with this fuzz factor.
    Patch(u8),
    /// The lines by their numbers.
    Line,
    /// The first function of that name.
    Function,
    /// The first place of the anchor's lines.
    ExactFirst,
    /// The first place of the anchor's lines, with white space folded.
    FoldedFirst,
    /// surefoot, with what it knows beside the file.
    Surefoot(Rendering, Evidence),
}

/// Every applier, in the order of tables; the first six are the grid's own.
pub(crate) const ALL: &[Applier] = &[
    Applier::Exact,
    Applier::Folded,
    Applier::Fuzzy,
    Applier::Patch(2),
    Applier::Line,
    Applier::Function,
    Applier::Patch(0),
    Applier::ExactFirst,
    Applier::FoldedFirst,
    Applier::Surefoot(Rendering::SearchReplace, Evidence::Text),
    Applier::Surefoot(Rendering::SearchReplace, Evidence::Witness),
    Applier::Surefoot(Rendering::SearchReplace, Evidence::Base),
    Applier::Surefoot(Rendering::UnifiedDiff, Evidence::Text),
    Applier::Surefoot(Rendering::UnifiedDiff, Evidence::Witness),
    Applier::Surefoot(Rendering::UnifiedDiff, Evidence::Base),
    Applier::Surefoot(Rendering::LineRange, Evidence::Text),
    Applier::Surefoot(Rendering::LineRange, Evidence::Witness),
    Applier::Surefoot(Rendering::LineRange, Evidence::Base),
    Applier::Surefoot(Rendering::Function, Evidence::Text),
];

/// The least likeness of a window that the fuzzy applier takes.
const TAU: f64 = 0.6;

impl Applier {
    /// Returns the name in tables and digests.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Exact => "sr-exact".into(),
            Self::Folded => "sr-ws".into(),
            Self::Fuzzy => "sr-fuzzy".into(),
            Self::Patch(fuzz) => format!("udiff-f{fuzz}"),
            Self::Line => "line".into(),
            Self::Function => "func".into(),
            Self::ExactFirst => "sr-exact-first".into(),
            Self::FoldedFirst => "sr-ws-first".into(),
            Self::Surefoot(rendering, evidence) => {
                let format = surefoot::format(rendering);
                format!("surefoot-balanced-{format} {}", evidence.name())
            }
        }
    }

    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Self::Surefoot(..))
    }

    /// Tells whether this is one of the six that the digest is over.
    pub(crate) fn is_baseline(self) -> bool {
        ALL.iter().take(6).any(|applier| *applier == self)
    }

    /// Applies `trial`'s edit to its file. `None`: refused. `scratch` is a folder for processes.
    ///
    /// # Errors
    ///
    /// Where the applier cannot be run at all, which is no outcome.
    pub(crate) fn apply(
        self,
        trial: &Trial<'_>,
        scratch: &Path,
    ) -> Result<Option<String>, Trouble> {
        let lines: Vec<&str> = trial.file.lines().collect();
        let quote = |line: &String| trial.condition.quote(line);
        let anchor: Vec<String> = trial.edit.anchor().iter().map(quote).collect();
        let splice = |at: Option<usize>| {
            let at = at?;
            replace(&lines, at, at + anchor.len(), &trial.edit.replacement())
        };
        let row = &trial.edit.row;
        Ok(match self {
            Self::Exact => splice(only(&places(&lines, &anchor, str::to_owned))),
            Self::Folded => splice(only(&places(&lines, &anchor, fold))),
            Self::ExactFirst => splice(places(&lines, &anchor, str::to_owned).first().copied()),
            Self::FoldedFirst => splice(places(&lines, &anchor, fold).first().copied()),
            Self::Fuzzy => splice(ratio::best(&lines, &anchor, TAU)),
            Self::Patch(fuzz) => {
                let diff = Rendering::UnifiedDiff.render(trial, patch::NAME);
                patch::apply(&trial.file, &diff, fuzz, scratch)?
            }
            Self::Line => {
                let start = row.anchor - 1;
                replace(
                    &lines,
                    start,
                    start + anchor.len(),
                    &trial.edit.replacement(),
                )
            }
            Self::Function => {
                let found = functions_of(trial, &lines);
                let first = found.iter().find(|(name, _)| name == trial.edit.name());
                first.and_then(|(_, at)| {
                    replace(&lines, at.start, at.end, &trial.edit.function_after())
                })
            }
            Self::Surefoot(rendering, evidence) => surefoot::apply(trial, rendering, evidence),
        })
    }
}

/// Returns the functions of the trial's file, as lines from 0. A line that is gone may leave a file
/// that no parser reads: so they are those of the file before, carried over the shift above them.
fn functions_of(trial: &Trial<'_>, lines: &[&str]) -> Vec<(String, Range<usize>)> {
    let base = trial.edit.base();
    let same = base.iter().zip(lines).take_while(|(a, b)| a == b).count();
    let carry = |line: usize| match line < same {
        true => line,
        false => (line + lines.len()).saturating_sub(base.len()),
    };
    let span = |found: &Function| carry(found.first - 1)..carry(found.last - 1) + 1;
    let functions = trial.edit.functions().iter();
    functions
        .map(|found| (found.name.clone(), span(found)))
        .collect()
}

/// Returns where `anchor` stands in `lines`, both seen through `fold`.
fn places(lines: &[&str], anchor: &[String], fold: impl Fn(&str) -> String) -> Vec<usize> {
    let anchor: Vec<String> = anchor.iter().map(|line| fold(line)).collect();
    let lines: Vec<String> = lines.iter().map(|line| fold(line)).collect();
    let windows = lines.windows(anchor.len().max(1)).enumerate();
    windows
        .filter(|(_, window)| *window == anchor.as_slice())
        .map(|(at, _)| at)
        .collect()
}

/// Returns `line` without the blanks around it, and with one for each run of them inside.
fn fold(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn only(places: &[usize]) -> Option<usize> {
    match places {
        [one] => Some(*one),
        _ => None,
    }
}

/// Puts `new` in the place of the lines from `start` to before `end`, if the file has them.
fn replace(lines: &[&str], start: usize, end: usize, new: &[String]) -> Option<String> {
    let (head, tail) = (lines.get(..start)?, lines.get(end..)?);
    let new = new.iter().map(String::as_str);
    let all = head.iter().copied().chain(new).chain(tail.iter().copied());
    Some(all.flat_map(|line| [line, "\n"]).collect())
}
