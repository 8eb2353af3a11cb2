//! The arithmetic of the layers of a scenario.

use std::borrow::Borrow;

use throng_core::InputError;
use throng_pictures::Grid;

use super::kept::{Kept, KeptSums};
use super::sums::{Floats, Steps};
use super::{FixedPoint, by_tiles};
use crate::entities::{Entity, check_all};
use crate::field::{Field, room_for_field};

/// How the charges of entities are added up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arithmetic {
    /// Whole steps: the same field on every executor.
    FixedPoint(FixedPoint),
    /// Single precision.
    Float,
}

impl Arithmetic {
    /// The steps, if there are any.
    pub fn fixed_point(self) -> Option<FixedPoint> {
        match self {
            Self::FixedPoint(fixed_point) => Some(fixed_point),
            Self::Float => None,
        }
    }

    /// Refuses entities, of each of which there are several, that cannot be added up.
    ///
    /// # Errors
    /// As for [`FixedPoint::by_tiles`] or [`by_tiles`].
    pub fn check(self, grid: &Grid, entities: &[(&Entity, usize)]) -> Result<(), InputError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.check_many(grid, entities.iter().copied()),
            Self::Float => check_all(grid, entities.iter().map(|(entity, _)| *entity)),
        }
    }

    /// The field of entities that do not move.
    ///
    /// # Errors
    /// As for [`FixedPoint::by_tiles`] or [`by_tiles`].
    pub fn at_rest(self, grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.by_tiles(grid, entities),
            Self::Float => by_tiles(grid, entities),
        }
    }

    /// The field of entities, which were checked, that may be replaced one by one. After each update it is bit for bit the
    /// one at rest.
    ///
    /// # Errors
    /// When the system has too little memory.
    pub fn kept<E: Borrow<Entity> + Sync>(self, grid: &Grid, entities: &[E]) -> Result<Box<dyn Kept>, InputError> {
        room_for_field(grid)?;
        Ok(match self {
            Self::FixedPoint(fixed_point) => Box::new(KeptSums::new(Steps(fixed_point.step()), grid, entities)),
            Self::Float => Box::new(KeptSums::new(Floats, grid, entities)),
        })
    }
}
