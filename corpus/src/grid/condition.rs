//! What happened between the author's look and the edit's arrival, and what must come of it.

use super::drift::{Demand, Drift, TABLE};
use super::edit::Edit;
use super::hash;
use super::sample::Function;

/// A perturbation of one trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Nothing.
    None,
    /// One line came in above the function.
    ShiftDown,
    /// One line above the function went.
    ShiftUp,
    /// Five lines came in above the function.
    ShiftDown5,
    /// The edit quotes its place 4 columns further in.
    Reindent4,
    /// The edit quotes its place 8 columns further in.
    Reindent8,
    /// The edit quotes its place with tabs.
    ReindentTabs,
    /// The file drifted harshly.
    Harsh(Drift),
}

impl Condition {
    /// The six of the grid, in its order.
    pub const GRID: [Self; 6] = [
        Self::None,
        Self::ShiftDown,
        Self::ShiftUp,
        Self::Reindent4,
        Self::Reindent8,
        Self::ReindentTabs,
    ];

    /// Returns the 22 drifts that edit and payload, made from the file before, must stand: none, the
    /// shifts and all of [`Drift`], in the order of their table.
    pub fn harsh() -> impl Iterator<Item = Self> {
        let plain = [Self::None, Self::ShiftDown, Self::ShiftUp, Self::ShiftDown5];
        let harsh = TABLE.iter().map(|(drift, ..)| Self::Harsh(*drift));
        plain.into_iter().chain(harsh)
    }

    /// Returns what it demands of an applier.
    #[must_use]
    pub fn demand(self) -> Demand {
        match self {
            Self::Harsh(drift) => drift.demand(),
            _ => Demand::Apply,
        }
    }

    /// Tells whether the condition can be made where `edit` is; a trial of one that cannot is not to
    /// be counted.
    #[must_use]
    pub fn fits(self, edit: &Edit) -> bool {
        match self {
            Self::Harsh(drift) => drift.fits(edit),
            Self::ShiftUp => edit.row.first > 1,
            _ => true,
        }
    }

    /// Returns the name that it goes by in tables and digests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ShiftDown => "shift+1",
            Self::ShiftUp => "shift-1",
            Self::ShiftDown5 => "shift+5",
            Self::Reindent4 => "reindent4",
            Self::Reindent8 => "reindent8",
            Self::ReindentTabs => "reindentT",
            Self::Harsh(drift) => drift.name(),
        }
    }

    /// Returns `line` as the edit quotes it where the quote only locates.
    #[must_use]
    pub fn quote(self, line: &str) -> String {
        match self {
            Self::Reindent4 | Self::Reindent8 if line.is_empty() => String::new(),
            Self::Reindent4 => format!("    {line}"),
            Self::Reindent8 => format!("        {line}"),
            Self::ReindentTabs => {
                let spaces = line.len() - line.trim_start_matches(' ').len();
                let (tabs, rest) = match spaces / 4 {
                    0 => (1, line.trim_start_matches(' ')),
                    tabs => (tabs, line.get(tabs * 4..).unwrap_or_default()),
                };
                if line.is_empty() {
                    return String::new();
                }
                format!("{}{rest}", "\t".repeat(tabs))
            }
            _ => line.to_owned(),
        }
    }

    fn lines(self) -> i64 {
        match self {
            Self::ShiftDown => 1,
            Self::ShiftUp => -1,
            Self::ShiftDown5 => 5,
            _ => 0,
        }
    }

    /// Drifts `lines`, the file before or after the edit: the change is above the function, where
    /// both are alike.
    fn drift(self, edit: &Edit, lines: &[String]) -> Vec<String> {
        let mut out = lines.to_vec();
        let by = self.lines();
        if by == 0 {
            return out;
        }
        let above = edit.row.first - 1;
        let gone = usize::try_from(-by).unwrap_or(0);
        let Some(room) = above.checked_sub(gone) else {
            return out;
        };
        let parts = [
            "shiftpos",
            &edit.tag,
            &edit.row.id.to_string(),
            &by.to_string(),
        ];
        let places = u64::try_from(room + 1).unwrap_or(1);
        let at = usize::try_from(hash(&parts) % places).unwrap_or(0);
        let new = (0..by).map(|n| format!("{} sf-shift {n}", edit.language.comment));
        out.splice(at..at + gone, new);
        out
    }
}

/// One edit under one condition.
#[derive(Debug)]
pub struct Trial<'c> {
    /// The edit.
    pub edit: &'c Edit,
    /// What happened meanwhile.
    pub condition: Condition,
    /// The file that the edit meets.
    pub file: String,
    /// The one right file after it; `file` itself where the edit must be refused.
    pub expected: String,
}

impl<'c> Trial<'c> {
    /// Returns the trial of `edit` under `condition`.
    #[must_use]
    pub fn new(edit: &'c Edit, condition: Condition) -> Self {
        let (file, expected) = match condition {
            Condition::Harsh(drift) => (drift.lines(edit, false), drift.lines(edit, true)),
            _ => (
                condition.drift(edit, edit.base()),
                condition.drift(edit, &edit.target()),
            ),
        };
        let (file, expected) = (text(&file), text(&expected));
        Self {
            edit,
            condition,
            file,
            expected,
        }
    }

    /// Returns the functions of the file that the edit meets, in document order.
    ///
    /// A line that is gone may leave a file that no parser reads: so those of a shifted file are the
    /// ones of the file before, carried over the shift above them.
    #[must_use]
    pub fn functions(&self) -> Vec<Function> {
        if let Condition::Harsh(_) = self.condition {
            return self.edit.language.functions(&self.file);
        }
        let (base, lines) = (self.edit.base(), self.file.lines());
        let same = base.iter().zip(lines).take_while(|(a, b)| a == b).count();
        let len = self.file.lines().count();
        let carry = |line: usize| match line <= same {
            true => line,
            false => (line + len).saturating_sub(base.len()),
        };
        let functions = self.edit.functions().iter().cloned();
        functions
            .map(|found| Function {
                outer: carry(found.outer),
                first: carry(found.first),
                last: carry(found.last),
                targets: found.targets.iter().copied().map(carry).collect(),
                ..found
            })
            .collect()
    }
}

/// Joins `lines`, each with its end.
pub(super) fn text(lines: &[String]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect()
}
