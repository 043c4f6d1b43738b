//! Finds the working tree, and opens its repository where there is one.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use bstr::BString;
use gix::sec::Trust;

use super::Error;
use super::disk;
use super::walk::Folders;
use crate::path::RepoPath;

#[cfg(test)]
mod tests;

/// The repository of a working tree.
#[derive(Debug)]
pub(super) struct Git {
    pub(super) repo: gix::Repository,
    /// The working tree's own git folder, open.
    pub(super) dir: Rc<std::os::fd::OwnedFd>,
    pub(super) fold_case: bool,
    /// The executable bit of a file says what its mode is (`core.fileMode`).
    pub(super) file_mode: bool,
}

/// The root of a working tree with what is open of it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) root: PathBuf,
    pub(super) folders: Folders,
    pub(super) git: Option<Git>,
}

/// Finds the working tree that holds `dir`; without git that is `dir`.
pub(super) fn find(dir: &Path) -> Result<Found, Error> {
    let Some(repo) = repository(dir)? else {
        return Ok(Found {
            root: dir.to_owned(),
            folders: open_root(dir)?,
            git: None,
        });
    };
    if repo.git_dir_trust() != Trust::Full {
        let message = format!(
            "cannot trust the repository at `{}`: somebody else owns it (git's `safe.directory` \
             can allow it)",
            repo.git_dir().display()
        );
        return Err(Error::plain(message));
    }
    let Some(root) = repo.workdir().map(Path::to_owned) else {
        let at = repo.git_dir().display().to_string();
        return Err(Error::plain(format!(
            "cannot edit in `{at}`: a repository without files"
        )));
    };
    let mut folders = open_root(&root)?;
    let git = open_git(repo)?;
    let cannot = |e| Error::io("cannot look at the git folder".into(), e);
    folders.keep_out_of(&*git.dir).map_err(cannot)?;
    if git.repo.common_dir() != git.repo.git_dir() {
        folders
            .keep_out_of(open_folder(git.repo.common_dir())?)
            .map_err(cannot)?;
    }
    Ok(Found {
        root,
        folders,
        git: Some(git),
    })
}

fn open_root(root: &Path) -> Result<Folders, Error> {
    let flags = disk::FOLDER.difference(rustix::fs::OFlags::NOFOLLOW);
    // The root itself may be reached through links: it is the place that the caller named.
    let name = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let open = rustix::fs::open(name, flags, rustix::fs::Mode::empty());
    let open =
        open.map_err(|e| Error::io(format!("cannot open `{}`", root.display()), e.into()))?;
    Ok(Folders::new(open))
}

fn open_folder(folder: &Path) -> Result<std::os::fd::OwnedFd, Error> {
    let flags = disk::FOLDER.difference(rustix::fs::OFlags::NOFOLLOW);
    rustix::fs::open(folder, flags, rustix::fs::Mode::empty())
        .map_err(|e| Error::io("cannot open the git folder".into(), e.into()))
}

fn open_git(mut repo: gix::Repository) -> Result<Git, Error> {
    // An id that is not there must not make every lookup read the folder of packs again.
    repo.objects.refresh_never();
    let config = repo.config_snapshot();
    let fold_case = config.boolean("core.ignorecase").unwrap_or(false);
    let file_mode = config.boolean("core.filemode").unwrap_or(true);
    let dir = open_folder(repo.git_dir())?;
    Ok(Git {
        repo,
        dir: Rc::new(dir),
        fold_case,
        file_mode,
    })
}

/// Opens the repository that `dir` is in, as the environment says where its working tree holds
/// `dir` (git's hooks run so), else as found from `dir`.
fn repository(dir: &Path) -> Result<Option<gix::Repository>, Error> {
    if std::env::var_os("GIT_DIR").is_none() && is_plain(dir) {
        return Ok(None);
    }
    let options = options(true);
    if std::env::var_os("GIT_DIR").is_some() {
        let found =
            gix::ThreadSafeRepository::open_with_environment_overrides(dir, trust(&options));
        let found = found.map(gix::Repository::from).ok();
        if let Some(repo) = found.filter(|repo| holds(repo.workdir(), dir)) {
            return Ok(Some(repo));
        }
        // What the environment says is about another repository: its index above all.
        return discover(dir, &self::options(false));
    }
    discover(dir, &options)
}

