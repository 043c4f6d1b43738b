//! What an edit changes in its base, carried to the file that the base has become.
//!
//! The hunks have been placed in the base, where their author saw them; here nothing is searched
//! for any more. Each changed line and each line beside an insertion must be proven to be one
//! certain line of the file, and those must still stand together.

mod depth;
mod lines;

use std::ops::Range;

use bstr::BString;

use super::commit::{self, Splice};
use super::file::Unplaced;
use crate::lines::{BOM, LineNo, LineRange, trim};
use crate::locate::anchor;
use crate::locate::budget::Budget;
use crate::locate::file::File;
use crate::locate::mapped::{Map, Side};
use crate::outcome::{Reason, Stale, Unproven};
use crate::patch::Line;

/// Lines of the base that become others.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    /// The hunk that asks for it, counted from 1.
    hunk: usize,
    /// The lines that go. An empty range is the place that the new ones come to.
    lines: Range<usize>,
    /// The texts of the lines that come.
    new: Vec<BString>,
}

/// Where a change has come to in the file.
#[derive(Debug)]
pub(super) struct Carried {
    pub(super) splices: Vec<Splice>,
    /// The lines of the file that the change touches, with its hunk and its first line in the base.
    pub(super) places: Vec<(usize, LineRange, usize)>,
}

/// Carries what `splices` make of `base`, which is `target`, to `file`.
///
/// # Errors
///
/// Every hunk one of whose lines has no proven place; never empty.
pub(super) fn carry(
    base: &File<'_>,
    splices: &[Splice],
    target: &[u8],
    file: &File<'_>,
    budget: &Budget,
) -> Result<Carried, Vec<Unplaced>> {
    let first = splices.first().map_or(1, |splice| splice.hunk);
    let changes = lines::changes(base, splices);
    check_whole(base, splices, &changes, target)?;
    let map = Map::new(base, file, budget).map_err(|reason| vec![(first, reason)])?;
    let mut carried = Carried {
        splices: Vec::new(),
        places: Vec::new(),
    };
    let mut unplaced: Vec<Unplaced> = Vec::new();
    for change in changes {
        match one(&map, &change) {
            Ok((splices, lines)) => {
                carried.splices.extend(splices);
                carried
                    .places
                    .push((change.hunk, lines, change.lines.start));
            }
            Err(reason) => unplaced.push((change.hunk, reason)),
        }
    }
    unplaced.dedup_by_key(|(hunk, _)| *hunk);
    if unplaced.is_empty() {
        check_order(&carried, base)?;
        return Ok(carried);
    }
    Err(unplaced)
}

/// Refuses a change that its texts do not tell whole: one that minds how a line ends, the newline at
/// the end of the text or a byte-order mark. Those are the file's own, and what it has of them is not
/// known to be what the author saw.
fn check_whole(
    base: &File<'_>,
    splices: &[Splice],
    changes: &[Change],
    target: &[u8],
) -> Result<(), Vec<Unplaced>> {
    let mut told: Vec<Splice> = Vec::new();
    for change in changes {
        let made = made_of(base, change, change.lines.start, &change.new);
        told.extend(made.map_err(|reason| vec![(change.hunk, reason)])?);
    }
    let told = commit::apply(base, &mut told).map_err(|unplaced| vec![unplaced])?;
    let keeps_mark = base.bytes().starts_with(BOM) == target.starts_with(BOM);
    if told == target && keeps_mark {
        return Ok(());
    }
    let lost = splices.iter().find(|splice| {
        let told = changes.iter().find(|change| change.hunk == splice.hunk);
        told.is_none()
    });
    let hunk = lost.or(splices.first()).map_or(1, |splice| splice.hunk);
    let of_hunk = splices.iter().find(|splice| splice.hunk == hunk);
    let line = of_hunk.map_or(0, |splice| base.lines_of(&splice.at).start.0);
    Err(vec![(hunk, stale(base, line, Unproven::Ending))])
}

/// Returns the splices that make `change` with its new lines as `new`, where it begins at line `start`
/// of `file`.
fn made_of(
    file: &File<'_>,
    change: &Change,
    start: usize,
    new: &[BString],
) -> Result<Vec<Splice>, Reason> {
    let whole = |text: &[u8]| BString::from([text, b"\n"].concat());
    let gone = start..start + change.lines.len();
    let old = gone.map(|line| Line::Delete(whole(file.text(line))));
    let new = new.iter().map(|text| Line::Insert(whole(text)));
    let lines: Vec<Line> = old.chain(new).collect();
    commit::of_lines(file, &lines, start, false, change.hunk)
}

