//! Function names that are not called.

use tree_sitter::Node;

use super::File;
use crate::program::{FREE, MALLOC};
use crate::syntax::visit;

impl File<'_, '_> {
    /// Reports `local_malloc` outside of functions, in `sizeof` or in an array length, and functions in tables.
    pub(super) fn check_names(&mut self) {
        let mut ignored = Vec::new();
        visit(&self.syntax.tree, |node, _| {
            if node.kind() != "identifier" || self.followed.contains(&self.syntax.piece(node)) {
                return;
            }
            let (name, piece) = (self.syntax.text(node), self.syntax.piece(node));
            let is_stack = name == MALLOC || name == FREE;
            let is_function = is_stack || self.program.names.contains_key(&name);
            if is_function && !node.parent().is_some_and(is_declaration) && (is_stack || !is_in_function(node)) {
                ignored.push((piece, name, is_stack));
            }
        });
        for (piece, name, is_stack) in ignored {
            let message = format!("`{name}` is not called here");
            let remedy = if is_stack {
                "call it in a statement of a function; sizes of types and arrays are computed without calls"
            } else {
                "call functions by their names; tables of functions cannot be followed"
            };
            self.problem(piece, message, remedy);
        }
    }
}

/// Whether a node is inside the body of a function.
fn is_in_function(node: Node<'_>) -> bool {
    let mut around = node.parent();
    while let Some(current) = around {
        if current.kind() == "function_definition" {
            return true;
        }
        around = current.parent();
    }
    false
}

/// Whether the parent of a name declares it.
fn is_declaration(node: Node<'_>) -> bool {
    matches!(node.kind(), "declaration" | "parameter_declaration" | "function_declarator" | "parenthesized_declarator")
        || node.kind() == "pointer_declarator"
}
