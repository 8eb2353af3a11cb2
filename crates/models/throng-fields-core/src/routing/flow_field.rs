//! A direction at every position, for all agents with the same goals.

use std::fmt;

use throng_pictures::Grid;

use super::descent::{self, Times};
use super::grid_descent;
use super::travel_times::{NEVER, TravelTimes};
use crate::metric::Metric;

/// The direction of the path to the nearest goal, at every position.
///
/// ```
/// use throng_fields_core::{Grid, routing::{FlowField, TravelTimes}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 80, 80)?;
/// let times = TravelTimes::to_goals(&grid, &vec![1.0; grid.cells()], &[(0, 0)])?;
/// let flow = FlowField::new(&times);
/// assert!(format!("{flow:?}").len() < 200);
/// // Straight to the goal, at any angle.
/// let [x, y] = flow.next([60.5, 20.5]).unwrap();
/// let (to_left, down) = (60.5 - x, 20.5 - y);
/// assert!((down / to_left - 1.0 / 3.0).abs() < 0.02, "{to_left} {down}");
/// assert_eq!(flow.next([0.5, 0.5]), None, "it is the goal");
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Clone)]
pub struct FlowField {
    grid: Grid,
    /// The travel times, in ticks, from which directions follow; `steps` are the travel times of single cells, in
    /// ticks.
    ticks: Vec<u32>,
    steps: Vec<u16>,
    metric: Metric,
    /// Distance from a line between the centres of cells, in cells, up to which agents are on it.
    on_line: f64,
    /// Length of a tick, in the time unit of the costs.
    tick: f64,
}

/// Omits the times, of which there may be millions.
impl fmt::Debug for FlowField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowField").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl FlowField {
    /// Computes the directions of the fastest descent of travel times. They lead around corners of walls, and never
    /// between two walls that meet at a corner. With times in the Manhattan metric they are along the axes, on the
    /// lines between the centres of cells; in the Chebyshev metric also along the diagonals.
    pub fn new(times: &TravelTimes) -> Self {
        let (ticks, steps) = (times.ticks().to_vec(), times.steps().to_vec());
        let (grid, metric) = (*times.grid(), times.scheme().metric());
        Self { grid, ticks, steps, tick: times.tick(), metric, on_line: grid_descent::on_line(&grid) }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the point to walk straight to from a point in the world. It lies in one of the neighbouring cells; on
    /// the way there, the direction may be recomputed at any time. `None` at a goal, in walls, where no goal can be
    /// reached, and outside the grid.
    ///
    /// Such a walk reaches a goal: every cell entered has a shorter travel time than the one before.
    pub fn next(&self, point: [impl Into<f64>; 2]) -> Option<[f64; 2]> {
        let point = point.map(Into::into);
        self.next_from(point, self.grid.cell_at(point)?)
    }

    /// Returns the time from a cell to the nearest goal, in the time unit of the costs; `None` without a path.
    pub fn time(&self, (column, row): (u32, u32)) -> Option<f64> {
        let ticks = self.ticks[self.grid.find(column, row)?];
        (ticks != NEVER).then(|| f64::from(ticks) * self.tick)
    }

    /// The cost of a cell, a time per world unit; 0 in walls.
    pub(super) fn cost(&self, (column, row): (u32, u32)) -> f64 {
        f64::from(self.steps[self.grid.index(column, row)]) * self.tick / f64::from(self.grid.cell())
    }

    /// Like [`FlowField::next`], for a point whose cell is known.
    pub(super) fn next_from(&self, point: [f64; 2], (column, row): (u32, u32)) -> Option<[f64; 2]> {
        let middle = [f64::from(column) + 0.5, f64::from(row) + 0.5];
        let [x, y] = self.grid.in_cells(point);
        let (times, at) = (self.around(column, row), [x - middle[0], y - middle[1]]);
        let [x, y] = if self.metric == Metric::Euclidean {
            let step = f32::from(self.steps[self.grid.index(column, row)]);
            descent::target(&times, step, at.map(|at| (at as f32).clamp(-0.5, 0.5)))?.map(f64::from)
        } else {
            grid_descent::target(&times, self.metric, at.map(|at| at.clamp(-0.5, 0.5)), self.on_line)?
        };
        let ([left, low], side) = (self.grid.origin(), f64::from(self.grid.cell()));
        Some([left + side * (middle[0] + x), low + side * (middle[1] + y)])
    }

    /// The times of a cell and its neighbours.
    fn around(&self, column: u32, row: u32) -> Times {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let cell = self.grid.index(column, row);
        let mut times = [NEVER; 9];
        if column > 0 && row > 0 && column + 1 < columns && row + 1 < rows {
            for (times, first) in
                times.chunks_exact_mut(3).zip([cell - columns as usize, cell, cell + columns as usize])
            {
                times.copy_from_slice(&self.ticks[first - 1..first + 2]);
            }
            return times;
        }
        for (i, time) in times.iter_mut().enumerate() {
            // Indices before the first one wrap to large ones.
            let (column, row) = ((column + i as u32 % 3).wrapping_sub(1), (row + i as u32 / 3).wrapping_sub(1));
            if let Some(cell) = self.grid.find(column, row) {
                *time = self.ticks[cell];
            }
        }
        times
    }

    /// Whether the path to a goal takes less time from one cell than from another; cells are given by index.
    pub(super) fn is_nearer(&self, cell: usize, than: usize) -> bool {
        self.ticks[cell] < self.ticks[than]
    }
}
