//! Cases as they lie in their folders.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};
use serde::Deserialize;

use crate::tree::{Entry, Tree};

/// An edit, the tree that it meets, and the right answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// The edit's format, by its name on the command line.
    pub format: String,
    /// Why the answer is right, in one sentence.
    pub why: String,
    /// The edit, byte for byte.
    pub edit: BString,
    /// The file meant, where the edit names none.
    pub path: Option<String>,
    /// The folder of the tree that the caller stands in; the root where none is named.
    pub stand: Option<String>,
    /// The tree before.
    pub before: Tree,
    /// The tree that the author of the edit saw, where that is another.
    pub base: Option<Tree>,
    /// Files beside the tree, by their paths from its root; they must stay as they are.
    pub outside: BTreeMap<String, String>,
    /// What may come of it.
    pub answer: Answer,
    /// The right answer is beyond what is built so far: a refusal is right for now.
    pub later: bool,
    settings: Vec<Setting>,
    without_git: Vec<String>,
}

/// What may come of a case. At least one of the two is there.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The one right tree after, where applying is right.
    pub applied: Option<Tree>,
    /// The codes that a refusal may give, where refusing is right.
    pub refused: Option<Vec<String>>,
}

/// What surrounds the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// A repository whose only commit is the tree before.
    Committed,
    /// A plain folder.
    Plain,
    /// A repository that holds what the author saw, and in a later commit the tree before.
    Blob,
    /// A repository whose only commit is what the author saw; the tree before is not committed.
    Dirty,
    /// As `Committed`, and the edit's `index` lines are taken out.
    NoIds,
}

impl Setting {
    /// Tells whether a repository stands around the tree.
    #[must_use]
    pub fn has_git(self) -> bool {
        self != Self::Plain
    }
}

/// One way to try a case.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'c> {
    /// What is tried.
    pub case: &'c Case,
    /// What surrounds it.
    pub setting: Setting,
    /// Whether the format is named rather than left to be detected.
    pub explicit: bool,
}

impl fmt::Display for Trial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let explicit = if self.explicit { ", format named" } else { "" };
        write!(f, "{} ({:?}{explicit})", self.case.name, self.setting)
    }
}

impl Case {
    /// Returns every way that the case is to be tried in.
    #[must_use]
    pub fn trials(&self) -> Vec<Trial<'_>> {
        let ways = self
            .settings
            .iter()
            .flat_map(|&setting| [(setting, false), (setting, true)]);
        let ways = ways.filter(|&(_, explicit)| !(explicit && self.later));
        ways.map(|(setting, explicit)| Trial {
            case: self,
            setting,
            explicit,
        })
        .collect()
    }
}

impl Trial<'_> {
    /// Returns the edit as this trial sends it.
    #[must_use]
    pub fn edit(&self) -> BString {
        if self.setting != Setting::NoIds {
            return self.case.edit.clone();
        }
        let lines = self.case.edit.lines_with_terminator();
        BString::from(
            lines
                .filter(|line| !line.starts_with(b"index "))
                .collect::<Vec<_>>()
                .concat(),
        )
    }

    /// Returns the codes that a refusal may give here; `None` where only applying is right.
    #[must_use]
    pub fn codes(&self) -> Option<Vec<&str>> {
        let answer = self.case.answer.refused.as_ref();
        let more = (!self.setting.has_git()).then_some(&self.case.without_git);
        match (answer, more) {
            (None, None) => None,
            (None, Some(more)) if more.is_empty() => None,
            (one, two) => Some(
                one.into_iter()
                    .chain(two)
                    .flatten()
                    .map(String::as_str)
                    .collect(),
            ),
        }
    }
}

/// Why a case cannot be read.
#[derive(Debug)]
pub struct LoadError {
    /// The file or folder at fault.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot read the case `{}`: {}",
            self.path.display(),
            self.message
        )
    }
}

impl std::error::Error for LoadError {}

/// Reads the cases that come with this crate, in order of names.
///
/// # Errors
///
/// Where a folder is not a case: a sheet with an unknown key, an answer that says nothing.
pub fn cases() -> Result<Vec<Case>, LoadError> {
    cases_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"))
}

/// Reads the cases below `root`, in order of names.
///
/// # Errors
///
/// As for [`cases`].
pub fn cases_in(root: &Path) -> Result<Vec<Case>, LoadError> {
    let mut cases = Vec::new();
    for (folder, applies) in [("apply", true), ("refuse", false)] {
        for path in subfolders(&root.join(folder))? {
            cases.push(load(&path, applies)?);
        }
    }
    cases.sort_by(|a: &Case, b| a.name.cmp(&b.name));
    match cases
        .windows(2)
        .find(|pair| matches!(pair, [a, b] if a.name == b.name))
    {
        Some(pair) => Err(fault(
            root,
            format!("two cases are called {:?}", pair.first()),
        )),
        None => Ok(cases),
    }
}

