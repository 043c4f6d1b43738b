//! What a diff does to a file whose every line is known by where it came from.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice as _;

/// A line of the file that a diff meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The line of the author's file that it is, from 0; `None` where it is another's.
    pub(crate) from: Option<usize>,
    /// Its bytes, with its ending.
    pub(crate) text: Vec<u8>,
}

/// What a diff changes in the author's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Lines that go.
    pub(crate) removed: BTreeSet<usize>,
    /// Lines that come, by the line that they stand before.
    pub(crate) added: BTreeMap<usize, Vec<Vec<u8>>>,
    /// First and last line of each hunk, context and all, without the end.
    pub(crate) hunks: Vec<(usize, usize)>,
}

/// Reads the hunks of a diff that a program has printed, all of whose numbers are right. `None`
/// where that is not so.
pub(crate) fn read(hunks: &[u8]) -> Option<Changes> {
    let mut changes = Changes::default();
    let mut next = 0;
    let mut lines = hunks.lines_with_terminator().peekable();
    while let Some(line) = lines.next() {
        if let Some(header) = line.strip_prefix(b"@@ -") {
            let numbers = header
                .split(|byte| !byte.is_ascii_digit() && *byte != b',')
                .next()?;
            let mut numbers = numbers.split(|&byte| byte == b',');
            let start: usize = numbers.next()?.to_str().ok()?.parse().ok()?;
            let count = numbers
                .next()
                .map_or(Some(1), |count| count.to_str().ok()?.parse().ok())?;
            next = if count == 0 {
                start
            } else {
                start.checked_sub(1)?
            };
            changes.hunks.push((next, next + count));
            continue;
        }
        let (sign, text) = line.split_first()?;
        let mut text = text.to_vec();
        if lines.peek().is_some_and(|line| line.starts_with(b"\\")) {
            lines.next();
            text.pop();
        }
        match sign {
            // diffy leaves the sign of a blank context line out.
            b' ' | b'\n' => next += 1,
            b'-' => {
                changes.removed.insert(next);
                next += 1;
            }
            b'+' => changes.added.entry(next).or_default().push(text),
            _ => return None,
        }
    }
    Some(changes)
}

/// Returns `file` with `changes` made where they belong; `None` where that is not certain: a line
/// to be removed has changed, or lines stand between those that a change joins.
pub(crate) fn apply(file: &[Known], base: &[Vec<u8>], changes: &Changes) -> Option<Vec<u8>> {
    let places: BTreeMap<usize, usize> = file
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((line.from?, at)))
        .collect();
    for &line in &changes.removed {
        let at = *places.get(&line)?;
        if file.get(at)?.text != *base.get(line)? {
            return None;
        }
        if changes.removed.contains(&(line + 1)) && places.get(&(line + 1)) != Some(&(at + 1)) {
            return None;
        }
    }
    let mut added: BTreeMap<usize, &Vec<Vec<u8>>> = BTreeMap::new();
    for (&line, texts) in &changes.added {
        added.insert(
            insertion_place(line, base.len(), file.len(), &places, changes)?,
            texts,
        );
    }
    let mut out = Vec::new();
    for at in 0..=file.len() {
        for text in added.get(&at).into_iter().copied().flatten() {
            end_line(&mut out);
            out.extend_from_slice(text);
        }
        if let Some(line) = file.get(at)
            && !line
                .from
                .is_some_and(|from| changes.removed.contains(&from))
        {
            end_line(&mut out);
            out.extend_from_slice(&line.text);
        }
    }
    Some(out)
}

/// Ends the last line of `out`, as another one follows.
fn end_line(out: &mut Vec<u8>) {
    if out.last().is_some_and(|&byte| byte != b'\n') {
        out.push(b'\n');
    }
}

/// Returns where in the file the lines go that the author put before his line `line`.
fn insertion_place(
    line: usize,
    base_len: usize,
    file_len: usize,
    places: &BTreeMap<usize, usize>,
    changes: &Changes,
) -> Option<usize> {
    let above = line.checked_sub(1);
    if let Some(above) = above.filter(|above| changes.removed.contains(above)) {
        return Some(places.get(&above)? + 1);
    }
    if changes.removed.contains(&line) {
        return places.get(&line).copied();
    }
    let after = match above {
        None => 0,
        Some(above) => places.get(&above)? + 1,
    };
    let before = if line == base_len {
        file_len
    } else {
        *places.get(&line)?
    };
    (after == before).then_some(after)
}
