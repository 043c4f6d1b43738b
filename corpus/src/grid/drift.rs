//! What else may happen to a file between the author's look and the edit's arrival: the harsh drifts.
//!
//! A drift is done to the file before the edit and to the file after it alike, by line numbers that
//! are known beforehand; what it brings in is always made of the file before. So the answer needs no
//! search, no diff and no engine. Drifts work on text: a moved method may stand in another class.

use super::edit::{Edit, Operation, blanks};
use super::hash;
use super::sample::Function;

/// What an applier owes on a drifted file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// The edit still has its place: there, or refused.
    Apply,
    /// Its place is gone or done already: the file stays as it is.
    Refuse,
    /// An equal copy stands beside its place: no text tells which of the two is meant.
    Undecidable,
}

/// One of the harsh drifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drift {
    /// The whole file has half the indentation.
    HalfIndent,
    /// The whole file has twice the indentation.
    DoubleIndent,
    /// The whole file is indented by tabs.
    Tabs,
    /// All lines end in CRLF.
    Crlf,
    /// The function stands one level deeper, under an `if`.
    Nested,
    /// A copy of the function under another name came in before it.
    CopyBefore,
    /// A copy of the function under another name came in behind it.
    CopyAfter,
    /// An equal copy of the function came in before it.
    TwinBefore,
    /// An equal copy of the function came in behind it.
    TwinAfter,
    /// A function of another name, and of one other statement, came in before it.
    SiblingBefore,
    /// The function is at the file's end now.
    Moved,
    /// The function has another name.
    Renamed,
    /// A comment came in between two lines of the anchor.
    CommentInside,
    /// A blank line came in between two lines of the anchor.
    BlankInside,
    /// Somebody else changed the target line.
    TargetEdited,
    /// The function is gone.
    FunctionDeleted,
    /// The target line is gone.
    StatementDeleted,
    /// The edit has been applied.
    AlreadyApplied,
}

/// Every drift with its name in tables, and what it demands.
pub(super) const TABLE: [(Drift, &str, Demand); 18] = [
    (Drift::HalfIndent, "half-indent", Demand::Apply),
    (Drift::DoubleIndent, "double-indent", Demand::Apply),
    (Drift::Tabs, "tabs", Demand::Apply),
    (Drift::Crlf, "crlf", Demand::Apply),
    (Drift::Nested, "nested", Demand::Apply),
    (Drift::CopyBefore, "copy-before", Demand::Apply),
    (Drift::CopyAfter, "copy-after", Demand::Apply),
    (Drift::TwinBefore, "twin-before", Demand::Undecidable),
    (Drift::TwinAfter, "twin-after", Demand::Undecidable),
    (Drift::SiblingBefore, "sibling-before", Demand::Apply),
    (Drift::Moved, "function-moved", Demand::Apply),
    (Drift::Renamed, "function-renamed", Demand::Apply),
    (Drift::CommentInside, "comment-inside", Demand::Apply),
    (Drift::BlankInside, "blank-inside", Demand::Apply),
    (Drift::TargetEdited, "target-edited", Demand::Refuse),
    (Drift::FunctionDeleted, "function-deleted", Demand::Refuse),
    (Drift::StatementDeleted, "statement-deleted", Demand::Refuse),
    (Drift::AlreadyApplied, "already-applied", Demand::Refuse),
];

impl Drift {
    /// Returns its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        let row = TABLE.iter().find(|(drift, ..)| *drift == self);
        row.map_or("", |(_, name, _)| name)
    }

    /// Returns what it demands of an applier.
    #[must_use]
    pub fn demand(self) -> Demand {
        let row = TABLE.iter().find(|(drift, ..)| *drift == self);
        row.map_or(Demand::Undecidable, |(.., demand)| *demand)
    }

    /// Tells whether the drift can be made where `edit` is: a line needs a line end of the anchor to
    /// come to (a comment one that is not inside of a string or a continued line), a new name a name
    /// that can be another, a move or a level a place that the language has for it, and a tab has no
    /// half.
    #[must_use]
    pub fn fits(self, edit: &Edit) -> bool {
        let function = edit.function();
        let has = |what: fn(&Function) -> bool| function.is_some_and(what);
        match self {
            Self::CommentInside | Self::BlankInside => gap(edit, self).is_some(),
            Self::Renamed | Self::CopyBefore | Self::CopyAfter | Self::SiblingBefore => {
                has(|it| it.name_end.is_some())
            }
            Self::Moved => has(|it| it.home.is_some()),
            Self::Nested => has(|it| it.level.is_some()),
            Self::HalfIndent | Self::Tabs => edit.language.unit != "\t",
            _ => true,
        }
    }

    /// Returns the drifted file, before the edit or after it. Where the drift does not fit, it is the
    /// file as it was.
    ///
    /// After a drift that demands a refusal the two are the same.
    pub(super) fn lines(self, edit: &Edit, after: bool) -> Vec<String> {
        let after = after && self.demand() != Demand::Refuse;
        let side = Side::new(edit, after);
        if !self.fits(edit) {
            return side.lines;
        }
        match self {
            Self::HalfIndent => side.each(|line| indent(line, |blanks| half(blanks).to_owned())),
            Self::DoubleIndent => side.each(|line| indent(line, |blanks| blanks.repeat(2))),
            Self::Tabs => side.each(|line| indent(line, tabs)),
            Self::Crlf => side.each(|line| format!("{line}\r")),
            Self::Nested => side.nested(),
            Self::CopyBefore => side.with_before(&named(edit, "_sf_copy")),
            Self::CopyAfter => side.with_behind(&named(edit, "_sf_copy")),
            Self::TwinBefore => side.with_before(own(edit)),
            Self::TwinAfter => side.with_behind(own(edit)),
            Self::SiblingBefore => side.with_before(&sibling(edit)),
            Self::Moved => side.moved(),
            Self::Renamed => side.renamed("_sf_renamed"),
            Self::CommentInside | Self::BlankInside => side.split(self),
            Self::TargetEdited => side.target_edited(),
            Self::FunctionDeleted => side.without(side.outer, side.end),
            Self::StatementDeleted => side.without(edit.row.target - 1, edit.row.target),
            Self::AlreadyApplied => edit.target(),
        }
    }
}

