//! Overwrites the columns of changed entities, at unchanged indices.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelParameter, cubecl};

/// The numbers of columns of reals and of words, and the length of a column.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct Columns {
    pub reals: u32,
    pub words: u32,
    pub count: u32,
}

/// Copies the columns of `changed` entities to the indices in `places`.
#[cube(launch)]
pub fn replace_entities(
    places: &Array<u32>,
    new_reals: &Array<f32>,
    new_words: &Array<u32>,
    reals: &mut Array<f32>,
    words: &mut Array<u32>,
    columns: &Columns,
    changed: u32,
) {
    let i = ABSOLUTE_POS as u32;
    if i < changed {
        let place = places[i as usize];
        for column in 0..columns.reals {
            reals[(column * columns.count + place) as usize] = new_reals[(column * changed + i) as usize];
        }
        for column in 0..columns.words {
            words[(column * columns.count + place) as usize] = new_words[(column * changed + i) as usize];
        }
    }
}
