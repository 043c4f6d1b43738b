//! A pair of texts as the lines of a hunk.

use imara_diff::{Algorithm, Diff, InternedInput};

use super::{Line, LineHunk};

impl LineHunk {
    /// Returns the lines of a hunk that turns `old` into `new`: what both have is context.
    ///
    /// Joined, the context and deleted lines are `old`, the context and inserted ones `new`. Where
    /// lines change, the deleted ones come first. Equal arguments give equal lines.
    #[must_use]
    pub fn from_pair(old: &[u8], new: &[u8]) -> Vec<Line> {
        let input = InternedInput::new(old, new);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let text = |token| input.interner[token];
        let mut lines = Vec::with_capacity(input.before.len());
        let mut before = input.before.iter().copied().enumerate().peekable();
        for (at, &token) in (0_u32..).zip(&input.after) {
            while let Some((_, gone)) = before.next_if(|(n, _)| removed(&diff, *n)) {
                lines.push(Line::Delete(text(gone).into()));
            }
            if diff.is_added(at) {
                lines.push(Line::Insert(text(token).into()));
            } else {
                before.next();
                lines.push(Line::Context(text(token).into()));
            }
        }
        lines.extend(before.map(|(_, gone)| Line::Delete(text(gone).into())));
        lines
    }
}

fn removed(diff: &Diff, at: usize) -> bool {
    u32::try_from(at).is_ok_and(|at| diff.is_removed(at))
}

#[cfg(test)]
mod tests;
