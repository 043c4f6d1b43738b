//! A file's lines, split once and interned once, for every hunk that looks into it.

use std::cell::OnceCell;
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;

use super::budget::Budget;
use super::sweep::Texts;
use crate::lines::{self, BOM, Ending, LineRange};
use crate::outcome::Reason;

/// One file's content, as lines. A line's *text* is without its ending, and the first line's
/// without the byte-order mark: those belong to the file, and no anchor has to quote them.
#[derive(Debug)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    /// Where each line begins, and at last the file's length.
    starts: Vec<usize>,
    endings: OnceCell<Endings>,
    index: OnceCell<Index>,
    trimmed: OnceCell<Index>,
    plain: OnceCell<Plain>,
    texts: OnceCell<[Texts; 2]>,
}

/// A file's bytes with every CR LF turned into LF.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) bytes: Vec<u8>,
    /// Where each line begins.
    starts: Vec<usize>,
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endings {
    /// All in LF, or there is none.
    Lf,
    /// All in CR LF.
    CrLf,
    /// Some in each.
    Mixed,
}

impl<'a> File<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut starts = Vec::with_capacity(bytes.len() / 24 + 2);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        if bytes.last().is_some_and(|b| *b != b'\n') {
            starts.push(bytes.len());
        }
        Self {
            bytes,
            starts,
            endings: OnceCell::new(),
            index: OnceCell::new(),
            trimmed: OnceCell::new(),
            plain: OnceCell::new(),
            texts: OnceCell::new(),
        }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of bytes of byte-order mark in front of the first line's text.
    pub(crate) fn bom(&self) -> usize {
        if self.bytes.starts_with(BOM) {
            BOM.len()
        } else {
            0
        }
    }

    /// Returns line `at` with its ending, and the first line's byte-order mark.
    pub(crate) fn raw(&self, at: usize) -> &'a [u8] {
        &self.bytes[self.starts[at]..self.starts[at + 1]]
    }

    /// Returns the text of line `at`.
    pub(crate) fn text(&self, at: usize) -> &'a [u8] {
        let (text, _) = lines::split_ending(self.raw(at));
        if at == 0 {
            text.strip_prefix(BOM).unwrap_or(text)
        } else {
            text
        }
    }

    /// Returns how line `at` ends.
    pub(crate) fn ending(&self, at: usize) -> Ending {
        lines::split_ending(self.raw(at)).1
    }

    /// Returns the byte where line `at` begins; the file's length for the line after the last.
    pub(crate) fn start(&self, at: usize) -> usize {
        self.starts[at]
    }

    /// Returns the bytes of `lines`, endings included. The byte-order mark is left out.
    pub(crate) fn byte_range(&self, lines: LineRange) -> Range<usize> {
        let start = self.starts[lines.start.0].max(self.bom());
        start..self.starts[lines.end.0].max(start)
    }

    /// Returns the line that holds byte `at`; for the file's length, the last line.
    pub(crate) fn line_at(&self, at: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1)
            .min(self.len().saturating_sub(1))
    }

    /// Returns the lines that bytes `range` touch.
    pub(crate) fn lines_of(&self, range: &Range<usize>) -> LineRange {
        if self.len() == 0 {
            return LineRange::new(0, 0);
        }
        let first = self.line_at(range.start);
        let last = if range.is_empty() {
            first
        } else {
            self.line_at(range.end - 1)
        };
        LineRange::new(first, last + 1)
    }

    /// Returns how the file's lines end, a last line without newline aside.
    pub(crate) fn endings(&self) -> Endings {
        *self.endings.get_or_init(|| {
            let crlf = memchr::memmem::find_iter(self.bytes, b"\r\n").count();
            let unfinished = self.bytes.last().is_some_and(|b| *b != b'\n');
            match crlf {
                0 => Endings::Lf,
                _ if crlf + usize::from(unfinished) == self.len() => Endings::CrLf,
                _ => Endings::Mixed,
            }
        })
    }

    /// Returns the bytes without the CR of each CR LF, made when they are first asked for.
    pub(crate) fn plain(&self) -> &Plain {
        self.plain.get_or_init(|| {
            let mut bytes = Vec::with_capacity(self.bytes.len());
            let mut starts = Vec::with_capacity(self.len());
            for line in lines::split(self.bytes) {
                starts.push(bytes.len());
                let (text, ending) = lines::split_ending(line);
                bytes.extend_from_slice(text);
                if ending != Ending::None {
                    bytes.push(b'\n');
                }
            }
            Plain { bytes, starts }
        })
    }

    /// Returns the byte of the file that is byte `at` of its plain form.
    pub(crate) fn real_place(&self, at: usize) -> usize {
        let plain = self.plain();
        let line = plain.starts.partition_point(|start| *start <= at);
        let Some(line) = line.checked_sub(1) else {
            return at.min(self.bytes.len());
        };
        if at == plain.bytes.len() {
            return self.bytes.len();
        }
        self.starts[line] + (at - plain.starts[line])
    }

    /// Returns the bytes that a text is looked for in: the plain form where the file has CR LF and
    /// the text a newline.
    pub(crate) fn haystack(&self, text: &[u8]) -> &[u8] {
        if self.compares_raw(text) {
            self.bytes
        } else {
            &self.plain().bytes
        }
    }

    /// Tells whether `text` is looked for in the file's own bytes.
    pub(crate) fn compares_raw(&self, text: &[u8]) -> bool {
        self.endings() == Endings::Lf || memchr::memchr(b'\n', text).is_none()
    }

    /// Finds up to `most` places of each of `texts` at once, for [`File::known`].
    pub(crate) fn sweep(
        &self,
        texts: &[&[u8]],
        most: usize,
        budget: &Budget,
    ) -> Result<(), Reason> {
        let of = |own: bool| {
            let these = texts
                .iter()
                .filter(move |text| self.compares_raw(text) == own);
            let mut these = these.copied().peekable();
            if these.peek().is_none() {
                return Ok(Texts::default());
            }
            let haystack = if own { self.bytes } else { &self.plain().bytes };
            Texts::find(haystack, these, most, budget)
        };
        let found = [of(true)?, of(false)?];
        self.texts.get_or_init(|| found);
        Ok(())
    }

    /// Returns where in its haystack `text` stands, if that was found by [`File::sweep`].
    pub(crate) fn known(&self, text: &[u8]) -> Option<&[usize]> {
        let [own, plain] = self.texts.get()?;
        let texts = if self.compares_raw(text) { own } else { plain };
        texts.get(text)
    }

    /// Returns the index of the lines' texts, made when it is first asked for.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self, Key::Text))
    }

    /// Returns the index of the lines' texts without the white space around them, made when it is
    /// first asked for.
    pub(crate) fn trimmed_index(&self) -> &Index {
        self.trimmed.get_or_init(|| Index::new(self, Key::Trimmed))
    }
}

