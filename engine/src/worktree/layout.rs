//! The order of steps that turns the tree as it is into the tree as planned.
//!
//! A plan says what is at each path afterwards. That a file takes a folder's place, or a folder a
//! file's, is seen here, and refused where something else would be lost by it.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice as _};
use rustix::fs::{FileType, Mode as Permissions, OFlags, RawMode};

use super::disk;
use super::journal::own_name;
use super::read::Seen;
use super::steps::{Staged, Step};
use super::walk::{Folders, Way, ancestors};
use super::{Error, Stop};
use crate::outcome::{PathTrouble, Reason, Refusal, Refused};
use crate::patch::Mode;
use crate::path::{PathError, RepoPath};
use crate::plan::After;

type Outputs = BTreeMap<RepoPath, Option<After>>;

/// Decides the steps of transaction `id`.
///
/// # Errors
///
/// Refuses a plan that no order of steps can reach.
pub(super) fn steps(
    folders: &Folders,
    id: &str,
    outputs: &Outputs,
    seen: &BTreeMap<RepoPath, Seen>,
) -> Result<Vec<Staged>, Stop> {
    let mut layout = Layout {
        folders,
        outputs,
        id,
        count: 0,
        missing: BTreeSet::new(),
    };
    let (mut away, mut removed, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for (path, after) in outputs {
        if after.is_none() {
            away.extend(layout.away(path, seen.get(path))?);
            continue;
        }
        layout.check_way(path)?;
        layout.check_repository(path)?;
        written.push(layout.write(path, seen.get(path), &mut removed)?);
    }
    let made = layout
        .missing
        .into_iter()
        .map(|folder| Step::MakeFolder { folder });
    let steps = away.into_iter().chain(removed).chain(made).chain(written);
    Ok(steps.map(|step| Staged { step, new: None }).collect())
}

/// A folder's mode and owner, and what is in it: each name, and whether it is a folder.
type Listed = (RawMode, [u32; 2], Vec<(BString, bool)>);

struct Layout<'a> {
    folders: &'a Folders,
    outputs: &'a Outputs,
    id: &'a str,
    count: usize,
    missing: BTreeSet<RepoPath>,
}

