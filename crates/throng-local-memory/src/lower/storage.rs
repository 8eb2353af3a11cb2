//! Expressions that name something in memory: where that is, and what is read from it.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Body;
use super::expressions::Value;
use crate::program::{Action, Dependencies, Dependency, PRIVATE, Pointer, Statement};
use crate::syntax::without_parentheses;
use crate::types::Type;

/// Something in memory.
#[derive(Debug, Default)]
pub(super) struct Storage {
    /// What points to it.
    pub at: Vec<Pointer>,
    /// The dependencies of its address.
    pub dependencies: Dependencies,
    pub of_type: Type,
}

impl Body<'_, '_, '_> {
    /// Whether an expression names something in memory that pointers lead to: an element, a member, or what a pointer
    /// points to. `&&label` of GNU C looks like the last one.
    pub(super) fn is_in_memory(&self, node: Node<'_>) -> bool {
        let operator = || node.child_by_field_name("operator").map(|operator| self.text(operator));
        let is_kind = match node.kind() {
            "subscript_expression" | "field_expression" => true,
            "pointer_expression" => operator().is_some_and(|operator| operator == "*"),
            _ => false,
        };
        is_kind && node.child_by_field_name("argument").is_some()
    }

    /// What an expression names in memory. Nothing of it is read, except for the pointers that lead there.
    pub(super) fn storage(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Storage {
        let node = without_parentheses(node);
        let field = |name: &str| node.child_by_field_name(name);
        let operator = field("operator").map(|operator| self.text(operator)).unwrap_or_default();
        match (node.kind(), field("argument")) {
            ("identifier", _) => {
                if let Some(variable) = self.lookup(&self.text(node)) {
                    let of_type = self.variables[variable].clone();
                    return Storage { at: vec![Pointer::Address(variable)], of_type, ..Storage::default() };
                }
                self.expression(node, out);
                Storage::default()
            }
            ("field_expression", Some(argument)) => {
                let name = field("field").map(|name| self.text(name)).unwrap_or_default();
                let whole =
                    if operator == "." { self.storage(argument, out) } else { self.expression(argument, out).target() };
                Storage { of_type: self.file.types.member(&whole.of_type, &name), ..whole }
            }
            ("pointer_expression", Some(argument)) if operator == "*" => self.expression(argument, out).target(),
            ("subscript_expression", Some(argument)) => {
                let both: Vec<Node<'_>> = [Some(argument), field("index")].into_iter().flatten().collect();
                let (parts, mut values) = self.parts(&both);
                self.any_order(self.piece(node), parts, out);
                // `2[p]` is `p[2]`.
                let of_pointer = values.iter().position(|value| value.of_type.target().is_some()).unwrap_or(0);
                let dependencies = values.iter().flat_map(|value| value.dependencies.iter().copied()).collect();
                let base = values.swap_remove(of_pointer);
                if base.of_type.is_number() {
                    // A component of a vector.
                    return Storage { at: Vec::new(), of_type: base.of_type, dependencies };
                }
                Storage { dependencies, ..base.target() }
            }
            _ => {
                // A value has a place in memory, too, such as the literal in `&(struct s){ p }`.
                let value = self.expression(node, out);
                let variable = self.new_variable(value.of_type.clone());
                self.define(variable, value.dependencies, true, out);
                self.assign(variable, value.pointers, true, out);
                Storage { at: vec![Pointer::Address(variable)], of_type: value.of_type, ..Storage::default() }
            }
        }
    }

    /// The value of what an expression names in memory. An array stands for the address of its first element.
    pub(super) fn read(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let Storage { at, of_type, mut dependencies } = self.storage(node, out);
        if of_type.is_array() {
            return Value { pointers: at, of_type, dependencies };
        }
        access(&at, self.piece(node), out);
        dependencies.extend(self.private_variables(&at).into_iter().map(Dependency::Variable));
        let pointers = if of_type.holds_pointers { contents(at, &of_type) } else { Vec::new() };
        Value { pointers, of_type, dependencies }
    }

    /// The variables to whose private memory pointers may lead. What is in memory that the group shares is the same for all
    /// work-items that read it at the same address.
    pub(super) fn private_variables(&self, at: &[Pointer]) -> BTreeSet<usize> {
        let variable = |pointer: &Pointer| match pointer {
            Pointer::Address(variable) if !self.shared.contains(variable) => Some(*variable),
            Pointer::Variable(variable) if !self.shared_pointers.contains(variable) => Some(PRIVATE),
            _ => None,
        };
        let mut variables: BTreeSet<usize> = at.iter().filter_map(variable).collect();
        if !self.pointed.is_disjoint(&variables) {
            variables.insert(PRIVATE);
        }
        variables
    }

    /// A variable of a work-item gets a value, or a part of one.
    pub(super) fn define(&self, variable: usize, dependencies: Dependencies, replaces: bool, out: &mut Vec<Statement>) {
        if self.shared.contains(&variable) {
            return;
        }
        if self.pointed.contains(&variable) {
            let dependencies = dependencies.clone();
            out.push(Statement::Do(Action::Define { variable: PRIVATE, dependencies, replaces: false }));
        }
        out.push(Statement::Do(Action::Define { variable, dependencies, replaces }));
    }
}

/// An access through pointers.
pub(super) fn access(at: &[Pointer], piece: usize, out: &mut Vec<Statement>) {
    // Variables are not in local memory.
    let pointers: Vec<Pointer> = at.iter().filter(|pointer| !matches!(pointer, Pointer::Address(_))).cloned().collect();
    if !pointers.is_empty() {
        out.push(Statement::Do(Action::Use { pointers, piece }));
    }
}

/// What is stored at places. If the type is not known, it may be an array, which stands for its address.
pub(super) fn contents(at: Vec<Pointer>, of_type: &Type) -> Vec<Pointer> {
    if at.is_empty() {
        return at;
    }
    if of_type.is_unknown() {
        return vec![Pointer::Reachable(at)];
    }
    match at.as_slice() {
        [Pointer::Address(variable)] => vec![Pointer::Variable(*variable)],
        _ => vec![Pointer::Content(at)],
    }
}
