//! What placed hunks change in their base, as whole lines.

use std::ops::Range;

use bstr::BString;

use super::Change;
use crate::lines::{LineRange, split, split_ending};
use crate::locate::file::File;
use crate::plan::commit::Splice;

/// Returns the changes that `splices` make, in file order, as texts: how lines end is not told.
///
/// `splices` are in file order and do not overlap.
pub(super) fn changes(base: &File<'_>, splices: &[Splice]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut rest = splices;
    while let [first, ..] = rest {
        let (count, lines, new) = region(base, rest);
        changes.extend(trimmed(base, first.hunk, lines, &new));
        rest = rest.split_at(count).1;
    }
    changes
}

/// Returns how many of `splices` touch the same lines as the first one, those lines, and what they
/// become.
fn region(base: &File<'_>, splices: &[Splice]) -> (usize, Range<usize>, Vec<u8>) {
    let Some(first) = splices.first() else {
        return (0, 0..0, Vec::new());
    };
    let lines = base.lines_of(&first.at);
    let (start, mut end) = (lines.start.0, lines.end.0);
    let from = base
        .byte_range(LineRange::new(start, end))
        .start
        .min(first.at.start);
    let (mut count, mut new, mut at) = (0, Vec::new(), from);
    loop {
        let past = base.byte_range(LineRange::new(start, end)).end;
        // Splices of these lines, and those that begin where they end but join what is left of them.
        while let Some(splice) = splices
            .get(count)
            .filter(|it| it.at.start < past || count == 0)
        {
            new.extend_from_slice(&base.bytes()[at..splice.at.start]);
            new.extend_from_slice(&splice.new);
            (at, count) = (splice.at.end, count + 1);
            end = end.max(base.lines_of(&splice.at).end.0);
        }
        let past = base.byte_range(LineRange::new(start, end)).end;
        if splices.get(count).is_some_and(|it| it.at.start < past) {
            continue;
        }
        let open = match past > at {
            true => !base.bytes()[at..past].ends_with(b"\n"),
            false => !new.is_empty() && !new.ends_with(b"\n"),
        };
        if !open || end >= base.len() {
            new.extend_from_slice(&base.bytes()[at..past.max(at)]);
            return (count, start..end, new);
        }
        end += 1;
    }
}

/// Leaves out the lines at both ends that stay as they are.
fn trimmed(base: &File<'_>, hunk: usize, lines: Range<usize>, new: &[u8]) -> Option<Change> {
    let new: Vec<&[u8]> = split(new).map(|line| split_ending(line).0).collect();
    let old: Vec<&[u8]> = lines.clone().map(|line| base.text(line)).collect();
    let most = old.len().min(new.len());
    let front = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let both = old.iter().rev().zip(new.iter().rev());
    let back = both.take(most - front).take_while(|(a, b)| a == b).count();
    let comes = new.get(front..new.len() - back).unwrap_or_default();
    let lines = lines.start + front..lines.end - back;
    (!lines.is_empty() || !comes.is_empty()).then(|| Change {
        hunk,
        lines,
        new: comes.iter().map(|text| BString::from(*text)).collect(),
    })
}

/// Returns the lines of the base that a change touches, however it is told: of equal lines that
/// stand together, it cannot be seen which one goes or beside which one another comes.
pub(super) fn held(base: &File<'_>, change: &Change) -> Range<usize> {
    let (start, end) = (change.lines.start, change.lines.end);
    let text = |line: usize| (line < base.len()).then(|| base.text(line));
    // The line that would come back if the change stood `by` lines higher or lower.
    let turned = |by: isize| -> Option<&[u8]> {
        let len = match change.new.len() {
            0 => change.lines.len(),
            len => len,
        };
        let at = usize::try_from(by.rem_euclid(isize::try_from(len).ok()?)).ok()?;
        match change.new.get(at) {
            Some(new) => Some(new),
            None => text(start + at),
        }
    };
    if !change.lines.is_empty() && !change.new.is_empty() {
        return start..end;
    }
    let (mut up, mut down) = (0, 0);
    while let Some(above) = start.checked_sub(up + 1)
        && text(above).is_some()
        && text(above) == turned(-1 - isize::try_from(up).unwrap_or(0))
    {
        up += 1;
    }
    while text(end + down).is_some()
        && text(end + down) == turned(isize::try_from(down).unwrap_or(0))
    {
        down += 1;
    }
    start - up..end + down
}
