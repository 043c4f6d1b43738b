//! The lines above an edit that say which file it is for.
//!
//! What reads as a path is one; a sentence that merely mentions one is told apart, so that an edit
//! is never taken for another file than its author named.

use bstr::{BString, ByteSlice as _};

/// How sure a line is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sureness {
    /// One plain word, such as a file without extension; or a sentence too.
    Word,
    /// Several words that end like a file name.
    Words,
    /// A path by its form, or marked as one.
    Path,
}

/// Files without extension that everyone knows.
const BARE_NAMES: &[&str] = &[
    "Makefile",
    "GNUmakefile",
    "makefile",
    "Dockerfile",
    "Containerfile",
    "LICENSE",
    "LICENCE",
    "COPYING",
    "README",
    "CHANGELOG",
    "CHANGES",
    "NEWS",
    "AUTHORS",
    "CONTRIBUTING",
    "INSTALL",
    "TODO",
    "NOTICE",
    "VERSION",
    "CODEOWNERS",
    "OWNERS",
    "MAINTAINERS",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "Vagrantfile",
    "Jenkinsfile",
    "Brewfile",
    "Podfile",
    "Justfile",
    "justfile",
    "Earthfile",
    "Tiltfile",
    "Caddyfile",
    "BUILD",
    "WORKSPACE",
    "Kconfig",
    "Kbuild",
    "configure",
];

