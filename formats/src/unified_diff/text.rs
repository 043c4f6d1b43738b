//! A text that holds one diff: prose, sections, and prose again.
//!
//! Prose means nothing, but it must not look like a part of a diff that went astray.

use surefoot_engine::patch::Patch;

use super::body::{is_header_pair, is_signature};
use super::cursor::Cursor;
use super::diffstat::Diffstat;
use super::parser::{Parser, Trouble, binary, malformed, unsupported};
use super::section::{self, Start};
use super::{header, hunk_header};

/// Whether a text is the body of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The diff begins behind the line `---`, where there is one.
    Mail,
    /// Anything else.
    Plain,
}

/// Reads all of the text from `cursor` on.
pub(super) fn read(
    parser: &mut Parser<'_>,
    mut cursor: Cursor<'_>,
    kind: Kind,
) -> Result<Patch, Trouble> {
    let begin = cursor;
    parser.binary = false;
    let separator = preamble(parser, &mut cursor)?;
    let first = cursor;
    let mut edits = Vec::new();
    let mut glued = false;
    while let Some(line) = cursor.text() {
        if let Some(start) = start(parser, cursor)? {
            edits.push(section::read(parser, &mut cursor, start)?);
            glued = cursor.text().is_some_and(|text| !text.is_empty());
            continue;
        }
        let mail_goes_on =
            kind == Kind::Mail && separator.is_none() && line.trim_ascii_end() == b"---";
        if mail_goes_on {
            return Err(malformed(
                first,
                "a diff stands before the mail's separator `---`",
            ));
        }
        prose(parser, cursor, line, glued)?;
        glued &= !line.is_empty();
        cursor.advance();
    }
    if edits.is_empty() {
        return Err(nothing(begin));
    }
    let patch = Patch { edits };
    if let Some(stat) = separator.and_then(|at| Diffstat::read(at.until(first))) {
        stat.check(&patch, parser)
            .map_err(|message| malformed(first, message))?;
    }
    Ok(patch)
}

/// Goes to the first section, and returns the first line `---` above it.
fn preamble<'a>(
    parser: &mut Parser<'_>,
    cursor: &mut Cursor<'a>,
) -> Result<Option<Cursor<'a>>, Trouble> {
    let mut separator = None;
    while let Some(line) = cursor.text() {
        if start(parser, *cursor)?.is_some() {
            break;
        }
        if line.starts_with(b"+++ ") {
            return Err(malformed(*cursor, "a `+++` line without its `---` line"));
        }
        if header::is_binary_notice(line) && line.starts_with(b"Binary ") {
            return Err(binary(*cursor, "a binary change without its content"));
        }
        if separator.is_none() && line.trim_ascii_end() == b"---" {
            separator = Some(*cursor);
        }
        cursor.advance();
    }
    Ok(separator)
}

/// Tells which kind of section begins here, if one does.
fn start(parser: &Parser<'_>, at: Cursor<'_>) -> Result<Option<Start>, Trouble> {
    let line = at.text().unwrap_or_default();
    if line.starts_with(b"diff --git ") {
        return Ok(Some(Start::Git));
    }
    if is_header_pair(at) {
        return Ok(Some(Start::Sides));
    }
    if line.starts_with(b"Index: ") && at.second().is_some_and(|next| next.starts_with(b"=====")) {
        return Ok(Some(Start::Svn));
    }
    if is_combined(line) {
        return Err(unsupported(at, "a combined diff (of a merge) is not read"));
    }
    if is_submodule(line) {
        return Err(unsupported(at, "a submodule's change as a log is not read"));
    }
    if line.starts_with(b"* Unmerged path ") {
        return Err(unsupported(at, "a path with conflicts has no diff"));
    }
    if is_context_diff(at) {
        return Err(unsupported(
            at,
            "a context diff is not read; write a unified diff",
        ));
    }
    if !hunk_header::begins(line) {
        return Ok(None);
    }
    match parser.options.path {
        Some(_) => Ok(Some(Start::Hunk)),
        None => Err(malformed(at, "a hunk outside of any file's section")),
    }
}

/// Tells whether `line`, the next one at `at`, is a sign of a diff, readable or not.
pub(super) fn is_diff(at: Cursor<'_>, line: &[u8]) -> bool {
    match line.first() {
        Some(b'd') => line.starts_with(b"diff --git ") || is_combined(line),
        Some(b'-') => is_header_pair(at),
        Some(b'@') => line.starts_with(b"@@ -") || is_combined(line),
        Some(b'*') => is_context_diff(at),
        _ => false,
    }
}

