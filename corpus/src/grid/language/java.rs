//! Java.

use super::syntax::{Home, Syntax};
use super::{Language, Library, Package, Registry};
use crate::grid::sample::Level;
/// The Java sources: the Android side of a library of widgets.
pub(super) static LIBRARY: Library = Library {
    language: &JAVA,
    packages: &[Package {
        registry: Registry::Npm,
        name: "react-native",
        version: "0.71.19",
        folder: "",
    }],
    leaves_out: &[],
    edits: include_str!("../../../manifests/java.json"),
    files: include_str!("../../../manifests/java.files"),
    account: include_str!("../../../manifests/java.txt"),
};

static JAVA: Language = Language {
    name: "java",
    extensions: &["java"],
    left_out: &[],
    unit: "  ",
    comment: "//",
    probe: ("int ", " = 0;"),
    letters: "$",
    keywords: &[
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ],
    outline: |text| SYNTAX.outline(&JAVA, text),
};

const CLASS: Level = Level {
    head: "class SfNested {",
    foot: Some("}"),
};

static SYNTAX: Syntax = Syntax {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    functions: &["method_declaration", "constructor_declaration"],
    values: &[],
    scopes: &[
        ("class_declaration", "name"),
        ("enum_declaration", "name"),
        ("interface_declaration", "name"),
        ("record_declaration", "name"),
    ],
    around: &[],
    top: &[],
    ahead: &["block_comment", "line_comment"],
    homes: &[
        Home {
            kind: "class_body",
            of: None,
            moves: true,
            level: Some(CLASS),
        }, // What an interface's methods are called, a class has no word for.
        Home {
            kind: "interface_body",
            of: None,
            moves: true,
            level: None,
        }, // It ends where the whole enumeration does.
        Home {
            kind: "enum_body_declarations",
            of: None,
            moves: false,
            level: Some(CLASS),
        },
    ],
    statements: &[
        "assert_statement",
        "expression_statement",
        "local_variable_declaration",
        "return_statement",
        "throw_statement",
    ],
    end: ";",
    blocks: &["block", "constructor_body", "switch_block_statement_group"],
    tokens: &["block_comment", "string_literal"],
};
