//! Python's functions, and the statements in them that an edit may be about.

use tree_sitter::{Node, Parser};

use super::sample::Function;

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

/// Tells whether the construction takes this file: text without surprises, of at most 4,000 lines.
pub(super) fn takes(path: &str, text: &str) -> bool {
    let odd = |c: char| {
        matches!(
            c,
            '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{1c}'
                ..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    text.ends_with('\n')
        && !text.starts_with('\u{feff}')
        && !text.contains(odd)
        && text.lines().count() <= 4000
        && !NEWER.contains(&path)
}

/// Returns every function of `text`, in document order, with the lines of its own that hold one
/// whole simple statement and nothing else.
pub(super) fn functions(text: &str) -> Vec<Function> {
    let mut walk = Walk {
        text,
        lines: text.lines().collect(),
        found: Vec::new(),
    };
    if let Some(tree) = parse(text) {
        walk.children(tree.root_node(), &mut Vec::new(), None);
    }
    walk.found
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
            let name = child.child_by_field_name("name");
            let name = name.map(|name| self.text(name)).unwrap_or_default();
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
            && identifier(line).is_some();
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

/// Returns the first and the last line, counted from 0, of each string in `lines`, one function's.
pub(super) fn strings(lines: &[String]) -> Vec<(usize, usize)> {
    let text = lines.join("\n");
    let mut found = Vec::new();
    let Some(tree) = parse(&text) else {
        return found;
    };
    let mut open = vec![tree.root_node()];
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

/// Returns the place and the end, in bytes, of the first word in `line` that is no keyword.
pub(super) fn identifier(line: &str) -> Option<(usize, usize)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut from = 0;
    while let Some(start) = line
        .get(from..)?
        .find(|c: char| c.is_ascii_alphabetic() || c == '_')
    {
        let start = from + start;
        let rest = line.get(start..)?;
        let end = start + rest.find(|c| !word(c)).unwrap_or(rest.len());
        if !KEYWORDS.contains(&line.get(start..end)?) {
            return Some((start, end));
        }
        from = end;
    }
    None
}
