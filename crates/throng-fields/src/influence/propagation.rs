//! Propagation with decay and momentum, after Champandard's tutorial on influence maps: each tick a cell takes the
//! strongest influence of its neighbours, weakened by the way, and keeps a share of what it had.

use rayon::prelude::*;

use crate::error::{FieldError, finite, not_negative};
use crate::field::Field;
use crate::grid::{Grid, NEIGHBOURS};
use crate::query::Mask;

/// How influence spreads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Propagation {
    /// How fast influence fades on its way, per world unit: a source of strength 1 is felt as `exp(-decay * way)`.
    pub decay: f32,
    /// The share of its old value that a cell keeps in a tick, from 0 up to but not including 1: memory against
    /// quickness. Some published code calls the complement momentum.
    pub momentum: f32,
}

impl Propagation {
    fn check(self) -> Result<(), FieldError> {
        not_negative("propagation, decay", self.decay)?;
        if (0.0..1.0).contains(&self.momentum) {
            Ok(())
        } else {
            Err(FieldError::new("propagation, momentum", self.momentum, "expected is a share from 0 to below 1"))
        }
    }
}

/// The influence of one team. Every team has a map of its own, because the stronger of two opposite influences depends on
/// the order in which cells are looked at.
///
/// ```
/// use throng_fields::{Grid, influence::{InfluenceMap, Propagation}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 16, 1)?;
/// let mut map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, None)?;
/// map.set_source(0, 0, 1.0)?;
/// map.tick(16);
/// assert!((map.at(10, 0).unwrap() - (-1.0f32).exp()).abs() < 1e-5);
/// # Ok::<(), throng_fields::FieldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct InfluenceMap {
    grid: Grid,
    propagation: Propagation,
    /// Where influence can go.
    open: Option<Mask>,
    /// Cells whose value is given, in order of index.
    sources: Vec<(usize, f32)>,
    values: Vec<f32>,
    next: Vec<f32>,
}

impl InfluenceMap {
    /// A map without influence. `open` says through which cells influence goes; walls stay at 0.
    ///
    /// # Errors
    /// When decay or momentum are out of their range, or the mask has another size.
    pub fn new(grid: Grid, propagation: Propagation, open: Option<Mask>) -> Result<Self, FieldError> {
        propagation.check()?;
        open.as_ref().map_or(Ok(()), |open| open.check(&grid))?;
        let zeros = vec![0.0; grid.cells()];
        Ok(Self { grid, propagation, open, sources: Vec::new(), next: zeros.clone(), values: zeros })
    }

    /// Gives a cell its strength, 0 or more, which it has again after each tick; 0 makes it a cell like others.
    ///
    /// # Errors
    /// When the cell is outside the grid or a wall, or the strength is negative or no number.
    pub fn set_source(&mut self, column: u32, row: u32, strength: f32) -> Result<(), FieldError> {
        finite("source, strength", strength)?;
        not_negative("source, strength", strength)?;
        let cell = self.grid.expect("source", (column, row))?;
        if !self.is_open(column, row) {
            let place = format!("source at ({column}, {row})");
            return Err(FieldError::new(place, "a wall", "sources are on open cells"));
        }
        let at = self.sources.partition_point(|source| source.0 < cell);
        let known = self.sources.get(at).is_some_and(|source| source.0 == cell);
        match (known, strength > 0.0) {
            (true, true) => self.sources[at].1 = strength,
            (true, false) => drop(self.sources.remove(at)),
            (false, true) => self.sources.insert(at, (cell, strength)),
            (false, false) => {}
        }
        if strength > 0.0 {
            self.values[cell] = strength;
        }
        Ok(())
    }

    fn is_open(&self, column: u32, row: u32) -> bool {
        self.open.as_ref().is_none_or(|open| open.allows(column, row))
    }

    /// Lets influence spread by `sweeps` cells. Returns the largest change of a cell in the last sweep, so that a caller can
    /// stop when there is hardly any.
    pub fn tick(&mut self, sweeps: u32) -> f32 {
        let mut change = 0.0;
        for _ in 0..sweeps {
            change = self.sweep();
        }
        change
    }

