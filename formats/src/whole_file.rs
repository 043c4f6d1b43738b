//! Whole files: in JSON, or as a listing, where a path stands above each code block.
//!
//! The JSON form is shared with the other JSON formats, in [`json`](crate::json). A listing is
//! only taken for an edit where a path stands directly above its fence.

use std::collections::BTreeSet;

use bstr::{BStr, BString};
use surefoot_engine::patch::{Change, Edit, Parsed, Patch, Reading, Recovery, Span, Step};
use surefoot_engine::path::PathSpec;

use crate::envelope::fence::Fence;
use crate::error::{ParseError, PrintError};
use crate::input::{InputLine, each_line, input_lines, malformed};
use crate::path_hint::{Sureness, path_of};
use crate::{Ends, FORMATS, Format, ParseOptions, json};

/// The format `whole-file`.
#[derive(Clone, Copy, Debug)]
pub struct WholeFile;

impl Format for WholeFile {
    fn name(&self) -> &'static str {
        json::WHOLE_FILE
    }

    fn summary(&self) -> &'static str {
        "JSON, or a path above a code block: the whole new text of a file, or its deletion"
    }

    fn claims(&self, input: &BStr) -> bool {
        match json::claimed(input) {
            Some(format) => format == self.name(),
            // A listing is the weakest of all forms: whatever else the text may be goes before.
            None => {
                let fenced = each_line(input).any(|line| Fence::opened_by(line.text()).is_some());
                let is_other = |f: &&dyn Format| f.name() != self.name() && f.claims(input);
                fenced
                    && !FORMATS.iter().any(is_other)
                    && blocks(&input_lines(input))
                        .iter()
                        .any(|block| block.path.is_some())
            }
        }
    }

    fn ends(&self) -> Ends {
        Ends::Itself
    }

    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError> {
        if json::claimed(input).is_some() {
            return json::parse(input, options);
        }
        listing(&input_lines(input), options)
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        json::print(patch)
    }
}

/// A code block of a listing.
struct Block<'a> {
    path: Option<BString>,
    opener: InputLine<'a>,
    body: &'a [InputLine<'a>],
    closed: bool,
}

/// Returns the code blocks, each with the path on the line above.
fn blocks<'a>(lines: &'a [InputLine<'a>]) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut above: Option<BString> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(fence) = Fence::opened_by(line.text()).filter(|fence| fence.indent == 0) else {
            if !line.is_blank() {
                above = path_of(line.text())
                    .filter(|(_, sure)| *sure == Sureness::Path)
                    .map(|(p, _)| p);
            }
            continue;
        };
        let rest = lines.get(at..).unwrap_or_default();
        let end = rest.iter().position(|line| fence.closed_by(line.text()));
        let len = end.unwrap_or(rest.len());
        let body = rest.get(..len).unwrap_or_default();
        blocks.push(Block {
            path: above.take(),
            opener: *line,
            body,
            closed: end.is_some(),
        });
        at += len + 1;
    }
    blocks
}

fn listing(lines: &[InputLine<'_>], options: &ParseOptions) -> Result<Parsed, ParseError> {
    let blocks = blocks(lines);
    let mut edits: Vec<Edit> = Vec::new();
    let mut recoveries: Vec<Recovery> = Vec::new();
    let mut seen = BTreeSet::new();
    let only = blocks.len() == 1;
    for block in &blocks {
        let spec = match (&block.path, &options.path) {
            (Some(path), _) => PathSpec::from_root(path.clone()),
            (None, Some(path)) if only => PathSpec::from_caller(path.clone()),
            _ => {
                recoveries.push(
                    block
                        .opener
                        .recovery("a code block without a path above it was left aside"),
                );
                continue;
            }
        };
        if !block.closed {
            return Err(block
                .opener
                .malformed("the code block is never closed: the input is cut off"));
        }
        if !seen.insert(spec.clone()) {
            return Err(block
                .opener
                .malformed("two code blocks give the whole of one file"));
        }
        let content: BString = block
            .body
            .iter()
            .map(|line| line.raw)
            .collect::<Vec<_>>()
            .concat()
            .into();
        let end = block.body.last().unwrap_or(&block.opener).span().end;
        let span = Span {
            start: block.opener.start,
            end,
        };
        edits.push(Edit::new(spec, Change::Write { content }, span));
    }
    if edits.is_empty() {
        return Err(malformed(
            "there is neither JSON nor a code block below a path",
        ));
    }
    let reading = Reading {
        patch: Patch { edits },
        assumption: String::new(),
        fallback: false,
    };
    let steps = vec![Step {
        label: None,
        readings: vec![reading],
    }];
    Ok(Parsed {
        format: json::WHOLE_FILE,
        steps,
        recoveries,
    })
}

#[cfg(test)]
mod tests;
