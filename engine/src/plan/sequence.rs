//! The other reading of a batch: each edit applied to the result of the one before.
//!
//! Agents' tools disagree on which is meant. Where both readings land and differ, only the author
//! can tell.

use std::collections::HashSet;

use super::commit::Splice;
use super::file::{Asked, Setting, alone};
use crate::lines::{self, LineRange};
use crate::locate::file::File;
use crate::locate::hunk::text_of;
use crate::outcome::Reason;
use crate::patch::Hunk;

/// Checks that applying hunks without an order one after the other gives `content` too, or nothing.
///
/// # Errors
///
/// `malformed`, with both readings, where it gives something else.
pub(crate) fn check(
    asked: &[Asked<'_>],
    splices: &[Splice],
    content: &[u8],
    setting: &Setting<'_>,
) -> Result<(), Reason> {
    let unordered = asked.iter().filter(|one| one.ordered.is_none()).count();
    if unordered < 2 || !may_differ(asked, splices, setting)? {
        return Ok(());
    }
    let mut now = setting.file.bytes().to_vec();
    for one in asked {
        // Splitting and indexing the file anew for each hunk is what this reading costs.
        setting.budget.spend(now.len().saturating_mul(4))?;
        let file = File::new(&now);
        match alone(
            *one,
            &Setting {
                file: &file,
                witness: None,
                ..*setting
            },
        ) {
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

/// Tells whether one hunk's new lines can hold or destroy what another one looks for.
fn may_differ(
    asked: &[Asked<'_>],
    splices: &[Splice],
    setting: &Setting<'_>,
) -> Result<bool, Reason> {
    let mut fresh: HashSet<&[u8]> = HashSet::new();
    let mut regions: Vec<Vec<u8>> = Vec::new();
    for splice in splices {
        regions.push(around(setting.file, splice));
    }
    for region in &regions {
        fresh.extend(lines::split(region).map(text_of));
    }
    let joined = regions.join(&b"\n"[..]);
    for one in asked {
        let touched = match one.hunk {
            Hunk::Lines(hunk) => hunk.old().map(text_of).any(|line| fresh.contains(line)),
            Hunk::Text(hunk) => {
                setting.budget.spend(joined.len())?;
                let mut pieces = lines::split(&hunk.old).map(text_of);
                // A text of one line can be inside a fresh one; of more, some whole line must be.
                pieces.any(|piece| {
                    !piece.is_empty() && memchr::memmem::find(&joined, piece).is_some()
                })
            }
            // Numbers shift in the sequential reading, where no text proves them any more.
            Hunk::Range(_) => false,
        };
        if touched {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the lines that a splice makes, with one line of the file on each side.
fn around(file: &File<'_>, splice: &Splice) -> Vec<u8> {
    let lines = file.lines_of(&splice.at);
    let from = lines.start.0.saturating_sub(1);
    let to = (lines.end.0 + 1).min(file.len());
    let whole = file.byte_range(LineRange::new(from, to));
    let before = &file.bytes()[whole.start.min(splice.at.start)..splice.at.start];
    let after = &file.bytes()[splice.at.end..whole.end.max(splice.at.end)];
    [before, &splice.new, after].concat()
}
