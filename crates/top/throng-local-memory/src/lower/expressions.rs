//! Expressions: the order of their allocations, frees and calls, and the origins of their pointers.

use tree_sitter::Node;

use super::Body;
use super::storage::{Storage, access, contents};
use crate::program::{Action, Dependencies, Dependency, Effect, FREE, Group, MALLOC, Pointer, Statement};
use crate::syntax::{named_children, without_parentheses};
use crate::types::Type;

/// The possible values of an expression.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    /// Origins of pointers in the value.
    pub pointers: Vec<Pointer>,
    pub of_type: Type,
    pub dependencies: Dependencies,
}

impl Value {
    /// The memory that the value points to.
    pub fn target(self) -> Storage {
        let of_type = self.of_type.of_parameter().target().cloned().unwrap_or_default();
        Storage { at: self.pointers, of_type, dependencies: self.dependencies }
    }

    /// Adds dependencies.
    fn depending_on(mut self, others: Dependencies) -> Self {
        self.dependencies.extend(others);
        self
    }

    /// Combines two values: one of them is chosen, or both are part of the result.
    fn with(mut self, other: Self) -> Self {
        self.of_type = match (self.pointers.is_empty(), other.pointers.is_empty()) {
            (true, _) => other.of_type,
            (false, true) => self.of_type,
            // A pointer plus or minus a number.
            (false, false) if other.of_type.is_number() => self.of_type,
            (false, false) if self.of_type.is_number() || self.of_type == other.of_type => other.of_type,
            (false, false) => Type::default(),
        };
        self.pointers.extend(other.pointers);
        self.depending_on(other.dependencies)
    }
}

/// Whether a statement uses neither the stack nor memory.
fn is_about_values(statement: &Statement) -> bool {
    match statement {
        Statement::Do(Action::Define { .. } | Action::Meet(_)) => true,
        Statement::Branch { arms, .. } => arms.iter().flatten().all(is_about_values),
        _ => false,
    }
}

