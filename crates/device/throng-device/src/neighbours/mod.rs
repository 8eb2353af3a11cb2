//! Neighbour search: agents in a uniform grid of cells, in 2-D and 3-D, on the CPU and on devices.
//!
//! * [`UniformGrid`] divides a region of the plane or of space into cells, with closed or periodic [`Boundary`].
//! * [`CellLists`] sorts agents by cell on the CPU, [`DeviceCellLists`] on a device, with results equal to the last
//!   bit: cells in ascending order, and within a cell agents in ascending order of id. Kernels read the lists as
//!   [`Neighbours`].
//! * [`Block`] is the 3 x 3 (in space 3 x 3 x 3) cells around a position. Its cells are visited in row-major order, so
//!   that every executor visits the neighbours of an agent in the same order.
//! * [`NeighbourRules`] are a model's rules for agents that meet, written once: [`CellLists::meet`] has the loop over
//!   agents and neighbours for the CPU, `DeviceCellLists::meet` the kernel.
//!
//! Positions are integers, in units chosen by the model, so that every device finds the same cell. The block around a
//! position contains every agent within [`UniformGrid::reach`] of it, and more distant agents, which the caller must
//! filter by distance. With a periodic boundary each agent occurs once, as its nearest image. Squares of offsets above
//! 46,340 units exceed 32 bits: compare each axis with the reach before squaring, and choose units such that the square
//! of the reach, times the number of axes, fits.
//!
//! ```
//! use throng_device::neighbours::{Boundary, CellLists, UniformGrid};
//!
//! // A periodic world of 100 x 100 units with searches within 10 units.
//! let grid = UniformGrid::covering([0, 0], [100, 100], 10, Boundary::Periodic)?;
//! let (xs, ys) = ([5, 98, 50], [5, 5, 50]);
//! let mut lists = CellLists::new(grid, xs.len())?;
//! lists.build(&[&xs, &ys]);
//! // Agent 0 and, across the border, agent 1; the block begins in the cell to the left.
//! assert_eq!(lists.around(xs[0], ys[0], 0).collect::<Vec<_>>(), [1, 0]);
//! assert_eq!(grid.offset_x(xs[0], xs[1]), -7);
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! The functions of [`UniformGrid`] and [`Block`] are `#[cube]` functions, which kernels also call.
//!
#![cfg_attr(feature = "gpu", doc = "```")]
#![cfg_attr(not(feature = "gpu"), doc = "```ignore")]
//! use cubecl::prelude::*;
//! use throng_device::neighbours::Neighbours;
//!
//! /// Counts the agents in the block around each agent, including itself.
//! #[cube(launch)]
//! fn crowding(near: &Neighbours, xs: &Array<i32>, ys: &Array<i32>, found: &mut Array<u32>) {
//!     let i = ABSOLUTE_POS;
//!     if i < found.len() {
//!         let block = near.grid.block(xs[i], ys[i], 0i32);
//!         let mut count = 0u32;
//!         for k in 0..block.cells() {
//!             let cell = near.grid.block_cell(block, k);
//!             for place in near.start(cell)..near.end(cell) {
//!                 // The neighbour is near.agent(place).
//!                 count += 1u32;
//!             }
//!         }
//!         found[i] = count;
//!     }
//! }
//! # fn main() {}
//! ```

mod cells;
mod cpu;
#[cfg(feature = "gpu")]
mod device;
mod grid;
#[cfg(feature = "gpu")]
mod kernels;
mod meet_on_cpu;
#[cfg(feature = "gpu")]
mod meet_on_device;
mod rules;
#[cfg(feature = "gpu")]
mod view;

pub use cells::{Block, Boundary};
pub use cpu::CellLists;
#[cfg(feature = "gpu")]
pub use device::DeviceCellLists;
pub use grid::{MAX_AGENTS, MAX_CELLS, UniformGrid};
pub use rules::{AgentColumns, Meeting, NeighbourRules, ReadColumns, WriteColumns};
#[cfg(feature = "gpu")]
pub use rules::{NeighbourRulesExpand, ReadColumnsExpand, WriteColumnsExpand};
#[cfg(feature = "gpu")]
pub use view::Neighbours;

/// Panics unless there is one array of positions per axis and the agents fit. A violation is the caller's mistake.
fn check_positions(grid: &UniformGrid, lengths: &[usize], agents: usize, capacity: usize) {
    assert_eq!(lengths.len(), grid.dimensions(), "arrays of positions, one for each axis of the grid");
    assert!(lengths.iter().all(|&len| len >= agents), "{agents} agents with {lengths:?} positions");
    assert!(agents <= capacity, "{agents} agents in cell lists for {capacity}");
}
