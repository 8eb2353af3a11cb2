//! Height fields as tiles of 8 x 8 cells, which are shapes of the tree. The boxes of the tree hold the minimum and
//! maximum height of their contents, so a ray above the surface skips many tiles at once.

use throng_scene::HeightField;

use super::records::record;
use super::{Record, single};
use crate::bvh::Bounds;
use crate::rules::height_tile::MARGIN;

/// Cells per tile along each axis.
const CELLS: usize = 8;

/// Appends the samples of a field, and passes its tiles to `add`, row by row.
pub(super) fn of_field(field: &HeightField, samples: &mut Vec<[f32; 4]>, add: &mut dyn FnMut(Record, Bounds)) {
    let HeightField { origin, spacing, columns, heights, albedos, albedo, reflectance } = field;
    let first_sample = samples.len();
    samples.extend(heights.iter().enumerate().map(|(i, &height)| {
        let [red, green, blue] = single(albedos.get(i).copied().unwrap_or(*albedo));
        [red, green, blue, height as f32]
    }));
    let (columns, rows) = (*columns, field.rows());
    for row in (0..rows - 1).step_by(CELLS) {
        for column in (0..columns - 1).step_by(CELLS) {
            let (wide, deep) = (CELLS.min(columns - 1 - column), CELLS.min(rows - 1 - row));
            let of_row = |row: usize| &heights[row * columns + column..][..=wide];
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &height in (row..=row + deep).flat_map(of_row) {
                low = low.min(height);
                high = high.max(height);
            }
            let x = origin[0] + column as f64 * spacing[0];
            let z = origin[2] + row as f64 * spacing[1];
            // Rays find hits slightly beyond the edges, where the surface is extrapolated.
            let beyond = 2.0 * f64::from(MARGIN);
            let more = beyond * (high - low);
            let start = [x - beyond * spacing[0], origin[1] + low - more, z - beyond * spacing[1]];
            let end = [
                x + (wide as f64 + beyond) * spacing[0],
                origin[1] + high + more,
                z + (deep as f64 + beyond) * spacing[1],
            ];
            let geometry = [
                x as f32,
                z as f32,
                origin[1] as f32,
                0.0,
                (1.0 / spacing[0]) as f32,
                (1.0 / spacing[1]) as f32,
                wide as f32,
                deep as f32,
                // Indices of samples are below 2^24, which floats represent exactly.
                (first_sample + row * columns + column) as f32,
                columns as f32,
                0.0,
                0.0,
            ];
            add(record(geometry, *albedo, *reflectance), Bounds::new(start, end));
        }
    }
}
