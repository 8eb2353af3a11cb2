//! A packed scene on a device.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::sync::{Arc, Mutex, PoisonError};

use throng_device::cubecl::{self, prelude::*};
use throng_device::{Buffer, Device, DeviceError, DeviceId, KernelArrays};

use crate::PackedScene;
use crate::rules::shape::{Quad, SceneView, SceneViewExpand};

/// Four floats that are read in one access.
pub type Four = Vector<f32, Const<4>>;

/// The tables of a [`PackedScene`].
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct SceneTables {
    /// Four elements per slot; planes are at the end.
    pub records: Array<Four>,
    /// Albedo and height.
    pub samples: Array<Four>,
    /// Two elements per lamp: position, intensity and falloff.
    pub lights: Array<Four>,
    /// Three elements per node.
    pub boxes: Array<Four>,
    /// Two children per node.
    pub children: Array<u32>,
    /// The id of each slot.
    pub ids: Array<u32>,
}

/// Unpacks four floats of a table.
#[cube]
#[inline(always)]
pub fn quad(four: Four) -> Quad {
    Quad { a: four[0], b: four[1], c: four[2], d: four[3] }
}

#[cube]
impl SceneView for SceneTables {
    fn quad(&self, slot: u32, part: u32) -> Quad {
        quad(self.records[(slot * 4u32 + part) as usize])
    }

    fn sample(&self, at: u32) -> Quad {
        quad(self.samples[at as usize])
    }
}

/// Replaces an empty table by one element of `len` values, because devices have no empty buffers.
fn non_empty<T: Copy + Default>(mut table: Vec<T>, len: usize) -> Vec<T> {
    if table.is_empty() {
        table.resize(len, T::default());
    }
    table
}

/// The tables of a scene on the device that drew it most recently. A clone shares them.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeviceCopy(Arc<Mutex<Option<(DeviceId, SceneTablesBuffers)>>>);

impl DeviceCopy {
    /// The tables of the scene, which are copied to the device if they are not there yet. Lights are always copied:
    /// scenes that differ only in their lights share the other tables.
    pub fn tables(&self, device: &Device, scene: &PackedScene) -> Result<SceneTablesBuffers, DeviceError> {
        // If a thread panics while it holds the lock, the copy is complete or missing.
        let mut copy = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = device.info().id;
        let (_, tables) = match copy.take().filter(|(owner, _)| *owner == id) {
            Some(kept) => copy.insert(kept),
            None => copy.insert((id, SceneTablesBuffers::upload(device, scene)?)),
        };
        Ok(tables.with_lights(lights(device, scene)?))
    }
}

/// Copies the lights of a scene to a device.
fn lights(device: &Device, scene: &PackedScene) -> Result<Buffer<f32>, DeviceError> {
    device.upload("lights", &non_empty(scene.lights.as_flattened().to_vec(), 8))
}

impl SceneTablesBuffers {
    /// Copies a scene to a device.
    fn upload(device: &Device, scene: &PackedScene) -> Result<Self, DeviceError> {
        let mut records = scene.records.as_flattened().to_vec();
        records.extend_from_slice(scene.planes.as_flattened());
        Ok(Self {
            records: device.upload("shapes", &non_empty(records, 16))?,
            samples: device.upload("samples of height fields", &non_empty(scene.samples.as_flattened().to_vec(), 4))?,
            lights: lights(device, scene)?,
            boxes: device.upload("boxes of the tree", &non_empty(scene.tree.boxes.as_flattened().to_vec(), 12))?,
            children: device.upload("nodes of the tree", &non_empty(scene.tree.children.as_flattened().to_vec(), 2))?,
            ids: device.upload("ids of shapes", &non_empty(scene.ids.to_vec(), 1))?,
        })
    }

    /// The same tables with other lights.
    fn with_lights(&self, lights: Buffer<f32>) -> Self {
        let Self { records, samples, lights: _, boxes, children, ids } = self;
        Self {
            records: records.clone(),
            samples: samples.clone(),
            lights,
            boxes: boxes.clone(),
            children: children.clone(),
            ids: ids.clone(),
        }
    }

    /// Tables for a new order of shapes: lamps and samples are shared, the others are uninitialised.
    pub fn like(&self, device: &Device, shapes: usize) -> Result<Self, DeviceError> {
        let nodes = shapes.max(2) - 1;
        let tables = Self {
            records: device.empty("shapes", self.records.len())?,
            samples: self.samples.clone(),
            lights: self.lights.clone(),
            boxes: device.empty("boxes of the tree", 12 * nodes)?,
            children: device.empty("nodes of the tree", 2 * nodes)?,
            ids: device.empty("ids of shapes", self.ids.len())?,
        };
        Ok(tables)
    }
}