impl Layout<'_> {
    fn away(&mut self, path: &RepoPath, seen: Option<&Seen>) -> Result<Option<Step>, Stop> {
        match seen {
            Some(Seen::File { .. }) => {
                let backup = self.own(path)?;
                Ok(Some(Step::Away {
                    target: path.clone(),
                    backup,
                }))
            }
            // Nothing is there: for a path that two edits made and took away again.
            Some(Seen::Absent) => Ok(None),
            _ => Err(refused(path, Reason::ForbiddenPath(PathTrouble::Folder))),
        }
    }

    /// Checks that every folder above `path` is there, or can be made, and notes the latter.
    fn check_way(&mut self, path: &RepoPath) -> Result<(), Stop> {
        for folder in ancestors(path) {
            if matches!(self.outputs.get(&folder), Some(Some(_))) {
                return Err(refused(path, Reason::ForbiddenPath(PathTrouble::NotFolder)));
            }
        }
        let cannot = |e| Error::io(format!("cannot look at `{path}`"), e);
        let first = match self.folders.way(path).map_err(cannot)? {
            Way::Open(_) => return Ok(()),
            Way::Missing(first) => first,
            Way::Blocked(first, trouble) => {
                let goes = matches!(self.outputs.get(&first), Some(None));
                let in_the_way = matches!(trouble, PathTrouble::Symlink | PathTrouble::NotFolder);
                if !(goes && in_the_way) {
                    return Err(refused(path, Way::barred(trouble)));
                }
                first
            }
        };
        let from = first.as_bstr().len();
        let below = ancestors(path).filter(|folder| folder.as_bstr().len() >= from);
        self.missing.extend(below);
        Ok(())
    }

    /// Refuses the file by which a folder becomes what git takes for a repository: its configuration
    /// names commands that git would run.
    fn check_repository(&self, path: &RepoPath) -> Result<(), Stop> {
        let cannot = |e| Error::io(format!("cannot look at `{path}`"), e);
        let folders = std::iter::once(None).chain(ancestors(path).map(Some));
        for folder in folders.filter(|folder| is_of_repository(folder.as_ref(), path)) {
            let has = |name: &str| self.has(folder.as_ref(), name).map_err(cannot);
            if has("HEAD")? && (has("commondir")? || has("objects")? && has("refs")?) {
                return Err(refused(path, Reason::ForbiddenPath(PathTrouble::Submodule)));
            }
        }
        Ok(())
    }

    /// Tells whether `folder` has something called `name` after the plan.
    fn has(&self, folder: Option<&RepoPath>, name: &str) -> std::io::Result<bool> {
        let path = match folder {
            Some(folder) => format_path(folder, name.as_bytes()),
            None => name.into(),
        };
        let Ok(path) = RepoPath::new(path) else {
            return Ok(false);
        };
        let text = path.as_bstr();
        let mut same = self
            .outputs
            .range(&path..)
            .take_while(|(other, _)| other.as_bstr().starts_with(text))
            .filter(|(other, _)| matches!(other.as_bstr().get(text.len()), None | Some(b'/')));
        if same.any(|(_, after)| after.is_some()) {
            return Ok(true);
        }
        if self.outputs.contains_key(&path) {
            return Ok(false);
        }
        match self.folders.way(&path)? {
            Way::Open(place) => Ok(disk::stat(&place)?.is_some()),
            _ => Ok(false),
        }
    }

    fn write(
        &mut self,
        path: &RepoPath,
        seen: Option<&Seen>,
        removed: &mut Vec<Step>,
    ) -> Result<Step, Stop> {
        let temp = self.own(path)?;
        match seen {
            Some(Seen::File { .. }) => {
                let spare = self.own(path)?;
                Ok(Step::Swap {
                    temp,
                    target: path.clone(),
                    spare,
                })
            }
            Some(Seen::Absent) => Ok(Step::Make {
                temp,
                target: path.clone(),
            }),
            Some(Seen::Folder) => {
                self.empty(path, removed)?;
                Ok(Step::Make {
                    temp,
                    target: path.clone(),
                })
            }
            _ => Err(refused(path, Reason::ForbiddenPath(PathTrouble::Special))),
        }
    }

    /// Checks that the plan takes away all that is in the folder `path`, and adds the steps that
    /// remove the folders, innermost first.
    fn empty(&self, path: &RepoPath, removed: &mut Vec<Step>) -> Result<(), Stop> {
        let mut open = vec![path.clone()];
        let mut found = Vec::new();
        while let Some(folder) = open.pop() {
            let cannot = |e| Error::io(format!("cannot read the folder `{folder}`"), e);
            let (mode, owner, names) = self.list(&folder).map_err(cannot)?;
            for (name, is_folder) in names {
                let below = RepoPath::new(format_path(&folder, &name));
                match below {
                    Ok(below) if is_folder => open.push(below),
                    Ok(below) if matches!(self.outputs.get(&below), Some(None)) => {}
                    _ => return Err(refused(path, Reason::ForbiddenPath(PathTrouble::Folder))),
                }
            }
            found.push(Step::RemoveFolder {
                folder,
                mode,
                owner,
            });
        }
        removed.extend(found.into_iter().rev());
        Ok(())
    }

    fn list(&self, folder: &RepoPath) -> std::io::Result<Listed> {
        let place = self.folders.place(folder)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let name = place.name.as_slice();
        let open = rustix::fs::openat(&place.folder, name, flags, Permissions::empty())?;
        let ident = disk::stat_open(&open)?;
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&open)? {
            let entry = entry?;
            let name = BString::from(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let ident = disk::stat_at(&open, &name)?;
            let is_folder = ident.is_some_and(|ident| ident.kind() == FileType::Directory);
            names.push((name, is_folder));
        }
        Ok((ident.mode & 0o7777, ident.owner, names))
    }

    /// Returns a new name of our own beside `path`, or in the nearest folder above it that is there
    /// and stays.
    fn own(&mut self, path: &RepoPath) -> Result<RepoPath, Stop> {
        let name = own_name(self.id, self.count);
        self.count += 1;
        for folder in ancestors(path) {
            if self.outputs.contains_key(&folder) {
                continue;
            }
            let cannot = |e| Error::io(format!("cannot look at `{folder}`"), e);
            let inside = RepoPath::new(format_path(&folder, name.as_bytes()));
            if let Ok(inside) = inside
                && matches!(self.folders.way(&inside).map_err(cannot)?, Way::Open(_))
                && !self.goes(&folder)
            {
                return Ok(inside);
            }
        }
        RepoPath::new(name).map_err(|_| Error::plain("cannot name a file of our own").into())
    }

    /// Tells whether a folder above `folder` becomes a file.
    fn goes(&self, folder: &RepoPath) -> bool {
        ancestors(folder).any(|above| matches!(self.outputs.get(&above), Some(Some(_))))
    }
}

