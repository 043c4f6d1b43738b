//! Patches that change the attributes files which say how git stores other files of the patch.
//!
//! Ids, line endings and what is staged are worked out by the attributes as they are; where those
//! that the patch brings say something else for a file, all of that would be wrong.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::{BString, ByteSlice as _};
use gix::index::State;
use gix::index::entry::{Flags, Mode as EntryMode, Stat};

use super::disk;
use super::ids::{Ids, Rule};
use super::index::Index;
use super::walk::ancestors;
use super::{Error, Stop, Target, Worktree, base};
use crate::blob::{BlobId, BlobIds as _};
use crate::outcome::{Reason, Refusal, Refused, Unsupported};
use crate::patch::Mode;
use crate::path::RepoPath;
use crate::plan::{After, Plan};

/// The name of an attributes file.
const NAME: &[u8] = b".gitattributes";

/// The attributes files that there are after a plan, in memory.
pub(super) struct Later {
    pub(super) repo: gix::Repository,
    pub(super) state: State,
}

/// Refuses a plan that changes how git stores another file of the plan. `index`: as it is.
pub(super) fn check(
    worktree: &Worktree,
    ids: &Ids<'_>,
    plan: &Plan,
    index: Option<&Index>,
    target: Target,
) -> Result<(), Stop> {
    // Alone in the index, bytes are git's own.
    let Some(git) = worktree.git.as_ref().filter(|_| target != Target::Index) else {
        return Ok(());
    };
    let files: Vec<(&RepoPath, &After)> = written(plan).collect();
    if let Some(outside) = global_file(worktree, plan)?
        && let Some((path, _)) = files.iter().find(|(path, _)| **path != outside)
    {
        return Err(refused(path));
    }
    if !plan.outputs().keys().any(is_attributes) {
        return Ok(());
    }
    let later = Later::new(worktree, plan, index, target)?;
    let after = Ids::later(git, &worktree.folders, &later);
    for (path, file) in files {
        match after.rule(path)? {
            Rule::Barred(_) => return Err(refused(path)),
            Rule::Plain | Rule::Normalised => {}
        }
        let differs = ids.blob_id(path, &file.content) != after.blob_id(path, &file.content);
        if differs || !after.survives(path, &file.content)? {
            return Err(refused(path));
        }
    }
    Ok(())
}

/// The files that are there after `plan`, without links.
fn written(plan: &Plan) -> impl Iterator<Item = (&RepoPath, &After)> {
    let files = plan.outputs().iter();
    files
        .filter_map(|(path, after)| Some((path, after.as_ref()?)))
        .filter(|(_, after)| after.mode != Mode::Symlink)
}

fn is_attributes(path: &RepoPath) -> bool {
    let name = path.components().next_back().unwrap_or_default();
    name.eq_ignore_ascii_case(NAME)
}

fn refused(path: &RepoPath) -> Stop {
    let reason = Reason::Unsupported(Unsupported::Attributes);
    Stop::Refused(Refused::one(Refusal::of_path(path.as_bstr(), reason)))
}

/// Returns the path that `plan` changes and the configuration names as an attributes file.
#[expect(
    clippy::disallowed_methods,
    reason = "the worktree is what touches the disk"
)]
fn global_file(worktree: &Worktree, plan: &Plan) -> Result<Option<RepoPath>, Error> {
    let Some(git) = &worktree.git else {
        return Ok(None);
    };
    let global = git.repo.attribute_global_paths();
    let global = global.map_err(|e| Error::from_git("cannot read the configuration", e))?;
    let real = |path: &Path| {
        let folder = std::fs::canonicalize(path.parent()?).ok()?;
        Some(folder.join(path.file_name()?))
    };
    // Few people have such a file: one call tells, where following a name takes many.
    let there = |file: &&PathBuf| rustix::fs::lstat(file.as_path()).is_ok();
    let followed = global.iter().filter(there);
    let followed = followed.filter_map(|file| std::fs::canonicalize(file).ok());
    let names: Vec<PathBuf> = followed.chain(global.iter().cloned()).collect();
    for path in plan.outputs().keys() {
        let name = super::to_path(path);
        let mut alike = names
            .iter()
            .filter(|file| file.file_name() == name.file_name());
        let here = || real(&worktree.named_root().join(&name));
        if alike.any(|file| real(file).is_some_and(|file| Some(file) == here())) {
            return Ok(Some(path.clone()));
        }
    }
    Ok(None)
}

impl Later {
    fn new(
        worktree: &Worktree,
        plan: &Plan,
        index: Option<&Index>,
        target: Target,
    ) -> Result<Self, Error> {
        let Some(git) = &worktree.git else {
            return Err(Error::plain("cannot read attributes without git"));
        };
        let repo = git.repo.clone().with_object_memory();
        let own = match index {
            Some(_) => None,
            None => Some(Index::open(git, false)?),
        };
        let index = index.or(own.as_ref());
        let mut folders: BTreeSet<Option<RepoPath>> = BTreeSet::from([None]);
        folders.extend(written(plan).flat_map(|(path, _)| ancestors(path).map(Some)));
        let mut state = State::new(repo.object_hash());
        for folder in folders {
            let name = super::ids::attributes_of(folder.as_ref());
            let Ok(path) = RepoPath::new(name.clone()) else {
                continue;
            };
            let content = match plan.outputs().get(&path) {
                Some(Some(after)) => Some(after.content.clone()),
                // Where the file is gone, git asks the index.
                Some(None) if target == Target::WorktreeAndIndex => None,
                Some(None) => in_index(worktree, index, &path)?,
                None => match on_disk(worktree, &path)? {
                    Some(content) => Some(content),
                    None => in_index(worktree, index, &path)?,
                },
            };
            let Some(content) = content else { continue };
            let id = repo.write_blob(content.as_slice());
            let id = id.map_err(|e| Error::from_git("cannot keep a blob in memory", e))?;
            let (id, mode) = (id.detach(), EntryMode::FILE);
            let empty = (Stat::default(), Flags::empty());
            state.dangerously_push_entry(empty.0, id, empty.1, mode, name.as_bstr());
        }
        state.sort_entries();
        Ok(Self { repo, state })
    }
}

fn on_disk(worktree: &Worktree, path: &RepoPath) -> Result<Option<BString>, Error> {
    let cannot = |e| Error::io(format!("cannot read `{path}`"), e);
    let super::walk::Way::Open(place) = worktree.folders.way(path).map_err(cannot)? else {
        return Ok(None);
    };
    let found = disk::read(&place).map_err(cannot)?;
    // git looks through no link here.
    let found = found.filter(|file| file.ident.kind() == rustix::fs::FileType::RegularFile);
    Ok(found.map(|file| file.bytes))
}

fn in_index(
    worktree: &Worktree,
    index: Option<&Index>,
    path: &RepoPath,
) -> Result<Option<BString>, Error> {
    let entry = index.and_then(|index| index.entry(path));
    let id: Option<BlobId> = entry
        .filter(|entry| matches!(entry.mode(), Some(Mode::Regular | Mode::Executable)))
        .map(|entry| entry.id);
    id.map_or(Ok(None), |id| base::blob(worktree, id))
}
