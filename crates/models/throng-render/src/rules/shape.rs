//! The shapes of a packed scene: the distance at which a ray hits one, and the surface there.

use throng_device::exact::{ieee_max, ieee_min, rounded_product};
use throng_device::prelude::*;

use super::FAR;
use super::capsule::{self, Capsule};
use super::height_tile::{self, Corners, Patch, Tile};
use super::oriented_box::{self, OrientedBox};
use super::path::Material;
use super::ray::{Ray, facing, point_at};
use super::sphere;
use super::vector::Vector3;

/// Kinds of shapes, with the values used in ids.
pub const SPHERE: u32 = 0;
pub const PLANE: u32 = 1;
pub const CAPSULE: u32 = 2;
pub const BOX: u32 = 3;
pub const TILE: u32 = 4;

/// Four floats of a packed scene.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Quad {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
}

/// Access to the tables of a packed scene.
#[cube]
pub trait SceneView {
    /// A quarter of the record of a shape: 0 to 2 contain its geometry, 3 its material.
    fn quad(&self, slot: u32, part: u32) -> Quad;
    /// A sample of a height field: albedo and height.
    fn sample(&self, at: u32) -> Quad;
}

/// The surface at a hit.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    pub point: Vector3,
    /// The normal on the side that the ray comes from.
    pub normal: Vector3,
    pub material: Material,
}

/// The capsule of a record.
#[cube]
#[inline(always)]
pub fn capsule_of(first: Quad, second: Quad) -> Capsule {
    Capsule {
        from: Vector3 { x: first.a, y: first.b, z: first.c },
        axis: Vector3 { x: second.a, y: second.b, z: second.c },
        length: second.d,
        radius: first.d,
    }
}

/// The box of a record.
#[cube]
#[inline(always)]
pub fn oriented_box_of(first: Quad, second: Quad, third: Quad) -> OrientedBox {
    OrientedBox {
        center: Vector3 { x: first.a, y: first.b, z: first.c },
        half: Vector3 { x: first.d, y: second.d, z: third.d },
        first: Vector3 { x: second.a, y: second.b, z: second.c },
        second: Vector3 { x: third.a, y: third.b, z: third.c },
    }
}

/// The tile of a record.
#[cube]
#[inline(always)]
pub fn tile_of(first: Quad, second: Quad) -> Tile {
    Tile {
        x: first.a,
        z: first.b,
        base: first.c,
        cells_per_x: second.a,
        cells_per_z: second.b,
        columns: second.c,
        rows: second.d,
    }
}

/// The distance to a shape; [`FAR`] if there is no hit. The search in a tile ends at `farthest`.
#[cube]
pub fn distance<V: SceneView>(view: &V, slot: u32, kind: u32, ray: Ray, farthest: f32, zero: f32) -> f32 {
    let first = view.quad(slot, 0u32);
    #[allow(unused_assignments, reason = "a kernel has to declare it with a value")]
    let mut t = FAR.runtime();
    if kind == SPHERE {
        t = sphere::distance(ray, Vector3 { x: first.a, y: first.b, z: first.c }, first.d, zero);
    } else {
        let second = view.quad(slot, 1u32);
        if kind == CAPSULE {
            t = capsule::distance(ray, capsule_of(first, second), zero);
        } else if kind == BOX {
            t = oriented_box::distance(ray, oriented_box_of(first, second, view.quad(slot, 2u32)), zero);
        } else {
            t = tile_distance::<V>(view, slot, tile_of(first, second), ray, farthest, zero);
        }
    }
    t
}

