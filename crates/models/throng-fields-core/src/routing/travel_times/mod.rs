//! Travel times from every cell to the nearest goal: the eikonal equation `|grad T| = cost`, solved with first-order or
//! second-order upwind schemes; or the times of steps from cell to cell.
//!
//! Times are integer numbers of ticks, and do not depend on the order in which cells are computed, so they are the same
//! on every executor.

mod bordered;
mod distance_corrections;
mod first_order;
mod grid_steps;
mod scheme;
mod second_order;
mod source;
mod task;
#[cfg(test)]
mod tests;

use bordered::Bordered;
use first_order::Godunov;
use grid_steps::{Axes, AxesAndDiagonals};
use throng_core::InputError;
use throng_pictures::Grid;

use crate::field::Field;

pub use scheme::{Order, Scheme};
pub use task::Task;

/// Items that kernels inline.
#[cfg(feature = "gpu")]
pub mod rules {
    pub use super::distance_corrections::DISTANCE_CORRECTIONS;
    pub use super::first_order::godunov;
    pub use super::grid_steps::{diagonal_time, time_beside};
    pub use super::second_order::{Along, is_of_second_order, spare_bits, time_beyond, time_from};
    pub use super::source::{GOAL, NO_SOURCE, correction_from, distance_from, source_beyond};
}

/// The time of cells from which no goal can be reached.
pub const NEVER: u32 = u32::MAX;

/// Travel times on a grid.
///
/// ```
/// use throng_fields_core::{Grid, routing::TravelTimes};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 40, 20)?;
/// // A quarter of a second per metre everywhere.
/// let times = TravelTimes::to_goals(&grid, &vec![0.25; grid.cells()], &[(0, 10)])?;
/// assert!((times.at(20, 10).unwrap() - 2.5).abs() < 0.01);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TravelTimes {
    grid: Grid,
    ticks: Vec<u32>,
    steps: Vec<u16>,
    /// Length of a tick, in the time unit of the costs.
    tick: f64,
    scheme: Scheme,
}

impl TravelTimes {
    /// Maximum ratio of costs, so that the cheapest cell still takes enough ticks for small rounding errors.
    pub const MAX_RATIO: f32 = 256.0;

    /// Computes the times to the nearest of several goal cells with the second-order scheme. `costs` are times per
    /// world unit, one per cell, above 0, infinite for walls. A step costs as much as the cell that it leaves.
    ///
    /// Times are integer numbers of ticks. A tick is as short as possible for a path through all cells: if that path is
    /// at most 131,000 times the path over the most expensive cell, that cell takes 32,767 ticks. On larger maps it
    /// takes fewer, limited by at least 256 ticks for the cheapest cell.
    ///
    /// # Errors
    /// When a cost is not above 0, costs differ by more than a factor of 256, their number is not that of the cells, or
    /// a goal is outside the grid or in a wall. When a path takes 2^32 ticks: if all costs are equal, a path through
    /// 16.7 million cells; if they differ by a factor of 128 or more, 131,000 times the path over the most expensive
    /// cell. When the system has too little memory. A grid without goals is not an error; no cell reaches one.
    pub fn to_goals(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, InputError> {
        Self::by_scheme(Scheme::default(), grid, costs, goals)
    }

    /// Computes the times with a scheme of the given order or metric. First-order times are rounded down, with the
    /// minimum number of ticks by up to 0.6 %. Times in the Manhattan and Chebyshev metric are those of steps from cell
    /// to cell: exact multiples of the ticks of cells.
    ///
    /// ```
    /// use throng_fields_core::{Grid, routing::{Order, Scheme, TravelTimes}};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 200, 200)?;
    /// let time = |scheme: Scheme| {
    ///     let times = TravelTimes::by_scheme(scheme, &grid, &vec![1.0; grid.cells()], &[(0, 0)])?;
    ///     Ok::<_, throng_fields_core::InputError>(times.at(60, 80).unwrap())
    /// };
    /// assert!(time(Order::First.into())? > 101.0 && (time(Order::Second.into())? - 100.0).abs() < 0.02);
    /// assert_eq!((time(Scheme::Manhattan)?, time(Scheme::Chebyshev)?), (140.0, 80.0));
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`].
    pub fn by_scheme(
        scheme: impl Into<Scheme>,
        grid: &Grid,
        costs: &[f32],
        goals: &[(u32, u32)],
    ) -> Result<Self, InputError> {
        let scheme = scheme.into();
        let task = Task::new(grid, costs, goals)?;
        let mut cells = Bordered::new(&task)?;
        match scheme {
            Scheme::Euclidean(Order::First) => first_order::settle(&mut cells, Godunov, |_, _| {}),
            Scheme::Euclidean(Order::Second) => {
                if !second_order::settle(&mut cells) {
                    return Err(task.too_long());
                }
                return Self::new(task, scheme, cells.inside(|cell| cell.second));
            }
            Scheme::Manhattan => first_order::settle(&mut cells, Axes, |_, _| {}),
            Scheme::Chebyshev => first_order::settle(&mut cells, AxesAndDiagonals, |_, _| {}),
        }
        Self::new(task, scheme, cells.inside(|cell| cell.time))
    }

    /// Wraps the ticks of a task that has been solved by a scheme.
    ///
    /// # Errors
    /// When a path takes 2^32 ticks.
    pub fn new(task: Task, scheme: Scheme, ticks: Vec<u32>) -> Result<Self, InputError> {
        task.check_length(&ticks)?;
        let Task { grid, steps, tick, .. } = task;
        Ok(Self { grid, ticks, steps, tick, scheme })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The scheme by which the times were computed.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The time from a cell to the nearest goal, in the time unit of the costs; infinite if there is no path, `None`
    /// outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.time(self.ticks[cell]))
    }

    /// Length of a tick, in the time unit of the costs.
    pub(super) fn tick(&self) -> f64 {
        self.tick
    }

    fn time(&self, ticks: u32) -> f32 {
        if ticks == NEVER { f32::INFINITY } else { (f64::from(ticks) * self.tick) as f32 }
    }

    /// All times, row by row.
    pub fn field(&self) -> Field {
        Field::new(self.grid, self.ticks.iter().map(|&ticks| self.time(ticks)).collect())
    }

    /// All times in ticks, row by row; [`NEVER`] where there is no path.
    pub fn ticks(&self) -> &[u32] {
        &self.ticks
    }

    /// The ticks that each cell takes, row by row; 0 for walls.
    pub fn steps(&self) -> &[u16] {
        &self.steps
    }
}
