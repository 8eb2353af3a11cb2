//! The syntax tree, and the syntax errors.

use std::collections::BTreeSet;
use std::ops::Range;

use throng_core::{InputError, Problems};
use tree_sitter::{Node, Parser, Tree, TreeCursor};

use crate::normal::Normal;
use crate::pieces::Pieces;

/// Maximum nesting depth. Deeper code would overflow the stack of a thread; compilers also stop at a few hundred
/// brackets.
const MAX_DEPTH: usize = 600;

/// A syntax tree, with the pieces from which it was parsed.
#[derive(Debug)]
pub(crate) struct Syntax<'p> {
    pub pieces: &'p Pieces,
    pub normal: Normal,
    pub tree: Tree,
}

impl<'p> Syntax<'p> {
    /// Parses pieces.
    ///
    /// # Errors
    /// When there are syntax errors, or the code is nested too deeply; the error lists all problems.
    pub fn parse(pieces: &'p Pieces) -> Result<Self, InputError> {
        let mut parsed = Self::with_types(pieces, &BTreeSet::new());
        let types = parsed.type_names();
        if !types.is_empty() {
            // Parse again with the file's types, which decide whether `(name)(x)` is a call.
            parsed = Self::with_types(pieces, &types);
        }
        parsed.check().into_result()?;
        Ok(parsed)
    }

    fn with_types(pieces: &'p Pieces, types: &BTreeSet<String>) -> Self {
        let normal = Normal::of(pieces, types);
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).expect("the grammar matches this version of the parser");
        let tree = parser.parse(&normal.text, None).expect("a parser with a language and without a time limit");
        Self { pieces, normal, tree }
    }

    /// The names defined by `typedef`.
    fn type_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        visit(&self.tree, |node, _| {
            if node.kind() == "type_definition" {
                let declarators = children_of_field(node, "declarator");
                names.extend(declarators.into_iter().filter_map(declared_name).map(|name| self.text(name)));
            }
        });
        names
    }

    fn check(&self) -> Problems {
        let mut problems = Problems::new();
        let mut too_deep = None;
        visit(&self.tree, |node, depth| {
            if depth > MAX_DEPTH && too_deep.is_none() {
                too_deep = Some(self.pieces_of(node).start);
            }
            if node.is_missing() {
                // A missing node has no text; report it after the piece before it.
                let before = self.normal.piece(node.start_byte().saturating_sub(1));
                let place = self.pieces.place(before).to_string();
                let before = self.pieces.all.get(before).map_or("", |piece| piece.text.as_str());
                let message = format!("`{}` is missing after `{before}`", node.kind());
                problems.push(place, message, REMEDY);
            } else if node.is_error() {
                let pieces = self.pieces_of(node);
                let place = self.pieces.place(pieces.start).to_string();
                let message = format!("`{}` is not OpenCL C here", self.pieces.excerpt(pieces));
                problems.push(place, message, REMEDY);
            }
        });
        if let Some(piece) = too_deep {
            let place = self.pieces.place(piece).to_string();
            problems.push(
                place,
                format!("the code is nested in more than {MAX_DEPTH} levels"),
                "divide it into functions",
            );
        }
        problems
    }

    /// The pieces of a node.
    pub fn pieces_of(&self, node: Node<'_>) -> Range<usize> {
        let first = self.normal.piece(node.start_byte());
        let last = self.normal.piece(node.end_byte().saturating_sub(1).max(node.start_byte()));
        first..(last + 1).min(self.pieces.all.len()).max(first)
    }

    /// The first piece of a node.
    pub fn piece(&self, node: Node<'_>) -> usize {
        self.pieces_of(node).start
    }

    /// The source of a node, in one line; that of several pieces is shortened for messages.
    pub fn text(&self, node: Node<'_>) -> String {
        let pieces = self.pieces_of(node);
        if pieces.len() == 1 { self.pieces.all[pieces.start].text.clone() } else { self.pieces.excerpt(pieces) }
    }
}

const REMEDY: &str = "correct the syntax; check whether a bracket or semicolon before it is missing";

/// Calls `f` for all nodes in pre-order with their depths, without recursion.
pub(crate) fn visit<'t>(tree: &'t Tree, mut f: impl FnMut(Node<'t>, usize)) {
    let mut cursor: TreeCursor<'t> = tree.walk();
    let mut depth = 0;
    loop {
        f(cursor.node(), depth);
        // Errors are not reported again for the nodes inside them.
        if !cursor.node().is_error() && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

/// The named children of a node, without comments.
pub(crate) fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

pub(crate) fn children_of_field<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

/// Strips all parentheses around a node.
pub(crate) fn without_parentheses(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The nested declarator, one step closer to the name.
pub(crate) fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| match node.kind() {
        "parenthesized_declarator" | "attributed_declarator" => {
            named_children(node).into_iter().find(|child| child.kind().ends_with("declarator") || is_name(*child))
        }
        _ => None,
    })
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "type_identifier" | "field_identifier" | "primitive_type")
}

/// The name that a declarator declares.
pub(crate) fn declared_name(mut node: Node<'_>) -> Option<Node<'_>> {
    while !is_name(node) {
        node = inner_declarator(node)?;
    }
    Some(node)
}

/// The part of a declarator that declares a function, as opposed to a pointer to a function.
pub(crate) fn function_declarator(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        let inner = inner_declarator(node)?;
        if node.kind() == "function_declarator" && is_name(without_declarator_parentheses(inner)) {
            return Some(node);
        }
        node = inner;
    }
}

fn without_declarator_parentheses(mut node: Node<'_>) -> Node<'_> {
    while node.kind() == "parenthesized_declarator" {
        match inner_declarator(node) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}
