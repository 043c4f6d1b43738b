//! Flags out of a program's own tables: the array that `getopt_long` reads, and the string of
//! letters that goes with it. Nothing is executed; the file is read.
//!
//! An entry of the array is `{ char *name; int has_arg; int *flag; int val; }`. In a program that is
//! loaded anywhere the names are reached through its relocations, else through plain addresses. What
//! looks like such an array is one: names, values in range and a zero entry at its end.

use std::collections::BTreeMap;

use crate::flags::{Flags, Takes};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// Long flags of the arrays.
    pub(crate) flags: Flags,
    /// The letters that entries stand for.
    letters: Vec<char>,
    /// Strings that may be a getopt string.
    strings: Vec<String>,
}

#[derive(Debug)]
struct Section {
    kind: u32,
    address: u64,
    offset: usize,
    size: usize,
    writable: bool,
    executable: bool,
}

#[derive(Debug)]
struct Image<'a> {
    bytes: &'a [u8],
    sections: Vec<Section>,
    relocations: BTreeMap<u64, u64>,
}

/// Reads the tables of a program; `None` where it is none of the kind that is understood: 64 bits,
/// little-endian.
pub(crate) fn read(bytes: &[u8]) -> Option<Tables> {
    let image = Image::new(bytes)?;
    let mut tables = Tables::default();
    image.arrays(&mut tables);
    image.strings(&mut tables);
    Some(tables)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(
        bytes.get(at..at.checked_add(2)?)?.try_into().ok()?,
    ))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(
        bytes.get(at..at.checked_add(4)?)?.try_into().ok()?,
    ))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(
        bytes.get(at..at.checked_add(8)?)?.try_into().ok()?,
    ))
}

impl<'a> Image<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        if !bytes.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let table = usize::try_from(u64_at(bytes, 0x28)?).ok()?;
        let width = usize::from(u16_at(bytes, 0x3a)?);
        let count = usize::from(u16_at(bytes, 0x3c)?);
        if width < 64 {
            return None;
        }
        let mut sections = Vec::new();
        for nth in 0..count {
            let at = table.checked_add(nth.checked_mul(width)?)?;
            let flags = u64_at(bytes, at + 8)?;
            sections.push(Section {
                kind: u32_at(bytes, at + 4)?,
                address: u64_at(bytes, at + 16)?,
                offset: usize::try_from(u64_at(bytes, at + 24)?).ok()?,
                size: usize::try_from(u64_at(bytes, at + 32)?).ok()?,
                writable: flags & 1 != 0,
                executable: flags & 4 != 0,
            });
        }
        let mut image = Self {
            bytes,
            sections,
            relocations: BTreeMap::new(),
        };
        image.relocate();
        Some(image)
    }

    /// Notes where the loader writes addresses: entries of type "relative".
    fn relocate(&mut self) {
        const RELA: u32 = 4;
        let mut found = BTreeMap::new();
        for section in self.sections.iter().filter(|section| section.kind == RELA) {
            let bytes = self
                .bytes
                .get(section.offset..section.offset.saturating_add(section.size))
                .unwrap_or_default();
            for entry in bytes.chunks_exact(24) {
                // 8 on x86-64, 1027 on aarch64.
                if let (Some(place), Some(8 | 1027), Some(target)) =
                    (u64_at(entry, 0), u64_at(entry, 8), u64_at(entry, 16))
                {
                    found.insert(place, target);
                }
            }
        }
        self.relocations = found;
    }

    fn offset(&self, address: u64) -> Option<usize> {
        const NO_BYTES: u32 = 8;
        let section = self.sections.iter().find(|section| {
            section.address != 0
                && section.kind != NO_BYTES
                && address >= section.address
                && address - section.address < section.size as u64
        })?;
        section
            .offset
            .checked_add(usize::try_from(address - section.address).ok()?)
    }

    /// Returns the name at `address`, if what stands there is the name of a flag.
    fn name(&self, address: u64) -> Option<&'a str> {
        let at = self.offset(address)?;
        let rest = self.bytes.get(at..)?;
        let length = rest.iter().take(64).position(|byte| *byte == 0)?;
        let name = std::str::from_utf8(rest.get(..length)?).ok()?;
        let fits = name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        fits.then_some(name)
    }

    fn pointer(&self, address: u64) -> Option<u64> {
        match self.relocations.get(&address) {
            Some(target) => Some(*target),
            None => u64_at(self.bytes, self.offset(address)?),
        }
    }

    fn entry(&self, address: u64) -> Option<(&'a str, u32, u32)> {
        let name = self.name(self.pointer(address)?)?;
        let at = self.offset(address)?;
        let has_arg = u32_at(self.bytes, at + 8)?;
        let padding = u32_at(self.bytes, at + 12)?;
        let flag = self.pointer(address + 16)?;
        let val = u32_at(self.bytes, at + 24)?;
        let last_padding = u32_at(self.bytes, at + 28)?;
        let fits = has_arg <= 2
            && padding == 0
            && last_padding == 0
            && (flag == 0 || self.offset(flag).is_some() || self.is_blank(flag))
            // Programs of their own kind use negative ones for help and version.
            && val.wrapping_add(0x1000) < 0x0010_0000;
        fits.then_some((name, has_arg, val))
    }

    /// Tells whether `address` is in memory that the file holds no bytes for.
    fn is_blank(&self, address: u64) -> bool {
        self.sections.iter().any(|section| {
            section.kind == 8
                && address >= section.address
                && address - section.address < section.size as u64
        })
    }

    fn is_zero(&self, address: u64) -> bool {
        !self.relocations.contains_key(&address)
            && self.offset(address).is_some_and(|at| {
                self.bytes
                    .get(at..at + 32)
                    .is_some_and(|entry| entry.iter().all(|byte| *byte == 0))
            })
    }

    fn arrays(&self, tables: &mut Tables) {
        let starts: Vec<u64> = if self.relocations.is_empty() {
            self.sections
                .iter()
                .filter(|section| section.kind == 1 && !section.executable && section.address != 0)
                .flat_map(|section| {
                    (section.address..section.address.saturating_add(section.size as u64))
                        .step_by(8)
                })
                .collect()
        } else {
            self.relocations.keys().copied().collect()
        };
        let mut after = 0;
        for start in starts {
            if start < after {
                continue;
            }
            let mut address = start;
            let mut entries = Vec::new();
            while let Some(entry) = self.entry(address) {
                entries.push(entry);
                address += 32;
            }
            // What else begins with a pointer to a word is told apart by its length and its letters.
            let small = entries.len() < 4
                && (entries.len() < 2
                    || entries
                        .iter()
                        .any(|(name, _, _)| !name.starts_with(|c: char| c.is_ascii_lowercase())));
            if small || !self.is_zero(address) {
                continue;
            }
            after = address;
            for (name, has_arg, val) in entries {
                let takes = match has_arg {
                    0 => Takes::Nothing,
                    1 => Takes::Required,
                    _ => Takes::Optional,
                };
                tables.flags.add_long(name, takes);
                if let Some(letter) = char::from_u32(val).filter(char::is_ascii_alphanumeric) {
                    tables.letters.push(letter);
                }
            }
        }
    }

    fn strings(&self, tables: &mut Tables) {
        for section in &self.sections {
            if section.kind != 1 || section.executable || section.writable || section.address == 0 {
                continue;
            }
            let bytes = self
                .bytes
                .get(section.offset..section.offset.saturating_add(section.size))
                .unwrap_or_default();
            for string in bytes.split(|byte| *byte == 0) {
                if let Ok(string) = std::str::from_utf8(string)
                    && getopt(string).is_some_and(|letters| letters.len() >= 2)
                {
                    tables.strings.push(string.to_owned());
                }
            }
        }
    }
}

