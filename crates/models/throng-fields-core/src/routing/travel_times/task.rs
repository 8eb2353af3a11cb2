//! The inputs of travel times: the ticks that each cell takes, and the goals.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_pictures::Grid;

use super::{NEVER, TravelTimes};

/// Maximum number of ticks of the most expensive cell: twice its square fits into 32 bits.
pub(super) const MAX_TICKS: f64 = 32_767.0;
/// Minimum number of ticks of the cheapest cell, if the other cells permit it. A step across a corner loses up to 1.5
/// ticks to rounding, and a path of 16.7 million cells, more than in any maze of 8192 x 8192 cells, still fits.
pub(super) const MIN_TICKS: f64 = 256.0;

/// Costs in ticks, and goals on open cells.
#[derive(Debug, Clone)]
pub struct Task {
    pub grid: Grid,
    /// Ticks that each cell takes, row by row; 0 for walls.
    pub steps: Vec<u16>,
    /// The goals, by index in the grid.
    pub goals: Vec<u32>,
    /// Length of a tick, in the time unit of the costs.
    pub(super) tick: f64,
}

impl Task {
    /// Converts costs to ticks.
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`], except for paths that are too long.
    pub fn new(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, InputError> {
        let (lowest, highest) = range(grid, costs)?;
        let most = TravelTimes::MAX_RATIO;
        if highest > lowest * f64::from(most) {
            let remedy = format!("costs of open cells may differ by a factor of {most}; the highest is {highest}");
            return Err(InputError::one("costs, the lowest", lowest, remedy));
        }
        let side = f64::from(grid.cell());
        // Without open cells there are no costs, and the length of a tick does not matter.
        let tick = if highest > 0.0 { highest * side / ticks_of_the_highest(costs, lowest, highest) } else { 1.0 };
        // Costs are positive, so adding one half and truncating rounds to the nearest integer.
        let step = |&cost: &f32| if cost.is_finite() { (f64::from(cost) * side / tick + 0.5) as u16 } else { 0 };
        check_allocation::<u16>("cells of travel times", grid.cells())?;
        let steps: Vec<u16> = costs.par_iter().map(step).collect();
        let goal = |&(column, row): &(u32, u32)| {
            let cell = grid.expect("goal", (column, row))?;
            if steps[cell] == 0 {
                let place = format!("goal at ({column}, {row})");
                return Err(InputError::one(place, "a wall", "place goals on open cells"));
            }
            Ok(cell as u32)
        };
        let goals = goals.iter().map(goal).collect::<Result<_, _>>()?;
        Ok(Self { grid: *grid, steps, goals, tick })
    }

    /// Rejects times that exceed 32 bits, recognised by open cells without a time next to cells with a time.
    pub(super) fn check_length(&self, ticks: &[u32]) -> Result<(), InputError> {
        let grid = &self.grid;
        let too_long = |cell: usize| {
            let (column, row) = grid.place(cell);
            let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)]
                .map(|(dx, dy)| grid.find(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy)));
            beside.into_iter().flatten().any(|beside| ticks[beside] != NEVER)
        };
        let without = |cell: usize| ticks[cell] == NEVER && self.steps[cell] != 0;
        if (0..ticks.len()).any(|cell| without(cell) && too_long(cell)) {
            return Err(self.too_long());
        }
        Ok(())
    }

    /// The error of times that exceed 32 bits.
    pub(super) fn too_long(&self) -> InputError {
        let highest = self.steps.iter().max().map_or(1, |&step| u32::from(step).max(1));
        let remedy = format!(
            "the longest path is more than {} times that over the most expensive cell: use larger cells",
            NEVER / highest
        );
        InputError::one("travel times", "a path is too long", remedy)
    }
}

/// Minimum and maximum cost of open cells.
fn range(grid: &Grid, costs: &[f32]) -> Result<(f64, f64), InputError> {
    if costs.len() != grid.cells() {
        return Err(InputError::one(
            "costs",
            format!("{} values", costs.len()),
            format!("the grid has {} cells", grid.cells()),
        ));
    }
    let (mut lowest, mut highest) = (f32::INFINITY, 0.0f32);
    for (cell, &cost) in costs.iter().enumerate() {
        if cost.is_nan() || cost <= 0.0 {
            return Err(InputError::one(format!("cost of cell {cell}"), cost, "expected a time per length above 0"));
        }
        lowest = lowest.min(cost);
        highest = if cost.is_finite() { highest.max(cost) } else { highest };
    }
    Ok((f64::from(lowest), f64::from(highest)))
}

/// The number of ticks of the most expensive cell: the largest for which a path through all cells fits into 32 bits. It
/// is increased if the cheapest cell would otherwise have fewer than [`MIN_TICKS`], because almost no path leads
/// through all cells.
pub(super) fn ticks_of_the_highest(costs: &[f32], lowest: f64, highest: f64) -> f64 {
    let sum: f64 = costs.iter().filter(|cost| cost.is_finite()).map(|&cost| f64::from(cost)).sum();
    // Each cell may be rounded up by half a tick.
    let room = f64::from(NEVER) - costs.len() as f64;
    let least = (MIN_TICKS * highest / lowest).ceil().min(MAX_TICKS);
    (room / (sum / highest)).floor().clamp(least, MAX_TICKS)
}
