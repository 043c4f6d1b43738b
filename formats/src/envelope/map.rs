//! From places in a text that was unwrapped back to places in the input.

use surefoot_engine::lines;
use surefoot_engine::patch::Span;

/// Layers that were taken off, the outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Map {
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Layer {
    /// The text stands in the outer one as it is, so many bytes on.
    Shift(usize),
    /// The text was decoded from this part of the outer one.
    Whole(Span),
    /// Each piece of the text, by its start, and the start of where it came from.
    Pieces(Vec<(usize, usize)>),
}

impl Map {
    pub(crate) fn push_shift(&mut self, by: usize) {
        self.layers.push(Layer::Shift(by));
    }

    pub(crate) fn push_whole(&mut self, span: Span) {
        self.layers.push(Layer::Whole(span));
    }

    /// Adds a layer of pieces: starts in the inner text, with their starts in the outer one.
    pub(crate) fn push_pieces(&mut self, pieces: Vec<(usize, usize)>) {
        self.layers.push(Layer::Pieces(pieces));
    }

    /// Adds a layer that took something off the front of each line.
    pub(crate) fn push_lines(&mut self, outer: &[u8], inner: &[u8]) {
        let (mut out_end, mut in_end) = (0, 0);
        let pairs = lines::split(outer)
            .zip(lines::split(inner))
            .map(|(out, inn)| {
                out_end += out.len();
                let start = in_end;
                in_end += inn.len();
                (start, out_end - inn.len().min(out.len()))
            });
        self.layers.push(Layer::Pieces(pairs.collect()));
    }

    /// Tells whether nothing was taken off.
    pub(crate) fn is_identity(&self) -> bool {
        self.layers.is_empty()
    }

    /// Returns where byte `at` of the text came from.
    pub(crate) fn offset(&self, at: usize) -> usize {
        self.layers
            .iter()
            .rev()
            .fold(at, |at, layer| layer.outer(at, false))
    }

    /// Returns where `span` of the text came from.
    pub(crate) fn span(&self, span: Span) -> Span {
        self.layers.iter().rev().fold(span, |span, layer| Span {
            start: layer.outer(span.start, false),
            end: layer.outer(span.end, true),
        })
    }
}

impl Layer {
    fn outer(&self, at: usize, is_end: bool) -> usize {
        match self {
            Self::Shift(by) => at.saturating_add(*by),
            Self::Whole(span) => {
                if is_end {
                    span.end
                } else {
                    span.start
                }
            }
            Self::Pieces(pieces) => {
                // An end belongs to the piece before it, not to the one that begins there.
                let after = pieces.partition_point(
                    |(inner, _)| {
                        if is_end { *inner < at } else { *inner <= at }
                    },
                );
                let piece = after
                    .checked_sub(1)
                    .and_then(|n| pieces.get(n))
                    .or(pieces.first());
                piece.map_or(at, |(inner, outer)| {
                    outer.saturating_add(at.saturating_sub(*inner))
                })
            }
        }
    }
}
