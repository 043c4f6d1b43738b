//! Functions and statements of languages whose blocks stand in braces, told by the names that their
//! grammars give to nodes.

use tree_sitter::{Node, Parser, Tree};

use super::{Language, Outline};
use crate::grid::sample::{Function, Level};

/// A language by its grammar's names for things.
#[derive(Debug)]
pub(super) struct Syntax {
    pub(super) grammar: fn() -> tree_sitter::Language,
    /// Functions; one without a `body` is none.
    pub(super) functions: &'static [&'static str],
    /// Functions without a name of their own, which have that of the variable that they are the
    /// `value` of.
    pub(super) values: &'static [&'static str],
    /// What gives its name to the functions in it, and the field that has the name.
    pub(super) scopes: &'static [(&'static str, &'static str)],
    /// What holds a function, and counts as a part of it where it holds nothing else.
    pub(super) around: &'static [&'static str],
    /// Those of them that stand at the top of a file alone.
    pub(super) top: &'static [&'static str],
    /// What belongs to the function on the next line: comments and attributes.
    pub(super) ahead: &'static [&'static str],
    /// What functions stand in side by side.
    pub(super) homes: &'static [Home],
    /// Simple statements.
    pub(super) statements: &'static [&'static str],
    /// What such a statement ends in.
    pub(super) end: &'static str,
    /// What statements stand in directly, so that one more or one less is no fault.
    pub(super) blocks: &'static [&'static str],
    /// What may go over several lines as one token.
    pub(super) tokens: &'static [&'static str],
}

/// A node that functions stand in side by side.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) kind: &'static str,
    /// What that node is of, if it is the home for it alone.
    pub(super) of: Option<&'static str>,
    /// Whether a function can be its last part, wherever it stood.
    pub(super) moves: bool,
    /// What can be put around a function in it.
    pub(super) level: Option<Level>,
}

impl Syntax {
    /// Reads `text`, in the words of `language`.
    pub(super) fn outline(&self, language: &Language, text: &str) -> Outline {
        let Some(tree) = self.parse(text) else {
            return Outline::default();
        };
        let mut walk = Walk {
            syntax: self,
            language,
            text,
            lines: text.lines().collect(),
            root: tree.root_node(),
            found: Outline::default(),
        };
        walk.children(tree.root_node(), &mut Vec::new(), None);
        Outline {
            is_whole: !tree.root_node().has_error(),
            ..walk.found
        }
    }

    fn parse(&self, text: &str) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&(self.grammar)()).ok()?;
        parser.parse(text, None)
    }

    fn home(&self, node: Node<'_>) -> Option<&'static Home> {
        let of = node.parent().map(|parent| parent.kind());
        let is = |home: &&Home| home.kind == node.kind() && (home.of.is_none() || home.of == of);
        self.homes.iter().find(is)
    }
}

struct Walk<'t> {
    syntax: &'t Syntax,
    language: &'t Language,
    text: &'t str,
    lines: Vec<&'t str>,
    root: Node<'t>,
    found: Outline,
}

