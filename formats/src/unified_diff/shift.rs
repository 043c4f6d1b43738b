//! Whether the line numbers of a file's hunks agree with each other and with the lines between.

use surefoot_engine::lines::LineNo;
use surefoot_engine::patch::LineHunk;

/// What the hunks read so far say of the distance between a line's old and new number.
#[derive(Debug, Default)]
pub(super) struct Shift {
    /// Lines that they add, less those that they remove.
    added: i64,
    /// How far the last stated distance was from that. Told once, not again for each hunk that
    /// follows: a diff of which somebody has left out a hunk goes on so.
    off: i64,
    /// The old side's line behind the last hunk that states one.
    old_end: usize,
}

impl Shift {
    /// Goes past `hunk`, and says what its header contradicts.
    pub(super) fn past(&mut self, hunk: &LineHunk, number: usize) -> Option<String> {
        let (old, new) = (hunk.old().count(), hunk.new_lines().count());
        let told = match (hunk.old_start, hunk.new_start) {
            (Some(old), Some(new)) => self.compare(old, new, number),
            _ => None,
        };
        let told = told.or_else(|| match hunk.old_start {
            Some(start) if start.0 < self.old_end => Some(format!(
                "hunk {number}: begins at line {start}, before the last one ends"
            )),
            _ => None,
        });
        if let Some(start) = hunk.old_start {
            self.old_end = start.0.saturating_add(old);
        }
        self.added = self
            .added
            .saturating_add(signed(new))
            .saturating_sub(signed(old));
        told
    }

    fn compare(&mut self, old: LineNo, new: LineNo, number: usize) -> Option<String> {
        let stated = signed(new.0).saturating_sub(signed(old.0));
        let off = stated.saturating_sub(self.added);
        if std::mem::replace(&mut self.off, off) == off {
            return None;
        }
        let added = self.added;
        Some(format!(
            "hunk {number}: the header moves its lines by {stated:+}, the hunks before it by {added:+}"
        ))
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
