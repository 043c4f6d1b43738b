//! Where a text stands, which may begin and end inside a line.
//!
//! Line endings are no evidence: where the file has CR LF, both sides are compared without the CR.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::file::File;
use super::hunk::{BaseProof, Context, check_size};
use super::{anchor, candidates, witness, word};
use crate::lines::{self, LineRange};
use crate::outcome::{Ambiguity, NotFound, Reason, Stale};
use crate::patch::{Count, TextHunk};
use crate::policy::{Evidence, Tier};

/// Occurrences after which a text that is meant once is counted no further.
pub(crate) const ENOUGH: usize = 64;

/// One place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextSpot {
    /// The bytes of the file, with the line endings that it has.
    pub(crate) bytes: Range<usize>,
    pub(crate) tier: Tier,
    pub(crate) evidence: Evidence,
    pub(crate) moved: Option<(bstr::BString, bstr::BString)>,
    /// The old text ends in a newline that the file's last line does not have.
    pub(crate) lacks_newline: bool,
}

/// Returns every place where `hunk` is to land: as many as its count says.
pub(crate) fn locate(hunk: &TextHunk, cx: &Context<'_>) -> Result<Vec<TextSpot>, Reason> {
    let needle = Needle::new(&hunk.old);
    let found = needle.occurrences(hunk.count, cx)?;
    let spot = |bytes: &Range<usize>, evidence, moved| TextSpot {
        bytes: bytes.clone(),
        tier: Tier::Exact,
        evidence,
        moved,
        lacks_newline: needle.lacks_newline(bytes, cx.file),
    };
    match (hunk.count, &found[..]) {
        (_, []) => Err(nowhere(hunk, cx)),
        (Count::One, [only]) => {
            let (evidence, moved) = settle(hunk, &needle, only, cx)?;
            Ok(vec![spot(only, evidence, moved)])
        }
        (Count::One, _) => Err(ambiguous(hunk, &found, Ambiguity::Equal, cx)),
        (Count::All, _) => {
            check_base(hunk, &found, cx)?;
            Ok(found
                .iter()
                .map(|bytes| spot(bytes, Evidence::Text, None))
                .collect())
        }
        (Count::Exactly(wanted), _) if wanted == found.len() as u64 => {
            check_base(hunk, &found, cx)?;
            Ok(found
                .iter()
                .map(|bytes| spot(bytes, Evidence::Text, None))
                .collect())
        }
        (Count::Exactly(wanted), _) if wanted < found.len() as u64 => {
            Err(ambiguous(hunk, &found, Ambiguity::Count { wanted }, cx))
        }
        (Count::Exactly(wanted), _) => {
            let why = NotFound::Count {
                wanted,
                found: found.len() as u64,
            };
            let nearest = candidates(hunk, &found, cx);
            Err(Reason::NotFound { why, nearest })
        }
    }
}

/// Returns the form of a text in which it is compared with a file.
pub(crate) fn needle(text: &[u8]) -> Cow<'_, [u8]> {
    without_cr(text.strip_prefix(lines::BOM).unwrap_or(text))
}

/// The old text, in the form in which it is compared with the file.
struct Needle<'a> {
    text: Cow<'a, [u8]>,
}

impl<'a> Needle<'a> {
    fn new(old: &'a [u8]) -> Self {
        let text = needle(old);
        Self { text }
    }

