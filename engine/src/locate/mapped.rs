//! Run proof: which line of the file a line of the base has become.
//!
//! Lines are compared without the white space around them, and blank lines are passed over. A line
//! has become the one whose neighbours agree with its own, line by line and on both sides, as far
//! as a line that occurs once in each text; and which the same headers enclose. Where none or two
//! are proven so, nothing is.

use std::collections::BTreeMap;
use std::ops::Range;

use super::anchor;
use super::budget::Budget;
use super::chain::{self, Compared};
use super::file::File;
use super::scope;
use crate::lines;
use crate::outcome::{Reason, Unproven};

/// Lines that only one of the texts has which a run may pass over at one place: a changed line, or
/// a comment or two.
const GAP: usize = 2;

/// Lines on each side of a change that are looked for elsewhere too.
const CONTEXT: usize = 3;

/// A base and what has become of it, line by line.
#[derive(Debug)]
pub(crate) struct Map<'a> {
    pub(crate) base: Side<'a>,
    pub(crate) file: Side<'a>,
    budget: &'a Budget,
}

/// A text's lines that are not blank.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    pub(crate) file: &'a File<'a>,
    /// Their numbers, in order.
    pub(crate) lines: Vec<usize>,
    /// What each of them is in the other text: its key there and how often that occurs, if at all.
    there: Vec<Option<(u32, usize)>>,
    /// How often each occurs here.
    here: Vec<usize>,
}

impl<'a> Side<'a> {
    fn new(file: &'a File<'a>, other: &'a File<'a>) -> Self {
        let (own, index) = (file.trimmed_index(), other.trimmed_index());
        let lines: Vec<usize> = (0..file.len())
            .filter(|line| !lines::trim(file.text(*line)).is_empty())
            .collect();
        // Each key is looked up once, not each line.
        let mut known: Vec<Option<Option<(u32, usize)>>> = vec![None; own.ids().len()];
        let mut there = Vec::with_capacity(lines.len());
        let mut here = Vec::with_capacity(lines.len());
        for line in &lines {
            let id = own.ids()[*line];
            let of = known[id as usize].get_or_insert_with(|| {
                let number = index.number(other, file.text(*line))?;
                Some((number, index.places(number).len()))
            });
            there.push(*of);
            here.push(own.places(id).len());
        }
        Self {
            file,
            lines,
            there,
            here,
        }
    }

    /// Returns the place among the lines that are not blank of the first that is not before `line`.
    pub(crate) fn at(&self, line: usize) -> usize {
        self.lines.partition_point(|it| *it < line)
    }

    /// Returns the text of the `n`th line that is not blank, without the white space around it.
    pub(crate) fn key(&self, n: usize) -> Option<&'a [u8]> {
        let line = self.lines.get(n)?;
        Some(lines::trim(self.file.text(*line)))
    }

    fn is_only_here(&self, n: usize) -> bool {
        self.there.get(n).is_some_and(Option::is_none)
    }
}

/// Lines of the base that are looked for elsewhere.
struct Window<'a> {
    lines: Range<usize>,
    /// The one of them, counted from the first, by which the window is placed under headers.
    middle: usize,
    /// What names the place of that one.
    header: Option<&'a [u8]>,
}

/// Which way a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

impl Way {
    /// Returns the number next to `n`; `None` before the first.
    fn next(self, n: usize) -> Option<usize> {
        match self {
            Self::Up => n.checked_sub(1),
            Self::Down => Some(n + 1),
        }
    }
}

impl<'a> Map<'a> {
    pub(crate) fn new(
        base: &'a File<'a>,
        file: &'a File<'a>,
        budget: &'a Budget,
    ) -> Result<Self, Reason> {
        budget.spend((base.len() + file.len()).saturating_mul(8))?;
        Ok(Self {
            base: Side::new(base, file),
            file: Side::new(file, base),
            budget,
        })
    }

