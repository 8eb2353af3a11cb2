//! Selects floating-point or fixed-point sums for the creation of fields.

use std::borrow::Borrow;

use throng_core::InputError;
use throng_pictures::Grid;

use super::incremental::{IncrementalField, IncrementalSums};
use super::sums::{Floats, Steps};
use super::{FixedPoint, by_tiles};
use crate::entities::{Entity, check_all};
use crate::field::{Field, check_memory_for_field};

/// How the charges of entities are added up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arithmetic {
    /// Whole steps: the same field on every executor.
    FixedPoint(FixedPoint),
    /// Single precision.
    Float,
}

impl Arithmetic {
    /// Returns the fixed-point settings, if any.
    pub fn fixed_point(self) -> Option<FixedPoint> {
        match self {
            Self::FixedPoint(fixed_point) => Some(fixed_point),
            Self::Float => None,
        }
    }

    /// Rejects entities that cannot be added up; each is given with its number of copies.
    ///
    /// # Errors
    /// As for [`FixedPoint::by_tiles`] or [`by_tiles`].
    pub fn check(self, grid: &Grid, entities: &[(&Entity, usize)]) -> Result<(), InputError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.check_many(grid, entities.iter().copied()),
            Self::Float => check_all(grid, entities.iter().map(|(entity, _)| *entity)),
        }
    }

    /// Computes the field of static entities.
    ///
    /// # Errors
    /// As for [`FixedPoint::by_tiles`] or [`by_tiles`].
    pub fn at_rest(self, grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
        match self {
            Self::FixedPoint(fixed_point) => fixed_point.by_tiles(grid, entities),
            Self::Float => by_tiles(grid, entities),
        }
    }

    /// Creates the field of entities that may be replaced one by one. The entities must have been checked. After each
    /// update the field equals [`Self::at_rest`], bit for bit.
    ///
    /// # Errors
    /// When the system has too little memory.
    pub fn incremental<E: Borrow<Entity> + Sync>(
        self,
        grid: &Grid,
        entities: &[E],
    ) -> Result<Box<dyn IncrementalField>, InputError> {
        check_memory_for_field(grid)?;
        Ok(match self {
            Self::FixedPoint(fixed_point) => Box::new(IncrementalSums::new(Steps(fixed_point.step()), grid, entities)),
            Self::Float => Box::new(IncrementalSums::new(Floats, grid, entities)),
        })
    }
}
