//! Overwrites the columns of changed entities, at unchanged indices.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

/// The numbers of columns of reals and of words, and the length of a column.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Columns {
    pub reals: u32,
    pub words: u32,
    pub count: u32,
}

/// Changed entities, and their indices among all.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Replacements {
    pub places: Array<u32>,
    pub reals: Array<f32>,
    pub words: Array<u32>,
}

/// All entities.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Replaced {
    pub reals: Array<f32>,
    pub words: Array<u32>,
}

/// Copies the columns of `changed` entities to the indices in `places`.
#[cube(launch)]
pub fn replace_entities(new: &Replacements, all: &mut Replaced, columns: &Columns, changed: u32) {
    let i = ABSOLUTE_POS as u32;
    if i < changed {
        let place = new.places[i as usize];
        for column in 0..columns.reals {
            all.reals[(column * columns.count + place) as usize] = new.reals[(column * changed + i) as usize];
        }
        for column in 0..columns.words {
            all.words[(column * columns.count + place) as usize] = new.words[(column * changed + i) as usize];
        }
    }
}
