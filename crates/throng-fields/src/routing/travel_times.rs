//! Travel times from every cell to the nearest goal: the eikonal equation `|grad T| = cost` in Godunov's first-order
//! scheme.
//!
//! Times are whole ticks. The scheme rounds down exactly what it would give in real numbers, and so it grows
//! with its arguments as those do; lowering cells in any order then ends in the same times, on any executor.

use crate::error::FieldError;
use crate::field::Field;
use crate::grid::Grid;

/// The time of cells from which no goal can be reached.
pub(super) const NEVER: u32 = u32::MAX;
/// Ticks that the most expensive cell takes: squares of it fit into 32 bits, twice.
const MOST_TICKS: f64 = 32_767.0;

/// Travel times on a grid.
///
/// ```
/// use throng_fields::{Grid, routing::TravelTimes};
///
/// let grid = Grid::new([0.0, 0.0], 0.5, 40, 20)?;
/// // A quarter of a second per metre everywhere.
/// let times = TravelTimes::to_goals(&grid, &vec![0.25; grid.cells()], &[(0, 10)])?;
/// assert!((times.at(20, 10).unwrap() - 2.5).abs() < 0.01);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TravelTimes {
    grid: Grid,
    ticks: Vec<u32>,
    steps: Vec<u32>,
    /// Length of a tick, in the time unit of the costs.
    tick: f64,
    sweeps: u32,
}

impl TravelTimes {
    /// By how much costs may differ: the cheapest cell should still take so many ticks that rounding hardly shows.
    pub const MOST_RATIO: f32 = 256.0;

