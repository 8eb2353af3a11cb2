//! A scene as tables of floats, in the order of its tree, which the CPU and devices render.

mod records;
mod tiles;

use std::sync::Arc;

use throng_core::InputError;
use throng_scene::{Falloff, Point, Scene};

use crate::bvh::{self, Bounds, Item, Tree};
use crate::rules::shape::{BOX, CAPSULE, PLANE, Quad, SPHERE, SceneView, TILE};

/// A shape as sixteen floats: twelve for its geometry, four for its material.
pub(crate) type Record = [f32; 16];

/// Bytes per shape in all tables: its record, a copy of it during sorting, its box, and its part of the tree.
const SHAPE_BYTES: u64 = 64 + 64 + 28 + 56 + 8;

/// A scene in the form that can be rendered. A clone shares the tables, and their copy on a device: a device that
/// renders several images of a scene in a row copies its tables once, and keeps them until the last clone is dropped.
#[derive(Debug, Clone)]
pub struct PackedScene {
    /// Shapes with bounds, in the order of the tree.
    pub(crate) records: Arc<[Record]>,
    /// Planes, which have no bounds; their slots come after those of `records`.
    pub(crate) planes: Arc<[Record]>,
    /// The id of each slot, planes at the end: the kind, and the index among shapes of that kind.
    pub(crate) ids: Arc<[u32]>,
    /// Albedo and height of the samples of height fields.
    pub(crate) samples: Arc<[[f32; 4]]>,
    /// Eight floats per light: position, intensity, and 1 if light weakens with distance.
    pub(crate) lights: Vec<[f32; 8]>,
    pub(crate) tree: Arc<Tree>,
    pub(crate) background: [f32; 3],
    pub(crate) ambient: [f32; 3],
    /// The center of a cube around all shapes except planes.
    pub(crate) center: [f32; 3],
    pub(crate) radius: f32,
    #[cfg(feature = "gpu")]
    pub(crate) on_device: crate::gpu::DeviceCopy,
}

impl PackedScene {
    /// Packs a scene and builds its tree.
    ///
    /// Cost: about a microsecond of processor time per shape.
    ///
    /// # Errors
    /// When [`Scene::check`] fails, or there are more than 2^26 shapes.
    pub fn new(scene: &Scene) -> Result<Self, InputError> {
        scene.check()?;
        check_memory(scene.shapes() as u64)?;
        let Scene { background, ambient, lights, spheres, planes, capsules, boxes, height_fields } = scene;
        let mut items = Vec::with_capacity(spheres.len() + capsules.len() + boxes.len());
        let mut records = Vec::with_capacity(items.capacity());
        let mut add = |kind: u32, number: usize, record: Record, bounds: Bounds| {
            items.push(Item { bounds, id: id(kind, number) });
            records.push(record);
        };
        for (i, sphere) in spheres.iter().enumerate() {
            let (record, bounds) = records::sphere(sphere);
            add(SPHERE, i, record, bounds);
        }
        for (i, capsule) in capsules.iter().enumerate() {
            let (record, bounds) = records::capsule(capsule);
            add(CAPSULE, i, record, bounds);
        }
        for (i, oriented) in boxes.iter().enumerate() {
            let (record, bounds) = records::oriented_box(oriented);
            add(BOX, i, record, bounds);
        }
        let mut samples = Vec::new();
        let mut tile_number = 0;
        for field in height_fields {
            tiles::of_field(field, &mut samples, &mut |record, bounds| {
                add(TILE, tile_number, record, bounds);
                tile_number += 1;
            });
        }
        let (tree, order) = bvh::build(&items);
        let whole = items.iter().fold(Bounds::EMPTY, |all, item| all.with(item.bounds));
        let (center, radius) = whole.cube();
        let of_planes = (0..planes.len()).map(|i| id(PLANE, i));
        Ok(Self {
            ids: order.iter().map(|&i| items[i as usize].id).chain(of_planes).collect(),
            records: order.iter().map(|&i| records[i as usize]).collect(),
            planes: planes.iter().map(records::plane).collect(),
            samples: samples.into(),
            lights: lights.iter().map(light).collect(),
            tree: Arc::new(tree),
            background: single(*background),
            ambient: single(*ambient),
            center,
            radius,
            #[cfg(feature = "gpu")]
            on_device: crate::gpu::DeviceCopy::default(),
        })
    }

    /// The same scene with its first lamp moved to a position; unchanged if it has no lamp.
    pub fn with_first_light_at(&self, position: Point) -> Self {
        let mut moved = self.clone();
        if let Some(light) = moved.lights.first_mut() {
            light[..3].copy_from_slice(&single(position));
        }
        moved
    }

    /// Number of shapes with bounds.
    pub fn shapes(&self) -> usize {
        self.records.len()
    }

    /// The hash of all tables, which identifies the scene of an image.
    pub fn hash(&self) -> u64 {
        let Self { records, planes, ids, samples, lights, background, ambient, .. } = self;
        let mut hash = throng_core::StateHash::new();
        let rest = [*background, *ambient];
        let tables = [
            records.as_flattened(),
            planes.as_flattened(),
            samples.as_flattened(),
            lights.as_flattened(),
            rest.as_flattened(),
        ];
        for (number, table) in (1_u64..).zip(tables) {
            for (i, value) in table.iter().enumerate() {
                hash.add(number << 40 | i as u64, &[value.to_bits().into()]);
            }
        }
        for (i, &id) in ids.iter().enumerate() {
            hash.add(i as u64, &[id.into()]);
        }
        hash.finish()
    }

    /// Size of all tables in bytes.
    pub fn bytes(&self) -> u64 {
        let Self { records, planes, ids, samples, lights, tree, .. } = self;
        let rest = 4 * ids.len() + 16 * samples.len() + 32 * lights.len() + tree.bytes();
        (64 * (records.len() + planes.len()) + rest) as u64
    }
}

/// Returns an error if there is too little memory for this many shapes.
pub(crate) fn check_memory(shapes: u64) -> Result<(), InputError> {
    let bytes = shapes.saturating_mul(SHAPE_BYTES);
    throng_core::check_memory(bytes, "scene", format_args!("{shapes} shapes"), "give fewer")
}

/// The id of a shape, from its kind and its index among shapes of that kind.
fn id(kind: u32, number: usize) -> u32 {
    kind << 28 | number as u32
}

/// The kind of an id.
pub(crate) fn kind_of(id: u32) -> u32 {
    id >> 28
}

pub(crate) fn single(point: Point) -> [f32; 3] {
    point.map(|part| part as f32)
}

fn light(light: &throng_scene::Light) -> [f32; 8] {
    let [x, y, z] = single(light.position);
    let [red, green, blue] = single(light.intensity);
    let weakens = if light.falloff == Falloff::InverseSquare { 1.0 } else { 0.0 };
    [x, y, z, red, green, blue, weakens, 0.0]
}

/// CubeCL's traits require a kernel type; this one is the type used on devices.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for PackedScene {
    type ExpandType = <crate::gpu::SceneTables as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl SceneView for PackedScene {
    #[inline(always)]
    fn quad(&self, slot: u32, part: u32) -> Quad {
        let slot = slot as usize;
        let record = self.records.get(slot).unwrap_or_else(|| &self.planes[slot - self.records.len()]);
        let at = 4 * part as usize;
        Quad { a: record[at], b: record[at + 1], c: record[at + 2], d: record[at + 3] }
    }

    #[inline(always)]
    fn sample(&self, at: u32) -> Quad {
        let [a, b, c, d] = self.samples[at as usize];
        Quad { a, b, c, d }
    }
}
