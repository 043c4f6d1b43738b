//! The sets of trials: which edits, under which conditions, by which appliers.

use std::path::Path;

use surefoot_corpus::grid::{self, Condition, Corpus, Edit, Library, Manifest, Rendering};
use surefoot_engine::policy::Policy;

use super::contender::Contender;
use super::surefoot::Evidence;
use crate::Trouble;
use crate::appliers::{Applier, Dials, Format, Likeness, Patch, Rivals, Robust};

/// Trials that belong in one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Set {
    /// 640 edits of the Python library under six conditions.
    Grid,
    /// The same edits under the 22 harsh drifts.
    Harsh,
    /// The same, each with two hunks, under the six conditions.
    Hunks2,
    /// The same with three.
    Hunks3,
    /// The same with four.
    Hunks4,
    /// Edits of another library, under the six conditions and the harsh drifts.
    Requests,
    /// The dials of appliers that have some, under the six conditions.
    Sweeps,
    /// surefoot's policies under the harsh drifts.
    Policies,
}

impl Set {
    /// Those that run where none is named.
    pub(crate) const DEFAULT: [Self; 2] = [Self::Grid, Self::Harsh];

    /// Returns its name in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Harsh => "harsh",
            Self::Hunks2 => "hunks2",
            Self::Hunks3 => "hunks3",
            Self::Hunks4 => "hunks4",
            Self::Requests => "requests",
            Self::Sweeps => "sweeps",
            Self::Policies => "policies",
        }
    }

    /// Returns the edits, in `language` where that is not Python; `cache` is where a fetched corpus is
    /// kept.
    ///
    /// # Errors
    ///
    /// Where the corpus is not there or is not the pinned one.
    pub(crate) fn edits(self, language: Option<&str>, cache: &Path) -> Result<Vec<Edit>, Trouble> {
        let corpus = match (self, language) {
            (Self::Requests, None) => {
                Corpus::load(&grid::requests(cache)?, &Manifest::requests()?)?
            }
            (Self::Requests, Some(_)) => return Err("`requests` is Python".into()),
            (_, None) => stdlib()?,
            (_, Some(name)) => {
                let library = Library::named(name).ok_or_else(|| {
                    format!("there are no edits in `{name}`; build with `--features languages`")
                })?;
                Corpus::of(library, &grid::fetch(library, cache)?)?
            }
        };
        let hunks = match self {
            Self::Hunks2 => 2,
            Self::Hunks3 => 3,
            Self::Hunks4 => 4,
            _ => return Ok(corpus.edits().to_vec()),
        };
        let edits = corpus.edits().iter();
        Ok(edits.filter_map(|edit| edit.with_hunks(hunks)).collect())
    }

    /// Returns the conditions, in the order of tables.
    pub(crate) fn conditions(self) -> Vec<Condition> {
        match self {
            Self::Harsh | Self::Policies => Condition::harsh().collect(),
            Self::Requests => {
                let harsh = Condition::harsh();
                let more = harsh.filter(|condition| !Condition::GRID.contains(condition));
                Condition::GRID.into_iter().chain(more).collect()
            }
            _ => Condition::GRID.to_vec(),
        }
    }

    /// Returns the appliers, in the order of tables.
    pub(crate) fn contenders(self) -> Vec<Contender> {
        match self {
            Self::Sweeps => dials(),
            Self::Policies => Policy::ALL.into_iter().flat_map(ours).collect(),
            _ => {
                let peers = peers().into_iter();
                peers.chain(ours(Policy::BALANCED)).collect()
            }
        }
    }
}

/// Reads the 640 edits of the pinned Python library.
fn stdlib() -> Result<Corpus, Trouble> {
    let root = Path::new(rustpython_pylib::LIB_PATH);
    Ok(Corpus::load(root, &Manifest::stdlib()?)?)
}

/// Returns every peer, in each format that it reads.
fn peers() -> Vec<Contender> {
    let mut all = Vec::new();
    for (name, applier) in Applier::all() {
        for (nth, format) in applier.formats().iter().enumerate() {
            let name = match nth {
                0 => name.to_owned(),
                _ => format!("{name}-udiff"),
            };
            all.push(Contender::peer(name, applier.clone(), *format));
        }
    }
    all
}

/// Returns surefoot with `policy` in every format, with every evidence.
pub(super) fn ours(policy: Policy) -> impl Iterator<Item = Contender> {
    Rendering::ALL.into_iter().flat_map(move |rendering| {
        let with = move |evidence| Contender::ours(policy, rendering, evidence);
        Evidence::ALL.into_iter().map(with)
    })
}

/// Returns appliers at several of their settings: the least likeness of the fuzzy one, patch's fuzz
/// factor, Robust-Apply's floor and margin.
fn dials() -> Vec<Contender> {
    let mut all = Vec::new();
    for tau in [0.5, 0.6, 0.7, 0.8, 0.9] {
        let fuzzy = Applier::Fuzzy(tau);
        all.push(Contender::peer(
            format!("sr-fuzzy-{tau}"),
            fuzzy,
            Format::Blocks,
        ));
    }
    for fuzz in 0..=3 {
        let patch = Applier::Patch(Patch::with_fuzz(fuzz));
        all.push(Contender::peer(
            format!("udiff-f{fuzz}"),
            patch,
            Format::Diff,
        ));
    }
    let readings = [
        ("w1", Likeness::BlankBlind, Rivals::Disjoint),
        ("w2", Likeness::IndentAware, Rivals::All),
    ];
    for (reading, likeness, rivals) in readings {
        for floor in [0.85, 0.9, 0.95] {
            for margin in [0.1, 0.2, 0.3] {
                let dials = Dials {
                    floor,
                    margin,
                    ..Dials::PAPER
                };
                let robust = Applier::Robust(Robust {
                    likeness,
                    rivals,
                    dials,
                });
                let name = format!("robust-{reading}-{floor}-{margin}");
                all.push(Contender::peer(name, robust, Format::Blocks));
            }
        }
    }
    all
}
