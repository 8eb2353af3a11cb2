//! The tiles of a grid that cubes compute.

use throng_fields_core::placed::Placed;
use throng_pictures::Grid;

use super::kernels::{TILE_COLUMNS, UNIT_ROWS};

/// The tiles of a grid, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiles {
    pub columns: u32,
    pub rows: u32,
    /// Rows of cells that each unit computes.
    pub unit_rows: u32,
}

/// Number of cubes that keeps a large device busy.
const ENOUGH_CUBES: u32 = 512;

impl Tiles {
    /// Chooses tiles with as many rows per unit as possible, so that entities are tested less often, while leaving
    /// enough tiles to occupy the whole device.
    pub fn of(grid: &Grid) -> Self {
        let [large, medium, small] = [16, 4, 1].map(|unit_rows| Self {
            columns: grid.columns().div_ceil(TILE_COLUMNS),
            rows: grid.rows().div_ceil(UNIT_ROWS * unit_rows),
            unit_rows,
        });
        [large, medium].into_iter().find(|tiles| tiles.count() >= ENOUGH_CUBES).unwrap_or(small)
    }

    pub fn count(self) -> u32 {
        self.columns * self.rows
    }

    /// The tiles that an entity may reach, and possibly a few more.
    pub fn touched(self, entity: &Placed) -> impl Iterator<Item = u32> {
        let reach = entity.farthest();
        let range = |at: f32, side: u32, count: u32| {
            let tile = |cell: f64| (cell / f64::from(side)).floor().clamp(-1.0, f64::from(count)) as i64;
            let (at, reach) = (f64::from(at), f64::from(reach));
            let (from, to) = (tile(at - reach - 1.0).max(0), tile(at + reach + 1.0) + 1);
            from as u32..to.min(i64::from(count)) as u32
        };
        let columns = range(entity.position[0], TILE_COLUMNS, self.columns);
        let rows = range(entity.position[1], UNIT_ROWS * self.unit_rows, self.rows);
        rows.flat_map(move |row| columns.clone().map(move |column| row * self.columns + column))
    }
}
