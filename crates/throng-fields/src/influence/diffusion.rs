//! Diffusion with decay, `dv/dt = k laplacian(v) - lambda v + s`, in explicit steps over the four straight neighbours.
//!
//! Decay and sources are integrated exactly, so only diffusion limits the length of a step: with `k dt / h^2 <= 1/4`
//! the new value of a cell is a mean of its own and its neighbours' values, and no value leaves the range of the
//! previous ones. Steps are shorter than that, as given by [`MOST_EXCHANGE`].

use rayon::prelude::*;

use super::sources::{Sources, open_cell};
use crate::error::{FieldError, finite, not_negative, positive};
use crate::field::Field;
use crate::grid::Grid;
use crate::memory::room;
use crate::query::Mask;

/// How amounts spread and fade.
///
/// ```
/// use throng_fields::{Grid, influence::{Diffusion, DiffusionMap}};
///
/// let smoke = Diffusion { diffusivity: 0.5, decay: 0.1 };
/// let mut map = DiffusionMap::new(Grid::new([0.0, 0.0], 1.0, 41, 41)?, smoke, None)?;
/// map.add(20, 20, 1.0)?;
/// map.advance(10.0)?;
/// let field = map.field();
/// let sum: f32 = field.values().iter().sum();
/// assert!((sum - (-1.0f32).exp()).abs() < 1e-3, "exp(-0.1 * 10) is left");
/// // The mean square of the distance along x is 2 k t.
/// let square = |(cell, value): (usize, &f32)| ((cell % 41) as f32 - 20.0).powi(2) * value / sum;
/// let squares: f32 = field.values().iter().enumerate().map(square).sum();
/// assert!((squares - 10.0).abs() < 0.1, "{squares}");
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diffusion {
    /// `k`, square world units per unit of time: amounts spread from a point by `sqrt(2 k t)` along each axis in the
    /// time `t`.
    pub diffusivity: f32,
    /// `lambda`, per unit of time: without sources a fraction `exp(-decay * t)` remains after the time `t`.
    pub decay: f32,
}

/// The largest exchange of a cell with a neighbour in a step, `k dt / h^2`. Steps are stable up to 1/4; but with 1/4 a
/// cell keeps nothing of its own value, so amounts from one point form a permanent checkerboard pattern. With 1/6 such
/// a pattern disappears after a few steps, and the leading errors of both axes cancel.
const MOST_EXCHANGE: f64 = 1.0 / 6.0;
/// The largest number of steps of one call.
const MOST_STEPS: f64 = 1e6;

/// Amounts that diffuse over the open cells of a grid. Nothing passes through walls or the border of the grid.
///
/// ```
/// use throng_fields::{Grid, influence::{Diffusion, DiffusionMap}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let mut scent = DiffusionMap::new(grid, Diffusion { diffusivity: 2.0, decay: 0.0 }, None)?;
/// scent.add(32, 32, 100.0)?;
/// // Four time units in steps of a sixth of `h^2 / k`, a twelfth of a unit.
/// assert_eq!(scent.advance(4.0)?, 48);
/// let sum: f32 = scent.field().values().iter().sum();
/// assert!((sum - 100.0).abs() < 1e-3);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DiffusionMap {
    grid: Grid,
    diffusion: Diffusion,
    /// The cells through which amounts can spread.
    open: Mask,
    /// Cells with sources, and their rates per unit of time.
    sources: Sources,
    values: Vec<f32>,
    next: Vec<f32>,
}

impl DiffusionMap {
    /// A map of zeros. Amounts spread through the cells of `open`; walls stay at 0.
    ///
    /// # Errors
    /// When diffusivity or decay is negative or not a number, or the mask has a different size.
    pub fn new(grid: Grid, diffusion: Diffusion, open: Option<Mask>) -> Result<Self, FieldError> {
        not_negative("diffusion, diffusivity", diffusion.diffusivity)?;
        not_negative("diffusion, decay", diffusion.decay)?;
        open.as_ref().map_or(Ok(()), |open| open.check(&grid))?;
        room::<[f32; 2]>("cells of a diffusion map", grid.cells())?;
        let open = open.unwrap_or_else(|| Mask::new(&grid, |_, _| true));
        let zeros = vec![0.0; grid.cells()];
        Ok(Self { grid, diffusion, open, sources: Sources::default(), next: zeros.clone(), values: zeros })
    }

    /// Adds `rate` per unit of time to a cell; a negative rate is a drain, and 0 removes the source.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the rate is not a number.
    pub fn set_source(&mut self, column: u32, row: u32, rate: f32) -> Result<(), FieldError> {
        finite("source, rate", rate)?;
        self.sources.set(&self.grid, Some(&self.open), (column, row), rate)?;
        Ok(())
    }

