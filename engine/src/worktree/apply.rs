//! The one door: read, plan, stage, publish, keep.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, Hasher as _};

use bstr::{BStr, ByteSlice as _};
use gix::state::InProgress;

use super::ids::Ids;
use super::index::Index;
use super::index_write;
use super::journal::Lock;
use super::read::{Reader, Reading, Seen};
use super::record::{self, Last};
use super::transaction::{Transaction, look_again};
use super::{ApplyOptions, Error, Stop, Target, Worktree, attributes, layout, recover};
use crate::outcome::{
    Applied, Outcome, PathTrouble, Reason, Refusal, Refused, Unsupported, Warning,
};
use crate::patch::{Mode, Parsed, Step};
use crate::path::RepoPath;
use crate::plan::{Plan, plan};
use crate::policy::Policy;
use crate::preimage::State;

/// Reads, plans, stages, publishes, and then keeps or undoes.
///
/// `inputs` are planned one after another, each on the result of the one before, and land together.
///
/// # Errors
///
/// Where the disk or the repository fails; then every file is as it was, but for [`Error::left`].
pub fn apply(
    worktree: &Worktree,
    inputs: &[Parsed],
    policy: &Policy,
    options: &ApplyOptions,
) -> Result<Outcome, Error> {
    let steps: Cow<'_, [Step]> = match inputs {
        [one] => Cow::Borrowed(&one.steps),
        several => several
            .iter()
            .flat_map(|input| input.steps.iter().cloned())
            .collect(),
    };
    let call = Call {
        worktree,
        steps: &steps,
        policy,
        options,
        id: new_id(),
    };
    match call.run() {
        Ok(applied) => Ok(Outcome::Applied(Box::new(applied))),
        Err(Stop::Refused(refused)) => Ok(Outcome::Refused(refused)),
        Err(Stop::Error(error)) => Err(*error),
    }
}

/// One call, with what all of its parts look at.
struct Call<'a> {
    worktree: &'a Worktree,
    steps: &'a [Step],
    policy: &'a Policy,
    options: &'a ApplyOptions,
    id: String,
}

