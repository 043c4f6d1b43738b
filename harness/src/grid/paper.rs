//! The paper's figures beside ours.

use std::fmt::Write as _;

use super::outcomes::Outcomes;
use crate::stats::Verdict;

/// The appliers that the figures are of.
pub(super) const APPLIERS: [&str; 11] = [
    "sr-exact",
    "sr-ws",
    "sr-fuzzy",
    "udiff-f2",
    "line",
    "func",
    "udiff-f0",
    "sr-exact-first",
    "sr-ws-first",
    "robust-w2",
    "robust-w2-udiff",
];

const CLEAN: [&str; 1] = ["none"];
const SHIFTS: [&str; 2] = ["shift+1", "shift-1"];
const STRESS: [&str; 5] = ["shift+1", "shift-1", "reindent4", "reindent8", "reindentT"];
const APPLICABLE: [&str; 3] = ["none", "shift+1", "shift-1"];
const ALL: [&str; 6] = [
    "none",
    "shift+1",
    "shift-1",
    "reindent4",
    "reindent8",
    "reindentT",
];

/// Sets of which the figures are made.
#[derive(Debug)]
pub(super) struct Figures<'f> {
    pub(super) grid: &'f Outcomes,
    /// Edits of two hunks.
    pub(super) hunks: &'f Outcomes,
    pub(super) requests: &'f Outcomes,
}

/// A share: so many of so many.
type Share = (u64, u64);

fn share(set: &Outcomes, appliers: &[&str], conditions: &[&str], wanted: Verdict) -> Share {
    let mut share = (0, 0);
    for (at, name) in set.conditions.iter().enumerate() {
        if !conditions.contains(&name.as_str()) {
            continue;
        }
        for (column, by) in set.columns.iter().enumerate() {
            if appliers.contains(&by.applier.as_str()) {
                let cell = set.cell(at, column);
                share.0 += cell.of(wanted);
                share.1 += cell.trials();
            }
        }
    }
    share
}

impl Figures<'_> {
    /// Returns the table, in Markdown.
    pub(super) fn table(&self) -> String {
        use Verdict::{Clean, Silent, Success};
        let Self {
            grid,
            hunks,
            requests,
        } = *self;
        let fuzzy = ["sr-fuzzy"];
        let robust = ["robust-w2"];
        let applied = share(grid, &fuzzy, &ALL, Success).0 + share(grid, &fuzzy, &ALL, Silent).0;
        let kept = (share(grid, &robust, &ALL, Success).0, applied);
        let rows: [(&str, &str, Share, &str); 20] = [
            (
                "line range, file shifted by a line: success",
                "0",
                share(grid, &["line"], &SHIFTS, Success),
                "",
            ),
            (
                "... silent",
                ".991",
                share(grid, &["line"], &SHIFTS, Silent),
                "only a range past the file's end is refused; line above deleted alone: .9875",
            ),
            (
                "whole function by its name: silent",
                ".127",
                share(grid, &["func"], &CLEAN, Silent),
                "the first of that name; spans by a parser",
            ),
            (
                "exact and unique: silent",
                "0",
                share(grid, &["sr-exact"], &STRESS, Silent),
                "a re-indented quote that equals a copy at that depth",
            ),
            (
                "white space aside, unique: silent",
                "0",
                share(grid, &["sr-ws"], &STRESS, Silent),
                "",
            ),
            (
                "exact, first match: silent",
                ".020",
                share(grid, &["sr-exact-first"], &APPLICABLE, Silent),
                "where the quote can match at all",
            ),
            (
                "white space aside, first match: silent",
                ".023",
                share(grid, &["sr-ws-first"], &ALL, Silent),
                "",
            ),
            (
                "most similar window, stress: success",
                ".977",
                share(grid, &fuzzy, &STRESS, Success),
                "at least .6 alike, difflib's ratio",
            ),
            (
                "... silent",
                ".023",
                share(grid, &fuzzy, &STRESS, Silent),
                "",
            ),
            ("... refused", "0", share(grid, &fuzzy, &STRESS, Clean), ""),
            (
                "diff by patch, stress: silent",
                "0",
                share(grid, &["udiff-f0", "udiff-f2"], &STRESS, Silent),
                "fuzz 0 and 2",
            ),
            (
                "two hunks, most similar, 8 deeper: silent",
                ".393",
                share(hunks, &fuzzy, &["reindent8"], Silent),
                "two one-line anchors",
            ),
            (
                "two hunks, diff by patch: silent",
                "0",
                share(hunks, &["udiff-f0", "udiff-f2"], &ALL, Silent),
                "",
            ),
            (
                "requests, most similar, stress: silent",
                ".025",
                share(requests, &fuzzy, &STRESS, Silent),
                "55 edits",
            ),
            (
                "requests, line range, shift: silent",
                "1.000",
                share(requests, &["line"], &SHIFTS, Silent),
                "",
            ),
            (
                "Robust-Apply, stress: success",
                ".51",
                share(grid, &robust, &STRESS, Success),
                "its white-space stage keeps leading blanks; overlapping windows are runners-up",
            ),
            (
                "... of what the most similar window applies",
                ".60",
                kept,
                "",
            ),
            (
                "... of the most similar window's silent ones: refused",
                "1.00",
                self.turned(),
                "",
            ),
            (
                "... unperturbed: success",
                "lossless",
                share(grid, &robust, &CLEAN, Success),
                "as many as exact and unique",
            ),
            (
                "... blocks and diffs: silent",
                ".0001",
                share(grid, &["robust-w2", "robust-w2-udiff"], &ALL, Silent),
                "1 of 8,320 in the paper",
            ),
        ];
        let mut text =
            "| figure | paper | here | of | remark |\n| --- | ---: | ---: | ---: | --- |\n"
                .to_owned();
        for (figure, paper, (hits, trials), remark) in rows {
            let rate = hits as f64 / trials.max(1) as f64;
            let row = writeln!(
                text,
                "| {figure} | {paper} | {rate:.4} | {hits}/{trials} | {remark} |"
            );
            row.unwrap_or_default();
        }
        text
    }

    /// Returns how many of the trials that the most similar window lands wrong Robust-Apply refuses.
    fn turned(&self) -> Share {
        let grid = self.grid;
        let column = |name: &str| grid.columns.iter().position(|it| it.applier == name);
        let (Some(fuzzy), Some(robust)) = (column("sr-fuzzy"), column("robust-w2")) else {
            return (0, 0);
        };
        let mut share = (0, 0);
        for of in &grid.edits {
            for condition in 0..grid.conditions.len() {
                let verdicts = grid.under(of, condition);
                let verdict = |column: usize| verdicts.get(column).copied().flatten();
                if verdict(fuzzy) == Some(Verdict::Silent) {
                    share.1 += 1;
                    share.0 += u64::from(verdict(robust) == Some(Verdict::Clean));
                }
            }
        }
        share
    }
}
