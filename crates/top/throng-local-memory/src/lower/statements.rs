//! Statements and declarations.

use tree_sitter::Node;

use super::expressions::Value;
use super::{Body, is_function_pointer};
use crate::program::{Action, Dependencies, Loop, Pointer, RESULT, Statement};
use crate::syntax::{children_of_field, declared_name, function_declarator, named_children};

impl Body<'_, '_, '_> {
    /// Ends the innermost scope, and the lifetimes of its variables.
    fn end_scope(&mut self, out: &mut Vec<Statement>) {
        let variables = self.scopes.pop().unwrap_or_default();
        out.extend(variables.into_iter().map(|(_, variable)| Statement::Do(Action::End(variable))));
    }

    /// Lowers the statements of a block, in a new scope.
    pub(super) fn block(&mut self, node: Node<'_>, out: &mut Vec<Statement>) {
        self.scopes.push(Vec::new());
        for child in named_children(node) {
            self.statement(child, out);
        }
        self.end_scope(out);
    }

    fn in_own_list(&mut self, node: Option<Node<'_>>) -> Vec<Statement> {
        let mut out = Vec::new();
        self.scopes.push(Vec::new());
        if let Some(node) = node {
            self.statement(node, &mut out);
        }
        self.end_scope(&mut out);
        out
    }

    fn body_of_loop(&mut self, node: Option<Node<'_>>) -> Vec<Statement> {
        self.loops += 1;
        let body = self.in_own_list(node);
        self.loops -= 1;
        body
    }

    /// The statements of an expression, and the dependencies of its value.
    fn expression_of(&mut self, node: Option<Node<'_>>) -> (Vec<Statement>, Dependencies) {
        let mut out = Vec::new();
        let value = node.map(|node| self.expression(node, &mut out)).unwrap_or_default();
        (out, value.dependencies)
    }

    fn statement(&mut self, node: Node<'_>, out: &mut Vec<Statement>) {
        let piece = self.piece(node);
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "compound_statement" => self.block(node, out),
            "expression_statement" => {
                for child in named_children(node) {
                    self.expression(child, out);
                }
            }
            "declaration" => self.declaration(node, out),
            "if_statement" => {
                let (tested, condition) = self.expression_of(field("condition"));
                out.extend(tested);
                let consequence = self.in_own_list(field("consequence"));
                let otherwise = field("alternative").and_then(|clause| named_children(clause).into_iter().next());
                let alternative = self.in_own_list(otherwise);
                out.push(Statement::Branch { condition, arms: vec![consequence, alternative], piece, what: "if" });
            }
            // The usual body of a macro: `do { ... } while (0)`.
            "do_statement" if self.runs_once(node) => {
                let body = self.in_own_list(field("body"));
                out.extend(body);
            }
            // A `switch` without a block, see `Normal`.
            "while_statement" if self.file.word(piece) == "switch" => self.switch(node, out),
            "while_statement" | "do_statement" => {
                let tests_last = node.kind() == "do_statement";
                let is_endless = field("condition").is_some_and(|condition| self.is_true(condition));
                let (condition, dependencies) = self.expression_of(field("condition"));
                let body = self.body_of_loop(field("body"));
                let what = if tests_last { "do" } else { "while" };
                let step = Vec::new();
                out.push(Statement::Loop(Box::new(Loop {
                    piece,
                    what,
                    condition,
                    dependencies,
                    body,
                    step,
                    tests_last,
                    is_endless,
                })));
            }
            "for_statement" => self.for_loop(node, out),
            "switch_statement" => self.switch(node, out),
            "case_statement" => {
                let message = "this `case` is inside another statement of the `switch`";
                self.file.problem(piece, message, "put each `case` directly into the block of its `switch`");
            }
            "labeled_statement" => {
                let name = field("label").map(|label| self.text(label)).unwrap_or_default();
                if !self.labels.insert(name.clone()) {
                    let message = format!("the label `{name}` is defined twice in this function");
                    self.file.problem(piece, message, "give labels different names");
                }
                out.push(Statement::Label { name, piece });
                for child in named_children(node).into_iter().filter(|child| child.kind() != "statement_identifier") {
                    self.statement(child, out);
                }
            }
            "return_statement" => {
                let result = self.file.signatures[self.number].result.clone();
                let mut pointers: Vec<Pointer> = Vec::new();
                for child in named_children(node) {
                    let value = self.expression(child, out);
                    self.define(RESULT, value.dependencies, false, out);
                    pointers.extend(value.pointers);
                }
                self.align_blocks(&pointers, &result);
                if !pointers.is_empty() {
                    let is_pointer = result.target().is_some();
                    out.push(Statement::Do(Action::Result { pointers, is_pointer, piece }));
                }
                out.push(Statement::Return(piece));
            }
            "break_statement" => {
                if self.loops + self.switches == 0 {
                    self.file.problem(piece, "`break` is outside of loops and `switch`", "use `return` or `goto`");
                } else {
                    out.push(Statement::Break(piece));
                }
            }
            "continue_statement" => {
                if self.loops == 0 {
                    self.file.problem(piece, "`continue` is outside of loops", "use `return` or `goto`");
                } else {
                    out.push(Statement::Continue(piece));
                }
            }
            "goto_statement" => {
                let label = field("label").map(|label| self.text(label)).unwrap_or_default();
                self.gotos.push((label.clone(), piece));
                out.push(Statement::Goto { label, piece });
            }
            "attributed_statement" => {
                for child in named_children(node).into_iter().filter(|child| child.kind() != "attribute_declaration") {
                    self.statement(child, out);
                }
            }
            "type_definition" | "struct_specifier" | "union_specifier" | "enum_specifier" | "else_clause" => {}
            "function_definition" => {
                let message = "a function is defined inside another one";
                self.file.problem(piece, message, "define it outside; OpenCL C has no nested functions");
            }
            kind if kind.ends_with("_expression") || kind == "identifier" => {
                self.expression(node, out);
            }
            kind => {
                let message = format!("this statement ({}) is not part of OpenCL C", kind.replace('_', " "));
                self.file.problem(piece, message, "write it with the statements of C99");
            }
        }
    }

    /// Lowers `type a = x, *b;`, in order.
    fn declaration(&mut self, node: Node<'_>, out: &mut Vec<Statement>) {
        let Some(specifier) = node.child_by_field_name("type") else { return };
        for declared in children_of_field(node, "declarator") {
            if function_declarator(declared).is_some() {
                continue;
            }
            let Some(name) = declared_name(declared) else { continue };
            if is_function_pointer(declared) {
                self.file.reject_function_pointer(declared);
            }
            let first = declared.child_by_field_name("value");
            let declarator = declared.child_by_field_name("declarator").filter(|_| first.is_some()).unwrap_or(declared);
            // The name is in scope in its own initializer: `p = local_malloc(sizeof *p)`.
            let variable = self.declare_variable(specifier, declarator, name, false);
            let value = first.map(|value| self.expression(value, out));
            let flags = first.filter(|_| self.file.is_constant(node)).and_then(|flags| self.orders_local_memory(flags));
            self.flags.extend(flags.map(|flags| (variable, flags)));
            // A declaration in a loop creates a new variable in each iteration.
            let Value { pointers, dependencies, .. } = value.unwrap_or_default();
            self.define(variable, dependencies, true, out);
            self.assign(variable, pointers, true, out);
        }
    }

    fn for_loop(&mut self, node: Node<'_>, out: &mut Vec<Statement>) {
        let piece = self.piece(node);
        self.scopes.push(Vec::new());
        match node.child_by_field_name("initializer") {
            Some(declared) if declared.kind() == "declaration" => self.declaration(declared, out),
            other => out.extend(self.expression_of(other).0),
        }
        let test = node.child_by_field_name("condition");
        let is_endless = test.is_none_or(|test| self.is_true(test));
        let (condition, dependencies) = self.expression_of(test);
        let (step, _) = self.expression_of(node.child_by_field_name("update"));
        let body = self.body_of_loop(node.child_by_field_name("body"));
        self.scopes.pop();
        let tests_last = false;
        let what = "for";
        out.push(Statement::Loop(Box::new(Loop {
            piece,
            what,
            condition,
            dependencies,
            body,
            step,
            tests_last,
            is_endless,
        })));
    }

    fn switch(&mut self, node: Node<'_>, out: &mut Vec<Statement>) {
        let (tested, condition) = self.expression_of(node.child_by_field_name("condition"));
        out.extend(tested);
        let piece = self.piece(node);
        let mut arms = Vec::new();
        let mut has_default = false;
        self.scopes.push(Vec::new());
        self.switches += 1;
        let body = node.child_by_field_name("body");
        if node.kind() == "while_statement" {
            let mut inner = body;
            while let Some(label) = inner.filter(|node| matches!(self.file.word(self.piece(*node)), "case" | "default"))
            {
                has_default |= self.file.word(self.piece(label)) == "default";
                inner = label.child_by_field_name("body");
            }
            arms.push(self.in_own_list(inner));
        }
        let block = body.filter(|body| body.kind() == "compound_statement");
        for child in block.map(named_children).unwrap_or_default() {
            if child.kind() != "case_statement" {
                // A braced block ends a case, but statements may follow it. Those before the first case are
                // unreachable.
                let mut more = Vec::new();
                self.statement(child, &mut more);
                if let Some(last) = arms.last_mut() {
                    Vec::extend(last, more);
                }
                continue;
            }
            let label = child.child_by_field_name("value");
            has_default |= label.is_none();
            let mut arm = Vec::new();
            for inner in named_children(child).into_iter().filter(|inner| Some(*inner) != label) {
                if inner.kind() == "case_statement" {
                    // In the tree, `case 1: case 2:` is nested.
                    self.nested_case(inner, &mut arms, &mut arm, &mut has_default);
                } else {
                    self.statement(inner, &mut arm);
                }
            }
            arms.push(arm);
        }
        self.scopes.pop();
        self.switches -= 1;
        out.push(Statement::Switch { condition, arms, has_default, piece });
    }

    fn nested_case(
        &mut self,
        node: Node<'_>,
        arms: &mut Vec<Vec<Statement>>,
        arm: &mut Vec<Statement>,
        has_default: &mut bool,
    ) {
        arms.push(std::mem::take(arm));
        let label = node.child_by_field_name("value");
        *has_default |= label.is_none();
        for inner in named_children(node).into_iter().filter(|inner| Some(*inner) != label) {
            if inner.kind() == "case_statement" {
                self.nested_case(inner, arms, arm, has_default);
            } else {
                self.statement(inner, arm);
            }
        }
    }

    /// Whether a `do` loop neither repeats nor exits early.
    fn runs_once(&self, node: Node<'_>) -> bool {
        fn jumps(node: Node<'_>) -> bool {
            matches!(node.kind(), "break_statement" | "continue_statement")
                || named_children(node).into_iter().any(jumps)
        }
        let condition = node.child_by_field_name("condition");
        let is_zero = condition.is_some_and(|condition| self.constant(condition).is_ok_and(|value| value.value == 0));
        is_zero && !node.child_by_field_name("body").is_some_and(jumps)
    }

    /// Whether a condition is a nonzero constant.
    fn is_true(&self, node: Node<'_>) -> bool {
        self.constant(node).is_ok_and(|constant| constant.value != 0)
    }
}
