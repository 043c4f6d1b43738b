//! Blob ids as git computes them: of the bytes after its own normalisation.
//!
//! Where no attributes file can say anything and `core.autocrlf` is off, an id is the hash of the
//! bytes, and nothing of gix's filter pipeline is built. Filters from the configuration never run:
//! a path that has one is barred.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::Read as _;

use bstr::{BStr, BString};
use gix::attrs::StateRef;
use gix::filter::plumbing::driver::apply::Delay;
use gix::filter::plumbing::pipeline::convert::{ToGitOutcome, ToWorktreeOutcome, to_worktree};
use gix::worktree::stack::state::attributes::Source;
use gix_hash::Kind;

use super::Error;
use super::attributes::Later;
use super::discover::Git;
use super::disk;
use super::walk::{Folders, ancestors};
use crate::blob::{BlobId, BlobIds};
use crate::outcome::Unsupported;
use crate::path::RepoPath;

/// How a path's bytes become what git stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// As they are.
    Plain,
    /// Line endings and `$Id$` as attributes and configuration say.
    Normalised,
    /// Through something that we do not do.
    Barred(Unsupported),
}

/// The ids of one working tree.
pub(super) struct Ids<'w> {
    git: Option<&'w Git>,
    folders: &'w Folders,
    kind: Kind,
    /// Bytes are git's own already (`--cached`).
    raw: bool,
    /// Somebody asks for ids. In a plain folder nobody does unless the edit names one, and hashing
    /// a small file twice would cost more than all else.
    wanted: bool,
    /// Configuration or a file outside of the tree may ask for a normalisation.
    everywhere: Cell<Option<bool>>,
    folders_with: RefCell<BTreeMap<Option<RepoPath>, bool>>,
    rules: RefCell<BTreeMap<RepoPath, Rule>>,
    slow: RefCell<Option<Slow<'w>>>,
    /// `.gitattributes` files that the index has.
    indexed: RefCell<Vec<BString>>,
    /// The attributes files that count instead of those that are there.
    later: Option<&'w Later>,
}

/// gix's filter pipeline with what it needs; built once it is needed.
struct Slow<'w> {
    pipeline: gix::filter::Pipeline<'w>,
    index: gix::worktree::Index,
}

impl<'w> Ids<'w> {
    pub(super) fn new(git: Option<&'w Git>, folders: &'w Folders, raw: bool, wanted: bool) -> Self {
        Self {
            git,
            folders,
            kind: git.map_or(Kind::Sha1, |git| git.repo.object_hash()),
            raw,
            wanted: wanted || git.is_some(),
            everywhere: Cell::new(None),
            folders_with: RefCell::default(),
            rules: RefCell::default(),
            slow: RefCell::default(),
            indexed: RefCell::default(),
            later: None,
        }
    }

    /// Returns the ids that there are once the attributes files are those of `later`.
    pub(super) fn later(git: &'w Git, folders: &'w Folders, later: &'w Later) -> Self {
        Self {
            later: Some(later),
            ..Self::new(Some(git), folders, false, true)
        }
    }

    /// Takes note of the attributes files that the index has: they count where the tree's is gone.
    /// Returns whether an earlier answer was given without one of them.
    pub(super) fn learn(&self, index: &gix::index::State) -> bool {
        // Names are few; a look at each entry's end is cheap beside having decoded it.
        let backing = index.path_backing();
        let is_ours = |path: &&BStr| path.ends_with(b".gitattributes");
        let found = index
            .entries()
            .iter()
            .map(|entry| entry.path_in(backing))
            .filter(is_ours);
        let found: Vec<BString> = found.map(BStr::to_owned).collect();
        let name = |folder: &Option<RepoPath>| attributes_of(folder.as_ref());
        let wrong =
            |(folder, known): (&Option<RepoPath>, &bool)| !known && found.contains(&name(folder));
        let missed = self.folders_with.borrow().iter().any(wrong);
        if missed {
            self.folders_with.borrow_mut().clear();
            self.rules.borrow_mut().clear();
        }
        *self.indexed.borrow_mut() = found;
        missed
    }

