//! Paths: as an edit spells them, and as places inside the working tree.
//!
//! A [`RepoPath`] can only be built from a name that stays inside the tree and outside of `.git`,
//! however the file system spells that. Whether a symbolic link stands in the way is the
//! worktree's to find out.

use std::fmt;

use bstr::{BStr, BString, ByteSlice as _};

/// A place in the working tree, from its root, with `/` between components.
///
/// No component is empty, `.`, `..` or a spelling of `.git`, and none holds a NUL or control byte.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(BString);

/// Why a name is no place in the working tree that may be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PathError {
    /// The name, or one of its components, is empty or `.`.
    Empty,
    /// It is absolute, and not below the working tree's root.
    Absolute,
    /// It has a component `..` that leads out of the tree.
    Parent,
    /// It holds a NUL or another control byte.
    Control,
    /// A component is `.git`, in a spelling that some file system takes for it.
    DotGit,
    /// A component is a name that some file system reserves or alters; refused for files that an
    /// edit creates.
    Reserved,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "has an empty component",
            Self::Absolute => "is an absolute path outside the working tree",
            Self::Parent => "leads out of the working tree through `..`",
            Self::Control => "holds a control byte",
            Self::DotGit => "names git's own folder",
            Self::Reserved => "is a name that not every file system can keep",
        })
    }
}

impl std::error::Error for PathError {}

impl RepoPath {
    /// Returns the place that `path` names from the tree's root.
    ///
    /// # Errors
    ///
    /// Any [`PathError`] but `Reserved`, which is asked for by [`RepoPath::check_creatable`].
    pub fn new(path: impl Into<BString>) -> Result<Self, PathError> {
        let path = path.into();
        if path.first() == Some(&b'/') {
            return Err(PathError::Absolute);
        }
        for component in path.split(|b| *b == b'/') {
            check_component(component)?;
        }
        Ok(Self(path))
    }

    /// Returns the name, from the root, with `/` between components.
    #[must_use]
    pub fn as_bstr(&self) -> &BStr {
        self.0.as_bstr()
    }

    /// Returns the components, outermost first.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &BStr> {
        self.0
            .split(|b| *b == b'/')
            .map(|component| component.as_bstr())
    }

    /// Returns the folder that holds this, or `None` where that is the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let at = self.0.rfind_byte(b'/')?;
        Some(Self(self.0.get(..at)?.into()))
    }

    /// Checks a name that an edit would create against the names that Windows and macOS alter, and
    /// for a symbolic link against those that git itself would follow.
    ///
    /// # Errors
    ///
    /// `Reserved` for a device name, a stream, a backslash, a trailing dot or blank, a link named
    /// as one of git's own files.
    pub fn check_creatable(&self, symlink: bool) -> Result<(), PathError> {
        use gix_validate::path::component::{Mode, Options};
        let mode = symlink.then_some(Mode::Symlink);
        for component in self.components() {
            gix_validate::path::component(component, mode, Options::default())
                .map_err(|_| PathError::Reserved)?;
            if component.ends_with(b" ") || component.ends_with(b".") {
                return Err(PathError::Reserved);
            }
        }
        Ok(())
    }
}

fn check_component(component: &[u8]) -> Result<(), PathError> {
    use gix_validate::path::component::{Error, Options};
    match component {
        b"" | b"." => return Err(PathError::Empty),
        b".." => return Err(PathError::Parent),
        _ => {}
    }
    if component.iter().any(u8::is_ascii_control) {
        return Err(PathError::Control);
    }
    let options = Options {
        protect_windows: false,
        protect_hfs: true,
        protect_ntfs: true,
    };
    match gix_validate::path::component(component.as_bstr(), None, options) {
        Err(Error::DotGitDir) => Err(PathError::DotGit),
        _ => Ok(()),
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// From where a spelled path counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelativeTo {
    /// The working tree's root, wherever the process stands: diffs, V4A, marker blocks.
    Root,
    /// The caller's directory; an absolute path below the root is taken too: JSON edits.
    Caller,
}

/// A path as an edit spells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathSpec {
    /// The spelling meant first, its quoting and `a/` `b/` prefixes removed.
    pub text: BString,
    /// From where it counts.
    pub relative_to: RelativeTo,
    /// A second spelling that the input allows (a prefix that only one side carried). Where both
    /// exist in the tree the path is ambiguous.
    pub or: Option<BString>,
    /// Nothing in the input prefers one spelling: where neither exists, the path is as ambiguous.
    pub even: bool,
}

impl PathSpec {
    /// Returns a path from the working tree's root, with no second spelling.
    #[must_use]
    pub fn from_root(text: impl Into<BString>) -> Self {
        Self {
            text: text.into(),
            relative_to: RelativeTo::Root,
            or: None,
            even: false,
        }
    }

    /// Returns a path from the caller's directory, with no second spelling.
    #[must_use]
    pub fn from_caller(text: impl Into<BString>) -> Self {
        Self {
            text: text.into(),
            relative_to: RelativeTo::Caller,
            or: None,
            even: false,
        }
    }
}

impl fmt::Display for PathSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.text, f)
    }
}