/// What two lines must share to have one number in an index.
#[derive(Clone, Copy, Debug)]
enum Key {
    Text,
    Trimmed,
}

impl Key {
    fn of(self, text: &[u8]) -> &[u8] {
        match self {
            Self::Text => text,
            Self::Trimmed => lines::trim(text),
        }
    }
}

/// Lines interned by their key: equal numbers are equal keys.
#[derive(Debug)]
pub(crate) struct Index {
    key: Key,
    hasher: RandomState,
    /// An open-addressed table: the first line with each text, plus one; 0 is free.
    slots: Vec<u32>,
    /// The number of each line's text, in file order.
    ids: Vec<u32>,
    /// For each number, where its lines begin in `places`; one more at the end.
    offsets: Vec<u32>,
    /// Line numbers, grouped by text, each group in file order.
    places: Vec<u32>,
}

impl Index {
    fn new(file: &File<'_>, key: Key) -> Self {
        let hasher = RandomState::new();
        let slots = vec![0; (file.len() * 2).next_power_of_two().max(2)];
        let (ids, offsets, places) = (Vec::with_capacity(file.len()), vec![0u32], Vec::new());
        let mut index = Self {
            key,
            hasher,
            slots,
            ids,
            offsets,
            places,
        };
        for at in 0..file.len() {
            let slot = index.slot(file, file.text(at));
            let id = match index.slots[slot].checked_sub(1) {
                Some(first) => index.ids[first as usize],
                None => {
                    index.slots[slot] = small(at) + 1;
                    index.offsets.push(0);
                    small(index.offsets.len() - 2)
                }
            };
            index.ids.push(id);
            index.offsets[id as usize + 1] += 1;
        }
        index.group();
        index
    }

    /// Turns the counts in `offsets` into offsets, and fills `places`.
    fn group(&mut self) {
        for at in 1..self.offsets.len() {
            self.offsets[at] += self.offsets[at - 1];
        }
        let mut next = self.offsets.clone();
        self.places = vec![0; self.ids.len()];
        for (at, id) in self.ids.iter().enumerate() {
            let slot = &mut next[*id as usize];
            self.places[*slot as usize] = small(at);
            *slot += 1;
        }
    }

    /// Returns the slot that holds `text`, or the free one where it belongs.
    fn slot(&self, file: &File<'_>, text: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let text = self.key.of(text);
        // Truncation only drops hash bits.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "any bits of a hash will do"
        )]
        let mut slot = self.hasher.hash_one(text) as usize & mask;
        while let Some(first) = self.slots[slot].checked_sub(1) {
            if self.key.of(file.text(first as usize)) == text {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Returns the number of the lines with `text`, if there is one. `file` is the indexed one.
    pub(crate) fn number(&self, file: &File<'_>, text: &[u8]) -> Option<u32> {
        let first = self.slots[self.slot(file, text)].checked_sub(1)?;
        Some(self.ids[first as usize])
    }

    /// Returns the number of each line's text, in file order.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Returns the lines whose text has `number`, in file order.
    pub(crate) fn places(&self, number: u32) -> &[u32] {
        let at = number as usize;
        &self.places[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

/// Narrows a count of lines. A file is at most 1 GiB, so it has at most 2^30 lines.
fn small(count: usize) -> u32 {
    u32::try_from(count).expect("a file within the size limit has fewer than 2^32 lines")
}
