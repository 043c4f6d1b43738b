//! SEARCH/REPLACE blocks, as aider, cline, Roo and their kin write them.
//!
//! Marker lines are the format's only structure, and a file's text may hold lines that look like
//! them. Where a line may be either, every way to read the block is offered; where none is left
//! that closes it, the whole input is refused, since a cut-off block must never land.

mod block;
mod context;
mod markers;

use bstr::{BStr, BString};
use surefoot_engine::patch::{
    Change, Destination, Edit, Existing, Hunk, LineHunk, Order, Parsed, Patch, Reading, Step,
};
use surefoot_engine::path::{PathSpec, RelativeTo};

use self::block::{Block, Split, Variant};
use self::context::Surroundings;
use self::markers::Opener;
use crate::error::{ParseError, PrintError};
use crate::input::{each_line, input_lines, malformed};
use crate::path_hint::{Sureness, path_of};
use crate::{Ends, Format, ParseOptions};

/// The format `search-replace`.
#[derive(Clone, Copy, Debug)]
pub struct SearchReplace;

/// Ways to read one input, at most.
const READINGS: usize = 8;

impl Format for SearchReplace {
    fn name(&self) -> &'static str {
        "search-replace"
    }

    fn summary(&self) -> &'static str {
        "SEARCH/REPLACE blocks, with the path above, inside or beside the fence"
    }

    fn claims(&self, input: &BStr) -> bool {
        let mut open: Option<Opener> = None;
        each_line(input).any(|line| match Opener::of(line.text()) {
            Some(opener) if opener.is_telling() => true,
            Some(opener) => {
                open = Some(opener);
                false
            }
            None => open.is_some_and(|opener| opener.closer(line.text()).is_some()),
        })
    }

    fn ends(&self) -> Ends {
        Ends::Itself
    }

    fn parse(&self, input: &BStr, options: &ParseOptions) -> Result<Parsed, ParseError> {
        let lines = input_lines(input);
        let mut surroundings = Surroundings::new(&lines, options);
        let mut blocks = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let Some(opener) = Opener::of(line.text()) else {
                surroundings.pass(at)?;
                at += 1;
                continue;
            };
            let path = surroundings.path_above(at)?;
            let block = Block::read(&lines, at, opener, path)?;
            at += block.len;
            surroundings.leave_block(at);
            blocks.push(block);
        }
        if blocks.is_empty() {
            return Err(malformed("there is no SEARCH/REPLACE block"));
        }
        let steps = vec![Step {
            label: None,
            readings: readings(&blocks)?,
        }];
        Ok(Parsed {
            format: self.name(),
            steps,
            recoveries: surroundings.recoveries,
        })
    }

    fn print(&self, patch: &Patch) -> Result<BString, PrintError> {
        let mut out = BString::default();
        for edit in &patch.edits {
            print_edit(edit, &mut out)?;
        }
        Ok(out)
    }
}

