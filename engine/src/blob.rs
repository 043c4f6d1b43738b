//! Blob ids: git's name for a file's content, whole or as the first digits of one.

use std::fmt;

use gix_hash::{Kind, ObjectId};

use crate::path::RepoPath;

/// The id of a blob: git's hash of a content. Equal ids are proof of equal contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub ObjectId);

impl BlobId {
    /// Returns the id that git gives `bytes` under `kind`, without any normalisation.
    ///
    /// `None` where the bytes are a crafted SHA-1 collision: such an id proves nothing.
    #[must_use]
    pub fn of(kind: Kind, bytes: &[u8]) -> Option<Self> {
        let mut hasher = gix_hash::hasher(kind);
        hasher.update(format!("blob {}\0", bytes.len()).as_bytes());
        hasher.update(bytes);
        hasher.try_finalize().ok().map(Self)
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The first hex digits of an object id, as an edit's author wrote them, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdPrefix(String);

impl IdPrefix {
    /// Returns the prefix for `hex`, or `None` unless it is 4 to 64 hex digits.
    ///
    /// A prefix of 7 digits or more is proof against accident; only all of them are proof against
    /// an adversary.
    #[must_use]
    pub fn new(hex: &[u8]) -> Option<Self> {
        let fits = (4..=64).contains(&hex.len()) && hex.iter().all(u8::is_ascii_hexdigit);
        fits.then(|| Self(hex.iter().map(|b| b.to_ascii_lowercase() as char).collect()))
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether all digits are 0, which is how git writes "no such file".
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.0.bytes().all(|b| b == b'0')
    }

    /// Tells whether this is a whole id, of SHA-1 or SHA-256.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self.0.len(), 40 | 64)
    }

    /// Tells whether `id` begins with this, however few digits there are: that is no proof, but
    /// where it does not, this names another blob.
    #[must_use]
    pub fn agrees(&self, id: &BlobId) -> bool {
        id.to_string().starts_with(&self.0)
    }

    /// Tells whether `id` begins with this. Fewer than 7 digits never match: they prove nothing.
    #[must_use]
    pub fn matches(&self, id: &BlobId) -> bool {
        self.0.len() >= 7 && self.agrees(id)
    }
}

impl From<BlobId> for IdPrefix {
    fn from(id: BlobId) -> Self {
        Self(id.to_string())
    }
}

impl fmt::Display for IdPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Gives a file's content the id that git would give it at that path.
pub trait BlobIds {
    /// Returns the id of `bytes` as the content of `path`, after git's own normalisation (line
    /// endings by attributes and `core.autocrlf`); `None` where it cannot be known.
    fn blob_id(&self, path: &RepoPath, bytes: &[u8]) -> Option<BlobId>;

    /// Returns the id of `bytes` as they are, such as a symbolic link's target.
    fn raw_id(&self, bytes: &[u8]) -> Option<BlobId>;
}

/// Ids of the bytes as they are: right where nothing is normalised, as in memory.
#[derive(Clone, Copy, Debug)]
pub struct PlainIds(pub Kind);

impl BlobIds for PlainIds {
    fn blob_id(&self, _: &RepoPath, bytes: &[u8]) -> Option<BlobId> {
        BlobId::of(self.0, bytes)
    }

    fn raw_id(&self, bytes: &[u8]) -> Option<BlobId> {
        BlobId::of(self.0, bytes)
    }
}
