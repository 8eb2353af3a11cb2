//! Function signatures.

use tree_sitter::Node;

use super::File;
use crate::syntax::{inner_declarator, named_children};
use crate::types::Type;

/// The parameter and result types of a function.
pub(super) struct Signature {
    pub parameters: Vec<Type>,
    pub result: Type,
}

impl File<'_, '_> {
    pub(super) fn signature(&self, node: Node<'_>, declarator: Node<'_>) -> Signature {
        let Self { syntax, constants, types, .. } = self;
        let list = declarator.child_by_field_name("parameters").map(named_children).unwrap_or_default();
        let parameters = list.into_iter().map(|parameter| {
            let whole = types.of_descriptor(syntax, parameter, constants);
            whole.of_parameter()
        });
        // The declarator around the parameters is part of the result type: `*f(int)` returns a pointer.
        let mut result = node
            .child_by_field_name("type")
            .map(|specifier| types.of_specifier(syntax, specifier, constants))
            .unwrap_or_default();
        let mut around = node.child_by_field_name("declarator");
        while let Some(current) = around.filter(|current| *current != declarator) {
            if current.kind() == "pointer_declarator" {
                result = result.pointer();
            }
            around = inner_declarator(current);
        }
        Signature { parameters: parameters.collect(), result }
    }
}