    /// Returns the occurrences in the file: overlapping ones where one is meant, else one after the
    /// other; none may then overlap. At the file's end a newline may be missing to the text's last.
    fn occurrences(&self, count: Count, cx: &Context<'_>) -> Result<Vec<Range<usize>>, Reason> {
        let haystack = cx.file.haystack(&self.text);
        let mut from = cx.file.bom().min(haystack.len());
        let known = cx.file.known(&self.text).filter(|_| count == Count::One);
        if let Some(known) = known {
            cx.budget.spend(1 + known.len() * self.text.len())?;
            let found: Vec<usize> = known.iter().copied().filter(|at| *at >= from).collect();
            return self.with_end(found, from, count, cx);
        }
        let finder = memmem::Finder::new(&self.text);
        let mut found: Vec<usize> = Vec::new();
        cx.budget.spend(haystack.len())?;
        while let Some(at) = haystack.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + at;
            // Candidates that nearly fit cost as much as those that fit.
            cx.budget.spend(self.text.len())?;
            self.check_overlap(&found, at, count, cx)?;
            found.push(at);
            from = if count == Count::All {
                at + self.text.len().max(1)
            } else {
                at + 1
            };
            if count == Count::One && found.len() >= ENOUGH {
                break;
            }
        }
        self.with_end(found, from, count, cx)
    }

    /// Adds the place at an unfinished end, if it is not before `from`, to the places `found`, and
    /// returns them all as bytes of the file.
    fn with_end(
        &self,
        mut found: Vec<usize>,
        from: usize,
        count: Count,
        cx: &Context<'_>,
    ) -> Result<Vec<Range<usize>>, Reason> {
        let unfinished = !cx.file.bytes().ends_with(b"\n");
        // A blank last line that the file does not have is one that some listings show.
        let counts = |at: &usize| *at >= from && (unfinished || found.is_empty());
        if let Some(at) = self.at_unfinished_end(cx.file).filter(counts) {
            self.check_overlap(&found, at, count, cx)?;
            found.push(at);
        }
        let end = cx.file.haystack(&self.text).len();
        let ranges: Vec<_> = found
            .into_iter()
            .map(|at| at..(at + self.text.len()).min(end))
            .collect();
        Ok(self.in_file(&ranges, cx.file))
    }

    /// Refuses a place that overlaps the one before, where so many are meant that none may.
    fn check_overlap(
        &self,
        found: &[usize],
        at: usize,
        count: Count,
        cx: &Context<'_>,
    ) -> Result<(), Reason> {
        let Some(last) = found.last().filter(|last| at < **last + self.text.len()) else {
            return Ok(());
        };
        if !matches!(count, Count::Exactly(_)) {
            return Ok(());
        }
        let place = *last..last.saturating_add(self.text.len());
        let places = self.in_file(std::slice::from_ref(&place), cx.file);
        let first = places.first().map_or(0, |at| cx.file.line_at(at.start));
        Err(Reason::Ambiguous {
            why: Ambiguity::Equal,
            candidates: candidates::places(cx.file, &[first], 1),
            total: found.len() + 1,
        })
    }

    /// Returns the place at the file's end where the text stands but for its last newline, which
    /// the file does not have.
    fn at_unfinished_end(&self, file: &File<'_>) -> Option<usize> {
        let haystack = file.haystack(&self.text);
        let rest = self.text.strip_suffix(b"\n")?;
        (!rest.is_empty() && haystack.ends_with(rest)).then(|| haystack.len() - rest.len())
    }

    /// Tells whether `place` is one at the end of a file that lacks the text's last newline.
    fn lacks_newline(&self, place: &Range<usize>, file: &File<'_>) -> bool {
        let stands = file.bytes().get(place.clone()).unwrap_or_default();
        self.text.ends_with(b"\n")
            && place.end == file.bytes().len()
            && without_cr(stands).len() < self.text.len()
    }

    /// Translates ranges of the haystack to bytes of the file.
    fn in_file(&self, ranges: &[Range<usize>], file: &File<'_>) -> Vec<Range<usize>> {
        if file.compares_raw(&self.text) {
            return ranges.to_vec();
        }
        let real = |range: &Range<usize>| file.real_place(range.start)..file.real_place(range.end);
        ranges.iter().map(real).collect()
    }
}

