//! An entity of any kind, as kernels read it.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::world::Entities;

/// The columns of an entity of any kind.
#[derive(CubeType, Clone, Copy)]
pub struct EntityRecord {
    /// The entity's index in the columns.
    pub entity: u32,
    pub x: f32,
    pub y: f32,
    pub x_low: f32,
    pub y_low: f32,
    pub charge: f32,
    pub reach: f32,
    pub slope: f32,
    pub sin: f32,
    pub cos: f32,
    pub extent: f32,
    pub width: f32,
    pub units: f32,
    pub cells: f32,
    pub shape: u32,
    pub fall: u32,
    pub corners: u32,
    pub corner_count: u32,
    pub profile: u32,
    pub profile_count: u32,
}

#[cube]
impl EntityRecord {
    pub fn read(entities: &Entities, entity: u32) -> EntityRecord {
        EntityRecord {
            entity,
            x: entities.real(X, entity),
            y: entities.real(Y, entity),
            x_low: entities.real(X_LOW, entity),
            y_low: entities.real(Y_LOW, entity),
            charge: entities.real(CHARGE, entity),
            reach: entities.real(REACH, entity),
            slope: entities.real(SLOPE, entity),
            sin: entities.real(SIN, entity),
            cos: entities.real(COS, entity),
            extent: entities.real(EXTENT, entity),
            width: entities.real(WIDTH, entity),
            units: entities.real(UNITS, entity),
            cells: entities.real(CELLS, entity),
            shape: entities.word(SHAPE, entity),
            fall: entities.word(FALL, entity),
            corners: entities.word(CORNERS, entity),
            corner_count: entities.word(CORNER_COUNT, entity),
            profile: entities.word(PROFILE, entity),
            profile_count: entities.word(PROFILE_COUNT, entity),
        }
    }
}
