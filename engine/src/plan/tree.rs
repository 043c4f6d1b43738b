//! The tree as a plan sees it: the preimages, and over them what earlier steps have made of it.

use std::collections::BTreeMap;

use super::After;
use crate::blob::{BlobId, BlobIds};
use crate::outcome::{Ambiguity, PathTrouble, Reason};
use crate::patch::Mode;
use crate::path::{PathError, PathSpec, RepoPath};
use crate::preimage::{Preimage, Preimages, State};

/// What is at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum There<'t> {
    Absent,
    File { content: &'t [u8], mode: Mode },
    Folder,
    Gitlink,
}

#[derive(Debug)]
pub(crate) struct Tree<'a, I> {
    preimages: &'a Preimages,
    ids: &'a I,
    changed: BTreeMap<RepoPath, Option<After>>,
}

impl<'a, I: BlobIds> Tree<'a, I> {
    pub(crate) fn new(preimages: &'a Preimages, ids: &'a I) -> Self {
        Self {
            preimages,
            ids,
            changed: BTreeMap::new(),
        }
    }

    pub(crate) fn preimages(&self) -> &'a Preimages {
        self.preimages
    }

    /// Takes over what a step makes of the tree.
    pub(crate) fn advance(&mut self, outputs: BTreeMap<RepoPath, Option<After>>) {
        self.changed.extend(outputs);
    }

    /// Returns every path that is to change, with its state after, without those that end as they
    /// began.
    pub(crate) fn into_outputs(self) -> BTreeMap<RepoPath, Option<After>> {
        let preimages = self.preimages;
        let began = |path: &RepoPath, after: &Option<After>| {
            let state = preimages.get(path).map(|preimage| &preimage.state);
            match (state, after) {
                (Some(State::Absent) | None, None) => true,
                (Some(State::File { content, mode }), Some(after)) => {
                    *content == after.content && *mode == after.mode
                }
                _ => false,
            }
        };
        self.changed
            .into_iter()
            .filter(|(path, after)| !began(path, after))
            .collect()
    }

    /// Returns the place that `spec` names.
    ///
    /// # Errors
    ///
    /// Where it names none inside the tree, or two that both exist.
    pub(crate) fn resolve(&self, spec: &PathSpec) -> Result<RepoPath, Reason> {
        let (first, second) = self
            .preimages
            .spellings(spec)
            .map_err(|error| match error {
                PathError::Absolute | PathError::Parent => {
                    Reason::OutsideTree(PathTrouble::Name(error))
                }
                _ => Reason::ForbiddenPath(PathTrouble::Name(error)),
            })?;
        let Some(second) = second else {
            return Ok(first);
        };
        match (self.exists(&first), self.exists(&second)) {
            (a, b) if a == b && (a || spec.even) => Err(Reason::Ambiguous {
                why: Ambiguity::Path,
                candidates: Vec::new(),
                total: 2,
            }),
            (false, true) => Ok(second),
            _ => Ok(first),
        }
    }

    fn exists(&self, path: &RepoPath) -> bool {
        !matches!(self.there(path), Ok(There::Absent))
    }

    /// Returns what is known of `path` from before the plan.
    pub(crate) fn preimage(&self, path: &RepoPath) -> Option<&'a Preimage> {
        self.preimages.get(path)
    }

    /// Tells whether an earlier step has changed `path`.
    pub(crate) fn is_changed(&self, path: &RepoPath) -> bool {
        self.changed.contains_key(path)
    }

    /// Returns what is at `path` now.
    ///
    /// # Errors
    ///
    /// Why nothing may be written there.
    pub(crate) fn there(&self, path: &RepoPath) -> Result<There<'_>, Reason> {
        let preimage = self.preimages.get(path);
        if let Some(reason) = preimage.and_then(|preimage| preimage.barred.clone()) {
            return Err(reason);
        }
        if let Some(after) = self.changed.get(path) {
            return Ok(match after {
                Some(After { content, mode }) => There::File {
                    content,
                    mode: *mode,
                },
                None => There::Absent,
            });
        }
        Ok(match preimage.map(|preimage| &preimage.state) {
            None | Some(State::Absent) => There::Absent,
            Some(State::File { content, mode }) => There::File {
                content,
                mode: *mode,
            },
            Some(State::Folder) => There::Folder,
            Some(State::Gitlink) => There::Gitlink,
        })
    }

    /// Returns the id of what is at `path` now.
    pub(crate) fn blob(&self, path: &RepoPath) -> Option<BlobId> {
        match self.changed.get(path) {
            Some(Some(after)) => self.blob_of(path, &after.content, after.mode),
            Some(None) => None,
            None => self.preimages.get(path).and_then(|preimage| preimage.blob),
        }
    }

    /// Returns the id that `content` would have at `path`.
    pub(crate) fn blob_of(&self, path: &RepoPath, content: &[u8], mode: Mode) -> Option<BlobId> {
        match mode {
            // A link's target is never normalised.
            Mode::Symlink => self.ids.raw_id(content),
            _ => self.ids.blob_id(path, content),
        }
    }
}