    /// Returns which of the file's lines the base's line `b` has become; both are counted among
    /// those that are not blank.
    pub(crate) fn find(&self, b: usize) -> Result<Result<usize, Unproven>, Reason> {
        let Some((number, _)) = self.base.there.get(b).copied().flatten() else {
            return Ok(Err(Unproven::Gone));
        };
        let mut proven = Vec::new();
        let mut other = None;
        for line in self.file.file.trimmed_index().places(number) {
            self.budget.spend(1)?;
            let f = self.file.at(*line as usize);
            match self.prove(b, f)? {
                Ok(()) => proven.push(f),
                Err(why) => other = Some(other.map_or(why.clone(), |_| Unproven::Neighbours)),
            }
        }
        Ok(match proven[..] {
            [only] => Ok(only),
            [] => Err(other.unwrap_or(Unproven::Gone)),
            _ => Err(Unproven::Several),
        })
    }

    /// Tells whether the file's line `f` is proven to be what the base's line `b` has become.
    fn prove(&self, b: usize, f: usize) -> Result<Result<(), Unproven>, Reason> {
        let (base, file) = (self.base.file, self.file.file);
        let (Some(was), Some(is)) = (self.base.lines.get(b), self.file.lines.get(f)) else {
            return Ok(Err(Unproven::Neighbours));
        };
        let above = self.run(b, f, Way::Up, false)?;
        let both = above && self.run(b, f, Way::Down, false)?;
        // Most candidates end here, before their headers have been asked for.
        if !above && !self.has_equal(b, f, Way::Up) {
            return Ok(Err(Unproven::Neighbours));
        }
        let was = chain::of(base, *was, self.budget)?;
        let is = chain::of(file, *is, self.budget)?;
        let compared = chain::compare(base, &was, file, &is, self.budget)?;
        if let Compared::Differ { was, is } = compared {
            let text = |file: &File<'_>, line| lines::trim(file.text(line)).into();
            return Ok(Err(Unproven::Headers {
                was: text(base, was),
                is: is.map(|line| text(file, line)),
            }));
        }
        let only = || -> Result<bool, Reason> {
            Ok(chain::is_only(base, &was, self.budget)? && chain::is_only(file, &is, self.budget)?)
        };
        let beyond = || -> Result<bool, Reason> {
            Ok(self.run(b, f, Way::Up, true)? && self.run(b, f, Way::Down, true)?)
        };
        // A line that proves itself needs more to speak for it where nothing encloses it, where what
        // encloses it is there twice, and where something has come between.
        let proven = match compared {
            _ if !both => false,
            Compared::Deeper => beyond()?,
            _ if !self.is_unique(b, f) => true,
            _ if was.is_empty() => {
                let beside = [Way::Up, Way::Down];
                beside.into_iter().any(|way| self.has_equal(b, f, way))
                    && self.is_bracketed(b, f)?
            }
            _ => beyond()? || only()?,
        };
        let proven = proven || (self.hangs_on_header(b, f, &was, &is) && only()?);
        Ok(if proven {
            Ok(())
        } else {
            Err(Unproven::Neighbours)
        })
    }

    /// Tells whether every line from the innermost header down to `b` and `f` is the same in both,
    /// where that header names something: then what has changed below does not count.
    fn hangs_on_header(&self, b: usize, f: usize, was: &[usize], is: &[usize]) -> bool {
        let (Some(was), Some(is)) = (was.last(), is.last()) else {
            return false;
        };
        let (from_b, from_f) = (self.base.at(*was), self.file.at(*is));
        !chain::is_control(self.base.file.text(*was))
            && b.checked_sub(from_b) == f.checked_sub(from_f)
            && (from_b..=b).zip(from_f..=f).all(|(b, f)| self.equal(b, f))
    }

    fn equal(&self, b: usize, f: usize) -> bool {
        self.base
            .key(b)
            .is_some_and(|key| self.file.key(f) == Some(key))
    }

