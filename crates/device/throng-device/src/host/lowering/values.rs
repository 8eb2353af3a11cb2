//! Registers and memory of the variables of a kernel.

use cubecl::ir::{
    ConstantValue, ElemType, FloatKind, IntKind, Metadata, StorageType, Type, UIntKind, Variable, VariableKind,
};

use super::Lowering;
use crate::host::program::{Array, Input, Operand, Place, Register, Step};
use crate::host::{arithmetic, builtins};

/// Type of the scalars of a variable.
pub(super) fn element(variable: Variable) -> Result<ElemType, String> {
    match variable.ty {
        Type::Scalar(StorageType::Scalar(element) | StorageType::Atomic(element))
        | Type::Vector(StorageType::Scalar(element) | StorageType::Atomic(element), _) => Ok(element),
        _ => Err(format!("the type {} of {variable} is not supported", variable.ty)),
    }
}

/// Returns a constant as a value of type `to`.
pub(super) fn constant_bits(value: ConstantValue, to: ElemType) -> Result<u64, String> {
    let bits = match value.cast_to(to) {
        ConstantValue::Int(value) => arithmetic::converted(value as u64, ElemType::Int(IntKind::I64), to),
        ConstantValue::UInt(value) => arithmetic::converted(value, ElemType::UInt(UIntKind::U64), to),
        ConstantValue::Float(value) => arithmetic::converted(value.to_bits(), ElemType::Float(FloatKind::F64), to),
        ConstantValue::Bool(value) => Some(value.into()),
    };
    bits.ok_or_else(|| format!("a constant of type {to} is not supported"))
}

impl Lowering {
    /// Returns the element to which a variable of an atomic type refers.
    pub(super) fn pointer(&self, variable: Variable) -> Option<(Array, Register)> {
        self.pointers.get(&variable.index()?).copied()
    }

    pub(super) fn length(&mut self, metadata: &Metadata, array: Variable) -> Result<Option<Register>, String> {
        Ok(match (array.kind, metadata) {
            (VariableKind::GlobalInputArray(id) | VariableKind::GlobalOutputArray(id), Metadata::Length { .. }) => {
                let bytes = self.address_bytes;
                Some(self.input(Input::Length { offset: self.lengths + id as usize * bytes, bytes }))
            }
            (VariableKind::GlobalInputArray(id) | VariableKind::GlobalOutputArray(id), _) => {
                let element_bytes = element(array)?.size() * array.vector_size().max(1);
                Some(self.input(Input::Capacity { buffer: id as usize, element_bytes }))
            }
            (
                VariableKind::LocalArray { length, .. }
                | VariableKind::ConstantArray { length, .. }
                | VariableKind::SharedArray { length, .. },
                _,
            ) => Some(self.constant(length as u64)),
            _ => None,
        })
    }

    /// Returns the array, or the vector as an array of its components.
    pub(super) fn array(&mut self, variable: Variable) -> Result<Array, String> {
        let bytes = element(variable)?.size();
        let mut lanes = variable.vector_size().max(1);
        let place = match variable.kind {
            VariableKind::GlobalInputArray(id) | VariableKind::GlobalOutputArray(id) => Place::Buffer(id as usize),
            VariableKind::SharedArray { id, length, .. } => *self.arrays.entry(id).or_insert_with(|| {
                self.program.shared.push(length * lanes);
                Place::Shared(self.program.shared.len() - 1)
            }),
            VariableKind::LocalArray { id, length, .. } => *self.arrays.entry(id).or_insert_with(|| {
                let first = self.program.registers.len();
                self.program.registers.resize(first + length * lanes, 0);
                Place::Registers { first, elements: length }
            }),
            VariableKind::ConstantArray { id, .. } => {
                *self.arrays.get(&id).ok_or_else(|| format!("{variable} has no values"))?
            }
            _ => {
                let Operand { first, lanes: elements } = self.operand(variable)?;
                lanes = 1;
                Place::Registers { first, elements }
            }
        };
        Ok(Array { place, bytes, lanes, is_atomic: variable.ty.is_atomic() })
    }

    pub(super) fn register(&mut self, lanes: usize) -> Register {
        let first = self.program.registers.len();
        self.program.registers.resize(first + lanes, 0);
        first
    }

    pub(super) fn constant(&mut self, bits: u64) -> Register {
        *self.constants.entry(bits).or_insert_with(|| {
            self.program.registers.push(bits);
            self.program.registers.len() - 1
        })
    }

    pub(super) fn input(&mut self, input: Input) -> Register {
        let register = self.register(1);
        self.program.inputs.push((register, input));
        register
    }

    /// Returns the registers of a variable.
    pub(super) fn operand(&mut self, variable: Variable) -> Result<Operand, String> {
        if let Some(register) = self.inputs.get(&variable) {
            return Ok(Operand::scalar(*register));
        }
        let input = match variable.kind {
            VariableKind::Constant(value) => {
                return Ok(Operand::scalar(self.constant(constant_bits(value, element(variable)?)?)));
            }
            VariableKind::GlobalScalar(id) => {
                let ty = variable.storage_type();
                let (_, offset) = self.scalar_offsets.iter().find(|(of, _)| *of == ty).ok_or("unknown scalar")?;
                Input::Scalar { offset: offset + id as usize * ty.size(), bytes: ty.size() }
            }
            VariableKind::Builtin(builtin) if builtins::is_supported(builtin) => Input::Builtin(builtin),
            VariableKind::LocalMut { id } | VariableKind::LocalConst { id } | VariableKind::Versioned { id, .. } => {
                let lanes = variable.vector_size().max(1);
                let first = match self.locals.get(&id) {
                    Some(first) => *first,
                    None => self.register(lanes),
                };
                self.locals.insert(id, first);
                return Ok(Operand { first, lanes });
            }
            _ => return Err(format!("{variable} is not supported")),
        };
        let register = self.input(input);
        self.inputs.insert(variable, register);
        Ok(Operand::scalar(register))
    }

    /// Returns the registers of a value after conversion to a type.
    pub(super) fn converted(&mut self, variable: Variable, to: ElemType) -> Result<Operand, String> {
        if let Some(value) = variable.as_const() {
            return Ok(Operand::scalar(self.constant(constant_bits(value, to)?)));
        }
        let (from, input) = (element(variable)?, self.operand(variable)?);
        if from == to {
            return Ok(input);
        }
        arithmetic::converted(0, from, to)
            .ok_or_else(|| format!("a conversion from {from} to {to} is not supported"))?;
        let out = Operand { first: self.register(input.lanes), lanes: input.lanes };
        self.step(Step::Convert { input, from, to, out });
        Ok(out)
    }
}