    /// Adds an amount to a cell once.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the amount is not a number.
    pub fn add(&mut self, column: u32, row: u32, amount: f32) -> Result<(), FieldError> {
        finite("amount", amount)?;
        let cell = open_cell("amount", &self.grid, Some(&self.open), (column, row))?;
        self.values[cell] += amount;
        Ok(())
    }

    /// Advances by a time, in the smallest number of equal steps that exchange at most a sixth between neighbours, and
    /// returns that number. Each step costs one pass over the cells.
    ///
    /// # Errors
    /// When the time is not above 0, or requires more than a million steps.
    pub fn advance(&mut self, time: f32) -> Result<u32, FieldError> {
        let steps = self.steps(time)?;
        let (decay, step) = (f64::from(self.diffusion.decay), f64::from(time) / f64::from(steps));
        let keep = libm::exp(-decay * step) as f32;
        let gain = if decay > 0.0 { -libm::expm1(-decay * step) / decay } else { step };
        let exchange = self.exchange(time) / f64::from(steps);
        for _ in 0..steps {
            self.step(exchange as f32, keep, gain as f32);
        }
        Ok(steps)
    }

    /// The number of steps in which [`DiffusionMap::advance`] advances by a time.
    ///
    /// # Errors
    /// As for [`DiffusionMap::advance`].
    pub fn steps(&self, time: f32) -> Result<u32, FieldError> {
        let steps = (self.exchange(positive("time", time)?) / MOST_EXCHANGE).ceil().max(1.0);
        if steps > MOST_STEPS {
            let remedy =
                format!("{steps} steps would be needed, {MOST_STEPS} are the most: use larger cells or a shorter time");
            return Err(FieldError::new("time", time, remedy));
        }
        Ok(steps as u32)
    }

    /// The exchange between neighbours in a time, as a fraction of their difference.
    fn exchange(&self, time: f32) -> f64 {
        let side = f64::from(self.grid.cell());
        f64::from(self.diffusion.diffusivity) * f64::from(time) / (side * side)
    }

    /// One step: each cell exchanges a fraction of its difference with each open neighbour, keeps the fraction `keep`
    /// of the result, and receives `gain` times the rate of its source.
    fn step(&mut self, exchange: f32, keep: f32, gain: f32) {
        let Self { grid, open, sources, values, next, .. } = self;
        let columns = grid.columns() as usize;
        let (rows, flags) = (grid.rows() as usize, open.flags());
        next.par_chunks_mut(columns).enumerate().for_each(|(row, next)| {
            // The cell beyond the border is the border cell itself, so the difference is 0.
            let around = [row, row.saturating_sub(1), (row + 1).min(rows - 1)];
            let [own, above, below] = around.map(|row| &values[row * columns..][..columns]);
            let [open, open_above, open_below] = around.map(|row| &flags[row * columns..][..columns]);
            for column in 0..columns {
                let (left, right) = (column.saturating_sub(1), (column + 1).min(columns - 1));
                let here = own[column];
                let over = |value: f32, open: bool| if open { value - here } else { 0.0 };
                let along = over(own[left], open[left]) + over(own[right], open[right]);
                let across = over(above[column], open_above[column]) + over(below[column], open_below[column]);
                next[column] = if open[column] { keep * (here + exchange * (along + across)) } else { 0.0 };
            }
        });
        for (cell, rate) in sources.iter() {
            next[cell] += gain * rate;
        }
        std::mem::swap(values, next);
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The value of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
    }

