//! The machine that a command will meet: its programs, and where it keeps what is written about them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use crate::cache::Cache;
use crate::disk;
use crate::evidence::Evidence;

/// Programs, manual pages and completions, as they are when they are first asked for.
#[derive(Debug)]
pub struct Machine {
    path: Vec<PathBuf>,
    relative: bool,
    manuals: Vec<PathBuf>,
    completions: Vec<PathBuf>,
    found: RefCell<HashMap<Vec<u8>, Option<PathBuf>>>,
    names: RefCell<Option<std::rc::Rc<BTreeSet<Vec<u8>>>>>,
    pages: RefCell<Option<std::rc::Rc<BTreeSet<String>>>>,
    pub(crate) known: RefCell<HashMap<Vec<u8>, std::rc::Rc<Evidence>>>,
    pub(crate) asked: RefCell<HashMap<Vec<u8>, Evidence>>,
    pub(crate) cache: Cache,
}

impl Machine {
    /// Returns the machine whose programs `path`, as the variable has it, leads to.
    ///
    /// Manual pages and completions are looked for beside each of its folders (`bin/../share`), and
    /// below the user's data folder. Nothing is kept from one run to the next.
    #[must_use]
    pub fn new(path: &OsStr) -> Self {
        let mut folders: Vec<PathBuf> = Vec::new();
        let mut relative = false;
        for folder in std::env::split_paths(path) {
            if !folder.is_absolute() {
                relative = true;
            } else if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        let mut manuals = Vec::new();
        let mut completions = Vec::new();
        for folder in &folders {
            let share = match folder.parent() {
                Some(above) if above.parent().is_some() => above.join("share"),
                // `/bin` and `/sbin`.
                _ => PathBuf::from("/usr/share"),
            };
            if !completions.contains(&share) {
                manuals.push(share.join("man"));
                completions.push(share);
            }
        }
        Self {
            path: folders,
            relative,
            manuals,
            completions,
            found: RefCell::default(),
            names: RefCell::default(),
            pages: RefCell::default(),
            known: RefCell::default(),
            asked: RefCell::default(),
            cache: Cache::none(),
        }
    }

    /// Returns this machine with what was learned about it kept in the file `path`.
    ///
    /// A file that is damaged, or was written by another version, is as good as none.
    #[must_use]
    pub fn with_cache(self, path: PathBuf) -> Self {
        Self {
            cache: Cache::open(path),
            ..self
        }
    }

    /// Writes what was learned since to the cache, if there is one. What cannot be written is
    /// learned again next time.
    pub fn save(&self) {
        self.cache.save();
    }

    /// Returns the program that `name` stands for.
    pub(crate) fn find(&self, name: &[u8]) -> Option<PathBuf> {
        if let Some(found) = self.found.borrow().get(name) {
            return found.clone();
        }
        let found = self
            .path
            .iter()
            .map(|folder| folder.join(OsStr::from_bytes(name)))
            .find(|path| disk::is_program(path));
        self.found.borrow_mut().insert(name.to_vec(), found.clone());
        found
    }

    /// Tells whether the path names folders that depend on where the command is run.
    pub(crate) fn is_relative(&self) -> bool {
        self.relative
    }

    /// Returns the names of all programs.
    pub fn programs(&self) -> std::rc::Rc<BTreeSet<Vec<u8>>> {
        let mut names = self.names.borrow_mut();
        std::rc::Rc::clone(names.get_or_insert_with(|| {
            let names = self.path.iter().flat_map(|folder| disk::names(folder));
            std::rc::Rc::new(names.map(OsString::into_vec).collect())
        }))
    }

    /// Returns the manual page `name`, from the first section of `sections` that has it.
    pub(crate) fn manual(&self, name: &str, sections: &[&str]) -> Option<PathBuf> {
        for section in sections {
            let folder = format!("man{}", section.get(..1).unwrap_or_default());
            for root in &self.manuals {
                for suffix in [".gz", ""] {
                    let page = root.join(&folder).join(format!("{name}.{section}{suffix}"));
                    if disk::is_file(&page) {
                        return Some(page);
                    }
                }
            }
        }
        None
    }

    /// Returns the names of all manual pages on programs, without their sections.
    pub(crate) fn pages(&self) -> std::rc::Rc<BTreeSet<String>> {
        let mut pages = self.pages.borrow_mut();
        std::rc::Rc::clone(pages.get_or_insert_with(|| {
            let names = self.manuals.iter().flat_map(|root| {
                ["man1", "man8"]
                    .into_iter()
                    .flat_map(|folder| disk::names(&root.join(folder)))
            });
            let stems = names.filter_map(|name| {
                let name = name.into_string().ok()?;
                let name = name.strip_suffix(".gz").unwrap_or(&name);
                name.rsplit_once('.').map(|(stem, _)| stem.to_owned())
            });
            std::rc::Rc::new(stems.collect())
        }))
    }

    /// Returns the folders that hold manual pages.
    pub(crate) fn manual_roots(&self) -> &[PathBuf] {
        &self.manuals
    }

    /// Returns the files among which completions for `name` are, of those that exist.
    pub(crate) fn completions(&self, name: &str) -> Vec<(Completion, PathBuf)> {
        let mut found = Vec::new();
        for share in &self.completions {
            let places = [
                (
                    Completion::Bash,
                    format!("bash-completion/completions/{name}"),
                ),
                (
                    Completion::Bash,
                    format!("bash-completion/completions/_{name}"),
                ),
                (Completion::Fish, format!("fish/completions/{name}.fish")),
                (
                    Completion::Fish,
                    format!("fish/vendor_completions.d/{name}.fish"),
                ),
                (Completion::Zsh, format!("zsh/vendor-completions/_{name}")),
                (Completion::Zsh, format!("zsh/site-functions/_{name}")),
            ];
            for (kind, place) in places {
                let path = share.join(place);
                if disk::is_file(&path) {
                    found.push((kind, path));
                }
            }
            let zsh = share.join("zsh/functions/Completion");
            for folder in ["Unix", "Linux", "Debian", "X", "Base"] {
                let path = zsh.join(folder).join(format!("_{name}"));
                if disk::is_file(&path) {
                    found.push((Completion::Zsh, path));
                }
            }
        }
        let path = PathBuf::from(format!("/etc/bash_completion.d/{name}"));
        if disk::is_file(&path) {
            found.push((Completion::Bash, path));
        }
        found
    }
}

/// The shell that a completion is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// bash
    Bash,
    /// fish
    Fish,
    /// zsh
    Zsh,
}
