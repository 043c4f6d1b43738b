//! What holds for every library. Sources that are not fetched are named, and their tests are not
//! run: no test fetches anything.

#[cfg(feature = "c")]
mod c;
#[cfg(feature = "cpp")]
mod cpp;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "java")]
mod java;
#[cfg(feature = "javascript")]
mod javascript;
#[cfg(feature = "rust")]
mod rust;
#[cfg(feature = "typescript")]
mod typescript;

use std::path::PathBuf;
use std::sync::OnceLock;

use super::super::drift::tests::differ_by_the_edit_alone;
use super::super::tests::row_of;
use super::super::{Condition, Corpus, Edit, Operation, Row, Trial, account, cache, sample};
use super::*;

/// Returns what is known of the functions in `text`: name, lines from the first that belongs to it,
/// targets, the place that it moves to and what can be put around it.
fn outlined(language: &Language, text: &str) -> Vec<String> {
    let outline = (language.outline)(text);
    assert!(outline.is_whole, "{text}");
    let say = |it: &Function| {
        let level = it.level.map_or("none", |level| level.head);
        let home = it.home.map_or("none".to_owned(), |line| line.to_string());
        let (first, last) = (it.first, it.last);
        format!(
            "{} {}/{first}-{last} {:?} home {home} level {level}",
            it.qualified, it.outer, it.targets
        )
    };
    outline.functions.iter().map(say).collect()
}

/// Checks that every operation on every target of `text`, and every drift of it, leaves text without
/// a fault, and returns the drifts that do not fit one edit or another.
fn all_is_whole(language: &'static Language, text: &str) -> Vec<&'static str> {
    let mut unfit = std::collections::BTreeSet::new();
    for function in language.functions(text) {
        for target in function.targets.iter().copied() {
            for operation in Operation::ALL {
                let anchor = (target - 1).clamp(function.first, function.last - 2);
                let row = Row {
                    qualified: function.qualified.clone(),
                    ..row_of(
                        text,
                        (function.first, function.last),
                        target,
                        anchor,
                        operation,
                    )
                };
                let edit = Edit::of(language, &row, text).unwrap();
                for condition in Condition::harsh() {
                    if !condition.fits(&edit) {
                        unfit.insert(condition.name());
                    } else if !is_shift(condition) {
                        is_whole(language, &Trial::new(&edit, condition));
                    }
                }
            }
        }
    }
    unfit.into_iter().collect()
}

/// Tells whether a line comes or goes anywhere above the function, by the construction also inside
/// of a string or a macro, so that what is left may have a fault.
fn is_shift(condition: Condition) -> bool {
    let shifts = [
        Condition::ShiftDown,
        Condition::ShiftUp,
        Condition::ShiftDown5,
    ];
    shifts.contains(&condition)
}

/// Checks that the grammar finds no fault in the files of `trial`.
fn is_whole(language: &Language, trial: &Trial<'_>) {
    for text in [&trial.file, &trial.expected] {
        let (id, path) = (trial.edit.row.id, &trial.edit.row.path);
        let name = trial.condition.name();
        assert!(
            (language.outline)(text).is_whole,
            "{id} {path} {name}\n{text}"
        );
    }
}

struct Fetched {
    library: &'static Library,
    root: PathBuf,
    corpus: Corpus,
}

/// Returns the libraries that are fetched.
fn fetched() -> &'static [Fetched] {
    static FETCHED: OnceLock<Vec<Fetched>> = OnceLock::new();
    FETCHED.get_or_init(|| {
        let folder = cache().unwrap();
        let found = |library: &&'static Library| {
            let name = library.language.name;
            let root = folder.join(name);
            if !root.is_dir() {
                eprintln!("skipped: {name} is not fetched (surefoot-harness corpus fetch {name})");
                return None;
            }
            Some(Fetched {
                library,
                corpus: Corpus::of(library, &root).unwrap(),
                root,
            })
        };
        LIBRARIES.iter().filter_map(found).collect()
    })
}

