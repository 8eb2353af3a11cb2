//! Travel times from every cell to the nearest goal: the eikonal equation `|grad T| = cost` in Godunov's first-order
//! scheme.
//!
//! Times are whole ticks. The scheme rounds the exact real result down, so it is monotonic in its arguments; lowering
//! cells in any order therefore ends in the same times, on every executor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::wrapping_sum;

use crate::error::FieldError;
use crate::field::Field;
use crate::fixed_point::whole_root;
use crate::grid::{Grid, NEIGHBOURS};
use crate::memory::room;

/// The time of cells from which no goal can be reached.
pub(crate) const NEVER: u32 = u32::MAX;
/// The largest number of ticks of the most expensive cell: twice its square fits into 32 bits.
const MOST_TICKS: f64 = 32_767.0;
/// The smallest number of ticks of the cheapest cell, if the other cells allow it. A step across a corner loses up to
/// one and a half to rounding, and a way of 16.7 million cells still fits, which no maze of 8192 x 8192 cells exceeds.
const LEAST_TICKS: f64 = 256.0;
/// Sweeps continue for at most this number of rounds, and as long as they lower more than a given part of all cells.
const MOST_ROUNDS: u32 = 8;
const FEW: usize = 16;

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
}

impl TravelTimes {
    /// The largest ratio of costs, so that the cheapest cell still takes enough ticks for small rounding errors.
    pub const MOST_RATIO: f32 = 256.0;

