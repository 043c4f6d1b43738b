//! Rust.

use super::syntax::{Home, Syntax};
use super::{Language, Library, Package, Registry};
use crate::grid::sample::Level;

/// The Rust sources: a git, a command line, a protocol and a diff library.
pub(super) static LIBRARY: Library = Library {
    language: &RUST,
    packages: &[
        of_crate("gix", "0.90.0"),
        of_crate("clap_builder", "4.6.7"),
        of_crate("rmcp", "3.11.0"),
        of_crate("similar", "3.2.1"),
    ],
    leaves_out: &[],
    edits: include_str!("../../../manifests/rust.json"),
    files: include_str!("../../../manifests/rust.files"),
    account: include_str!("../../../manifests/rust.txt"),
};

const fn of_crate(name: &'static str, version: &'static str) -> Package {
    Package {
        registry: Registry::Crates,
        name,
        version,
        folder: "",
    }
}

static RUST: Language = Language {
    name: "rust",
    extensions: &["rs"],
    left_out: &[],
    unit: "    ",
    comment: "//",
    probe: ("let ", " = ();"),
    letters: "",
    keywords: &[
        "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else",
        "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod",
        "move", "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait",
        "true", "type", "unsafe", "use", "where", "while",
    ],
    outline: |text| SYNTAX.outline(&RUST, text),
};

const MODULE: Level = Level {
    head: "mod sf_nested {",
    foot: Some("}"),
};

static SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    functions: &["function_item"],
    values: &[],
    scopes: &[
        ("impl_item", "type"),
        ("trait_item", "name"),
        ("mod_item", "name"),
    ],
    around: &[],
    top: &[],
    ahead: &["attribute_item", "line_comment", "block_comment"],
    homes: &[
        Home {
            kind: "source_file",
            of: None,
            moves: true,
            level: Some(MODULE),
        },
        Home {
            kind: "declaration_list",
            of: Some("mod_item"),
            moves: true,
            level: Some(MODULE),
        },
        // No module stands in an `impl` or a `trait`.
        Home {
            kind: "declaration_list",
            of: None,
            moves: true,
            level: None,
        },
        // Behind a block's last expression nothing can come.
        Home {
            kind: "block",
            of: None,
            moves: false,
            level: Some(MODULE),
        },
    ],
    statements: &["let_declaration", "expression_statement"],
    end: ";",
    blocks: &["block"],
    tokens: &["string_literal", "raw_string_literal", "block_comment"],
};
