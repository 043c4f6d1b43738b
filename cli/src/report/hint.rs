//! What to do about a refusal, in the imperative. Made only where following it will help.

use surefoot_engine::outcome::{
    Ambiguity, Candidate, NotFound, PathTrouble, Reason, Stale, Unanchored, Unsupported,
};

/// Returns what to do about `reason`, or `None` where nothing can be done in the edit or the call.
pub(crate) fn of(reason: &Reason) -> Option<String> {
    Some(match reason {
        Reason::NotFound { why, nearest } => not_found(why, nearest),
        Reason::Ambiguous {
            why, candidates, ..
        } => ambiguous(why, candidates),
        Reason::AnchorTooSmall {
            informative,
            needed,
            ..
        } => {
            let more = needed.saturating_sub(*informative).max(1);
            let lines = if more == 1 {
                "one more line".to_owned()
            } else {
                format!("{more} more lines")
            };
            format!("quote {lines} of the file beside the change")
        }
        Reason::Stale { why, .. } => stale(why).to_owned(),
        Reason::Conflict { .. } | Reason::ChangedUnderfoot => {
            "read the file again, and make the edit for what it holds now".to_owned()
        }
        Reason::Unanchored { why, .. } => unanchored(*why).to_owned(),
        Reason::Malformed { readings, .. } if readings.len() > 1 => {
            "write the edit so that only one of the readings is possible".to_owned()
        }
        Reason::Overlap { .. } => "join the two hunks into one".to_owned(),
        Reason::Exists => "edit the file instead, or choose another path".to_owned(),
        Reason::MissingFile => "check the path, which counts from the working tree's root \
             (in JSON from the caller's folder)"
            .to_owned(),
        Reason::OutsideTree(trouble) | Reason::ForbiddenPath(trouble) => path(*trouble)?.to_owned(),
        Reason::Unsupported(what) => unsupported(what)?.to_owned(),
        Reason::Unmerged => "resolve the conflict and `git add` the path first".to_owned(),
        Reason::Dirty => {
            "stage or put back the file's own changes, or leave out --index".to_owned()
        }
        Reason::PostMismatch { .. } => {
            "make the edit again from the file as it is, or leave out the id of the result"
                .to_owned()
        }
        _ => return None,
    })
}

fn not_found(why: &NotFound, nearest: &[Candidate]) -> String {
    match why {
        NotFound::Scope { .. } => "name the scope by a line that the file has, whole".to_owned(),
        NotFound::InScope { .. } => {
            "check the scope: the old lines must stand inside it".to_owned()
        }
        NotFound::AtEnd => "leave out the end-of-file mark, or quote the last lines".to_owned(),
        NotFound::InOrder => "write the hunks in the order of the file".to_owned(),
        NotFound::Chained { .. } => {
            "quote the lines as the file has them, or send the later edit in a call of its own"
                .to_owned()
        }
        NotFound::Count { found, .. } => format!("say {found}, or quote a longer text"),
        NotFound::Pieces => "quote the lines in full instead of the placeholder".to_owned(),
        NotFound::WholeWords => "quote whole words, or the whole line".to_owned(),
        NotFound::Lines { .. } => "read the file again for its line numbers".to_owned(),
        NotFound::Anchor if nearest.is_empty() => {
            "read the file again, and quote its lines as they are".to_owned()
        }
        NotFound::Anchor => "quote the old lines as the file has them".to_owned(),
    }
}

fn ambiguous(why: &Ambiguity, candidates: &[Candidate]) -> String {
    let told = candidates
        .iter()
        .filter_map(|candidate| candidate.distinguish.as_ref());
    let sides: Vec<bool> = told.map(|lines| lines.above).collect();
    let side = match (sides.contains(&true), sides.contains(&false)) {
        (true, false) => "above",
        (false, true) => "below",
        _ => "beside",
    };
    match why {
        Ambiguity::Scope => "name the enclosing scope too".to_owned(),
        Ambiguity::Path => "spell the path as it is from the working tree's root".to_owned(),
        Ambiguity::Count { .. } => "say how many places are meant, or quote more lines".to_owned(),
        Ambiguity::Stated { .. } => {
            "quote the place as it is now, or name the base that you saw".to_owned()
        }
        Ambiguity::Expected => "quote more lines, or name the base that you saw".to_owned(),
        _ if sides.is_empty() => {
            "quote more lines around the change, or name the base that you saw".to_owned()
        }
        _ => format!("quote a line {side} the change that only one of them has"),
    }
}

fn stale(why: &Stale) -> &'static str {
    match why {
        Stale::Heading { .. } => {
            "correct the heading behind `@@`, or leave it out and quote more lines"
        }
        Stale::Mode => "make the edit for the mode that the file has",
        _ => "read the file again, and make the edit for what it holds now",
    }
}

fn unanchored(why: Unanchored) -> &'static str {
    match why {
        Unanchored::Lines => "give the expected text of the lines, or the base that you saw",
        Unanchored::Insertion => "quote a line beside the place where the new ones go",
        Unanchored::WholeFile | Unanchored::Delete => {
            "name the base (the blob id of the content that you saw), or commit the file first"
        }
        Unanchored::NotShown => "read those lines first, or name lines that were shown",
        Unanchored::NoBase => "name the base that you saw, or leave out --3way",
    }
}

fn path(trouble: PathTrouble) -> Option<&'static str> {
    match trouble {
        PathTrouble::Symlink => Some("name the file by its own path"),
        PathTrouble::NotAllowed => Some("add the path with --allow, if it is meant to be edited"),
        PathTrouble::Name(_) => Some("spell the path from the working tree's root"),
        _ => None,
    }
}

fn unsupported(what: &Unsupported) -> Option<&'static str> {
    match what {
        Unsupported::HardLink => Some("give --break-links to part them"),
        Unsupported::Attributes => Some("send the attributes file first, and the rest after it"),
        Unsupported::Elision { .. } => Some("write the left-out lines in full"),
        Unsupported::InProgress(_) => Some("finish or abort it, or leave out --index"),
        Unsupported::Binary => Some("make the diff with `git diff --binary --full-index`"),
        _ => None,
    }
}
