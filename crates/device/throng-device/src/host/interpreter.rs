//! Executes the units of a kernel, one after another between barriers.

use std::fmt;

use cubecl::ExecutionMode;

use super::builtins::Position;
use super::memory::Buffers;
use super::program::{Array, Operand, Place, Program, Register, Step};
use super::shared::{Access, Cell};
use super::unit::{State, Undefined, Unit};
use super::{arithmetic, trace};

/// A defect of a kernel, with its location.
#[derive(Debug)]
pub(super) struct Fault {
    kernel: String,
    cube: [u32; 3],
    unit: u32,
    what: String,
    instruction: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, cube: [x, y, z], unit, what, instruction } = self;
        write!(f, "`{kernel}`, cube ({x}, {y}, {z}), unit {unit}: {what}, in `{instruction}`")
    }
}

/// Runs all cubes of a launch, in order. `arguments` is the block of scalars and lengths.
///
/// # Errors
/// The first fault.
pub(super) fn run(
    program: &Program,
    buffers: &mut Buffers,
    arguments: &[u64],
    cube_count: [u32; 3],
    mode: ExecutionMode,
) -> Result<(), Fault> {
    let arguments: Vec<u8> = arguments.iter().flat_map(|word| word.to_le_bytes()).collect();
    let cube_dim = [program.cube_dim.x, program.cube_dim.y, program.cube_dim.z];
    // Without barriers, units do not wait for each other, and one state serves all.
    let at_once = if program.has_barriers { program.units() } else { 1 };
    let mut units = vec![Unit::default(); at_once as usize];
    let [columns, rows, layers] = cube_count;
    for position in (0..layers).flat_map(|z| (0..rows).flat_map(move |y| (0..columns).map(move |x| [x, y, z]))) {
        let shared = program.shared.iter().map(|scalars| vec![Cell::default(); *scalars]).collect();
        let is_checked = mode != ExecutionMode::Unchecked;
        let mut cube = Cube { program, buffers, shared, is_checked, position, barriers: 0 };
        for first in (0..program.units()).step_by(at_once as usize) {
            for (unit, index) in units.iter_mut().zip(first..) {
                unit.begin(
                    program,
                    &arguments,
                    cube.buffers,
                    Position { cube_dim, cube_count, cube: position, unit: index },
                );
            }
            cube.run(&mut units)?;
        }
    }
    Ok(())
}

/// State of a cube.
struct Cube<'c> {
    program: &'c Program,
    buffers: &'c mut Buffers,
    shared: Vec<Vec<Cell>>,
    /// Whether reads beyond buffers are allowed.
    is_checked: bool,
    position: [u32; 3],
    /// Number of barriers that the cube has passed.
    barriers: u32,
}

