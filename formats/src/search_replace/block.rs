//! One block: where it ends, and the ways to divide it.

use bstr::BString;
use surefoot_engine::lines::{LineNo, indentation};
use surefoot_engine::patch::Span;
use surefoot_engine::path::PathSpec;

use super::markers::{Header, Opener, header, unescaped};
use crate::envelope::noise;
use crate::error::ParseError;
use crate::input::InputLine;

/// A block between its opener and its closer.
#[derive(Debug)]
pub(super) struct Block<'a> {
    pub(super) path: PathSpec,
    pub(super) span: Span,
    pub(super) opener_line: InputLine<'a>,
    /// Lines of the input that it takes.
    pub(super) len: usize,
    pub(super) splits: Vec<Split>,
    opener: Opener,
    header: Header,
    body: &'a [InputLine<'a>],
}

/// One way to divide a block's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// The first line of the search side.
    from: usize,
    /// The line that divides.
    divider: usize,
    /// What this takes for granted; empty where there is no other way.
    pub(super) assumption: String,
}

/// A way to read the lines of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// As they stand.
    Literal,
    /// Without the indentation of the markers.
    Dedented,
    /// Without line numbers.
    Unnumbered,
    /// Without the backslash before markers.
    Unescaped,
}

impl Variant {
    pub(super) const ALL: [Self; 4] = [
        Self::Literal,
        Self::Dedented,
        Self::Unnumbered,
        Self::Unescaped,
    ];

    pub(super) fn assumption(self) -> &'static str {
        match self {
            Self::Literal => "the lines are meant as they stand",
            Self::Dedented => "the block is indented as a whole",
            Self::Unnumbered => "the numbers before every line were copied from a listing",
            Self::Unescaped => "a backslash before a marker is no part of the text",
        }
    }
}

/// The texts of a block.
#[derive(Debug)]
pub(super) struct Sides {
    pub(super) search: BString,
    pub(super) replace: BString,
    /// Where the search side is said to begin.
    pub(super) start: Option<LineNo>,
}

