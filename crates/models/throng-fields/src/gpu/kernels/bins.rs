//! The entities that may reach each tile, counted and written in entity order. The caller sorts them by tile.

use throng_device::cubecl::prelude::*;
use throng_device::{KernelArrays, KernelParameter, cubecl};

use super::super::record::CULL;
use super::sums::{TILE_COLUMNS, UNIT_ROWS};
use super::world::{Entities, Figures};

/// The size of a raster in tiles.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct TileRaster {
    pub columns: u32,
    pub rows: u32,
}

/// A half-open range of tiles.
#[derive(CubeType, Clone, Copy)]
struct Touched {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

/// The tiles that the square around an entity's circle touches; empty if the square is outside the grid.
#[cube]
fn touched(
    entities: &Entities,
    entity: u32,
    tiles: &TileRaster,
    #[comptime] figures: Figures,
    #[comptime] rows: u32,
) -> Touched {
    let cull = entities.real(CULL, entity);
    let x = entities.real(comptime!(figures.middle()[0]), entity);
    let y = entities.real(comptime!(figures.middle()[1]), entity);
    let height = comptime!((UNIT_ROWS * rows) as f32);
    let width = comptime!(TILE_COLUMNS as f32);
    Touched {
        left: tile_at((x - cull) / width, tiles.columns),
        right: tile_at((x + cull) / width + 1.0f32, tiles.columns),
        top: tile_at((y - cull) / height, tiles.rows),
        bottom: tile_at((y + cull) / height + 1.0f32, tiles.rows),
    }
}

/// The index of a tile along one axis, clamped to the grid.
#[cube]
fn tile_at(place: f32, count: u32) -> u32 {
    u32::cast_from(f32::min(f32::max(place, 0.0f32), f32::cast_from(count)))
}

/// Counts the tiles that each entity touches.
#[cube(launch)]
pub fn count_tiles(
    entities: &Entities,
    counts: &mut Array<u32>,
    tiles: &TileRaster,
    #[comptime] figures: Figures,
    #[comptime] rows: u32,
) {
    let entity = ABSOLUTE_POS as u32;
    if entity < entities.count {
        let touched = touched(entities, entity, tiles, figures, rows);
        counts[entity as usize] = (touched.right - touched.left) * (touched.bottom - touched.top);
    }
}

/// Tiles, and the index of an entity for each.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct TileList {
    pub listed: Array<u32>,
    pub members: Array<u32>,
}

/// Writes the tiles that each entity touches, each with the entity's index, starting at the entity's offset in
/// `places`.
#[cube(launch)]
pub fn list_tiles(
    entities: &Entities,
    places: &Array<u32>,
    list: &mut TileList,
    tiles: &TileRaster,
    #[comptime] figures: Figures,
    #[comptime] rows: u32,
) {
    let entity = ABSOLUTE_POS as u32;
    if entity < entities.count {
        let touched = touched(entities, entity, tiles, figures, rows);
        let mut at = places[entity as usize];
        for row in touched.top..touched.bottom {
            for column in touched.left..touched.right {
                list.listed[at as usize] = row * tiles.columns + column;
                list.members[at as usize] = entity;
                at += 1u32;
            }
        }
    }
}

/// Finds the start of each tile in a sorted list of `len` tile indices, plus one entry for the end.
#[cube(launch)]
pub fn find_starts(sorted: &Array<u32>, len: u32, starts: &mut Array<u32>, tiles: u32) {
    let i = ABSOLUTE_POS as u32;
    if i <= len {
        let mut from = 0u32;
        if i > 0u32 {
            from = sorted[i as usize - 1] + 1u32;
        }
        let mut to = tiles;
        if i < len {
            to = sorted[i as usize];
        }
        for tile in from..to + 1u32 {
            starts[tile as usize] = i;
        }
    }
}
