//! Judging what came of a trial.

use std::io;

use crate::ground::Ground;

/// What an applier's process did.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its exit status; `None` where a signal ended it.
    pub status: Option<i32>,
    /// Its standard output.
    pub stdout: Vec<u8>,
}

/// How a trial ended, from right to worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Tree and outcome are as they must be.
    Right,
    /// A right refusal, with a code that the case does not name.
    Code(String),
    /// Refused, as it may be until the case's day comes.
    Later,
    /// Refused where only applying is right; nothing changed.
    OverRefusal(String),
    /// The process ended in another way than applied or refused, or its report contradicts it.
    Trouble(String),
    /// Refused, and something changed all the same.
    Dirty(String),
    /// Said to be applied, and the tree is not the right one.
    Silent(String),
}

impl Grade {
    /// Tells whether nothing is wrong.
    #[must_use]
    pub fn is_right(&self) -> bool {
        matches!(self, Self::Right | Self::Later)
    }
}

impl Ground<'_> {
    /// Judges what `run` did to this ground: what is on disk, then what the report says.
    ///
    /// # Errors
    ///
    /// Where the tree cannot be read.
    pub fn grade(&self, run: &Run) -> io::Result<Grade> {
        let after = self.tree()?;
        let before = &self.trial.case.before;
        if let Some(how) = self.outside_changed()? {
            return Ok(Grade::Dirty(format!("outside of the tree: {how}")));
        }
        let changed = before.difference(&after);
        let report = match read_report(run) {
            Ok(report) => report,
            Err(message) => {
                let also = changed
                    .map(|how| format!(", and {how}"))
                    .unwrap_or_default();
                return Ok(Grade::Trouble(format!("{message}{also}")));
            }
        };
        if report.applied {
            let Some(wanted) = &self.trial.case.answer.applied else {
                return Ok(Grade::Silent(
                    "applied where only a refusal is right".to_owned(),
                ));
            };
            return Ok(wanted
                .difference(&after)
                .map_or(Grade::Right, Grade::Silent));
        }
        let said = report.codes.join(", ");
        if let Some(how) = changed {
            return Ok(Grade::Dirty(format!("refused ({said}), but {how}")));
        }
        Ok(self.grade_refusal(&report, &said))
    }

    fn grade_refusal(&self, report: &Report, said: &str) -> Grade {
        if report.codes.is_empty() {
            return Grade::Trouble("refused without a reason".to_owned());
        }
        match self.trial.codes() {
            _ if self.trial.case.later => Grade::Later,
            None => Grade::OverRefusal(format!("{said}: {}", report.message)),
            Some(codes)
                if report
                    .codes
                    .iter()
                    .any(|code| codes.contains(&code.as_str())) =>
            {
                Grade::Right
            }
            Some(codes) => Grade::Code(format!("{said}, not one of {}", codes.join(", "))),
        }
    }
}

/// What a grade needs of a report.
struct Report {
    applied: bool,
    codes: Vec<String>,
    message: String,
}

fn read_report(run: &Run) -> Result<Report, String> {
    let report: serde_json::Value = serde_json::from_slice(&run.stdout)
        .map_err(|error| format!("status {:?} and no report: {error}", run.status))?;
    let outcome = report.get("outcome").and_then(serde_json::Value::as_str);
    let applied = match (run.status, outcome) {
        (Some(0), Some("applied")) => true,
        (Some(1), Some("refused")) => false,
        (status, outcome) => return Err(format!("status {status:?} with outcome {outcome:?}")),
    };
    let refusals = report.get("refusals").and_then(serde_json::Value::as_array);
    let refusals = refusals.map_or(&[][..], Vec::as_slice);
    let text = |refusal: &serde_json::Value, key: &str| {
        refusal
            .get(key)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let codes = refusals
        .iter()
        .map(|refusal| text(refusal, "code"))
        .collect();
    let message = refusals
        .first()
        .map(|refusal| text(refusal, "message"))
        .unwrap_or_default();
    Ok(Report {
        applied,
        codes,
        message,
    })
}
