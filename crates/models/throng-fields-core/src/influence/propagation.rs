//! Propagation with decay and momentum, after Champandard's tutorial on influence maps: in each sweep a cell takes the
//! strongest influence of its neighbours, weakened with distance, and keeps a fraction of its old value. Influence only
//! takes steps that agents may take: it passes neither diagonally between walls nor around the corner of one.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_core::InputError;
use throng_core::allocation::check_allocation;
use throng_core::checks::not_negative;
use throng_device::cubecl::prelude::*;
use throng_device::exact::{ieee_max, rounded_product};
use throng_device::{KernelParameter, cubecl};
use throng_pictures::{Grid, Mask};

use super::sources::Sources;
use super::sweep::{Effect, Sweeps};
use crate::NEGATIVE_ZERO;
use crate::field::Field;

/// How influence spreads.
///
/// ```
/// use throng_fields_core::{Grid, influence::{InfluenceMap, Propagation}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 9, 1)?;
/// let beside = |momentum| {
///     let mut map = InfluenceMap::new(grid, Propagation { decay: 0.0, momentum }, None)?;
///     map.set_source(4, 0, 1.0)?;
///     map.sweep(2);
///     Ok::<_, throng_fields_core::InputError>(map.at(5, 0))
/// };
/// // Without momentum, influence arrives completely in one sweep; with 0.5, half of it arrives in the first sweep
/// // and a quarter in the second.
/// assert_eq!((beside(0.0)?, beside(0.5)?), (Some(1.0), Some(0.75)));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Propagation {
    /// The rate at which influence fades with distance, per world unit: a source of strength 1 becomes
    /// `exp(-decay * distance)`.
    pub decay: f32,
    /// The fraction of its old value that a cell keeps in a sweep, in [0, 1): a high value means slow changes. Some
    /// published code defines momentum as the complement.
    pub momentum: f32,
}

impl Propagation {
    /// Computes the factors of a sweep on a grid with cells of this size.
    pub fn weights(self, cell: f32) -> Weights {
        let [straight, diagonal] =
            [cell, cell * std::f32::consts::SQRT_2].map(|length| libm::expf(-self.decay * length));
        Weights { straight, diagonal, momentum: self.momentum, rest: 1.0 - self.momentum, zero: NEGATIVE_ZERO }
    }

    fn check(self) -> Result<(), InputError> {
        not_negative("propagation, decay", self.decay)?;
        if (0.0..1.0).contains(&self.momentum) {
            Ok(())
        } else {
            Err(InputError::one("propagation, momentum", self.momentum, "expected a fraction from 0 to below 1"))
        }
    }
}

/// Influence below this becomes 0. Without a limit it would never disappear: the smallest positive number times a
/// weight above a half rounds to itself.
const MIN_INFLUENCE: f32 = 1e-30;

/// The factors of a sweep on a grid: decay per step, and momentum.
#[derive(CubeType, CubeLaunch, KernelParameter, Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The fraction of influence that remains after an orthogonal step; `diagonal` is that after a diagonal step.
    pub straight: f32,
    pub diagonal: f32,
    /// The fraction of its old value that a cell keeps; `rest` is the fraction of the new influence.
    pub momentum: f32,
    pub rest: f32,
    /// The `zero` of `rounded_product`.
    pub zero: f32,
}

#[cube]
impl Weights {
    /// The influence of a cell after a sweep, given its own influence, the maximum of its orthogonal neighbours, and
    /// the maximum of those diagonal neighbours with open cells on both sides of the step. None of them is negative.
    #[inline(always)]
    pub fn after_sweep(&self, own: f32, straight: f32, diagonal: f32) -> f32 {
        let strongest = ieee_max(straight * self.straight, diagonal * self.diagonal);
        let kept = rounded_product(self.momentum, own, self.zero);
        let spread = kept + rounded_product(self.rest, strongest, self.zero);
        select(spread < MIN_INFLUENCE, 0.0f32, spread)
    }
}

/// The influence of one team. Every team has its own map: in a shared map, the stronger of two opposite influences
/// would depend on the order in which cells are processed.
///
/// ```
/// use throng_fields_core::{Grid, influence::{InfluenceMap, Propagation}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 16, 1)?;
/// let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, None)?;
/// map.set_source(0, 0, 1.0)?;
/// map.sweep(16);
/// assert!((map.at(10, 0).unwrap() - (-1.0f32).exp()).abs() < 1e-5);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct InfluenceMap {
    grid: Grid,
    propagation: Propagation,
    /// The cells through which influence can spread; `None` if these are all cells.
    open: Option<Mask>,
    /// Sources: lower bounds of the influence of their cells.
    sources: Sources,
    values: Vec<f32>,
    next: Vec<f32>,
}

