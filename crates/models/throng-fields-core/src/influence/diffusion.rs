//! Diffusion with decay, `dv/dt = k laplacian(v) - lambda v + s`, over the four orthogonal neighbours.
//!
//! Time advances in explicit steps. Decay and sources are integrated exactly, so only diffusion limits the length of a
//! step: with `k dt / h^2 <= 1/4` the new value of a cell is a mean of its own and its neighbours' values, and no value
//! leaves the range of the previous ones. Steps are shorter than that, as given by [`MAX_EXCHANGE`]. Large numbers of
//! steps are not computed one by one: a series yields the same result with fewer passes over the cells.

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::{finite, not_negative, positive};
use throng_pictures::{Grid, Mask};

use super::exchange::Cells;
use super::series::{Series, Steps};
use super::sources::{Sources, open_cell};
use crate::field::Field;

/// How amounts spread and fade.
///
/// ```
/// use throng_fields_core::{Grid, influence::{Diffusion, DiffusionMap}};
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
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diffusion {
    /// `k`, square world units per unit of time: within time `t`, amounts spread from a point by `sqrt(2 k t)` along
    /// each axis.
    pub diffusivity: f32,
    /// `lambda`, per unit of time: without sources a fraction `exp(-decay * t)` remains after the time `t`.
    pub decay: f32,
}

/// Maximum exchange of a cell with a neighbour in a step, `k dt / h^2`. Steps are stable up to 1/4; but with 1/4 a cell
/// keeps nothing of its own value, so amounts from one point form a permanent checkerboard pattern. With 1/6 such a
/// pattern disappears after a few steps, and the leading errors of both axes cancel.
const MAX_EXCHANGE: f64 = 1.0 / 6.0;
/// Cost ratio: 3 passes of a series, each of which also adds to a sum, take as long as 5 steps. One of them takes 0.37
/// and 0.22 ms, respectively, for a million cells.
const STEPS_FOR_PASSES: [u32; 2] = [5, 3];
/// Maximum number of steps per call.
const MAX_STEPS: f64 = 1e6;

/// How fast amounts change, per unit of time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rates {
    /// The fraction `k / h^2` of its difference to a neighbour that a cell exchanges.
    pub exchange: f64,
    /// The fraction that decays, `lambda`.
    pub decay: f64,
}

impl Rates {
    /// For a step of length `time`, the probability that the walk of a series moves to a given side, and the
    /// probability that it stays.
    pub fn walk(self, time: f64) -> (f64, f64) {
        (2.0 * self.exchange * time, 1.0 - 4.0 * self.exchange * time)
    }

    /// The fraction of an amount that remains after a time.
    pub fn kept(self, time: f64) -> f64 {
        libm::exp(-self.decay * time)
    }

    /// The amount that remains after a time, if 1 per unit of time has been emitted throughout.
    pub fn gained(self, time: f64) -> f64 {
        if self.decay > 0.0 { -libm::expm1(-self.decay * time) / self.decay } else { time }
    }
}

/// Amounts that diffuse over the open cells of a grid. Nothing passes through walls or the border of the grid.
///
/// ```
/// use throng_fields_core::{Grid, influence::{Diffusion, DiffusionMap}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let mut scent = DiffusionMap::new(grid, Diffusion { diffusivity: 2.0, decay: 0.0 }, None)?;
/// scent.add(32, 32, 100.0)?;
/// // Steps last at most a sixth of `h^2 / k`, here a twelfth of a unit of time.
/// assert_eq!(scent.advance(0.5)?, 6);
/// // Eight units of time would be 96 such steps, but take fewer passes over the cells.
/// assert_eq!(scent.advance(8.0)?, 42);
/// let sum: f32 = scent.field().values().iter().sum();
/// assert!((sum - 100.0).abs() < 1e-3);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DiffusionMap {
    grid: Grid,
    diffusion: Diffusion,
    /// The cells through which amounts can spread; `None` if these are all cells.
    open: Option<Mask>,
    /// Cells with sources, and their rates per unit of time.
    sources: Sources,
    values: Vec<f32>,
    next: Vec<f32>,
    /// Buffer for a polynomial of a series; empty until first used.
    polynomial: Vec<f32>,
    /// The most recent series, and its key: the steps, and whether there were sources.
    series: Option<((Steps, bool), Series)>,
}

