//! Translates CubeCL's representation of a kernel into a [`Program`].

use std::collections::HashMap;

use cubecl::ir::{
    AtomicOp, ElemType, Instruction as CubeInstruction, Metadata, NonSemantic, Operation, OperationReflect as _,
    Operator, Scope, StorageType, Synchronization, Variable,
};
use cubecl_runtime::kernel::KernelDefinition;

mod branches;
mod values;

use self::values::{constant_bits, element};
use super::arithmetic::{self, Function};
use super::program::{Array, Instruction, Operand, Place, Program, Register, Step, Uses};

/// Translates a kernel, whose addresses have the given type.
///
/// # Errors
/// The first instruction that the interpreter does not support.
pub(super) fn lowered(kernel: KernelDefinition, addresses: StorageType) -> Result<Program, String> {
    let KernelDefinition { buffers, tensor_maps, scalars, cube_dim, mut body, options } = kernel;
    if let Some(error) = body.pop_errors().into_iter().next() {
        return Err(error);
    }
    if !tensor_maps.is_empty() || buffers.iter().any(|buffer| buffer.has_extended_meta) {
        return Err("tensors are not supported".to_owned());
    }
    // The argument block: scalars by type, then the capacity of each buffer, then its length.
    let mut scalar_offsets = Vec::new();
    let mut offset = 0;
    for scalar in &scalars {
        scalar_offsets.push((scalar.ty, offset));
        offset += (scalar.ty.size() * scalar.count).next_multiple_of(size_of::<u64>());
    }
    let program = Program {
        name: options.kernel_name,
        cube_dim,
        steps: Vec::new(),
        instruction_of: Vec::new(),
        instructions: Vec::new(),
        registers: Vec::new(),
        inputs: Vec::new(),
        shared: Vec::new(),
        buffers: buffers.len(),
        has_barriers: false,
    };
    let mut lowering = Lowering {
        scalar_offsets,
        lengths: offset + buffers.len() * addresses.size(),
        address_bytes: addresses.size(),
        program,
        locals: HashMap::new(),
        constants: HashMap::new(),
        inputs: HashMap::new(),
        arrays: HashMap::new(),
        pointers: HashMap::new(),
        breaks: Vec::new(),
    };
    lowering.scope(&body)?;
    lowering.step(Step::End);
    Ok(lowering.program)
}

struct Lowering {
    scalar_offsets: Vec<(StorageType, usize)>,
    /// Offset of the lengths of buffers in the argument block.
    lengths: usize,
    address_bytes: usize,
    program: Program,
    locals: HashMap<u32, Register>,
    constants: HashMap<u64, Register>,
    /// Registers of scalar arguments and positions.
    inputs: HashMap<Variable, Register>,
    /// Places of local, constant and shared arrays.
    arrays: HashMap<u32, Place>,
    /// Elements of atomic arrays that variables refer to.
    pointers: HashMap<u32, (Array, Register)>,
    /// Jumps out of each loop around the current instruction.
    breaks: Vec<Vec<usize>>,
}

impl Lowering {
    fn scope(&mut self, scope: &Scope) -> Result<(), String> {
        for (array, values) in &scope.const_arrays {
            let element = element(*array)?;
            let first = self.program.registers.len();
            for value in values {
                let constant = value.as_const().ok_or_else(|| format!("{array} has a value that is not constant"))?;
                self.program.registers.push(constant_bits(constant, element)?);
            }
            if let Some(id) = array.index() {
                self.arrays.insert(id, Place::Registers { first, elements: values.len() });
            }
        }
        scope.instructions.iter().try_for_each(|instruction| self.instruction(instruction))
    }

    fn instruction(&mut self, instruction: &CubeInstruction) -> Result<(), String> {
        if let Operation::Branch(branch) = &instruction.operation {
            return self.branch(branch);
        }
        let text = instruction.to_string();
        // Without the types.
        let text = text.split(" : (").next().unwrap_or_default().trim_end().to_owned();
        let variables = match &instruction.operation {
            Operation::NonSemantic(NonSemantic::Print { args, .. }) => args.clone(),
            operation => operation.args().unwrap_or_default().into_iter().chain(instruction.out).collect(),
        };
        self.describe(text.clone(), &variables);
        let lowered = self.operation(instruction).map_err(|reason| format!("{reason} (in `{text}`)"))?;
        if lowered.is_none() {
            return Err(format!("the operation `{text}` is not supported"));
        }
        Ok(())
    }

    /// The steps from here on belong to this instruction.
    fn describe(&mut self, text: String, variables: &[Variable]) {
        let has_value = |of: &&Variable| of.as_const().is_none() && !of.is_array() && !of.ty.is_atomic();
        let mut described = Vec::new();
        for variable in variables.iter().filter(has_value) {
            if let (Ok(operand), Ok(element)) = (self.operand(*variable), element(*variable)) {
                described.push((variable.to_string(), operand, element));
            }
        }
        self.program.instructions.push(Instruction { text, variables: described });
    }