    /// Tells whether equal lines occur once in each text.
    fn is_unique(&self, b: usize, f: usize) -> bool {
        let one = |side: &Side<'_>, n: usize| {
            let there = side.there.get(n).copied().flatten();
            side.here.get(n) == Some(&1) && there.is_some_and(|(_, count)| count == 1)
        };
        one(&self.base, b) && one(&self.file, f)
    }

    /// Tells whether the lines from `b` and `f` on agree as far as one that occurs once in each
    /// text, or as far as both texts go; the two themselves count unless `beyond` them is asked.
    fn run(&self, b: usize, f: usize, way: Way, beyond: bool) -> Result<bool, Reason> {
        let (mut b, mut f) = (b, f);
        let mut first = beyond;
        loop {
            self.budget.spend(1)?;
            if !first && self.is_unique(b, f) {
                return Ok(true);
            }
            first = false;
            let next = self.step(Some(b), Some(f), way);
            (b, f) = match next {
                Step::Pair(b, f) => (b, f),
                Step::Ends => return Ok(true),
                Step::Differ => return Ok(false),
            };
        }
    }

    /// Goes on to the next pair of equal lines, over lines that only one of the texts has.
    fn step(&self, b: Option<usize>, f: Option<usize>, way: Way) -> Step {
        let over = |side: &Side<'_>, from: Option<usize>| {
            let mut at = from.and_then(|n| way.next(n));
            for _ in 0..GAP {
                match at {
                    Some(n) if side.is_only_here(n) => at = way.next(n),
                    _ => break,
                }
            }
            at.filter(|n| *n < side.lines.len())
        };
        match (over(&self.base, b), over(&self.file, f)) {
            (Some(b), Some(f)) if self.equal(b, f) => Step::Pair(b, f),
            (None, None) => Step::Ends,
            _ => Step::Differ,
        }
    }

    /// Tells whether the next lines are equal.
    fn has_equal(&self, b: usize, f: usize, way: Way) -> bool {
        match (way.next(b), way.next(f)) {
            (Some(b), Some(f)) => self.equal(b, f),
            _ => false,
        }
    }

    /// Tells whether the nearest lines that occur once in each text still stand around the line.
    fn is_bracketed(&self, b: usize, f: usize) -> Result<bool, Reason> {
        self.budget.spend(self.base.lines.len())?;
        let place = |n: usize| {
            let (number, count) = self.base.there.get(n).copied().flatten()?;
            let once = count == 1 && self.base.here.get(n) == Some(&1);
            let line = self.file.file.trimmed_index().places(number).first()?;
            once.then(|| self.file.at(*line as usize))
        };
        let above = (0..b).rev().find_map(place);
        let below = (b + 1..self.base.lines.len()).find_map(place);
        Ok(above.is_none_or(|above| above < f) && below.is_none_or(|below| f < below))
    }

    /// Tells whether the base's line `b` stands more often now, under what names its place.
    pub(crate) fn has_more_copies(&self, b: usize, f: usize) -> Result<bool, Reason> {
        let count = |side: &Side<'_>, n: usize| -> Result<usize, Reason> {
            let Some(line) = side.lines.get(n) else {
                return Ok(0);
            };
            let headers = chain::of(side.file, *line, self.budget)?;
            let named = headers
                .into_iter()
                .rev()
                .find(|header| !chain::is_control(side.file.text(*header)));
            let within = match named {
                Some(header) => scope::extent(side.file, header, side.file.len(), self.budget)?,
                None => 0..side.file.len(),
            };
            let index = side.file.trimmed_index();
            let number = index.number(side.file, side.file.text(*line));
            let places = number
                .map(|number| index.places(number))
                .unwrap_or_default();
            self.budget.spend(places.len())?;
            let inside = |line: &&u32| within.contains(&(**line as usize));
            Ok(places.iter().filter(inside).count())
        };
        Ok(count(&self.file, f)? > count(&self.base, b)?)
    }

    /// Tells whether the lines around the base's `lines` stand nearly so at a place where they did
    /// not: a copy that somebody has changed, or the original, whose copy was left as it was.
    ///
    /// The base's line `b` of them has become the file's line `f`.
    pub(crate) fn has_rival(
        &self,
        lines: &Range<usize>,
        b: usize,
        f: usize,
    ) -> Result<bool, Reason> {
        let end = (lines.end + CONTEXT).min(self.base.lines.len());
        let window = lines.start.saturating_sub(CONTEXT)..end;
        let middle = match lines.is_empty() {
            true => self.deeper(lines.start),
            false => lines.start,
        };
        let view = Window {
            header: self.named(&self.base, middle)?,
            middle: middle - window.start,
            lines: window,
        };
        let mut images = Vec::with_capacity(view.lines.len());
        for n in view.lines.clone() {
            images.push(self.find(n)?.ok());
        }
        let own: Vec<Option<usize>> = view.lines.clone().map(Some).collect();
        // Counted from the window's length on, so that no place is before the first.
        let len = view.lines.len();
        let here = (f + len + view.lines.start).saturating_sub(b);
        let now = self.likenesses(&self.file, &view, &images, here)?;
        Ok(now > 0 && now > self.likenesses(&self.base, &view, &own, view.lines.start + len)?)
    }

    /// Returns which of the lines above and below a place stands deeper.
    fn deeper(&self, below: usize) -> usize {
        let above = below.saturating_sub(1);
        let depth = |n: usize| {
            let line = self.base.lines.get(n);
            line.map_or(0, |line| scope::depth(self.base.file.text(*line)))
        };
        if depth(below) > depth(above) {
            below
        } else {
            above
        }
    }

    /// Counts the places of `side` where a third of the window's lines that say something, and two at
    /// least, stand as they do there. What is the line itself, by `images`, does not count, nor what
    /// begins `here`, nor what another name encloses.
    fn likenesses(
        &self,
        side: &Side<'_>,
        view: &Window<'_>,
        images: &[Option<usize>],
        here: usize,
    ) -> Result<usize, Reason> {
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut informative, len) = (0, view.lines.len());
        let index = side.file.trimmed_index();
        for (k, n) in view.lines.clone().enumerate() {
            let key = self.base.key(n).unwrap_or_default();
            if !anchor::is_informative(key) {
                continue;
            }
            informative += 1;
            let number = index.number(side.file, key);
            let lines = number
                .map(|number| index.places(number))
                .unwrap_or_default();
            self.budget.spend(lines.len())?;
            for line in lines {
                let at = side.at(*line as usize);
                let place = at + len - k;
                if images.get(k).copied().flatten() != Some(at) && place.abs_diff(here) > GAP {
                    *places.entry(place).or_default() += 1;
                }
            }
        }
        let mut count = 0;
        for (place, equal) in places {
            if equal >= 2 && 3 * equal >= informative {
                let there = (place + view.middle).saturating_sub(len);
                let header = self.named(side, there)?;
                count += usize::from(chain::may_be_one(view.header, header));
            }
        }
        Ok(count)
    }

    /// Returns the innermost header of a line that names something.
    fn named<'s>(&self, side: &Side<'s>, n: usize) -> Result<Option<&'s [u8]>, Reason> {
        let Some(line) = side.lines.get(n) else {
            return Ok(None);
        };
        let chain = chain::of(side.file, *line, self.budget)?;
        Ok(chain::named(side.file, &chain))
    }

    /// Returns the pairs of equal lines around the base's line `b` and the file's line `f`, as far
    /// as no line is passed over, at most `most` on each side: no further than what encloses them,
    /// and that line itself.
    pub(crate) fn around(
        &self,
        b: usize,
        f: usize,
        most: usize,
    ) -> Result<Vec<(usize, usize)>, Reason> {
        let block = self.block(b)?;
        let mut pairs = vec![(b, f)];
        for way in [Way::Up, Way::Down] {
            let (mut b, mut f) = (b, f);
            for _ in 0..most {
                let (Some(next_b), Some(next_f)) = (way.next(b), way.next(f)) else {
                    break;
                };
                if !block.contains(&next_b) || !self.equal(next_b, next_f) {
                    break;
                }
                (b, f) = (next_b, next_f);
                pairs.push((b, f));
            }
        }
        Ok(pairs)
    }

    /// Returns the base's lines from the innermost one that encloses `b` to the end of what that
    /// encloses; `b` alone where nothing does.
    fn block(&self, b: usize) -> Result<Range<usize>, Reason> {
        let file = self.base.file;
        let Some(line) = self.base.lines.get(b) else {
            return Ok(b..b);
        };
        let Some(header) = chain::of(file, *line, self.budget)?.pop() else {
            return Ok(b..b + 1);
        };
        let lines = scope::extent(file, header, file.len(), self.budget)?;
        Ok(self.base.at(lines.start)..self.base.at(lines.end))
    }
}

/// Where a run comes to next.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Two equal lines.
    Pair(usize, usize),
    /// The end of both texts.
    Ends,
    /// Two lines that differ, or the end of one text.
    Differ,
}
