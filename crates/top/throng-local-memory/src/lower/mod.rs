//! Lowering of the syntax tree to the analysed program.

mod calls;
mod expressions;
mod flags;
mod names;
mod operand_types;
mod signature;
mod statements;
mod storage;

use std::collections::{BTreeMap, BTreeSet};

use throng_core::Problems;
use tree_sitter::Node;

use crate::constants::{Constant, Constants, NotConstant, definitions};
use crate::normal::{is_kernel_word, is_local_word};
use crate::program::{FREE, Function, MALLOC, Parameters, Program, Prototype};
use crate::syntax::{
    Syntax, children_of_field, declared_name, function_declarator, inner_declarator, named_children, visit,
};
use crate::types::{Type, Types};
use signature::Signature;

/// Lowers all functions of a file. Adds errors to `problems`.
pub(crate) fn lower(syntax: &Syntax<'_>, problems: &mut Problems) -> Program {
    let (constants, types) = definitions(syntax);
    let program = Program::default();
    let declared = BTreeSet::new();
    let followed = BTreeSet::new();
    let flags = BTreeMap::new();
    let mut file =
        File { syntax, constants, types, program, signatures: Vec::new(), declared, followed, flags, problems };
    let mut bodies = Vec::new();
    visit(&syntax.tree, |node, _| match node.kind() {
        "function_definition" => bodies.extend(file.define(node)),
        "declaration" => file.declare(node),
        _ => {}
    });
    for (number, body) in bodies.into_iter().enumerate() {
        Body::fill(&mut file, number, body);
    }
    file.check_names();
    file.program
}

/// The state while lowering a file.
pub(crate) struct File<'f, 'p> {
    pub syntax: &'f Syntax<'p>,
    pub constants: Constants,
    pub types: Types,
    pub program: Program,
    /// Signatures of the functions.
    signatures: Vec<Signature>,
    /// Names of functions that have a declaration without a body.
    pub declared: BTreeSet<String>,
    /// Pieces of function names that were called, or that have been reported.
    pub followed: BTreeSet<usize>,
    /// Constants outside of functions that hold barrier flags, as in [`Body::flags`].
    pub flags: BTreeMap<String, bool>,
    pub problems: &'f mut Problems,
}

impl File<'_, '_> {
    fn word(&self, piece: usize) -> &str {
        &self.syntax.pieces.all[piece].text
    }

    pub fn problem(&mut self, piece: usize, message: impl Into<String>, remedy: &str) {
        self.problems.push(self.syntax.pieces.place(piece).to_string(), message, remedy);
    }

