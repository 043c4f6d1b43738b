//! Lines by their numbers: they count only with proof that they are still the lines meant.

use crate::lines::{self, LineRange};
use crate::outcome::{Ambiguity, Candidate, NotFound, Reason, Stale, Unanchored};
use crate::patch::{Expect, RangeHunk};
use crate::policy::{Evidence, Score, Tier};

use super::hunk::{BaseProof, Context, Spot};
use super::{candidates, doubt, search};

/// Proves that the numbered lines are the ones meant.
pub(crate) fn locate(hunk: &RangeHunk, cx: &Context<'_>) -> Result<Spot, Reason> {
    let spot = |tier, evidence| Spot {
        lines: hunk.lines,
        tier,
        evidence,
        offset: Some(0),
        moved: None,
    };
    let current = match cx.base {
        BaseProof::Current(evidence) => Some(evidence),
        _ => None,
    };
    if current.is_none() && hunk.expect.is_none() {
        return Err(unproven(hunk, cx));
    }
    if hunk.lines.end.0 > cx.file.len() {
        let why = NotFound::Lines { has: cx.file.len() };
        return Err(match &hunk.expect {
            Some(Expect::Text(text)) if current.is_none() => Reason::Stale {
                why: Stale::Text,
                candidates: elsewhere(text, cx)?,
            },
            _ => Reason::NotFound {
                why,
                nearest: Vec::new(),
            },
        });
    }
    if let Some(expect) = &hunk.expect {
        check_expected(hunk, expect, cx)?;
    }
    if let Some(evidence) = current {
        return Ok(spot(Tier::Base, evidence));
    }
    let expected = expected_lines(hunk, cx);
    let anchor: Vec<&[u8]> = (expected.start.0..expected.end.0)
        .map(|line| cx.file.text(line))
        .collect();
    let stands = search::find(cx.file, &anchor, 0..cx.file.len(), cx.budget)?;
    let old: Vec<&[u8]> = (hunk.lines.start.0..hunk.lines.end.0)
        .map(|line| cx.file.text(line))
        .collect();
    let post: Vec<&[u8]> = lines::split(&hunk.new).map(super::hunk::text_of).collect();
    super::hunk::check_not_made(&old, &post, hunk.lines.start.0, cx)?;
    if stands.len() != 1 {
        let candidates = candidates::places(cx.file, &stands, anchor.len());
        return Err(Reason::Ambiguous {
            why: Ambiguity::Expected,
            candidates,
            total: stands.len(),
        });
    }
    let start = expected.start;
    doubt::check_base_of_range(&anchor, start.0, cx)?;
    doubt::check_witness(Some(start), &anchor, start.0, cx)?;
    Ok(spot(Tier::Exact, Evidence::Text))
}

fn unproven(hunk: &RangeHunk, cx: &Context<'_>) -> Reason {
    if let BaseProof::Other { wanted, found, .. } = cx.base {
        let why = Stale::Id {
            wanted: wanted.clone(),
            found,
        };
        return Reason::Stale {
            why,
            candidates: stated(hunk, cx),
        };
    }
    let why = if hunk.lines.is_empty() {
        Unanchored::Insertion
    } else {
        Unanchored::Lines
    };
    Reason::Unanchored {
        why,
        place: stated(hunk, cx),
    }
}

/// What stands at the stated lines, as far as the file has them.
fn stated(hunk: &RangeHunk, cx: &Context<'_>) -> Vec<Candidate> {
    let lines = expected_lines(hunk, cx);
    if lines.is_empty() || lines.end.0 > cx.file.len() {
        return Vec::new();
    }
    vec![candidates::place(
        cx.file,
        lines.start.0,
        lines.len(),
        Score::EQUAL,
    )]
}

/// Returns the lines that the expected text is compared with: the ones replaced, or for an
/// insertion as many lines above it as are expected (at the top of the file, below it).
fn expected_lines(hunk: &RangeHunk, cx: &Context<'_>) -> LineRange {
    if !hunk.lines.is_empty() {
        return hunk.lines;
    }
    let len = match &hunk.expect {
        Some(Expect::Text(text)) => lines::split(text).count().max(1),
        _ => 1,
    };
    match hunk.lines.start.0 {
        0 => LineRange::new(0, len.min(cx.file.len())),
        at => LineRange::new(at.saturating_sub(len), at),
    }
}

fn check_expected(hunk: &RangeHunk, expect: &Expect, cx: &Context<'_>) -> Result<(), Reason> {
    let stands = expected_lines(hunk, cx);
    match expect {
        Expect::Text(text) => {
            let mut wanted = texts(text);
            // Joined with line breaks and not ended by one, lines of which the last is blank look
            // like one line fewer.
            if wanted.len() + 1 == hunk.lines.len() && text.ends_with(b"\n") {
                wanted.push(b"");
            }
            let fits = wanted.len() == stands.len()
                && wanted
                    .iter()
                    .enumerate()
                    .all(|(k, t)| cx.file.text(stands.start.0 + k) == *t);
            if fits {
                return Ok(());
            }
            let mut candidates = elsewhere(text, cx)?;
            if candidates.is_empty() {
                candidates = candidates::nearest(cx.file, &wanted, cx.budget);
            }
            Err(Reason::Stale {
                why: Stale::Text,
                candidates,
            })
        }
        Expect::Digest(digest) => {
            if digest_of(cx, stands) == *digest {
                return Ok(());
            }
            Err(Reason::Stale {
                why: Stale::Digest,
                candidates: stated(hunk, cx),
            })
        }
    }
}

/// Returns the SHA-256 of `lines`, each ended by LF, without byte-order mark.
fn digest_of(cx: &Context<'_>, lines: LineRange) -> [u8; 32] {
    use sha2::Digest as _;
    let mut hasher = sha2::Sha256::new();
    for line in lines.start.0..lines.end.0 {
        hasher.update(cx.file.text(line));
        hasher.update(b"\n");
    }
    hasher.finalize().into()
}

/// Returns the lines of an expected text. One that is empty stands for one blank line.
fn texts(text: &[u8]) -> Vec<&[u8]> {
    if text.is_empty() {
        return vec![b""];
    }
    lines::split(text).map(super::hunk::text_of).collect()
}

/// Returns the places where the expected text stands now.
fn elsewhere(text: &[u8], cx: &Context<'_>) -> Result<Vec<Candidate>, Reason> {
    let wanted = texts(text);
    let found = search::find(cx.file, &wanted, 0..cx.file.len(), cx.budget)?;
    Ok(candidates::places(cx.file, &found, wanted.len()))
}
