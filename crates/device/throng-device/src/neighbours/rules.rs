//! What a model of agents with neighbours declares, and what happens when two of them meet: one text for the host and for
//! kernels. Only the order in which memory is visited is written twice, in `meet_on_cpu` and `meet_on_device`.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use crate::KernelParameter;
use crate::cubecl::{self, prelude::*};

use super::grid::UniformGrid;

pub use throng_device_macros::AgentColumns;

/// Rules of agents that meet their neighbours and then all change at the same time. The type that implements them has the
/// parameters of the model; kernels get it as an argument.
///
/// In a step each agent meets the agents in the [`Block`](super::Block) about its position, itself excepted: cell by cell,
/// and within a cell by ascending number, on every executor. Some of them are farther away than
/// [`UniformGrid::reach`]; the rules sort them out. All rules read the state before the step.
///
/// ```
/// use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
/// use throng_device::prelude::*;
///
/// /// Somebody in a street.
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
    /// An agent, as it and its neighbours read it: the columns of the state.
    type Agent: AgentColumns;
    /// What an agent has seen of its neighbours so far: sums, a nearest one.
    type Seen: CubeType;

    /// Before the first meeting. Kernels change the numbers, so constants are marked with `.runtime()`.
    fn nothing_seen(&self) -> Self::Seen;

    /// Adds a neighbour to what an agent has seen.
    fn meet(&self, seen: &mut Self::Seen, agent: &Self::Agent, neighbour: &Self::Agent, meeting: &Meeting);

    /// The agent after a step in which it has seen this. `agent` is its number, and `step` is 0 for the first step: random
    /// numbers depend on them.
    fn act(&self, before: &Self::Agent, seen: &Self::Seen, agent: u32, step: u32) -> Self::Agent;
}

/// Who meets whom, where and when.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Number of the agent.
    pub agent: u32,
    /// Number of the neighbour.
    pub neighbour: u32,
    /// The step; 0 is the first.
    pub step: u32,
    /// Units from the agent to the neighbour along x, as [`UniformGrid::offset_x`].
    pub dx: i32,
    /// Along y.
    pub dy: i32,
    /// Along z; 0 in the plane.
    pub dz: i32,
}

/// An agent as a struct of numbers, of which the state has a column each, in the order of the fields. The first two are its
/// position, on a grid in space the first three.
///
/// The derive macro of the same name implements it for a struct of `i32` that also derives `CubeType`. All names of
/// [`prelude`](crate::prelude) have to be in scope.
#[cube]
pub trait AgentColumns: CubeType + Copy {
    /// Number of columns.
    const COLUMNS: usize;

    fn load<C: ReadColumns>(columns: &C, number: usize) -> Self;
    fn store<C: WriteColumns>(agent: &Self, columns: &mut C, number: usize);
    fn x(agent: &Self) -> i32;
    fn y(agent: &Self) -> i32;
    /// Where there are two fields only, the second once more, which grids of the plane ignore.
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

/// An agent meets a neighbour.
#[cube]
#[inline]
#[allow(clippy::too_many_arguments)]
pub(super) fn encounter<R: NeighbourRules, C: ReadColumns>(
    rules: &R,
    grid: &UniformGrid,
    columns: &C,
    seen: &mut R::Seen,
    agent: &R::Agent,
    number: u32,
    neighbour: u32,
    step: u32,
) {
    let other = R::Agent::load::<C>(columns, neighbour as usize);
    let dx = grid.offset_x(R::Agent::x(agent), R::Agent::x(&other));
    let dy = grid.offset_y(R::Agent::y(agent), R::Agent::y(&other));
    let dz = grid.offset_z(R::Agent::z(agent), R::Agent::z(&other));
    let meeting = Meeting { agent: number, neighbour, step, dx, dy, dz };
    rules.meet(seen, agent, &other, &meeting);
}
