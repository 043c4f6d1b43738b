//! What an author may have seen: blobs of the object database, by id, prefix or revision.

use bstr::{BString, ByteSlice as _};

use super::discover::Git;
use super::{Error, Worktree, disk};
use crate::blob::{BlobId, IdPrefix};
use crate::patch::Edit;
use crate::path::RepoPath;
use crate::preimage::Preimages;

/// What `--base` names.
#[derive(Clone, Copy, Debug)]
pub(super) enum BaseOption {
    /// One blob, for a patch of one file.
    Blob(BlobId),
    /// A tree, with a blob for each path.
    Tree(gix::ObjectId),
}

impl BaseOption {
    /// Finds what `name` means.
    ///
    /// # Errors
    ///
    /// Where it means nothing, or several things.
    pub(super) fn resolve(worktree: &Worktree, name: Option<&str>) -> Result<Option<Self>, Error> {
        let Some(name) = name else { return Ok(None) };
        let Some(git) = &worktree.git else {
            return Err(Error::plain(format!(
                "cannot find the base `{name}` without git"
            )));
        };
        let cannot = |e| Error::from_git(&format!("cannot find the base `{name}`"), e);
        let id = git
            .repo
            .rev_parse_single(name.as_bytes().as_bstr())
            .map_err(cannot)?;
        let object = id.object().map_err(cannot)?;
        if object.kind == gix::objs::Kind::Blob {
            return Ok(Some(Self::Blob(BlobId(object.id))));
        }
        let tree = object.peel_to_tree().map_err(cannot)?;
        Ok(Some(Self::Tree(tree.id)))
    }
}

/// Adds the blobs that `edits` and `--base` name as what was seen.
pub(super) fn insert_blobs(
    worktree: &Worktree,
    edits: &[&Edit],
    base: Option<&BaseOption>,
    preimages: &mut Preimages,
) -> Result<(), Error> {
    let Some(git) = &worktree.git else {
        return Ok(());
    };
    let mut asked = std::collections::BTreeSet::new();
    for prefix in edits
        .iter()
        .filter_map(|edit| edit.base.as_ref())
        .map(crate::patch::Base::blob)
    {
        if prefix.is_null() || !asked.insert(prefix) {
            continue;
        }
        // The files' own contents are at hand already.
        if preimages
            .iter()
            .any(|(_, file)| file.blob.is_some_and(|id| prefix.matches(&id)))
        {
            continue;
        }
        if let Some(id) = find(git, prefix)?
            && let Some(content) = blob(worktree, id)?
        {
            preimages.insert_blob(id, content);
        }
    }
    match base {
        Some(base) => insert_base(worktree, git, *base, preimages),
        None => Ok(()),
    }
}

/// Gives each file the base that `--base` says it has.
fn insert_base(
    worktree: &Worktree,
    git: &Git,
    base: BaseOption,
    preimages: &mut Preimages,
) -> Result<(), Error> {
    let files: Vec<_> = preimages
        .iter()
        .map(|(path, file)| (path.clone(), file.clone()))
        .collect();
    if matches!(base, BaseOption::Blob(_)) && files.len() > 1 {
        let message = "cannot take one blob as the base of several files";
        return Err(Error::plain(message));
    }
    for (path, mut file) in files {
        file.base = match base {
            BaseOption::Blob(id) => Some(id),
            BaseOption::Tree(tree) => blob_in_tree(git, tree, &path)?,
        };
        if let Some(id) = file.base
            && let Some(content) = blob(worktree, id)?
        {
            preimages.insert_blob(id, content);
        }
        preimages.insert(path, file);
    }
    Ok(())
}

/// Returns the one blob whose id begins with `prefix`.
fn find(git: &Git, prefix: &IdPrefix) -> Result<Option<BlobId>, Error> {
    let cannot = |e| Error::from_git(&format!("cannot look for blob {prefix}"), e);
    let hex = prefix.as_str();
    if hex.len() == git.repo.object_hash().len_in_hex() {
        return Ok(gix::ObjectId::from_hex(hex.as_bytes()).ok().map(BlobId));
    }
    let Ok(prefix) = gix::hash::Prefix::from_hex(hex) else {
        return Ok(None);
    };
    let found = git
        .repo
        .objects
        .lookup_prefix(prefix, None)
        .map_err(cannot)?;
    Ok(found.and_then(Result::ok).map(BlobId))
}

/// Returns the content of blob `id`; `None` where there is no such blob, or it is over 1 GiB.
pub(super) fn blob(worktree: &Worktree, id: BlobId) -> Result<Option<BString>, Error> {
    let Some(git) = &worktree.git else {
        return Ok(None);
    };
    let cannot = |e| Error::from_git(&format!("cannot read blob {id}"), e);
    let Some(header) = git.repo.try_find_header(id.0).map_err(cannot)? else {
        return Ok(None);
    };
    let fits = i128::from(header.size()) <= disk::MOST_BYTES;
    if header.kind() != gix::objs::Kind::Blob || !fits {
        return Ok(None);
    }
    let object = git.repo.try_find_object(id.0).map_err(cannot)?;
    Ok(object.map(|mut object| std::mem::take(&mut object.data).into()))
}

/// Returns the blob at `path` in `tree`.
pub(super) fn blob_in_tree(
    git: &Git,
    tree: gix::ObjectId,
    path: &RepoPath,
) -> Result<Option<BlobId>, Error> {
    let cannot = |e| Error::from_git(&format!("cannot look for `{path}` in a tree"), e);
    let tree = git.repo.find_tree(tree).map_err(cannot)?;
    let names = path.as_bstr().split(|b| *b == b'/').map(Name);
    let entry = tree.lookup_entry(names).map_err(cannot)?;
    Ok(entry
        .filter(|entry| entry.mode().is_blob())
        .map(|entry| BlobId(entry.object_id())))
}

/// A component, to compare with a tree's names.
struct Name<'a>(&'a [u8]);

impl PartialEq<bstr::BStr> for Name<'_> {
    fn eq(&self, other: &bstr::BStr) -> bool {
        self.0 == other.as_bytes()
    }
}
