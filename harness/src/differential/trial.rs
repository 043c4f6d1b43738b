//! One trial: a real file, an edit to it as a diff, and what became of the file meanwhile.

use std::fmt::Write as _;

use bstr::ByteSlice as _;

use super::drift::{self, Drift};
use super::render::{self, Renderer};
use super::sources::Source;
use super::truth::{self, Known};
use crate::Trouble;
use crate::rng::Rng;

/// A diff, the file that it meets, and the one right result.
#[derive(Debug)]
pub(crate) struct Trial {
    /// The file's path.
    pub(crate) path: String,
    /// Its path after, where the diff renames it.
    pub(crate) renamed: Option<String>,
    /// What the author saw; `None` where the diff creates the file.
    pub(crate) base: Option<Vec<u8>>,
    /// What stands there now.
    pub(crate) file: Option<Vec<u8>>,
    /// Whether the file may be run, before and after.
    pub(crate) executable: (bool, bool),
    /// The diff.
    pub(crate) diff: Vec<u8>,
    /// Whether the diff names blobs.
    pub(crate) has_ids: bool,
    /// Lines of context around each change.
    pub(crate) context: usize,
    /// Right results: at most one, and none where only a refusal is right.
    pub(crate) truth: Truth,
    /// What surrounds the file.
    pub(crate) place: Place,
    /// What happened to the file.
    pub(crate) drifts: Vec<Drift>,
    /// Whether the line numbers of the diff are wrong.
    pub(crate) misnumbered: bool,
}

impl Trial {
    /// Tells whether anything but the file's present text could show where the edit belongs: ids,
    /// or that nothing else looks like the place. Without that, a copy is as good as the original.
    pub(crate) fn is_decidable(&self) -> bool {
        let copied = |drift: &Drift| matches!(drift, Drift::Copy | Drift::Decoy);
        self.has_ids || !self.drifts.iter().any(copied)
    }
}

/// The one right result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    /// The file has this content.
    Content(Vec<u8>),
    /// The file is gone.
    Gone,
    /// There is none: only a refusal is right.
    Refusal,
}

/// What surrounds the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A plain folder.
    Plain,
    /// A repository whose index has what the author saw.
    BaseInIndex,
    /// A repository whose index has the file as it is, and which holds what the author saw.
    BlobKnown,
    /// A repository whose index has the file as it is, and which never held another.
    BlobUnknown,
}

impl Place {
    /// Every place.
    const ALL: [Self; 4] = [
        Self::Plain,
        Self::BaseInIndex,
        Self::BlobKnown,
        Self::BlobUnknown,
    ];
}

/// Makes the trial that follows from `rng`. `None` where the edit came out as no change.
pub(crate) fn make(sources: &[Source], rng: &mut Rng) -> Result<Option<Trial>, Trouble> {
    let Some(source) = rng.pick(sources) else {
        return Ok(None);
    };
    let base = dress(&source.content, rng);
    let new = edit(&base, rng);
    let (old_text, new_text) = (base.concat(), new.concat());
    let context = *rng.pick(&[0, 1, 2, 3, 3, 3, 3, 5]).unwrap_or(&3);
    let renderer = *rng.pick(&Renderer::ALL).unwrap_or(&Renderer::Git);
    let whole = rng.below(100);
    let path = format!("lib/file.{}", source.extension);
    if whole < 4 {
        return create(path, new_text, rng).map(Some);
    }
    if whole < 8 {
        return delete(path, &base, rng).map(Some);
    }
    let hunks = render::hunks(renderer, &old_text, &new_text, context)?;
    let Some(changes) = truth::read(&hunks).filter(|changes| !changes.hunks.is_empty()) else {
        return Ok(None);
    };
    let mut file: Vec<Known> = base
        .iter()
        .enumerate()
        .map(|(at, text)| Known {
            from: Some(at),
            text: text.clone(),
        })
        .collect();
    let drifts = drift::apply(&mut file, &changes, rng);
    let misnumbered = rng.chance(12);
    let hunks = if misnumbered {
        render::misnumber(&hunks, rng)
    } else {
        hunks
    };
    let renamed = rng
        .chance(6)
        .then(|| format!("lib/moved.{}", source.extension));
    let executable = if rng.chance(8) {
        (rng.chance(50), rng.chance(50))
    } else {
        (false, false)
    };
    let ids = if rng.chance(60) {
        Some(render::ids(&old_text, &new_text)?)
    } else {
        None
    };
    let header = header(&path, renamed.as_deref(), executable, ids.as_ref(), rng);
    let truth = truth::apply(&file, &base, &changes).map_or(Truth::Refusal, Truth::Content);
    Ok(Some(Trial {
        path,
        renamed,
        base: Some(old_text),
        file: Some(file.into_iter().flat_map(|line| line.text).collect()),
        executable,
        diff: [header.into_bytes(), hunks].concat(),
        has_ids: ids.is_some(),
        context,
        truth,
        place: *rng.pick(&Place::ALL).unwrap_or(&Place::Plain),
        drifts,
        misnumbered,
    }))
}