impl<'t> Walk<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn children(&mut self, node: Node<'t>, scope: &mut Vec<String>, function: Option<usize>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.note_token(child);
            let mut scopes = self.syntax.scopes.iter();
            let field = scopes.find(|(kind, _)| *kind == child.kind());
            let len = scope.len();
            if let Some(name) = self.function_name(child) {
                scope.extend(self.qualifiers(child, name));
                scope.push(self.text(name).to_owned());
                let number = self.found.functions.len();
                let new = self.function(child, name, scope.join("."));
                self.found.functions.push(new);
                self.children(child, scope, Some(number));
            } else if let Some((_, field)) = field {
                let name = child.child_by_field_name(field).and_then(first_name);
                // Several names may be given at once, as in `namespace a::b`.
                scope.extend(name.map(|name| self.text(name).replace("::", ".")));
                self.children(child, scope, None);
            } else {
                self.note_target(child, function);
                self.children(child, scope, function);
            }
            scope.truncate(len);
        }
    }

    /// Returns the name of `node`, if it is a function with a body, or a variable that is given one.
    fn function_name(&self, node: Node<'t>) -> Option<Node<'t>> {
        let value = node.child_by_field_name("value");
        let value = value.filter(|value| self.syntax.values.contains(&value.kind()));
        let is = value.is_some() || self.syntax.functions.contains(&node.kind());
        let body = value.unwrap_or(node).child_by_field_name("body");
        // An arrow's body may be an expression alone.
        let is_block = |body: &Node<'_>| self.syntax.blocks.contains(&body.kind());
        body.filter(|body| is && (value.is_none() || is_block(body)))?;
        let mut named = node;
        // A declarator stands around the name, and a qualifier before it.
        while let Some(inner) = named
            .child_by_field_name("name")
            .or_else(|| named.child_by_field_name("declarator"))
        {
            named = inner;
        }
        named.kind().ends_with("identifier").then_some(named)
    }

    /// Returns what stands before a function's own name where it is not in its type: a receiver, or
    /// a qualified name.
    fn qualifiers(&self, function: Node<'t>, name: Node<'t>) -> Vec<String> {
        let receiver = function.child_by_field_name("receiver");
        let receiver = receiver.and_then(first_name);
        let mut found: Vec<String> = receiver
            .map(|it| self.text(it).to_owned())
            .into_iter()
            .collect();
        let qualified = name
            .parent()
            .filter(|it| it.kind() == "qualified_identifier");
        // The outermost one begins with the first of its names.
        let mut whole = qualified;
        while let Some(parent) = whole
            .and_then(|it| it.parent())
            .filter(|it| it.kind() == "qualified_identifier")
        {
            whole = Some(parent);
        }
        if let Some(whole) = whole {
            let before = self.text.get(whole.start_byte()..name.start_byte());
            let parts = before.unwrap_or_default().split("::").map(str::trim);
            found.extend(parts.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        found
    }

    fn function(&self, node: Node<'t>, name: Node<'t>, qualified: String) -> Function {
        let syntax = self.syntax;
        let mut whole = node;
        while let Some(parent) = whole.parent()
            && syntax.around.contains(&parent.kind())
            && is_only(whole)
        {
            whole = parent;
        }
        let home = whole.parent().and_then(|parent| syntax.home(parent));
        // Where something else is on its lines, they are not the function's to copy or to move.
        let is_alone = self.begins_its_line(whole) && self.ends_its_line(whole) && home.is_some();
        let last = last_row(node) + 1;
        let end = name.end_position();
        Function {
            name: self.text(name).to_owned(),
            qualified,
            outer: self.outer_row(whole) + 1,
            first: first_row(node) + 1,
            last,
            targets: Vec::new(),
            name_end: Some((end.row + 1, end.column)).filter(|_| is_alone),
            home: home.filter(|home| home.moves).and_then(|_| {
                let place = self.end_of(whole.parent()?)?;
                (is_alone && place >= last).then_some(place)
            }),
            level: home
                .and_then(|home| home.level)
                .filter(|_| is_alone && !syntax.top.contains(&whole.kind())),
        }
    }

    /// Returns the line, counted from 1, that the last part of `home` is on or could be behind.
    fn end_of(&self, home: Node<'t>) -> Option<usize> {
        if home == self.root {
            return Some(self.lines.len());
        }
        let last = home.child(home.child_count().checked_sub(1)?)?;
        (!last.is_named() && self.begins_its_line(last)).then(|| last.start_position().row)
    }

    fn begins_its_line(&self, node: Node<'_>) -> bool {
        let at = node.start_position();
        let before = self
            .lines
            .get(at.row)
            .and_then(|line| line.get(..at.column));
        before.is_some_and(|before| before.trim().is_empty())
    }

    fn ends_its_line(&self, node: Node<'_>) -> bool {
        let at = node.end_position();
        let behind = self
            .lines
            .get(at.row)
            .and_then(|line| line.get(at.column..));
        behind.is_some_and(|behind| behind.trim().is_empty())
    }

    /// Returns the row of the first comment or attribute that belongs to `node`, else its own.
    fn outer_row(&self, node: Node<'t>) -> usize {
        let mut row = node.start_position().row;
        let mut before = node.prev_sibling();
        while let Some(sibling) = before.filter(|sibling| {
            self.syntax.ahead.contains(&sibling.kind())
                && last_row(*sibling) + 1 == row
                && self.begins_its_line(*sibling)
        }) {
            row = sibling.start_position().row;
            before = sibling.prev_sibling();
        }
        row
    }

    fn note_token(&mut self, node: Node<'_>) {
        let (first, last) = (node.start_position().row, last_row(node));
        if first < last && self.syntax.tokens.contains(&node.kind()) {
            self.found.tokens.push((first, last));
        }
    }

    fn note_target(&mut self, node: Node<'t>, function: Option<usize>) {
        let (syntax, row) = (self.syntax, node.start_position().row);
        let line = self.lines.get(row).copied().unwrap_or_default();
        let text = self.text(node);
        let is_target = syntax.statements.contains(&node.kind())
            && row == node.end_position().row
            && line.trim() == text
            && text.ends_with(syntax.end)
            && node
                .parent()
                .is_some_and(|parent| syntax.blocks.contains(&parent.kind()))
            && self.begins_with_a_name(node, line);
        let function = function.and_then(|number| self.found.functions.get_mut(number));
        if let Some(function) = function.filter(|it| is_target && it.name_end.is_some()) {
            function.targets.push(row + 1);
        }
    }

    /// Tells whether the first word of `line`, which is all `statement`, is a name to the grammar
    /// too: one in a string or in a number cannot be made longer.
    fn begins_with_a_name(&self, statement: Node<'t>, line: &str) -> bool {
        let Some((start, end)) = self.language.identifier(line) else {
            return false;
        };
        let offset = statement.start_byte() - statement.start_position().column;
        let range = offset + start..offset + end;
        statement
            .descendant_for_byte_range(range.start, range.end)
            .is_some_and(|node| {
                let is_name =
                    node.kind().ends_with("identifier") || node.kind() == "primitive_type";
                is_name && node.byte_range() == range
            })
    }
}

/// Tells whether nothing of the same kind stands right beside `node`.
fn is_only(node: Node<'_>) -> bool {
    let other = |it: Option<Node<'_>>| it.is_none_or(|it| it.kind() != node.kind());
    other(node.prev_named_sibling()) && other(node.next_named_sibling())
}

/// Returns the first name in `node`.
fn first_name(node: Node<'_>) -> Option<Node<'_>> {
    let inner = node.child_by_field_name("type");
    if let Some(inner) = inner.or_else(|| node.child_by_field_name("name")) {
        return first_name(inner);
    }
    if node.kind().ends_with("identifier") || node.kind() == "nested_namespace_specifier" {
        return Some(node);
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find_map(first_name)
}

/// Returns the row that `node` begins on, without annotations.
fn first_row(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    let mut parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
    if let Some(modifiers) = parts.first().filter(|it| it.kind() == "modifiers") {
        let mut cursor = modifiers.walk();
        let inner: Vec<Node<'_>> = modifiers.children(&mut cursor).collect();
        parts.splice(..1, inner);
    }
    let is_code = |part: &&Node<'_>| {
        !part.kind().ends_with("annotation") && !part.kind().ends_with("comment")
    };
    let first = parts.iter().find(is_code);
    first.unwrap_or(&node).start_position().row
}

/// Returns the last row of `node`; some hold the end of their last line too.
fn last_row(node: Node<'_>) -> usize {
    let (start, end) = (node.start_position(), node.end_position());
    match end.column {
        0 if end.row > start.row => end.row - 1,
        _ => end.row,
    }
}