    /// All values, row by row, as a field.
    pub fn field(&self) -> Field {
        Field::new(self.grid, self.values.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(side: u32, cell: f32, diffusivity: f32, decay: f32, open: impl Fn(u32, u32) -> bool) -> DiffusionMap {
        let grid = Grid::new([0.0, 0.0], cell, side, side).unwrap();
        let open = Mask::new(&grid, open);
        DiffusionMap::new(grid, Diffusion { diffusivity, decay }, Some(open)).unwrap()
    }

    fn sum(map: &DiffusionMap) -> f64 {
        map.values.iter().map(|&value| f64::from(value)).sum()
    }

    /// A third of the cells are walls, without order.
    fn scattered(column: u32, row: u32) -> bool {
        !(column * 7 + row * 13 + column * row).is_multiple_of(3)
    }

    #[test]
    fn without_decay_nothing_is_lost_and_no_value_leaves_the_range() {
        let mut map = map(50, 0.5, 1.0, 0.0, scattered);
        map.add(2, 0, 3.0).unwrap();
        map.add(20, 21, 7.0).unwrap();
        map.add(31, 30, -4.0).unwrap();
        for _ in 0..300 {
            map.advance(0.0625).unwrap();
            let rounding = 7.0 * f32::EPSILON;
            assert!(map.values.iter().all(|&value| value >= -4.0 - rounding && value <= 7.0 + rounding));
        }
        assert!((sum(&map) - 6.0).abs() < 1e-4, "{}", sum(&map));
        assert!(map.values.iter().zip(map.open.flags()).all(|(&value, &open)| open || value == 0.0));
    }

    #[test]
    fn an_amount_spreads_as_the_bell_of_the_heat_equation() {
        // A standard deviation of sqrt(2 * 2 * 16) = 8 units, 16 cells.
        let mut map = map(201, 0.5, 2.0, 0.0, |_, _| true);
        map.add(100, 100, 1.0).unwrap();
        map.advance(16.0).unwrap();
        let (mut second, mut worst) = (0.0, 0.0f64);
        let peak = 0.25 / (4.0 * std::f64::consts::PI * 2.0 * 16.0);
        for row in 0..201 {
            for column in 0..201 {
                let (x, y) = (0.5 * (f64::from(column) - 100.0), 0.5 * (f64::from(row) - 100.0));
                let found = f64::from(map.at(column, row).unwrap());
                let expected = peak * (-(x * x + y * y) / (4.0 * 2.0 * 16.0)).exp();
                worst = worst.max((found - expected).abs() / peak);
                second += found * x * x;
            }
        }
        assert!(worst < 0.002, "{worst}");
        // The scheme has the variance of the equation, whatever its steps.
        assert!((second / 64.0 - 1.0).abs() < 1e-4, "{second}");
    }

    #[test]
    fn nothing_goes_through_walls_and_both_sides_level_out() {
        let mut map = map(21, 1.0, 1.0, 0.0, |column, _| column != 8);
        map.add(3, 3, 16.8).unwrap();
        map.advance(2000.0).unwrap();
        for row in 0..21 {
            for column in 0..21 {
                let expected = if column < 8 { 0.1 } else { 0.0 };
                let found = map.at(column, row).unwrap();
                assert!((found - expected).abs() < 1e-5, "{column} {row}: {found}");
                assert!(column < 8 || found == 0.0);
            }
        }
    }

    #[test]
    fn decay_and_sources_are_exact_whatever_the_steps() {
        for (diffusivity, steps) in [(0.0, 1), (0.08, 1), (3.0, 36)] {
            let mut map = map(10, 1.0, diffusivity, 0.5, |_, _| true);
            for cell in 0..100 {
                map.add(cell % 10, cell / 10, 4.0).unwrap();
                map.set_source(cell % 10, cell / 10, 3.0).unwrap();
            }
            assert_eq!(map.advance(2.0).unwrap(), steps);
            let expected = 4.0 * (-1.0f32).exp() + 6.0 * (1.0 - (-1.0f32).exp());
            assert!(map.values.iter().all(|&value| (value - expected).abs() < 1e-5), "{:?}", map.at(0, 0));
        }
        let mut drained = map(4, 1.0, 1.0, 0.0, |_, _| true);
        drained.set_source(1, 1, -2.0).unwrap();
        drained.advance(0.125).unwrap();
        assert_eq!((drained.at(1, 1), sum(&drained)), (Some(-0.25), -0.25));
        drained.set_source(1, 1, 0.0).unwrap();
        drained.advance(5.0).unwrap();
        assert!((sum(&drained) + 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_time_is_split_into_the_fewest_steps() {
        for (time, steps) in [(0.01, 1), (0.16, 1), (0.17, 2), (0.5, 3), (1.0, 6), (1.1, 7)] {
            assert_eq!(map(8, 1.0, 1.0, 0.0, |_, _| true).advance(time), Ok(steps), "{time}");
        }
        let error = map(8, 0.001, 10.0, 0.0, |_, _| true).advance(1.0).unwrap_err();
        assert!(error.place == "time" && error.remedy.contains("1000000 are the most"), "{error}");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let place =
            |diffusivity, decay| DiffusionMap::new(grid, Diffusion { diffusivity, decay }, None).unwrap_err().place;
        assert_eq!(place(-1.0, 0.0), "diffusion, diffusivity");
        assert_eq!(place(1.0, f32::NAN), "diffusion, decay");
        let mut map = map(4, 1.0, 1.0, 0.0, |column, _| column > 0);
        assert_eq!(map.add(0, 2, 1.0).unwrap_err().place, "amount at (0, 2)");
        assert_eq!(map.add(1, 2, f32::NAN).unwrap_err().place, "amount");
        assert_eq!(map.set_source(0, 0, 1.0).unwrap_err().value, "a wall");
        assert_eq!(map.set_source(1, 0, f32::INFINITY).unwrap_err().place, "source, rate");
        for time in [0.0, -1.0, f32::NAN] {
            assert_eq!(map.advance(time).unwrap_err().place, "time");
        }
    }
}