impl DiffusionMap {
    /// Creates a map of zeros. Amounts spread through the cells of `open`; walls stay at 0.
    ///
    /// # Errors
    /// When diffusivity or decay is negative or not finite, the mask has a different size, or memory is insufficient.
    pub fn new(grid: Grid, diffusion: Diffusion, open: Option<Mask>) -> Result<Self, InputError> {
        not_negative("diffusion, diffusivity", diffusion.diffusivity)?;
        not_negative("diffusion, decay", diffusion.decay)?;
        open.as_ref().map_or(Ok(()), |open| open.check(&grid))?;
        check_allocation::<[f32; 2]>("cells of a diffusion map", grid.cells())?;
        let [values, next] = [(); 2].map(|()| vec![0.0; grid.cells()]);
        Ok(Self {
            grid,
            diffusion,
            open: open.filter(|open| open.flags().contains(&false)),
            sources: Sources::default(),
            values,
            next,
            polynomial: Vec::new(),
            series: None,
        })
    }

    /// Adds `rate` per unit of time to a cell; a negative rate is a drain, and 0 removes the source.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the rate is not finite.
    pub fn set_source(&mut self, column: u32, row: u32, rate: f32) -> Result<(), InputError> {
        finite("source, rate", rate)?;
        self.sources.set(&self.grid, self.open.as_ref(), (column, row), rate)?;
        Ok(())
    }

    /// Replaces the cells through which amounts can spread. Cells that become walls lose their amounts and their
    /// sources.
    ///
    /// # Errors
    /// When the mask has a different size.
    pub fn set_open(&mut self, open: &Mask) -> Result<(), InputError> {
        self.open = self.sources.close(&self.grid, open, &mut self.values)?;
        Ok(())
    }

    /// Adds an amount to a cell once.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the amount is not finite.
    pub fn add(&mut self, column: u32, row: u32, amount: f32) -> Result<(), InputError> {
        finite("amount", amount)?;
        let cell = open_cell("amount", &self.grid, self.open.as_ref(), (column, row))?;
        self.values[cell] += amount;
        Ok(())
    }

    /// Advances by a time, with the smallest number of equal steps that exchange at most a sixth between neighbours.
    /// Returns the number of passes over the cells.
    ///
    /// With `x = k t / h^2`, there are `6 x` steps. Up to about 50 steps, or 200 with sources, take a pass each. More
    /// steps are computed at once in about `11 sqrt(x)` passes, twice as many with sources; values differ from those of
    /// single steps by less than a millionth of the maximum amount, and no value is further below 0 than that.
    ///
    /// # Errors
    /// When the time is not above 0 or needs more than a million steps, or there is too little memory: computing steps
    /// at once needs 4 additional bytes per cell.
    pub fn advance(&mut self, time: f32) -> Result<u32, InputError> {
        let steps = self.steps(time)?;
        let series = self.passes_of_series(steps);
        match series {
            Some(_) => self.follow_series(steps)?,
            None => self.take_steps(steps),
        }
        Ok(series.unwrap_or(steps.count))
    }

    /// Returns the number of passes over the cells that [`DiffusionMap::advance`] takes for a time.
    ///
    /// # Errors
    /// When the time is not above 0, or needs more than a million steps.
    pub fn passes(&self, time: f32) -> Result<u32, InputError> {
        let steps = self.steps(time)?;
        Ok(self.passes_of_series(steps).unwrap_or(steps.count))
    }

    /// The number of passes of a series, if it is faster than single steps.
    fn passes_of_series(&self, steps: Steps) -> Option<u32> {
        let series = if self.sources.is_empty() { 1 } else { 2 };
        let passes = series * Series::passes(self.rates(), steps) as u32;
        let [of_passes, of_steps] = STEPS_FOR_PASSES;
        (steps.count > 1 && of_passes * passes < of_steps * steps.count).then_some(passes)
    }

    fn steps(&self, time: f32) -> Result<Steps, InputError> {
        let time_of_all = f64::from(positive("time", time)?);
        let count = (self.rates().exchange * time_of_all / MAX_EXCHANGE).ceil().max(1.0);
        if count > MAX_STEPS {
            let remedy = format!(
                "{count:.0e} steps would be needed, the maximum is {MAX_STEPS}: use larger cells or a shorter time"
            );
            return Err(InputError::one("time", time, remedy));
        }
        Ok(Steps { count: count as u32, time: time_of_all / count })
    }