/// Tells whether the text from `at` on has any sign of a diff.
pub(super) fn holds_diff(mut at: Cursor<'_>) -> bool {
    while let Some(line) = at.text() {
        if is_diff(at, line) {
            return true;
        }
        at.advance();
    }
    false
}

/// Tells whether `line` begins a diff of a merge.
fn is_combined(line: &[u8]) -> bool {
    [&b"diff --cc "[..], b"diff --combined ", b"@@@ "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Tells whether `line` is one that `git diff --submodule=log` has in place of a section.
fn is_submodule(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"Submodule ") else {
        return false;
    };
    let ids = |word: &[u8]| {
        let dots = word.iter().filter(|b| **b == b'.').count();
        (2..=3).contains(&dots)
            && word
                .iter()
                .all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
    };
    hunk_header::words(rest).any(ids) || rest.ends_with(b" content")
}

/// Tells whether the `***` and `---` lines of a context diff stand here.
fn is_context_diff(at: Cursor<'_>) -> bool {
    at.text().is_some_and(|line| line.starts_with(b"*** "))
        && at.second().is_some_and(|line| line.starts_with(b"--- "))
        && at
            .after()
            .second()
            .is_some_and(|line| line.starts_with(b"***************"))
}

/// Refuses a line below a section that looks as if it belonged to a diff.
///
/// `glued`: no empty line stands between it and the section.
fn prose(parser: &Parser<'_>, at: Cursor<'_>, line: &[u8], glued: bool) -> Result<(), Trouble> {
    if header::is_binary_notice(line) {
        return Err(binary(at, "a binary change without its content"));
    }
    if header::is_stray(line) {
        return Err(malformed(
            at,
            "a git header line outside of a file's header",
        ));
    }
    if line.starts_with(b"Property changes on: ") {
        return Err(unsupported(at, "changes of svn properties are not read"));
    }
    if line.strip_prefix(b"commit ").is_some_and(is_commit_id) {
        let message = "several commits as `git log` prints them, newest first, are not read; \
                       `git format-patch` writes a series";
        return Err(unsupported(at, message));
    }
    let cut = [&b"@@ -"[..], b"diff --git a/"]
        .iter()
        .any(|start| start.starts_with(line));
    if cut && !line.is_empty() && !at.after().ends_line() {
        return Err(malformed(at, "the text is cut off in a header"));
    }
    let stray = match line {
        [b'+' | b'\\', ..] => true,
        b"-- " | b"--" => false,
        [b'-', b' ', next, ..] if *next != b' ' => glued || !parser.counted,
        [b'-', ..] => !is_rule(line, glued) && !is_signature(at),
        _ => false,
    };
    if stray {
        return Err(malformed(
            at,
            "this looks like a line of a hunk, and stands outside of any",
        ));
    }
    Ok(())
}

fn is_commit_id(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    matches!(digits, 40 | 64) && text.get(digits).is_none_or(|next| *next == b' ')
}

/// Tells whether `line` is a rule, as Markdown and mails draw them.
fn is_rule(line: &[u8], glued: bool) -> bool {
    let line = line.trim_ascii_end();
    let dashes = line.iter().take_while(|b| **b == b'-').count();
    !glued && (dashes >= 5 || (dashes >= 3 && dashes == line.len()))
}

/// Says what a text without any section is instead, where that is known.
fn nothing(mut at: Cursor<'_>) -> Trouble {
    while let Some(line) = at.text() {
        if is_old_command(line) {
            return unsupported(
                at,
                "an ed, RCS or plain diff is not read; write a unified diff",
            );
        }
        at.advance();
    }
    malformed(at, "there is no diff in the text")
}

/// Tells whether `line` is a command as ed, RCS and plain diffs have them: `5,7c3` or `a4 2`.
fn is_old_command(line: &[u8]) -> bool {
    let is_number = |b: &u8| b.is_ascii_digit() || matches!(b, b',' | b' ');
    match line {
        [b'a' | b'd', rest @ ..] => {
            let numbers = hunk_header::words(rest).count() == 2;
            numbers && rest.first() != Some(&b' ') && rest.iter().all(is_number)
        }
        [b'0'..=b'9', ..] => {
            let digits = line.iter().take_while(|b| is_number(b)).count();
            let (_, rest) = line.split_at(digits);
            matches!(rest, [b'a' | b'c' | b'd', rest @ ..] if rest.iter().all(is_number))
        }
        _ => false,
    }
}
