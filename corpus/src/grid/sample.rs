//! Which functions are edited, and how: rule F.

use std::path::Path;

use super::edit::Operation;
use super::language::Language;
use super::manifest::{Manifest, Row, digest};
use super::{CorpusError, choose, hash};

/// A function of a file. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name with those of all that it stands in, joined by dots.
    pub qualified: String,
    /// Its own name.
    pub name: String,
    /// The line of its first decorator, else of its `def`.
    pub outer: usize,
    /// The line of its `def`; decorators are not part of it.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// The lines of its own that hold one whole simple statement, and nothing else.
    pub targets: Vec<usize>,
    /// The line, and the byte in it counted from 0, that its name ends at; `None` where no other
    /// name can be given to it.
    pub(super) name_end: Option<(usize, usize)>,
    /// The line that it comes behind where it is moved to the end of what it stands in; `None` where
    /// nothing can come there.
    pub(super) home: Option<usize>,
    /// What can be put around it.
    pub(super) level: Option<Level>,
}

/// The lines that stand around something one level deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) head: &'static str,
    pub(super) foot: Option<&'static str>,
}

impl Function {
    fn is_eligible(&self) -> bool {
        (5..=100).contains(&(self.last + 1 - self.first)) && !self.targets.is_empty()
    }
}

/// Samples `count` functions of `files` files (`None`: of all) of `language` below `root`, and the
/// edit of each.
///
/// # Errors
///
/// Where a folder or a file cannot be read.
pub fn sample(
    language: &Language,
    root: &Path,
    tag: &str,
    files: Option<usize>,
    count: usize,
) -> Result<Manifest, CorpusError> {
    let (_, mut found) = candidates(language, root, tag)?;
    found.truncate(files.unwrap_or(usize::MAX));
    let mut order = Vec::new();
    for file in &found {
        for function in &file.functions {
            let line = function.first.to_string();
            let key = hash(&["func", tag, &file.path, &function.qualified, &line]);
            order.push((key, &file.path, &file.sha256, function));
        }
    }
    order.sort_by_key(|(key, path, _, function)| (*key, *path, function.first));
    // Each file's first one, and then down the order.
    let mut seen = std::collections::BTreeSet::new();
    let (mut chosen, rest): (Vec<_>, Vec<_>) = order
        .into_iter()
        .partition(|(_, path, ..)| seen.insert(*path));
    chosen.extend(rest);
    chosen.truncate(count);
    chosen.sort_by_key(|(_, path, _, function)| (*path, function.first));
    let rows = chosen.into_iter().enumerate();
    let rows =
        rows.filter_map(|(id, (_, path, sha256, function))| row(id, tag, path, sha256, function));
    Ok(Manifest {
        tag: tag.to_owned(),
        rows: rows.collect(),
    })
}

/// A file that edits can be sampled from.
pub(super) struct Candidate {
    key: u64,
    path: String,
    sha256: String,
    /// Its eligible functions, in document order.
    pub(super) functions: Vec<Function>,
}

/// How many files were looked at.
pub(super) struct Seen {
    pub(super) all: usize,
    /// Those whose text the construction takes and whose syntax is whole.
    pub(super) taken: usize,
}

/// Returns every file of `language` below `root` that has eligible functions, in the order in which
/// they are taken.
pub(super) fn candidates(
    language: &Language,
    root: &Path,
    tag: &str,
) -> Result<(Seen, Vec<Candidate>), CorpusError> {
    let mut found = Vec::new();
    let paths = files_of(language, root)?;
    let mut seen = Seen {
        all: paths.len(),
        taken: 0,
    };
    for path in paths {
        let bytes = read(root, &path)?;
        let text = std::str::from_utf8(&bytes).ok();
        let Some(text) = text.filter(|text| language.takes(&path, text)) else {
            continue;
        };
        let outline = (language.outline)(text);
        if !outline.is_whole {
            continue;
        }
        seen.taken += 1;
        let functions = outline.functions.into_iter();
        let functions: Vec<Function> = functions.filter(Function::is_eligible).collect();
        if !functions.is_empty() {
            found.push(Candidate {
                key: hash(&["file", tag, &path]),
                sha256: digest(&bytes),
                path,
                functions,
            });
        }
    }
    found.sort_by_key(|file| file.key);
    Ok((seen, found))
}

fn row(id: usize, tag: &str, path: &str, sha256: &str, function: &Function) -> Option<Row> {
    let line = function.first.to_string();
    let key = |what| [what, tag, path, function.qualified.as_str(), line.as_str()];
    let target = *choose(&function.targets, &key("stmt"))?;
    let operation = *choose(&Operation::ALL, &key("op"))?;
    let before = usize::try_from(hash(&key("before")) % 3).ok()?;
    // Three lines, slid so that they lie within the function.
    let start = target
        .saturating_sub(before)
        .max(function.first)
        .min(function.last.saturating_sub(2));
    let apart = function.targets.iter().copied();
    let apart: Vec<usize> = apart.filter(|line| line.abs_diff(target) >= 4).collect();
    Some(Row {
        id,
        path: path.to_owned(),
        sha256: sha256.to_owned(),
        qualified: function.qualified.clone(),
        first: function.first,
        last: function.last,
        target,
        anchor: start,
        operation,
        second: choose(&apart, &key("stmt2")).copied(),
    })
}

#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
pub(super) fn read(root: &Path, path: &str) -> Result<Vec<u8>, CorpusError> {
    let file = root.join(path);
    std::fs::read(&file).map_err(|error| CorpusError::Read(file, error))
}

/// Returns every file of `language` below `root`, as a path from there. Links are not followed.
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
pub(super) fn files_of(language: &Language, root: &Path) -> Result<Vec<String>, CorpusError> {
    let mut open = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let cannot = |error| CorpusError::Read(folder.clone(), error);
        for entry in std::fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(cannot)?);
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file()
                && path
                    .extension()
                    .and_then(std::ffi::OsStr::to_str)
                    .is_some_and(|extension| language.extensions.contains(&extension))
                && let Some(path) = path.strip_prefix(root).ok().and_then(Path::to_str)
            {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}