/// Extensions by which a file name is told from other words with a dot.
const EXTENSIONS: &[&str] = &[
    "adoc",
    "asm",
    "awk",
    "bash",
    "bat",
    "bazel",
    "bzl",
    "c",
    "cc",
    "cfg",
    "clj",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cxx",
    "dart",
    "diff",
    "el",
    "env",
    "erl",
    "ex",
    "exs",
    "fish",
    "fs",
    "gd",
    "go",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "hcl",
    "hpp",
    "hs",
    "htm",
    "html",
    "hxx",
    "ini",
    "ipynb",
    "java",
    "jl",
    "js",
    "json",
    "jsonc",
    "jsx",
    "kt",
    "kts",
    "less",
    "lisp",
    "lock",
    "lua",
    "m",
    "markdown",
    "md",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mm",
    "nim",
    "nix",
    "nu",
    "org",
    "pas",
    "patch",
    "php",
    "pl",
    "plist",
    "pm",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "psm1",
    "py",
    "pyi",
    "pyx",
    "r",
    "rb",
    "rkt",
    "rs",
    "rst",
    "s",
    "sass",
    "scala",
    "scm",
    "scss",
    "sh",
    "sol",
    "sql",
    "sv",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "v",
    "vb",
    "vhd",
    "vim",
    "vue",
    "wat",
    "wgsl",
    "xml",
    "xsd",
    "xsl",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Returns the path that `line` gives, and how surely it is one.
pub(crate) fn path_of(line: &[u8]) -> Option<(BString, Sureness)> {
    if let Some(tagged) = tagged(line) {
        return Some((tagged.into(), Sureness::Path));
    }
    let (text, marked) = undressed(line);
    let text = text.strip_prefix(b"./").unwrap_or(text);
    if text.is_empty()
        || text.len() > 4096
        || text.iter().any(|b| b.is_ascii_control() || *b == b'`')
    {
        return None;
    }
    let sureness = sureness(text, marked)?;
    Some((text.into(), sureness))
}

fn sureness(text: &[u8], marked: bool) -> Option<Sureness> {
    let one_word = !text.contains(&b' ');
    if text.iter().any(|b| matches!(b, b'<' | b'>' | b'|' | b'"')) {
        return None;
    }
    if one_word && looks_like_path(text) {
        return Some(Sureness::Path);
    }
    if one_word {
        let word = text
            .iter()
            .all(|b| !b.is_ascii_punctuation() || matches!(b, b'_' | b'-' | b'.'));
        return (word && !text.ends_with(b".")).then_some(Sureness::Word);
    }
    let named = known_extension(text) || (marked && text.contains(&b'/'));
    named.then_some(if marked {
        Sureness::Path
    } else {
        Sureness::Words
    })
}

/// Tells whether one word has the form of a path.
fn looks_like_path(word: &[u8]) -> bool {
    let name = word.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if BARE_NAMES.iter().any(|bare| bare.as_bytes() == name) {
        return true;
    }
    if word
        .iter()
        .any(|b| matches!(b, b'(' | b')' | b'=' | b';' | b','))
        && !word.contains(&b'/')
    {
        return false;
    }
    let dotted = name
        .iter()
        .rposition(|b| *b == b'.')
        .is_some_and(|at| at + 1 < name.len());
    dotted || (word.contains(&b'/') && !word.ends_with(b"/"))
}

fn known_extension(text: &[u8]) -> bool {
    text.rsplit_once_str(b".").is_some_and(|(stem, extension)| {
        let known = EXTENSIONS
            .iter()
            .any(|known| known.as_bytes().eq_ignore_ascii_case(extension));
        known && stem.last().is_some_and(|b| !b.is_ascii_whitespace())
    })
}

/// Returns what `<path>` or a tag like it holds.
fn tagged(line: &[u8]) -> Option<&[u8]> {
    const TAGS: [&str; 6] = [
        "path",
        "file_path",
        "filePath",
        "filename",
        "file",
        "target_file",
    ];
    let line = line.trim_ascii();
    TAGS.iter().find_map(|tag| {
        let rest = line
            .strip_prefix(b"<")?
            .strip_prefix(tag.as_bytes())?
            .strip_prefix(b">")?;
        let (path, _) = rest.split_once_str(format!("</{tag}>").as_bytes())?;
        let path = path.trim_ascii();
        (!path.is_empty()).then_some(path)
    })
}

/// Takes off what people put around a path. Tells whether that marks it as one: quotes, bold, or a
/// label.
fn undressed(line: &[u8]) -> (&[u8], bool) {
    let mut text = line.trim_ascii();
    let mut marked = false;
    for (open, close) in [("<!--", "-->"), ("/*", "*/")] {
        let inner = text
            .strip_prefix(open.as_bytes())
            .and_then(|t| t.strip_suffix(close.as_bytes()));
        text = inner.unwrap_or(text).trim_ascii();
    }
    text = text.trim_start_with(|c| c == '#').trim_ascii();
    text = text.strip_prefix(b"//").unwrap_or(text).trim_ascii();
    for _ in 0..4 {
        let before = text;
        text = text.strip_suffix(b":").unwrap_or(text).trim_ascii_end();
        if let Some(rest) = without_label(text) {
            (text, marked) = (rest, true);
        }
        for quote in ["`", "**", "__", "\"", "'"] {
            let inner = text
                .strip_prefix(quote.as_bytes())
                .and_then(|t| t.strip_suffix(quote.as_bytes()))
                .filter(|t| !t.is_empty() && t.find(quote).is_none());
            if let Some(inner) = inner {
                (text, marked) = (inner.trim_ascii(), true);
            }
        }
        if text == before {
            break;
        }
    }
    (text, marked)
}

/// Takes a label such as `File:` or `**Path:**` off.
fn without_label(text: &[u8]) -> Option<&[u8]> {
    let bold = text.strip_prefix(b"**");
    let body = bold.unwrap_or(text);
    let (label, rest) = body.split_once_str(b":")?;
    let known = [
        "file",
        "path",
        "filename",
        "filepath",
        "file path",
        "file name",
    ];
    if !known
        .iter()
        .any(|name| label.trim_ascii().eq_ignore_ascii_case(name.as_bytes()))
    {
        return None;
    }
    let rest = if bold.is_some() {
        rest.strip_prefix(b"**").unwrap_or(rest)
    } else {
        rest
    };
    Some(rest.trim_ascii())
}

/// Returns the words of a sentence that name files.
pub(crate) fn mentioned(line: &[u8]) -> Vec<BString> {
    let edges = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '-'));
    line.split(u8::is_ascii_whitespace)
        .map(|word| word.trim_with(edges).trim_end_with(|c| c == '.'))
        .filter(|word| known_extension(word) && word.len() > 3)
        .map(|word| word.strip_prefix(b"./").unwrap_or(word).into())
        .collect()
}

#[cfg(test)]
mod tests;