/// Tells whether `path` has a name in `folder` that a repository has there.
fn is_of_repository(folder: Option<&RepoPath>, path: &RepoPath) -> bool {
    let at = folder.map_or(0, |folder| folder.components().count());
    let name = path.components().nth(at).unwrap_or_default();
    [&b"HEAD"[..], b"objects", b"refs", b"commondir"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

fn format_path(folder: &RepoPath, name: &[u8]) -> BString {
    bstr::join("/", [folder.as_bstr().as_bytes(), name]).into()
}

/// Refuses a plan that makes what no checkout may make, wherever the plan lands.
pub(super) fn check_kinds(outputs: &Outputs) -> Result<(), Stop> {
    outputs
        .iter()
        .filter_map(|(path, after)| Some((path, after.as_ref()?)))
        .try_for_each(|(path, after)| check_link(path, after))
}

/// The files that git reads as they stand in the tree, and through no link.
const READ_BY_GIT: [&str; 4] = [".gitattributes", ".gitignore", ".gitmodules", ".mailmap"];

/// Refuses links that lead into git's folder or out of the tree, and what git itself would not
/// follow.
fn check_link(path: &RepoPath, after: &After) -> Result<(), Stop> {
    match after.mode {
        Mode::Regular | Mode::Executable => return Ok(()),
        Mode::Gitlink => {
            return Err(refused(path, Reason::ForbiddenPath(PathTrouble::Submodule)));
        }
        Mode::Symlink => {}
    }
    let name = |error| Reason::ForbiddenPath(PathTrouble::Name(error));
    let last = path.components().next_back().unwrap_or_default();
    let is_link = Some(gix::validate::path::component::Mode::Symlink);
    let options = gix::validate::path::component::Options::default();
    let is_read = READ_BY_GIT
        .iter()
        .any(|known| last.eq_ignore_ascii_case(known.as_bytes()));
    if is_read || gix::validate::path::component(last, is_link, options).is_err() {
        return Err(refused(path, name(PathError::Reserved)));
    }
    let mut parts: Vec<&[u8]> = match path.as_bstr().rfind_byte(b'/') {
        Some(at) => path
            .as_bstr()
            .get(..at)
            .unwrap_or_default()
            .split(|b| *b == b'/')
            .collect(),
        None => Vec::new(),
    };
    if after.content.is_empty() || after.content.first() == Some(&b'/') {
        return Err(refused(path, Reason::OutsideTree(PathTrouble::Symlink)));
    }
    for part in after.content.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                if parts.pop().is_none() {
                    return Err(refused(path, Reason::OutsideTree(PathTrouble::Symlink)));
                }
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Ok(());
    }
    let target = RepoPath::new(BString::from(bstr::join("/", parts)));
    target
        .map(|_| ())
        .map_err(|error| refused(path, name(error)))
}

fn refused(path: &RepoPath, reason: Reason) -> Stop {
    Stop::Refused(Refused::one(Refusal::of_path(path.as_bstr(), reason)))
}
