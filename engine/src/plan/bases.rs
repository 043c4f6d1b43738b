//! The hunks of one file, each resolved in what its author saw of it.

use super::carry;
use super::commit;
use super::file::{Asked, Changed, Setting, Unplaced, change, outside, report};
use crate::locate::file::File;
use crate::locate::hunk::{self, BaseProof, Spot};
use crate::outcome::{Reason, Stale};
use crate::policy::{Evidence, Tier};

/// A file's new content, and what its hunks make of a base that they all name.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) changed: Changed,
    /// `None` where the hunks are not all for one base that the file no longer is.
    pub(crate) target: Option<Vec<u8>>,
}

/// Resolves and commits every hunk of one file: in the file where that is what its author saw, or
/// where what he saw is not to be had; else in his base, from where it is carried to the file.
///
/// # Errors
///
/// Every hunk that cannot be placed; never empty.
pub(crate) fn resolve<'a>(
    asked: &[Asked<'a>],
    setting: &Setting<'a>,
) -> Result<Resolved, Vec<Unplaced>> {
    let mut groups: Vec<(Option<Seen<'a>>, Vec<Asked<'a>>)> = Vec::new();
    for one in asked {
        let base = base_of(one);
        let same = |(other, _): &&mut (Option<Seen<'a>>, _)| match (other, &base) {
            (Some(other), Some(base)) => std::ptr::eq(other.base, base.base),
            (None, None) => true,
            _ => false,
        };
        match groups.iter_mut().find(same) {
            Some((_, group)) => group.push(*one),
            None => groups.push((base, vec![*one])),
        }
    }
    let mut all: Option<Resolved> = None;
    for (base, group) in &groups {
        let next = match base {
            None => Resolved {
                changed: change(group, setting)?,
                target: None,
            },
            Some(seen) => carried(seen, group, setting)?,
        };
        all = Some(match all {
            None => next,
            Some(before) => joined(before, next, setting)?,
        });
    }
    // A file that is modified has a hunk: without one there is nothing to be done.
    all.ok_or_else(|| vec![(1, Reason::NoChange)])
}

/// What the author of some hunks saw, and what vouches for that.
#[derive(Clone, Copy, Debug)]
struct Seen<'a> {
    base: &'a File<'a>,
    evidence: Evidence,
}

/// Returns the base of a hunk, where the file is not that and its content is to be had.
fn base_of<'a>(asked: &Asked<'a>) -> Option<Seen<'a>> {
    match asked.base {
        BaseProof::Other {
            content: Some(base),
            evidence,
            ..
        } => Some(Seen { base, evidence }),
        _ => None,
    }
}

/// Resolves hunks in their base, and carries what they change there to the file.
fn carried<'a>(
    seen: &Seen<'a>,
    asked: &[Asked<'a>],
    setting: &Setting<'a>,
) -> Result<Resolved, Vec<Unplaced>> {
    let Seen { base, evidence } = *seen;
    let current = |one: &Asked<'a>| Asked {
        base: BaseProof::Current(evidence),
        ..*one
    };
    let there = Setting {
        file: base,
        witness: None,
        ..*setting
    };
    let current: Vec<Asked<'a>> = asked.iter().map(current).collect();
    let seen = change(&current, &there).map_err(|unplaced| {
        let told = unplaced.into_iter();
        told.map(|(n, reason)| (n, of_file(reason, asked)))
            .collect::<Vec<_>>()
    })?;
    let first = asked.first().map_or(1, |first| first.number);
    if seen.content == setting.file.bytes() {
        return Err(vec![(first, Reason::AlreadyApplied { lines: None })]);
    }
    let carried = carry::carry(
        base,
        &seen.splices,
        &seen.content,
        setting.file,
        setting.budget,
    )?;
    let mut splices = carried.splices;
    let content = commit::apply(setting.file, &mut splices).map_err(|unplaced| vec![unplaced])?;
    if !commit::survives(setting.file, &splices, &content) {
        return Err(vec![(first, outside())]);
    }
    let placed = carried.places.iter().map(|(number, lines, origin)| {
        let spot = Spot {
            lines: *lines,
            tier: Tier::Mapped,
            evidence,
            offset: Some(hunk::distance(*origin, lines.start.0)),
            moved: None,
        };
        report(*number, &spot, setting)
    });
    Ok(Resolved {
        changed: Changed {
            content,
            placed: placed.collect(),
            moved: Vec::new(),
            splices,
        },
        target: Some(seen.content),
    })
}

/// Says of the file why a hunk has no place in its base: lines of the base are no help to who has to
/// mend the edit.
fn of_file(reason: Reason, asked: &[Asked<'_>]) -> Reason {
    let base = asked.first().map(|one| one.base);
    match (reason, base) {
        (Reason::NotFound { .. }, Some(BaseProof::Other { wanted, found, .. })) => {
            let why = Stale::Id {
                wanted: wanted.clone(),
                found,
            };
            Reason::Stale {
                why,
                candidates: Vec::new(),
            }
        }
        (reason, _) => reason,
    }
}

/// Makes the changes of both.
fn joined(
    one: Resolved,
    other: Resolved,
    setting: &Setting<'_>,
) -> Result<Resolved, Vec<Unplaced>> {
    let (one, other) = (one.changed, other.changed);
    let mut splices = [one.splices, other.splices].concat();
    let content = commit::apply(setting.file, &mut splices).map_err(|unplaced| vec![unplaced])?;
    if !commit::survives(setting.file, &splices, &content) {
        let first = splices.first().map_or(1, |splice| splice.hunk);
        return Err(vec![(first, outside())]);
    }
    let mut placed = [one.placed, other.placed].concat();
    placed.sort_by_key(|placed| placed.hunk);
    let mut moved = [one.moved, other.moved].concat();
    moved.sort_by_key(|(number, ..)| *number);
    Ok(Resolved {
        changed: Changed {
            content,
            placed,
            moved,
            splices,
        },
        target: None,
    })
}