    fn step(&mut self, step: Step) -> usize {
        self.program.steps.push(step);
        self.program.instruction_of.push(self.program.instructions.len().saturating_sub(1) as u32);
        self.program.steps.len() - 1
    }

    /// Sets the target of earlier jumps to the next step.
    fn arrive(&mut self, jumps: impl IntoIterator<Item = usize>) {
        let here = self.program.steps.len();
        for jump in jumps {
            if let Step::Jump { to } | Step::JumpIf { to, .. } = &mut self.program.steps[jump] {
                *to = here;
            }
        }
    }

    /// `None` for an operation that is not supported.
    fn operation(&mut self, instruction: &CubeInstruction) -> Result<Option<()>, String> {
        let out = |lowering: &mut Self| match instruction.out {
            Some(out) => Ok((lowering.operand(out)?, element(out)?)),
            None => Err("it has no result".to_owned()),
        };
        let arguments = instruction.operation.args().unwrap_or_default();
        match &instruction.operation {
            Operation::Copy(input) => self.copy(*input, instruction.out),
            Operation::Arithmetic(operation) => {
                let (out, element) = out(self)?;
                self.compute(arithmetic::arithmetic(operation, element), &arguments, element, out)
            }
            Operation::Comparison(operation) => {
                let (out, _) = out(self)?;
                let element = element(arguments[0])?;
                self.compute(arithmetic::comparison(operation, element), &arguments, element, out)
            }
            Operation::Bitwise(operation) => {
                let (out, _) = out(self)?;
                let element = element(arguments[0])?;
                self.compute(arithmetic::bitwise(operation, element), &arguments, element, out)
            }
            Operation::Operator(operator) => self.operator(operator, instruction.out, &arguments),
            Operation::Atomic(operation) => self.atomic(operation, instruction.out, &arguments),
            Operation::Metadata(metadata) => {
                let length = match metadata {
                    Metadata::Length { var } | Metadata::BufferLength { var } => match self.length(metadata, *var)? {
                        Some(length) => length,
                        None => return Ok(None),
                    },
                    _ => return Ok(None),
                };
                let (out, _) = out(self)?;
                let function: Function = |[length, ..]| Some(length);
                self.step(Step::Compute { function, inputs: [Operand::scalar(length); 3], uses: Uses::All, out });
                Ok(Some(()))
            }
            Operation::Synchronization(Synchronization::SyncCube | Synchronization::SyncStorage) => {
                self.program.has_barriers = true;
                self.step(Step::Barrier);
                Ok(Some(()))
            }
            // Source code for another backend, in the form of a comment.
            Operation::NonSemantic(NonSemantic::Comment { content }) if content.starts_with("*/") => Ok(None),
            Operation::NonSemantic(NonSemantic::Print { .. }) => {
                self.step(Step::Print);
                Ok(Some(()))
            }
            Operation::NonSemantic(_) | Operation::Marker(_) => Ok(Some(())),
            _ => Ok(None),
        }
    }

    fn copy(&mut self, input: Variable, out: Option<Variable>) -> Result<Option<()>, String> {
        let Some(out) = out else { return Ok(None) };
        if out.ty.is_atomic() {
            let (Some(id), Some(from)) = (out.index(), self.pointer(input)) else { return Ok(None) };
            self.pointers.insert(id, from);
            return Ok(Some(()));
        }
        let (to, element) = (self.operand(out)?, element(out)?);
        self.compute(Some(|[value, ..]| Some(value)), &[input], element, to)
    }

    /// Adds a step that applies a function to arguments, which are converted to the type `element`.
    fn compute(
        &mut self,
        function: Option<Function>,
        arguments: &[Variable],
        element: ElemType,
        out: Operand,
    ) -> Result<Option<()>, String> {
        let Some(function) = function else { return Ok(None) };
        let operands: Result<Vec<_>, String> =
            arguments.iter().map(|argument| self.converted(*argument, element)).collect();
        let inputs = match operands?[..] {
            [a] => [a; 3],
            [a, b] => [a, b, b],
            [a, b, c] => [a, b, c],
            _ => return Ok(None),
        };
        self.step(Step::Compute { function, inputs, uses: Uses::All, out });
        Ok(Some(()))
    }

