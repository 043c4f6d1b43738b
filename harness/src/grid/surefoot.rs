//! surefoot itself, in this process: the same parse and the same plan as the binary's.

use surefoot_corpus::grid::{Rendering, Trial};
use surefoot_engine::blob::{BlobId, PlainIds};
use surefoot_engine::patch::Mode;
use surefoot_engine::path::RepoPath;
use surefoot_engine::plan::plan;
use surefoot_engine::policy::Policy;
use surefoot_engine::preimage::{Preimage, Preimages, Witness, WitnessSource};
use surefoot_formats::ParseOptions;

/// What surefoot knows beside the file and the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Nothing.
    Text,
    /// HEAD holds the file as the author saw it.
    Witness,
    /// The caller names the file as the author saw it.
    Base,
}

impl Evidence {
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

const PATH: &str = "file.py";
const KIND: gix_hash::Kind = gix_hash::Kind::Sha1;

/// Applies `trial`'s edit as `rendering` has it. `None`: refused.
pub(super) fn apply(trial: &Trial<'_>, rendering: Rendering, evidence: Evidence) -> Option<String> {
    let edit = rendering.render(trial, PATH);
    let options = ParseOptions::default();
    let parsed = surefoot_formats::parse(edit.as_bytes().into(), None, &options).ok()?;
    let path = RepoPath::new(PATH).ok()?;
    let mut preimage = Preimage::file(trial.file.as_str(), Mode::Regular);
    preimage.blob = BlobId::of(KIND, trial.file.as_bytes());
    let base: String = trial
        .edit
        .base()
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    let mut preimages = Preimages::default();
    match evidence {
        Evidence::Text => {}
        Evidence::Witness => preimage.witnesses.push(Witness {
            source: WitnessSource::Head,
            content: base.into(),
        }),
        Evidence::Base => {
            let id = BlobId::of(KIND, base.as_bytes())?;
            preimage.base = Some(id);
            preimages.insert_blob(id, base.into());
        }
    }
    preimages.insert(path.clone(), preimage);
    let plan = plan(
        &parsed.steps,
        &preimages,
        &PlainIds(KIND),
        &Policy::BALANCED,
    )
    .ok()?;
    let content = match plan.outputs().get(&path) {
        Some(after) => after.as_ref()?.content.to_vec(),
        // It says that all is there already.
        None => trial.file.clone().into_bytes(),
    };
    String::from_utf8(content).ok()
}
