//! Types of expressions, for `sizeof`: those that are known without arithmetic conversions.

use tree_sitter::Node;

use super::Body;
use crate::builtin_types::Layout;
use crate::syntax::without_parentheses;
use crate::types::Type;

impl Body<'_, '_, '_> {
    /// The layout of the operand of `sizeof`, which is a type or an expression.
    ///
    /// # Errors
    /// When the type is unknown; the error gives the reason.
    pub(super) fn layout_of_operand(&self, operand: Node<'_>) -> Result<Layout, String> {
        if operand.kind() == "type_descriptor" {
            // `(x)` may refer to a variable or a type.
            return match self.lookup(&self.text(operand)) {
                Some(variable) => self.variables[variable].layout.clone(),
                None => self.named_type(Some(operand)).layout,
            };
        }
        let of_type = self.type_of(operand);
        if of_type.is_unknown() && of_type.layout == Type::default().layout {
            return Err(format!(
                "the type of `{}` is not known here; give `sizeof` a type",
                self.text(without_parentheses(operand))
            ));
        }
        of_type.layout
    }

    fn type_of(&self, node: Node<'_>) -> Type {
        let node = without_parentheses(node);
        let of = |field: &str| node.child_by_field_name(field).map(|part| self.type_of(part)).unwrap_or_default();
        let text_of = |field: &str| node.child_by_field_name(field).map(|part| self.text(part)).unwrap_or_default();
        let target = |pointer: Type| pointer.target().cloned().unwrap_or_default();
        match node.kind() {
            "identifier" => match self.lookup(&self.text(node)) {
                Some(variable) => self.variables[variable].clone(),
                None => Type::default(),
            },
            "pointer_expression" if text_of("operator") == "&" => of("argument").pointer(),
            "pointer_expression" | "subscript_expression" => target(of("argument")),
            "field_expression" => {
                let whole = if text_of("operator") == "." { of("argument") } else { target(of("argument")) };
                self.file.types.member(&whole, &text_of("field"))
            }
            "cast_expression" | "compound_literal_expression" => self.named_type(node.child_by_field_name("type")),
            "assignment_expression" => of("left"),
            "update_expression" => of("argument"),
            "comma_expression" => of("right"),
            "call_expression" => {
                let callee = self.file.program.names.get(&text_of("function"));
                callee.map(|callee| self.file.signatures[*callee].result.clone()).unwrap_or_default()
            }
            "number_literal" => match self.constant(node) {
                Ok(constant) => Type::of_layout(constant.layout()),
                Err(_) => Type::of_layout(layout_of_real(&self.text(node))),
            },
            "char_literal" => Type::of_layout(Layout { size: 4, align: 4 }),
            _ => Type::default(),
        }
    }
}

/// The layout of a floating-point number.
fn layout_of_real(text: &str) -> Layout {
    let size = match text.to_lowercase().chars().next_back() {
        Some('f') => 4,
        Some('h') => 2,
        _ => 8,
    };
    Layout { size, align: size }
}
