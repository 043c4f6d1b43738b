//! C. Its functions stand in files only, so none is ever one level deeper.

use super::syntax::{Home, Syntax};
use super::{Language, Library, Package, Registry};

/// The C sources: a library of parsers.
pub(super) static LIBRARY: Library = Library {
    language: &C,
    packages: &[Package {
        registry: Registry::Crates,
        name: "tree-sitter",
        version: "0.27.1",
        folder: "",
    }],
    leaves_out: &[],
    edits: include_str!("../../../manifests/c.json"),
    files: include_str!("../../../manifests/c.files"),
    account: include_str!("../../../manifests/c.txt"),
};

static C: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    left_out: &[],
    unit: "  ",
    comment: "//",
    probe: ("int ", " = 0;"),
    letters: "",
    keywords: &[
        "NULL", "_Bool", "auto", "bool", "break", "case", "char", "const", "continue", "default",
        "do", "double", "else", "enum", "extern", "false", "float", "for", "goto", "if", "inline",
        "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static",
        "struct", "switch", "true", "typedef", "union", "unsigned", "void", "volatile", "while",
    ],
    outline: |text| SYNTAX.outline(&C, text),
};

static SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_c::LANGUAGE.into(),
    functions: &["function_definition"],
    values: &[],
    scopes: &[],
    around: &[],
    top: &[],
    ahead: &["comment"],
    homes: &[
        Home {
            kind: "translation_unit",
            of: None,
            moves: true,
            level: None,
        },
        Home {
            kind: "preproc_ifdef",
            of: None,
            moves: true,
            level: None,
        },
        Home {
            kind: "preproc_if",
            of: None,
            moves: true,
            level: None,
        }, // It ends where another part does.
        Home {
            kind: "preproc_else",
            of: None,
            moves: false,
            level: None,
        },
    ],
    statements: &["declaration", "expression_statement", "return_statement"],
    end: ";",
    blocks: &["compound_statement", "case_statement"],
    tokens: &[
        "comment",
        "preproc_call",
        "preproc_def",
        "preproc_function_def",
        "string_literal",
    ],
};
