//! What stands around the blocks: fences, prose, and the lines that name a file.

use bstr::BString;
use surefoot_engine::patch::Recovery;
use surefoot_engine::path::PathSpec;

use super::markers::is_stray;
use crate::ParseOptions;
use crate::envelope::fence::Fence;
use crate::error::ParseError;
use crate::input::{InputLine, quoted};
use crate::path_hint::{Sureness, mentioned, path_of};

/// Lines above a block, at most, that may name its file.
const REACH: usize = 3;

/// The lines between blocks, and what they have said so far.
pub(super) struct Surroundings<'a> {
    lines: &'a [InputLine<'a>],
    options: &'a ParseOptions,
    /// The fence that is open.
    fence: Option<Fence<'a>>,
    /// The line behind the last block or closed fence: nothing above it names the next file.
    since: usize,
    previous: Option<PathSpec>,
    pub(super) recoveries: Vec<Recovery>,
    told_prose: bool,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(lines: &'a [InputLine<'a>], options: &'a ParseOptions) -> Self {
        let recoveries = Vec::new();
        Self {
            lines,
            options,
            fence: None,
            since: 0,
            previous: None,
            recoveries,
            told_prose: false,
        }
    }

    /// Passes a line outside of all blocks.
    ///
    /// # Errors
    ///
    /// Where it looks like a piece of a block.
    pub(super) fn pass(&mut self, at: usize) -> Result<(), ParseError> {
        let Some(line) = self.lines.get(at) else {
            return Ok(());
        };
        if is_stray(line.text()) {
            return Err(line.malformed("a block's marker stands outside of all blocks"));
        }
        match self.fence {
            Some(fence) if fence.closed_by(line.text()) => {
                self.fence = None;
                self.since = at + 1;
            }
            None => self.fence = Fence::opened_by(line.text()),
            Some(_) => {}
        }
        let says_something = !line.is_blank()
            && Fence::opened_by(line.text()).is_none()
            && path_of(line.text()).is_none();
        if says_something && !is_tag(line.trimmed()) && !self.told_prose {
            self.told_prose = true;
            self.recoveries
                .push(line.recovery("text outside of the blocks was left aside"));
        }
        Ok(())
    }

    /// Notes that a block ends before line `at`.
    pub(super) fn leave_block(&mut self, at: usize) {
        self.since = at;
    }

    /// Returns the file that the block at line `at` is for: as a line above says, else as for the
    /// block before, else as the caller says.
    ///
    /// # Errors
    ///
    /// Where nothing says it, or a sentence names another file than would be taken.
    pub(super) fn path_above(&mut self, at: usize) -> Result<PathSpec, ParseError> {
        let Some(line) = self.lines.get(at) else {
            return Err(crate::input::malformed(
                "a block stands outside of the input",
            ));
        };
        let above = self.above(at);
        let spec = match self.named(&above) {
            Some(path) => PathSpec::from_root(path),
            None => self.inherited(line, &above)?,
        };
        self.previous = Some(spec.clone());
        Ok(spec)
    }

    fn inherited(&self, line: &InputLine<'_>, above: &[&[u8]]) -> Result<PathSpec, ParseError> {
        let mentions: Vec<BString> = above.iter().flat_map(|text| mentioned(text)).collect();
        if let Some(previous) = &self.previous {
            let other = mentions
                .iter()
                .find(|name| !same_file(&previous.text, name));
            return match other {
                None => Ok(previous.clone()),
                Some(name) => Err(line.malformed(format!(
                    "the text above the block names {}, the block before is for {}; put the path alone on the line above",
                    quoted(name),
                    quoted(&previous.text)
                ))),
            };
        }
        match &self.options.path {
            Some(path) => Ok(PathSpec::from_caller(path.clone())),
            None => Err(line.malformed("nothing above the block names its file")),
        }
    }

    /// Returns what stands above line `at`, nearest first, without fences, tags and blank lines.
    fn above(&self, at: usize) -> Vec<&'a [u8]> {
        let mut texts = Vec::new();
        let mut seen = 0;
        for line in self
            .lines
            .get(self.since..at)
            .unwrap_or_default()
            .iter()
            .rev()
        {
            let text = line.trimmed();
            if let Some(fence) = Fence::opened_by(line.text()) {
                // A fence may carry the path behind its language, or instead of it.
                let words = fence.info.split(u8::is_ascii_whitespace);
                let path = |word: &&[u8]| word.contains(&b'.') || word.contains(&b'/');
                texts.extend(words.filter(path));
                continue;
            }
            if is_tag(text) && path_of(text).is_none() {
                continue;
            }
            if seen == REACH {
                break;
            }
            seen += 1;
            if !text.is_empty() {
                texts.push(text);
            }
        }
        texts
    }

    fn named(&self, above: &[&[u8]]) -> Option<BString> {
        let needed = match (&self.previous, &self.options.path) {
            (None, None) => Sureness::Word,
            _ => Sureness::Path,
        };
        above.iter().enumerate().find_map(|(distance, text)| {
            let (path, sureness) = path_of(text)?;
            // A line farther off has to be a path beyond doubt.
            let needed = if distance == 0 {
                needed
            } else {
                Sureness::Path
            };
            (sureness >= needed).then_some(path)
        })
    }
}

/// Tells whether `name`, from a sentence, may be short for `path`.
fn same_file(path: &[u8], name: &[u8]) -> bool {
    let tail = |long: &[u8], short: &[u8]| {
        long.strip_suffix(short)
            .is_some_and(|head| head.is_empty() || head.ends_with(b"/"))
    };
    tail(path, name) || tail(name, path)
}

/// Tells whether a line is nothing but a tag or two.
fn is_tag(text: &[u8]) -> bool {
    text.starts_with(b"<") && text.ends_with(b">") && !text.starts_with(b"<<<")
}