impl<'a> Block<'a> {
    /// Reads the block that `opener` opens at `lines[at]`.
    ///
    /// # Errors
    ///
    /// Where it has no closer before the next block, or no divider, or one cannot be told.
    pub(super) fn read(
        lines: &'a [InputLine<'a>],
        at: usize,
        opener: Opener,
        path: PathSpec,
    ) -> Result<Self, ParseError> {
        let (Some(opener_line), Some(rest)) = (lines.get(at), lines.get(at + 1..)) else {
            return Err(crate::input::malformed("a block has no opener"));
        };
        let named = |error: ParseError| ParseError {
            path: Some(path.text.clone()),
            ..error
        };
        let next = rest.iter().position(|line| opener.is_like(line.text()));
        let region = rest.get(..next.unwrap_or(rest.len())).unwrap_or_default();
        let (body, closer) = close(region, opener).map_err(|why| {
            let before = next.and_then(|n| rest.get(n)).map(|line| line.number);
            named(opener_line.malformed(why.message(before)))
        })?;
        let header = header(body);
        let splits =
            splits(body, opener, header).map_err(|why| named(opener_line.malformed(why)))?;
        let span = Span {
            start: opener_line.start,
            end: closer.span().end,
        };
        let len = body.len() + 2;
        Ok(Self {
            path,
            span,
            opener_line: *opener_line,
            len,
            splits,
            opener,
            header,
            body,
        })
    }

    /// Tells whether `text` is one block that has one reading as it stands, with these two sides.
    pub(super) fn reads_as(
        text: &[u8],
        path: &PathSpec,
        start: Option<u64>,
        old: &[u8],
        new: &[u8],
    ) -> bool {
        let lines = crate::input::input_lines(text);
        let opener = lines.first().and_then(|line| Opener::of(line.text()));
        let block = opener.and_then(|opener| Block::read(&lines, 0, opener, path.clone()).ok());
        let Some(block) = block.filter(|block| block.len == lines.len()) else {
            return false;
        };
        let [split] = block.splits.as_slice() else {
            return false;
        };
        let sides = block.sides(split, Variant::Literal);
        let start = start.and_then(LineNo::from_one_based);
        sides.search == old && sides.replace == new && sides.start == start
    }

    /// Tells whether the block can be read in this variant, and is another one in it.
    pub(super) fn allows(&self, variant: Variant) -> bool {
        match variant {
            // A stated line is Roo's form, and Roo's escapes are always resolved.
            Variant::Literal => true,
            Variant::Dedented => self.dedents(),
            Variant::Unnumbered => self
                .splits
                .iter()
                .any(|split| self.numbered(split).is_some()),
            Variant::Unescaped => {
                !self.header.stated && self.body.iter().any(|line| unescaped(line.raw).is_some())
            }
        }
    }

    fn dedents(&self) -> bool {
        let indent = indentation(self.opener_line.raw);
        let inside = |line: &InputLine<'_>| line.is_blank() || line.raw.starts_with(indent);
        self.opener.indent > 0 && self.body.iter().all(inside)
    }

    fn numbered(&self, split: &Split) -> Option<(u64, BString, BString)> {
        let (search, replace) = self.texts(split, Variant::Literal);
        noise::pair_without_numbers(&search, &replace)
    }

    /// Returns the two sides under `split`, read as `variant` where the block allows that.
    pub(super) fn sides(&self, split: &Split, variant: Variant) -> Sides {
        let stated = self.header.start.filter(|_| split.from == self.header.len);
        let stated = stated.or(self.opener.line).and_then(LineNo::from_one_based);
        if variant == Variant::Unnumbered
            && let Some((first, search, replace)) = self.numbered(split)
        {
            return Sides {
                search,
                replace,
                start: LineNo::from_one_based(first).or(stated),
            };
        }
        let (search, replace) = self.texts(split, variant);
        Sides {
            search,
            replace,
            start: stated,
        }
    }

    fn texts(&self, split: &Split, variant: Variant) -> (BString, BString) {
        let search = self.body.get(split.from..split.divider).unwrap_or_default();
        let replace = self.body.get(split.divider + 1..).unwrap_or_default();
        (self.text(search, variant), self.text(replace, variant))
    }

    fn text(&self, lines: &[InputLine<'_>], variant: Variant) -> BString {
        let dedent = variant == Variant::Dedented && self.dedents();
        let unescape = variant == Variant::Unescaped || self.header.stated;
        let mut out = BString::default();
        for line in lines {
            let mut raw = line.raw;
            if dedent {
                let inner = raw.strip_prefix(indentation(self.opener_line.raw));
                raw = inner.unwrap_or(if line.is_blank() { ending(raw) } else { raw });
            }
            if unescape {
                raw = unescaped(raw).unwrap_or(raw);
            }
            out.extend_from_slice(raw);
        }
        out
    }
}

/// Returns the ending of a line.
fn ending(raw: &[u8]) -> &[u8] {
    let (text, _) = surefoot_engine::lines::split_ending(raw);
    raw.get(text.len()..).unwrap_or_default()
}

/// Why a block has no end.
enum Unclosed {
    None,
    Several(usize, usize),
    /// A line within looks like the marker of another block.
    Nested(usize),
}

impl Unclosed {
    fn message(&self, next: Option<usize>) -> String {
        match (self, next) {
            (Self::Nested(line), _) => format!(
                "line {line}, inside of the block, looks like the marker of another one; escape it with a backslash"
            ),
            (Self::None, None) => "the block is never closed: the input is cut off".into(),
            (Self::None, Some(line)) => {
                format!("the block is not closed before the next one begins in line {line}")
            }
            (Self::Several(first, second), _) => format!(
                "lines {first} and {second} both look like the end of the block; escape one with a backslash"
            ),
        }
    }
}

type Closed<'a> = (&'a [InputLine<'a>], InputLine<'a>);