impl Body<'_, '_, '_> {
    /// Adds the statements of an expression, and returns its possible values.
    pub(super) fn expression(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => self.name(node),
            "parenthesized_expression" => {
                let inner = named_children(node);
                inner.into_iter().fold(Value::default(), |_, inner| self.expression(inner, out))
            }
            "comma_expression" => {
                // Vector components are written with commas, so the value depends on both operands.
                let left = field("left").map(|left| self.expression(left, out)).unwrap_or_default();
                let right = field("right").map(|right| self.expression(right, out)).unwrap_or_default();
                right.depending_on(left.dependencies)
            }
            "assignment_expression" => self.assignment(node, out),
            "pointer_expression" if self.is_address(node) => self.address(node, out),
            _ if self.is_in_memory(node) => self.read(node, out),
            "pointer_expression" => {
                let message = format!("`{}` is not OpenCL C", self.text(node));
                self.file.problem(
                    self.piece(node),
                    message,
                    "labels have no addresses; check whether an operand is missing",
                );
                Value::default()
            }
            "update_expression" => match field("argument") {
                Some(argument) => self.store(argument, None, true, out),
                None => Value::default(),
            },
            "binary_expression" => self.binary(node, out),
            "conditional_expression" => {
                let condition = field("condition").map(|condition| self.expression(condition, out)).unwrap_or_default();
                let mut arms = [Vec::new(), Vec::new()];
                let [first, second] = ["consequence", "alternative"].map(field);
                let first = first.map(|arm| self.expression(arm, &mut arms[0])).unwrap_or_default();
                let second = second.map(|arm| self.expression(arm, &mut arms[1])).unwrap_or_default();
                if arms.iter().any(|arm| !arm.is_empty()) {
                    let (condition, piece) = (condition.dependencies.clone(), self.piece(node));
                    out.push(Statement::Branch { condition, arms: arms.into(), piece, what: "?:" });
                }
                first.with(second).depending_on(condition.dependencies)
            }
            "cast_expression" => {
                let Some(argument) = field("value") else { return Value::default() };
                let value = self.expression(argument, out);
                let of_type = self.named_type(field("type"));
                self.align_blocks(&value.pointers, &of_type);
                Value { of_type, ..value }
            }
            "compound_literal_expression" => {
                let value = field("value").map(|value| self.expression(value, out)).unwrap_or_default();
                let of_type = self.named_type(field("type"));
                if of_type.is_array() {
                    let variable = self.new_variable(of_type.clone());
                    self.define(variable, value.dependencies, true, out);
                    self.assign(variable, value.pointers, true, out);
                    return Value { pointers: vec![Pointer::Address(variable)], of_type, ..Value::default() };
                }
                Value { of_type, ..value }
            }
            "call_expression" => self.call(node, out),
            // Operands are not evaluated.
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "type_descriptor"
            | "field_designator"
            | "field_identifier" => Value::default(),
            // A GNU C statement expression.
            "compound_statement" => {
                let message = "statements within an expression cannot be followed";
                self.file.problem(self.piece(node), message, "write them before the expression");
                Value::default()
            }
            _ => {
                let (parts, values) = self.parts(&named_children(node));
                self.any_order(self.piece(node), parts, out);
                let dependencies = values.iter().flat_map(|value| value.dependencies.iter().copied()).collect();
                let pointers = values.into_iter().flat_map(|value| value.pointers).collect();
                Value { pointers, of_type: Type::default(), dependencies }
            }
        }
    }

    /// The type in a cast or a literal.
    pub(super) fn named_type(&self, node: Option<Node<'_>>) -> Type {
        let file = &self.file;
        node.map(|node| file.types.of_descriptor(file.syntax, node, &file.constants)).unwrap_or_default()
    }

    fn name(&mut self, node: Node<'_>) -> Value {
        let name = self.text(node);
        if let Some(variable) = self.lookup(&name) {
            let of_type = self.variables[variable].clone();
            let address = vec![Pointer::Address(variable)];
            if of_type.is_array() {
                return Value { pointers: address, of_type, ..Value::default() };
            }
            let dependencies =
                self.private_variables(&address, &of_type).into_iter().map(Dependency::Variable).collect();
            return Value { pointers: contents(address, &of_type), of_type, dependencies };
        }
        if name == MALLOC || name == FREE || self.file.program.names.contains_key(&name) {
            let message = format!("`{name}` is used as a pointer to a function");
            self.file.followed.insert(self.piece(node));
            self.file.problem(
                self.piece(node),
                message,
                "call it by its name; calls through pointers cannot be followed",
            );
        }
        Value::default()
    }

    /// The statements and values of several expressions.
    pub(super) fn parts(&mut self, nodes: &[Node<'_>]) -> (Vec<Vec<Statement>>, Vec<Value>) {
        nodes
            .iter()
            .map(|node| {
                let mut part = Vec::new();
                let value = self.expression(*node, &mut part);
                (part, value)
            })
            .unzip()
    }

    /// Adds parts that a compiler may evaluate in any order. Whether the order matters is decided when all functions
    /// are lowered.
    pub(super) fn any_order(&mut self, piece: usize, parts: Vec<Vec<Statement>>, out: &mut Vec<Statement>) {
        // Statements that only affect the values of variables need no order.
        let (values, parts): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.iter().all(is_about_values));
        out.extend(values.into_iter().flatten());
        let effects: Vec<Vec<Effect>> = parts.iter().map(|part| self.effects(part)).collect();
        let acting = effects.iter().filter(|effects| !effects.is_empty()).count();
        let steps = parts.iter().filter(|part| !part.is_empty()).count();
        if acting > 1 {
            self.function.groups.push(Group { piece, parts: effects });
        }
        if acting == 0 || steps < 2 {
            // Accesses alone need no order.
            out.extend(parts.into_iter().flatten());
            return;
        }
        let mut all = Vec::new();
        for mut part in parts.into_iter().filter(|part| !part.is_empty()) {
            // Flattens nested parts: in `a() + b() + c()`, the parts of `a() + b()` are parts of the whole.
            match part.as_mut_slice() {
                [Statement::AnyOrder { parts, .. }] => all.append(parts),
                _ => all.push(part),
            }
        }
        out.push(Statement::AnyOrder { parts: all, piece });
    }

    fn effects(&self, statements: &[Statement]) -> Vec<Effect> {
        let mut found = Vec::new();
        for statement in statements {
            match statement {
                Statement::Do(Action::Allocate(_) | Action::Free(_)) => found.push(Effect::Stack),
                Statement::Do(Action::Barrier) => found.push(Effect::Barrier),
                Statement::Do(Action::Call(call)) => found.push(Effect::Call(self.function.calls[*call].callee)),
                Statement::Branch { arms: parts, .. } | Statement::AnyOrder { parts, .. } => {
                    found.extend(parts.iter().flat_map(|part| self.effects(part)));
                }
                _ => {}
            }
        }
        found
    }

    fn binary(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator)).unwrap_or_default();
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return Value::default();
        };
        if matches!(operator.as_str(), "&&" | "||") {
            let condition = self.expression(left, out).dependencies;
            let mut arm = Vec::new();
            let mut dependencies = self.expression(right, &mut arm).dependencies;
            dependencies.extend(&condition);
            if !arm.is_empty() {
                let what = if operator == "&&" { "&&" } else { "||" };
                let piece = self.piece(node);
                out.push(Statement::Branch { condition, arms: vec![arm, Vec::new()], piece, what });
            }
            return Value { dependencies, ..Value::default() };
        }
        let (parts, values) = self.parts(&[left, right]);
        self.any_order(self.piece(node), parts, out);
        let is_difference = operator == "-" && values.iter().all(|value| value.of_type.target().is_some());
        let is_comparison = matches!(operator.as_str(), "==" | "!=" | "<" | ">" | "<=" | ">=");
        let value = values.into_iter().fold(Value::default(), Value::with);
        if is_comparison || is_difference {
            return Value { dependencies: value.dependencies, ..Value::default() };
        }
        value
    }

    fn is_address(&self, node: Node<'_>) -> bool {
        node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "&")
    }

    /// Lowers `&x`, which reads nothing.
    fn address(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let Some(argument) = node.child_by_field_name("argument") else { return Value::default() };
        let storage = self.storage(argument, out);
        Value { pointers: storage.at, of_type: storage.of_type.pointer(), dependencies: storage.dependencies }
    }

    fn assignment(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let (Some(left), right) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return Value::default();
        };
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator)).unwrap_or_default();
        self.store(left, right, operator != "=", out)
    }

    /// Stores a value, which depends on the old one in `+=` and `++` (`updates`), and returns the stored value.
    fn store(&mut self, left: Node<'_>, right: Option<Node<'_>>, updates: bool, out: &mut Vec<Statement>) -> Value {
        let left = without_parentheses(left);
        let piece = self.piece(left);
        let mut parts = [Vec::new(), Vec::new()];
        let given = right.map(|right| self.expression(right, &mut parts[0])).unwrap_or_default();
        let storage = self.storage(left, &mut parts[1]);
        let mut value = given.clone();
        if updates {
            let old = self.value_in(&storage, piece, &mut parts[1]);
            value = Value { of_type: old.of_type.clone(), ..old.with(given.clone()) };
        }
        self.any_order(piece, parts.into(), out);
        // The value is stored after both sides are evaluated.
        access(&storage.at, piece, out);
        let variable = self.variable(left);
        let dependencies: Dependencies = value.dependencies.union(&storage.dependencies).copied().collect();
        for part in self.private_variables(&storage.at, &storage.of_type) {
            self.define(part, dependencies.clone(), variable.is_some(), out);
        }
        if let Some(variable) = variable {
            self.assign(variable, given.pointers, !updates, out);
        } else if storage.of_type.holds_pointers && !given.pointers.is_empty() && !storage.at.is_empty() {
            self.align_blocks(&given.pointers, &storage.of_type);
            self.keep_pointers(&given.pointers, &storage.of_type);
            out.push(Statement::Do(Action::Store { into: storage.at, pointers: given.pointers }));
        }
        value
    }

    /// The variable that an expression refers to.
    pub(super) fn variable(&self, node: Node<'_>) -> Option<usize> {
        let node = without_parentheses(node);
        if node.kind() == "identifier" { self.lookup(&self.text(node)) } else { None }
    }

    /// Assigns pointers to a variable.
    pub(super) fn assign(&mut self, variable: usize, pointers: Vec<Pointer>, replaces: bool, out: &mut Vec<Statement>) {
        let of_type = self.variables[variable].clone();
        self.align_blocks(&pointers, &of_type);
        self.keep_pointers(&pointers, &of_type);
        if replaces || !pointers.is_empty() {
            out.push(Statement::Do(Action::Assign { variable, pointers, replaces }));
        }
    }

    /// Raises the alignment of blocks to the alignment of the type to which their address is assigned or cast.
    pub(super) fn align_blocks(&mut self, pointers: &[Pointer], of_type: &Type) {
        for pointer in pointers {
            if let Pointer::Allocation(allocation) = pointer {
                let needed = &mut self.function.allocations[*allocation].needed_align;
                *needed = (*needed).max(of_type.target_align());
            }
        }
    }
}
