//! Markdown code fences.

/// The line that opens a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence<'a> {
    /// Blanks before it.
    pub(crate) indent: usize,
    mark: u8,
    len: usize,
    /// What stands behind the marks.
    pub(crate) info: &'a [u8],
}

impl<'a> Fence<'a> {
    /// Returns the fence that `line` opens: three or more backticks or tildes, and an info string.
    pub(crate) fn opened_by(line: &'a [u8]) -> Option<Self> {
        let text = line.trim_ascii_start();
        let indent = line.len() - text.len();
        let mark = *text.first().filter(|b| matches!(b, b'`' | b'~'))?;
        let len = text.iter().take_while(|b| **b == mark).count();
        let info = text.get(len..)?.trim_ascii();
        let opens = len >= 3 && !(mark == b'`' && info.contains(&b'`'));
        opens.then_some(Self {
            indent,
            mark,
            len,
            info,
        })
    }

    /// Tells whether `line` closes the block: as many marks or more, nothing else, and no more
    /// indented than the opener.
    pub(crate) fn closed_by(&self, line: &[u8]) -> bool {
        Fence::opened_by(line).is_some_and(|other| {
            other.mark == self.mark
                && other.len >= self.len
                && other.indent <= self.indent
                && other.info.is_empty()
        })
    }
}
