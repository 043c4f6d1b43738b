//! Whole contents: files made, replaced, deleted, and binary changes.

use bstr::BString;

use super::{Batch, Fate, Planner, refusal, twice};
use crate::blob::{BlobIds, IdPrefix};
use crate::locate::hunk::BaseProof;
use crate::outcome::{PathTrouble, Reason, Refusal, Stale, Unanchored, Unsupported};
use crate::patch::{Base, BinaryPatch, Change, Edit, Existing, Mode};
use crate::path::RepoPath;
use crate::plan::tree::There;
use crate::plan::{Action, After, FilePlan, binary, whole};

impl<I: BlobIds> Planner<'_, I> {
    pub(super) fn create(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        content: &BString,
        existing: Existing,
    ) -> Result<Fate, Reason> {
        let mode = edit.mode.map_or(Mode::Regular, |change| change.new);
        match self.tree.there(&batch.path)? {
            There::Absent => {}
            There::File { mode: found, .. } => {
                if let Some(done) = self.at_post_among_others(batch, edit, found) {
                    return Ok(done);
                }
                return Err(whole::taken(existing));
            }
            There::Folder => return Err(Reason::ForbiddenPath(PathTrouble::Folder)),
            There::Gitlink => return Err(Reason::ForbiddenPath(PathTrouble::Submodule)),
        }
        self.fresh(batch, edit, content, mode)
    }

    pub(super) fn fresh(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        content: &BString,
        mode: Mode,
    ) -> Result<Fate, Reason> {
        if mode == Mode::Gitlink {
            return Err(Reason::ForbiddenPath(PathTrouble::Submodule));
        }
        if edit.post.is_none() && !edit.undoes {
            whole::check_placeholders(content, None)?;
        }
        let after = After {
            content: content.clone(),
            mode,
        };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[edit],
        )
    }

    pub(super) fn write(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        content: &BString,
    ) -> Result<Fate, Reason> {
        let named = self.named(&batch.path);
        let proof = self.base(&batch.path, edit, named.as_ref(), None);
        let (before, mode) = match self.existing(&batch.path) {
            Ok(existing) => existing,
            Err(Reason::MissingFile) if matches!(proof, BaseProof::None) => {
                return self.fresh(batch, edit, content, Mode::Regular);
            }
            Err(reason) => return Err(reason),
        };
        self.check_replaceable(&batch.path, proof, Unanchored::WholeFile)?;
        let mode = self.mode_after(edit, mode)?;
        whole::check_placeholders(content, Some(before))?;
        let content = whole::with_endings_of(before, content);
        if content == before {
            return Err(Reason::NoChange);
        }
        let after = After { content, mode };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[],
        )
    }

    /// Whole content goes only where the author is known to have seen it, or git gives it back.
    pub(super) fn check_replaceable(
        &self,
        path: &RepoPath,
        proof: BaseProof<'_>,
        why: Unanchored,
    ) -> Result<(), Reason> {
        match proof {
            BaseProof::Current(_) => Ok(()),
            BaseProof::Other { wanted, found, .. } => {
                let why = Stale::Id {
                    wanted: wanted.clone(),
                    found,
                };
                Err(Reason::Stale {
                    why,
                    candidates: Vec::new(),
                })
            }
            BaseProof::None if self.policy.needs_base => Err(Reason::Unanchored {
                why: Unanchored::NoBase,
                place: Vec::new(),
            }),
            BaseProof::None => {
                let recoverable = !self.tree.is_changed(path)
                    && self
                        .tree
                        .preimage(path)
                        .is_some_and(|preimage| preimage.recoverable);
                let refused = Reason::Unanchored {
                    why,
                    place: Vec::new(),
                };
                if recoverable { Ok(()) } else { Err(refused) }
            }
        }
    }

    pub(super) fn check_delete(
        &self,
        path: &RepoPath,
        edit: &Edit,
        shown: Option<&BString>,
    ) -> Result<(), Reason> {
        let (content, mode) = self.existing(path)?;
        if edit
            .mode
            .is_some_and(|change| (change.new == Mode::Symlink) != (mode == Mode::Symlink))
        {
            return Err(Reason::Stale {
                why: Stale::Mode,
                candidates: Vec::new(),
            });
        }
        let named = self.named(path);
        let proof = self.base(path, edit, named.as_ref(), None);
        match shown {
            Some(_) if proof.is_current() => Ok(()),
            Some(shown) if whole::is_same_text(shown, content) => Ok(()),
            Some(_) => Err(Reason::Stale {
                why: Stale::Content,
                candidates: Vec::new(),
            }),
            None => self.check_replaceable(path, proof, Unanchored::Delete),
        }
    }

    pub(super) fn delete(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        shown: Option<&BString>,
    ) -> Result<Fate, Reason> {
        self.check_delete(&batch.path, edit, shown)?;
        let before = self.tree.blob(&batch.path);
        let plan = FilePlan {
            path: batch.path.clone(),
            from: None,
            action: Action::Delete,
            before,
            after: None,
            hunks: Vec::new(),
        };
        Ok(Fate {
            plan,
            after: None,
            warnings: self.policy_file(&batch.path),
        })
    }

    /// A file deleted and made anew under the same name: how git writes a change of kind.
    pub(super) fn replace(
        &self,
        batch: &Batch<'_>,
        delete: &Edit,
        shown: Option<&BString>,
        create: &Edit,
    ) -> Result<Fate, Vec<Refusal>> {
        let Change::Create { content, .. } = &create.change else {
            return Err(vec![refusal(create, None, twice())]);
        };
        self.check_delete(&batch.path, delete, shown)
            .map_err(|reason| vec![refusal(delete, None, reason)])?;
        let mode = create.mode.map_or(Mode::Regular, |change| change.new);
        self.fresh(batch, create, content, mode)
            .map_err(|reason| vec![refusal(create, None, reason)])
    }

    pub(super) fn binary(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        forward: &BinaryPatch,
    ) -> Result<Fate, Reason> {
        let unsupported = Reason::Unsupported(Unsupported::Binary);
        let creates = edit.mode.is_some_and(|change| change.old.is_none())
            && edit.base.is_none()
            && matches!(self.tree.there(&batch.path)?, There::Absent);
        if !edit.post.as_ref().is_some_and(IdPrefix::is_full) {
            return Err(unsupported);
        }
        if creates {
            let BinaryPatch::Literal(content) = forward else {
                return Err(unsupported);
            };
            let mode = edit.mode.map_or(Mode::Regular, |change| change.new);
            return self.fresh(batch, edit, content, mode);
        }
        let (before, mode) = self.existing(&batch.path)?;
        let mode = self.mode_after(edit, mode)?;
        if let Some(done) = self.at_post_among_others(batch, edit, mode) {
            return Ok(done);
        }
        let base = edit
            .base
            .as_ref()
            .map(Base::blob)
            .filter(|base| base.is_full());
        let found = self.tree.blob(&batch.path);
        let Some(wanted) = base else {
            return Err(unsupported);
        };
        if !found.is_some_and(|id| wanted.matches(&id)) {
            let why = Stale::Id {
                wanted: wanted.clone(),
                found,
            };
            return Err(Reason::Stale {
                why,
                candidates: Vec::new(),
            });
        }
        let content: BString = binary::apply(forward, before).ok_or(unsupported)?.into();
        let after = After { content, mode };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[edit],
        )
    }
}