#[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
fn subfolders(root: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let entries = std::fs::read_dir(root).map_err(|error| fault(root, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    paths
        .collect::<Result<_, _>>()
        .map_err(|error| fault(root, error))
}

fn fault(path: &Path, message: impl fmt::Display) -> LoadError {
    LoadError {
        path: path.to_owned(),
        message: message.to_string(),
    }
}

/// `case.json`: what the folders cannot say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    /// The format's name.
    format: String,
    /// Why the answer is right.
    why: String,
    /// `--path`.
    path: Option<String>,
    /// `-C`, from the tree's root.
    stand: Option<String>,
    /// Codes of a right refusal. In `apply/`, a non-empty list makes refusing right too.
    #[serde(default)]
    codes: Vec<String>,
    /// Codes of refusals that are right where no repository stands around.
    #[serde(default)]
    without_git: Vec<String>,
    #[serde(default)]
    later: bool,
    /// Where to try it: by default in a repository and in a plain folder.
    settings: Option<Vec<Setting>>,
    /// Symbolic links of the tree before, by path; they are in the tree after too.
    #[serde(default)]
    links: BTreeMap<String, String>,
    #[serde(default)]
    outside: BTreeMap<String, String>,
    /// Files of the tree before whose names or contents not every checkout would keep.
    #[serde(default)]
    files_in: BTreeMap<String, String>,
    /// The same for the tree after.
    #[serde(default)]
    files_out: BTreeMap<String, String>,
    /// The same for what the author saw.
    #[serde(default)]
    files_base: BTreeMap<String, String>,
    /// Files of the tree before that may be run.
    #[serde(default)]
    executable_in: Vec<String>,
    /// Files of the tree after that may be run.
    #[serde(default)]
    executable_out: Vec<String>,
}

#[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
fn load(folder: &Path, applies: bool) -> Result<Case, LoadError> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|error| fault(&path, error))
    };
    let sheet: Sheet = serde_json::from_slice(&read("case.json")?)
        .map_err(|error| fault(&folder.join("case.json"), error))?;
    let tree = |name: &str, files: &BTreeMap<String, String>, executable: &[String]| {
        load_tree(&folder.join(name), files, executable, &sheet.links)
    };
    let before = tree("in", &sheet.files_in, &sheet.executable_in)?;
    let has_out = folder.join("out").is_dir() || !sheet.files_out.is_empty();
    let applied = if applies || has_out {
        Some(tree("out", &sheet.files_out, &sheet.executable_out)?)
    } else {
        None
    };
    let has_base = folder.join("base").is_dir() || !sheet.files_base.is_empty();
    let base = if has_base {
        Some(tree("base", &sheet.files_base, &[])?)
    } else {
        None
    };
    let refused = (!applies || !sheet.codes.is_empty()).then_some(sheet.codes);
    if refused.as_ref().is_some_and(Vec::is_empty) {
        return Err(fault(folder, "a refusal needs its codes"));
    }
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let settings = sheet
        .settings
        .unwrap_or_else(|| vec![Setting::Committed, Setting::Plain]);
    Ok(Case {
        name,
        format: sheet.format,
        why: sheet.why,
        edit: read("edit")?.into(),
        path: sheet.path,
        stand: sheet.stand,
        before,
        base,
        outside: sheet.outside,
        answer: Answer { applied, refused },
        later: sheet.later,
        settings,
        without_git: sheet.without_git,
    })
}

fn load_tree(
    folder: &Path,
    files: &BTreeMap<String, String>,
    executable: &[String],
    links: &BTreeMap<String, String>,
) -> Result<Tree, LoadError> {
    let mut tree = Tree::read(folder).map_err(|error| fault(folder, error))?;
    for (path, content) in files {
        let content = content.as_str().into();
        tree.insert(
            path.as_str(),
            Entry::File {
                content,
                executable: false,
            },
        );
    }
    for (path, target) in links {
        tree.insert(path.as_str(), Entry::Link(target.as_str().into()));
    }
    for path in executable {
        if !tree.set_executable(path.as_str().into(), true) {
            return Err(fault(
                folder,
                format!("no file `{path}` to be made executable"),
            ));
        }
    }
    Ok(tree)
}

#[cfg(test)]
mod tests;
