//! Where the extended corpora come from: each registry's own tool, by name and version, into a
//! folder that the caller names. What is there already is not fetched again; the listing checks
//! either.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::CorpusError;
use super::language::{Library, Package, Registry};
use super::sample::files_of;

/// The programs that fetch and unpack.
#[derive(Debug)]
struct Tools {
    cargo: &'static str,
    npm: &'static str,
    tar: &'static str,
    apt_get: &'static str,
    dpkg: &'static str,
}

const TOOLS: Tools = Tools {
    cargo: "cargo",
    npm: "npm",
    tar: "tar",
    apt_get: "apt-get",
    dpkg: "dpkg-deb",
};

/// Returns the folder that fetched sources are kept in where nobody names another:
/// `$SUREFOOT_CORPUS`, or `surefoot/corpus` in the user's cache. `None` where the user has none.
#[must_use]
pub fn cache() -> Option<PathBuf> {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = named("SUREFOOT_CORPUS") {
        return Some(folder.into());
    }
    let home = || Some(Path::new(&named("HOME")?).join(".cache"));
    let user = named("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(user.join("surefoot/corpus"))
}

/// Returns the root of `library` below `cache`, having fetched it if it is not there, and having
/// checked every file.
///
/// # Errors
///
/// As [`obtain`], and where a file is missing, is not the pinned one, or is one too many.
pub fn fetch(library: &Library, cache: &Path) -> Result<PathBuf, CorpusError> {
    let root = obtain(library, cache)?;
    library.listing()?.check(library, &root)?;
    Ok(root)
}

/// Returns the root of `library` below `cache`, having fetched it if it is not there, whatever its
/// files are. Half a fetch never stands under the final name.
///
/// # Errors
///
/// Where a tool is missing or cannot get a package, where a package has no file of the language, or
/// where the folder cannot be written.
pub fn obtain(library: &Library, cache: &Path) -> Result<PathBuf, CorpusError> {
    TOOLS.obtain(library, cache)
}

impl Tools {
    #[expect(clippy::disallowed_methods, reason = "the corpus is files")]
    fn obtain(&self, library: &Library, cache: &Path) -> Result<PathBuf, CorpusError> {
        let name = library.language.name;
        let root = cache.join(name);
        if root.is_dir() {
            return Ok(root);
        }
        let partial = cache.join(format!("{name}.{}", std::process::id()));
        let cannot = |error| CorpusError::Fetch(name, format!("`{}`: {error}", cache.display()));
        std::fs::create_dir_all(partial.join("files")).map_err(cannot)?;
        let done = self.fill(library, &partial).and_then(|()| {
            let moved = std::fs::rename(partial.join("files"), &root);
            // Another process may have been faster, with the same files.
            if root.is_dir() {
                Ok(())
            } else {
                moved.map_err(cannot)
            }
        });
        // Best effort: nothing reads it, and the reason that we have counts for more.
        drop(std::fs::remove_dir_all(&partial));
        done.map(|()| root)
    }

    /// Puts what `library` takes of its packages into `files` below `partial`.
    fn fill(&self, library: &Library, partial: &Path) -> Result<(), CorpusError> {
        for package in library.packages {
            let whole = match package.registry {
                Registry::Crates => self.of_cargo(package, partial)?,
                Registry::Npm => self.of_npm(package, partial)?,
                Registry::Debian => self.of_debian(package, partial)?,
            };
            let from = whole.join(package.folder);
            let to = partial.join("files").join(package.folder_name());
            copy(library, package, &from, &to)?;
        }
        Ok(())
    }

    /// Has cargo resolve a package that depends on this one, and say where its sources are.
    #[expect(clippy::disallowed_methods, reason = "cargo reads a manifest")]
    fn of_cargo(&self, package: &Package, partial: &Path) -> Result<PathBuf, CorpusError> {
        let folder = partial.join(package.folder_name());
        let manifest = format!(
            "[package]\nname = \"pin\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
             [dependencies]\n{} = {{ version = \"={}\", default-features = false }}\n",
            package.name, package.version
        );
        let cannot = |error: std::io::Error| package.failed(error.to_string());
        std::fs::create_dir_all(folder.join("src")).map_err(cannot)?;
        std::fs::write(folder.join("src/lib.rs"), "").map_err(cannot)?;
        std::fs::write(folder.join("Cargo.toml"), manifest).map_err(cannot)?;
        let metadata = |more: &[&str]| {
            let arguments = [&["metadata", "--format-version", "1"], more].concat();
            run(package, &folder, self.cargo, arguments)
        };
        // What is on this machine already needs no registry.
        let output = metadata(&["--offline"]).or_else(|_| metadata(&[]))?;
        let told: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| package.failed(format!("cargo's answer: {error}")))?;
        let all = told["packages"].as_array().into_iter().flatten();
        let is = |found: &&serde_json::Value| {
            found["name"] == package.name && found["version"] == package.version
        };
        let found = all.into_iter().find(is);
        let manifest = found.and_then(|found| found["manifest_path"].as_str());
        let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
        folder
            .map(Path::to_owned)
            .ok_or_else(|| package.failed("cargo names no sources of it".to_owned()))
    }

    /// Has npm fetch the package's archive, and tar unpack it.
    fn of_npm(&self, package: &Package, partial: &Path) -> Result<PathBuf, CorpusError> {
        let named = format!("{}@{}", package.name, package.version);
        let folder = new_folder(package, partial)?;
        run(
            package,
            &folder,
            self.npm,
            ["pack", "--ignore-scripts", &named],
        )?;
        let archive = only(package, &folder, "tgz")?;
        let unpack = [OsStr::new("-xzf"), archive.as_os_str()];
        run(package, &folder, self.tar, unpack)?;
        Ok(folder.join("package"))
    }

    /// Has apt fetch the package's archive, and dpkg unpack it.
    fn of_debian(&self, package: &Package, partial: &Path) -> Result<PathBuf, CorpusError> {
        let named = format!("{}={}", package.name, package.version);
        let folder = new_folder(package, partial)?;
        run(package, &folder, self.apt_get, ["download", &named])?;
        let archive = only(package, &folder, "deb")?;
        let unpack = [OsStr::new("-x"), archive.as_os_str(), OsStr::new(".")];
        run(package, &folder, self.dpkg, unpack)?;
        Ok(folder)
    }
}

impl Package {
    /// Returns the name of its folder below the library's root.
    fn folder_name(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    fn failed(&self, why: String) -> CorpusError {
        CorpusError::Fetch(self.name, why)
    }
}

/// Copies what `library` takes of the folder `from` of `package`. Links are not followed.
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn copy(library: &Library, package: &Package, from: &Path, to: &Path) -> Result<(), CorpusError> {
    let paths = files_of(library.language, from)?.into_iter();
    let mut taken = paths.filter(|path| library.takes(path)).peekable();
    if taken.peek().is_none() {
        let why = format!("its version {} has no such file", package.version);
        return Err(package.failed(why));
    }
    for path in taken {
        let target = to.join(&path);
        let cannot = |error| CorpusError::Read(target.clone(), error);
        std::fs::create_dir_all(target.parent().unwrap_or(to)).map_err(cannot)?;
        std::fs::copy(from.join(&path), &target).map_err(cannot)?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn new_folder(package: &Package, partial: &Path) -> Result<PathBuf, CorpusError> {
    let folder = partial.join(package.folder_name());
    let done = std::fs::create_dir_all(&folder);
    done.map_err(|error| package.failed(error.to_string()))?;
    // The tools run in it, and some take a relative name for one below it.
    std::path::absolute(&folder).map_err(|error| package.failed(error.to_string()))
}

/// Returns the one file in `folder` whose name ends in `extension`.
#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn only(package: &Package, folder: &Path, extension: &str) -> Result<PathBuf, CorpusError> {
    let cannot = |error: std::io::Error| package.failed(error.to_string());
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|found| found == extension) {
            return Ok(path);
        }
    }
    Err(package.failed(format!("no .{extension} file came")))
}

/// Runs `program` in `folder`, and quotes it where it fails.
fn run(
    package: &Package,
    folder: &Path,
    program: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<Output, CorpusError> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| package.failed(format!("`{program}` does not start: {error}")))?;
    if output.status.success() {
        return Ok(output);
    }
    let talk = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &&str| {
        let starts = ["error", "E: ", "npm error", "npm ERR!"];
        starts.iter().any(|start| line.starts_with(start))
    };
    let mut lines = talk.lines();
    let said = lines.clone().find(is_error);
    let said = said.or_else(|| lines.rfind(|line| !line.trim().is_empty()));
    let said = said.unwrap_or("it says no more");
    Err(package.failed(format!("{program}, {}: {said}", output.status)))
}

#[cfg(test)]
mod tests;
