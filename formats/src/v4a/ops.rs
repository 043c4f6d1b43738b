//! The operations of a patch.

use bstr::{BString, ByteSlice as _};
use surefoot_engine::lines::split_ending;
use surefoot_engine::patch::{
    Change, Destination, Edit, Existing, Hunk, Line, LineHunk, Order, Span,
};
use surefoot_engine::path::PathSpec;

use super::Marker;
use super::header::Header;
use crate::error::{ParseError, ParseErrorKind};
use crate::input::InputLine;

/// What an empty line at the edge of a hunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blanks {
    /// A blank line of the file.
    Context,
    /// Room between two hunks.
    Separator,
}

impl Blanks {
    pub(super) fn assumption(self) -> &'static str {
        match self {
            Self::Context => "empty lines at a hunk's edge are lines of the file",
            Self::Separator => "empty lines at a hunk's edge only separate",
        }
    }
}

/// Reads operations, one reading of them.
#[derive(Debug)]
pub(super) struct Ops {
    pub(super) edits: Vec<Edit>,
    blanks: Blanks,
    met_blanks: bool,
}

impl Ops {
    pub(super) fn new(blanks: Blanks) -> Self {
        Self {
            edits: Vec::new(),
            blanks,
            met_blanks: false,
        }
    }

    /// Tells whether there was an empty line that the two readings take differently.
    pub(super) fn met_blanks(&self) -> bool {
        self.met_blanks
    }

    /// Reads the lines between one begin and its end.
    ///
    /// # Errors
    ///
    /// Where a line has no place in the format.
    pub(super) fn read(&mut self, body: &[InputLine<'_>]) -> Result<(), ParseError> {
        let mut rest = body;
        while let Some((line, tail)) = rest.split_first() {
            rest = tail;
            if line.is_blank() {
                continue;
            }
            let len = rest
                .iter()
                .take_while(|l| !Marker::of(l.text()).is_some_and(ends_op))
                .count();
            let (lines, tail) = rest.split_at_checked(len).unwrap_or((rest, &[]));
            let edit = match Marker::of(line.text()) {
                Some(Marker::Add(path)) => add(path, line, lines),
                Some(Marker::Delete(path)) => delete(path, line, lines),
                Some(Marker::Update(path)) => self.update(path, line, lines),
                Some(Marker::Other) => Err(ParseError {
                    kind: ParseErrorKind::Unsupported,
                    ..line.malformed("this operation is not one of add, update and delete")
                }),
                Some(_) => Err(line.malformed("this marker has no place here")),
                None => Err(line.malformed("a line stands before the first operation")),
            };
            let path = Marker::of(line.text()).and_then(path_of);
            let mut edit = edit.map_err(|error| ParseError {
                path: error.path.or(path),
                ..error
            })?;
            edit.span = Span {
                start: line.start,
                end: lines.last().unwrap_or(line).span().end,
            };
            self.edits.push(edit);
            rest = tail;
        }
        Ok(())
    }

    fn update(
        &mut self,
        path: &[u8],
        line: &InputLine<'_>,
        lines: &[InputLine<'_>],
    ) -> Result<Edit, ParseError> {
        let spec = spec(path, line)?;
        let (destination, lines) = match lines.split_first() {
            Some((first, rest)) => match Marker::of(first.text()) {
                Some(Marker::MoveTo(to)) => (Destination::Rename(self::spec(to, first)?), rest),
                _ => (Destination::Same, lines),
            },
            None => (Destination::Same, lines),
        };
        let mut hunks = Hunks::new(self.blanks);
        for line in lines {
            hunks.line(line)?;
        }
        hunks.finish(false)?;
        self.met_blanks |= hunks.met_blanks;
        let change = match (hunks.hunks.is_empty(), &destination) {
            (true, Destination::Same) => return Err(line.malformed("the update has no hunk")),
            (true, _) => Change::Keep,
            (false, _) => Change::Modify {
                hunks: hunks.hunks,
                order: Order::File,
            },
        };
        Ok(Edit {
            destination,
            ..Edit::new(spec, change, Span::default())
        })
    }
}

/// Tells whether `marker` ends the operation before it.
fn ends_op(marker: Marker<'_>) -> bool {
    !matches!(marker, Marker::MoveTo(_) | Marker::EndOfFile)
}

fn path_of(marker: Marker<'_>) -> Option<BString> {
    match marker {
        Marker::Add(path) | Marker::Delete(path) | Marker::Update(path) => Some(path.into()),
        _ => None,
    }
}

fn spec(path: &[u8], line: &InputLine<'_>) -> Result<PathSpec, ParseError> {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    if path.is_empty() {
        return Err(line.malformed("the operation names no file"));
    }
    Ok(PathSpec::from_root(path))
}

fn add(path: &[u8], line: &InputLine<'_>, lines: &[InputLine<'_>]) -> Result<Edit, ParseError> {
    let spec = spec(path, line)?;
    // Where the marker lines end in CR LF, that is how the patch was sent and no part of the text.
    let sent_with_cr = line.raw.ends_with(b"\r\n");
    let len = lines.len()
        - lines
            .iter()
            .rev()
            .take_while(|line| line.is_blank())
            .count();
    let mut content = BString::default();
    for line in lines.get(..len).unwrap_or(lines) {
        let Some(text) = line.raw.strip_prefix(b"+") else {
            return Err(line.malformed("a line of a new file has no `+`"));
        };
        let (text, _) = if sent_with_cr {
            split_ending(text)
        } else {
            without_lf(text)
        };
        content.extend_from_slice(text);
        content.push(b'\n');
    }
    let change = Change::Create {
        content,
        existing: Existing::Exists,
    };
    Ok(Edit::new(spec, change, Span::default()))
}

