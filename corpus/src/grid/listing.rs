//! The files of a library as they were pinned: path, length and digest, and none of their text.

use std::collections::BTreeSet;
use std::path::Path;

use super::CorpusError;
use super::language::Library;
use super::manifest::digest;
use super::sample::{files_of, read};

/// Which files a library consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// By path.
    files: Vec<Listed>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    sha256: String,
    len: usize,
    path: String,
}

impl Listing {
    /// Lists the files of `library` below `root`.
    ///
    /// # Errors
    ///
    /// Where a folder or a file cannot be read.
    pub fn of(library: &Library, root: &Path) -> Result<Self, CorpusError> {
        let list = |path: String| {
            let bytes = read(root, &path)?;
            Ok(Listed {
                sha256: digest(&bytes),
                len: bytes.len(),
                path,
            })
        };
        let paths = files_of(library.language, root)?.into_iter();
        Ok(Self {
            files: paths.map(list).collect::<Result<_, _>>()?,
        })
    }

    /// Reads a listing: digest, length and path of a file a line.
    pub(super) fn read(text: &str) -> Result<Self, CorpusError> {
        let listed = |(at, line): (usize, &str)| {
            let mut parts = line.splitn(3, ' ');
            let mut next = || parts.next().ok_or(CorpusError::Listing(at + 1));
            Ok(Listed {
                sha256: next()?.to_owned(),
                len: next()?.parse().map_err(|_| CorpusError::Listing(at + 1))?,
                path: next()?.to_owned(),
            })
        };
        Ok(Self {
            files: text
                .lines()
                .enumerate()
                .map(listed)
                .collect::<Result<_, _>>()?,
        })
    }

    /// Returns the listing as it is committed.
    #[must_use]
    pub fn write(&self) -> String {
        let line = |file: &Listed| format!("{} {} {}\n", file.sha256, file.len, file.path);
        self.files.iter().map(line).collect()
    }

    /// Returns how many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Tells whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns how many bytes the files have.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.len).sum()
    }

    /// Checks that exactly these files are below `root`.
    ///
    /// # Errors
    ///
    /// Where one is missing, is another, or is one too many.
    pub fn check(&self, library: &Library, root: &Path) -> Result<(), CorpusError> {
        for file in &self.files {
            let bytes = read(root, &file.path)?;
            let found = digest(&bytes);
            if bytes.len() != file.len || found != file.sha256 {
                return Err(CorpusError::Digest {
                    path: file.path.clone(),
                    wanted: file.sha256.clone(),
                    found,
                });
            }
        }
        let known: BTreeSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let extra = files_of(library.language, root)?
            .into_iter()
            .find(|path| !known.contains(path.as_str()));
        extra.map_or(Ok(()), |path| Err(CorpusError::Unlisted(path)))
    }
}

#[cfg(test)]
mod tests;