/// Splits a region into a block's body and its closer, and leaves aside what follows.
fn close<'a>(region: &'a [InputLine<'a>], opener: Opener) -> Result<Closed<'a>, Unclosed> {
    let places = |exact: bool| {
        let fits = move |(_, line): &(usize, &InputLine<'_>)| {
            opener
                .closer(line.text())
                .is_some_and(|sure| sure || !exact)
        };
        region.iter().enumerate().filter(fits)
    };
    let exact = places(true).next().is_some();
    let mut found = places(exact);
    let Some((at, closer)) = found.next() else {
        return Err(Unclosed::None);
    };
    if let Some((_, second)) = found.next() {
        return Err(Unclosed::Several(closer.number, second.number));
    }
    let body = region.get(..at).unwrap_or_default();
    match body.iter().find(|line| opener.has_kin(line.text())) {
        Some(line) => Err(Unclosed::Nested(line.number)),
        None => Ok((body, *closer)),
    }
}

/// Returns the ways to divide a block's body.
fn splits(body: &[InputLine<'_>], opener: Opener, header: Header) -> Result<Vec<Split>, String> {
    let dividers = |exact: bool| -> Vec<usize> {
        let fits = |line: &InputLine<'_>| {
            opener
                .divider(line.text())
                .is_some_and(|sure| sure || !exact)
        };
        let after = body.iter().enumerate().skip(header.len);
        after
            .filter(|(_, line)| fits(line))
            .map(|(at, _)| at)
            .collect()
    };
    let mut places = dividers(true);
    if places.is_empty() {
        places = dividers(false);
    }
    if places.is_empty() {
        return Err("the block has no line that divides old from new".into());
    }
    keep_whole_conflicts(body, header.len, &mut places);
    if places
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a + 1 == *b))
    {
        return Err(
            "two dividers follow each other; escape the one in the text with a backslash".into(),
        );
    }
    let starts: &[(usize, &str)] = if header.doubtful {
        &[
            (0, "the dashes below the opener are text"),
            (1, "the dashes below the opener are no text"),
        ]
    } else {
        &[(header.len, "")]
    };
    let number = |at: usize| body.get(at).map_or(0, |line| line.number);
    let mut splits = Vec::new();
    for (from, words) in starts {
        for divider in &places {
            let mut parts: Vec<String> = Vec::new();
            if places.len() > 1 {
                parts.push(format!("line {} divides", number(*divider)));
            }
            if !words.is_empty() {
                parts.push((*words).into());
            }
            splits.push(Split {
                from: *from,
                divider: *divider,
                assumption: parts.join(", "),
            });
        }
    }
    Ok(splits)
}

/// Where the text holds a conflict as git writes it, keeps the dividers that leave it on one side.
fn keep_whole_conflicts(body: &[InputLine<'_>], from: usize, places: &mut Vec<usize>) {
    let side = |range: std::ops::Range<usize>| conflicts(body.get(range).unwrap_or_default());
    let whole = |at: usize| side(from..at).zip(side(at.saturating_add(1)..body.len()));
    if places.len() > 1
        && places
            .iter()
            .any(|at| whole(*at).is_some_and(|(a, b)| a + b > 0))
    {
        places.retain(|at| whole(*at).is_some());
    }
}

/// Counts the conflicts in `lines`; `None` where one has lost its beginning, divider or end.
fn conflicts(lines: &[InputLine<'_>]) -> Option<usize> {
    let (mut count, mut stage) = (0, 0);
    for line in lines {
        let text = line.text();
        let next = if text.starts_with(b"<<<<<<< ") {
            0
        } else if text == b"=======" && stage > 0 {
            1
        } else if text.starts_with(b">>>>>>> ") {
            2
        } else {
            continue;
        };
        if next != stage {
            return None;
        }
        stage = (stage + 1) % 3;
        count += usize::from(stage == 0);
    }
    (stage == 0).then_some(count)
}
