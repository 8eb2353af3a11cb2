//! State of a unit.

use std::collections::HashMap;
use std::rc::Rc;

use super::builtins::Position;
use super::memory::Buffers;
use super::program::{Input, Program, Register, Uses};
use super::trace;

/// State of a unit.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    pub index: u32,
    pub registers: Vec<u64>,
    /// The registers whose values are undefined.
    undefined: HashMap<Register, Undefined>,
    /// The next step.
    pub next: usize,
    pub state: State,
    pub is_traced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum State {
    #[default]
    Runs,
    /// Waits at the barrier before the next step.
    Waits,
    Ended,
}

/// The reason why a value is undefined. It may be computed with and discarded, but no other memory, no index of a write
/// and no branch may depend on it: many kernels read first and then decide whether they need the value.
#[derive(Debug, Clone)]
pub(super) struct Undefined(pub Rc<str>);

impl From<Undefined> for String {
    fn from(undefined: Undefined) -> Self {
        undefined.0.as_ref().to_owned()
    }
}

impl Unit {
    #[inline(always)]
    pub fn get(&self, register: Register) -> Result<u64, Undefined> {
        if self.undefined.is_empty() {
            return Ok(self.registers[register]);
        }
        self.undefined.get(&register).map_or(Ok(self.registers[register]), |reason| Err(reason.clone()))
    }

    #[inline(always)]
    pub fn set(&mut self, register: Register, value: Result<u64, Undefined>) {
        match value {
            Ok(value) => {
                if !self.undefined.is_empty() {
                    self.undefined.remove(&register);
                }
                self.registers[register] = value;
            }
            Err(reason) => {
                self.registers[register] = 0;
                self.undefined.insert(register, reason);
            }
        }
    }

    /// Returns why a result is undefined that depends on these inputs.
    pub fn undefined_input(&self, inputs: [Register; 3], values: [u64; 3], uses: Uses) -> Option<Undefined> {
        if self.undefined.is_empty() {
            return None;
        }
        let reason = |input: Register| self.undefined.get(&input).cloned();
        let is = |value: u64| inputs.into_iter().zip(values).any(|(of, found)| found == value && reason(of).is_none());
        match uses {
            Uses::Choice => reason(inputs[0]).or_else(|| reason(inputs[if values[0] == 0 { 2 } else { 1 }])),
            Uses::AllOrFalse if is(0) => None,
            Uses::AllOrTrue if is(1) => None,
            Uses::All | Uses::AllOrFalse | Uses::AllOrTrue => inputs.into_iter().find_map(reason),
        }
    }

    pub fn begin(&mut self, program: &Program, arguments: &[u8], buffers: &Buffers, position: Position) {
        self.index = position.unit;
        self.registers.clone_from(&program.registers);
        self.undefined.clear();
        self.next = 0;
        self.state = State::Runs;
        self.is_traced = trace::is_traced(&program.name, position.cube_index(), position.unit);
        let word = |offset: usize, bytes: usize| {
            let mut word = [0; 8];
            word[..bytes].copy_from_slice(&arguments[offset..offset + bytes]);
            u64::from_le_bytes(word)
        };
        for (register, input) in &program.inputs {
            self.registers[*register] = match *input {
                Input::Scalar { offset, bytes } | Input::Length { offset, bytes } => word(offset, bytes),
                Input::Capacity { buffer, element_bytes } => (buffers.size(buffer) / element_bytes) as u64,
                Input::Builtin(builtin) => position.value(builtin).unwrap_or_default(),
            };
        }
    }
}
