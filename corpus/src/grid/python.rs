//! Python's functions, and the statements in them that an edit may be about.

use tree_sitter::{Node, Parser};

use super::language::{Language, Outline};
use super::sample::{Function, Level};

/// The language of the grid.
pub static PYTHON: Language = Language {
    name: "python",
    extensions: &["py"],
    left_out: &NEWER,
    unit: "    ",
    comment: "#",
    probe: ("", " = None"),
    letters: "",
    keywords: &KEYWORDS,
    outline,
};

/// Files of the pinned library that Python 3.11 does not parse: they use what came later (`type`
/// statements and parameters, template strings, `except` without brackets, `*` in an index). They
/// are out by the construction, whatever this grammar makes of them.
const NEWER: [&str; 9] = [
    "_pyrepl/types.py",
    "_pyrepl/utils.py",
    "annotationlib.py",
    "dataclasses.py",
    "pdb.py",
    "site.py",
    "string/templatelib.py",
    "traceback.py",
    "typing.py",
];

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Reads a file: every function with the lines of its own that hold one whole simple statement and
/// nothing else, and every string. The grammar takes more than Python 3.11 does, so that it is never
/// asked whether the file is whole.
fn outline(text: &str) -> Outline {
    let mut walk = Walk {
        text,
        lines: text.lines().collect(),
        found: Vec::new(),
    };
    let mut tokens = Vec::new();
    if let Some(tree) = parse(text) {
        walk.children(tree.root_node(), &mut Vec::new(), None);
        tokens = strings(tree.root_node());
    }
    Outline {
        functions: walk.found,
        tokens,
        is_whole: true,
    }
}

struct Walk<'t> {
    text: &'t str,
    lines: Vec<&'t str>,
    found: Vec<Function>,
}

impl<'t> Walk<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn children(&mut self, node: Node<'_>, scope: &mut Vec<&'t str>, function: Option<usize>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let named = child.child_by_field_name("name");
            let name = named.map(|name| self.text(name)).unwrap_or_default();
            match child.kind() {
                "function_definition" => {
                    scope.push(name);
                    let number = self.found.len();
                    self.found.push(Function {
                        qualified: scope.join("."),
                        name: name.to_owned(),
                        outer: first_line(child),
                        first: child.start_position().row + 1,
                        last: last_line(child),
                        targets: Vec::new(),
                        name_end: named.map(|name| {
                            let end = name.end_position();
                            (end.row + 1, end.column)
                        }),
                        home: Some(self.lines.len()),
                        level: Some(Level {
                            head: "if True:",
                            foot: None,
                        }),
                    });
                    self.children(child, scope, Some(number));
                    scope.pop();
                }
                "class_definition" => {
                    scope.push(name);
                    self.children(child, scope, None);
                    scope.pop();
                }
                _ => {
                    self.note_target(child, function);
                    self.children(child, scope, function);
                }
            }
        }
    }

    fn note_target(&mut self, node: Node<'_>, function: Option<usize>) {
        let (first, last) = (node.start_position().row, node.end_position().row);
        let line = self.lines.get(first).copied().unwrap_or_default();
        let is_target = first == last
            && is_simple(node)
            && line.trim() == self.text(node)
            && PYTHON.identifier(line).is_some();
        let function = function.and_then(|number| self.found.get_mut(number));
        if let Some(function) = function.filter(|_| is_target) {
            function.targets.push(first + 1);
        }
    }
}

/// Returns the line that the function `node` begins on, with its decorators.
fn first_line(node: Node<'_>) -> usize {
    let decorated = |parent: &Node<'_>| parent.kind() == "decorated_definition";
    let whole = node.parent().filter(decorated).unwrap_or(node);
    whole.start_position().row + 1
}

/// Returns the first and the last line, counted from 0, of each string.
fn strings(root: Node<'_>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.kind() == "string" {
            found.push((node.start_position().row, node.end_position().row));
        }
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
    found
}

fn parse(text: &str) -> Option<tree_sitter::Tree> {
    let mut parser = Parser::new();
    let language = tree_sitter_python::LANGUAGE.into();
    parser.set_language(&language).ok()?;
    parser.parse(text, None)
}

/// Returns the last line of the code of `node`: a comment behind it is not part of it.
fn last_line(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    let code = node
        .children(&mut cursor)
        .filter(|child| child.kind() != "comment" && !child.byte_range().is_empty());
    match code.last() {
        Some(child) => last_line(child),
        None => node.end_position().row + 1,
    }
}

/// Tells whether `node` is an assignment, return, raise, assert, delete, or an expression that is
/// more than a constant.
fn is_simple(node: Node<'_>) -> bool {
    match node.kind() {
        "return_statement" | "raise_statement" | "assert_statement" | "delete_statement" => true,
        "expression_statement" => {
            node.named_child_count() != 1
                || node.named_child(0).is_some_and(|only| !is_constant(only))
        }
        _ => false,
    }
}

fn is_constant(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    match node.kind() {
        "integer" | "float" | "true" | "false" | "none" | "ellipsis" => true,
        "string" => !node
            .named_children(&mut cursor)
            .any(|part| part.kind() == "interpolation"),
        "concatenated_string" | "parenthesized_expression" => {
            node.named_children(&mut cursor).all(is_constant)
        }
        _ => false,
    }
}