/// The file before the edit or after it, and where its function stands: lines from 0, half open.
struct Side<'e> {
    edit: &'e Edit,
    lines: Vec<String>,
    /// The first line, with the decorators.
    outer: usize,
    end: usize,
    after: bool,
}

impl<'e> Side<'e> {
    fn new(edit: &'e Edit, after: bool) -> Self {
        let lines = if after {
            edit.target()
        } else {
            edit.base().to_vec()
        };
        let end = (edit.row.last + lines.len()).saturating_sub(edit.base().len());
        Self {
            edit,
            outer: outer(edit),
            end,
            lines,
            after,
        }
    }

    fn each(&self, change: impl Fn(&str) -> String) -> Vec<String> {
        self.lines.iter().map(|line| change(line)).collect()
    }

    /// Returns the lines with `from..to` replaced by `new`.
    fn splice(&self, from: usize, to: usize, new: Vec<String>) -> Vec<String> {
        let mut out = self.lines.clone();
        let to = to.min(out.len());
        out.splice(from.min(to)..to, new);
        out
    }

    fn without(&self, from: usize, to: usize) -> Vec<String> {
        self.splice(from, to, Vec::new())
    }

    fn function(&self) -> &[String] {
        self.lines.get(self.outer..self.end).unwrap_or_default()
    }

    fn with_before(&self, copy: &[String]) -> Vec<String> {
        let new = copy.iter().cloned().chain([String::new()]).collect();
        self.splice(self.outer, self.outer, new)
    }

    fn with_behind(&self, copy: &[String]) -> Vec<String> {
        let new = [String::new()].into_iter().chain(copy.iter().cloned());
        self.splice(self.end, self.end, new.collect())
    }

    fn nested(&self) -> Vec<String> {
        let Some(level) = self.edit.function().and_then(|it| it.level) else {
            return self.lines.clone();
        };
        let function = self.function();
        let first = function.first().map(String::as_str).unwrap_or_default();
        let unit = self.edit.language.unit;
        let mut new = vec![format!("{}{}", blanks(first), level.head)];
        new.extend(function.iter().map(|line| match line.as_str() {
            "" => String::new(),
            line => format!("{unit}{line}"),
        }));
        new.extend(level.foot.map(|foot| format!("{}{foot}", blanks(first))));
        self.splice(self.outer, self.end, new)
    }

    fn moved(&self) -> Vec<String> {
        let Some(home) = self.edit.function().and_then(|it| it.home) else {
            return self.lines.clone();
        };
        let mut out = self.without(self.outer, self.end);
        // The lines behind the function stand higher by all of it.
        let at = (home + self.outer).saturating_sub(self.edit.row.last);
        let at = at.min(out.len());
        let function = self.function().iter().cloned();
        out.splice(at..at, [String::new()].into_iter().chain(function));
        out
    }

    fn renamed(&self, suffix: &str) -> Vec<String> {
        let mut out = self.lines.clone();
        rename(self.edit, &mut out, 0, suffix);
        out
    }

    fn split(&self, drift: Drift) -> Vec<String> {
        let Some(behind) = gap(self.edit, drift) else {
            return self.lines.clone();
        };
        // Lines behind a change moved by what it adds.
        let mut at = behind;
        for change in self.edit.changes() {
            if self.after && change.at < behind {
                at = (at + change.new.len()).saturating_sub(change.gone);
            }
        }
        let next = self.edit.base().get(behind).map(String::as_str);
        let new = match drift {
            Drift::CommentInside => {
                let blanks = blanks(next.unwrap_or_default());
                format!("{blanks}{} sf-drift", self.edit.language.comment)
            }
            _ => String::new(),
        };
        self.splice(at, at, vec![new])
    }

