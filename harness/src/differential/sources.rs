//! Real files to edit: the sources of our own dependencies, and Python's library where it is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use bstr::ByteSlice as _;

use crate::Trouble;
use crate::process::run;

/// A real file.
#[derive(Debug)]
pub(crate) struct Source {
    /// How its name ends, without the dot.
    pub(crate) extension: &'static str,
    /// Its bytes: text, in lines that end in LF.
    pub(crate) content: Vec<u8>,
}

/// Lines that a file must have to be of use, and may have.
const LINES: std::ops::RangeInclusive<usize> = 30..=900;

/// Files that are read at most of each kind, spread evenly over what there is.
const FILES: usize = 600;

/// Reads the files, in an order that does not depend on the machine's folders.
pub(crate) fn sources() -> Result<Vec<Source>, Trouble> {
    let mut rust = Vec::new();
    for (name, folder) in packages()? {
        list(&folder.join("src"), "rs", &name, &mut rust)?;
    }
    let mut python = Vec::new();
    if let Some(folder) = python_library() {
        list(&folder, "py", "", &mut python)?;
    }
    let mut sources = Vec::new();
    for (mut files, extension) in [(rust, "rs"), (python, "py")] {
        files.sort();
        let stride = files.len().div_ceil(FILES).max(1);
        for (_, path) in files.iter().step_by(stride) {
            sources.extend(read(path, extension)?);
        }
    }
    if sources.is_empty() {
        Err("no source files found to edit".into())
    } else {
        Ok(sources)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the harness reads what it edits copies of"
)]
fn read(path: &Path, extension: &'static str) -> Result<Option<Source>, Trouble> {
    let content = std::fs::read(path)?;
    let plain = content
        .to_str()
        .is_ok_and(|text| !text.contains(['\r', '\0', '\u{b}', '\u{c}']));
    let fits = LINES.contains(&content.lines().count());
    Ok((plain && fits).then_some(Source { extension, content }))
}

/// Returns name and folder of every package that the workspace depends on.
fn packages() -> Result<Vec<(String, PathBuf)>, Trouble> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--format-version", "1", "--locked"]);
    let done = run(&mut cargo, b"")?;
    if done.status != Some(0) {
        return Err(format!("cargo metadata: {}", done.stderr.as_bstr()).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&done.stdout)?;
    let packages = metadata
        .get("packages")
        .and_then(serde_json::Value::as_array);
    let package = |package: &serde_json::Value| {
        let text = |key: &str| package.get(key).and_then(serde_json::Value::as_str);
        text("source")?;
        let folder = Path::new(text("manifest_path")?).parent()?.to_owned();
        Some((format!("{} {}", text("name")?, text("version")?), folder))
    };
    Ok(packages.into_iter().flatten().filter_map(package).collect())
}

fn python_library() -> Option<PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let done = run(Command::new("python3").args(["-c", script]), b"").ok()?;
    let folder = PathBuf::from(done.stdout.trim_ascii().to_str().ok()?);
    folder.is_dir().then_some(folder)
}

/// Adds every file below `folder` that ends in `extension`, with a key to sort by.
#[expect(
    clippy::disallowed_methods,
    reason = "the harness looks for files to edit copies of"
)]
fn list(
    folder: &Path,
    extension: &str,
    key: &str,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Trouble> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let key = format!("{key}/{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !matches!(&*name, "site-packages" | "dist-packages" | "__pycache__") {
            list(&entry.path(), extension, &key, files)?;
        } else if kind.is_file() && entry.path().extension().is_some_and(|e| e == extension) {
            files.push((key, entry.path()));
        }
    }
    Ok(())
}