    /// The times to the nearest of some goal cells. `costs` are times per world unit for each cell, above 0, infinite
    /// for walls. The cost of a step is that of the cell that is left.
    ///
    /// Times are whole ticks, rounded down. A tick is as short as possible for a way through all cells: if that way is
    /// at most 131,000 times the way over the most expensive cell, that cell takes 32,767 ticks. On larger maps it
    /// takes fewer, down to 256 for the cheapest cell; times are then too short by up to 0.6 %.
    ///
    /// # Errors
    /// When a cost is not above 0, they differ by more than a factor of 256, their number is not that of the cells, or a
    /// goal is outside or in a wall. Also when a way takes 2^32 ticks: if all costs are equal, a way through 16.7 million
    /// cells; if they differ by a factor of 128 or more, 131,000 times the way over the most expensive cell. It is not an
    /// error if there are no goals: then no cell reaches one.
    pub fn to_goals(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, FieldError> {
        let mut times = Self::at_goals(grid, costs, goals)?;
        let steps = std::mem::take(&mut times.steps);
        times.settle(&steps);
        times.check_length(&steps)?;
        Ok(times)
    }

    /// Like [`TravelTimes::to_goals`], but so far only goals have a time.
    pub(crate) fn at_goals(grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Self, FieldError> {
        let (lowest, highest) = range(grid, costs)?;
        if highest > lowest * f64::from(Self::MOST_RATIO) {
            let most = Self::MOST_RATIO;
            let remedy = format!("costs of open cells may differ by a factor of {most}; the highest is {highest}");
            return Err(FieldError::new("costs, the lowest", lowest, remedy));
        }
        // Without any open cell there are no costs, and the length of a tick does not matter.
        let tick = if highest > 0.0 {
            highest * f64::from(grid.cell()) / ticks_of_the_highest(costs, lowest, highest)
        } else {
            1.0
        };
        let step = |&cost: &f32| {
            if cost.is_finite() { (f64::from(cost) * f64::from(grid.cell()) / tick).round() as u32 } else { NEVER }
        };
        room::<[u32; 2]>("cells of travel times", grid.cells())?;
        let ticks = vec![NEVER; grid.cells()];
        let steps: Vec<u32> = costs.iter().map(step).collect();
        let mut times = Self { grid: *grid, ticks, steps, tick };
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

    /// Stores ticks that were computed elsewhere from [`TravelTimes::steps`].
    pub(crate) fn finish(&mut self, ticks: Vec<u32>) -> Result<(), FieldError> {
        self.ticks = ticks;
        let steps = std::mem::take(&mut self.steps);
        self.check_length(&steps)
    }

    /// Refuses times that exceed 32 bits: open cells without a time beside a cell with a time.
    fn check_length(&self, steps: &[u32]) -> Result<(), FieldError> {
        let cells = (0..self.grid.rows()).flat_map(|row| (0..self.grid.columns()).map(move |column| (column, row)));
        let too_long = |((column, row), (&ticks, &step)): ((u32, u32), (&u32, &u32))| {
            let beside = || self.lower_neighbour(column, row, 0).min(self.lower_neighbour(column, row, 1));
            ticks == NEVER && step != NEVER && beside() != NEVER
        };
        if cells.zip(self.ticks.iter().zip(steps)).any(too_long) {
            let highest = steps.iter().filter(|&&step| step != NEVER).max().copied().unwrap_or(1);
            let remedy = format!(
                "the longest way is more than {} times that over the most expensive cell: use larger cells",
                NEVER / highest
            );
            return Err(FieldError::new("travel times", "a way is too long", remedy));
        }
        Ok(())
    }

    /// Ticks that each cell takes; `NEVER` for walls. Empty when the times are known.
    pub(crate) fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Lowers times until none decreases: by sweeps as long as these lower many cells, and then cell by cell. Open
    /// ground takes few sweeps; a maze would take one for every few of its turns.
    fn settle(&mut self, steps: &[u32]) {
        for _ in 0..MOST_ROUNDS {
            let lowered = self.sweep_in_all_directions(steps);
            if lowered == 0 {
                return;
            }
            if lowered * FEW < self.grid.cells() {
                break;
            }
        }
        self.lower_in_order(steps);
    }

    /// Fast sweeping: over all cells in each of the four diagonal directions. Returns how often a cell was lowered.
    fn sweep_in_all_directions(&mut self, steps: &[u32]) -> usize {
        let (columns, rows) = (self.grid.columns(), self.grid.rows());
        let mut lowered = 0;
        for direction in 0..4 {
            for i in 0..rows {
                let row = if direction & 2 == 0 { i } else { rows - 1 - i };
                for j in 0..columns {
                    let column = if direction & 1 == 0 { j } else { columns - 1 - j };
                    lowered += usize::from(self.lower(column, row, steps));
                }
            }
        }
        lowered
    }

    /// In the order of times, so that hardly any cell is lowered twice.
    fn lower_in_order(&mut self, steps: &[u32]) {
        let mut next = BinaryHeap::new();
        for row in 0..self.grid.rows() {
            for column in 0..self.grid.columns() {
                if self.lower(column, row, steps) {
                    let cell = self.grid.index(column, row);
                    next.push(Reverse((self.ticks[cell], cell as u32)));
                }
            }
        }
        while let Some(Reverse((time, cell))) = next.pop() {
            // The cell has been lowered since, and its newer entry has been processed.
            if time > self.ticks[cell as usize] {
                continue;
            }
            let (column, row) = self.grid.place(cell as usize);
            for &(dx, dy) in &NEIGHBOURS[..4] {
                let beside = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
                if let Some(cell) = self.grid.find(beside.0, beside.1)
                    && self.lower(beside.0, beside.1, steps)
                {
                    next.push(Reverse((self.ticks[cell], cell as u32)));
                }
            }
        }
    }

    /// Lowers the time of a cell to the one that follows from its neighbours; returns whether it decreased.
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

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The time from a cell to the nearest goal, in the time unit of the costs; infinite if there is no way, `None`
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
            return Err(FieldError::new(format!("cost of cell {cell}"), cost, "expected a time per length above 0"));
        }
        if cost.is_finite() {
            lowest = lowest.min(f64::from(cost));
            highest = highest.max(f64::from(cost));
        }
    }
    Ok((lowest, highest))
}

/// The number of ticks of the most expensive cell: as many as fit for a way through all cells. If the cheapest cell
/// would then have fewer than the smallest number, it has that number, because hardly any way leads through all cells.
fn ticks_of_the_highest(costs: &[f32], lowest: f64, highest: f64) -> f64 {
    let sum: f64 = costs.iter().filter(|cost| cost.is_finite()).map(|&cost| f64::from(cost)).sum();
    // Each cell may be rounded up by half a tick.
    let room = f64::from(NEVER) - costs.len() as f64;
    let least = (LEAST_TICKS * highest / lowest).ceil().min(MOST_TICKS);
    (room / (sum / highest)).floor().clamp(least, MOST_TICKS)
}

/// The time of a cell whose neighbours along x and y have the times `a` and `b`, and that takes `step` ticks to cross,
/// rounded down: the larger root of `(t - a)^2 + (t - b)^2 = step^2`, or a straight step where that has none. A time
/// beyond 32 bits is [`NEVER`].
#[cube]
#[inline(always)]
pub(crate) fn godunov(a: u32, b: u32, step: u32) -> u32 {
    let low = u32::min(a, b);
    let mut time = low;
    if low != NEVER {
        let apart = u32::max(a, b) - low;
        let mut more = step;
        if apart < step {
            // (a + b + sqrt(2 step^2 - (a - b)^2)) / 2, minus the lower of both.
            more = (apart + whole_root(2 * step * step - apart * apart)) >> 1;
        }
        let sum = wrapping_sum(low, more);
        time = select(sum < low, NEVER, sum);
    }
    time
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
                    let distance = (x - gx).hypot(y - gy);
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
        // 140,000 cells in a row, and one that is so cheap that ticks cannot be longer.
        let grid = Grid::new([0.0, 0.0], 1.0, 140_000, 1).unwrap();
        let mut costs = vec![256.0; grid.cells()];
        costs[1] = 1.0;
        let error = TravelTimes::to_goals(&grid, &costs, &[(0, 0)]).unwrap_err();
        assert!(error.value == "a way is too long" && error.remedy.contains("131076 times"), "{error}");
    }

