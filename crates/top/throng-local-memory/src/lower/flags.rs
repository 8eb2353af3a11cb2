//! Barrier flags: whether they include `CLK_LOCAL_MEM_FENCE`, which is 1.

use tree_sitter::Node;

use super::{Body, File};
use crate::constants::{Constant, NotConstant};
use crate::normal::is_constant_word;
use crate::syntax::{children_of_field, declared_name, without_parentheses};

/// Lookup of the values of names and numbers in flags.
struct Values<'v> {
    name: &'v dyn Fn(&str) -> Option<bool>,
    constant: &'v dyn Fn(Node<'_>) -> Result<Constant, NotConstant>,
}

impl Body<'_, '_, '_> {
    /// Whether flags include `CLK_LOCAL_MEM_FENCE`; `None` if unknown.
    pub(super) fn orders_local_memory(&self, flags: Node<'_>) -> Option<bool> {
        let name = |name: &str| match self.lookup(name) {
            Some(variable) => self.flags.get(&variable).copied(),
            None => self.file.flag(name),
        };
        self.file.orders_local_memory(flags, &Values { name: &name, constant: &|number| self.constant(number) })
    }
}

impl File<'_, '_> {
    /// Records the flags in constants declared outside of functions.
    pub(super) fn declare_flags(&mut self, declaration: Node<'_>) {
        if !self.is_constant(declaration) {
            return;
        }
        for declarator in children_of_field(declaration, "declarator") {
            let (Some(name), Some(value)) = (declared_name(declarator), declarator.child_by_field_name("value")) else {
                continue;
            };
            let constant = |number: Node<'_>| self.constants.evaluate(self.syntax, &self.types, number);
            let values = Values { name: &|name| self.flag(name), constant: &constant };
            if let Some(flag) = self.orders_local_memory(value, &values) {
                self.flags.insert(self.syntax.text(name), flag);
            }
        }
    }

    /// Whether a declaration declares a constant.
    pub(super) fn is_constant(&self, declaration: Node<'_>) -> bool {
        self.syntax.pieces_of(declaration).any(|piece| is_constant_word(self.word(piece)))
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match name {
            "CLK_LOCAL_MEM_FENCE" => Some(true),
            "CLK_GLOBAL_MEM_FENCE" | "CLK_IMAGE_MEM_FENCE" => Some(false),
            _ => self.flags.get(name).copied(),
        }
    }

    fn orders_local_memory(&self, flags: Node<'_>, values: &Values<'_>) -> Option<bool> {
        let flags = without_parentheses(flags);
        let part = |name| self.orders_local_memory(flags.child_by_field_name(name)?, values);
        let known = match flags.kind() {
            "identifier" => (values.name)(&self.syntax.text(flags)),
            "cast_expression" => part("value"),
            "conditional_expression" => part("consequence").filter(|one| part("alternative") == Some(*one)),
            "binary_expression" => {
                let is_or =
                    flags.child_by_field_name("operator").is_some_and(|operator| self.syntax.text(operator) == "|");
                match (part("left"), part("right")) {
                    _ if !is_or => None,
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        };
        known.or_else(|| (values.constant)(flags).ok().map(|constant| constant.value & 1 == 1))
    }
}