    /// Adds a function without its body, so that earlier functions can call it.
    fn define<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let piece = self.syntax.piece(node);
        let found = node.child_by_field_name("declarator").and_then(function_declarator);
        let (Some(declarator), Some(body)) = (found, node.child_by_field_name("body")) else {
            self.problem(
                piece,
                "this function's parameters are not understood",
                "declare it as `type name(parameters)`",
            );
            return None;
        };
        let name_node = declared_name(declarator)?;
        let name = self.syntax.text(name_node);
        let name_piece = self.syntax.piece(name_node);
        if name == MALLOC || name == FREE {
            let message = format!("`{name}` is defined here, but is only a marker for the analysis");
            self.problem(name_piece, message, "leave the definition out; a declaration may stay");
            return None;
        }
        if self.program.names.contains_key(&name) {
            let message = format!("`{name}` is defined twice");
            self.problem(name_piece, message, "give functions different names; overloads cannot be told apart here");
            return None;
        }
        let before = piece..name_piece;
        // Attributes and qualifiers may be in any order, even before the start of the node.
        let is_kernel = self.syntax.pieces.all[before].iter().any(|piece| is_kernel_word(&piece.text));
        let body_pieces = self.syntax.pieces_of(body);
        let function = Function {
            name: name.clone(),
            is_kernel,
            name_piece,
            body_piece: body_pieces.start,
            end_piece: body_pieces.end - 1,
            parameters: self.parameters(declarator),
            ..Function::default()
        };
        self.program.names.insert(name, self.program.functions.len());
        self.signatures.push(self.signature(node, declarator));
        self.program.functions.push(function);
        Some(node)
    }

    fn declare(&mut self, node: Node<'_>) {
        let declarators = children_of_field(node, "declarator");
        let is_outside = node.parent().is_some_and(|parent| parent.kind() == "translation_unit");
        for declarator in declarators.iter().filter(|declarator| is_outside && is_function_pointer(**declarator)) {
            self.reject_function_pointer(*declarator);
        }
        if is_outside {
            self.declare_flags(node);
        }
        for declarator in &declarators {
            let Some(function) = function_declarator(*declarator) else { continue };
            let Some(name) = declared_name(function) else { continue };
            let name = self.syntax.text(name);
            self.declared.insert(name.clone());
            self.program.prototypes.push(Prototype {
                name,
                parameters: self.parameters(function),
                pieces: self.syntax.pieces_of(node),
                has_others: declarators.len() > 1,
            });
        }
    }

    pub fn reject_function_pointer(&mut self, declarator: Node<'_>) {
        let name = declared_name(declarator).unwrap_or(declarator);
        let message = format!("`{}` is a pointer to a function", self.syntax.text(name));
        self.problem(
            self.syntax.piece(name),
            message,
            "call functions by their names; OpenCL C has no pointers to them",
        );
    }

    fn parameters(&self, declarator: Node<'_>) -> Parameters {
        let Some(list) = declarator.child_by_field_name("parameters") else { return Parameters::default() };
        let pieces = self.syntax.pieces_of(list);
        let all = named_children(list);
        let void = pieces.start + 1;
        let is_void = pieces.len() == 3 && self.syntax.pieces.all[void].text == "void";
        Parameters { close: pieces.end - 1, count: if is_void { 0 } else { all.len() }, void: is_void.then_some(void) }
    }
}

/// The state while lowering the body of a function.
pub(crate) struct Body<'b, 'f, 'p> {
    pub file: &'b mut File<'f, 'p>,
    pub function: Function,
    /// The types of its variables; the first two are [`PRIVATE`](crate::program::PRIVATE) and
    /// [`RESULT`](crate::program::RESULT).
    pub variables: Vec<Type>,
    /// Variables that hold barrier flags: whether these include `CLK_LOCAL_MEM_FENCE`.
    pub flags: BTreeMap<usize, bool>,
    /// Index of the function.
    pub number: usize,
    /// The variables of each enclosing block, by name.
    pub scopes: Vec<Vec<(String, usize)>>,
    /// The numbers of enclosing loops and of enclosing `switch` statements.
    pub loops: usize,
    pub switches: usize,
    pub labels: BTreeSet<String>,
    /// Label and piece of each `goto`.
    pub gotos: Vec<(String, usize)>,
}

impl<'b, 'f, 'p> Body<'b, 'f, 'p> {
    fn fill(file: &'b mut File<'f, 'p>, number: usize, node: Node<'_>) {
        let function = std::mem::take(&mut file.program.functions[number]);
        let mut body = Self {
            file,
            function,
            variables: vec![Type::default(); 2],
            flags: BTreeMap::new(),
            number,
            scopes: vec![Vec::new()],
            loops: 0,
            switches: 0,
            labels: BTreeSet::new(),
            gotos: Vec::new(),
        };
        if let Some(declarator) = node.child_by_field_name("declarator").and_then(function_declarator) {
            body.read_parameters(declarator);
        }
        if let Some(block) = node.child_by_field_name("body") {
            let mut statements = Vec::new();
            body.block(block, &mut statements);
            body.function.body = statements;
        }
        body.check_gotos();
        let Self { file, function, .. } = body;
        file.program.functions[number] = function;
    }

    fn check_gotos(&mut self) {
        for (label, piece) in std::mem::take(&mut self.gotos) {
            if !self.labels.contains(&label) {
                let message = format!("`goto {label}` leads nowhere: `{}` has no such label", self.function.name);
                self.file.problem(piece, message, "define the label in the same function");
            }
        }
    }

