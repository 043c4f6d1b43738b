//! Outcomes as JSON lines: a head that says what was run, then a row a trial. Parts of one run are
//! put together from their rows, and give the bytes that one run gives.

use std::io::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use surefoot_corpus::grid::Edit;

use super::outcomes::{Column, Of, Outcomes};
use super::shard::Shard;
use crate::Trouble;
use crate::stats::Verdict;

/// What a run was over. Rows of runs that differ in more than the shard do not mix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// The set's name.
    set: String,
    /// The SHA-256 of the edits, in hex.
    manifest: String,
    shard: String,
    conditions: Vec<String>,
    columns: Vec<Column>,
}

/// One trial.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row<'r> {
    id: usize,
    #[serde(borrow)]
    path: std::borrow::Cow<'r, str>,
    condition: std::borrow::Cow<'r, str>,
    applier: std::borrow::Cow<'r, str>,
    evidence: std::borrow::Cow<'r, str>,
    outcome: std::borrow::Cow<'r, str>,
}

/// Returns the SHA-256 of what the edits are.
pub(crate) fn manifest_of(edits: &[Edit]) -> Result<String, Trouble> {
    let mut hasher = Sha256::new();
    for edit in edits {
        hasher.update(&edit.tag);
        hasher.update(serde_json::to_string(&edit.row)?);
        for hunk in edit.hunks() {
            let (first, old, new) = (hunk.first, hunk.old, hunk.new);
            hasher.update(serde_json::to_string(&(first, old, new))?);
        }
    }
    let digest: [u8; 32] = hasher.finalize().into();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A run's outcomes, and what the run was over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// The SHA-256 of all edits of the set, those of other shards too.
    pub(crate) manifest: String,
    pub(crate) shard: Shard,
    pub(crate) outcomes: Outcomes,
}

impl Rows {
    /// Returns the name of the file for them.
    pub(crate) fn file_name(&self) -> String {
        let set = &self.outcomes.set;
        match self.shard {
            Shard::WHOLE => format!("{set}.jsonl"),
            shard => format!("{set}.{}.jsonl", shard.to_string().replace('/', "-of-")),
        }
    }

    fn head(&self) -> Head {
        Head {
            set: self.outcomes.set.clone(),
            manifest: self.manifest.clone(),
            shard: self.shard.to_string(),
            conditions: self.outcomes.conditions.clone(),
            columns: self.outcomes.columns.clone(),
        }
    }

    /// Writes the head and a row a trial.
    pub(crate) fn write(&self, mut to: impl Write) -> Result<(), Trouble> {
        serde_json::to_writer(&mut to, &self.head())?;
        to.write_all(b"\n")?;
        let outcomes = &self.outcomes;
        for of in &outcomes.edits {
            for (at, condition) in outcomes.conditions.iter().enumerate() {
                for (column, verdict) in outcomes.columns.iter().zip(outcomes.under(of, at)) {
                    let Some(verdict) = verdict else { continue };
                    let row = Row {
                        id: of.id,
                        path: of.path.as_str().into(),
                        condition: condition.as_str().into(),
                        applier: column.applier.as_str().into(),
                        evidence: column.evidence.as_str().into(),
                        outcome: verdict.word().into(),
                    };
                    serde_json::to_writer(&mut to, &row)?;
                    to.write_all(b"\n")?;
                }
            }
        }
        to.flush()?;
        Ok(())
    }

    /// Reads what [`Self::write`] wrote.
    pub(crate) fn read(text: &str) -> Result<Self, Trouble> {
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default())?;
        let shard = head.shard.parse()?;
        let mut outcomes = Outcomes {
            set: head.set,
            conditions: head.conditions,
            columns: head.columns,
            edits: Vec::new(),
        };
        for (at, line) in lines.enumerate() {
            let put = serde_json::from_str(line).map_err(Trouble::from);
            let put = put.and_then(|row| put_row(&mut outcomes, &row));
            put.map_err(|trouble| format!("row {}: {trouble}", at + 1))?;
        }
        Ok(Self {
            manifest: head.manifest,
            shard,
            outcomes,
        })
    }

    /// Puts the parts of one run together.
    ///
    /// # Errors
    ///
    /// Where they are of several runs, or where one is missing or there twice.
    pub(crate) fn merge(parts: Vec<Self>) -> Result<Self, Trouble> {
        let mut parts = parts.into_iter();
        let mut whole = parts.next().ok_or("there is nothing to merge")?;
        let mut seen = vec![whole.shard];
        for part in parts {
            let (mut one, mut other) = (whole.head(), part.head());
            (one.shard, other.shard) = (String::new(), String::new());
            if one != other {
                let set = &part.outcomes.set;
                let (one, other) = (whole.shard, part.shard);
                return Err(format!(
                    "parts {one} and {other} of `{set}` are of different runs: their edits, \
                     conditions or appliers are not the same"
                )
                .into());
            }
            seen.push(part.shard);
            whole.outcomes.edits.extend(part.outcomes.edits);
        }
        let mut wanted: Vec<Shard> = whole.shard.siblings().collect();
        wanted.sort();
        seen.sort();
        if seen != wanted {
            let list = |all: &[Shard]| {
                let names: Vec<String> = all.iter().map(Shard::to_string).collect();
                names.join(", ")
            };
            let (wanted, seen) = (list(&wanted), list(&seen));
            return Err(format!("a run is made of parts {wanted}; found {seen}").into());
        }
        whole.shard = Shard::WHOLE;
        whole.outcomes.edits.sort_by_key(|of| of.id);
        Ok(whole)
    }
}

/// Puts a row where it belongs. Rows of one edit stand together.
fn put_row(outcomes: &mut Outcomes, row: &Row<'_>) -> Result<(), Trouble> {
    let named = |name: &String| *name == row.condition;
    let condition = outcomes.conditions.iter().position(named);
    let by = |column: &Column| column.applier == row.applier && column.evidence == row.evidence;
    let column = outcomes.columns.iter().position(by);
    let (Some(condition), Some(column)) = (condition, column) else {
        return Err("its condition or applier is not in the head".into());
    };
    let verdict = Verdict::ALL.into_iter().find(|it| it.word() == row.outcome);
    let verdict = verdict.ok_or_else(|| format!("`{}` is no outcome", row.outcome))?;
    if outcomes.edits.last().is_none_or(|of| of.id != row.id) {
        outcomes.edits.push(Of {
            id: row.id,
            path: row.path.clone().into_owned(),
            verdicts: vec![None; outcomes.conditions.len() * outcomes.columns.len()],
        });
    }
    let at = condition * outcomes.columns.len() + column;
    let of = outcomes.edits.last_mut();
    match of.and_then(|of| of.verdicts.get_mut(at)) {
        Some(place @ None) => *place = Some(verdict),
        _ => return Err("the same trial is there twice".into()),
    }
    Ok(())
}
