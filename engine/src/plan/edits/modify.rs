//! Edits of a file that stays: hunks on what is there, a new name, another mode.

use std::collections::HashMap;

use bstr::BString;

use super::{AtPost, Batch, Fate, Planner, check_post, hunk_refusal, refusal, untouched};
use crate::blob::{BlobIds, IdPrefix};
use crate::locate::file::File;
use crate::locate::hunk::BaseProof;
use crate::outcome::{PathTrouble, Reason, Refusal, Stale, Unanchored, Unsupported, Warning};
use crate::patch::{Base, Change, Destination, Edit, Mode, Order};
use crate::path::RepoPath;
use crate::plan::After;
use crate::plan::bases;
use crate::plan::file::{Asked, Setting};
use crate::plan::tree::There;
use crate::policy::Evidence;

impl<I: BlobIds> Planner<'_, I> {
    /// Returns the mode after `edit` of a file that has `mode`.
    pub(super) fn mode_after(&self, edit: &Edit, mode: Mode) -> Result<Mode, Reason> {
        let Some(change) = edit.mode else {
            return if mode == Mode::Symlink {
                Err(Reason::Unsupported(Unsupported::Symlink))
            } else {
                Ok(mode)
            };
        };
        if change.new == Mode::Gitlink || change.old == Some(Mode::Gitlink) {
            return Err(Reason::ForbiddenPath(PathTrouble::Submodule));
        }
        let other_kind = (change.new == Mode::Symlink) != (mode == Mode::Symlink);
        let other_mode = change
            .old
            .is_some_and(|old| old != mode && change.new != mode);
        if other_kind || other_mode {
            return Err(Reason::Stale {
                why: Stale::Mode,
                candidates: Vec::new(),
            });
        }
        // An `index a..b 100644` line states a mode that does not change: the file's own stays.
        Ok(if change.old.is_none() {
            mode
        } else {
            change.new
        })
    }

    /// Tells what the base that `edit` names, or the caller for it, says of the file.
    pub(super) fn base<'b>(
        &'b self,
        path: &RepoPath,
        edit: &'b Edit,
        named: Option<&'b IdPrefix>,
        content: Option<&'b File<'b>>,
    ) -> BaseProof<'b> {
        let found = self.tree.blob(path);
        let Some(wanted) = edit.base.as_ref().map(Base::blob).or(named) else {
            return BaseProof::None;
        };
        let evidence = match edit.base {
            Some(Base::Receipt { .. }) => Evidence::Receipt,
            _ => Evidence::Base,
        };
        match &found {
            Some(id) if wanted.matches(id) => BaseProof::Current(evidence),
            Some(id) if wanted.agrees(id) => BaseProof::None,
            _ => BaseProof::Other {
                wanted,
                found,
                evidence,
                content,
            },
        }
    }

    /// Returns the base that the caller names for `path`, where no earlier step has changed it.
    pub(super) fn named(&self, path: &RepoPath) -> Option<IdPrefix> {
        if self.tree.is_changed(path) {
            return None;
        }
        self.tree.preimage(path)?.base.map(IdPrefix::from)
    }

    pub(super) fn check_needs_base(
        &self,
        edit: &Edit,
        named: Option<&IdPrefix>,
    ) -> Result<(), Reason> {
        if self.policy.needs_base && edit.base.is_none() && named.is_none() {
            return Err(Reason::Unanchored {
                why: Unanchored::NoBase,
                place: Vec::new(),
            });
        }
        Ok(())
    }

    pub(super) fn modify(&self, batch: &Batch<'_>) -> Result<Fate, Vec<Refusal>> {
        let first = batch.edits[0];
        let one = |reason| vec![refusal(first, None, reason)];
        let (bytes, mode) = self.existing(&batch.path).map_err(one)?;
        let after_mode = self.mode_after(first, mode).map_err(one)?;
        if let Some(done) = self.at_post_among_others(batch, first, mode) {
            return Ok(done);
        }
        let named = self.named(&batch.path);
        self.check_needs_base(first, named.as_ref()).map_err(one)?;
        let source = File::new(bytes);
        let bases = self.bases(batch, named.as_ref());
        let older = self.witness(&batch.path, bytes);
        let witness_file = older.map(File::new);
        let witness = match (&witness_file, self.tree.preimage(&batch.path)) {
            (Some(file), _) => Some(file),
            (None, Some(preimage)) if !preimage.witnesses.is_empty() => Some(&source),
            _ => None,
        };
        let asked = self.asked(batch, named.as_ref(), &bases);
        let setting = Setting {
            file: &source,
            witness,
            policy: self.policy,
            budget: self.budget,
        };
        let resolved = bases::resolve(&asked, &setting).map_err(|unplaced| {
            let refused = unplaced
                .into_iter()
                .map(|(n, reason)| hunk_refusal(batch, n, reason));
            refused.collect::<Vec<_>>()
        })?;
        if let Some(target) = &resolved.target {
            self.check_target(batch, first, target, mode).map_err(one)?;
        }
        let changed = resolved.changed;
        let proven = asked.iter().all(|one| one.base.is_current());
        let content: BString = changed.content.into();
        let stated: Vec<&Edit> = batch
            .edits
            .iter()
            .copied()
            .filter(|edit| edit.base.is_none() || proven)
            .filter(|_| batch.edits.len() == 1)
            .collect();
        let mut warnings = self.policy_file(&batch.path);
        warnings.extend(changed.moved.iter().map(|(number, was, is)| Warning {
            code: "moved-since-witness",
            path: Some(batch.path.clone()),
            message: moved_message(*number, was, is),
        }));
        let after = After {
            content,
            mode: after_mode,
        };
        self.result(batch, first, after, changed.placed, warnings, &stated)
            .map_err(one)
    }

    /// What the only edit of a batch makes of its base must have the id that it states.
    fn check_target(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        target: &[u8],
        mode: Mode,
    ) -> Result<(), Reason> {
        if batch.edits.len() > 1 {
            return Ok(());
        }
        let path = self.destination(edit)?;
        check_post(edit, self.tree.blob_of(&path, target, mode))
    }

    /// Returns the newest older state of `path` that differs from `now`.
    pub(super) fn witness(&self, path: &RepoPath, now: &[u8]) -> Option<&[u8]> {
        if self.tree.is_changed(path) {
            return None;
        }
        let newest = self.tree.preimage(path)?.witnesses.first()?;
        (newest.content != now).then_some(newest.content.as_slice())
    }

    /// Returns those of the bases of a batch whose content is to be had.
    fn bases<'b>(
        &'b self,
        batch: &Batch<'b>,
        named: Option<&'b IdPrefix>,
    ) -> HashMap<&'b IdPrefix, File<'b>> {
        let mut bases = HashMap::new();
        let stated = batch.edits.iter().filter_map(|edit| edit.base.as_ref());
        for id in stated.map(Base::blob).chain(named) {
            if !bases.contains_key(id)
                && let Some((_, content)) = self.tree.preimages().blob(id)
            {
                bases.insert(id, File::new(content));
            }
        }
        bases
    }

    pub(super) fn asked<'b>(
        &'b self,
        batch: &Batch<'b>,
        named: Option<&'b IdPrefix>,
        bases: &'b HashMap<&'b IdPrefix, File<'b>>,
    ) -> Vec<Asked<'b>> {
        let hunks = |edit: &&Edit| match &edit.change {
            Change::Modify { hunks, .. } => hunks.len(),
            _ => 0,
        };
        let mut asked = Vec::with_capacity(batch.edits.iter().map(hunks).sum());
        for (group, edit) in batch.edits.iter().enumerate() {
            let Change::Modify { hunks, order } = &edit.change else {
                continue;
            };
            let wanted = edit.base.as_ref().map(Base::blob).or(named);
            let content = wanted.and_then(|id| bases.get(id));
            let base = self.base(&batch.path, edit, named, content);
            let shown = match edit.base {
                Some(Base::Receipt { shown, .. }) => shown,
                _ => None,
            };
            let ordered = (*order == Order::File).then_some(group);
            for hunk in hunks {
                asked.push(Asked {
                    number: asked.len() + 1,
                    hunk,
                    base,
                    shown,
                    undoes: edit.undoes,
                    ordered,
                });
            }
        }
        asked
    }

    /// A file at its post id beside files that are not yet: nothing is to be done here.
    pub(super) fn at_post_among_others(
        &self,
        batch: &Batch<'_>,
        edit: &Edit,
        mode: Mode,
    ) -> Option<Fate> {
        let [_] = batch.edits[..] else { return None };
        if self.is_at_post(edit)? != AtPost::Proven || edit.destination != Destination::Same {
            return None;
        }
        let There::File { content, .. } = self.tree.there(&batch.path).ok()? else {
            return None;
        };
        let id = self.tree.blob(&batch.path);
        let plan = untouched(batch.path.clone(), id);
        let after = Some(After {
            content: content.into(),
            mode,
        });
        Some(Fate {
            plan,
            after,
            warnings: Vec::new(),
        })
    }

    pub(super) fn keep(&self, batch: &Batch<'_>, edit: &Edit) -> Result<Fate, Reason> {
        let (content, mode) = self.existing(&batch.path)?;
        let after_mode = match edit.mode {
            None => mode,
            Some(_) => self.mode_after(edit, mode)?,
        };
        if edit.destination == Destination::Same && after_mode == mode {
            return Err(match edit.mode {
                Some(_) => Reason::AlreadyApplied { lines: None },
                None => Reason::NoChange,
            });
        }
        let named = self.named(&batch.path);
        if let BaseProof::Other { wanted, found, .. } =
            self.base(&batch.path, edit, named.as_ref(), None)
        {
            let why = Stale::Id {
                wanted: wanted.clone(),
                found,
            };
            return Err(Reason::Stale {
                why,
                candidates: Vec::new(),
            });
        }
        let after = After {
            content: content.into(),
            mode: after_mode,
        };
        self.result(
            batch,
            edit,
            after,
            Vec::new(),
            self.policy_file(&batch.path),
            &[],
        )
    }
}

fn moved_message(number: usize, was: &BString, is: &BString) -> String {
    use crate::outcome::Quoted;
    use bstr::ByteSlice as _;
    let (was, is) = (Quoted(was.as_bstr()), Quoted(is.as_bstr()));
    format!("hunk {number}: the place stood under `{was}`, and stands under `{is}` now")
}
