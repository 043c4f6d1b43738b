//! Markdown fences around an edit whose format does not know them.

use bstr::BString;

use super::End;
use super::fence::Fence;
use crate::input::{InputLine, each_line, input_lines};

/// The text in the fences of an input.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) text: BString,
    /// To be added to what was taken off before.
    pub(crate) pieces: Vec<(usize, usize)>,
    /// The line of the first fence.
    pub(crate) line: usize,
    /// Whether every fence is closed.
    pub(crate) end: End,
}

/// A fence and what is in it.
struct Block<'a> {
    fence: Fence<'a>,
    line: usize,
    body: &'a [InputLine<'a>],
    closed: bool,
}

fn blocks<'a>(lines: &'a [InputLine<'a>]) -> (Vec<Block<'a>>, Vec<InputLine<'a>>) {
    let (mut blocks, mut outside) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(fence) = Fence::opened_by(line.text()) else {
            outside.push(*line);
            continue;
        };
        let rest = lines.get(at..).unwrap_or_default();
        let end = rest.iter().position(|line| fence.closed_by(line.text()));
        let len = end.unwrap_or(rest.len());
        let body = rest.get(..len).unwrap_or_default();
        blocks.push(Block {
            fence,
            line: line.number,
            body,
            closed: end.is_some(),
        });
        at += len + 1;
    }
    (blocks, outside)
}

/// Returns what is in the fences of `input` that `claims` takes for its own, where it takes nothing
/// outside of them; `None` where the edit is not in fences.
pub(crate) fn outside_of_fences(input: &[u8], claims: impl Fn(&[u8]) -> bool) -> Option<View> {
    if !each_line(input).any(|line| Fence::opened_by(line.text()).is_some()) {
        return None;
    }
    let lines = input_lines(input);
    let (blocks, outside) = blocks(&lines);
    let outside: BString = outside
        .iter()
        .map(|line| line.raw)
        .collect::<Vec<_>>()
        .concat()
        .into();
    if blocks.is_empty() || claims(&outside) {
        return None;
    }
    let mut view: Option<View> = None;
    for block in &blocks {
        let mut text = BString::default();
        let mut pieces = Vec::new();
        for line in block.body {
            let blanks = line
                .raw
                .iter()
                .take(block.fence.indent)
                .take_while(|b| **b == b' ')
                .count();
            pieces.push((text.len(), line.start + blanks));
            text.extend_from_slice(line.raw.get(blanks..).unwrap_or_default());
        }
        if !claims(&text) {
            continue;
        }
        let view = view.get_or_insert_with(|| View {
            text: BString::default(),
            pieces: Vec::new(),
            line: block.line,
            end: End::Closed,
        });
        let base = view.text.len();
        view.pieces.extend(
            pieces
                .into_iter()
                .map(|(inner, outer)| (base + inner, outer)),
        );
        view.text.extend_from_slice(&text);
        if !block.closed {
            view.end = End::Missing;
        }
    }
    view
}
