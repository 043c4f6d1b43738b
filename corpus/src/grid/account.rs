//! What a library comes to: files, functions, edits and trials counted, and one digest over all of
//! it, so that any change shows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::condition::{Condition, Trial};
use super::edit::{Edit, Operation};
use super::language::Library;
use super::manifest::digest;
use super::sample::candidates;
use super::{Corpus, CorpusError};

/// Returns the account of `library`, whose files are below `root` and whose edits are `corpus`.
///
/// # Errors
///
/// Where a folder or a file cannot be read.
pub fn account(library: &Library, root: &Path, corpus: &Corpus) -> Result<String, CorpusError> {
    let language = library.language;
    let (seen, found) = candidates(language, root, language.name)?;
    let functions: usize = found.iter().map(|file| file.functions.len()).sum();
    let edits = corpus.edits();
    let paths: BTreeSet<&str> = edits.iter().map(|edit| edit.row.path.as_str()).collect();
    let mut text = format!(
        "{} files, {} that the construction takes, {} with eligible functions\n\
         {functions} eligible functions\n\
         {} edits in {} files",
        seen.all,
        seen.taken,
        found.len(),
        edits.len(),
        paths.len()
    );
    let mut put = |words: std::fmt::Arguments<'_>| text.write_fmt(words).unwrap_or_default();
    for operation in Operation::ALL {
        let of = edits.iter().filter(|edit| edit.row.operation == operation);
        put(format_args!(", {} {}", of.count(), operation.name()));
    }
    for hunks in 2..=4 {
        let of = edits.iter().filter_map(|edit| edit.with_hunks(hunks));
        put(format_args!("\n{} with {hunks} hunks", of.count()));
    }
    put(format_args!("\n\ntrials by condition:\n"));
    let mut whole = Sha256::new();
    for condition in conditions() {
        let fits: Vec<&Edit> = edits.iter().filter(|edit| condition.fits(edit)).collect();
        put(format_args!("{:<18}{:>4}\n", condition.name(), fits.len()));
        for edit in fits {
            let trial = Trial::new(edit, condition);
            let (file, expected) = (trial.file.as_bytes(), trial.expected.as_bytes());
            let (id, name) = (edit.row.id, condition.name());
            whole.update(format!(
                "{id}\t{name}\t{}\t{}\n",
                digest(file),
                digest(expected)
            ));
        }
    }
    let whole: [u8; 32] = whole.finalize().into();
    let whole: String = whole.iter().map(|byte| format!("{byte:02x}")).collect();
    put(format_args!("\ndigest of the trials: {whole}\n"));
    Ok(text)
}

/// Returns the six conditions of the grid, and then the harsh ones that are not among them.
fn conditions() -> impl Iterator<Item = Condition> {
    let harsh = Condition::harsh().filter(|condition| !Condition::GRID.contains(condition));
    Condition::GRID.into_iter().chain(harsh)
}
