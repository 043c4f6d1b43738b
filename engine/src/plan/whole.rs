//! Whole contents: what is asked of them before one replaces another.

use bstr::{BString, ByteSlice as _};

use crate::lines::{self, BOM, Ending};
use crate::locate::elision;
use crate::locate::text::without_cr;
use crate::outcome::{Reason, Unsupported, Warning};
use crate::patch::Existing;
use crate::path::RepoPath;

/// Returns the reason to refuse creating a file that is there.
pub(crate) fn taken(existing: Existing) -> Reason {
    match existing {
        Existing::Exists => Reason::Exists,
        Existing::Malformed => Reason::Malformed {
            message: "an empty old text creates a file, and this one exists".into(),
            readings: Vec::new(),
        },
    }
}

/// Refuses a content in which a placeholder stands for lines left out.
pub(crate) fn check_placeholders(content: &[u8], before: Option<&[u8]>) -> Result<(), Reason> {
    let found = match before {
        Some(_) => elision::in_content(content, before),
        None => elision::in_new_file(content),
    };
    match found {
        Some(placeholder) => Err(Reason::Unsupported(Unsupported::Elision { placeholder })),
        None => Ok(()),
    }
}

/// Tells whether two texts are equal but for line endings and byte-order mark.
pub(crate) fn is_same_text(a: &[u8], b: &[u8]) -> bool {
    let plain = |text: &[u8]| without_cr(text.strip_prefix(BOM).unwrap_or(text)).into_owned();
    a == b || plain(a) == plain(b)
}

/// Returns `content` with the line endings and the byte-order mark of the file that it replaces.
///
/// Only where the file has one kind of ending throughout and the content shows no CR: then the
/// author did not see it. Else the content is taken as written.
pub(crate) fn with_endings_of(before: &[u8], content: &BString) -> BString {
    let mut endings = lines::split(before).map(|line| lines::split_ending(line).1);
    let crlf = memchr::memmem::find(before, b"\r\n").is_some()
        && endings.all(|ending| ending != Ending::Lf);
    let mut result = Vec::with_capacity(content.len());
    if before.starts_with(BOM) && !content.starts_with(BOM) {
        result.extend_from_slice(BOM);
    }
    if crlf && !content.contains(&b'\r') {
        result.extend(content.replace("\n", "\r\n"));
    } else {
        result.extend_from_slice(content);
    }
    result.into()
}

/// Returns the warning for a file that other tools take orders from.
pub(crate) fn policy_file(path: &RepoPath) -> Option<Warning> {
    let name = path.components().next_back().unwrap_or_default();
    let whole = path.as_bstr();
    let is_policy = matches!(
        name.as_bytes(),
        b".gitmodules"
            | b".surefoot.toml"
            | b".gitattributes"
            | b".gitlab-ci.yml"
            | b".pre-commit-config.yaml"
            | b"Jenkinsfile"
    ) || [
        &b".github/workflows/"[..],
        b".github/actions/",
        b".circleci/",
        b".husky/",
    ]
    .iter()
    .any(|folder| whole.starts_with(folder));
    is_policy.then(|| Warning {
        code: "policy-file",
        path: Some(path.clone()),
        message: "git or a build service takes orders from this file".into(),
    })
}
