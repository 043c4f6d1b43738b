//! The perturbation grid: real functions, one small edit of each, and what it must come to.
//!
//! Every target is made from the edit alone, and every trial is a pure function of its index: no
//! code of the engine or of the formats has a part in it. The sampling is rule F of the grid's
//! construction; its result is fixed in a [`Manifest`], so that a changed source or a changed rule
//! stops the run and never shifts a number.

mod account;
mod condition;
mod diff;
mod drift;
mod edit;
mod fetch;
mod language;
mod listing;
mod manifest;
mod python;
mod render;
mod requests;
mod sample;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use account::account;
pub use condition::{Condition, Trial};
pub use drift::{Demand, Drift};
pub use edit::{Edit, Hunk, Operation};
pub use fetch::{cache, fetch, obtain};
pub use language::{LIBRARIES, Language, Library, Package, Registry};
pub use listing::Listing;
pub use manifest::{Manifest, Row};
pub use python::PYTHON;
pub use render::Rendering;
pub use requests::requests;
pub use sample::{Function, sample};

/// Why a corpus cannot be had.
#[derive(Debug)]
pub enum CorpusError {
    /// A file cannot be read.
    Read(PathBuf, std::io::Error),
    /// A file is not the one that the manifest names.
    Digest {
        /// The file, from the corpus root.
        path: String,
        /// Its SHA-256 in the manifest, in hex.
        wanted: String,
        /// Its SHA-256 now.
        found: String,
    },
    /// The file has no such function any more, or the manifest is not of this corpus.
    Row(usize),
    /// The corpus so named cannot be fetched, and why.
    Fetch(&'static str, String),
    /// The manifest itself cannot be read.
    Manifest(serde_json::Error),
    /// This line, counted from 1, of a listing is no digest, length and path.
    Listing(usize),
    /// A file lies among the pinned ones that is none of them.
    Unlisted(String),
}

impl std::fmt::Display for CorpusError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Self::Digest {
                path,
                wanted,
                found,
            } => write!(
                f,
                "`{path}` is not the pinned file: its SHA-256 is {found}, not {wanted}; fetch the \
                 corpus again"
            ),
            Self::Row(id) => write!(f, "row {id} of the manifest names no function of its file"),
            Self::Fetch(name, why) => write!(f, "cannot fetch `{name}`: {why}"),
            Self::Listing(line) => write!(f, "line {line} of the listing names no file"),
            Self::Unlisted(path) => write!(
                f,
                "`{path}` is none of the pinned files; fetch the corpus again"
            ),
            Self::Manifest(error) => write!(f, "cannot read the manifest: {error}"),
        }
    }
}

impl std::error::Error for CorpusError {}

/// The edits of one corpus, with the files that they are for.
#[derive(Debug)]
pub struct Corpus {
    edits: Vec<Edit>,
}

impl Corpus {
    /// Reads the Python corpus that `manifest` names, below `root`.
    ///
    /// # Errors
    ///
    /// As [`Self::load_as`].
    pub fn load(root: &Path, manifest: &Manifest) -> Result<Self, CorpusError> {
        Self::load_as(&PYTHON, root, manifest)
    }

    /// Reads the corpus of `language` that `manifest` names, below `root`.
    ///
    /// # Errors
    ///
    /// Where any of its files is missing or is not the pinned one: no row is ever skipped.
    pub fn load_as(
        language: &'static Language,
        root: &Path,
        manifest: &Manifest,
    ) -> Result<Self, CorpusError> {
        let mut files = manifest::Files::new(language, root);
        let edits = manifest
            .rows
            .iter()
            .map(|row| Edit::new(language, manifest, row, files.file(row)?))
            .collect::<Result<_, _>>()?;
        Ok(Self { edits })
    }

    /// Reads the edits of `library`, whose files are below `root`.
    ///
    /// # Errors
    ///
    /// As [`Self::load_as`], and where the committed manifest is damaged.
    pub fn of(library: &Library, root: &Path) -> Result<Self, CorpusError> {
        Self::load_as(library.language, root, &library.manifest()?)
    }

    /// Returns the edits, by id.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }
}

/// Returns the number that `parts` hash to: the first 8 bytes, big-endian, of the SHA-256 of the
/// grid's seed and the parts, joined by `|`.
pub(crate) fn hash(parts: &[&str]) -> u64 {
    use sha2::{Digest as _, Sha256};
    let mut hasher = Sha256::new();
    hasher.update("surefoot-grid-v1");
    for part in parts {
        hasher.update("|");
        hasher.update(part);
    }
    let digest: [u8; 32] = hasher.finalize().into();
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns the one of `items` that `parts` hash to.
pub(crate) fn choose<'a, T>(items: &'a [T], parts: &[&str]) -> Option<&'a T> {
    let len = u64::try_from(items.len()).ok().filter(|len| *len > 0)?;
    items.get(usize::try_from(hash(parts) % len).ok()?)
}
