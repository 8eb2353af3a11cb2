//! A kernel as a list of steps on registers.

use cubecl::CubeDim;
use cubecl::ir::{Builtin, ElemType};

use super::arithmetic::Function;

/// A kernel in the form that the interpreter executes.
#[derive(Debug)]
pub(super) struct Program {
    /// Name of the kernel's function.
    pub name: String,
    /// Units of a cube along each axis.
    pub cube_dim: CubeDim,
    pub steps: Vec<Step>,
    /// The index in `instructions` of each step.
    pub instruction_of: Vec<u32>,
    pub instructions: Vec<Instruction>,
    /// Registers of a unit before its first step: constants, and zeros.
    pub registers: Vec<u64>,
    /// Registers that are set when a unit begins.
    pub inputs: Vec<(Register, Input)>,
    /// Number of scalars in each array of shared memory.
    pub shared: Vec<usize>,
    /// Number of buffers that a launch passes.
    pub buffers: usize,
    pub has_barriers: bool,
}

/// Index of a register.
pub(super) type Register = usize;

/// Consecutive registers that hold a scalar (one lane) or a vector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand {
    pub first: Register,
    pub lanes: usize,
}

impl Operand {
    pub fn scalar(first: Register) -> Self {
        Self { first, lanes: 1 }
    }

    /// Returns the register of a lane; a scalar has the same value in all lanes.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> Register {
        if self.lanes == 1 { self.first } else { self.first + lane }
    }
}

/// A value that a unit has when it begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Input {
    /// A scalar argument: its offset in the argument block and its size, both in bytes.
    Scalar {
        offset: usize,
        bytes: usize,
    },
    /// Number of elements of a buffer, as passed by the launch: its index in words of `bytes` bytes after `offset`.
    Length {
        offset: usize,
        bytes: usize,
    },
    /// Number of elements of this size that the memory of a buffer has.
    Capacity {
        buffer: usize,
        element_bytes: usize,
    },
    Builtin(Builtin),
}

/// Elements in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Array {
    pub place: Place,
    /// Bytes of a scalar.
    pub bytes: usize,
    /// Scalars per element.
    pub lanes: usize,
    pub is_atomic: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// A buffer, by its index among the arguments.
    Buffer(usize),
    /// Shared memory.
    Shared(usize),
    /// An array of a unit, or a vector: registers.
    Registers { first: Register, elements: usize },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// A function of up to three operands; with fewer, the last ones are repeated.
    Compute {
        function: Function,
        inputs: [Operand; 3],
        uses: Uses,
        out: Operand,
    },
    Convert {
        input: Operand,
        from: ElemType,
        to: ElemType,
        out: Operand,
    },
    Load {
        array: Array,
        index: Register,
        out: Operand,
    },
    Store {
        array: Array,
        index: Register,
        value: Operand,
    },
    /// Replaces an element by a function of it and two operands, and returns the old value.
    Update {
        function: Function,
        array: Array,
        index: Register,
        inputs: [Register; 2],
        out: Register,
    },
    Barrier,
    Jump {
        to: usize,
    },
    JumpIf {
        condition: Register,
        is: bool,
        to: usize,
    },
    /// Prints the values of the instruction.
    Print,
    End,
    /// The kernel declared that no unit comes here.
    Unreachable,
}

/// The inputs of a function on which its result depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Uses {
    All,
    /// The first and, depending on it, the second or the third.
    Choice,
    /// None but one that is false, if there is one.
    AllOrFalse,
    /// None but one that is true, if there is one.
    AllOrTrue,
}

/// An instruction of the kernel, for messages.
#[derive(Debug)]
pub(super) struct Instruction {
    pub text: String,
    /// Its variables and results.
    pub variables: Vec<(String, Operand, ElemType)>,
}

impl Program {
    /// Returns the instruction to which a step belongs.
    pub fn instruction(&self, step: usize) -> &Instruction {
        &self.instructions[self.instruction_of[step] as usize]
    }

    pub fn units(&self) -> u32 {
        self.cube_dim.x * self.cube_dim.y * self.cube_dim.z
    }
}