    fn rates(&self) -> Rates {
        let side = f64::from(self.grid.cell());
        let Diffusion { diffusivity, decay } = self.diffusion;
        Rates { exchange: f64::from(diffusivity) / (side * side), decay: f64::from(decay) }
    }

    /// Computes steps one by one. In each step a cell exchanges a fraction of its difference with each open neighbour,
    /// keeps the fraction that does not decay, and then receives the emission of its source.
    fn take_steps(&mut self, steps: Steps) {
        let rates = self.rates();
        let exchange = (rates.exchange * steps.time) as f32;
        let (keep, gain) = (rates.kept(steps.time) as f32, rates.gained(steps.time) as f32);
        let cells = Cells { columns: self.grid.columns() as usize, open: self.open.as_ref().map(Mask::flags) };
        let sources = self.sources.by_row(&self.grid);
        let emit = |row: usize, cells: &mut [f32]| {
            for &(column, rate) in sources.of(row) {
                cells[column] += gain * rate;
            }
        };
        cells.steps([&mut self.values, &mut self.next], steps.count as usize, (exchange, keep), emit);
    }

    /// Computes all steps at once, with a series for the amounts and one for the emissions of sources.
    fn follow_series(&mut self, steps: Steps) -> Result<(), InputError> {
        if self.polynomial.is_empty() {
            check_allocation::<f32>("cells of a diffusion map", self.values.len())?;
            self.polynomial = vec![0.0; self.values.len()];
        }
        let wanted = (steps, !self.sources.is_empty());
        let kept = self.series.take().filter(|(made_for, _)| *made_for == wanted);
        let made = kept.unwrap_or_else(|| (wanted, Series::new(self.rates(), steps, wanted.1)));
        let (_, series) = self.series.insert(made);
        let cells = Cells { columns: self.grid.columns() as usize, open: self.open.as_ref().map(Mask::flags) };
        cells.add_series(&series.amounts, [&mut self.values, &mut self.polynomial], (&mut self.next, true));
        if !self.sources.is_empty() {
            self.values.fill(0.0);
            for (cell, rate) in self.sources.iter() {
                self.values[cell] = rate;
            }
            cells.add_series(&series.rates, [&mut self.values, &mut self.polynomial], (&mut self.next, false));
        }
        std::mem::swap(&mut self.values, &mut self.next);
        Ok(())
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

    /// Whether a cell is open: two ninths of the cells are walls, in a pattern that repeats every three cells.
    fn scattered(column: u32, row: u32) -> bool {
        !(column * 7 + row * 13 + column * row).is_multiple_of(3)
    }

    #[test]
    fn diffusion_without_decay_conserves_amounts_and_their_range() {
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
        let is_wall = |cell: u32| !scattered(cell % 50, cell / 50);
        assert!((0..2500).all(|cell| !is_wall(cell) || map.at(cell % 50, cell / 50) == Some(0.0)));
    }

    #[test]
    fn amounts_spread_according_to_the_heat_equation() {
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
        // The scheme has the variance of the equation, for any step length.
        assert!((second / 64.0 - 1.0).abs() < 1e-4, "{second}");
    }

    #[test]
    fn amounts_do_not_cross_walls_and_become_uniform() {
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
    fn decay_and_sources_are_exact_for_any_number_of_steps() {
        for (diffusivity, passes) in [(0.0, 1), (0.08, 1), (0.8, 10), (3.0, 36), (30.0, 2 * 82)] {
            let mut map = map(10, 1.0, diffusivity, 0.5, |_, _| true);
            for cell in 0..100 {
                map.add(cell % 10, cell / 10, 4.0).unwrap();
                map.set_source(cell % 10, cell / 10, 3.0).unwrap();
            }
            assert_eq!((map.passes(2.0).unwrap(), map.advance(2.0).unwrap()), (passes, passes));
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
    fn times_are_split_into_the_fewest_steps_and_series_need_fewer_passes() {
        for (time, passes) in
            [(0.01, 1), (0.16, 1), (0.17, 2), (0.5, 3), (1.1, 7), (3.33, 20), (7.0, 42), (10.0, 33), (100.0, 106)]
        {
            let mut map = map(8, 1.0, 1.0, 0.0, |_, _| true);
            assert_eq!((map.passes(time), map.advance(time)), (Ok(passes), Ok(passes)), "{time}");
        }
        let error = map(8, 0.001, 10.0, 0.0, |_, _| true).advance(1.0).unwrap_err();
        assert!(error.place() == "time" && error.remedy().contains("the maximum is 1000000"), "{error}");
    }

    #[test]
    fn series_of_steps_match_single_steps() {
        for (time, walls, decay, source) in [(3.0, true, 0.0, 0.0), (3.0, false, 0.1, 2.0), (0.5, true, 0.1, 2.0)] {
            let mut map = map(50, 0.5, 1.5, decay, |column, row| !walls || scattered(column, row));
            for (column, row, amount) in [(2, 0, 3.0), (20, 21, 7.0), (31, 30, -4.0)] {
                map.add(column, row, amount).unwrap();
            }
            map.set_source(24, 28, source).unwrap();
            // 18 steps, and 108 steps.
            let (mut once, steps) = (map.clone(), map.steps(time).unwrap());
            once.follow_series(steps).unwrap();
            map.take_steps(steps);
            let differences = once.values.iter().zip(&map.values).map(|(once, single)| (once - single).abs());
            let worst = differences.fold(0.0, f32::max);
            assert!(worst < 7e-6, "{time}, {} steps: {worst}", steps.count);
        }
    }

    #[test]
    fn long_steps_spread_a_point_amount_normally() {
        for exchange in [2.0f32, 3.4, 20.0, 166.0] {
            let mut map = map(201, 1.0, exchange, 0.0, |_, _| true);
            map.add(100, 100, 1.0).unwrap();
            map.advance(1.0).unwrap();
            let peak = 1.0 / (4.0 * std::f64::consts::PI * f64::from(exchange));
            let (mut worst, mut least) = (0.0f64, f64::INFINITY);
            for (cell, &found) in map.values.iter().enumerate() {
                let [x, y] = [cell % 201, cell / 201].map(|at| at as f64 - 100.0);
                let expected = peak * (-(x * x + y * y) / (4.0 * f64::from(exchange))).exp();
                worst = worst.max((f64::from(found) - expected).abs() / peak);
                least = least.min(f64::from(found));
            }
            let lost = (sum(&map) - 1.0).abs();
            assert!(
                worst * f64::from(exchange) < 0.045 && least > -1e-8 && lost < 1e-6,
                "{exchange}: {worst} {least} {lost}"
            );
        }
    }

    #[test]
    fn maps_do_not_depend_on_the_number_of_threads() {
        let advanced = |threads, time| {
            let mut map = map(400, 1.0, 1.0, 0.1, scattered);
            for (column, row, amount) in [(2, 0, 3.0), (20, 162, 7.0), (31, 330, -4.0)] {
                map.add(column, row, amount).unwrap();
                map.set_source(column + 300, row, amount).unwrap();
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| map.advance(time)).unwrap();
            map.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        for time in [1.0, 12.0] {
            assert_eq!(advanced(1, time), advanced(3, time));
        }
    }

    #[test]
    fn out_of_range_values_are_refused() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let place = |diffusivity, decay| {
            DiffusionMap::new(grid, Diffusion { diffusivity, decay }, None).unwrap_err().place().to_owned()
        };
        assert_eq!(place(-1.0, 0.0), "diffusion, diffusivity");
        assert_eq!(place(1.0, f32::NAN), "diffusion, decay");
        let mut map = map(4, 1.0, 1.0, 0.0, |column, _| column > 0);
        assert_eq!(map.add(0, 2, 1.0).unwrap_err().place(), "amount at (0, 2)");
        assert_eq!(map.add(1, 2, f32::NAN).unwrap_err().place(), "amount");
        assert_eq!(map.set_source(0, 0, 1.0).unwrap_err().message(), "a wall");
        assert_eq!(map.set_source(1, 0, f32::INFINITY).unwrap_err().place(), "source, rate");
        for time in [0.0, -1.0, f32::NAN] {
            assert_eq!(map.advance(time).unwrap_err().place(), "time");
        }
    }
}