/// Returns the lines of a file, some with CR LF, some without a final newline.
fn dress(content: &[u8], rng: &mut Rng) -> Vec<Vec<u8>> {
    let crlf = rng.chance(10);
    let bare_end = rng.chance(12);
    let lines = content
        .lines()
        .map(|line| [line, if crlf { b"\r\n" } else { b"\n" }].concat());
    let mut lines: Vec<Vec<u8>> = lines.collect();
    if bare_end && let Some(last) = lines.last_mut() {
        *last = last
            .trim_end_with(|char| char == '\n' || char == '\r')
            .to_vec();
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Returns `base` with one to six places changed.
fn edit(base: &[Vec<u8>], rng: &mut Rng) -> Vec<Vec<u8>> {
    let mut new: Vec<Vec<u8>> = base.to_vec();
    for _ in 0..=rng.below(6) {
        let at = rng.below(new.len());
        let count = (1 + rng.below(3)).min(new.len() - at);
        let from = rng.below(base.len());
        let borrowed = base
            .get(from..(from + count).min(base.len()))
            .unwrap_or_default()
            .to_vec();
        match rng.below(4) {
            0 => drop(new.splice(at..at, borrowed)),
            1 if new.len() > count + 5 => drop(new.splice(at..at + count, [])),
            2 => {
                let lines = borrowed
                    .iter()
                    .map(|line| drift::reword(line, rng))
                    .collect::<Vec<_>>();
                drop(new.splice(at..at, lines));
            }
            _ => {
                for line in new.iter_mut().skip(at).take(count) {
                    *line = drift::reword(line, rng);
                }
            }
        }
    }
    // Only a last line may lack its ending.
    let ending: &[u8] = if base.iter().any(|line| line.ends_with(b"\r\n")) {
        b"\r\n"
    } else {
        b"\n"
    };
    let last = new.len().saturating_sub(1);
    for line in new
        .iter_mut()
        .take(last)
        .filter(|line| !line.ends_with(b"\n"))
    {
        line.extend_from_slice(ending);
    }
    new
}

fn header(
    path: &str,
    renamed: Option<&str>,
    (before, after): (bool, bool),
    ids: Option<&(String, String)>,
    rng: &mut Rng,
) -> String {
    let to = renamed.unwrap_or(path);
    let mode = |executable: bool| if executable { "100755" } else { "100644" };
    let mut text = String::new();
    if renamed.is_some() || before != after || ids.is_some() || rng.chance(60) {
        let _infallible = writeln!(text, "diff --git a/{path} b/{to}");
        if before != after {
            let _infallible = writeln!(text, "old mode {}\nnew mode {}", mode(before), mode(after));
        }
        if renamed.is_some() {
            let _infallible = writeln!(
                text,
                "similarity index 90%\nrename from {path}\nrename to {to}"
            );
        }
        if let Some((old, new)) = ids {
            let length = if rng.chance(50) { 40 } else { 7 };
            let short = |id: &str| id.chars().take(length).collect::<String>();
            let tail = if before == after {
                format!(" {}", mode(after))
            } else {
                String::new()
            };
            let _infallible = writeln!(text, "index {}..{}{tail}", short(old), short(new));
        }
    }
    let _infallible = writeln!(text, "--- a/{path}\n+++ b/{to}");
    text
}

/// Returns a diff that creates a file, which now and then is there already.
fn create(path: String, content: Vec<u8>, rng: &mut Rng) -> Result<Trial, Trouble> {
    let header = format!("diff --git a/{path} b/{path}\nnew file mode 100644\n");
    let names = format!("--- /dev/null\n+++ b/{path}\n");
    let hunks = render::hunks(Renderer::Git, b"", &content, 3)?;
    let taken = rng.chance(30);
    let file = taken.then(|| b"another\n".to_vec());
    let truth = if taken {
        Truth::Refusal
    } else {
        Truth::Content(content)
    };
    let diff = [header.into_bytes(), names.into_bytes(), hunks].concat();
    Ok(Trial {
        base: None,
        file,
        diff,
        truth,
        ..plain(path, rng)
    })
}

/// Returns a diff that deletes a file, which now and then has changed.
fn delete(path: String, base: &[Vec<u8>], rng: &mut Rng) -> Result<Trial, Trouble> {
    let content = base.concat();
    let diff = format!(
        "diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n"
    );
    let hunks = render::hunks(Renderer::Git, &content, b"", 3)?;
    let changed = rng.chance(40);
    let mut lines = base.to_vec();
    if changed && let Some(line) = lines.first_mut() {
        *line = drift::reword(line, rng);
    }
    let file = lines.concat();
    let truth = if file == content {
        Truth::Gone
    } else {
        Truth::Refusal
    };
    let diff = [diff.into_bytes(), hunks].concat();
    Ok(Trial {
        base: Some(content),
        file: Some(file),
        diff,
        truth,
        ..plain(path, rng)
    })
}

fn plain(path: String, rng: &mut Rng) -> Trial {
    Trial {
        path,
        renamed: None,
        base: None,
        file: None,
        executable: (false, false),
        diff: Vec::new(),
        has_ids: false,
        context: 3,
        truth: Truth::Refusal,
        place: *rng
            .pick(&[Place::Plain, Place::BlobUnknown])
            .unwrap_or(&Place::Plain),
        drifts: Vec::new(),
        misnumbered: false,
    }
}
