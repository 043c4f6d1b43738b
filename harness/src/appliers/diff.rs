//! Hunks of a unified diff, for appliers that place them by their own rules.

/// A line of a hunk, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'d> {
    /// In both files.
    Context(&'d str),
    /// In the old one.
    Delete(&'d str),
    /// In the new one.
    Insert(&'d str),
}

/// Lines that stand together.
pub(super) type Hunk<'d> = Vec<Line<'d>>;

/// Reads the hunks of a diff of one file; what stands above the first is passed over.
pub(super) fn read(diff: &str) -> Result<Vec<Hunk<'_>>, &'static str> {
    let mut lines = diff.lines().peekable();
    while lines.next_if(|line| !line.starts_with("@@ ")).is_some() {}
    let mut hunks = Vec::new();
    while let Some(header) = lines.next() {
        let (mut old, mut new) = counts(header).ok_or("the diff has a line outside of a hunk")?;
        let mut hunk = Hunk::new();
        while old > 0 || new > 0 {
            let line = lines
                .next()
                .ok_or("a hunk is shorter than its header says")?;
            let line = read_line(line).ok_or("a hunk has a line of no kind")?;
            let (in_old, in_new) = match line {
                Line::Context(_) => (1, 1),
                Line::Delete(_) => (1, 0),
                Line::Insert(_) => (0, 1),
            };
            let less = |count: usize, by| count.checked_sub(by);
            (old, new) = less(old, in_old)
                .zip(less(new, in_new))
                .ok_or("a hunk is longer than its header says")?;
            hunk.push(line);
        }
        if lines.peek().is_some_and(|line| line.starts_with('\\')) {
            return Err("the diff is of a file without a last line end");
        }
        hunks.push(hunk);
    }
    if hunks.is_empty() {
        return Err("the diff has no hunk");
    }
    Ok(hunks)
}

/// Returns the old and the new count of lines that a hunk's header gives.
fn counts(header: &str) -> Option<(usize, usize)> {
    let (old, rest) = header.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        start.parse::<usize>().ok()?;
        count.parse().ok()
    };
    Some((count(old)?, count(new)?))
}

fn read_line(line: &str) -> Option<Line<'_>> {
    // Mailers take the blank of an empty context line away.
    if line.is_empty() {
        return Some(Line::Context(line));
    }
    let kinds = [Line::Context as fn(_) -> _, Line::Delete, Line::Insert];
    let marks = [' ', '-', '+'].into_iter().zip(kinds);
    marks
        .into_iter()
        .find_map(|(mark, kind)| line.strip_prefix(mark).map(kind))
}
