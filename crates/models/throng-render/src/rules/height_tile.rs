//! Tiles of height fields.

use throng_device::exact::{ieee_max, ieee_min, rounded_product};
use throng_device::prelude::*;

use super::FAR;
use super::ray::{Ray, inverse};
use super::vector::{Vector3, normalized};

/// Distance by which tiles extend beyond their edges, in cells.
pub const MARGIN: f32 = 1.0e-3;

/// A tile: up to 8 x 8 cells of a height field, each a bilinear patch between four samples.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// The corner with the lowest x and z.
    pub x: f32,
    pub z: f32,
    /// The height to which samples are relative.
    pub base: f32,
    /// Cells per unit of length.
    pub cells_per_x: f32,
    pub cells_per_z: f32,
    /// Numbers of cells.
    pub columns: f32,
    pub rows: f32,
}

/// The heights of the corners of a cell, named by their x and z.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Corners {
    pub h00: f32,
    pub h10: f32,
    pub h01: f32,
    pub h11: f32,
}

/// The patch of a cell: its column and row in a tile, and its corners.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    pub column: f32,
    pub row: f32,
    pub corners: Corners,
}

/// A ray in the cells of a tile: position and direction in cells, and the range of distances above the tile.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    pub u: f32,
    pub v: f32,
    pub du: f32,
    pub dv: f32,
    pub enter: f32,
    pub leave: f32,
}

/// A position in cells, relative to the corner of a tile.
#[cube]
#[inline(always)]
pub fn cells_from(position: f32, corner: f32, cells_per_length: f32, zero: f32) -> f32 {
    rounded_product(position - corner, cells_per_length, zero)
}

/// Converts a ray to the cells of a tile; `enter > leave` if it does not cross the tile.
#[cube]
#[inline(always)]
pub fn crossing(ray: Ray, tile: Tile, farthest: f32, zero: f32) -> Crossing {
    let (u, v) = (
        cells_from(ray.origin.x, tile.x, tile.cells_per_x, zero),
        cells_from(ray.origin.z, tile.z, tile.cells_per_z, zero),
    );
    let du = ray.direction.x * tile.cells_per_x;
    let dv = ray.direction.z * tile.cells_per_z;
    let (iu, iv) = (inverse(du), inverse(dv));
    // Extends slightly beyond the edges, so that neighbouring tiles leave no gap between them. The boxes of tiles are
    // extended twice as far.
    let margin = MARGIN.runtime();
    let (u0, u1) = ((-margin - u) * iu, (tile.columns + margin - u) * iu);
    let (v0, v1) = ((-margin - v) * iv, (tile.rows + margin - v) * iv);
    let enter = ieee_max(ieee_max(ieee_min(u0, u1), ieee_min(v0, v1)), 0.0f32);
    let leave = ieee_min(ieee_min(ieee_max(u0, u1), ieee_max(v0, v1)), farthest);
    Crossing { u, v, du, dv, enter, leave }
}

/// The column or row of the cell at a position, clamped to the tile.
#[cube]
#[inline(always)]
pub fn cell(position: f32, cells: f32) -> f32 {
    ieee_min(ieee_max(position.floor(), 0.0f32), cells - 1.0f32)
}

/// The distance at which a ray leaves a column of cells, relative to `column`.
#[cube]
#[inline(always)]
pub fn leaves_at(column: f32, position: f32, direction: f32) -> f32 {
    let edge = select(direction > 0.0f32, column + 1.0f32, column);
    let is_parallel = direction.abs() < 1.0e-20f32;
    let t = (edge - position) * inverse(direction);
    select(is_parallel, FAR, t)
}