/// The distance to a tile, found cell by cell along the ray.
#[cube]
pub fn tile_distance<V: SceneView>(view: &V, slot: u32, tile: Tile, ray: Ray, farthest: f32, zero: f32) -> f32 {
    let third = view.quad(slot, 2u32);
    let crossing = height_tile::crossing(ray, tile, farthest, zero);
    let mut enter = crossing.enter + 0.0f32;
    let mut t = FAR.runtime();
    // A ray enters a new column or row in each pass.
    let most = (tile.columns + tile.rows) as u32 + 2u32;
    let mut passes = 0u32;
    let mut column = height_tile::cell(crossing.u + rounded_product(enter, crossing.du, zero), tile.columns);
    let mut row = height_tile::cell(crossing.v + rounded_product(enter, crossing.dv, zero), tile.rows);
    while enter <= crossing.leave && passes < most && t == FAR {
        let at = (third.a as u32) + (row as u32) * (third.b as u32) + (column as u32);
        let corners = corners::<V>(view, at, third.b as u32);
        let to_column = height_tile::leaves_at(column, crossing.u, crossing.du);
        let to_row = height_tile::leaves_at(row, crossing.v, crossing.dv);
        let next = ieee_max(ieee_min(ieee_min(to_column, to_row), crossing.leave), enter);
        t = height_tile::patch_distance(ray, tile, crossing, Patch { column, row, corners }, enter, next, zero);
        let is_column = to_column <= to_row;
        let before_column = column + 0.0f32;
        let before_row = row + 0.0f32;
        if is_column {
            column = height_tile::cell(column + select(crossing.du > 0.0f32, 1.0f32, -1.0f32), tile.columns);
        } else {
            row = height_tile::cell(row + select(crossing.dv > 0.0f32, 1.0f32, -1.0f32), tile.rows);
        }
        // Ends the loop at the edge of the tile.
        passes = select(column == before_column && row == before_row, most, passes + 1u32);
        enter = next;
    }
    // Hits at exactly `farthest` count, since the caller resolves ties by id.
    select(t <= farthest, t, FAR)
}

/// The corners of the cell whose first sample is `at`.
#[cube]
fn corners<V: SceneView>(view: &V, at: u32, per_row: u32) -> Corners {
    Corners {
        h00: view.sample(at).d,
        h10: view.sample(at + 1u32).d,
        h01: view.sample(at + per_row).d,
        h11: view.sample(at + per_row + 1u32).d,
    }
}

/// The surface of a shape at the distance at which a ray hits it.
#[cube]
#[inline(always)]
pub fn surface<V: SceneView>(view: &V, slot: u32, kind: u32, ray: Ray, t: f32, zero: f32) -> Surface {
    let point = point_at(ray, t, zero);
    let first = view.quad(slot, 0u32);
    let material = view.quad(slot, 3u32);
    let mut x = first.a + 0.0f32;
    let mut y = first.b + 0.0f32;
    let mut z = first.c + 0.0f32;
    let mut red = material.a + 0.0f32;
    let mut green = material.b + 0.0f32;
    let mut blue = material.c + 0.0f32;
    // The record of a plane starts with its normal.
    if kind == SPHERE {
        let normal = sphere::normal(point, Vector3 { x: first.a, y: first.b, z: first.c }, first.d);
        x = normal.x;
        y = normal.y;
        z = normal.z;
    } else if kind == CAPSULE {
        let normal = capsule::normal(point, capsule_of(first, view.quad(slot, 1u32)), zero);
        x = normal.x;
        y = normal.y;
        z = normal.z;
    } else if kind == BOX {
        let shape = oriented_box_of(first, view.quad(slot, 1u32), view.quad(slot, 2u32));
        let normal = oriented_box::normal(point, shape, zero);
        x = normal.x;
        y = normal.y;
        z = normal.z;
    } else if kind == TILE {
        let tile = tile_of(first, view.quad(slot, 1u32));
        let third = view.quad(slot, 2u32);
        let u = height_tile::cells_from(point.x, tile.x, tile.cells_per_x, zero);
        let v = height_tile::cells_from(point.z, tile.z, tile.cells_per_z, zero);
        let column = height_tile::cell(u, tile.columns);
        let row = height_tile::cell(v, tile.rows);
        let (u, v) = (u - column, v - row);
        let per_row = third.b as u32;
        let at = (third.a as u32) + (row as u32) * per_row + (column as u32);
        let normal = height_tile::normal(tile, corners::<V>(view, at, per_row), u, v, zero);
        x = normal.x;
        y = normal.y;
        z = normal.z;
        let (s00, s10) = (view.sample(at), view.sample(at + 1u32));
        let (s01, s11) = (view.sample(at + per_row), view.sample(at + per_row + 1u32));
        red = height_tile::between(Corners { h00: s00.a, h10: s10.a, h01: s01.a, h11: s11.a }, u, v, zero);
        green = height_tile::between(Corners { h00: s00.b, h10: s10.b, h01: s01.b, h11: s11.b }, u, v, zero);
        blue = height_tile::between(Corners { h00: s00.c, h10: s10.c, h01: s01.c, h11: s11.c }, u, v, zero);
    }
    let normal = facing(Vector3 { x, y, z }, ray.direction, zero);
    let albedo = Vector3 { x: red, y: green, z: blue };
    Surface { point, normal, material: Material { albedo, reflectance: material.d } }
}
