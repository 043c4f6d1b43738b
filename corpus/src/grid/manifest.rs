//! The sample as it was fixed: which file, which lines, which operation. No source text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::CorpusError;
use super::edit::Operation;
use super::language::Language;
use super::sample::Function;

/// A sample of a corpus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The corpus's name in every hash.
    pub tag: String,
    /// The edits, by id.
    pub rows: Vec<Row>,
}

/// One edit. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its number.
    pub id: usize,
    /// The file, from the corpus root.
    pub path: String,
    /// The file's SHA-256, in hex.
    pub sha256: String,
    /// The function's qualified name.
    pub qualified: String,
    /// The line of its `def`.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// The line that the edit is about.
    pub target: usize,
    /// The first of the three lines that anchor it.
    pub anchor: usize,
    /// What is done.
    pub operation: Operation,
    /// A second target, for edits of two hunks.
    pub second: Option<usize>,
}

impl Manifest {
    /// Returns the sample of the Python library: 640 edits in 224 files of `rustpython-pylib` 0.6.0.
    ///
    /// # Errors
    ///
    /// Where the committed manifest is damaged.
    pub fn stdlib() -> Result<Self, CorpusError> {
        Self::read(include_str!("../../manifests/stdlib.json"))
    }

    /// Returns the sample of `requests` 2.32.5: 55 edits in 15 files.
    ///
    /// # Errors
    ///
    /// Where the committed manifest is damaged.
    pub fn requests() -> Result<Self, CorpusError> {
        Self::read(include_str!("../../manifests/requests.json"))
    }

    pub(super) fn read(text: &str) -> Result<Self, CorpusError> {
        serde_json::from_str(text).map_err(CorpusError::Manifest)
    }

    /// Returns the manifest as it is committed: a row a line.
    ///
    /// # Errors
    ///
    /// Never in practice: its fields are text and numbers.
    pub fn write(&self) -> Result<String, CorpusError> {
        let line = |row| serde_json::to_string(row).map_err(CorpusError::Manifest);
        let rows: Vec<String> = self.rows.iter().map(line).collect::<Result<_, _>>()?;
        let tag = serde_json::to_string(&self.tag).map_err(CorpusError::Manifest)?;
        Ok(format!(
            "{{\"tag\":{tag},\"rows\":[\n{}\n]}}\n",
            rows.join(",\n")
        ))
    }
}

/// A file of a corpus.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Its lines, without their ends.
    pub(super) lines: Arc<[String]>,
    /// Its functions, in document order.
    pub(super) functions: Arc<[Function]>,
    /// The first and the last line, counted from 0, of what goes over several as one token.
    pub(super) tokens: Arc<[(usize, usize)]>,
}

/// The files of a corpus, each read once.
pub(super) struct Files {
    language: &'static Language,
    root: PathBuf,
    read: BTreeMap<String, (String, File)>,
}

impl Files {
    pub(super) fn new(language: &'static Language, root: &Path) -> Self {
        Self {
            language,
            root: root.to_owned(),
            read: BTreeMap::new(),
        }
    }

    /// Returns `row`'s file, if it is the pinned one.
    pub(super) fn file(&mut self, row: &Row) -> Result<File, CorpusError> {
        if !self.read.contains_key(&row.path) {
            self.read.insert(row.path.clone(), self.load(row)?);
        }
        match self.read.get(&row.path) {
            Some((digest, file)) if *digest == row.sha256 => Ok(file.clone()),
            found => Err(CorpusError::Digest {
                path: row.path.clone(),
                wanted: row.sha256.clone(),
                found: found.map(|(digest, _)| digest.clone()).unwrap_or_default(),
            }),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
    fn load(&self, row: &Row) -> Result<(String, File), CorpusError> {
        let file = self.root.join(&row.path);
        let bytes = std::fs::read(&file).map_err(|error| CorpusError::Read(file, error))?;
        // One that is no text is not the pinned one, and is told by its digest.
        let text = String::from_utf8_lossy(&bytes);
        let outline = (self.language.outline)(&text);
        let file = File {
            lines: text.lines().map(str::to_owned).collect(),
            functions: outline.functions.into(),
            tokens: outline.tokens.into(),
        };
        Ok((digest(&bytes), file))
    }
}

/// Returns the SHA-256 of `bytes` in hex.
pub(super) fn digest(bytes: &[u8]) -> String {
    use sha2::{Digest as _, Sha256};
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
