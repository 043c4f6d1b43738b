//! surefoot itself, in this process: the same parse and the same plan as the binary's.

use surefoot_corpus::grid::{Rendering, Trial};
use surefoot_engine::blob::{BlobId, PlainIds};
use surefoot_engine::patch::Mode;
use surefoot_engine::path::RepoPath;
use surefoot_engine::plan::plan;
use surefoot_engine::policy::Policy;
use surefoot_engine::preimage::{Preimage, Preimages, Witness, WitnessSource};
use surefoot_formats::ParseOptions;

use super::contender::{PATH, joined};
use crate::appliers::Answer;

/// What surefoot knows beside the file and the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Nothing.
    Text,
    /// HEAD holds the file as the author saw it.
    Witness,
    /// The caller names the file as the author saw it, and HEAD holds it.
    Base,
}

impl Evidence {
    pub(crate) const ALL: [Self; 3] = [Self::Text, Self::Witness, Self::Base];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Witness => "witness",
            Self::Base => "base",
        }
    }
}

/// Returns surefoot's name for a rendering.
pub(super) fn format(rendering: Rendering) -> &'static str {
    match rendering {
        Rendering::SearchReplace => "search-replace",
        Rendering::UnifiedDiff => "unified-diff",
        Rendering::GitDiff => "git-diff",
        Rendering::V4a => "v4a",
        Rendering::StrReplace => "str-replace",
        Rendering::LineRange => "line-range",
        Rendering::CheckedRange => "checked-range",
        Rendering::Function => "whole-function",
        Rendering::WholeFile => "whole-file",
    }
}

const KIND: gix_hash::Kind = gix_hash::Kind::Sha1;

/// surefoot as one applier of many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surefoot {
    pub(super) policy: Policy,
    pub(super) rendering: Rendering,
    pub(super) evidence: Evidence,
}

impl Surefoot {
    pub(super) fn name(&self) -> String {
        format!("surefoot-{}-{}", self.policy.name, format(self.rendering))
    }

    /// Applies `trial`'s edit. Tells also whether it came with a warning.
    pub(super) fn apply(&self, trial: &Trial<'_>) -> (Answer, bool) {
        match self.try_apply(trial) {
            Ok((file, warned)) => (Answer::Applied(file), warned),
            Err(why) => (Answer::Refused(why), false),
        }
    }

    fn try_apply(&self, trial: &Trial<'_>) -> Result<(String, bool), String> {
        let edit = self.rendering.render(trial, PATH);
        let options = ParseOptions::default();
        let parsed = surefoot_formats::parse(edit.as_bytes().into(), None, &options)
            .map_err(|refused| format!("{refused:?}"))?;
        let path = RepoPath::new(PATH).map_err(|error| format!("{error:?}"))?;
        let preimages = self.preimages(trial, &path);
        let plan = plan(&parsed.steps, &preimages, &PlainIds(KIND), &self.policy)
            .map_err(|refused| format!("{:?}", refused.refusals()))?;
        let content = match plan.outputs().get(&path) {
            Some(Some(after)) => after.content.to_vec(),
            Some(None) => return Err("the file is to be deleted".into()),
            // It says that all is there already.
            None => trial.file.clone().into_bytes(),
        };
        let file = String::from_utf8(content).map_err(|error| error.to_string())?;
        Ok((file, !plan.warnings().is_empty()))
    }

    fn preimages(&self, trial: &Trial<'_>, path: &RepoPath) -> Preimages {
        let mut preimages = Preimages::default();
        let mut preimage = Preimage::file(trial.file.as_str(), Mode::Regular);
        preimage.blob = BlobId::of(KIND, trial.file.as_bytes());
        let base = joined(trial.edit.base());
        if self.evidence != Evidence::Text {
            // What HEAD holds is in git's object store, for an edit that names it too.
            if let Some(id) = BlobId::of(KIND, base.as_bytes()) {
                preimages.insert_blob(id, base.as_str().into());
                preimage.base = Some(id).filter(|_| self.evidence == Evidence::Base);
            }
            preimage.witnesses.push(Witness {
                source: WitnessSource::Head,
                content: base.into(),
            });
        }
        preimages.insert(path.clone(), preimage);
        preimages
    }
}