impl Tables {
    /// Returns the short flags: those of the one string that has the letters of the array and most of
    /// those that a text gives.
    ///
    /// Never the union of several strings: most of what looks like one is none.
    pub(crate) fn short(&self, documented: &Flags) -> Option<BTreeMap<char, Takes>> {
        let mut wanted: Vec<char> = documented
            .short
            .keys()
            .copied()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let of_text = wanted.len();
        wanted.extend(&self.letters);
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.len() < 2 {
            return None;
        }
        let mut best: Option<(usize, usize, BTreeMap<char, Takes>)> = None;
        for string in &self.strings {
            let Some(letters) = getopt(string) else {
                continue;
            };
            let held = wanted
                .iter()
                .filter(|letter| letters.contains_key(letter))
                .count();
            let excess = letters.len() - held.min(letters.len());
            let whole = self
                .letters
                .iter()
                .filter(|letter| letters.contains_key(letter))
                .count();
            // Entries may stand for a letter that nobody can type; few do.
            let fits = held * 5 >= wanted.len() * 4
                && whole * 10 >= self.letters.len() * 9
                && excess <= 2 + wanted.len()
                && (of_text > 0 || self.letters.len() >= 3);
            if fits
                && best.as_ref().is_none_or(|(most, least, _)| {
                    (held, usize::MAX - excess) > (*most, usize::MAX - *least)
                })
            {
                best = Some((held, excess, letters));
            }
        }
        best.map(|(_, _, letters)| letters)
    }
}

/// Reads a getopt string: letters, each with up to two colons.
fn getopt(string: &str) -> Option<BTreeMap<char, Takes>> {
    let body = string.trim_start_matches(['-', '+', ':']);
    if body.len() > 200 || body.is_empty() {
        return None;
    }
    let mut out = BTreeMap::new();
    let mut last = None;
    for c in body.chars() {
        match (c, last) {
            (':', Some(letter)) => {
                let takes = out.get_mut(&letter)?;
                *takes = match takes {
                    Takes::Nothing => Takes::Required,
                    Takes::Required => Takes::Optional,
                    _ => return None,
                };
            }
            ('W', _) | (';', Some('W')) => {
                out.insert('W', Takes::Required);
                last = Some('W');
            }
            (c, _)
                if c.is_ascii_alphanumeric()
                    || matches!(
                        c,
                        '?' | '@' | '#' | '%' | '!' | '^' | '~' | '$' | '+' | '_' | ',' | '/'
                    ) =>
            {
                // A letter twice: a word, and no table.
                if out.insert(c, Takes::Nothing).is_some() {
                    return None;
                }
                last = Some(c);
            }
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests;