impl Call<'_> {
    fn run(&self) -> Result<Applied, Stop> {
        if self.options.target == Target::Worktree {
            return self.run_on_files();
        }
        self.check_state()?;
        if self.options.check {
            return self.check_index();
        }
        let names = index_write::names(self.worktree)?;
        let lock = self.lock()?;
        let target = self.options.target;
        let index = Some((&names, target));
        let transaction = Transaction::begin(self.worktree, lock, &self.id, index)?;
        let ids = self.ids();
        let decided = self.decide(&ids, transaction.index());
        let (plan, read) = match decided {
            Ok(decided) => decided,
            Err(stop) => return Err(transaction.abort(stop)),
        };
        if plan.outputs().is_empty() {
            drop(transaction);
            return Ok(self.applied(plan, read, false));
        }
        self.land(transaction, plan, read, &ids)
    }

    fn run_on_files(&self) -> Result<Applied, Stop> {
        let ids = self.ids();
        let (mut plan, read) = self.decide(&ids, None)?;
        self.tell_state(&mut plan);
        if self.options.check || plan.outputs().is_empty() {
            return Ok(self.applied(plan, read, false));
        }
        let transaction = Transaction::begin(self.worktree, self.lock()?, &self.id, None)?;
        self.land(transaction, plan, read, &ids)
    }

    /// Says what git is in the middle of. People and agents resolve conflicts there, so files are
    /// edited all the same.
    fn tell_state(&self, plan: &mut Plan) {
        let state = self.worktree.git.as_ref().and_then(|git| git.repo.state());
        if let Some(state) = state {
            plan.warn(Warning {
                code: "in-progress",
                path: None,
                message: format!("{} is in progress", state_name(&state)),
            });
        }
    }

    /// Decides against the index as it is, without its lock.
    fn check_index(&self) -> Result<Applied, Stop> {
        let Some(git) = &self.worktree.git else {
            return Err(Error::plain("cannot use the index: there is no repository").into());
        };
        let index = Index::open(git, false)?;
        if let Some(what) = index.unwritable() {
            return Err(index_write::refused(what));
        }
        let (plan, read) = self.decide(&self.ids(), Some(&index))?;
        Ok(self.applied(plan, read, false))
    }

    fn ids(&self) -> Ids<'_> {
        let raw = self.options.target == Target::Index;
        let git = self.worktree.git.as_ref();
        let wanted = self.options.base.is_some() || names_ids(self.steps);
        Ids::new(git, &self.worktree.folders, raw, wanted)
    }

    /// Reads and plans, and checks what only the disk and the caller's options can refuse.
    fn decide(&self, ids: &Ids<'_>, index: Option<&Index>) -> Result<(Plan, Reading), Stop> {
        let reader = Reader::new(self.worktree, ids, self.options, index);
        let read = reader.read(self.steps)?;
        if let (Target::WorktreeAndIndex, Some(index)) = (self.options.target, index) {
            check_clean(&read, index)?;
        }
        let plan = plan(self.steps, &read.preimages, ids, self.policy).map_err(Stop::Refused)?;
        self.check_allowed(&plan)?;
        layout::check_kinds(plan.outputs())?;
        self.check_case(&plan, index)?;
        self.check_endings(&plan, ids)?;
        attributes::check(self.worktree, ids, &plan, index, self.options.target)?;
        if self.options.target != Target::Index {
            drop(layout::steps(
                &self.worktree.folders,
                &self.id,
                plan.outputs(),
                &read.seen,
            )?);
        }
        Ok((plan, read))
    }

    fn lock(&self) -> Result<Lock, Stop> {
        loop {
            let taken = Lock::take(&self.worktree.lock_place());
            let taken = taken.map_err(|e| Error::io("cannot take the lock".into(), e))?;
            match taken {
                None => {
                    return Err(Error::plain("another surefoot is at work here").into());
                }
                Some(lock) if lock.is_left() => recover::settle(self.worktree, lock)?,
                Some(lock) => return Ok(lock),
            }
        }
    }

    fn land(
        &self,
        transaction: Transaction<'_>,
        plan: Plan,
        mut read: Reading,
        ids: &Ids<'_>,
    ) -> Result<Applied, Stop> {
        self.worktree.folders.forget_all();
        let files = self.options.target != Target::Index;
        let staged = match look_again(self.worktree, &mut read) {
            Ok(()) if files => transaction.stage(&self.id, &plan, &read)?,
            Ok(()) => transaction,
            Err(stop) => return Err(transaction.abort(stop)),
        };
        let published = staged.publish(&read)?.write_index(&plan, ids)?;
        let lost = published.lost().to_vec();
        published.keep()?;
        self.remember(&plan, &read);
        let mut plan = plan;
        for path in lost {
            let message = "the file's owner or extended attributes could not be kept".into();
            plan.warn(Warning {
                code: "attributes-lost",
                path: Some(path),
                message,
            });
        }
        Ok(self.applied(plan, read, true))
    }

    fn applied(&self, plan: Plan, read: Reading, written: bool) -> Applied {
        let transaction = written.then(|| self.id.clone());
        Applied {
            plan,
            preimages: read.preimages,
            written,
            transaction,
        }
    }

    /// Refuses the index while git is in the middle of something that holds it.
    fn check_state(&self) -> Result<(), Stop> {
        let Some(git) = &self.worktree.git else {
            return Err(Error::plain("cannot use the index: there is no repository").into());
        };
        match git.repo.state() {
            None | Some(InProgress::Bisect) => Ok(()),
            Some(state) => Err(index_write::refused(Unsupported::InProgress(state_name(
                &state,
            )))),
        }
    }

    fn check_allowed(&self, plan: &Plan) -> Result<(), Stop> {
        use gix::glob::wildmatch::Mode as Glob;
        if self.options.allow.is_empty() {
            return Ok(());
        }
        let allowed = |path: &RepoPath| {
            let fits = |glob: &String| {
                let mode = Glob::NO_MATCH_SLASH_LITERAL;
                gix::glob::wildmatch(glob.as_bytes().as_bstr(), path.as_bstr(), mode)
            };
            self.options.allow.iter().any(fits)
        };
        let reason = || Reason::ForbiddenPath(PathTrouble::NotAllowed);
        // A copy brings its source's content out, though the source does not change.
        let sources = plan.files().iter().filter_map(|file| file.from.as_ref());
        let touched: BTreeSet<&RepoPath> = plan.outputs().keys().chain(sources).collect();
        let refusals = touched.into_iter().filter(|path| !allowed(path));
        let refusals = refusals
            .map(|path| Refusal::of_path(path.as_bstr(), reason()))
            .collect();
        Refused::from_all(refusals).map_or(Ok(()), |refused| Err(Stop::Refused(refused)))
    }

    /// Refuses a new spelling of what the index has in another one, where case does not count: the
    /// file system would give both one file. A rename that changes the case alone is none.
    fn check_case(&self, plan: &Plan, index: Option<&Index>) -> Result<(), Stop> {
        let Some(git) = self.worktree.git.as_ref().filter(|git| git.fold_case) else {
            return Ok(());
        };
        let own = match index {
            Some(_) => None,
            None => Some(Index::open(git, false)?),
        };
        let Some(index) = index.or(own.as_ref()) else {
            return Ok(());
        };
        let goes = |name: &BStr| {
            let path = RepoPath::new(name.to_owned()).ok();
            path.is_some_and(|path| matches!(plan.outputs().get(&path), Some(None)))
        };
        // Also one that goes: what is deleted there is the file of the other spelling.
        let unknown = plan
            .outputs()
            .keys()
            .filter(|path| index.entry(path).is_none());
        let refusals = unknown
            .filter(|path| index.has_other_case(path, goes))
            .map(|path| {
                let reason = Reason::ForbiddenPath(PathTrouble::Case);
                Refusal::of_path(path.as_bstr(), reason)
            })
            .collect();
        Refused::from_all(refusals).map_or(Ok(()), |refused| Err(Stop::Refused(refused)))
    }

    /// Refuses results whose line endings git would not give back.
    fn check_endings(&self, plan: &Plan, ids: &Ids<'_>) -> Result<(), Stop> {
        for (path, after) in plan.outputs() {
            let Some(after) = after.as_ref().filter(|after| after.mode != Mode::Symlink) else {
                continue;
            };
            if !ids.survives(path, &after.content)? {
                let reason = Reason::Unsupported(Unsupported::LineEndings);
                let refusal = Refusal::of_path(path.as_bstr(), reason);
                return Err(Stop::Refused(Refused::one(refusal)));
            }
        }
        Ok(())
    }

    /// Remembers what the files are now.
    fn remember(&self, plan: &Plan, read: &Reading) {
        let (Some(git), Some(stamp)) = (&self.worktree.git, read.stamp) else {
            return;
        };
        if self.options.target != Target::Worktree {
            return;
        }
        let entries = plan.files().iter().filter_map(|file| {
            let tracked = *read.tracked.get(&file.path)?;
            plan.outputs().get(&file.path)?.as_ref()?;
            Some((
                &file.path,
                Last {
                    result: file.after?,
                    stamp,
                    tracked,
                },
            ))
        });
        record::remember(git, &entries.collect::<Vec<_>>());
    }
}

