//! Keeps what was learned of tools, in one file.
//!
//! The file is an index of hashes, sorted, and the entries behind it; a look-up reads the index and
//! one entry. It is replaced as a whole, by renaming, so that a reader sees one state or the other. Two
//! writers at once lose what one of them learned, never more. An entry whose checksum is wrong, and a
//! file of another version, count as absent.
#![expect(
    clippy::disallowed_methods,
    reason = "the cache is a file of ours, outside of any working tree"
)]

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use crate::evidence::Evidence;

/// Changes with whatever changes what is gathered.
const MAGIC: &[u8; 16] = concat_version();

const fn concat_version() -> &'static [u8; 16] {
    b"surefoot-shell-1"
}

/// One entry of the index: hash, place, length, checksum.
const WIDTH: usize = 32;
/// More entries than this is no index of ours.
const MOST: u64 = 1 << 20;

/// What is kept, and what was learned since.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    path: Option<PathBuf>,
    opened: OnceCell<Option<Opened>>,
    fresh: RefCell<BTreeMap<Vec<u8>, Vec<u8>>>,
}

#[derive(Debug)]
struct Opened {
    file: File,
    index: Vec<u8>,
}

impl Cache {
    /// Returns a cache that keeps nothing.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// Returns the cache in the file `path`, which is opened when it is first needed.
    pub(crate) fn open(path: PathBuf) -> Self {
        Self {
            path: Some(path),
            ..Self::default()
        }
    }

    /// Returns what is kept under `slot`.
    pub(crate) fn get(&self, slot: &[u8]) -> Option<Evidence> {
        let path = self.path.as_ref()?;
        let opened = self.opened.get_or_init(|| Opened::new(path)).as_ref()?;
        let entry = opened.entry(hash(slot))?;
        let (kept, evidence): (String, Evidence) = decode(&entry)?;
        (kept == String::from_utf8_lossy(slot)).then_some(evidence)
    }

    /// Keeps `evidence` under `slot` when [`Self::save`] is called.
    pub(crate) fn put(&self, slot: &[u8], evidence: &Evidence) {
        if self.path.is_some()
            && let Some(entry) = encode(slot, evidence)
        {
            self.fresh.borrow_mut().insert(slot.to_vec(), entry);
        }
    }

    /// Writes the file anew, if anything was learned.
    pub(crate) fn save(&self) {
        let Some(path) = &self.path else { return };
        let fresh = std::mem::take(&mut *self.fresh.borrow_mut());
        if fresh.is_empty() {
            return;
        }
        let mut entries: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        if let Some(old) = Opened::new(path) {
            entries.extend(old.all());
        }
        entries.extend(fresh.into_iter().map(|(slot, entry)| (hash(&slot), entry)));
        let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| File::create(&temporary))
            .and_then(|mut file| file.write_all(&layout(&entries)))
            .and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // Nothing depends on it; whatever is left of the attempt goes.
            drop(fs::remove_file(&temporary));
        }
    }
}

fn layout(entries: &BTreeMap<u64, Vec<u8>>) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend((entries.len() as u64).to_le_bytes());
    let mut place = out.len() + entries.len() * WIDTH;
    for (hash, entry) in entries {
        out.extend(hash.to_le_bytes());
        out.extend((place as u64).to_le_bytes());
        out.extend((entry.len() as u64).to_le_bytes());
        out.extend(self::hash(entry).to_le_bytes());
        place += entry.len();
    }
    entries.values().for_each(|entry| out.extend(entry));
    out
}

impl Opened {
    fn new(path: &std::path::Path) -> Option<Self> {
        let mut file = File::open(path).ok()?;
        let mut head = [0; 24];
        file.read_exact(&mut head).ok()?;
        if !head.starts_with(MAGIC) {
            return None;
        }
        let count = number(&head, 16)?;
        if count > MOST {
            return None;
        }
        let mut index = vec![0; usize::try_from(count).ok()? * WIDTH];
        file.read_exact(&mut index).ok()?;
        Some(Self { file, index })
    }

    fn entry(&self, wanted: u64) -> Option<Vec<u8>> {
        let count = self.index.len() / WIDTH;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            match number(&self.index, middle * WIDTH)?.cmp(&wanted) {
                std::cmp::Ordering::Equal => return self.read(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn read(&self, nth: usize) -> Option<Vec<u8>> {
        let place = number(&self.index, nth * WIDTH + 8)?;
        let length = number(&self.index, nth * WIDTH + 16)?;
        let sum = number(&self.index, nth * WIDTH + 24)?;
        if length > 64 << 20 {
            return None;
        }
        let mut entry = vec![0; usize::try_from(length).ok()?];
        self.file.read_exact_at(&mut entry, place).ok()?;
        (hash(&entry) == sum).then_some(entry)
    }

    fn all(&self) -> Vec<(u64, Vec<u8>)> {
        (0..self.index.len() / WIDTH)
            .filter_map(|nth| Some((number(&self.index, nth * WIDTH)?, self.read(nth)?)))
            .collect()
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// FNV-1a. It tells entries apart and finds damage; who can write the file need not forge it.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn encode(slot: &[u8], evidence: &Evidence) -> Option<Vec<u8>> {
    serde_json::to_vec(&(String::from_utf8_lossy(slot), evidence)).ok()
}

fn decode(entry: &[u8]) -> Option<(String, Evidence)> {
    serde_json::from_slice(entry).ok()
}

#[cfg(test)]
mod tests;
