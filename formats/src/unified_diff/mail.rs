//! Mails, one or a mailbox of them, as `git format-patch` writes them.

use bstr::{BString, ByteSlice as _};

use super::cursor::Cursor;
use super::parser::{Trouble, unsupported};

/// One mail of the input.
#[derive(Debug)]
pub(super) struct Mail<'a> {
    /// The subject.
    pub(super) label: Option<BString>,
    /// What stands below the head.
    pub(super) body: Cursor<'a>,
}

impl Mail<'_> {
    /// Tells whether this is the letter before a series, numbered 0, and holds no diff.
    pub(super) fn is_cover(&self) -> bool {
        let numbered = |label: &BString| {
            let tag = label
                .strip_prefix(b"[")
                .and_then(|rest| rest.split_once_str("]"));
            tag.is_some_and(|(tag, _)| {
                let number = tag.rsplit_once_str(" ").map_or(tag, |(_, number)| number);
                let zeros = number.iter().take_while(|b| **b == b'0').count();
                zeros > 0 && number.get(zeros) == Some(&b'/')
            })
        };
        self.label.as_ref().is_some_and(numbered) && !super::text::holds_diff(self.body)
    }
}

/// Splits the text into its mails. `None` where it is none.
pub(super) fn split(text: Cursor<'_>) -> Result<Option<Vec<Mail<'_>>>, Trouble> {
    let begin = text.past_blanks();
    if !begins_mail(begin) {
        return if is_head(begin) {
            Ok(Some(vec![read(begin)?]))
        } else {
            Ok(None)
        };
    }
    let mut mails = Vec::new();
    let (mut start, mut at, mut after_blank) = (begin, begin.after(), false);
    while let Some(line) = at.text() {
        if after_blank && begins_mail(at) {
            mails.push(read(start.after().until(at))?);
            start = at;
        }
        after_blank = line.is_empty();
        at.advance();
    }
    mails.push(read(start.after())?);
    Ok(Some(mails))
}

/// Tells whether a mailbox's `From ` line stands here, with a head below.
fn begins_mail(at: Cursor<'_>) -> bool {
    at.text().is_some_and(is_from_line) && at.second().is_some_and(|line| field(line).is_some())
}

/// Tells whether `line` is `From `, a sender and a date, as git tells it.
fn is_from_line(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let Some(at) = rest.rfind_byte(b':') else {
        return false;
    };
    let digit = |at: Option<usize>| {
        at.and_then(|at| rest.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let minutes = digit(at.checked_sub(1)) && digit(at.checked_sub(4));
    let seconds = digit(at.checked_add(1)) && digit(at.checked_add(2));
    let year = rest.get(at + 3..).unwrap_or_default().trim_ascii();
    minutes && seconds && year.iter().take(4).filter(|b| b.is_ascii_digit()).count() == 4
}

/// Splits a head's line into its name and value.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = line.split_once_str(":")?;
    let fits = !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    fits.then(|| (name, value.trim_ascii()))
}

/// Tells whether a whole head stands here, as a mail without a `From ` line begins.
fn is_head(mut at: Cursor<'_>) -> bool {
    let mut known = false;
    let mut any = false;
    while let Some(line) = at.text() {
        match field(line) {
            _ if line.is_empty() => return known,
            _ if any && matches!(line, [b' ' | b'\t', ..]) => {}
            Some((name, _)) => {
                known |=
                    name.eq_ignore_ascii_case(b"Subject") || name.eq_ignore_ascii_case(b"From");
            }
            None => return false,
        }
        any = true;
        at.advance();
    }
    false
}

/// Reads the head that stands at `at`.
fn read(mut at: Cursor<'_>) -> Result<Mail<'_>, Trouble> {
    let mut label: Option<BString> = None;
    let mut in_subject = false;
    while let Some(line) = at.text() {
        if line.is_empty() {
            break;
        }
        if let ([b' ' | b'\t', ..], true, Some(label)) = (line, in_subject, label.as_mut()) {
            label.push(b' ');
            label.extend_from_slice(line.trim_ascii());
        }
        let (name, value) = field(line).unwrap_or_default();
        if !matches!(line, [b' ' | b'\t', ..]) {
            in_subject = name.eq_ignore_ascii_case(b"Subject");
            if in_subject {
                label = Some(value.into());
            }
        }
        check_encoding(at, line, (name, value))?;
        at.advance();
    }
    Ok(Mail { label, body: at })
}

/// Refuses a mail whose text is not what it stands for.
fn check_encoding(
    at: Cursor<'_>,
    line: &[u8],
    (name, value): (&[u8], &[u8]),
) -> Result<(), Trouble> {
    let value = value.to_ascii_lowercase();
    if name.eq_ignore_ascii_case(b"Content-Transfer-Encoding")
        && !matches!(value.as_slice(), b"7bit" | b"8bit" | b"binary")
    {
        let message = "a mail in quoted-printable or base64 is not read; save it decoded";
        return Err(unsupported(at, message));
    }
    if name.eq_ignore_ascii_case(b"Content-Type") && value.starts_with(b"multipart/") {
        return Err(unsupported(
            at,
            "a mail of several parts is not read; save the patch alone",
        ));
    }
    // The parameter may stand in a line of its own.
    if line.to_ascii_lowercase().contains_str("format=flowed") {
        return Err(unsupported(
            at,
            "a mail with flowed lines is not read: its blanks are lost",
        ));
    }
    Ok(())
}
