//! The arithmetic of the layers of a scenario.

use throng_core::ValueError;
use throng_pictures::Grid;

use super::{FixedPoint, MovingField, by_tiles};
use crate::entities::{Entity, check_all};
use crate::field::Field;

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
    pub fn check(self, grid: &Grid, entities: &[(&Entity, usize)]) -> Result<(), ValueError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.check_many(grid, entities.iter().copied()),
            Self::Float => check_all(grid, entities.iter().map(|(entity, _)| *entity)),
        }
    }

    /// The field of entities that do not move.
    ///
    /// # Errors
    /// As for [`FixedPoint::by_tiles`] or [`by_tiles`].
    pub fn at_rest(self, grid: &Grid, entities: &[Entity]) -> Result<Field, ValueError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.by_tiles(grid, entities),
            Self::Float => by_tiles(grid, entities),
        }
    }

    /// The field of entities that move.
    ///
    /// # Errors
    /// As for [`MovingField::in_fixed_point`] or [`MovingField::new`].
    pub fn moving(self, grid: &Grid, entities: Vec<Entity>) -> Result<MovingField, ValueError> {
        match self {
            Self::FixedPoint(fixed_point) => MovingField::in_fixed_point(grid, entities, fixed_point),
            Self::Float => MovingField::new(grid, entities),
        }
    }
}