/// Refuses files that differ from their index entries.
fn check_clean(read: &Reading, index: &Index) -> Result<(), Stop> {
    let dirty = |path: &RepoPath, seen: &Seen| {
        let entry = index.entry(path);
        let Some(preimage) = read.preimages.get(path) else {
            return false;
        };
        if preimage.barred.is_some() {
            return false;
        }
        match (&preimage.state, seen, entry) {
            (State::File { mode, .. }, _, Some(entry)) => {
                preimage.blob != Some(entry.id) || entry.mode() != Some(*mode)
            }
            (State::File { .. }, _, None) => true,
            (_, _, Some(_)) => true,
            (_, _, None) => false,
        }
    };
    let refusals = read.seen.iter().filter(|(path, seen)| dirty(path, seen));
    let refusals = refusals.map(|(path, _)| Refusal::of_path(path.as_bstr(), Reason::Dirty));
    Refused::from_all(refusals.collect()).map_or(Ok(()), |refused| Err(Stop::Refused(refused)))
}

fn state_name(state: &InProgress) -> &'static str {
    match state {
        InProgress::ApplyMailbox => "git am",
        InProgress::ApplyMailboxRebase | InProgress::Rebase | InProgress::RebaseInteractive => {
            "a rebase"
        }
        InProgress::Bisect => "a bisection",
        InProgress::CherryPick | InProgress::CherryPickSequence => "a cherry-pick",
        InProgress::Merge => "a merge",
        InProgress::Revert | InProgress::RevertSequence => "a revert",
    }
}

/// Tells whether any edit states an id that a file or a result must have.
fn names_ids(steps: &[Step]) -> bool {
    let edits = steps
        .iter()
        .flat_map(|step| &step.readings)
        .flat_map(|reading| &reading.patch.edits);
    edits
        .into_iter()
        .any(|edit| edit.base.is_some() || edit.post.is_some())
}

/// Returns a new id for a transaction: 16 hex digits that nobody can guess.
fn new_id() -> String {
    // Each state is seeded from the system's random bytes.
    let random = std::hash::RandomState::new().build_hasher().finish();
    format!("{random:016x}")
}