/// Tells that neither `dir` nor a folder above it holds anything that a repository has: the common
/// case without git, for which the search through the library is most of what a small edit costs.
#[expect(
    clippy::disallowed_methods,
    reason = "the worktree is what touches the disk"
)]
fn is_plain(dir: &Path) -> bool {
    let absent = |path: PathBuf| {
        let found = rustix::fs::lstat(&path);
        matches!(found, Err(rustix::io::Errno::NOENT))
    };
    std::fs::canonicalize(dir).is_ok_and(|dir| {
        dir.ancestors()
            .all(|folder| absent(folder.join(".git")) && absent(folder.join("HEAD")))
    })
}

fn discover(dir: &Path, options: &gix::open::Options) -> Result<Option<gix::Repository>, Error> {
    let upwards = gix::discover::upwards::Options {
        match_ceiling_dir_or_error: false,
        ..gix::discover::upwards::Options::default().apply_environment()
    };
    match gix::ThreadSafeRepository::discover_opts(dir, upwards, trust(options)) {
        Ok(repo) => Ok(Some(repo.into())),
        Err(error) => {
            use gix::discover::upwards::Error as Upwards;
            match error.downcast_any_ref::<Upwards>() {
                Some(
                    Upwards::NoGitRepository { .. }
                    | Upwards::NoGitRepositoryWithinCeiling { .. }
                    | Upwards::NoGitRepositoryWithinFs { .. },
                ) => Ok(None),
                _ => Err(Error::from_git("cannot open the repository", error)),
            }
        }
    }
}

fn options(environment: bool) -> gix::open::Options {
    // Replacements would make an id mean other bytes than its own.
    let mut options = gix::open::Options::default()
        .config_overrides(["core.useReplaceRefs=false"])
        .lossy_config(true);
    if !environment {
        let mut permissions = gix::open::Permissions::default();
        permissions.env.git_prefix = gix::sec::Permission::Deny;
        options = options.permissions(permissions);
    }
    options
}

fn trust(options: &gix::open::Options) -> gix::sec::trust::Mapping<gix::open::Options> {
    gix::sec::trust::Mapping {
        full: options.clone(),
        reduced: options.clone(),
    }
}

/// Tells whether `dir` is `root` or below it.
#[expect(
    clippy::disallowed_methods,
    reason = "the worktree is what touches the disk"
)]
fn holds(root: Option<&Path>, dir: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    match (root.and_then(real), real(dir)) {
        (Some(root), Some(dir)) => dir.starts_with(root),
        _ => false,
    }
}

/// Returns the absolute names of `root`, and the folder below it that the caller stands in.
#[expect(
    clippy::disallowed_methods,
    reason = "the worktree is what touches the disk"
)]
pub(super) fn places(
    root: &Path,
    caller: &Path,
) -> Result<(Vec<BString>, Option<RepoPath>), Error> {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = |path: &Path| BString::from(path.as_os_str().as_bytes());
    let named = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let cannot = |e| Error::io(format!("cannot find `{}`", named.display()), e);
    let real = std::fs::canonicalize(named).map_err(cannot)?;
    let absolute = std::path::absolute(named).map_err(cannot)?;
    let caller = if caller.as_os_str().is_empty() {
        Path::new(".")
    } else {
        caller
    };
    let below = if caller == named {
        Some(real.clone())
    } else {
        std::fs::canonicalize(caller).ok()
    };
    let folder = below.as_deref();
    let folder = folder.and_then(|path| path.strip_prefix(&real).ok());
    let folder = folder
        .map(bytes)
        .filter(|path| !path.is_empty())
        .and_then(|path| RepoPath::new(path).ok());
    let shell = below.and_then(|below| named_by_shell(&below, folder.as_ref()));
    let mut roots = vec![bytes(&real), bytes(&absolute)];
    roots.extend(shell.as_deref().map(bytes));
    roots.dedup();
    Ok((roots, folder))
}

/// Returns the root as a shell knows it that walked to `caller`, `folder` below the root, through
/// links. `caller` is free of links itself.
#[expect(
    clippy::disallowed_methods,
    reason = "the worktree is what touches the disk"
)]
fn named_by_shell(caller: &Path, folder: Option<&RepoPath>) -> Option<PathBuf> {
    let shell = PathBuf::from(std::env::var_os("PWD")?);
    if shell == caller || std::fs::canonicalize(&shell).ok()? != caller {
        return None;
    }
    let up = folder.map_or(0, |folder| folder.components().count());
    let root = shell.ancestors().nth(up)?;
    // A link may lead straight into a folder of the tree: then what is above it is not the tree.
    let is_root = std::fs::canonicalize(root).ok()? == caller.ancestors().nth(up)?;
    is_root.then(|| root.to_owned())
}