    /// The times to the nearest of some goal cells. `costs` are times per world unit for each cell, above 0, infinite for
    /// walls. The cost of a step is that of the cell that is left.
    ///
    /// # Errors
    /// When a cost is not above 0, they differ by more than a factor of 256, their number is not that of the cells, or a
    /// goal is outside or in a wall. No goals at all are no error: then nothing is reached.
    pub fn to_goals(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, FieldError> {
        let mut times = Self::at_goals(grid, costs, goals)?;
        let steps = std::mem::take(&mut times.steps);
        times.sweep_until_nothing_changes(&steps);
        times.check_length(&steps)?;
        Ok(times)
    }

    /// As [`TravelTimes::to_goals`], but so far only goals have a time.
    pub(crate) fn at_goals(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, FieldError> {
        let (lowest, highest) = range(grid, costs)?;
        // Without any open cell there are no costs, and the length of a tick does not matter.
        let tick = if highest > 0.0 { highest * f64::from(grid.cell()) / MOST_TICKS } else { 1.0 };
        if highest > lowest * f64::from(Self::MOST_RATIO) {
            let most = Self::MOST_RATIO;
            let remedy = format!("costs of open cells may differ by a factor of {most}; the highest is {highest}");
            return Err(FieldError::new("costs, the lowest", lowest, remedy));
        }
        let step = |&cost: &f32| {
            if cost.is_finite() { (f64::from(cost) * f64::from(grid.cell()) / tick).round() as u32 } else { NEVER }
        };
        let steps: Vec<u32> = costs.iter().map(step).collect();
        let ticks = vec![NEVER; grid.cells()];
        let mut times = Self { grid: *grid, ticks, steps, tick, sweeps: 0 };
        for &(column, row) in goals {
            let cell = grid.expect("goal", (column, row))?;
            if times.steps[cell] == NEVER {
                let place = format!("goal at ({column}, {row})");
                return Err(FieldError::new(place, "a wall", "goals are on open cells"));
            }
            times.ticks[cell] = 0;
        }
        Ok(times)
    }

    /// Takes the ticks that were computed elsewhere, from [`TravelTimes::steps`].
    pub(crate) fn finish(&mut self, ticks: Vec<u32>) -> Result<(), FieldError> {
        self.ticks = ticks;
        let steps = std::mem::take(&mut self.steps);
        self.check_length(&steps)
    }

    /// Refuses times beyond what 32 bits count: those of open cells beside one that is reached, but not reached themselves.
    fn check_length(&self, steps: &[u32]) -> Result<(), FieldError> {
        let cells = (0..self.grid.rows()).flat_map(|row| (0..self.grid.columns()).map(move |column| (column, row)));
        let too_long = |((column, row), (&ticks, &step)): ((u32, u32), (&u32, &u32))| {
            let beside = || self.lower_neighbour(column, row, 0).min(self.lower_neighbour(column, row, 1));
            ticks == NEVER && step != NEVER && beside() != NEVER
        };
        if cells.zip(self.ticks.iter().zip(steps)).any(too_long) {
            let remedy =
                "the longest way is more than 131,000 times that over the most expensive cell: use larger cells";
            return Err(FieldError::new("travel times", "a way is too long", remedy));
        }
        Ok(())
    }

    /// Ticks that each cell takes; `NEVER` for walls. Empty when the times are known.
    pub(crate) fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Fast sweeping: over all cells in each of the four diagonal directions, until no cell gets lower.
    fn sweep_until_nothing_changes(&mut self, steps: &[u32]) {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let mut unchanged = 0;
        while unchanged < 4 {
            let direction = self.sweeps % 4;
            self.sweeps += 1;
            let mut changed = false;
            for i in 0..rows {
                let row = if direction & 2 == 0 { i } else { rows - 1 - i };
                for j in 0..columns {
                    let column = if direction & 1 == 0 { j } else { columns - 1 - j };
                    changed |= self.lower(column, row, steps);
                }
            }
            unchanged = if changed { 0 } else { unchanged + 1 };
        }
    }

    /// Lowers the time of a cell to what its neighbours allow; true when it got lower.
    fn lower(&mut self, column: u32, row: u32, steps: &[u32]) -> bool {
        let cell = self.grid.index(column, row);
        let step = steps[cell];
        if step == NEVER || self.ticks[cell] == 0 {
            return false;
        }
        let (a, b) = (self.lower_neighbour(column, row, 0), self.lower_neighbour(column, row, 1));
        let time = godunov(a, b, step);
        let lower = time < self.ticks[cell];
        if lower {
            self.ticks[cell] = time;
        }
        lower
    }

    /// The lower time of both neighbours along an axis.
    fn lower_neighbour(&self, column: u32, row: u32, axis: usize) -> u32 {
        let (at, count) = [(column, self.grid.columns()), (row, self.grid.rows())][axis];
        let time = |at: u32| {
            let (column, row) = if axis == 0 { (at, row) } else { (column, at) };
            self.ticks[self.grid.index(column, row)]
        };
        let before = if at > 0 { time(at - 1) } else { NEVER };
        let after = if at + 1 < count { time(at + 1) } else { NEVER };
        before.min(after)
    }

    /// Where the cells are.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The time from a cell to the nearest goal, in the time unit of the costs; infinite where there is no way, `None`
    /// outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.time(self.ticks[cell]))
    }

    fn time(&self, ticks: u32) -> f32 {
        if ticks == NEVER { f32::INFINITY } else { (f64::from(ticks) * self.tick) as f32 }
    }

    /// All times, row by row.
    pub fn field(&self) -> Field {
        Field::new(self.grid, self.ticks.iter().map(|&ticks| self.time(ticks)).collect())
    }

    pub(crate) fn ticks(&self) -> &[u32] {
        &self.ticks
    }
}

/// Lowest and highest cost of open cells.
fn range(grid: &Grid, costs: &[f32]) -> Result<(f64, f64), FieldError> {
    if costs.len() != grid.cells() {
        return Err(FieldError::new(
            "costs",
            format!("{} values", costs.len()),
            format!("the grid has {} cells", grid.cells()),
        ));
    }
    let (mut lowest, mut highest) = (f64::INFINITY, 0.0f64);
    for (cell, &cost) in costs.iter().enumerate() {
        if cost.is_nan() || cost <= 0.0 {
            return Err(FieldError::new(format!("cost of cell {cell}"), cost, "expected is a time per length above 0"));
        }
        if cost.is_finite() {
            lowest = lowest.min(f64::from(cost));
            highest = highest.max(f64::from(cost));
        }
    }
    Ok((lowest, highest))
}

/// The time of a cell whose neighbours along x and y have the times `a` and `b`, and that takes `step` ticks to cross,
/// rounded down: the larger root of `(t - a)^2 + (t - b)^2 = step^2`, or a straight step where that has none.
fn godunov(a: u32, b: u32, step: u32) -> u32 {
    let (low, high) = (a.min(b), a.max(b));
    if low == NEVER {
        return NEVER;
    }
    let apart = high - low;
    if apart >= step {
        return low.saturating_add(step);
    }
    // (a + b + sqrt(2 step^2 - (a - b)^2)) / 2, from the lower one on.
    low.saturating_add(apart.midpoint((2 * step * step - apart * apart).isqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_grows_with_its_arguments() {
        for step in [1, 7, 100, 32_767] {
            for low in [0, 50] {
                let mut last = 0;
                for apart in 0..2 * step.min(300) {
                    let time = godunov(low, low + apart, step);
                    assert!(time >= last && time <= low + step, "{step} {low} {apart}");
                    assert!(godunov(low + 1, low + apart, step) >= time);
                    last = time;
                }
                assert_eq!((godunov(low, NEVER, step), godunov(NEVER, NEVER, step)), (low + step, NEVER));
            }
        }
    }

    #[test]
    fn around_a_point_times_are_distances() {
        // The error of the scheme is of first order: half as much with cells of half the size.
        let errors = |cells: u32| {
            let grid = Grid::new([0.0, 0.0], 1.0 / cells as f32, cells, cells).unwrap();
            let goal = (cells / 2, cells / 2);
            let times = TravelTimes::to_goals(&grid, &vec![1.0; grid.cells()], &[goal]).unwrap();
            let [gx, gy] = grid.point(goal.0, goal.1);
            let (mut error, mut sum, mut relative) = (0.0f64, 0.0f64, 0.0f64);
            for row in 0..cells {
                for column in 0..cells {
                    let [x, y] = grid.point(column, row);
                    let distance = f64::from(x - gx).hypot(f64::from(y - gy));
                    let difference = (f64::from(times.at(column, row).unwrap()) - distance).abs();
                    error += difference;
                    sum += distance;
                    relative += if distance > 0.0 { difference / distance } else { 0.0 };
                }
            }
            [error / sum, relative / f64::from(cells * cells)]
        };
        let (coarse, fine) = (errors(128), errors(512));
        for i in 0..2 {
            assert!(fine[i] < 0.02 && fine[i] < 0.5 * coarse[i], "{coarse:?} {fine:?}");
        }
    }

    #[test]
    fn walls_are_gone_round_and_what_is_shut_in_is_never_reached() {
        let grid = Grid::new([0.0, 0.0], 1.0, 30, 20).unwrap();
        let cost = |column: u32, row: u32| match (column, row) {
            // A wall with a gap at its end, and a closed room.
            (10, 0..19) | (20..=24, 5 | 9) | (20 | 24, 5..=9) => f32::INFINITY,
            _ => 1.0,
        };
        let costs: Vec<f32> = (0..20).flat_map(|row| (0..30).map(move |column| cost(column, row))).collect();
        let times = TravelTimes::to_goals(&grid, &costs, &[(2, 2)]).unwrap();
        // Down to the gap in the last row and up again.
        assert!(times.at(12, 2).unwrap() > 34.0, "{:?}", times.at(12, 2));
        assert_eq!((times.at(22, 7), times.at(10, 3)), (Some(f32::INFINITY), Some(f32::INFINITY)));
        assert_eq!((times.at(2, 2), times.at(30, 0)), (Some(0.0), None));
    }

    #[test]
    fn ways_beyond_32_bits_are_an_error_and_no_walls() {
        // 140,000 cells in a row.
        let grid = Grid::new([0.0, 0.0], 1.0, 140_000, 1).unwrap();
        let error = TravelTimes::to_goals(&grid, &vec![1.0; grid.cells()], &[(0, 0)]).unwrap_err();
        assert_eq!(error.value, "a way is too long");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 1).unwrap();
        let place = |costs: &[f32], goals: &[(u32, u32)]| TravelTimes::to_goals(&grid, costs, goals).unwrap_err().place;
        assert_eq!(place(&[1.0; 3], &[]), "costs");
        assert_eq!(place(&[1.0, 0.0, 1.0, 1.0], &[]), "cost of cell 1");
        assert_eq!(place(&[1.0, 1.0, f32::NAN, 1.0], &[]), "cost of cell 2");
        assert_eq!(place(&[1.0, 1000.0, 1.0, 1.0], &[]), "costs, the lowest");
        assert_eq!(place(&[1.0; 4], &[(4, 0)]), "goal at (4, 0)");
        assert_eq!(place(&[1.0, f32::INFINITY, 1.0, 1.0], &[(1, 0)]), "goal at (1, 0)");
        let nowhere = TravelTimes::to_goals(&grid, &[f32::INFINITY; 4], &[]).unwrap();
        assert_eq!(nowhere.at(0, 0), Some(f32::INFINITY));
    }
}