    #[test]
    fn ways_of_a_million_cells_fit_where_costs_are_alike() {
        let grid = Grid::new([0.0, 0.0], 0.5, 1_000_000, 1).unwrap();
        let mut costs = vec![2.0; grid.cells()];
        for cheapest in [2.0, 1.5] {
            costs[1] = cheapest;
            let times = TravelTimes::to_goals(&grid, &costs, &[(0, 0)]).unwrap();
            assert!((times.at(999_999, 0).unwrap() / 999_999.0 - 1.0).abs() < 1e-6);
        }
        // However long the ways of a map might be, ticks do not become longer without end.
        assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000_000], 3.0, 3.0), 256.0);
        assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000], 3.0, 3.0), 32_767.0);
        assert_eq!(ticks_of_the_highest(&vec![3.0; 20_000_000], 1.0, 3.0), 768.0);
    }

    #[test]
    fn in_any_order_times_are_the_same() {
        let grid = Grid::new([0.0, 0.0], 1.0, 90, 70).unwrap();
        let draws = throng_core::Philox::new(7);
        let cost = |cell: u32| match draws.below(5, cell, 0, 0, 0) {
            0 => f32::INFINITY,
            _ => 1.0 + 9.0 * draws.unit(cell, 1, 0, 0) as f32,
        };
        let costs: Vec<f32> = (0..grid.cells() as u32).map(cost).collect();
        let goals: Vec<(u32, u32)> = [3, 3000, 5000]
            .iter()
            .filter(|&&cell| costs[cell] < 20.0)
            .map(|&cell| ((cell % 90) as u32, (cell / 90) as u32))
            .collect();
        let start = TravelTimes::at_goals(&grid, &costs, &goals).unwrap();
        let (mut swept, mut ordered) = (start.clone(), start.clone());
        while swept.sweep_in_all_directions(&start.steps) > 0 {}
        ordered.lower_in_order(&start.steps);
        assert!(swept.ticks == ordered.ticks && swept.ticks.iter().filter(|&&ticks| ticks != NEVER).count() > 4000);
        assert_eq!(TravelTimes::to_goals(&grid, &costs, &goals).unwrap().ticks, swept.ticks);
    }

    #[test]
    fn with_the_fewest_ticks_times_around_a_point_are_hardly_shorter() {
        let grid = Grid::new([0.0, 0.0], 1.0, 400, 400).unwrap();
        let costs = vec![1.0; grid.cells()];
        let fine = TravelTimes::to_goals(&grid, &costs, &[(0, 0)]).unwrap();
        let mut coarse = TravelTimes::at_goals(&grid, &costs, &[(0, 0)]).unwrap();
        coarse.tick = 1.0 / LEAST_TICKS;
        coarse.settle(&vec![LEAST_TICKS as u32; grid.cells()]);
        for (fine, coarse) in fine.field().values().iter().zip(coarse.field().values()) {
            assert!(coarse <= fine && *coarse >= 0.994 * fine, "{fine} {coarse}");
        }
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

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// Times that differ by little, by much, or of which one is [`NEVER`].
    fn times() -> impl Iterator<Item = (u32, u32, u32)> {
        let near = words([u32::MAX, 40_000, 32_768]).map(|[a, apart, step]| (a, a.saturating_add(apart), step));
        near.chain(words([u32::MAX, u32::MAX, 32_768]).map(|[a, b, step]| (a, b, step))).flat_map(|(a, b, step)| {
            [(a, b, step), (b, a, step), (a, NEVER, step), (NEVER - a % 50_000, NEVER - b % 50_000, step)]
        })
    }

    same_on_devices!(fn steps(a: u32, b: u32, step: u32) -> u32 { godunov(a, b, step) } for times());
}