/// Refuses changes of one hunk that have come apart or into each other.
fn check_order(carried: &Carried, base: &File<'_>) -> Result<(), Vec<Unplaced>> {
    for pair in carried.places.windows(2) {
        let [(hunk, above, _), (other, below, line)] = pair else {
            continue;
        };
        if hunk == other && below.start < above.end {
            return Err(vec![(*hunk, stale(base, *line, Unproven::Apart))]);
        }
    }
    Ok(())
}

fn stale(base: &File<'_>, line: usize, why: Unproven) -> Reason {
    let text = match line < base.len() {
        true => trim(base.text(line)).into(),
        false => BString::default(),
    };
    Reason::Stale {
        why: Stale::Carried {
            line: LineNo(line),
            text,
            why,
        },
        candidates: Vec::new(),
    }
}

/// One change, and what it touches of the base.
struct Job<'m, 'a> {
    map: &'m Map<'a>,
    change: &'m Change,
    /// The lines that must be proven, counted among those that are not blank.
    held: Range<usize>,
    /// The lines beside them, or the text's end, must be proven too.
    guarded: bool,
}

/// A line of the base and the line of the file that it has become, counted among those that are not
/// blank.
type Proven = (usize, usize);

fn one(map: &Map<'_>, change: &Change) -> Result<(Vec<Splice>, LineRange), Reason> {
    let (base, file) = (map.base.file, map.file.file);
    let lines = lines::held(base, change);
    let held = map.base.at(lines.start)..map.base.at(lines.end);
    let is_blank = |line: usize| trim(base.text(line)).is_empty();
    let guarded = change.lines.is_empty() || lines.clone().any(is_blank) || held.is_empty();
    let job = Job {
        map,
        change,
        held,
        guarded,
    };
    let proven = job.prove()?;
    job.check_together(&proven)?;
    for (n, f) in &proven {
        if map.has_more_copies(*n, *f)? {
            return Err(job.at(*n, Unproven::Copies));
        }
    }
    if let Some((n, f)) = proven.first()
        && map.has_rival(&job.held, *n, *f)?
    {
        return Err(job.refuse(Unproven::Rival));
    }
    job.check_not_half_made(&proven)?;
    let start = job.start(&proven)?;
    let new = depth::moved(map, change, &proven)?.map_err(|why| job.refuse(why))?;
    let splices = made_of(file, change, start, &new)?;
    Ok((splices, LineRange::new(start, start + change.lines.len())))
}

impl Job<'_, '_> {
    fn refuse(&self, why: Unproven) -> Reason {
        stale(self.map.base.file, self.change.lines.start, why)
    }

    fn at(&self, n: usize, why: Unproven) -> Reason {
        let line = self.map.base.lines.get(n).copied();
        stale(
            self.map.base.file,
            line.unwrap_or(self.change.lines.start),
            why,
        )
    }

    /// Returns the line above those that are held, where it must be proven.
    fn above(&self) -> Option<usize> {
        self.held.start.checked_sub(1).filter(|_| self.guarded)
    }

    fn below(&self) -> Option<usize> {
        let below = self.held.end;
        (self.guarded && below < self.map.base.lines.len()).then_some(below)
    }

    fn prove(&self) -> Result<Vec<Proven>, Reason> {
        let wanted = self
            .above()
            .into_iter()
            .chain(self.held.clone())
            .chain(self.below());
        let mut proven = Vec::new();
        for n in wanted {
            match self.map.find(n)? {
                Ok(f) => proven.push((n, f)),
                Err(why) => return Err(self.unproven(n, why)?),
            }
        }
        Ok(proven)
    }

    /// Says why line `n` has no place: because the change has been made, or what keeps it from one.
    fn unproven(&self, n: usize, why: Unproven) -> Result<Reason, Reason> {
        let reason = self.at(n, why);
        let above = match self.held.start.checked_sub(1) {
            Some(n) => match self.map.find(n)? {
                Ok(f) => f + 1,
                Err(_) => return Ok(reason),
            },
            None => 0,
        };
        let below = match self.held.end < self.map.base.lines.len() {
            true => match self.map.find(self.held.end)? {
                Ok(f) => f,
                Err(_) => return Ok(reason),
            },
            false => self.map.file.lines.len(),
        };
        if let Some(made) = self.made(above..below) {
            return Ok(made);
        }
        let file = &self.map.file.lines;
        let between = file
            .get(above)
            .zip(below.checked_sub(1).and_then(|n| file.get(n)));
        Ok(match between {
            // Other lines stand where those that were to change stood.
            Some((first, last)) if above < below && self.held.contains(&n) => Reason::Conflict {
                lines: LineRange::new(*first, *last + 1),
            },
            _ => reason,
        })
    }