fn without_lf(text: &[u8]) -> (&[u8], surefoot_engine::lines::Ending) {
    let bare = text.strip_suffix(b"\n").unwrap_or(text);
    (bare, surefoot_engine::lines::Ending::Lf)
}

fn delete(path: &[u8], line: &InputLine<'_>, lines: &[InputLine<'_>]) -> Result<Edit, ParseError> {
    let spec = spec(path, line)?;
    if let Some(line) = lines.iter().find(|line| !line.is_blank()) {
        return Err(line.malformed("a line follows the deletion of a file"));
    }
    Ok(Edit::new(
        spec,
        Change::Delete { shown: None },
        Span::default(),
    ))
}

/// Reads the hunks of one update.
struct Hunks {
    blanks: Blanks,
    met_blanks: bool,
    hunks: Vec<Hunk>,
    /// The hunk that is being read.
    hunk: LineHunk,
    /// Whether a header began it.
    begun: bool,
    /// The line of its header.
    number: usize,
    /// Empty lines that may belong to it.
    pending: Vec<BString>,
}

impl Hunks {
    fn new(blanks: Blanks) -> Self {
        let (hunks, hunk, pending) = (Vec::new(), LineHunk::default(), Vec::new());
        Self {
            blanks,
            met_blanks: false,
            hunks,
            hunk,
            begun: false,
            number: 0,
            pending,
        }
    }

    fn line(&mut self, line: &InputLine<'_>) -> Result<(), ParseError> {
        if let Some(header) = Header::of(line.text()) {
            return self.header(header, line);
        }
        match Marker::of(line.text()) {
            Some(Marker::EndOfFile) => {
                self.hunk.span.end = line.span().end;
                return if self.hunk.lines.is_empty() {
                    Err(line.malformed("`*** End of File` stands without lines above it"))
                } else {
                    self.finish(true)
                };
            }
            Some(_) => return Err(line.malformed("this marker has no place in a hunk")),
            None => {}
        }
        let text = || -> BString { line.raw.get(1..).unwrap_or_default().into() };
        let hunk_line = match line.raw.first() {
            Some(b' ') => Line::Context(text()),
            Some(b'-') => Line::Delete(text()),
            Some(b'+') => Line::Insert(text()),
            _ if line.is_blank() && !line.raw.starts_with(b"\t") => {
                self.pending.push(line.raw.into());
                return Ok(());
            }
            _ => {
                return Err(line.malformed("a line of a hunk begins with none of ` `, `-` and `+`"));
            }
        };
        self.flush(!self.hunk.lines.is_empty());
        if self.hunk.lines.is_empty() && !self.begun {
            self.hunk.span.start = line.start;
        }
        self.hunk.span.end = line.span().end;
        self.hunk.lines.push(hunk_line);
        Ok(())
    }

    /// Takes the empty lines into the hunk: for sure between two of its lines, else as told.
    fn flush(&mut self, inside: bool) {
        let pending = std::mem::take(&mut self.pending);
        self.met_blanks |= !inside && !pending.is_empty();
        if inside || self.blanks == Blanks::Context {
            self.hunk
                .lines
                .extend(pending.into_iter().map(Line::Context));
        }
    }

    fn header(&mut self, header: Header, line: &InputLine<'_>) -> Result<(), ParseError> {
        if !self.hunk.lines.is_empty() {
            self.finish(false)?;
        }
        self.pending.clear();
        if !self.begun {
            self.hunk.span.start = line.start;
        }
        self.begun = true;
        self.number = line.number;
        self.hunk.span.end = line.span().end;
        match header {
            Header::Bare => {}
            Header::Scope(scope) => self.hunk.scopes.push(scope),
            Header::Numbers { .. } if self.hunk.old_start.is_some() => {
                return Err(line.malformed("two headers with line numbers follow each other"));
            }
            Header::Numbers { old, new, heading } => {
                self.hunk.old_start = Some(old);
                self.hunk.new_start = Some(new);
                self.hunk.heading = heading;
            }
        }
        Ok(())
    }

    /// Ends the hunk that is being read.
    fn finish(&mut self, at_end: bool) -> Result<(), ParseError> {
        if self.hunk.lines.is_empty() {
            self.pending.clear();
            if !self.begun {
                return Ok(());
            }
            let span = self.hunk.span;
            let error = crate::input::malformed("the hunk has no lines");
            return Err(ParseError {
                span,
                line: self.number,
                ..error
            });
        }
        self.flush(false);
        let hunk = std::mem::take(&mut self.hunk);
        self.hunks.push(Hunk::Lines(LineHunk { at_end, ..hunk }));
        self.begun = false;
        Ok(())
    }
}

/// Tells whether a path can be written behind a marker and read back.
pub(super) fn is_plain(path: &[u8]) -> bool {
    let trimmed = path.trim_ascii();
    !path.is_empty() && trimmed == path && !path.contains_str("\n") && !path.starts_with(b"./")
}