/// Returns every way to read `blocks`: each choice of dividers, in each variant of the texts.
fn readings(blocks: &[Block<'_>]) -> Result<Vec<Reading>, ParseError> {
    let mut choices: Vec<Vec<&Split>> = vec![Vec::new()];
    for block in blocks {
        let fits = choices
            .len()
            .checked_mul(block.splits.len())
            .is_some_and(|n| n <= READINGS);
        if !fits {
            let message = "the markers allow more readings than can be tried; escape those in the text with a backslash";
            return Err(block.opener_line.malformed(message));
        }
        if let [split] = block.splits.as_slice() {
            choices.iter_mut().for_each(|chosen| chosen.push(split));
            continue;
        }
        choices = choices
            .iter()
            .flat_map(|chosen| {
                block
                    .splits
                    .iter()
                    .map(|split| [chosen.as_slice(), &[split]].concat())
            })
            .collect();
    }
    let variants = Variant::ALL
        .iter()
        .filter(|v| blocks.iter().any(|block| block.allows(**v)));
    let variants: Vec<Variant> = variants.copied().collect();
    if choices.len() * variants.len() > READINGS {
        return Err(malformed(
            "the blocks allow more readings than can be tried",
        ));
    }
    let mut readings = Vec::new();
    let mut refused = None;
    for variant in &variants {
        for splits in &choices {
            match patch(blocks, splits, *variant) {
                Ok(patch) => {
                    let assumption = assumption(splits, *variant);
                    let fallback = *variant == Variant::Unnumbered;
                    readings.push(Reading {
                        patch,
                        assumption,
                        fallback,
                    });
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
    }
    match (readings.as_mut_slice(), refused) {
        ([], Some(error)) => return Err(error),
        ([one], _) => one.assumption.clear(),
        _ => {}
    }
    Ok(readings)
}

fn assumption(splits: &[&Split], variant: Variant) -> String {
    let mut words: Vec<&str> = splits
        .iter()
        .map(|split| split.assumption.as_str())
        .filter(|words| !words.is_empty())
        .collect();
    words.push(variant.assumption());
    words.join(", ")
}

/// Gathers blocks into edits: neighbours for the same file are one.
fn patch(blocks: &[Block<'_>], splits: &[&Split], variant: Variant) -> Result<Patch, ParseError> {
    let mut edits: Vec<Edit> = Vec::new();
    for (block, split) in blocks.iter().zip(splits) {
        let sides = block.sides(split, variant);
        if sides.search.is_empty() {
            if sides.replace.is_empty() {
                return Err(block
                    .opener_line
                    .malformed("both sides of the block are empty"));
            }
            let change = Change::Create {
                content: sides.replace,
                existing: Existing::Malformed,
            };
            edits.push(Edit::new(block.path.clone(), change, block.span));
            continue;
        }
        let hunk = Hunk::Lines(LineHunk {
            old_start: sides.start,
            lines: LineHunk::from_pair(&sides.search, &sides.replace),
            span: block.span,
            ..LineHunk::default()
        });
        match edits.last_mut() {
            Some(Edit {
                path,
                change: Change::Modify { hunks, .. },
                span,
                ..
            }) if *path == block.path => {
                hunks.push(hunk);
                span.end = block.span.end;
            }
            _ => {
                let change = Change::Modify {
                    hunks: vec![hunk],
                    order: Order::Any,
                };
                edits.push(Edit::new(block.path.clone(), change, block.span));
            }
        }
    }
    Ok(Patch { edits })
}

fn print_edit(edit: &Edit, out: &mut BString) -> Result<(), PrintError> {
    check_printable(edit)?;
    match &edit.change {
        Change::Modify {
            hunks,
            order: Order::Any,
        } if !hunks.is_empty() => {
            for hunk in hunks {
                let Hunk::Lines(hunk) = hunk else {
                    return Err(PrintError("a hunk that is not made of lines"));
                };
                print_hunk(&edit.path, hunk, out)?;
            }
            Ok(())
        }
        Change::Modify { hunks, .. } if hunks.is_empty() => {
            Err(PrintError("an edit without a change"))
        }
        Change::Modify { .. } => Err(PrintError("hunks whose order counts")),
        Change::Create {
            content,
            existing: Existing::Malformed,
        } if !content.is_empty() => print_block(&edit.path, None, b"", content, out),
        _ => Err(PrintError("anything but lines replaced and files created")),
    }
}

fn check_printable(edit: &Edit) -> Result<(), PrintError> {
    if edit.destination != Destination::Same {
        return Err(PrintError("a rename or copy"));
    }
    if edit.mode.is_some() || edit.base.is_some() || edit.post.is_some() {
        return Err(PrintError("a file mode, base or result id"));
    }
    let plain = edit.path.or.is_none() && edit.path.relative_to == RelativeTo::Root;
    let line = path_line(&edit.path.text);
    let one_line = each_line(&line).count() == 1;
    let path = line.strip_suffix(b"\n").and_then(path_of);
    let sure = path.is_some_and(|(path, sure)| path == edit.path.text && sure == Sureness::Path);
    if plain && one_line && sure {
        Ok(())
    } else {
        Err(PrintError("such a path"))
    }
}

/// Returns the line that is written for `path`.
fn path_line(path: &[u8]) -> Vec<u8> {
    let quoted = [b"`", path, b"`"].concat();
    if path_of(&quoted).is_some_and(|(read, sure)| read == path && sure == Sureness::Path) {
        return [&quoted, b"\n".as_slice()].concat();
    }
    [b"<path>", path, b"</path>\n"].concat()
}

fn print_hunk(path: &PathSpec, hunk: &LineHunk, out: &mut BString) -> Result<(), PrintError> {
    if !hunk.scopes.is_empty() || hunk.heading.is_some() || hunk.at_end || hunk.new_start.is_some()
    {
        return Err(PrintError(
            "a scope, heading or place besides the lines themselves",
        ));
    }
    let join = |text: &mut dyn Iterator<Item = &[u8]>| text.collect::<Vec<_>>().concat();
    let (old, new) = (join(&mut hunk.old()), join(&mut hunk.new_lines()));
    if old.is_empty() {
        return Err(PrintError("an insertion without old lines"));
    }
    if LineHunk::from_pair(&old, &new) != hunk.lines {
        return Err(PrintError(
            "old and new lines paired otherwise than by their least difference",
        ));
    }
    print_block(
        path,
        hunk.old_start.map(|line| line.one_based()),
        &old,
        &new,
        out,
    )
}

fn print_block(
    path: &PathSpec,
    start: Option<u64>,
    old: &[u8],
    new: &[u8],
    out: &mut BString,
) -> Result<(), PrintError> {
    let whole = |text: &[u8]| text.is_empty() || text.ends_with(b"\n");
    if !whole(old) || !whole(new) {
        return Err(PrintError("a last line without its newline"));
    }
    let mut block = BString::from("<<<<<<< SEARCH\n");
    match start {
        Some(line) => {
            // A stated line is Roo's form, in which escapes are always resolved.
            block.extend_from_slice(format!(":start_line:{line}\n-------\n").as_bytes());
            escape(old, &mut block);
            block.extend_from_slice(b"=======\n");
            escape(new, &mut block);
        }
        None => block.extend_from_slice(&[old, b"=======\n", new].concat()),
    }
    block.extend_from_slice(b">>>>>>> REPLACE\n");
    if !Block::reads_as(&block, path, start, old, new) {
        return Err(PrintError("text that looks like the format's own markers"));
    }
    out.extend_from_slice(&path_line(&path.text));
    out.extend_from_slice(&block);
    Ok(())
}

fn escape(text: &[u8], out: &mut BString) {
    for line in each_line(text) {
        let marks: [&[u8]; 6] = [
            b"<<<<<<<",
            b"=======",
            b">>>>>>>",
            b"-------",
            b":start_line:",
            b":end_line:",
        ];
        let bare = line.raw.strip_prefix(b"\\").unwrap_or(line.raw);
        if marks.iter().any(|mark| bare.starts_with(mark)) {
            out.push(b'\\');
        }
        out.extend_from_slice(line.raw);
    }
}

#[cfg(test)]
mod tests;
