//! Expressions: in which order they allocate, free and call, and where their pointers come from.

use tree_sitter::Node;

use super::Body;
use crate::program::{Action, Effect, FREE, Group, MALLOC, Pointer, Statement};
use crate::syntax::{named_children, without_parentheses};

/// What the value of an expression may be.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    /// Where pointers in it come from.
    pub pointers: Vec<Pointer>,
    /// Whether what it points to holds no pointers.
    pub is_plain: bool,
    /// Variables whose addresses it has.
    pub addresses: Vec<usize>,
}

impl Value {
    /// A value that is one of two, or made of both.
    fn with(mut self, other: Self) -> Self {
        self.is_plain = match (self.pointers.is_empty(), other.pointers.is_empty()) {
            (false, false) => self.is_plain && other.is_plain,
            (true, _) => other.is_plain,
            (false, true) => self.is_plain,
        };
        self.pointers.extend(other.pointers);
        self.addresses.extend(other.addresses);
        self
    }
}

impl Body<'_, '_, '_> {
    /// Adds what an expression does, and says what its value may be.
    pub(super) fn expression(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => self.name(node),
            "parenthesized_expression" => {
                let inner = named_children(node);
                inner.into_iter().fold(Value::default(), |_, inner| self.expression(inner, out))
            }
            "comma_expression" => {
                if let Some(left) = field("left") {
                    self.expression(left, out);
                }
                field("right").map(|right| self.expression(right, out)).unwrap_or_default()
            }
            "assignment_expression" => self.assignment(node, out),
            "pointer_expression" if self.is_address(node) => self.address(node, out),
            "subscript_expression" | "field_expression" | "pointer_expression" => self.read(node, out),
            "update_expression" => {
                let Some(argument) = field("argument") else { return Value::default() };
                self.expression(argument, out)
            }
            "binary_expression" => self.binary(node, out),
            "conditional_expression" => {
                if let Some(condition) = field("condition") {
                    self.expression(condition, out);
                }
                let mut arms = [Vec::new(), Vec::new()];
                let [first, second] = ["consequence", "alternative"].map(field);
                let first = first.map(|arm| self.expression(arm, &mut arms[0])).unwrap_or_default();
                let second = second.map(|arm| self.expression(arm, &mut arms[1])).unwrap_or_default();
                if arms.iter().any(|arm| !arm.is_empty()) {
                    out.push(Statement::Branch { arms: arms.into(), piece: self.piece(node), what: "?:" });
                }
                first.with(second)
            }
            "cast_expression" => {
                let Some(argument) = field("value") else { return Value::default() };
                let mut value = self.expression(argument, out);
                if let Some(target) = field("type") {
                    let file = &self.file;
                    value.is_plain = file.types.of_descriptor(file.syntax, target, &file.constants).is_plain();
                }
                value
            }
            "call_expression" => self.call(node, out),
            // Nothing in them is evaluated.
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "type_descriptor"
            | "field_designator"
            | "field_identifier" => Value::default(),
            // A statement expression of GNU C.
            "compound_statement" => {
                let message = "statements within an expression cannot be followed";
                self.file.problem(self.piece(node), message, "write them before the expression");
                Value::default()
            }
            _ => {
                let (parts, values) = self.parts(&named_children(node));
                self.any_order(self.piece(node), parts, out);
                let value = values.into_iter().fold(Value::default(), Value::with);
                // A vector of what was read has no pointers; initialisers of structs may have.
                Value { is_plain: false, ..value }
            }
        }
    }

    fn name(&mut self, node: Node<'_>) -> Value {
        let name = self.text(node);
        if let Some(variable) = self.lookup(&name) {
            let is_plain = self.function.variables[variable].is_plain;
            return Value { pointers: vec![Pointer::Variable(variable)], is_plain, addresses: Vec::new() };
        }
        if name == MALLOC || name == FREE || self.file.program.names.contains_key(&name) {
            let message = format!("`{name}` is used as a pointer to a function");
            self.file.problem(
                self.piece(node),
                message,
                "call it by its name; calls through pointers cannot be followed",
            );
        }
        Value::default()
    }

    /// What each of several expressions does and is.
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

    /// Adds parts that a compiler may evaluate in any order, in the order of the text. Whether the order matters is known
    /// when all functions are.
    pub(super) fn any_order(&mut self, piece: usize, parts: Vec<Vec<Statement>>, out: &mut Vec<Statement>) {
        let effects: Vec<Vec<Effect>> = parts.iter().map(|part| self.effects(part)).collect();
        if effects.iter().filter(|effects| !effects.is_empty()).count() > 1 {
            self.function.groups.push(Group { piece, parts: effects });
        }
        out.extend(parts.into_iter().flatten());
    }

    fn effects(&self, statements: &[Statement]) -> Vec<Effect> {
        let mut found = Vec::new();
        for statement in statements {
            match statement {
                Statement::Do(Action::Allocate(_) | Action::Free(_)) => found.push(Effect::Stack),
                Statement::Do(Action::Call(call)) => found.push(Effect::Call(self.function.calls[*call].callee)),
                Statement::Branch { arms, .. } => found.extend(arms.iter().flat_map(|arm| self.effects(arm))),
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
            self.expression(left, out);
            let mut arm = Vec::new();
            self.expression(right, &mut arm);
            if !arm.is_empty() {
                let what = if operator == "&&" { "&&" } else { "||" };
                out.push(Statement::Branch { arms: vec![arm, Vec::new()], piece: self.piece(node), what });
            }
            return Value::default();
        }
        let (parts, values) = self.parts(&[left, right]);
        self.any_order(self.piece(node), parts, out);
        let value = values.into_iter().fold(Value::default(), Value::with);
        let is_comparison = matches!(operator.as_str(), "==" | "!=" | "<" | ">" | "<=" | ">=");
        if is_comparison { Value::default() } else { value }
    }

    fn is_address(&self, node: Node<'_>) -> bool {
        node.child_by_field_name("operator").is_some_and(|operator| self.text(operator) == "&")
    }

    /// `&x`: nothing is read, but code that gets the address can change `x`.
    fn address(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let Some(argument) = node.child_by_field_name("argument").map(without_parentheses) else {
            return Value::default();
        };
        if argument.kind() == "identifier" {
            let mut value = self.name(argument);
            value.addresses = self.lookup(&self.text(argument)).into_iter().collect();
            value.is_plain = false;
            return value;
        }
        self.storage(argument, false, out)
    }

    /// The value of an element, a member or what a pointer points to.
    fn read(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let storage = self.storage(node, true, out);
        if storage.is_plain { Value::default() } else { Value { is_plain: false, addresses: Vec::new(), ..storage } }
    }

    /// The pointers through which an expression names something in memory. Unless it is only for an address, that is an
    /// access through them.
    fn storage(&mut self, node: Node<'_>, is_accessed: bool, out: &mut Vec<Statement>) -> Value {
        let node = without_parentheses(node);
        let Some(argument) = node.child_by_field_name("argument").map(without_parentheses) else {
            return self.expression(node, out);
        };
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator)).unwrap_or_default();
        let base = match node.kind() {
            "field_expression" if operator == "." => {
                // A member of a variable is in the variable; one of `p[i]` is in what `p` points to.
                return self.storage(argument, is_accessed, out);
            }
            "field_expression" => self.expression(argument, out),
            "pointer_expression" if operator == "*" => self.expression(argument, out),
            "subscript_expression" => {
                let index = node.child_by_field_name("index");
                let (parts, mut values) =
                    self.parts(&[Some(argument), index].into_iter().flatten().collect::<Vec<_>>());
                self.any_order(self.piece(node), parts, out);
                values.swap_remove(0)
            }
            _ => return self.expression(node, out),
        };
        if is_accessed && !base.pointers.is_empty() {
            let piece = self.piece(node);
            out.push(Statement::Do(Action::Use { pointers: base.pointers.clone(), piece }));
        }
        base
    }

    fn assignment(&mut self, node: Node<'_>, out: &mut Vec<Statement>) -> Value {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return Value::default();
        };
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator)).unwrap_or_default();
        let left = without_parentheses(left);
        let mut parts = [Vec::new(), Vec::new()];
        let value = self.expression(right, &mut parts[0]);
        let variable = if left.kind() == "identifier" { self.lookup(&self.text(left)) } else { None };
        let storage = match variable {
            Some(_) => Value::default(),
            None => self.storage(left, true, &mut parts[1]),
        };
        self.any_order(self.piece(node), parts.into(), out);
        if let Some(variable) = variable {
            self.assign(variable, value.pointers.clone(), operator == "=", out);
        } else if !storage.is_plain && !value.pointers.is_empty() {
            for pointer in storage.pointers {
                if let Pointer::Variable(variable) = pointer {
                    self.assign(variable, value.pointers.clone(), false, out);
                }
            }
        }
        value
    }

    /// A variable gets pointers.
    pub(super) fn assign(&mut self, variable: usize, pointers: Vec<Pointer>, replaces: bool, out: &mut Vec<Statement>) {
        for pointer in &pointers {
            if let Pointer::Allocation(allocation) = pointer {
                let needed = &mut self.function.allocations[*allocation].needed_align;
                *needed = (*needed).max(self.function.variables[variable].pointee_align);
            }
        }
        if replaces || !pointers.is_empty() {
            out.push(Statement::Do(Action::Assign { variable, pointers, replaces }));
        }
    }
}