impl InfluenceMap {
    /// Creates a map without influence. Influence spreads through the cells of `open`; walls stay at 0. A step to a
    /// diagonal neighbour needs open cells on both sides, as for agents.
    ///
    /// # Errors
    /// When decay or momentum is out of range, the mask has a different size, or there is too little memory.
    pub fn new(grid: Grid, propagation: Propagation, open: Option<Mask>) -> Result<Self, InputError> {
        propagation.check()?;
        open.as_ref().map_or(Ok(()), |open| open.check(&grid))?;
        check_allocation::<[f32; 2]>("cells of an influence map", grid.cells())?;
        let open = open.filter(|open| open.flags().contains(&false));
        // Not a clone: the system clears fresh memory only on first use, in the threads that use it.
        let [values, next] = [(); 2].map(|()| vec![0.0; grid.cells()]);
        Ok(Self { grid, propagation, open, sources: Sources::default(), values, next })
    }

    /// Sets the strength (>= 0) of a source, which is the minimum influence of its cell, now and after every sweep; 0
    /// removes the source. Near a stronger source of the same team, the cell takes the influence of the latter.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the strength is negative or not a number.
    pub fn set_source(&mut self, column: u32, row: u32, strength: f32) -> Result<(), InputError> {
        not_negative("source, strength", strength)?;
        let cell = self.sources.set(&self.grid, self.open.as_ref(), (column, row), strength)?;
        self.values[cell] = ieee_max(self.values[cell], strength);
        Ok(())
    }

    /// Replaces the cells through which influence can spread. Cells that become walls lose their influence and their
    /// sources.
    ///
    /// # Errors
    /// When the mask has a different size.
    pub fn set_open(&mut self, open: &Mask) -> Result<(), InputError> {
        self.open = self.sources.close(&self.grid, open, &mut self.values)?;
        Ok(())
    }

    /// Spreads influence by `sweeps` cells, as long as it is above 1e-30. Returns the largest change of a cell in the
    /// last sweep. Stops early after a sweep that changes nothing, because the remaining sweeps would not change
    /// anything either.
    pub fn sweep(&mut self, sweeps: u32) -> f32 {
        let (mut change, mut left) = (0.0, sweeps);
        while left > 0 {
            let (made, effect) = self.make_sweeps(left);
            (change, left) = (effect.change, left - made);
            if change == 0.0 {
                break;
            }
        }
        change
    }

    /// Spreads influence until no cell changes in a sweep by more than the fraction `change` of the strongest influence
    /// on the map, or for `max_sweeps` sweeps. Returns the number of sweeps, including the one that found no
    /// such change.
    ///
    /// ```
    /// use throng_fields_core::{Grid, influence::{InfluenceMap, Propagation}};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 16, 1)?;
    /// let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, None)?;
    /// map.set_source(0, 0, 1.0)?;
    /// // Fifteen cells to reach, and one sweep that changes nothing.
    /// assert_eq!((map.sweep_until(0.01, 100), map.sweep_until(0.01, 100)), (16, 1));
    /// # Ok::<(), throng_fields_core::InputError>(())
    /// ```
    pub fn sweep_until(&mut self, change: f32, max_sweeps: u32) -> u32 {
        for sweeps in 1..=max_sweeps {
            let (_, effect) = self.make_sweeps(1);
            if effect.change <= change * effect.strongest {
                return sweeps;
            }
        }
        max_sweeps
    }

    /// Makes between one and `most` sweeps over all cells. Returns their number and the effect of the last one.
    fn make_sweeps(&mut self, most: u32) -> (u32, Effect) {
        let sweeps = Sweeps {
            weights: self.propagation.weights(self.grid.cell()),
            columns: self.grid.columns() as usize,
            open: self.open.as_ref().map(Mask::flags),
            sources: self.sources.by_row(&self.grid),
        };
        sweeps.make(&mut self.values, &mut self.next, most)
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The influence of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
    }

    /// The parameters of the propagation.
    pub fn propagation(&self) -> Propagation {
        self.propagation
    }

