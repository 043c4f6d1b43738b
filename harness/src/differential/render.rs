//! Diffs as other programs print them.

use std::process::Command;

use bstr::ByteSlice as _;

use crate::Trouble;
use crate::process::{Git, run};
use crate::rng::Rng;

/// A program that prints diffs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renderer {
    /// `git diff --no-index`, which prints section headings.
    Git,
    /// The crate `diffy`.
    Diffy,
    /// The crate `similar`.
    Similar,
}

impl Renderer {
    /// Every renderer.
    pub(crate) const ALL: [Self; 3] = [Self::Git, Self::Diffy, Self::Similar];
}

/// Returns the hunks of the diff from `old` to `new`, without file headers.
pub(crate) fn hunks(
    renderer: Renderer,
    old: &[u8],
    new: &[u8],
    context: usize,
) -> Result<Vec<u8>, Trouble> {
    let mut text = Vec::new();
    match renderer {
        Renderer::Git => text = git_diff(old, new, context)?,
        Renderer::Diffy => {
            let mut options = diffy::DiffOptions::new();
            let patch = options
                .set_context_len(context)
                .create_patch_bytes(old, new);
            text = patch.to_bytes();
        }
        Renderer::Similar => {
            let diff = similar::TextDiff::from_lines(old, new);
            diff.unified_diff()
                .context_radius(context)
                .to_writer(&mut text)?;
        }
    }
    let start = if text.starts_with(b"@@ ") {
        Some(0)
    } else {
        text.find("\n@@ ").map(|at| at + 1)
    };
    Ok(start
        .and_then(|start| text.get(start..))
        .unwrap_or_default()
        .to_vec())
}

#[expect(clippy::disallowed_methods, reason = "git compares files on disk")]
fn git_diff(old: &[u8], new: &[u8], context: usize) -> Result<Vec<u8>, Trouble> {
    let folder = tempfile::tempdir()?;
    for (name, content) in [("old", old), ("new", new)] {
        std::fs::write(folder.path().join(name), content)?;
    }
    let context = format!("-U{context}");
    let args = [
        "diff",
        "--no-index",
        "--no-color",
        "--text",
        &context,
        "old",
        "new",
    ];
    let done = Git::at(folder.path()).attempt(&args, b"")?;
    match done.status {
        Some(0 | 1) => Ok(done.stdout),
        _ => Err(format!("git diff: {}", done.stderr.as_bstr()).into()),
    }
}

/// Returns the ids that git gives the two contents.
#[expect(clippy::disallowed_methods, reason = "git hashes files on disk")]
pub(crate) fn ids(old: &[u8], new: &[u8]) -> Result<(String, String), Trouble> {
    let folder = tempfile::tempdir()?;
    for (name, content) in [("old", old), ("new", new)] {
        std::fs::write(folder.path().join(name), content)?;
    }
    let mut git = Command::new("git");
    git.current_dir(folder.path())
        .args(["hash-object", "--no-filters", "old", "new"]);
    let done = run(&mut git, b"")?;
    let text = done.stdout.to_str()?.to_owned();
    let mut lines = text.lines().map(str::to_owned);
    Ok((lines.next().ok_or("no id")?, lines.next().ok_or("no id")?))
}

/// Returns the hunks with all of their line numbers off, by one distance or each by its own.
pub(crate) fn misnumber(hunks: &[u8], rng: &mut Rng) -> Vec<u8> {
    let each = rng.chance(50);
    let mut off = 1 + rng.below(60);
    let mut out = Vec::new();
    for line in hunks.lines_with_terminator() {
        let moved = line.to_str().ok().and_then(|line| {
            if each {
                off = 1 + rng.below(60);
            }
            renumber(line, off)
        });
        out.extend_from_slice(moved.as_deref().unwrap_or(line));
    }
    out
}

/// Returns a hunk header with `off` added to both of its starts; `None` for any other line.
fn renumber(line: &str, off: usize) -> Option<Vec<u8>> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, rest) = rest.split_once(" @@")?;
    let shift = |range: &str| {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some(format!("{},{count}", start.parse::<usize>().ok()? + off))
    };
    Some(format!("@@ -{} +{} @@{rest}", shift(old)?, shift(new)?).into_bytes())
}
