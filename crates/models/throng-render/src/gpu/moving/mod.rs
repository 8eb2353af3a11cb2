//! Moving scenes, whose tree the device rebuilds for each image.
//!
//! Shapes are sorted along a space-filling curve (Morton codes), and the bits of their codes define the tree (Karras,
//! "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees", 2012). The boxes of nodes are computed
//! from a second, complete tree over the sorted shapes, which is built level by level, and in which any range of shapes
//! is covered by a few nodes. So no two units write to the same address, and no unit waits for another.

mod kernels;
mod morton;
use throng_device::{Buffer, Device, DeviceError, KernelParameter, primitives};
use throng_model::Failure;
use throng_scene::{Camera, Point, difference, length};

use super::film::DeviceFilm;
use super::tables::SceneTablesBuffers;
use crate::packed::single;
use crate::{PackedScene, Picture, Settings, Tone};
use kernels::{LeavesBuffers, Room, ShapesBuffers, SortedShapesBuffers, TreeNodesBuffers, UnsortedBuffers};

/// Number of floats per shape.
pub const SHAPE_NUMBERS: usize = 16;

/// A scene on a device whose shapes are moved by other kernels.
pub struct MovingScene<'d> {
    device: &'d Device,
    /// The shapes in their original order, without planes.
    shapes: Buffer<f32>,
    /// The id of each shape.
    ids: Buffer<u32>,
    numbers: Buffer<u32>,
    room: Room,
    film: DeviceFilm<&'d Device>,
}

impl<'d> MovingScene<'d> {
    /// Copies the initial state of a scene. The two corners define the room; shapes that leave it may be drawn with
    /// gaps.
    ///
    /// # Errors
    /// When [`Settings::check`] fails, the scene has height fields, which cannot move, or the device lacks memory.
    pub fn new(
        device: &'d Device,
        scene: &PackedScene,
        settings: &Settings,
        [low, high]: [Point; 2],
    ) -> Result<Self, Failure> {
        settings.check()?;
        if !scene.samples.is_empty() {
            return Err(Failure::input("height_field", "is in a scene that moves", "leave it out"));
        }
        let mut film = DeviceFilm::new(device, scene, settings)?;
        let shapes = scene.records.as_flattened();
        let shapes = if shapes.is_empty() { &[0.0; SHAPE_NUMBERS][..] } else { shapes };
        let ids: Vec<u32> = scene.ids.iter().copied().chain([0]).collect();
        let numbers: Vec<u32> = (0..scene.records.len().max(1) as u32).collect();
        let center = std::array::from_fn(|i| f64::midpoint(low[i], high[i]));
        let radius = length(difference(high, low)) as f32 / 2.0;
        film.set_room(single(center), radius);
        let [x, y, z] = single(low);
        // Ten bits per axis.
        let per_length = std::array::from_fn(|i| (1024.0 / (high[i] - low[i]).max(1e-30)) as f32);
        let [per_x, per_y, per_z]: [f32; 3] = per_length;
        let room = Room { x, y, z, per_x, per_y, per_z, shapes: scene.records.len() as u32 };
        let (shapes, ids) = (device.upload("shapes", shapes)?, device.upload("ids of shapes", &ids)?);
        Ok(Self { device, shapes, ids, numbers: device.upload("indices of shapes", &numbers)?, room, film })
    }

    /// The shapes, for kernels that move them: sixteen floats per shape, in the order of the packed scene, without
    /// planes. None of the floats is an index.
    pub fn shapes(&self) -> &Buffer<f32> {
        &self.shapes
    }

    /// Builds the tree for the current shapes, and starts a new image.
    ///
    /// # Errors
    /// When the device fails, or has too little memory.
    pub fn rebuild(&mut self) -> Result<(), DeviceError> {
        let shapes = self.room.shapes as usize;
        if shapes > 0 {
            let scene = self.tree(shapes)?;
            self.film.set_scene(scene);
        }
        self.film.clear()
    }

    /// Sorts the shapes and builds their tree.
    fn tree(&self, shapes: usize) -> Result<SceneTablesBuffers, DeviceError> {
        let (device, room) = (self.device, self.room);
        let codes = device.empty::<u32>("Morton codes", shapes)?;
        device.launch("Morton codes", shapes, |client, cubes, dim| {
            let shapes = ShapesBuffers { shapes: &self.shapes, ids: &self.ids };
            kernels::codes::launch(client, cubes, dim, shapes.arg(), codes.arg(), room.arg());
        })?;
        let sorted = primitives::sort_by_key(device, &codes, &self.numbers, shapes, 30)?;

        let tables = self.film.scene().like(device, shapes)?;
        let leaves = shapes.next_power_of_two();
        let ranges = device.empty::<f32>("boxes of ranges", 2 * 6 * leaves)?;
        let (before, planes) = (self.film.scene(), self.film.planes());
        let unsorted = UnsortedBuffers {
            shapes: &self.shapes,
            ids: &self.ids,
            order: &sorted.payload,
            before: &before.records,
            ids_before: &before.ids,
        };
        let gathered = SortedShapesBuffers { shapes: &tables.records, ids: &tables.ids, ranges: &ranges };
        device.launch("sorting shapes", leaves.max(shapes + planes as usize), |client, cubes, dim| {
            let (unsorted, gathered) = (unsorted.arg(), gathered.arg());
            kernels::gather::launch(client, cubes, dim, unsorted, gathered, room.shapes, planes, leaves as u32);
        })?;
        let (mut from, mut count) = (0, leaves / 2);
        while count > 0 {
            device.launch("boxes of ranges", count, |client, cubes, dim| {
                kernels::merge::launch(client, cubes, dim, ranges.arg(), from as u32, count as u32);
            })?;
            from += 2 * count;
            count /= 2;
        }
        device.launch("nodes of the tree", (shapes - 1).max(1), |client, cubes, dim| {
            let of = LeavesBuffers { codes: &sorted.keys, ids: &tables.ids, ranges: &ranges };
            let tree = TreeNodesBuffers { boxes: &tables.boxes, children: &tables.children };
            kernels::nodes::launch(client, cubes, dim, of.arg(), tree.arg(), room.shapes, leaves as u32);
        })?;
        Ok(tables)
    }

    /// Adds samples to each pixel.
    ///
    /// # Errors
    /// When the device fails.
    pub fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), DeviceError> {
        self.film.add_samples(camera, more)
    }

    /// Waits until all samples have been added.
    ///
    /// # Errors
    /// When the device fails.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.film.wait()
    }

    /// The image of the samples so far.
    ///
    /// # Errors
    /// When the device fails.
    pub fn picture(&self, tone: Tone) -> Result<Picture, DeviceError> {
        self.film.picture(tone)
    }

    /// The sums of the samples of all pixels, row after row.
    ///
    /// # Errors
    /// When the device fails.
    pub fn sums(&self) -> Result<Vec<[f32; 3]>, DeviceError> {
        self.film.sums()
    }
}
