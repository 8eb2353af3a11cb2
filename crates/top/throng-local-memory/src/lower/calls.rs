//! Calls: allocations, barriers, functions of the file, and built-in functions.

use std::collections::BTreeSet;

use throng_core::nearest;
use tree_sitter::Node;

use super::Body;
use super::expressions::Value;
use super::storage::access;
use crate::program::{Action, Allocation, Call, Dependencies, Dependency, FREE, Free, MALLOC, Pointer, Statement};
use crate::syntax::{named_children, without_parentheses};
use crate::types::Type;

/// Built-in functions that return the pointer passed to them.
const RETURN_POINTERS: [&str; 4] = ["to_local", "to_global", "to_private", "__builtin_assume_aligned"];
/// Maximum size of a block in bytes; larger sizes are considered mistakes.
const MAX_BLOCK: i128 = u32::MAX as i128;

impl Body<'_, '_, '_> {
    pub(super) fn call(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let piece = self.piece(node);
        let Some(callee) = node.child_by_field_name("function").map(without_parentheses) else {
            return Value::default();
        };
        let arguments = node.child_by_field_name("arguments").map(named_children).unwrap_or_default();
        let name = self.text(callee);
        if callee.kind() != "identifier" || self.lookup(&name).is_some() {
            let message = format!("this call goes through `{name}`, which is not the name of a function");
            self.file.problem(
                piece,
                message,
                "call functions by their names; calls through pointers cannot be followed",
            );
            self.parts(&arguments);
            return Value::default();
        }
        // The piece of the name, without the bracket of `(f)(x)`.
        let piece = self.piece(callee);
        self.file.followed.insert(piece);
        match name.as_str() {
            MALLOC => self.allocation(node, &arguments, out),
            FREE => {
                let size = self.size(FREE, piece, &arguments);
                out.push(Statement::Do(Action::Free(self.function.frees.len())));
                self.function.frees.push(Free { size, pieces: self.file.syntax.pieces_of(node) });
                Value::default()
            }
            "barrier" | "work_group_barrier" => {
                out.push(Statement::Do(Action::Meet(piece)));
                match arguments.first().map(|flags| (self.orders_local_memory(*flags), self.piece(*flags))) {
                    Some((Some(true), _)) => out.push(Statement::Do(Action::Barrier)),
                    Some((None, flags)) => self.file.program.unknown_flags.push(flags),
                    _ => {}
                }
                Value::default()
            }
            _ => {
                if let Some(callee) = self.file.program.names.get(&name).copied() {
                    return self.call_of_function(node, piece, callee, &arguments, out);
                }
                let intended = [MALLOC, FREE].into_iter().find(|known| nearest(&name, [*known]).is_some());
                if let Some(intended) = intended.filter(|_| !self.file.declared.contains(&name)) {
                    self.file.program.misspelt.push((piece, intended));
                }
                self.call_of_builtin(piece, &name, &arguments, out)
            }
        }
    }

    fn allocation(&mut self, node: Node<'_>, arguments: &[Node<'_>], out: &mut Vec<Statement>) -> Value {
        let size = self.size(MALLOC, self.piece(node), arguments);
        let number = self.function.allocations.len();
        let pieces = self.file.syntax.pieces_of(node);
        self.function.allocations.push(Allocation { size, pieces, needed_align: 1 });
        out.push(Statement::Do(Action::Allocate(number)));
        // All work-items of a group get the same block.
        Value { pointers: vec![Pointer::Allocation(number)], ..Value::default() }
    }

    /// The size passed to `local_malloc` or `local_free`.
    fn size(&mut self, name: &str, piece: usize, arguments: &[Node<'_>]) -> Option<u64> {
        let [argument] = arguments else {
            let message = format!("`{name}` has {} arguments, but takes one, the number of bytes", arguments.len());
            self.file.problem(piece, message, "give the size as an integer constant expression");
            return None;
        };
        let written = self.text(*argument);
        match self.constant(*argument) {
            Ok(size) if size.value >= 1 && size.value <= MAX_BLOCK => u64::try_from(size.value).ok(),
            Ok(size) => {
                let value = size.value;
                let shown = if written == value.to_string() { written } else { format!("{written}` = `{value}") };
                let message = format!("the size `{shown}` of `{name}` is not between 1 and {MAX_BLOCK} bytes");
                self.file.problem(self.piece(*argument), message, "give a number of bytes in this range");
                None
            }
            Err(reason) => {
                let message = format!("the size `{written}` of `{name}` is not constant: {}", reason.why);
                let remedy = "use numbers, macros, constants of enumerations and sizeof of types with a fixed size";
                self.file.problem(reason.piece, message, remedy);
                None
            }
        }
    }

    fn call_of_function(
        &mut self,
        node: Node<'_>,
        piece: usize,
        callee: usize,
        arguments: &[Node<'_>],
        out: &mut Vec<Statement>,
    ) -> Value {
        let (parts, values) = self.parts(arguments);
        self.any_order(piece, parts, out);
        let reaches: BTreeSet<usize> = values.iter().flat_map(|value| self.reached_from(value)).collect();
        // The function may store one of its pointers in the target of another.
        let may_store = |value: &Value| {
            let of_type = value.of_type.clone().of_parameter();
            of_type.target().is_some_and(|target| target.leads_to_private && !target.is_shared)
        };
        if values.iter().any(may_store) {
            self.function.pointed.extend(&reaches);
        }
        let number = self.function.calls.len();
        self.function.calls.push(Call {
            callee,
            piece,
            close: self.file.syntax.pieces_of(node).end - 1,
            argument_count: arguments.len(),
            arguments: values.iter().map(|value| value.pointers.clone()).collect(),
            dependencies: values.iter().map(|value| self.with_private_memory(value)).collect(),
            reaches,
        });
        out.push(Statement::Do(Action::Call(number)));
        let parameters: Vec<Type> = self.file.signatures[callee].parameters.clone();
        for (value, parameter) in values.iter().zip(&parameters) {
            self.align_blocks(&value.pointers, parameter);
        }
        let of_type = self.file.signatures[callee].result.clone();
        let dependencies = Dependencies::from([Dependency::Call(number)]);
        Value { pointers: vec![Pointer::Call(number)], of_type, dependencies }
    }

    /// The dependencies of a value and of the private memory that it points to.
    fn with_private_memory(&self, value: &Value) -> Dependencies {
        let reached = self.reached_from(value).into_iter().map(Dependency::Variable);
        value.dependencies.iter().copied().chain(reached).collect()
    }

    /// Lowers a call of a built-in function, which reads and writes through all pointer arguments and keeps none. A
    /// function that is only declared may also follow pointers that it finds in memory.
    fn call_of_builtin(&mut self, piece: usize, name: &str, arguments: &[Node<'_>], out: &mut Vec<Statement>) -> Value {
        let (parts, values) = self.parts(arguments);
        self.any_order(piece, parts, out);
        if RETURN_POINTERS.contains(&name) {
            return values.into_iter().next().unwrap_or_default();
        }
        if is_collective(name) {
            out.push(Statement::Do(Action::Meet(piece)));
        }
        let mut dependencies: Dependencies = values.iter().flat_map(|value| self.with_private_memory(value)).collect();
        if differs_between_items(name) {
            dependencies.insert(Dependency::Item(piece));
        } else if is_collective(name) {
            dependencies.clear();
        }
        for variable in values.iter().flat_map(|value| self.reached_from(value)).filter(|_| !only_reads(name)) {
            self.define(variable, dependencies.clone(), false, out);
        }
        let (numbers, others): (Vec<Value>, Vec<Value>) =
            values.into_iter().partition(|value| value.of_type.is_number());
        let mut pointers: Vec<Pointer> = others.into_iter().flat_map(|value| value.pointers).collect();
        if self.file.declared.contains(name) && !pointers.is_empty() {
            pointers = vec![Pointer::Reachable(pointers)];
        }
        access(&pointers, piece, out);
        // Functions of numbers may return one of several pointers, such as the larger of two addresses.
        let pointers = numbers.into_iter().flat_map(|value| value.pointers).collect();
        Value { pointers, of_type: Type::default(), dependencies }
    }
}

/// Whether all work-items of a group must call this built-in function; barriers are handled elsewhere. All of them get
/// the same result, except from a scan. Sub-group functions only need the work-items of one sub-group.
fn is_collective(name: &str) -> bool {
    name.starts_with("work_group_") || name.starts_with("async_work_group_") || name == "wait_group_events"
}

/// Whether a built-in function may return different values to the work-items of a group for the same arguments. Results
/// of sub-group functions are uniform within a sub-group, but a group has several sub-groups.
fn differs_between_items(name: &str) -> bool {
    const ITEMS: [&str; 4] = ["get_local_id", "get_global_id", "get_local_linear_id", "get_global_linear_id"];
    const BEGINNINGS: [&str; 6] =
        ["atom_", "atomic_", "get_sub_group_", "sub_group_", "intel_sub_group_", "work_group_scan_"];
    // An atomic load is treated like an ordinary read.
    let is_load = name.starts_with("atomic_load");
    ITEMS.contains(&name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) && !is_load
}

/// Whether a built-in function writes nothing through its pointers.
fn only_reads(name: &str) -> bool {
    name.starts_with("vload") || name == "printf"
}
