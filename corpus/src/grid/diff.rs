//! Changes whose places are known, as the hunks of a diff: nothing is compared.

use super::edit::Change;

/// Lines of context on either side of a change.
const CONTEXT: usize = 3;

/// What a hunk's heading names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// The lines of both files, as in a unified diff.
    Numbers,
    /// Nothing, as in V4A.
    Bare,
}

/// Writes `changes` to `base`, from the top, as hunks. Each line that only locates is written as
/// `quote` has it.
pub(super) fn hunks(
    base: &[String],
    changes: &[Change],
    heading: Heading,
    quote: impl Fn(&str) -> String,
) -> String {
    let changes = slid(base, changes);
    let mut out = String::new();
    // How many lines the hunks above have brought in, and taken away.
    let (mut come, mut gone) = (0, 0);
    for group in groups(&changes) {
        let (start, end) = extent(base, group);
        let new: usize = group.iter().map(|change| change.new.len()).sum();
        let old: usize = group.iter().map(|change| change.gone).sum();
        let heading = match heading {
            Heading::Numbers => format!(
                "@@ -{} +{} @@\n",
                range(start, end - start),
                range(start + come - gone, end - start + new - old)
            ),
            Heading::Bare => "@@\n".to_owned(),
        };
        out.push_str(&heading);
        body(&mut out, base, group, (start, end), &quote);
        come += new;
        gone += old;
    }
    out
}

/// Writes the lines `extent` of `base` with the changes of `group` done.
fn body(
    out: &mut String,
    base: &[String],
    group: &[Change],
    extent: (usize, usize),
    quote: impl Fn(&str) -> String,
) {
    let mut show = |sign: &str, lines: &[String], quote: &dyn Fn(&str) -> String| {
        for line in lines {
            out.extend([sign, &quote(line), "\n"]);
        }
    };
    let between = |from: usize, to: usize| base.get(from..to).unwrap_or_default();
    let mut at = extent.0;
    for change in group {
        let end = change.at + change.gone;
        show(" ", between(at, change.at), &quote);
        show("-", between(change.at, end), &quote);
        show("+", &change.new, &str::to_owned);
        at = end;
    }
    show(" ", between(at, extent.1), &quote);
}

/// Returns the changes with every pure deletion as far down as the text allows, where git has it.
fn slid(base: &[String], changes: &[Change]) -> Vec<Change> {
    let mut out = changes.to_vec();
    let mut limit = base.len();
    for change in out.iter_mut().rev() {
        while change.new.is_empty()
            && change.at + change.gone < limit
            && base.get(change.at) == base.get(change.at + change.gone)
        {
            change.at += 1;
        }
        limit = change.at;
    }
    out
}

/// Splits `changes` where no line of context would be shared.
fn groups(changes: &[Change]) -> impl Iterator<Item = &[Change]> {
    let near = |one: &Change, next: &Change| next.at - (one.at + one.gone) <= 2 * CONTEXT;
    changes.chunk_by(near)
}

/// Returns the lines that the hunk of `group` shows, from 0, half open.
fn extent(base: &[String], group: &[Change]) -> (usize, usize) {
    let start = group.first().map_or(0, |first| first.at);
    let end = group.last().map_or(0, |last| last.at + last.gone);
    (
        start.saturating_sub(CONTEXT),
        (end + CONTEXT).min(base.len()),
    )
}

/// Returns a range of a heading: an empty one is named by the line before it.
fn range(start: usize, len: usize) -> String {
    let first = if len == 0 { start } else { start + 1 };
    format!("{first},{len}")
}
