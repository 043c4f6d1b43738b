//! The extended corpora: fetches what is pinned, checks every file, and makes the manifests where a
//! pin or a rule was changed on purpose.

use std::path::{Path, PathBuf};

use surefoot_corpus::grid::{self, Corpus, CorpusError, LIBRARIES, Library, Listing};

use crate::Trouble;
use crate::record::complain;

/// What to do with the libraries.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Step {
    /// Locates or fetches the pinned sources of languages, and checks every file of them.
    Fetch(Choice),
    /// Samples edits of what is fetched, and writes the manifests of files and edits anew.
    Pin {
        #[command(flatten)]
        choice: Choice,
        /// The folder of the manifests.
        #[arg(long, default_value = "corpus/manifests")]
        manifests: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Choice {
    /// Their names, or `all`.
    #[arg(required = true, value_name = "LANG")]
    languages: Vec<String>,
    /// The folder that fetched sources are kept in; by default `$SUREFOOT_CORPUS`, else one in the
    /// user's cache.
    #[arg(long)]
    cache: Option<PathBuf>,
}

/// Takes `step` for every language asked for, and tells whether all of them went well.
pub(crate) fn run(step: &Step) -> Result<bool, Trouble> {
    let (Step::Fetch(choice) | Step::Pin { choice, .. }) = step;
    let cache = choice.cache.clone().or_else(grid::cache);
    let cache = cache.ok_or("there is no cache folder; name one with --cache")?;
    let mut right = true;
    for library in chosen(&choice.languages)? {
        let name = library.language.name;
        let done = match step {
            Step::Fetch(_) => fetch(library, &cache),
            Step::Pin { manifests, .. } => pin(library, &cache, manifests),
        };
        // One that cannot be had does not keep the others from being fetched.
        match done {
            Ok(words) => say(&format!("{name}: {words}")),
            Err(error) => {
                complain(&format!("{name}: {error}"));
                if let CorpusError::Digest { .. } | CorpusError::Unlisted(_) = error {
                    let folder = cache.join(name);
                    complain(&format!("hint: remove `{}` first", folder.display()));
                }
                right = false;
            }
        }
    }
    Ok(right)
}

/// Returns the libraries of these names.
fn chosen(names: &[String]) -> Result<Vec<&'static Library>, Trouble> {
    if LIBRARIES.is_empty() {
        return Err("no language is built in; build with `--features languages`".into());
    }
    if names == ["all"] {
        return Ok(LIBRARIES.to_vec());
    }
    let known = || {
        let names: Vec<&str> = LIBRARIES.iter().map(|it| it.language.name).collect();
        names.join(", ")
    };
    let named = |name: &String| {
        let found = Library::named(name);
        found.ok_or_else(|| format!("`{name}` is none of {}", known()).into())
    };
    names.iter().map(named).collect()
}

fn fetch(library: &Library, cache: &Path) -> Result<String, CorpusError> {
    let root = grid::fetch(library, cache)?;
    let (listing, corpus) = (library.listing()?, Corpus::of(library, &root)?);
    Ok(format!(
        "{} files, {} bytes, each as pinned; {} edits; in `{}`",
        listing.len(),
        listing.bytes(),
        corpus.edits().len(),
        root.display()
    ))
}

#[expect(clippy::disallowed_methods, reason = "manifests are files")]
fn pin(library: &Library, cache: &Path, manifests: &Path) -> Result<String, CorpusError> {
    let language = library.language;
    let root = grid::obtain(library, cache)?;
    let sample = grid::sample(language, &root, language.name, Some(224), 640)?;
    let corpus = Corpus::load_as(language, &root, &sample)?;
    let account = grid::account(library, &root, &corpus)?;
    let files = [
        ("files", Listing::of(library, &root)?.write()),
        ("json", sample.write()?),
        ("txt", account.clone()),
    ];
    for (extension, text) in files {
        let path = manifests.join(format!("{}.{extension}", language.name));
        std::fs::write(&path, text).map_err(|error| CorpusError::Read(path, error))?;
    }
    Ok(account)
}

#[expect(clippy::print_stdout, reason = "it is what the program is run for")]
fn say(words: &str) {
    println!("{words}");
}

#[cfg(test)]
mod tests;
