//! The rules of a model of agents with neighbours, and the meeting of two agents: shared host/kernel source. Only the
//! order of memory accesses is written twice, in `meet_on_cpu` and `meet_on_device`.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use crate::KernelParameter;
use crate::cubecl::{self, prelude::*};

use super::grid::UniformGrid;

pub use throng_device_macros::AgentColumns;

/// Rules of agents that meet their neighbours and then all change simultaneously. The implementing type holds the
/// parameters of the model; kernels receive it as an argument.
///
/// In a step each agent meets the agents in the [`Block`](super::Block) around its position, except itself: cell by
/// cell, and within a cell in ascending order of id, on every executor. Some of them are farther away than
/// [`UniformGrid::reach`]; the rules must ignore those. All rules read the state before the step.
///
/// ```
/// use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
/// use throng_device::prelude::*;
///
/// /// A person in a street.
/// #[derive(CubeType, AgentColumns, Clone, Copy)]
/// struct Person {
///     x: i32,
///     y: i32,
///     company: i32,
/// }
///
/// #[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
/// struct Street {
///     hearing: i32,
/// }
///
/// #[derive(CubeType, Clone, Copy)]
/// struct Heard {
///     voices: i32,
/// }
///
/// #[cube]
/// impl NeighbourRules for Street {
///     type Agent = Person;
///     type Seen = Heard;
///
///     fn nothing_seen(&self) -> Heard {
///         Heard { voices: 0i32.runtime() }
///     }
///
///     fn meet(&self, heard: &mut Heard, _person: &Person, _other: &Person, meeting: &Meeting) {
///         if exact::abs(meeting.dx) <= self.hearing && exact::abs(meeting.dy) <= self.hearing {
///             heard.voices += 1;
///         }
///     }
///
///     fn act(&self, person: &Person, heard: &Heard, _agent: u32, _step: u32) -> Person {
///         Person { x: person.x, y: person.y, company: heard.voices }
///     }
/// }
///
/// # fn main() -> Result<(), throng_core::InputError> {
/// let before = [vec![5, 98, 50], vec![5, 5, 50], vec![0; 3]];
/// let mut lists = CellLists::new(UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic)?, 3)?;
/// lists.build(&[&before[0], &before[1]]);
/// let mut after: [_; 3] = Default::default();
/// lists.meet(&Street { hearing: 10 }, &before, &after, 0);
/// assert_eq!(after.each_mut().map(|agent| *agent[2].get_mut()), [1, 1, 0]);
/// # Ok(())
/// # }
/// ```
#[cube]
pub trait NeighbourRules: KernelParameter {
    /// The part of an agent that it and its neighbours read: the columns of the state.
    type Agent: AgentColumns;
    /// Accumulated observations of an agent's neighbours: sums, or the nearest neighbour.
    type Seen: CubeType;

    /// Returns the observations before the first meeting. Kernels modify the numbers, so constants need `.runtime()`.
    fn nothing_seen(&self) -> Self::Seen;

    /// Adds a neighbour to an agent's observations.
    fn meet(&self, seen: &mut Self::Seen, agent: &Self::Agent, neighbour: &Self::Agent, meeting: &Meeting);

    /// Returns the agent after a step with these observations. `agent` is its id, and `step` is 0 for the first step:
    /// random numbers depend on them.
    fn act(&self, before: &Self::Agent, seen: &Self::Seen, agent: u32, step: u32) -> Self::Agent;
}

/// The participants, step and offset of a meeting.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Id of the agent.
    pub agent: u32,
    /// Id of the neighbour.
    pub neighbour: u32,
    /// Index of the step, from 0.
    pub step: u32,
    /// Distance in units from the agent to the neighbour along x, as [`UniformGrid::offset_x`].
    pub dx: i32,
    /// Distance along y.
    pub dy: i32,
    /// Distance along z; 0 in the plane.
    pub dz: i32,
}

/// An agent as a struct of numbers. The state has one column per field, in the order of the fields. The first two
/// fields are the agent's position; on a grid in space, the first three.
///
/// The derive macro of the same name implements it for a struct of `i32` that also derives `CubeType`. All names of
/// [`prelude`](crate::prelude) must be in scope.
#[cube]
pub trait AgentColumns: CubeType + Copy {
    /// Number of columns.
    const COLUMNS: usize;

    fn load<C: ReadColumns>(columns: &C, number: usize) -> Self;
    fn store<C: WriteColumns>(agent: &Self, columns: &mut C, number: usize);
    fn x(agent: &Self) -> i32;
    fn y(agent: &Self) -> i32;
    /// The third field; for a struct of only two fields the second again, which grids of the plane ignore.
    fn z(agent: &Self) -> i32;
}

/// The state before a step.
#[cube]
pub trait ReadColumns {
    fn value(&self, #[comptime] column: usize, agent: usize) -> i32;
}

/// The state after a step.
#[cube]
pub trait WriteColumns {
    fn put(&mut self, #[comptime] column: usize, agent: usize, value: i32);
}

/// The participants and the step of a meeting.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Pair {
    pub agent: u32,
    pub neighbour: u32,
    pub step: u32,
}

/// Loads a neighbour and lets the agent meet it.
#[cube]
#[inline]
pub(super) fn encounter<R: NeighbourRules, C: ReadColumns>(
    rules: &R,
    grid: &UniformGrid,
    columns: &C,
    seen: &mut R::Seen,
    agent: &R::Agent,
    pair: Pair,
) {
    let other = R::Agent::load::<C>(columns, pair.neighbour as usize);
    let dx = grid.offset_x(R::Agent::x(agent), R::Agent::x(&other));
    let dy = grid.offset_y(R::Agent::y(agent), R::Agent::y(&other));
    let dz = grid.offset_z(R::Agent::z(agent), R::Agent::z(&other));
    let meeting = Meeting { agent: pair.agent, neighbour: pair.neighbour, step: pair.step, dx, dy, dz };
    rules.meet(seen, agent, &other, &meeting);
}