    fn operator(
        &mut self,
        operator: &Operator,
        out: Option<Variable>,
        arguments: &[Variable],
    ) -> Result<Option<()>, String> {
        let Some(result) = out else { return Ok(None) };
        match operator {
            Operator::Index(operator) | Operator::UncheckedIndex(operator) => {
                if ![0, operator.list.vector_size()].contains(&operator.vector_size) || operator.unroll_factor != 1 {
                    return Ok(None);
                }
                let array = self.array(operator.list)?;
                let index = self.operand(operator.index)?.first;
                if array.is_atomic {
                    // The register of an index may change before the element is used.
                    let own = self.register(1);
                    self.step(Step::Compute {
                        function: |[index, ..]| Some(index),
                        inputs: [Operand::scalar(index); 3],
                        uses: Uses::All,
                        out: Operand::scalar(own),
                    });
                    let Some(id) = result.index() else { return Ok(None) };
                    self.pointers.insert(id, (array, own));
                } else {
                    let out = self.operand(result)?;
                    self.step(Step::Load { array, index, out });
                }
            }
            Operator::IndexAssign(operator) | Operator::UncheckedIndexAssign(operator) => {
                if ![0, result.vector_size()].contains(&operator.vector_size) || operator.unroll_factor != 1 {
                    return Ok(None);
                }
                let array = self.array(result)?;
                let index = self.operand(operator.index)?.first;
                let value = self.converted(operator.value, element(result)?)?;
                self.step(Step::Store { array, index, value });
            }
            Operator::InitVector(operator) => {
                let (out, element) = (self.operand(result)?, element(result)?);
                if operator.inputs.len() != out.lanes {
                    return Ok(None);
                }
                for (lane, input) in operator.inputs.iter().enumerate() {
                    let out = Operand::scalar(out.lane(lane));
                    self.compute(Some(|[value, ..]| Some(value)), &[*input], element, out)?;
                }
            }
            Operator::And(_) | Operator::Or(_) | Operator::Not(_) => {
                let (function, used): (Function, _) = match operator {
                    Operator::And(_) => (|[a, b, _]| Some(a & b), Uses::AllOrFalse),
                    Operator::Or(_) => (|[a, b, _]| Some(a | b), Uses::AllOrTrue),
                    _ => (|[a, ..]| Some(a ^ 1), Uses::All),
                };
                let out = self.operand(result)?;
                let lowered = self.compute(Some(function), arguments, ElemType::Bool, out);
                if let Some(Step::Compute { uses, .. }) = self.program.steps.last_mut() {
                    *uses = used;
                }
                return lowered;
            }
            Operator::Cast(operator) => {
                let (out, element) = (self.operand(result)?, element(result)?);
                return self.compute(Some(|[value, ..]| Some(value)), &[operator.input], element, out);
            }
            Operator::Reinterpret(operator) => {
                let (from, to) = (element(operator.input)?, element(result)?);
                let (input, out) = (self.operand(operator.input)?, self.operand(result)?);
                if from.size() != to.size() || ![1, out.lanes].contains(&input.lanes) {
                    return Ok(None);
                }
                self.step(Step::Compute {
                    function: |[bits, ..]| Some(bits),
                    inputs: [input; 3],
                    uses: Uses::All,
                    out,
                });
            }
            Operator::Select(operator) => {
                let (out, element) = (self.operand(result)?, element(result)?);
                let condition = self.converted(operator.cond, ElemType::Bool)?;
                let inputs =
                    [condition, self.converted(operator.then, element)?, self.converted(operator.or_else, element)?];
                let function: Function = |[condition, a, b]| Some(if condition == 0 { b } else { a });
                self.step(Step::Compute { function, inputs, uses: Uses::Choice, out });
            }
            Operator::CopyMemory(_) | Operator::CopyMemoryBulk(_) => return Ok(None),
        }
        Ok(Some(()))
    }

    fn atomic(
        &mut self,
        operation: &AtomicOp,
        out: Option<Variable>,
        arguments: &[Variable],
    ) -> Result<Option<()>, String> {
        let Some(out) = out else { return Ok(None) };
        let (pointer, values) = match operation {
            AtomicOp::Store(_) => (out, arguments),
            _ => (arguments[0], &arguments[1..]),
        };
        let element = element(pointer)?;
        let Some((array, index)) = self.pointer(pointer) else { return Ok(None) };
        if array.lanes != 1 || values.len() > 2 {
            return Ok(None);
        }
        let mut inputs = [0; 2];
        for (input, value) in inputs.iter_mut().zip(values) {
            *input = self.converted(*value, element)?.first;
        }
        let step = match (operation, arithmetic::atomic(operation, element)) {
            (AtomicOp::Store(_), _) => Step::Store { array, index, value: Operand::scalar(inputs[0]) },
            (AtomicOp::Load(_), _) => Step::Load { array, index, out: self.operand(out)? },
            (_, Some(function)) => Step::Update { function, array, index, inputs, out: self.operand(out)?.first },
            (_, None) => return Ok(None),
        };
        self.step(step);
        Ok(Some(()))
    }
}
