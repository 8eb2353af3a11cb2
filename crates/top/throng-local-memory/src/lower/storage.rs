//! Expressions that refer to memory: its address, and reads from it.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::Body;
use super::expressions::Value;
use crate::program::{Action, Call, Dependencies, Dependency, PRIVATE, Pointer, Statement};
use crate::syntax::without_parentheses;
use crate::types::Type;

/// A location in memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Storage {
    /// Pointers to it.
    pub at: Vec<Pointer>,
    /// The dependencies of its address.
    pub dependencies: Dependencies,
    pub of_type: Type,
}

impl Body<'_, '_, '_> {
    /// Whether an expression refers to memory through pointers: an element, a member, or the target of a pointer. GNU
    /// C's `&&label` has the same node kind as the latter.
    pub(super) fn is_in_memory(&self, node: Node<'_>) -> bool {
        let operator = || node.child_by_field_name("operator").map(|operator| self.text(operator));
        let is_kind = match node.kind() {
            "subscript_expression" | "field_expression" => true,
            "pointer_expression" => operator().is_some_and(|operator| operator == "*"),
            _ => false,
        };
        is_kind && node.child_by_field_name("argument").is_some()
    }

    /// The memory that an expression refers to. Reads only the pointers that lead to it.
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
                let member = self.file.types.member(&whole.of_type, &name);
                Storage { of_type: whole.of_type.of_part(member), ..whole }
            }
            ("pointer_expression", Some(argument)) if operator == "*" => self.expression(argument, out).target(),
            ("subscript_expression", Some(argument)) => {
                let mut parts = [Vec::new(), Vec::new()];
                // An index of a vector selects a component, which is part of the memory of the vector.
                let (whole, first) = if self.is_in_memory(argument) || self.variable(argument).is_some() {
                    let whole = self.storage(argument, &mut parts[0]);
                    let first = self.value_in(&whole, self.piece(argument), &mut parts[0]);
                    (whole.at, first)
                } else {
                    (Vec::new(), self.expression(argument, &mut parts[0]))
                };
                let index = field("index").map(|index| self.expression(index, &mut parts[1])).unwrap_or_default();
                self.any_order(self.piece(node), parts.into(), out);
                let dependencies = first.dependencies.union(&index.dependencies).copied().collect();
                // `2[p]` is `p[2]`.
                let is_swapped = first.of_type.target().is_none() && index.of_type.target().is_some();
                let base = if is_swapped { index } else { first };
                if base.of_type.is_number() {
                    return Storage { at: whole, of_type: base.of_type, dependencies };
                }
                Storage { dependencies, ..base.target() }
            }
            _ => {
                // Other values are also in memory, such as the literal in `&(struct s){ p }`.
                let value = self.expression(node, out);
                let variable = self.new_variable(value.of_type.clone());
                self.define(variable, value.dependencies, true, out);
                self.assign(variable, value.pointers, true, out);
                Storage { at: vec![Pointer::Address(variable)], of_type: value.of_type, ..Storage::default() }
            }
        }
    }

    /// Reads the memory that an expression refers to.
    pub(super) fn read(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let storage = self.storage(node, out);
        self.value_in(&storage, self.piece(node), out)
    }

    /// Reads a location in memory. An array evaluates to the address of its first element.
    pub(super) fn value_in(&self, storage: &Storage, piece: usize, out: &mut Vec<Statement>) -> Value {
        let Storage { at, of_type, mut dependencies } = storage.clone();
        if of_type.is_array() {
            return Value { pointers: at, of_type, dependencies };
        }
        access(&at, piece, out);
        dependencies.extend(self.private_variables(&at, &of_type).into_iter().map(Dependency::Variable));
        let pointers = if of_type.holds_pointers { contents(at, &of_type) } else { Vec::new() };
        Value { pointers, of_type, dependencies }
    }

    /// The variables in whose private memory a value of this type may be, given the pointers to it. Memory that the
    /// group shares is not included: it has the same content for all work-items that read it at the same address.
    pub(super) fn private_variables(&self, at: &[Pointer], of_type: &Type) -> BTreeSet<usize> {
        if of_type.is_shared {
            return BTreeSet::new();
        }
        at.iter().flat_map(|pointer| self.private_variables_at(pointer)).collect()
    }

    fn private_variables_at(&self, pointer: &Pointer) -> BTreeSet<usize> {
        let is_shared = match pointer {
            Pointer::Address(variable) => self.variables[*variable].is_shared,
            Pointer::Variable(variable) => self.variables[*variable].points_to_shared(),
            Pointer::Allocation(_) => true,
            // A function can only return pointers that it can reach from its arguments.
            Pointer::Call(call) => {
                let Call { callee, reaches, .. } = &self.function.calls[*call];
                let is_shared = self.file.signatures[*callee].result.points_to_shared();
                return if is_shared { BTreeSet::new() } else { reaches.clone() };
            }
            // Shared memory never holds pointers to private memory.
            Pointer::Content(at) | Pointer::Reachable(at) => {
                at.iter().all(|pointer| self.private_variables_at(pointer).is_empty())
            }
        };
        match pointer {
            _ if is_shared => BTreeSet::new(),
            Pointer::Address(variable) => BTreeSet::from([*variable]),
            _ => BTreeSet::from([PRIVATE]),
        }
    }

    /// The variables in whose private memory a function that is passed this value can read and write: those that it
    /// points to, and those reachable from there.
    pub(super) fn reached_from(&self, value: &Value) -> BTreeSet<usize> {
        let of_type = value.of_type.clone().of_parameter();
        if !of_type.leads_to_private {
            return BTreeSet::new();
        }
        let target = of_type.target().unwrap_or(&of_type);
        let mut variables = self.private_variables(&value.pointers, target);
        if !variables.is_empty() && target.leads_to_private {
            variables.insert(PRIVATE);
        }
        variables
    }

    /// Marks the targets of pointers as reachable, because the pointers are stored in memory of this type.
    pub(super) fn keep_pointers(&mut self, pointers: &[Pointer], of_type: &Type) {
        if of_type.holds_pointers {
            let pointed = pointers.iter().flat_map(|pointer| self.private_variables_at(pointer)).collect::<Vec<_>>();
            self.function.pointed.extend(pointed);
        }
    }

    /// Assigns a value, or a part of one, to a variable of a work-item.
    pub(super) fn define(&self, variable: usize, dependencies: Dependencies, replaces: bool, out: &mut Vec<Statement>) {
        if !self.variables[variable].is_shared {
            out.push(Statement::Do(Action::Define { variable, dependencies, replaces }));
        }
    }
}

/// Adds an access through pointers.
pub(super) fn access(at: &[Pointer], piece: usize, out: &mut Vec<Statement>) {
    // Variables themselves are not in local memory.
    let pointers: Vec<Pointer> = at.iter().filter(|pointer| !matches!(pointer, Pointer::Address(_))).cloned().collect();
    if !pointers.is_empty() {
        out.push(Statement::Do(Action::Use { pointers, piece }));
    }
}

/// The pointers stored at some locations. A location of unknown type may be an array, which evaluates to its address.
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