/// Runs `check` on every library that is fetched, side by side.
fn each_fetched(check: impl Fn(&Fetched) + Sync) {
    std::thread::scope(|scope| {
        for fetched in fetched() {
            scope.spawn(|| check(fetched));
        }
    });
}

#[test]
fn the_sample_of_what_is_pinned_is_the_one_that_was_fixed() {
    each_fetched(|fetched| {
        let Fetched {
            library,
            root,
            corpus,
        } = fetched;
        let name = library.language.name;
        library.listing().unwrap().check(library, root).unwrap();
        let sampled = sample(library.language, root, name, Some(224), 640).unwrap();
        assert!(sampled.write().unwrap() == library.edits, "{name}");
        let account = account(library, root, corpus).unwrap();
        assert_eq!(account, library.account, "{name}");
    });
}

#[test]
fn every_manifest_is_of_listed_files_alone() {
    for library in LIBRARIES {
        let (manifest, listing) = (library.manifest().unwrap(), library.listing().unwrap());
        assert_eq!(manifest.tag, library.language.name);
        assert_eq!(listing.write(), library.files);
        for (id, row) in manifest.rows.iter().enumerate() {
            assert_eq!(row.id, id);
            let listed = format!("{} ", row.sha256);
            let mut lines = library.files.lines();
            let is =
                |line: &str| line.starts_with(&listed) && line.ends_with(&format!(" {}", row.path));
            assert!(lines.any(is), "{}", row.path);
        }
    }
}

/// Every edit, and every drift on some edits: all of them on all take minutes a language.
#[test]
fn bases_targets_and_drifted_files_are_without_a_fault() {
    each_fetched(|fetched| {
        for edit in fetched.corpus.edits() {
            let harsh = Condition::harsh().enumerate();
            let turn = |nth: usize| nth == 0 || (edit.row.id + nth).is_multiple_of(10);
            let chosen = harsh.filter(|(nth, it)| turn(*nth) && !is_shift(*it));
            for (_, condition) in chosen.filter(|(_, it)| it.fits(edit)) {
                is_whole(fetched.library.language, &Trial::new(edit, condition));
            }
        }
    });
}

#[test]
fn an_edit_makes_its_target_of_its_base() {
    for fetched in fetched() {
        for edit in fetched.corpus.edits() {
            for edit in (1..=4).filter_map(|hunks| edit.with_hunks(hunks)) {
                let mut lines = edit.base().to_vec();
                for hunk in edit.hunks().iter().rev() {
                    let range = hunk.first - 1..hunk.first - 1 + hunk.old.len();
                    assert_eq!(lines[range.clone()], hunk.old);
                    lines.splice(range, hunk.new.clone());
                }
                assert_eq!(lines, edit.target(), "{}", edit.row.id);
                assert_ne!(lines, edit.base(), "{}", edit.row.id);
            }
        }
    }
}

#[test]
fn drifts_and_edits_are_apart() {
    each_fetched(|fetched| differ_by_the_edit_alone(&fetched.corpus));
}

#[test]
fn a_drift_that_does_not_fit_changes_nothing_and_what_it_brings_in_is_new() {
    const BROUGHT: [&str; 7] = [
        "SfNested",
        "sf_copy",
        "sf_like",
        "sf_nested",
        "sf_other",
        "sf_probe",
        "sf_renamed",
    ];
    each_fetched(|fetched| {
        let name = fetched.library.language.name;
        for edit in fetched.corpus.edits() {
            let has_some = |line: &&String| BROUGHT.iter().any(|it| line.contains(it));
            assert_eq!(edit.base().iter().find(has_some), None, "{name}");
            let harsh = Condition::harsh().filter(|it| matches!(it, Condition::Harsh(_)));
            for condition in harsh.filter(|it| !it.fits(edit)) {
                let (trial, none) = (
                    Trial::new(edit, condition),
                    Trial::new(edit, Condition::None),
                );
                assert_eq!(trial.file, none.file, "{name} {}", edit.row.id);
                assert_eq!(trial.expected, none.expected, "{name} {}", edit.row.id);
            }
        }
    });
}