/// The distance to the patch of a cell between `enter` and `leave`; [`FAR`] if there is no hit.
///
/// As a function of the distance, the ray's height above the patch is a quadratic polynomial.
#[cube]
#[inline(always)]
pub fn patch_distance(
    ray: Ray,
    tile: Tile,
    crossing: Crossing,
    patch: Patch,
    enter: f32,
    leave: f32,
    zero: f32,
) -> f32 {
    let corners = patch.corners;
    // Position at `enter`, relative to which distances are small numbers.
    let u = crossing.u - patch.column + rounded_product(enter, crossing.du, zero);
    let v = crossing.v - patch.row + rounded_product(enter, crossing.dv, zero);
    let y = ray.origin.y - tile.base + rounded_product(enter, ray.direction.y, zero);
    let slope_u = corners.h10 - corners.h00;
    let slope_v = corners.h01 - corners.h00;
    let twist = corners.h11 - corners.h10 - slope_v;
    let squared = twist * crossing.du * crossing.dv;
    let linear = rounded_product(slope_u, crossing.du, zero)
        + rounded_product(slope_v, crossing.dv, zero)
        + rounded_product(twist, rounded_product(u, crossing.dv, zero) + rounded_product(v, crossing.du, zero), zero)
        - ray.direction.y;
    let constant = corners.h00
        + rounded_product(slope_u, u, zero)
        + rounded_product(slope_v, v, zero)
        + rounded_product(twist * u, v, zero)
        - y;
    let discriminant = rounded_product(linear, linear, zero) - rounded_product(4.0f32 * squared, constant, zero);
    // Computes the solution that does not suffer from cancellation; the other one follows from the product of both.
    let root = ieee_max(discriminant, 0.0f32).sqrt();
    let sum = -0.5f32 * (linear + select(linear < 0.0f32, -root, root));
    let first = select(sum == 0.0f32, FAR, constant / select(sum == 0.0f32, 1.0f32, sum));
    let second = select(squared == 0.0f32, FAR, sum / select(squared == 0.0f32, 1.0f32, squared));
    let margin = -1.0e-3f32 * (leave - enter);
    let most = leave - enter - margin;
    let first = select(first >= margin && first <= most && enter + first > 0.0f32, first, FAR);
    let second = select(second >= margin && second <= most && enter + second > 0.0f32, second, FAR);
    let offset = ieee_min(first, second);
    select(discriminant >= 0.0f32 && offset < FAR, enter + offset, FAR)
}

/// The upward normal of a patch at a position in its cell.
#[cube]
#[inline(always)]
pub fn normal(tile: Tile, corners: Corners, u: f32, v: f32, zero: f32) -> Vector3 {
    let twist = corners.h11 - corners.h10 - corners.h01 + corners.h00;
    let slope_u = corners.h10 - corners.h00 + rounded_product(twist, v, zero);
    let slope_v = corners.h01 - corners.h00 + rounded_product(twist, u, zero);
    normalized(Vector3 { x: -slope_u * tile.cells_per_x, y: 1.0f32, z: -slope_v * tile.cells_per_z }, zero)
}

/// Bilinear interpolation between the four corners at a position in their cell.
#[cube]
#[inline(always)]
pub fn between(corners: Corners, u: f32, v: f32, zero: f32) -> f32 {
    let low = corners.h00 + rounded_product(u, corners.h10 - corners.h00, zero);
    let high = corners.h01 + rounded_product(u, corners.h11 - corners.h01, zero);
    low + rounded_product(v, high - low, zero)
}

#[cfg(test)]
mod tests {
    use throng_core::InputError;
    use throng_scene::{Camera, HeightField, Scene};

    use super::*;
    use crate::{Film, PackedScene, Settings};

    const FLAT: Tile = Tile { x: 0.0, z: 0.0, base: 0.0, cells_per_x: 1.0, cells_per_z: 1.0, columns: 1.0, rows: 1.0 };

    /// A ray leaves a curved cell slightly above its surface and hits it again: the other solution is just behind it.
    #[test]
    fn leaving_rays_hit_a_patch_again() {
        let corners = Corners { h00: 1.0, h10: 0.0, h01: 0.0, h11: 1.0 };
        let half = 0.5_f32.sqrt();
        let height = between(corners, 0.1, 0.1, -0.0);
        let origin = Vector3 { x: 0.1, y: height + 1e-4, z: 0.1 };
        let ray = Ray { origin, direction: Vector3 { x: half, y: 0.0, z: half } };
        let crossing = crossing(ray, FLAT, FAR, -0.0);
        let t =
            patch_distance(ray, FLAT, crossing, Patch { column: 0.0, row: 0.0, corners }, 0.0, crossing.leave, -0.0);
        // By symmetry at u = v = 0.9.
        assert!((t - 0.8 * 2.0_f32.sqrt()).abs() < 1e-3, "{t}");
    }

    /// Just outside the edge of a flat field, the boxes of the tree end where the surface ends.
    #[test]
    fn the_edge_of_a_flat_field_is_the_same_without_a_tree() -> Result<(), InputError> {
        let field = HeightField { spacing: [100.0; 2], columns: 9, heights: vec![0.0; 81], ..HeightField::default() };
        let packed = PackedScene::new(&Scene { height_fields: vec![field], ..Scene::default() })?;
        for x in [-0.3, -0.15, -0.05, 0.05, 799.95, 800.05, 800.3] {
            let camera =
                Camera { eye: [x, 600.0, 350.0], target: [x, 0.0, 350.0], up: [0.0, 0.0, -1.0], vfov_deg: 0.01 };
            let drawn = |tree: bool| {
                let settings = Settings { width: 5, height: 5, tree, ..Settings::default() };
                let mut film = Film::new(&settings)?;
                film.add_samples(&packed, &camera, &settings, 1);
                Ok::<_, InputError>(film)
            };
            assert!(drawn(true)? == drawn(false)?, "at x = {x}");
        }
        Ok(())
    }
}
