//! Creation in fixed point: the same field, bit for bit, on every executor and for any order of the entities.

use throng_core::{InputError, counted};
use throng_pictures::Grid;

use super::sums::Steps;
use super::tiles::sum_of_steps;
use crate::entities::{Entity, check_all};
use crate::field::{Field, check_memory_for_field};
use crate::rules::fixed_point::{Stepped, check, value};

/// Sums of integer steps instead of floating-point numbers, so that the result depends neither on the order of the
/// entities nor on the device.
///
/// Values are exact to one step per entity, and profiles to one unit of at most 1/16,384 of the reach. Around Euclidean
/// rings, units are at most 1/16,384 of the sum of radius and reach, and never more than 1/4096 of the reach; profiles
/// are exact to 2.3 units, because radius and centre are integer numbers of units, too. Positions of entities relative
/// to the grid have double precision; positions relative to other shapes have single precision, a four-millionth of the
/// shape's size. Bells end after 14 standard deviations, where they are negligible.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, creation::FixedPoint};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 32, 32)?;
/// let tower = Entity::new([16.5, 16.5], Profile::linear(8.0)?);
/// let field = FixedPoint::default().every_pair(&grid, &[tower])?;
/// assert_eq!((field.at(16, 16), field.at(20, 16)), (Some(1.0), Some(0.5)));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedPoint {
    bits: u32,
}

impl Default for FixedPoint {
    /// Steps of 2^-16.
    fn default() -> Self {
        Self { bits: 16 }
    }
}

impl FixedPoint {
    /// Steps of 2^-`bits`.
    ///
    /// # Errors
    /// When there are more than 24 bits.
    pub fn new(bits: u32) -> Result<Self, InputError> {
        if bits > 24 {
            return Err(InputError::one("fixed point, fractional bits", bits, "expected at most 24"));
        }
        Ok(Self { bits })
    }

    /// The value of a step.
    pub fn step(self) -> f32 {
        1.0 / steps_in_one(self.bits) as f32
    }

    /// Computes the field from every pair of cell and entity: the definition.
    ///
    /// # Errors
    /// When an entity has a number that is not finite, a ring or a piece of a profile is too small or too large for
    /// distances in whole units, sums might not fit into 32 bits, or the system has too little memory.
    pub fn every_pair(self, grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
        self.check(grid, entities)?;
        check_memory_for_field(grid)?;
        let stepped: Vec<Stepped> = entities.iter().map(|entity| Stepped::new(grid, entity, self.step())).collect();
        let mut values = Vec::with_capacity(grid.cells());
        for row in 0..grid.rows() {
            for column in 0..grid.columns() {
                let steps: i32 = stepped.iter().map(|entity| entity.steps(column, row)).sum();
                values.push(value(steps, self.step()));
            }
        }
        Ok(Field::new(*grid, values))
    }

    /// Computes the same field in parallel. Cost: as for [`by_tiles`](super::by_tiles()).
    ///
    /// # Errors
    /// As for [`FixedPoint::every_pair`].
    pub fn by_tiles(self, grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
        self.check(grid, entities)?;
        check_memory_for_field(grid)?;
        Ok(sum_of_steps(grid, entities, Steps(self.step())))
    }

    /// Rejects the entities that [`Self::every_pair`] rejects.
    pub fn check(self, grid: &Grid, entities: &[Entity]) -> Result<(), InputError> {
        self.check_many(grid, entities.iter().map(|entity| (entity, 1)))
    }

    /// The same as [`Self::check`], for entities with their number of copies.
    pub fn check_many<'e>(
        self,
        grid: &Grid,
        entities: impl Iterator<Item = (&'e Entity, usize)> + Clone,
    ) -> Result<(), InputError> {
        check_all(grid, entities.clone().map(|(entity, _)| entity))?;
        for (i, (entity, _)) in entities.clone().enumerate() {
            check(grid, entity).map_err(|error| error.within(&format!("entity {i}")))?;
        }
        let max_sum = entities.clone().map(|(entity, count)| largest_charge(entity) * count as f64).sum();
        self.check_sum(ENTITIES, max_sum, entities.map(|(_, count)| count).sum())
    }

    /// The maximum number of steps that an entity adds to a cell, rounded up.
    fn max_steps(self, entity: &Entity) -> u64 {
        (largest_charge(entity) * steps_in_one(self.bits)).ceil() as u64
    }

    /// Rejects a sum of maximum amounts, in `max_sum`, that might not fit into 32 bits; `what` names it in the error.
    pub(crate) fn check_sum(self, what: &str, max_sum: f64, entities: usize) -> Result<(), InputError> {
        // The contribution of each entity may be rounded by half a step, and by floating-point arithmetic before.
        let room = f64::from(i32::MAX) * (1.0 - 1e-6) - entities as f64;
        let fits = |bits: u32| max_sum * steps_in_one(bits) < room;
        if fits(self.bits) {
            return Ok(());
        }
        let remedy = match (0..self.bits).rev().find(|&bits| fits(bits)) {
            Some(bits) => format!(
                "with {}, fixed point holds at most {}; use at most {}",
                counted(self.bits.into(), "fractional bit"),
                room / steps_in_one(self.bits),
                counted(bits.into(), "bit")
            ),
            None => "no number of fractional bits suffices for that; use smaller charges, or floating point".to_owned(),
        };
        Err(InputError::one(what, max_sum, remedy))
    }
}

/// The name of the sum of entities in errors.
const ENTITIES: &str = "entities, sum of all charges";

/// The number of steps of a value of 1, with this number of fractional bits.
fn steps_in_one(bits: u32) -> f64 {
    f64::from(1u32 << bits)
}

/// The maximum amount that an entity adds to a cell.
fn largest_charge(entity: &Entity) -> f64 {
    f64::from(entity.max_contribution())
}

/// The part of the value range that the sums of entities may use; entities may be replaced one by one.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    fixed: FixedPoint,
    entities: usize,
    /// In integer steps, so that it stays exact after any number of replacements.
    taken: u64,
}

impl Room {
    /// Computes the range that some entities use.
    ///
    /// # Errors
    /// When [`FixedPoint::check`] rejects the entities.
    pub fn new(fixed: FixedPoint, grid: &Grid, entities: &[Entity]) -> Result<Self, InputError> {
        fixed.check(grid, entities)?;
        let taken = entities.iter().map(|entity| fixed.max_steps(entity)).sum();
        Self { fixed, entities: entities.len(), taken }.checked()
    }

    /// Adds an entity, which must be valid in fixed point.
    ///
    /// # Errors
    /// When sums might not fit into 32 bits.
    pub fn with(self, entity: &Entity) -> Result<Self, InputError> {
        let taken = self.taken.saturating_add(self.fixed.max_steps(entity));
        Self { taken, entities: self.entities + 1, ..self }.checked()
    }

    /// Removes an existing entity.
    pub fn without(self, entity: &Entity) -> Self {
        Self { taken: self.taken - self.fixed.max_steps(entity), entities: self.entities - 1, ..self }
    }

    fn checked(self) -> Result<Self, InputError> {
        self.fixed.check_sum(ENTITIES, self.taken as f64 * f64::from(self.fixed.step()), self.entities)?;
        Ok(self)
    }
}