    /// Returns that the change has been made, if its new lines are those of the file.
    fn made(&self, lines: Range<usize>) -> Option<Reason> {
        let file = &self.map.file;
        let new = self.change.new.iter().map(|text| trim(text));
        let new: Vec<&[u8]> = new.filter(|text| !text.is_empty()).collect();
        let there: Vec<&[u8]> = lines.clone().filter_map(|n| file.key(n)).collect();
        if new.is_empty() || new != there {
            return None;
        }
        let (first, last) = (file.lines.get(lines.start)?, file.lines.get(lines.end - 1)?);
        let lines = Some(LineRange::new(*first, *last + 1));
        Some(Reason::AlreadyApplied { lines })
    }

    /// Refuses lines that no longer stand next to each other, or no longer at the text's end.
    fn check_together(&self, proven: &[Proven]) -> Result<(), Reason> {
        for pair in proven.windows(2) {
            let [(_, above), (n, below)] = pair else {
                continue;
            };
            if *below != above + 1 {
                let made = (above < below)
                    .then(|| self.made(above + 1..*below))
                    .flatten();
                return Err(made.unwrap_or_else(|| self.at(*n, Unproven::Apart)));
            }
        }
        let len = self.map.file.lines.len();
        let first = proven.first().map_or(len, |(_, f)| *f);
        let past = proven.last().map_or(0, |(_, f)| f + 1);
        let top_lost = self.guarded && self.above().is_none() && first > 0;
        let end_lost = self.guarded && self.below().is_none() && past < len;
        if top_lost || end_lost {
            return Err(self.refuse(Unproven::Apart));
        }
        Ok(())
    }

    /// Refuses to bring a line that already stands beside the place, and did not in the base.
    fn check_not_half_made(&self, proven: &[Proven]) -> Result<(), Reason> {
        let (Some((b, f)), Some((last_b, last_f))) = (proven.first(), proven.last()) else {
            return Ok(());
        };
        let beside = |side: &Side<'_>, first: usize, last: usize| {
            [first.checked_sub(1), Some(last + 1)]
                .map(|n| n.and_then(|n| side.key(n)).map(BString::from))
        };
        let was = beside(&self.map.base, *b, *last_b);
        let is = beside(&self.map.file, *f, *last_f);
        for (was, is) in was.iter().zip(&is) {
            let Some(is) = is.as_ref().filter(|is| Some(*is) != was.as_ref()) else {
                continue;
            };
            let brought = self
                .change
                .new
                .iter()
                .any(|text| trim(text) == is.as_slice());
            if brought && anchor::is_informative(is) {
                return Err(self.refuse(Unproven::HalfMade));
            }
        }
        Ok(())
    }

    /// Returns the file's line that the change begins at.
    fn start(&self, proven: &[Proven]) -> Result<usize, Reason> {
        let (base, file) = (&self.map.base, &self.map.file);
        let first = self.change.lines.start;
        let line =
            |side: &Side<'_>, n: usize| side.lines.get(n).copied().unwrap_or(side.file.len());
        let marks: Vec<(usize, usize)> = proven
            .iter()
            .map(|(b, f)| (line(base, *b), line(file, *f)))
            .collect();
        if !self.change.lines.is_empty() {
            // What goes must lie as it lay, blank lines among it too.
            let shift = |(b, f): &(usize, usize)| f.wrapping_sub(*b);
            let ends = self.change.lines.end == base.file.len() && self.guarded;
            let torn = marks
                .windows(2)
                .any(|pair| matches!(pair, [a, b] if shift(a) != shift(b)));
            let Some((b, f)) = marks.first().filter(|_| !torn) else {
                return Err(self.refuse(Unproven::Blanks));
            };
            let start = (f + first).checked_sub(*b);
            let fits = |start: &usize| start + self.change.lines.len() <= file.file.len();
            let start = start
                .filter(fits)
                .filter(|start| !ends || start + self.change.lines.len() == file.file.len());
            return start.ok_or_else(|| self.refuse(Unproven::Blanks));
        }
        // The blank lines above and below the place, then and now.
        let above = marks.iter().rev().find(|(b, _)| *b < first);
        let below = marks.iter().find(|(b, _)| *b >= first);
        let (above_b, above_f) = above.map_or((0, 0), |(b, f)| (b + 1, f + 1));
        let (below_b, below_f) = below.map_or((base.file.len(), file.file.len()), |mark| *mark);
        let (over, under) = (first - above_b, below_b - first);
        match below_f - above_f {
            now if now == over + under => Ok(above_f + over),
            _ if over == 0 => Ok(above_f),
            _ if under == 0 => Ok(below_f),
            _ => Err(self.refuse(Unproven::Blanks)),
        }
    }
}