impl Cube<'_> {
    /// Runs units until all have ended.
    fn run(&mut self, units: &mut [Unit]) -> Result<(), Fault> {
        loop {
            for unit in units.iter_mut().filter(|unit| unit.state != State::Ended) {
                unit.state = State::Runs;
                while unit.state == State::Runs {
                    self.step(unit)?;
                }
            }
            let Some(first) = units.iter().find(|unit| unit.state == State::Waits) else { return Ok(()) };
            if let Some(other) = units.iter().find(|unit| (unit.state, unit.next) != (first.state, first.next)) {
                let does = match other.state {
                    State::Ended => "has ended",
                    _ => "waits at another one",
                };
                let what = format!("waits at a barrier, but unit {} {does}", other.index);
                return Err(self.fault(first, first.next - 1, what));
            }
            self.barriers += 1;
        }
    }

    fn fault(&self, unit: &Unit, step: usize, what: String) -> Fault {
        Fault {
            kernel: self.program.name.clone(),
            cube: self.position,
            unit: unit.index,
            what,
            instruction: self.program.instruction(step).text.clone(),
        }
    }

    fn step(&mut self, unit: &mut Unit) -> Result<(), Fault> {
        let at = unit.next;
        unit.next += 1;
        self.execute(&self.program.steps[at], unit).map_err(|what| self.fault(unit, at, what))?;
        let of_step = &self.program.instruction_of;
        if unit.is_traced && of_step.get(unit.next) != Some(&of_step[at]) {
            trace::step(&self.program.instruction(at).text, &self.values(unit, at));
        }
        Ok(())
    }

    /// Describes the values of an instruction.
    fn values(&self, unit: &Unit, step: usize) -> String {
        let text = |(name, operand, element): &(String, Operand, _)| {
            let lane = |lane| {
                unit.get(operand.lane(lane)).map_or("undefined".to_owned(), |value| arithmetic::text(value, *element))
            };
            format!("{name} = {}", (0..operand.lanes).map(lane).collect::<Vec<_>>().join(" "))
        };
        self.program.instruction(step).variables.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn execute(&mut self, step: &Step, unit: &mut Unit) -> Result<(), String> {
        match *step {
            Step::Compute { function, inputs: [a, b, c], uses, out } => {
                for lane in 0..out.lanes {
                    let inputs = [a.lane(lane), b.lane(lane), c.lane(lane)];
                    let values = [unit.registers[inputs[0]], unit.registers[inputs[1]], unit.registers[inputs[2]]];
                    let result = match unit.undefined_input(inputs, values, uses) {
                        Some(reason) => Err(reason),
                        None => function(values).ok_or_else(|| self.undefined(unit, "it has no defined result")),
                    };
                    unit.set(out.first + lane, result);
                }
            }
            Step::Convert { input, from, to, out } => {
                for lane in 0..out.lanes {
                    let value = unit.get(input.lane(lane)).map(|value| arithmetic::converted(value, from, to));
                    unit.set(out.first + lane, value.map(Option::unwrap_or_default));
                }
            }
            Step::Load { array, index, out } => {
                for lane in 0..out.lanes {
                    let value = self.load(unit, array, index, lane)?;
                    unit.set(out.first + lane, value);
                }
            }
            Step::Store { array, index, value } => {
                for lane in 0..array.lanes {
                    let value = unit.get(value.lane(lane));
                    self.store(unit, array, index, lane, value)?;
                }
            }
            Step::Update { function, array, index, inputs: [a, b], out } => {
                let old = self.load(unit, array, index, 0)??;
                let new = function([old, unit.get(a)?, unit.get(b)?]).ok_or("it has no defined result")?;
                self.store(unit, array, index, 0, Ok(new))?;
                unit.set(out, Ok(old));
            }
            Step::Barrier => unit.state = State::Waits,
            Step::Jump { to } => unit.next = to,
            Step::JumpIf { condition, is, to } => {
                if (unit.get(condition)? != 0) == is {
                    unit.next = to;
                }
            }
            Step::Print => {
                let at = unit.next - 1;
                trace::print(&self.program.instruction(at).text, &self.values(unit, at));
            }
            Step::End => unit.state = State::Ended,
            Step::Unreachable => return Err("comes here, which the kernel declares impossible".to_owned()),
        }
        Ok(())
    }

    /// Says why the result of the current instruction is undefined.
    fn undefined(&self, unit: &Unit, why: &str) -> Undefined {
        Undefined(format!("uses the result of `{}`: {why}", self.program.instruction(unit.next - 1).text).into())
    }

    /// Finds a scalar of an array; `None` if the index is out of bounds.
    fn locate(&self, array: Array, index: u64, lane: usize) -> Option<usize> {
        (index < self.elements(array) as u64).then(|| index as usize * array.lanes + lane)
    }

    fn elements(&self, array: Array) -> usize {
        match array.place {
            Place::Buffer(buffer) => self.buffers.size(buffer) / array.bytes / array.lanes,
            Place::Shared(shared) => self.shared[shared].len() / array.lanes,
            Place::Registers { elements, .. } => elements,
        }
    }

    fn out_of_bounds(&self, array: Array, index: u64) -> String {
        let name = match array.place {
            Place::Buffer(buffer) => format!("buffer {buffer}"),
            Place::Shared(_) => "shared memory".to_owned(),
            Place::Registers { .. } => "a local array".to_owned(),
        };
        format!("index {index} of {name} is out of bounds: it has {} elements", self.elements(array))
    }

    /// Reads a scalar. What a checked launch reads beyond a buffer, and shared memory that the unit may not read, are
    /// undefined.
    fn load(
        &mut self,
        unit: &Unit,
        array: Array,
        index: Register,
        lane: usize,
    ) -> Result<Result<u64, Undefined>, String> {
        let index = match unit.get(index) {
            Ok(index) => index,
            Err(reason) => return Ok(Err(reason)),
        };
        let Some(at) = self.locate(array, index, lane) else {
            let why = self.out_of_bounds(array, index);
            let is_allowed = self.is_checked && matches!(array.place, Place::Buffer(_)) && !array.is_atomic;
            return if is_allowed { Ok(Err(self.undefined(unit, &why))) } else { Err(why) };
        };
        Ok(match array.place {
            Place::Buffer(buffer) => Ok(self.buffers.read(buffer, at, array.bytes)),
            Place::Shared(shared) => {
                let by = Access { unit: unit.index, barriers: self.barriers };
                let read = self.shared[shared][at].read(by, array.is_atomic);
                read.map_err(|why| self.undefined(unit, &why))
            }
            Place::Registers { first, .. } => unit.get(first + at),
        })
    }

    fn store(
        &mut self,
        unit: &mut Unit,
        array: Array,
        index: Register,
        lane: usize,
        value: Result<u64, Undefined>,
    ) -> Result<(), String> {
        let index = unit.get(index)?;
        let at = self.locate(array, index, lane).ok_or_else(|| self.out_of_bounds(array, index))?;
        match array.place {
            Place::Buffer(buffer) => self.buffers.write(buffer, at, array.bytes, value?),
            Place::Shared(shared) => {
                let by = Access { unit: unit.index, barriers: self.barriers };
                self.shared[shared][at].write(value.ok(), by, array.is_atomic)?;
            }
            Place::Registers { first, .. } => unit.set(first + at, value),
        }
        Ok(())
    }
}