/// Returns `text` with CR LF turned into LF.
pub(crate) fn without_cr(text: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(text, b"\r\n").is_none() {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    for line in lines::split(text) {
        let (line, ending) = lines::split_ending(line);
        plain.extend_from_slice(line);
        if ending != lines::Ending::None {
            plain.push(b'\n');
        }
    }
    Cow::Owned(plain)
}

fn candidates(
    hunk: &TextHunk,
    found: &[Range<usize>],
    cx: &Context<'_>,
) -> Vec<crate::outcome::Candidate> {
    let starts: Vec<usize> = found
        .iter()
        .map(|bytes| cx.file.line_at(bytes.start))
        .collect();
    let len = lines::split(&hunk.old).count().max(1);
    candidates::places(cx.file, &starts, len)
}

fn ambiguous(hunk: &TextHunk, found: &[Range<usize>], why: Ambiguity, cx: &Context<'_>) -> Reason {
    Reason::Ambiguous {
        why,
        candidates: candidates(hunk, found, cx),
        total: found.len(),
    }
}

fn nowhere(hunk: &TextHunk, cx: &Context<'_>) -> Reason {
    let new = Needle::new(&hunk.new);
    if anchor::informative(lines::split(&hunk.new)) > 0
        && let Ok(found) = new.occurrences(Count::One, cx)
        && let [only] = &found[..]
        && fills_lines(only, cx.file)
    {
        return Reason::AlreadyApplied {
            lines: Some(cx.file.lines_of(only)),
        };
    }
    let quoted: Vec<&[u8]> = lines::split(&hunk.old)
        .map(|line| lines::split_ending(line).0)
        .collect();
    let nearest = candidates::nearest(cx.file, &quoted, cx.budget);
    Reason::NotFound {
        why: NotFound::Anchor,
        nearest,
    }
}

/// Tells whether a place takes up whole lines, white space at their ends aside.
///
/// A new text that stands only inside of longer lines need not come from the edit.
fn fills_lines(place: &Range<usize>, file: &File<'_>) -> bool {
    let lines = file.byte_range(file.lines_of(place));
    let before = file.bytes().get(lines.start..place.start);
    let after = file.bytes().get(place.end..lines.end);
    [before, after]
        .into_iter()
        .flatten()
        .all(|rest| rest.trim_ascii().is_empty())
}

/// What a settled place rests on, and the headers that it moved between, if it did.
type Settled = (Evidence, Option<(bstr::BString, bstr::BString)>);

/// Takes the only place of a text, if everything else agrees.
fn settle(
    hunk: &TextHunk,
    needle: &Needle<'_>,
    place: &Range<usize>,
    cx: &Context<'_>,
) -> Result<Settled, Reason> {
    let covered = cx.file.lines_of(place);
    if let BaseProof::Current(evidence) = cx.base {
        // As for lines: a base does not vouch for the depth of a quotation.
        check_twins(hunk, needle, place, covered, cx)?;
        return Ok((evidence, None));
    }
    let places = std::slice::from_ref(place);
    check_base(hunk, places, cx)?;
    check_whole_words(hunk, place, cx)?;
    check_already_there(hunk, place, cx)?;
    check_twins(hunk, needle, place, covered, cx)?;
    let seen = look(needle, place, cx)?;
    let anchor: Vec<&[u8]> = lines::split(&hunk.old).collect();
    check_size(&anchor, covered.start.0, seen.agrees, cx)?;
    let evidence = if seen.agrees {
        Evidence::Witness
    } else {
        Evidence::Text
    };
    Ok((evidence, seen.moved))
}

/// A text has no line or heading that could vouch for it on a file known to be another.
fn check_base(hunk: &TextHunk, found: &[Range<usize>], cx: &Context<'_>) -> Result<(), Reason> {
    let BaseProof::Other {
        wanted, found: id, ..
    } = cx.base
    else {
        return Ok(());
    };
    let why = Stale::Id {
        wanted: wanted.clone(),
        found: id,
    };
    Err(Reason::Stale {
        why,
        candidates: candidates(hunk, found, cx),
    })
}

/// Refuses a text that fits only inside a longer word or number.
///
/// `x = 1` stands inside `x = 10`, and who quotes the one has not seen the other.
fn check_whole_words(
    hunk: &TextHunk,
    place: &Range<usize>,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let file = cx.file.bytes();
    let before = file.get(..place.start).unwrap_or_default();
    let after = file.get(place.end..).unwrap_or_default();
    let splits_front = word::is_split(before, &hunk.old);
    let splits_back = word::is_split(&hunk.old, after);
    if !splits_front && !splits_back {
        return Ok(());
    }
    let lines = cx.file.lines_of(place);
    let quoted: Vec<&[u8]> = lines::split(&hunk.old)
        .map(|line| lines::split_ending(line).0)
        .collect();
    let mut nearest = candidates::nearest(cx.file, &quoted, cx.budget);
    if nearest.is_empty() {
        nearest = candidates::places(cx.file, &[lines.start.0], lines.len());
    }
    Err(Reason::NotFound {
        why: NotFound::WholeWords,
        nearest,
    })
}

/// An insertion whose result stands over its own place has been made before.
fn check_already_there(
    hunk: &TextHunk,
    place: &Range<usize>,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let (old, new) = (without_cr(&hunk.old), without_cr(&hunk.new));
    if new.len() <= old.len() || memmem::find(&new, &old).is_none() {
        return Ok(());
    }
    let needle = Needle::new(&hunk.new);
    let found = needle.occurrences(Count::One, cx)?;
    // A text that begins with a line is no line's end, though the bytes are the same.
    let begins_line =
        |at: usize| at <= cx.file.bom() || cx.file.bytes().get(at - 1) == Some(&b'\n');
    let over = |at: &&Range<usize>| {
        at.start < place.end
            && place.start < at.end
            && (begins_line(at.start) || !begins_line(place.start))
    };
    match found.iter().find(over) {
        Some(at) => Err(Reason::AlreadyApplied {
            lines: Some(cx.file.lines_of(at)),
        }),
        None => Ok(()),
    }
}

/// Refuses a text of several lines that stands at another depth too.
///
/// Where the text begins behind its first line's indentation, the file's own is meant there.
fn check_twins(
    hunk: &TextHunk,
    needle: &Needle<'_>,
    place: &Range<usize>,
    covered: LineRange,
    cx: &Context<'_>,
) -> Result<(), Reason> {
    let whole_lines =
        needle.text.ends_with(b"\n") || cx.file.lines_of(place).end.0 == cx.file.len();
    let ends_line =
        whole_lines || matches!(cx.file.bytes().get(place.end), None | Some(b'\n' | b'\r'));
    let first = covered.start.0;
    let lead = &cx.file.bytes()[cx.file.start(first)..place.start.max(cx.file.start(first))];
    let begins_line = lead
        .strip_prefix(lines::BOM)
        .unwrap_or(lead)
        .trim_ascii()
        .is_empty();
    if covered.len() < 2 || !ends_line || !begins_line || !hunk.old.contains(&b'\n') {
        return Ok(());
    }
    let anchor: Vec<&[u8]> = (covered.start.0..covered.end.0)
        .map(|line| cx.file.text(line))
        .collect();
    let mut starts = anchor::depth_twins(cx.file, &anchor, cx.budget)?;
    if starts.is_empty() {
        return Ok(());
    }
    starts.push(first);
    starts.sort_unstable();
    let total = starts.len();
    let candidates = candidates::places(cx.file, &starts, anchor.len());
    Err(Reason::Ambiguous {
        why: Ambiguity::Depth,
        candidates,
        total,
    })
}

/// Asks the witness about a text.
fn look(
    needle: &Needle<'_>,
    place: &Range<usize>,
    cx: &Context<'_>,
) -> Result<witness::Seen, Reason> {
    let Some(file) = cx.witness else {
        return Ok(witness::Seen::default());
    };
    let there = Needle::new(&needle.text);
    let then = Context {
        file,
        base: BaseProof::None,
        witness: None,
        ..*cx
    };
    let stood = there.occurrences(Count::One, &then)?;
    if stood.len() > 1 {
        let start = cx.file.line_at(place.start);
        let candidates = candidates::places(cx.file, &[start], cx.file.lines_of(place).len());
        let why = Ambiguity::CopyGone;
        return Err(Reason::Ambiguous {
            why,
            candidates,
            total: stood.len(),
        });
    }
    let [origin] = &stood[..] else {
        return Ok(witness::Seen::default());
    };
    let (was, is) = (file.line_at(origin.start), cx.file.line_at(place.start));
    let near: Vec<usize> = (0..cx.file.lines_of(place).len()).collect();
    witness::check_copies(file, was, &near, is, cx)?;
    let moved = witness::moved(file, was, cx.file, is, cx.budget)?;
    if let (Some((was, is)), true) = (&moved, cx.policy.warnings_refuse) {
        let why = Stale::Moved {
            was: was.clone(),
            is: is.clone(),
        };
        let start = cx.file.line_at(place.start);
        return Err(Reason::Stale {
            why,
            candidates: candidates::places(cx.file, &[start], 1),
        });
    }
    Ok(witness::Seen {
        agrees: moved.is_none(),
        moved,
    })
}

#[cfg(test)]
mod tests;