    fn target_edited(&self) -> Vec<String> {
        let at = self.edit.row.target - 1;
        let new = self
            .lines
            .get(at)
            .map(|line| suffixed(self.edit, line, "_sf_other"));
        self.splice(at, at + 1, new.into_iter().collect())
    }
}

/// Returns the line of the function's first decorator, else of its `def`, counted from 0.
fn outer(edit: &Edit) -> usize {
    let function = edit.function();
    function
        .map_or(edit.row.first, |it| it.outer)
        .saturating_sub(1)
}

/// Returns the function as the author saw it.
fn own(edit: &Edit) -> &[String] {
    let lines = edit.base().get(outer(edit)..edit.row.last);
    lines.unwrap_or_default()
}

/// Returns the function as the author saw it, under another name.
fn named(edit: &Edit, suffix: &str) -> Vec<String> {
    let mut copy = own(edit).to_vec();
    rename(edit, &mut copy, outer(edit), suffix);
    copy
}

/// Returns a function that is like the edit's but for its name and one of its statements.
fn sibling(edit: &Edit) -> Vec<String> {
    let mut copy = named(edit, "_sf_like");
    let targets = edit
        .function()
        .map(|it| it.targets.as_slice())
        .unwrap_or_default();
    let id = edit.row.id.to_string();
    let line = super::choose(targets, &["sibling", &edit.tag, &id]).copied();
    let line = line.unwrap_or(edit.row.target) - 1 - outer(edit);
    if let Some(line) = copy.get_mut(line) {
        *line = suffixed(edit, line, "_sf_like");
    }
    copy
}

/// Returns the place between two lines of the anchor where the drift puts its line, as the number,
/// from 0, of the line behind it. Never where the edit itself inserts: both orders would be right.
fn gap(edit: &Edit, drift: Drift) -> Option<usize> {
    let (row, base) = (&edit.row, edit.base());
    let inserts_at = match row.operation {
        Operation::InsertAfter => Some(row.target),
        Operation::InsertBefore => Some(row.target - 1),
        Operation::Modify | Operation::Delete | Operation::Replace2 => None,
    };
    let tokens = match drift {
        Drift::CommentInside => edit.tokens(),
        _ => &[],
    };
    let takes = |behind: &usize| {
        let within = |(first, last): &(usize, usize)| (first + 1..=*last).contains(behind);
        let continues = drift == Drift::CommentInside
            && base
                .get(*behind - 1)
                .is_some_and(|line| line.ends_with('\\'));
        Some(*behind) != inserts_at && !continues && !tokens.iter().any(within)
    };
    let places: Vec<usize> = [row.anchor, row.anchor + 1]
        .into_iter()
        .filter(takes)
        .collect();
    let len = u64::try_from(places.len()).ok().filter(|len| *len > 0)?;
    let at = hash(&["gap", &edit.tag, &row.id.to_string()]) % len;
    places.get(usize::try_from(at).ok()?).copied()
}

/// Makes the name of the edit's function longer in `lines`, which follow on `above` others.
fn rename(edit: &Edit, lines: &mut [String], above: usize, suffix: &str) {
    let Some((line, end)) = edit.function().and_then(|it| it.name_end) else {
        return;
    };
    let at = line.checked_sub(above + 1);
    if let Some(line) = at.and_then(|at| lines.get_mut(at))
        && line.is_char_boundary(end)
    {
        line.insert_str(end, suffix);
    }
}

/// Returns `line` with its first word that is no keyword made longer.
fn suffixed(edit: &Edit, line: &str, suffix: &str) -> String {
    let end = edit.language.identifier(line);
    let end = end.map_or(line.len(), |(_, end)| end);
    let (before, after) = line.split_at_checked(end).unwrap_or((line, ""));
    format!("{before}{suffix}{after}")
}

/// Returns `line` with its indentation replaced by what `new` makes of it.
fn indent(line: &str, new: impl Fn(&str) -> String) -> String {
    let blanks = blanks(line);
    let rest = line.get(blanks.len()..).unwrap_or_default();
    format!("{}{rest}", new(blanks))
}

/// Returns the half of `blanks`, all of which are one byte.
fn half(blanks: &str) -> &str {
    blanks.get(..blanks.len() / 2).unwrap_or_default()
}

/// Returns `blanks` as tabs of four columns, and what is left as spaces.
fn tabs(blanks: &str) -> String {
    let columns = blanks.len();
    format!("{}{}", "\t".repeat(columns / 4), " ".repeat(columns % 4))
}

#[cfg(test)]
pub(super) mod tests;
