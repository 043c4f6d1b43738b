//! The batches of a patch brought together: no two may write one path, none over what stays.

use std::collections::{BTreeMap, BTreeSet};

use super::{Batch, Fate, Planner, StepPlan, refusal, twice};
use crate::blob::BlobIds;
use crate::outcome::{PathTrouble, Reason, Refusal};
use crate::patch::Mode;
use crate::path::RepoPath;
use crate::plan::tree::There;
use crate::plan::{Action, After};

impl<I: BlobIds> Planner<'_, I> {
    /// Brings the batches together: no two may write one path, none over a file that stays.
    pub(super) fn meet(&self, results: Vec<(&Batch<'_>, Fate)>) -> Result<StepPlan, Vec<Refusal>> {
        let mut step = StepPlan::default();
        let mut refusals = Vec::new();
        let leaves = |result: &Fate| match result.plan.action {
            Action::Rename => result.plan.from.clone(),
            Action::Delete => Some(result.plan.path.clone()),
            _ => None,
        };
        let gone: BTreeSet<RepoPath> = results
            .iter()
            .filter_map(|(_, result)| leaves(result))
            .collect();
        for path in &gone {
            step.outputs.insert(path.clone(), None);
        }
        for (
            batch,
            Fate {
                plan,
                after,
                warnings,
            },
        ) in results
        {
            let edit = batch.edits[0];
            step.warnings.extend(warnings);
            if let (Some(after), true) = (after, plan.action != Action::None) {
                let fresh = matches!(plan.action, Action::Rename | Action::Copy);
                let blocked = match self.tree.there(&plan.path) {
                    Err(reason) => Some(reason),
                    Ok(There::Absent) => None,
                    Ok(_) if fresh && !gone.contains(&plan.path) => Some(Reason::Exists),
                    Ok(_) => None,
                };
                let rival = matches!(step.outputs.get(&plan.path), Some(Some(_)));
                if let Some(reason) = blocked.or_else(|| rival.then(twice)) {
                    refusals.push(refusal(edit, None, reason));
                    continue;
                }
                step.outputs.insert(plan.path.clone(), Some(after));
            }
            step.files.push(plan);
        }
        refusals.extend(self.collisions(&step));
        if refusals.is_empty() {
            Ok(step)
        } else {
            Err(refusals)
        }
    }

    /// Refuses paths below a file or link that stays or comes, and names equal but for case.
    pub(super) fn collisions(&self, step: &StepPlan) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let mut folded: BTreeMap<String, &RepoPath> = BTreeMap::new();
        for (path, after) in &step.outputs {
            let Some(_) = after else { continue };
            let mut above = path.parent();
            while let Some(folder) = above {
                let trouble = match step.outputs.get(&folder) {
                    Some(Some(After {
                        mode: Mode::Symlink,
                        ..
                    })) => Some(PathTrouble::Symlink),
                    Some(Some(_)) => Some(PathTrouble::NotFolder),
                    Some(None) => None,
                    None => match self.tree.there(&folder) {
                        Ok(There::File {
                            mode: Mode::Symlink,
                            ..
                        }) => Some(PathTrouble::Symlink),
                        Ok(There::File { .. }) => Some(PathTrouble::NotFolder),
                        Ok(There::Gitlink) => Some(PathTrouble::Submodule),
                        _ => None,
                    },
                };
                if let Some(trouble) = trouble {
                    let reason = Reason::ForbiddenPath(trouble);
                    refusals.push(Refusal::of_path(path.as_bstr(), reason));
                    break;
                }
                above = folder.parent();
            }
            if self.tree.preimages().fold_case() {
                let name = String::from_utf8_lossy(path.as_bstr()).to_lowercase();
                if folded.insert(name, path).is_some() {
                    let reason = Reason::ForbiddenPath(PathTrouble::Case);
                    refusals.push(Refusal::of_path(path.as_bstr(), reason));
                }
            }
        }
        refusals
    }
}
