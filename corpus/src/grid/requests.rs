//! Where the files of `requests` come from: pip, by name, version and hash, into a folder that the
//! caller names. What is there already is not fetched again; the manifest checks either.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::CorpusError;

/// The wheel, as pip's hash-checking mode wants it named.
const WHEEL: &str = "requests==2.32.5 \
    --hash=sha256:2462f94637a34fd532264295e186976db0f5d453d1cdd31473c85a6a161affb6\n";

const NAME: &str = "requests-2.32.5";

/// Returns the root of `requests` 2.32.5 below `cache`, having fetched it if it is not there.
///
/// Half a fetch never stands under the final name.
///
/// # Errors
///
/// Where pip is missing, cannot get the wheel, or finds that it has another hash; or where the
/// folder cannot be written.
pub fn requests(cache: &Path) -> Result<PathBuf, CorpusError> {
    fetched(cache, Path::new("pip"))
}

#[expect(clippy::disallowed_methods, reason = "the corpus is files")]
fn fetched(cache: &Path, pip: &Path) -> Result<PathBuf, CorpusError> {
    let folder = cache.join(NAME);
    let root = folder.join("requests");
    if root.is_dir() {
        return Ok(root);
    }
    let partial = cache.join(format!("{NAME}.{}", std::process::id()));
    let cannot = |error| CorpusError::Fetch(NAME, format!("`{}`: {error}", cache.display()));
    std::fs::create_dir_all(&partial).map_err(cannot)?;
    let done = install(&partial, pip);
    let done = done.and_then(|()| {
        let moved = std::fs::rename(partial.join("files"), &folder);
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

/// Has pip unpack the wheel into `files` below `partial`.
#[expect(clippy::disallowed_methods, reason = "pip reads hashes from a file")]
fn install(partial: &Path, pip: &Path) -> Result<(), CorpusError> {
    let failed = |why: String| CorpusError::Fetch(NAME, why);
    let list = partial.join("list.txt");
    std::fs::write(&list, WHEEL).map_err(|error| failed(error.to_string()))?;
    let output = Command::new(pip)
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--no-compile", "--require-hashes"])
        .args(["--only-binary", ":all:", "--target"])
        .arg(partial.join("files"))
        .arg("--requirement")
        .arg(list)
        .output()
        .map_err(|error| failed(format!("`{}` does not start: {error}", pip.display())))?;
    if output.status.success() {
        return Ok(());
    }
    let talk = String::from_utf8_lossy(&output.stderr);
    let last = talk.lines().rev().find(|line| line.starts_with("ERROR"));
    let last = last.unwrap_or("pip says no more").to_owned();
    Err(failed(format!("pip, {}: {last}", output.status)))
}

#[cfg(test)]
mod tests;
