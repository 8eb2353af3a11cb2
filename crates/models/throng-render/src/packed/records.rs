//! Shapes as records, with their bounds.

use throng_scene::{Capsule, OrientedBox, Plane, Point, Sphere, difference, length, normalized};

use super::{Record, single};
use crate::bvh::Bounds;

/// Combines geometry and material.
pub(super) fn record(geometry: [f32; 12], albedo: [f64; 3], reflectance: f64) -> Record {
    let mut record = [0.0; 16];
    record[..12].copy_from_slice(&geometry);
    record[12..15].copy_from_slice(&single(albedo));
    record[15] = reflectance as f32;
    record
}

pub(super) fn sphere(sphere: &Sphere) -> (Record, Bounds) {
    let Sphere { center, radius, albedo, reflectance } = *sphere;
    let [x, y, z] = single(center);
    let geometry = [x, y, z, radius as f32, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    (record(geometry, albedo, reflectance), Bounds::around(center, [radius; 3]))
}

pub(super) fn capsule(capsule: &Capsule) -> (Record, Bounds) {
    let Capsule { from, to, radius, albedo, reflectance } = *capsule;
    let long = length(difference(to, from));
    // For a capsule that is a sphere, any direction will do.
    let axis = if long > 0.0 { normalized(difference(to, from)) } else { [0.0, 1.0, 0.0] };
    let ([x, y, z], [ax, ay, az]) = (single(from), single(axis));
    let geometry = [x, y, z, radius as f32, ax, ay, az, long as f32, 0.0, 0.0, 0.0, 0.0];
    let bounds = Bounds::around(from, [radius; 3]).with(Bounds::around(to, [radius; 3]));
    (record(geometry, albedo, reflectance), bounds)
}

pub(super) fn oriented_box(shape: &OrientedBox) -> (Record, Bounds) {
    let axes = shape.axes();
    let [[ax, ay, az], [bx, by, bz], _] = axes.map(single);
    let ([x, y, z], [hx, hy, hz]) = (single(shape.center), single(shape.half_size));
    let geometry = [x, y, z, hx, ax, ay, az, hy, bx, by, bz, hz];
    let reach: Point = std::array::from_fn(|i| (0..3).map(|k| axes[k][i].abs() * shape.half_size[k]).sum());
    (record(geometry, shape.albedo, shape.reflectance), Bounds::around(shape.center, reach))
}

/// A plane as a record; it has no bounds.
pub(super) fn plane(plane: &Plane) -> Record {
    let Plane { normal, offset, albedo, reflectance } = *plane;
    let scale = length(normal);
    let [x, y, z] = single(normalized(normal));
    let offset = (offset / scale) as f32;
    record([x, y, z, offset, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], albedo, reflectance)
}
