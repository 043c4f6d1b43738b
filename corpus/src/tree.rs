//! A folder's content as a value: paths and bytes.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice as _};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File {
        /// Its bytes.
        content: BString,
        /// Whether its owner may run it.
        executable: bool,
    },
    /// A symbolic link, with its target.
    Link(BString),
    /// Anything else but a folder: a pipe, a socket, a device.
    Special,
}

/// Every file below a folder by its path from there, git's own folder aside. Folders are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    entries: BTreeMap<BString, Entry>,
}

impl Tree {
    /// Reads what stands below `root`. A root that does not exist is an empty tree.
    ///
    /// # Errors
    ///
    /// Where a folder or file cannot be read.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Self::default();
        if root.is_dir() {
            tree.read_folder(root, root)?;
        }
        Ok(tree)
    }

    #[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
    fn read_folder(&mut self, root: &Path, folder: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            if folder == root && entry.file_name() == ".git" {
                continue;
            }
            let found = if kind.is_dir() {
                self.read_folder(root, &path)?;
                continue;
            } else if kind.is_symlink() {
                Entry::Link(
                    std::fs::read_link(&path)?
                        .into_os_string()
                        .into_vec()
                        .into(),
                )
            } else if kind.is_file() {
                let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
                Entry::File {
                    content: std::fs::read(&path)?.into(),
                    executable,
                }
            } else {
                Entry::Special
            };
            let key = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .as_os_str()
                .as_bytes();
            self.entries.insert(key.into(), found);
        }
        Ok(())
    }

    /// Writes every entry below `root`, which need not exist.
    ///
    /// # Errors
    ///
    /// Where something cannot be written, or is [`Entry::Special`].
    #[expect(clippy::disallowed_methods, reason = "the corpus lives on disk")]
    pub fn write(&self, root: &Path) -> io::Result<()> {
        std::fs::create_dir_all(root)?;
        for (path, entry) in &self.entries {
            let path = root.join(to_path(path.as_bstr()));
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            match entry {
                Entry::File {
                    content,
                    executable,
                } => {
                    std::fs::write(&path, content)?;
                    let mode = if *executable { 0o755 } else { 0o644 };
                    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
                }
                Entry::Link(target) => {
                    std::os::unix::fs::symlink(to_path(target.as_bstr()), &path)?;
                }
                Entry::Special => return Err(io::Error::other("cannot make a special file")),
            }
        }
        Ok(())
    }

    /// Puts `entry` at `path`, in place of what stood there.
    pub fn insert(&mut self, path: impl Into<BString>, entry: Entry) {
        self.entries.insert(path.into(), entry);
    }

    /// Returns what stands at `path`.
    #[must_use]
    pub fn get(&self, path: &BStr) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Sets the executable bit of the file at `path`; tells whether there is one.
    pub fn set_executable(&mut self, path: &BStr, on: bool) -> bool {
        match self.entries.get_mut(path) {
            Some(Entry::File { executable, .. }) => {
                *executable = on;
                true
            }
            _ => false,
        }
    }

    /// Returns every path with what stands there, in order of bytes.
    pub fn iter(&self) -> impl Iterator<Item = (&BStr, &Entry)> {
        self.entries
            .iter()
            .map(|(path, entry)| (path.as_bstr(), entry))
    }

    /// Returns the first path where `self` and `other` differ, and how, in words.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let paths = self.entries.keys().chain(other.entries.keys());
        paths
            .filter(|path| self.entries.get(*path) != other.entries.get(*path))
            .min()
            .map(|path| {
                let how = match (self.entries.get(path), other.entries.get(path)) {
                    (None, Some(_)) => "should not be there",
                    (Some(_), None) => "is missing",
                    (
                        Some(Entry::File { content: a, .. }),
                        Some(Entry::File { content: b, .. }),
                    ) if a == b => "has the wrong mode",
                    _ => "has the wrong content",
                };
                format!("`{}` {how}", path.as_bstr())
            })
    }
}

/// Returns `bytes` as a path, byte for byte.
pub(crate) fn to_path(bytes: &BStr) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec()))
}
