//! The hits of a packet, and its tests against shapes.

#![allow(clippy::needless_range_loop, reason = "a lane has the same index in several arrays")]

use throng_device::exact::NEGATIVE_ZERO;

use super::lanes::{LANES, Lanes, Rays};
use super::walk::walk;
use crate::PackedScene;
use crate::bvh::Leaf;
use crate::rules::shape::{
    BOX, CAPSULE, PLANE, SPHERE, SceneView, TILE, capsule_of, oriented_box_of, tile_distance, tile_of,
};
use crate::rules::vector::Vector3;
use crate::rules::{FAR, plane, sphere};

/// -0, the argument `zero` of rounded products.
pub(super) const ZERO: f32 = NEGATIVE_ZERO as f32;

/// The slot of rays without a hit.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// The nearest hit of each ray so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hits {
    /// The distance of the hit or, before a hit, the maximum distance. Negative for inactive rays.
    pub t: Lanes,
    /// The slot of the shape.
    pub slot: [u32; LANES],
}

impl Hits {
    /// No hits, for rays with these maximum distances.
    #[inline(always)]
    pub fn none(farthest: Lanes) -> Self {
        Self { t: farthest, slot: [NO_SLOT; LANES] }
    }
}

/// Adds the hits with the shape in a slot. Ties go to the lowest id.
#[inline(always)]
fn add<const ANY: bool>(scene: &PackedScene, slot: u32, distances: &Lanes, hits: &mut Hits) {
    let mut are_equal = false;
    for lane in 0..LANES {
        let t = distances[lane];
        let is_nearer = t < hits.t[lane];
        are_equal |= t == hits.t[lane] && t < FAR;
        hits.slot[lane] = if is_nearer { slot } else { hits.slot[lane] };
        // A ray that ends at its first hit becomes inactive.
        let nearer = if ANY { -1.0 } else { t };
        hits.t[lane] = if is_nearer { nearer } else { hits.t[lane] };
    }
    if !ANY && are_equal {
        for lane in 0..LANES {
            let other = hits.slot[lane];
            let is_tie = distances[lane] == hits.t[lane] && other != NO_SLOT;
            if is_tie && scene.ids[slot as usize] < scene.ids[other as usize] {
                hits.slot[lane] = slot;
            }
        }
    }
}

/// The distances to the shape in a slot.
#[inline(always)]
fn distances(scene: &PackedScene, rays: &Rays, slot: u32, kind: u32, farthest: &Lanes) -> Lanes {
    let mut t = [FAR; LANES];
    let first = scene.quad(slot, 0);
    let vector = Vector3 { x: first.a, y: first.b, z: first.c };
    match kind {
        SPHERE => {
            for lane in 0..LANES {
                t[lane] = sphere::distance(rays.at(lane), vector, first.d, ZERO);
            }
        }
        PLANE => {
            for lane in 0..LANES {
                t[lane] = plane::distance(rays.at(lane), vector, first.d, ZERO);
            }
        }
        CAPSULE => {
            let shape = capsule_of(first, scene.quad(slot, 1));
            for lane in 0..LANES {
                t[lane] = crate::rules::capsule::distance(rays.at(lane), shape, ZERO);
            }
        }
        BOX => {
            let shape = oriented_box_of(first, scene.quad(slot, 1), scene.quad(slot, 2));
            for lane in 0..LANES {
                t[lane] = crate::rules::oriented_box::distance(rays.at(lane), shape, ZERO);
            }
        }
        TILE => {
            let shape = tile_of(first, scene.quad(slot, 1));
            for lane in 0..LANES {
                // Each ray has its own path from cell to cell.
                if farthest[lane] >= 0.0 {
                    t[lane] = tile_distance(scene, slot, shape, rays.at(lane), farthest[lane], ZERO);
                }
            }
        }
        _ => {}
    }
    t
}

/// Tests the rays against the shapes of a leaf.
#[inline(always)]
pub(super) fn test_leaf<const ANY: bool>(scene: &PackedScene, rays: &Rays, leaf: Leaf, hits: &mut Hits) {
    for slot in leaf.first..leaf.first + leaf.count {
        let distances = distances(scene, rays, slot, leaf.kind, &hits.t);
        add::<ANY>(scene, slot, &distances, hits);
    }
}

/// Finds the nearest hits or, with `ANY`, whether there is any hit.
#[inline(always)]
pub(super) fn trace<const ANY: bool>(scene: &PackedScene, rays: &Rays, with_tree: bool, hits: &mut Hits) {
    let shapes = scene.records.len() as u32;
    for slot in (shapes..).take(scene.planes.len()) {
        let distances = distances(scene, rays, slot, PLANE, &hits.t);
        add::<ANY>(scene, slot, &distances, hits);
    }
    if with_tree {
        walk::<ANY>(scene, rays, hits);
    } else {
        for slot in 0..shapes {
            let kind = crate::packed::kind_of(scene.ids[slot as usize]);
            let distances = distances(scene, rays, slot, kind, &hits.t);
            add::<ANY>(scene, slot, &distances, hits);
        }
    }
}
