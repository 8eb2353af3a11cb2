//! One direction per cell, for all agents with the same goals.

use std::fmt;

use super::travel_times::{NEVER, TravelTimes};
use crate::grid::{Grid, NEIGHBOURS};

/// For each cell, the neighbour through which the way to the goal leads.
///
/// ```
/// use throng_fields::{Grid, routing::{FlowField, TravelTimes}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 8, 8)?;
/// let times = TravelTimes::to_goals(&grid, &vec![1.0; grid.cells()], &[(0, 0)])?;
/// let flow = FlowField::new(&times);
/// assert!(format!("{flow:?}").len() < 200);
/// assert_eq!((flow.step(5, 5), flow.step(5, 0), flow.step(0, 0)), (Some((-1, -1)), Some((-1, 0)), None));
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Clone)]
pub struct FlowField {
    grid: Grid,
    /// Number of the neighbour in [`NEIGHBOURS`], or [`STAY`].
    steps: Vec<u8>,
    /// The travel times from which they follow, in ticks.
    ticks: Vec<u32>,
}

/// Without the directions, of which there may be millions.
impl fmt::Debug for FlowField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowField").field("grid", &self.grid).finish_non_exhaustive()
    }
}

/// No neighbour.
const STAY: u8 = 8;

impl FlowField {
    /// The directions of steepest descent: the neighbour with the largest decrease of time per distance. Steps do not
    /// cut corners of walls: for a diagonal step both cells beside it must be open.
    pub fn new(times: &TravelTimes) -> Self {
        let grid = *times.grid();
        let cells = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
        let steps = cells.map(|(column, row)| steepest(times, column, row)).collect();
        Self { grid, steps, ticks: times.ticks().to_vec() }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The step to the next cell, columns and rows; `None` at a goal, in walls, where no goal can be reached, and
    /// outside the grid.
    pub fn step(&self, column: u32, row: u32) -> Option<(i32, i32)> {
        let cell = self.grid.find(column, row)?;
        NEIGHBOURS.get(usize::from(self.steps[cell])).copied()
    }

    /// Whether the way to a goal takes less time from one cell than from another; cells are given by index in the grid.
    pub(super) fn is_nearer(&self, cell: usize, than: usize) -> bool {
        self.ticks[cell] < self.ticks[than]
    }
}

fn steepest(times: &TravelTimes, column: u32, row: u32) -> u8 {
    let grid = times.grid();
    let ticks = |dx: i32, dy: i32| {
        let cell = grid.find(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy))?;
        Some(times.ticks()[cell]).filter(|&ticks| ticks != NEVER)
    };
    let Some(here) = ticks(0, 0).filter(|&here| here > 0) else { return STAY };
    let mut best = (STAY, 0.0);
    for (i, &(dx, dy)) in NEIGHBOURS.iter().enumerate() {
        let diagonal = dx != 0 && dy != 0;
        let Some(there) = ticks(dx, dy) else { continue };
        if diagonal && (ticks(dx, 0).is_none() || ticks(0, dy).is_none()) {
            continue;
        }
        let way = if diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
        let gain = (f64::from(here) - f64::from(there)) / way;
        if gain > best.1 {
            best = (i as u8, gain);
        }
    }
    best.0
}
