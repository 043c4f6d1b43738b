//! Go. Its functions stand in files only, so none is ever one level deeper, and its tabs have no half.

use super::syntax::{Home, Syntax};
use super::{Language, Library, Package, Registry};

/// The Go sources: the standard library, without commands and tests.
pub(super) static LIBRARY: Library = Library {
    language: &GO,
    packages: &[Package {
        registry: Registry::Debian,
        name: "golang-1.19-src",
        version: "1.19.8-2",
        folder: "usr/share/go-1.19/src",
    }],
    leaves_out: &["/cmd/", "/testdata/", "/vendor/", "_test.go"],
    edits: include_str!("../../../manifests/go.json"),
    files: include_str!("../../../manifests/go.files"),
    account: include_str!("../../../manifests/go.txt"),
};

static GO: Language = Language {
    name: "go",
    extensions: &["go"],
    left_out: &[],
    unit: "\t",
    comment: "//",
    probe: ("const ", " = 0"),
    letters: "",
    keywords: &[
        "break",
        "case",
        "chan",
        "const",
        "continue",
        "default",
        "defer",
        "else",
        "fallthrough",
        "false",
        "for",
        "func",
        "go",
        "goto",
        "if",
        "import",
        "interface",
        "map",
        "nil",
        "package",
        "range",
        "return",
        "select",
        "struct",
        "switch",
        "true",
        "type",
        "var",
    ],
    outline: |text| SYNTAX.outline(&GO, text),
};

static SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    functions: &["function_declaration", "method_declaration"],
    values: &[],
    scopes: &[],
    around: &[],
    top: &[],
    ahead: &["comment"],
    homes: &[Home {
        kind: "source_file",
        of: None,
        moves: true,
        level: None,
    }],
    statements: &[
        "assignment_statement",
        "dec_statement",
        "expression_statement",
        "inc_statement",
        "return_statement",
        "send_statement",
        "short_var_declaration",
        "var_declaration",
    ],
    end: "",
    blocks: &["statement_list"],
    tokens: &["comment", "raw_string_literal"],
};
