//! How deep new lines stand, where the lines around them have been indented anew.

use std::collections::BTreeMap;

use bstr::BString;

use super::{Change, Proven};
use crate::lines::{indentation, trim};
use crate::locate::mapped::Map;
use crate::outcome::{Reason, Unproven};

/// How far around a change lines are looked at, on each side.
const REACH: usize = 64;

/// Returns the new lines of `change` at the depth that the file has there.
///
/// A depth that the lines around show is taken from them. One that they do not show is refused where
/// any of them has changed, unless all have in one and the same way.
pub(super) fn moved(
    map: &Map<'_>,
    change: &Change,
    proven: &[Proven],
) -> Result<Result<Vec<BString>, Unproven>, Reason> {
    let levels = Levels::around(map, proven)?;
    if levels.is_same() && levels.disputed.is_empty() {
        return Ok(Ok(change.new.clone()));
    }
    Ok(change.new.iter().map(|text| levels.moved(text)).collect())
}

/// Indentations of the base, and what they are in the file.
struct Levels<'a> {
    seen: BTreeMap<&'a [u8], &'a [u8]>,
    /// Those that have become several.
    disputed: Vec<&'a [u8]>,
}

impl<'a> Levels<'a> {
    fn around(map: &Map<'a>, proven: &[Proven]) -> Result<Self, Reason> {
        let mut levels = Self {
            seen: BTreeMap::new(),
            disputed: Vec::new(),
        };
        let marks = [proven.first(), proven.last()];
        for (b, f) in marks.into_iter().flatten() {
            for (b, f) in map.around(*b, *f, REACH)? {
                let (Some(b), Some(f)) = (map.base.lines.get(b), map.file.lines.get(f)) else {
                    continue;
                };
                let was = indentation(map.base.file.text(*b));
                let is = indentation(map.file.file.text(*f));
                if levels.seen.insert(was, is).is_some_and(|other| other != is) {
                    levels.disputed.push(was);
                }
            }
        }
        Ok(levels)
    }

    fn is_same(&self) -> bool {
        self.seen.iter().all(|(was, is)| was == is)
    }

    fn moved(&self, text: &BString) -> Result<BString, Unproven> {
        let was = indentation(text);
        if trim(text).is_empty() {
            return Ok(text.clone());
        }
        if self.disputed.contains(&was) {
            return Err(Unproven::Depth);
        }
        let is = match self.seen.get(was) {
            Some(is) => BString::from(*is),
            None => self.unseen(was).ok_or(Unproven::Depth)?,
        };
        let rest = text.get(was.len()..).unwrap_or_default();
        Ok([is.as_slice(), rest].concat().into())
    }

    /// Returns what an indentation has become that no line around shows: as all others, of which
    /// there must be two.
    fn unseen(&self, was: &[u8]) -> Option<BString> {
        if self.seen.len() < 2 || !self.disputed.is_empty() {
            return None;
        }
        let deeper = |(was, is): (&&[u8], &&'a [u8])| is.strip_suffix(*was);
        let mut added = self.seen.iter().map(deeper);
        let first = added.next().flatten();
        if let Some(first) = first.filter(|first| added.all(|it| it == Some(*first))) {
            return Some([first, was].concat().into());
        }
        let flatter = |(was, is): (&&'a [u8], &&[u8])| was.strip_suffix(*is);
        let mut taken = self.seen.iter().map(flatter);
        let first = taken.next().flatten()?;
        let all = taken.all(|it| it == Some(first));
        was.strip_prefix(first).filter(|_| all).map(BString::from)
    }
}