    fn read_parameters(&mut self, declarator: Node<'_>) {
        let list = declarator.child_by_field_name("parameters").map(named_children).unwrap_or_default();
        for parameter in list.into_iter().filter(|node| node.kind() == "parameter_declaration") {
            let declared = parameter.child_by_field_name("declarator");
            let variable = parameter.child_by_field_name("type").and_then(|specifier| {
                let name = declared_name(declared?)?;
                Some(self.declare_variable(specifier, declared?, name, true))
            });
            self.function.parameter_variables.push(variable);
        }
    }

    /// Adds a variable to the innermost block.
    fn declare_variable(
        &mut self,
        specifier: Node<'_>,
        declarator: Node<'_>,
        name_node: Node<'_>,
        is_parameter: bool,
    ) -> usize {
        let File { syntax, constants, types, .. } = &*self.file;
        let base = types.of_specifier(syntax, specifier, constants);
        let declared = types.with_declarator(syntax, base, declarator, constants);
        let name = syntax.text(name_node);
        let piece = syntax.piece(name_node);
        // A `__local` before the last star qualifies the pointer's target. The host determines the size of parameters.
        let declaration = specifier.parent().unwrap_or(specifier);
        let first = declaration.child_by_field_name("declarator").map_or(piece, |first| syntax.piece(first));
        let own = syntax.piece(declarator)..piece;
        let last_star = own.clone().rev().find(|piece| self.file.word(*piece) == "*");
        let mut about_itself = match last_star {
            Some(star) => star..piece,
            None => syntax.piece(declaration)..first,
        };
        if about_itself.any(|piece| is_local_word(self.file.word(piece))) && !is_parameter {
            self.function.local_variables.push((piece, declared.layout.clone()));
        }
        let variable = self.new_variable(if is_parameter { declared.of_parameter() } else { declared });
        self.scopes.last_mut().expect("the function's own block is open").push((name, variable));
        variable
    }

    /// Adds a variable without a name, or one whose name the caller adds.
    pub fn new_variable(&mut self, of_type: Type) -> usize {
        self.variables.push(of_type);
        self.variables.len() - 1
    }

    /// Finds a variable by name, from the innermost block outwards.
    pub fn lookup(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.iter().rev().find(|(known, _)| known == name)).map(|(_, v)| *v)
    }

    /// Evaluates an expression; variables hide enumeration constants of the same name.
    pub fn constant(&self, node: Node<'_>) -> Result<Constant, NotConstant> {
        self.refuse_variables(node)?;
        let of_operand = |operand: Node<'_>| self.layout_of_operand(operand);
        self.file.constants.evaluate_with(self.file.syntax, &self.file.types, node, &of_operand)
    }

    fn refuse_variables(&self, node: Node<'_>) -> Result<(), NotConstant> {
        if node.kind() == "sizeof_expression" {
            // `sizeof` does not depend on values.
            return Ok(());
        }
        if node.kind() == "identifier" {
            let name = self.text(node);
            if self.lookup(&name).is_some() {
                return Err(NotConstant { piece: self.piece(node), why: format!("`{name}` is a variable") });
            }
        }
        named_children(node).into_iter().try_for_each(|child| self.refuse_variables(child))
    }

    pub fn text(&self, node: Node<'_>) -> String {
        self.file.syntax.text(node)
    }

    pub fn piece(&self, node: Node<'_>) -> usize {
        self.file.syntax.piece(node)
    }
}

/// Whether a declarator declares a pointer to a function.
pub(crate) fn is_function_pointer(mut node: Node<'_>) -> bool {
    let mut is_function = false;
    loop {
        match node.kind() {
            "function_declarator" | "abstract_function_declarator" => is_function = true,
            "pointer_declarator" | "abstract_pointer_declarator" if is_function => return true,
            _ => {}
        }
        match inner_declarator(node) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
}