    /// One sweep over all cells, from the values before it.
    fn sweep(&mut self) -> f32 {
        let Self { grid, propagation, open, sources, values, next } = self;
        let straight = (-propagation.decay * grid.cell()).exp();
        let diagonal = (-propagation.decay * grid.cell() * std::f32::consts::SQRT_2).exp();
        let momentum = propagation.momentum;
        next.par_chunks_mut(grid.columns() as usize).enumerate().for_each(|(row, next)| {
            for (column, next) in next.iter_mut().enumerate() {
                let (column, row) = (column as u32, row as u32);
                if open.as_ref().is_some_and(|open| !open.allows(column, row)) {
                    continue;
                }
                let mut strongest = 0.0f32;
                for (dx, dy) in NEIGHBOURS {
                    // Walls have no influence, and so hand none on.
                    if let Some(cell) = grid.find(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy)) {
                        let weight = if dx == 0 || dy == 0 { straight } else { diagonal };
                        strongest = strongest.max(values[cell] * weight);
                    }
                }
                let old = values[grid.index(column, row)];
                *next = momentum * old + (1.0 - momentum) * strongest;
            }
        });
        for &(cell, strength) in &*sources {
            next[cell] = strength;
        }
        std::mem::swap(values, next);
        values.iter().zip(&*next).map(|(new, old)| (new - old).abs()).fold(0.0, f32::max)
    }

    /// The influence of a cell; `None` outside the grid.
    pub fn at(&self, column: u32, row: u32) -> Option<f32> {
        self.grid.find(column, row).map(|cell| self.values[cell])
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
    fn along_a_corridor_influence_fades_exponentially() {
        for momentum in [0.0, 0.6] {
            let mut map = map(60, 1, 0.25, momentum, |_, _| true);
            map.set_source(0, 0, 8.0).unwrap();
            while map.tick(20) > 0.0 {}
            for column in 0..60 {
                let expected = 8.0 * (-0.25 * 0.5 * column as f32).exp();
                let found = map.at(column, 0).unwrap();
                assert!((found / expected - 1.0).abs() < 1e-4, "{column}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn influence_goes_round_walls_and_never_through_them() {
        // A wall from the top down, with a gap in the last row.
        let mut round = map(21, 11, 0.1, 0.0, |column, row| column != 10 || row == 10);
        round.set_source(9, 0, 1.0).unwrap();
        round.tick(60);
        assert_eq!(round.at(10, 5), Some(0.0));
        let behind = round.at(11, 0).unwrap();
        // Down to the gap and up again, two steps of these diagonal where they can be: 10 rows there, 10 rows back.
        let way = 0.5 * (2.0 * 9.0 + 2.0 * std::f32::consts::SQRT_2);
        assert!((behind / (-0.1 * way).exp() - 1.0).abs() < 1e-4, "{behind}");
        let mut closed = map(21, 11, 0.1, 0.0, |column, _| column != 10);
        closed.set_source(9, 0, 1.0).unwrap();
        closed.tick(100);
        assert!((11..21).all(|column| (0..11).all(|row| closed.at(column, row) == Some(0.0))));
    }

    #[test]
    fn no_cell_is_ever_stronger_than_the_strongest_source() {
        let mut map = map(30, 30, 0.0, 0.3, |column, row| (column * 7 + row * 13) % 5 != 0);
        map.set_source(2, 1, 3.0).unwrap();
        map.set_source(21, 17, 2.0).unwrap();
        for _ in 0..200 {
            map.tick(1);
            assert!(map.field().values().iter().all(|&value| (0.0..=3.0).contains(&value)));
        }
    }

    #[test]
    fn a_source_that_goes_is_forgotten_at_the_pace_of_momentum() {
        let mut map = map(3, 1, 10.0, 0.5, |_, _| true);
        map.set_source(1, 0, 4.0).unwrap();
        map.tick(1);
        map.set_source(1, 0, 0.0).unwrap();
        map.tick(1);
        let found = map.at(1, 0).unwrap();
        assert!((found - 2.0).abs() < 0.02, "{found}");
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let place = |decay, momentum| InfluenceMap::new(grid, Propagation { decay, momentum }, None).unwrap_err().place;
        assert_eq!(place(-1.0, 0.0), "propagation, decay");
        assert_eq!(place(0.1, 1.0), "propagation, momentum");
        assert_eq!(place(0.1, f32::NAN), "propagation, momentum");
        let mut map = map(4, 4, 0.1, 0.0, |column, _| column > 0);
        assert_eq!(map.set_source(4, 0, 1.0).unwrap_err().place, "source at (4, 0)");
        assert_eq!(map.set_source(0, 0, 1.0).unwrap_err().value, "a wall");
        assert_eq!(map.set_source(1, 0, -1.0).unwrap_err().place, "source, strength");
    }
}