    /// Returns how the bytes of `path` become what git stores.
    pub(super) fn rule(&self, path: &RepoPath) -> Result<Rule, Error> {
        let Some(git) = self.git.filter(|_| !self.raw) else {
            return Ok(Rule::Plain);
        };
        if !self.may_convert(git, path)? {
            return Ok(Rule::Plain);
        }
        if let Some(rule) = self.rules.borrow().get(path) {
            return Ok(rule.clone());
        }
        let rule = self.look_up(git, path)?;
        self.rules.borrow_mut().insert(path.clone(), rule.clone());
        Ok(rule)
    }

    /// Tells whether anything could ask for a normalisation of `path`.
    fn may_convert(&self, git: &Git, path: &RepoPath) -> Result<bool, Error> {
        let everywhere = match self.everywhere.get() {
            Some(known) => known,
            None => {
                let known = converts_everywhere(git)?;
                self.everywhere.set(Some(known));
                known
            }
        };
        if everywhere || self.later.is_some() || self.has_attributes(None)? {
            return Ok(true);
        }
        for folder in ancestors(path) {
            if self.has_attributes(Some(folder))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells whether `folder` (`None`: the root) has an attributes file, in the tree or the index.
    fn has_attributes(&self, folder: Option<RepoPath>) -> Result<bool, Error> {
        if let Some(known) = self.folders_with.borrow().get(&folder) {
            return Ok(*known);
        }
        let name = attributes_of(folder.as_ref());
        let open = match &folder {
            Some(folder) => self.folders.folder(folder),
            None => Ok(Some(std::rc::Rc::clone(self.folders.root()))),
        };
        let there = open.and_then(|open| match open {
            Some(open) => disk::stat_at(&open, b".gitattributes").map(|stat| stat.is_some()),
            None => Ok(false),
        });
        let there = there.map_err(|e| Error::io(format!("cannot look for `{name}`"), e))?;
        let known = there || self.indexed.borrow().contains(&name);
        self.folders_with.borrow_mut().insert(folder, known);
        Ok(known)
    }

    /// Reads the attributes of `path`.
    fn look_up(&self, git: &'w Git, path: &RepoPath) -> Result<Rule, Error> {
        let cannot = |error| Error::from_git("cannot read the attributes", error);
        let index = git.repo.index_or_empty().map_err(cannot)?;
        let stack = match self.later {
            Some(later) => later.repo.attributes_only(&later.state, Source::IdMapping),
            None => git
                .repo
                .attributes_only(&index, Source::WorktreeThenIdMapping),
        };
        let mut stack = stack.map_err(cannot)?;
        let mut found = stack.selected_attribute_matches(["filter", "working-tree-encoding"]);
        let platform = stack.at_entry(path.as_bstr(), None).map_err(cannot)?;
        platform.matching_attributes(&mut found);
        for attribute in found.iter_selected() {
            let StateRef::Value(value) = attribute.assignment.state else {
                continue;
            };
            let value = value.as_bstr();
            if attribute.assignment.name.as_str() == "filter" {
                if has_driver(git, value) {
                    return Ok(Rule::Barred(Unsupported::Filter));
                }
            } else if !value.eq_ignore_ascii_case(b"utf-8") && !value.eq_ignore_ascii_case(b"utf8")
            {
                return Ok(Rule::Barred(Unsupported::Encoding));
            }
        }
        Ok(Rule::Normalised)
    }

    /// Returns what git stores for `bytes` at `path`, which has no filter.
    pub(super) fn to_git(&self, path: &RepoPath, bytes: &[u8]) -> Result<Option<BString>, Error> {
        match self.rule(path)? {
            Rule::Plain => Ok(Some(bytes.into())),
            Rule::Barred(_) => Ok(None),
            Rule::Normalised => self.normalise(path, bytes).map(Some),
        }
    }

    fn normalise(&self, path: &RepoPath, bytes: &[u8]) -> Result<BString, Error> {
        self.with_slow(|slow| {
            let name = super::to_path(path);
            match slow.pipeline.convert_to_git(bytes, &name, &slow.index)? {
                ToGitOutcome::Unchanged(same) => Ok(BString::from(same)),
                ToGitOutcome::Buffer(other) => Ok(other.into()),
                ToGitOutcome::Process(mut stream) => {
                    let mut all = Vec::new();
                    stream
                        .read_to_end(&mut all)
                        .map_err(gix::Error::from_error)?;
                    Ok(all.into())
                }
            }
        })
    }

    /// Tells whether git would give `bytes` back: what it stores for them stays the same when it is
    /// checked out and stored again.
    pub(super) fn survives(&self, path: &RepoPath, bytes: &[u8]) -> Result<bool, Error> {
        if self.rule(path)? != Rule::Normalised {
            return Ok(true);
        }
        let stored = self.normalise(path, bytes)?;
        let back = self.with_slow(|slow| {
            let options = to_worktree::Options {
                can_delay: Delay::Forbid,
                ..Default::default()
            };
            let out = slow
                .pipeline
                .convert_to_worktree(&stored, path.as_bstr(), options)?;
            match out {
                ToWorktreeOutcome::Unchanged(same) => Ok(Some(BString::from(same))),
                ToWorktreeOutcome::Buffer(other) => Ok(Some(other.into())),
                ToWorktreeOutcome::Process(_) => Ok(None),
            }
        })?;
        match back {
            Some(back) => Ok(self.normalise(path, &back)? == stored),
            None => Ok(false),
        }
    }

    fn with_slow<T>(
        &self,
        run: impl FnOnce(&mut Slow<'w>) -> Result<T, gix::Error>,
    ) -> Result<T, Error> {
        let cannot = |error| Error::from_git("cannot normalise as git does", error);
        let mut slow = self.slow.borrow_mut();
        if slow.is_none() {
            let Some(git) = self.git else {
                return Err(Error::plain("cannot normalise without git"));
            };
            let pipeline = match self.later {
                Some(Later { repo, state }) => {
                    let stack = repo.attributes_only(state, Source::IdMapping);
                    gix::filter::Pipeline::new(repo, stack.map_err(cannot)?.detach())
                }
                None => git.repo.filter_pipeline(None).map(|(pipeline, _)| pipeline),
            };
            let pipeline = pipeline.map_err(cannot)?;
            let index = git.repo.index_or_empty().map_err(cannot)?;
            *slow = Some(Slow { pipeline, index });
        }
        match slow.as_mut() {
            Some(slow) => run(slow).map_err(cannot),
            None => Err(Error::plain("cannot normalise without git")),
        }
    }
}

impl BlobIds for Ids<'_> {
    fn blob_id(&self, path: &RepoPath, bytes: &[u8]) -> Option<BlobId> {
        if !self.wanted {
            return None;
        }
        match self.rule(path).ok()? {
            Rule::Plain => BlobId::of(self.kind, bytes),
            Rule::Barred(_) => None,
            Rule::Normalised => BlobId::of(self.kind, &self.normalise(path, bytes).ok()?),
        }
    }

    fn raw_id(&self, bytes: &[u8]) -> Option<BlobId> {
        if !self.wanted {
            return None;
        }
        BlobId::of(self.kind, bytes)
    }
}

/// Returns the name of the attributes file in `folder` (`None`: the root).
pub(super) fn attributes_of(folder: Option<&RepoPath>) -> BString {
    match folder {
        Some(folder) => format!("{folder}/.gitattributes").into(),
        None => ".gitattributes".into(),
    }
}

/// Tells whether `core.autocrlf` is on or an attributes file outside of the tree is there.
fn converts_everywhere(git: &Git) -> Result<bool, Error> {
    let config = git.repo.config_snapshot();
    let autocrlf = config.string("core.autocrlf");
    let off = |value: &BString| {
        ["false", "no", "off", "0", ""]
            .iter()
            .any(|o| value.eq_ignore_ascii_case(o.as_bytes()))
    };
    if autocrlf.as_ref().is_some_and(|value| !off(value)) {
        return Ok(true);
    }
    let there = |path: &std::path::Path| rustix::fs::lstat(path).is_ok();
    if there(&git.repo.common_dir().join("info/attributes")) {
        return Ok(true);
    }
    let global = git.repo.attribute_global_paths();
    let global = global.map_err(|error| Error::from_git("cannot read the configuration", error))?;
    Ok(global.iter().any(|path| there(path)))
}

/// Tells whether the configuration has a command for the filter `name`.
fn has_driver(git: &Git, name: &BStr) -> bool {
    let config = git.repo.config_snapshot();
    let file = config.plumbing();
    let has = |key: &str| file.string_by("filter", Some(name), key).is_some();
    has("clean") || has("smudge") || has("process")
}
