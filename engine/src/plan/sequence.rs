//! The other reading of a batch: each edit applied to the result of the one before.
//!
//! Agents' tools disagree on which is meant. Where both readings land and differ, only the author
//! can tell.

use std::collections::HashMap;
use std::ops::Range;

use super::commit::Splice;
use super::file::{Asked, Landed, Setting, alone};
use crate::lines::{self, LineRange};
use crate::locate::file::File;
use crate::locate::hunk::{Spot, text_of};
use crate::locate::sweep;
use crate::outcome::Reason;
use crate::patch::{Count, Hunk};

/// Checks that applying hunks without an order one after the other gives `content` too, or nothing.
///
/// `landed` says of each of `asked` where it was found.
///
/// # Errors
///
/// `malformed`, with both readings, where it gives something else.
pub(crate) fn check(
    asked: &[Asked<'_>],
    landed: &[Landed],
    splices: &[Splice],
    content: &[u8],
    setting: &Setting<'_>,
) -> Result<(), Reason> {
    let unordered = asked.iter().filter(|one| one.ordered.is_none()).count();
    if unordered < 2 || !may_differ(asked, landed, splices, setting)? {
        return Ok(());
    }
    let mut now = setting.file.bytes().to_vec();
    for one in asked {
        // Splitting and indexing the file anew for each hunk is what this reading costs.
        setting.budget.spend(now.len().saturating_mul(64))?;
        let file = File::new(&now);
        let setting = Setting {
            file: &file,
            witness: None,
            ..*setting
        };
        match alone(*one, &setting) {
            Some(next) => now = next,
            None => return Ok(()),
        }
    }
    if now == content {
        return Ok(());
    }
    Err(Reason::Malformed {
        message: "the edits give different results together and one after the other".into(),
        readings: vec![
            "each is found in the file as it is".into(),
            "each is found in the result of the one before".into(),
        ],
    })
}

/// Tells whether one hunk's change can make a place of what a later one looks for.
///
/// A place that comes into being holds a line that a change made, or the two sides of a gap that it
/// left. One that is destroyed overlaps a change: then the later hunk, if one place is meant, finds
/// none, and that reading does not count; if several are meant, it finds the others.
fn may_differ(
    asked: &[Asked<'_>],
    landed: &[Landed],
    splices: &[Splice],
    setting: &Setting<'_>,
) -> Result<bool, Reason> {
    let mut changes: Vec<Change> = splices
        .iter()
        .map(|it| Change::of(it, setting.file))
        .collect();
    changes.sort_by_key(|change| (change.lines.start, change.lines.end));
    if merge_lines(&changes, setting.file) {
        return Ok(true);
    }
    let mut fresh = Fresh::new(&changes);
    fresh.find_parts(asked, setting)?;
    for (one, landed) in asked.iter().zip(landed) {
        let number = one.number;
        let several = matches!(one.hunk, Hunk::Text(hunk) if hunk.count != Count::One);
        let is_changed = |spot: &Spot| is_changed(spot.lines, &changes, number);
        let destroyed = several && landed.spots.iter().any(is_changed);
        let made = match one.hunk {
            Hunk::Lines(hunk) => {
                let old: Vec<&[u8]> = hunk.old().map(text_of).collect();
                fresh.has_line(&old, number) || fresh.has_gap(&old, number)
            }
            Hunk::Text(hunk) => {
                let old: Vec<&[u8]> = lines::split(&hunk.old).map(text_of).collect();
                fresh.has_part(&old, number) || fresh.has_gap(&old, number)
            }
            // Numbers shift in the sequential reading, where no text proves them any more.
            Hunk::Range(_) => false,
        };
        if destroyed || made {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What one splice does, in lines.
struct Change {
    hunk: usize,
    /// The lines of the file that it touches; empty where it inserts or removes between two.
    lines: LineRange,
    /// The lines that it makes, whole.
    made: Vec<u8>,
    /// Where it makes none: the lines that now meet.
    gap: Option<[Vec<u8>; 2]>,
}

impl Change {
    fn of(splice: &Splice, file: &File<'_>) -> Self {
        let touched = file.lines_of(&splice.at);
        let whole = file.byte_range(touched);
        let before = &file.bytes()[whole.start.min(splice.at.start)..splice.at.start];
        let after = &file.bytes()[splice.at.end..whole.end.max(splice.at.end)];
        let made = [before, &splice.new, after].concat();
        let text = |line: Option<usize>| {
            let line = line.filter(|line| *line < file.len());
            line.map(|line| file.text(line).to_vec())
                .unwrap_or_default()
        };
        let gap = made.is_empty().then(|| {
            [
                text(touched.start.0.checked_sub(1)),
                text(Some(touched.end.0)),
            ]
        });
        Self {
            hunk: splice.hunk,
            lines: touched,
            made,
            gap,
        }
    }
}

/// Tells whether the changes make a line that none of them makes alone: two hunks change parts of
/// one, or what is left of one goes on in the next.
fn merge_lines(changes: &[Change], file: &File<'_>) -> bool {
    let goes_on = |change: &Change| {
        !change.made.is_empty() && !change.made.ends_with(b"\n") && change.lines.end.0 < file.len()
    };
    let meet = |pair: &[Change]| match pair {
        [a, b] => a.hunk != b.hunk && b.lines.start < a.lines.end,
        _ => false,
    };
    changes.iter().any(goes_on) || changes.windows(2).any(meet)
}

/// Tells whether a hunk before `number` changes one of the lines `place`.
fn is_changed(place: LineRange, changes: &[Change], number: usize) -> bool {
    let from = changes.partition_point(|change| change.lines.end <= place.start);
    changes
        .iter()
        .skip(from)
        .take_while(|change| change.lines.start < place.end)
        .any(|change| change.hunk < number)
}

/// All lines that the changes make, and whose they are.
struct Fresh<'c> {
    /// The first hunk that makes a line.
    lines: HashMap<&'c [u8], usize>,
    gaps: HashMap<[&'c [u8]; 2], usize>,
    joined: Vec<u8>,
    owners: Vec<(Range<usize>, usize)>,
    /// For each line of a text that some change holds, wherever in its lines: the first such one.
    parts: HashMap<Vec<u8>, usize>,
}

impl<'c> Fresh<'c> {
    fn new(changes: &'c [Change]) -> Self {
        let mut this = Self {
            lines: HashMap::new(),
            gaps: HashMap::new(),
            joined: Vec::new(),
            owners: Vec::new(),
            parts: HashMap::new(),
        };
        for change in changes {
            for line in lines::split(&change.made).map(text_of) {
                own(&mut this.lines, line, change.hunk);
            }
            if let Some([above, below]) = &change.gap {
                own(&mut this.gaps, [above, below], change.hunk);
            }
            let start = this.joined.len();
            this.joined.extend_from_slice(&change.made);
            this.joined.push(b'\n');
            this.owners.push((start..this.joined.len(), change.hunk));
        }
        this
    }

    fn has_line(&self, old: &[&[u8]], number: usize) -> bool {
        let foreign = |line: &&[u8]| self.lines.get(line).is_some_and(|owner| *owner < number);
        old.iter().any(foreign)
    }

    fn has_gap(&self, old: &[&[u8]], number: usize) -> bool {
        let foreign = |pair: &[&[u8]]| match pair {
            [above, below] => self
                .gaps
                .get(&[*above, *below])
                .is_some_and(|it| *it < number),
            _ => false,
        };
        old.windows(2).any(foreign)
    }

    /// Finds the lines of all texts in the lines that the changes make.
    fn find_parts(&mut self, asked: &[Asked<'_>], setting: &Setting<'_>) -> Result<(), Reason> {
        let texts = asked.iter().filter_map(|one| match one.hunk {
            Hunk::Text(hunk) => Some(hunk),
            _ => None,
        });
        let mut pieces: Vec<&[u8]> = texts
            .flat_map(|hunk| lines::split(&hunk.old).map(text_of))
            .filter(|piece| !piece.is_empty())
            .collect();
        pieces.sort_unstable();
        pieces.dedup();
        let (owners, parts) = (&self.owners, &mut self.parts);
        sweep::each(&self.joined, &pieces, setting.budget, |n, at| {
            let owner = owners.partition_point(|(range, _)| range.end <= at);
            let Some((_, hunk)) = owners.get(owner) else {
                return true;
            };
            own(parts, pieces[n].to_vec(), *hunk);
            true
        })
    }

    /// Tells whether a line of an earlier hunk's holds one of the pieces `old`, wherever in it.
    fn has_part(&self, old: &[&[u8]], number: usize) -> bool {
        let foreign = |piece: &&[u8]| self.parts.get(*piece).is_some_and(|owner| *owner < number);
        old.iter().any(foreign)
    }
}

/// Notes that `hunk` has `key`, unless an earlier one has it.
fn own<K: std::hash::Hash + Eq>(owners: &mut HashMap<K, usize>, key: K, hunk: usize) {
    let owner = owners.entry(key).or_insert(hunk);
    *owner = hunk.min(*owner);
}