    /// The cells through which influence can spread; `None` if these are all cells.
    pub fn open(&self) -> Option<&Mask> {
        self.open.as_ref()
    }

    /// Sources: the index of each source's cell, and the lower bound of the cell's influence.
    pub fn sources(&self) -> impl Iterator<Item = (usize, f32)> {
        self.sources.iter()
    }

    /// All influences, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All influences, row by row, as a field.
    pub fn field(&self) -> Field {
        Field::new(self.grid, self.values.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(columns: u32, rows: u32, decay: f32, momentum: f32, open: impl Fn(u32, u32) -> bool) -> InfluenceMap {
        let grid = Grid::new([0.0, 0.0], 0.5, columns, rows).unwrap();
        let open = Mask::new(&grid, open);
        InfluenceMap::new(grid, Propagation { decay, momentum }, Some(open)).unwrap()
    }

    #[test]
    fn influence_decays_exponentially_along_a_corridor() {
        for momentum in [0.0, 0.6] {
            let mut map = map(60, 1, 0.25, momentum, |_, _| true);
            map.set_source(0, 0, 8.0).unwrap();
            while map.sweep(20) > 0.0 {}
            for column in 0..60 {
                let expected = 8.0 * (-0.25 * 0.5 * column as f32).exp();
                let found = map.at(column, 0).unwrap();
                assert!((found / expected - 1.0).abs() < 1e-4, "{column}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn sweeps_end_at_the_fixed_point() {
        for momentum in [0.0, 0.6] {
            let mut map = map(60, 3, 0.25, momentum, |_, _| true);
            map.set_source(0, 0, 8.0).unwrap();
            // Without stopping early, this would take days.
            assert_eq!(map.sweep(u32::MAX), 0.0);
            let expected = 8.0 * (-0.25f32 * 0.5 * 59.0).exp();
            assert!((map.at(59, 0).unwrap() / expected - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn influence_spreads_around_walls() {
        // A wall from the top down, with a gap in the last row.
        let mut round = map(21, 11, 0.1, 0.0, |column, row| column != 10 || row == 10);
        round.set_source(9, 0, 1.0).unwrap();
        round.sweep(60);
        assert_eq!(round.at(10, 5), Some(0.0));
        let behind = round.at(11, 0).unwrap();
        // Ten rows down to the gap, two cells through it without cutting the corner of the wall, and ten rows up again.
        let length = 0.5f32 * 22.0;
        assert!((behind / (-0.1 * length).exp() - 1.0).abs() < 1e-4, "{behind}");
        let mut closed = map(21, 11, 0.1, 0.0, |column, _| column != 10);
        closed.set_source(9, 0, 1.0).unwrap();
        closed.sweep(100);
        assert!((11..21).all(|column| (0..11).all(|row| closed.at(column, row) == Some(0.0))));
    }

    #[test]
    fn influence_does_not_cut_corners() {
        let diagonal = 8.0 * (-0.1f32 * 0.5 * std::f32::consts::SQRT_2).exp();
        let round_the_corner = 8.0 * (-0.1f32).exp();
        for (walls, after_one, after_many) in [
            (&[][..], diagonal, diagonal),
            (&[(1, 0)], 0.0, round_the_corner),
            (&[(0, 1)], 0.0, round_the_corner),
            // Two walls that touch at a corner leave no gap.
            (&[(1, 0), (0, 1)], 0.0, 0.0),
            (&[(2, 1), (1, 2)], diagonal, diagonal),
        ] {
            let mut map = map(3, 3, 0.1, 0.0, |column, row| !walls.contains(&(column, row)));
            map.set_source(0, 0, 8.0).unwrap();
            for (sweeps, expected) in [(1, after_one), (10, after_many)] {
                map.sweep(sweeps);
                let found = map.at(1, 1).unwrap();
                assert!((found - expected).abs() < 1e-5, "{walls:?}, {sweeps} sweeps: {found}, expected {expected}");
            }
        }
        // A diagonal wall over the whole map.
        let mut divided = map(20, 20, 0.0, 0.4, |column, row| column + row != 19);
        divided.set_source(0, 0, 1.0).unwrap();
        divided.sweep(200);
        let sides = |column: u32, row: u32| if column + row < 19 { 0.999..=1.0 } else { 0.0..=0.0 };
        assert!((0..400).all(|i| sides(i % 20, i / 20).contains(&divided.at(i % 20, i / 20).unwrap())));
    }

    #[test]
    fn influence_does_not_exceed_the_strongest_source() {
        let mut map = map(30, 30, 0.0, 0.3, |column, row| (column * 7 + row * 13) % 5 != 0);
        map.set_source(2, 1, 3.0).unwrap();
        map.set_source(21, 17, 2.0).unwrap();
        for _ in 0..200 {
            map.sweep(1);
            assert!(map.field().values().iter().all(|&value| (0.0..=3.0).contains(&value)));
        }
    }

    #[test]
    fn a_weak_source_does_not_weaken_the_influence_of_a_strong_one() {
        for momentum in [0.0, 0.5] {
            let mut map = map(20, 1, 0.2, momentum, |_, _| true);
            map.set_source(2, 0, 10.0).unwrap();
            let mut strong_only = map.clone();
            map.set_source(6, 0, 1.0).unwrap();
            map.set_source(19, 0, 9.0).unwrap();
            while map.sweep(20) > 0.0 {}
            while strong_only.sweep(20) > 0.0 {}
            assert_eq!(map.values()[..8], strong_only.values()[..8]);
            assert!(map.at(6, 0) > Some(6.0) && map.at(19, 0) == Some(9.0) && map.at(18, 0) > Some(8.0));
        }
    }

    #[test]
    fn sweeps_end_at_the_given_relative_change() {
        let mut map = map(100, 1, 0.5, 0.5, |_, _| true);
        assert_eq!(map.sweep_until(0.01, 50), 1, "nothing can change without a source");
        let mut stronger = map.clone();
        map.set_source(0, 0, 10.0).unwrap();
        stronger.set_source(0, 0, 2560.0).unwrap();
        let sweeps = map.sweep_until(0.01, 50);
        assert!(sweeps > 1 && sweeps < 50, "{sweeps}");
        assert_eq!(stronger.sweep_until(0.01, 50), sweeps, "the change is relative to the strength");
        let after = map.sweep(1);
        assert!(after > 0.0 && after <= 0.1, "{after}");
        // With momentum, influence keeps approaching its limit for longer.
        assert_eq!(map.sweep_until(0.0, 7), 7);
        assert_eq!(map.sweep_until(0.5, 0), 0);
    }

    #[test]
    fn influence_of_removed_sources_decays_with_the_momentum() {
        let mut map = map(3, 1, 10.0, 0.5, |_, _| true);
        map.set_source(1, 0, 4.0).unwrap();
        map.sweep(1);
        map.set_source(1, 0, 0.0).unwrap();
        map.sweep(1);
        let found = map.at(1, 0).unwrap();
        assert!((found - 2.0).abs() < 0.02, "{found}");
    }

    #[test]
    fn out_of_range_values_are_refused() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let place = |decay, momentum| {
            InfluenceMap::new(grid, Propagation { decay, momentum }, None).unwrap_err().place().to_owned()
        };
        assert_eq!(place(-1.0, 0.0), "propagation, decay");
        assert_eq!(place(0.1, 1.0), "propagation, momentum");
        assert_eq!(place(0.1, f32::NAN), "propagation, momentum");
        let mut map = map(4, 4, 0.1, 0.0, |column, _| column > 0);
        assert_eq!(map.set_source(4, 0, 1.0).unwrap_err().place(), "source at (4, 0)");
        assert_eq!(map.set_source(0, 0, 1.0).unwrap_err().message(), "a wall");
        assert_eq!(map.set_source(1, 0, -1.0).unwrap_err().place(), "source, strength");
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::finite_numbers;

    same_on_devices! {
        fn sweeps(own: f32, straight: f32, diagonal: f32, weight: f32, of_diagonal: f32, momentum: f32, zero: f32) -> f32 {
            let rest = 1.0f32 - momentum;
            let weights = Weights { straight: weight, diagonal: of_diagonal, momentum, rest, zero };
            weights.after_sweep(own, straight, diagonal)
        } for finite_numbers().map(|row: [f32; 6]| {
            let [own, straight, diagonal, weight, of_diagonal, momentum] = row.map(f32::abs);
            (own, straight, diagonal, weight, of_diagonal, momentum.fract(), NEGATIVE_ZERO)
        }).chain([(1e-29, 1e-29, 1e-29, 0.5, 0.1, 0.9, NEGATIVE_ZERO), (1e-30, 0.0, 0.0, 1.0, 1.0, 0.9, NEGATIVE_ZERO)])
    }
}
