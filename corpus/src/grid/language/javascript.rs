//! JavaScript.

use super::syntax::{Home, Syntax};
use super::{Language, Library, Package, Registry};
use crate::grid::sample::Level;
/// The JavaScript sources: a library of many small functions.
pub(super) static LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    packages: &[Package {
        registry: Registry::Npm,
        name: "lodash",
        version: "4.17.21",
        folder: "",
    }],
    leaves_out: &[],
    edits: include_str!("../../../manifests/javascript.json"),
    files: include_str!("../../../manifests/javascript.files"),
    account: include_str!("../../../manifests/javascript.txt"),
};

static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js"],
    left_out: &[],
    unit: "    ",
    comment: "//",
    probe: ("const ", " = null;"),
    letters: "$",
    keywords: &[
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "default",
        "delete",
        "do",
        "else",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "function",
        "if",
        "import",
        "in",
        "instanceof",
        "let",
        "new",
        "null",
        "of",
        "return",
        "static",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "typeof",
        "undefined",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ],
    outline: |text| SYNTAX.outline(&JAVASCRIPT, text),
};

const CONDITION: Level = Level {
    head: "if (true) {",
    foot: Some("}"),
};

static SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    functions: &[
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
    ],
    values: &[
        "arrow_function",
        "function_expression",
        "generator_function",
    ],
    scopes: &[("class_declaration", "name"), ("class", "name")],
    around: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
    ],
    top: &["export_statement"],
    ahead: &["comment", "decorator"],
    homes: &[
        Home {
            kind: "program",
            of: None,
            moves: true,
            level: Some(CONDITION),
        },
        Home {
            kind: "statement_block",
            of: None,
            moves: true,
            level: Some(CONDITION),
        },
        Home {
            kind: "class_body",
            of: None,
            moves: true,
            level: None,
        },
    ],
    statements: &[
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
        "return_statement",
        "throw_statement",
    ],
    end: ";",
    blocks: &["statement_block", "switch_case", "switch_default"],
    tokens: &["comment", "string", "template_string"],
};
