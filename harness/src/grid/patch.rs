//! GNU patch, the real program.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Trouble;

/// The file's name in diffs for it.
pub(super) const NAME: &str = "file.py";

/// Applies `diff` to `file` with this fuzz factor. `None`: patch refused it.
///
/// # Errors
///
/// Where there is no `patch`, or the scratch folder cannot be written: that is no outcome.
#[expect(clippy::disallowed_methods, reason = "patch reads and writes files")]
pub(super) fn apply(
    file: &str,
    diff: &str,
    fuzz: u8,
    scratch: &Path,
) -> Result<Option<String>, Trouble> {
    let [old, edit, new] = [NAME, "edit.diff", "out.py"].map(|name| scratch.join(name));
    std::fs::write(&old, file)?;
    std::fs::write(&edit, diff)?;
    let status = Command::new("patch")
        .args(["-f", "-s", &format!("-F{fuzz}"), "-r", "-", "-o"])
        .args([&new, &old, &edit])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run GNU patch, which the grid compares with: {error}"))?;
    if !status.success() {
        return Ok(None);
    }
    Ok(Some(std::fs::read_to_string(&new)?))
}
