//! Fields on a device.

use std::sync::Arc;

use throng_core::ValueError;
use throng_device::{Buffer, Device, DeviceError, GpuError};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::profile::Profile;
use throng_fields_core::query::Best;
use throng_pictures::Grid;

use super::entity_table::EntityTable;
use super::executor::Executor;
use super::later::Later;
use super::neutral::neutral;
use super::places::Places;
use super::there::There;
use super::window::Window;
use crate::gpu;
use crate::gpu::{DeviceEntities, DeviceField, KeptOnDevice};

/// A field in the memory of a device, for kernels that read it there.
#[derive(Debug, Clone, Copy)]
pub struct FieldOnDevice<'f> {
    /// The device.
    pub device: &'f Device,
    /// The values, row by row. Later updates write to the same memory.
    pub values: &'f Buffer<f32>,
}

/// A field on a device.
#[derive(Debug)]
pub(super) struct OnDevice {
    device: Arc<Device>,
    kept: KeptOnDevice,
}

impl OnDevice {
    /// The field of some entities, which have been checked.
    pub fn new(
        device: &Arc<Device>,
        grid: &Grid,
        entities: &[&Entity],
        fixed_point: FixedPoint,
    ) -> Result<Self, ValueError> {
        let spare = spare(grid, entities.first().copied())?;
        let all = padded(entities.iter().map(|&entity| Some(entity)), &spare);
        let kept = {
            let device = &**device;
            KeptOnDevice::new(device, grid, &all, Some(fixed_point))
        };
        Ok(Self { device: Arc::clone(device), kept: kept.map_err(of_gpu)? })
    }
}

/// The field of some entities, which have been checked, from tiles on a device.
pub(super) fn by_tiles_on(
    device: &Device,
    grid: &Grid,
    entities: &[Entity],
    fixed_point: FixedPoint,
) -> Result<Field, ValueError> {
    let created = || -> Result<Field, GpuError> {
        {
            let there = DeviceEntities::new(device, grid, entities, Some(fixed_point))?;
            let field = DeviceField::new(device, grid)?;
            field.create(device, &there)?;
            field.read(device)
        }
    };
    created().map_err(of_gpu)
}

/// Refuses a device that computes differently from the CPU.
pub(super) fn suitable(device: Device) -> Result<Device, DeviceError> {
    device.check_single_precision()?;
    Ok(device)
}

fn of_gpu(error: GpuError) -> ValueError {
    match error {
        GpuError::Value(error) => error,
        GpuError::Device(error) => neutral(&error),
    }
}

/// Farther away than any entity reaches, cells.
const FAR: f64 = 1e15;

/// The same entity so far away that it reaches no cell. It replaces a removed entity, so that kernels, tables and
/// columns stay as they are.
fn far_away(grid: &Grid, entity: &Entity) -> Entity {
    let position = grid.origin().map(|origin| origin + FAR * f64::from(grid.cell()));
    Entity { position, ..entity.clone() }
}

/// The entity in slots that are not used yet. It is of the kind of an existing entity, so that the same kernel applies.
fn spare(grid: &Grid, like: Option<&Entity>) -> Result<Entity, ValueError> {
    let disc = Entity::new(grid.origin(), Profile::linear(grid.cell())?);
    Ok(far_away(grid, like.unwrap_or(&disc)))
}

/// All slots, and a quarter more for new entities, so that most of these can be added without copying all others again.
fn padded<'e>(entities: impl ExactSizeIterator<Item = Option<&'e Entity>>, spare: &'e Entity) -> Vec<&'e Entity> {
    let more = entities.len() / 4 + 64;
    entities.map(|entity| entity.unwrap_or(spare)).chain(std::iter::repeat_n(spare, more)).collect()
}

impl Executor for OnDevice {
    fn update(&mut self, table: &EntityTable) -> Result<(), ValueError> {
        let grid = *self.kept.grid();
        let mut gone = Vec::new();
        for change in table.changes() {
            for entity in [change.before, change.now].into_iter().flatten() {
                self.kept.touch(entity);
            }
            if let (Some(before), None) = (change.before, change.now) {
                gone.push(far_away(&grid, before));
            }
        }
        let mut gone = gone.iter();
        let changed: Vec<(usize, &Entity)> = table
            .changes()
            .filter_map(|change| Some((change.slot as usize, change.now.or_else(|| gone.next())?)))
            .collect();
        let spare = spare(&grid, table.first())?;
        let kept = &mut self.kept;
        let updated = {
            let device = &*self.device;
            kept.bring(device, &changed, || padded(table.slots(), &spare)).and_then(|()| kept.remake(device))
        };
        updated.map(drop).map_err(of_gpu)
    }

    fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Later<Vec<Vec<Best>>>, ValueError> {
        let kept = &self.kept;
        let found = {
            let device = &*self.device;
            gpu::best_in_blocks(device, kept, windows, wanted)
        };
        let (words, blocks) = found.map_err(of_gpu)?;
        let grid = *kept.grid();
        Ok(Later::there(There::new(&self.device, words, move |words| blocks.decode(&grid, words))))
    }

    fn sample(&self, places: &Places) -> Result<Later<Vec<f32>>, ValueError> {
        let samples = {
            let device = &*self.device;
            gpu::sample(device, &self.kept, places)
        };
        let (samples, count) = (samples.map_err(|error| neutral(&error))?, places.cells().len());
        let decode = move |words: &[u32]| words[..count].iter().map(|&word| f32::from_bits(word)).collect();
        Ok(Later::there(There::new(&self.device, samples.words(), decode)))
    }

    fn gradients(&self, places: &Places) -> Result<Later<Vec<[f32; 2]>>, ValueError> {
        let slopes = {
            let device = &*self.device;
            gpu::slopes(device, &self.kept, places)
        };
        let slopes = slopes.map_err(|error| neutral(&error))?;
        let (count, cell) = (places.cells().len(), self.kept.grid().cell());
        // Devices may round divisions differently from the CPU.
        let decode = move |words: &[u32]| {
            let (slopes, _) = words[..2 * count].as_chunks::<2>();
            slopes.iter().map(|slope| slope.map(|word| f32::from_bits(word) / cell)).collect()
        };
        Ok(Later::there(There::new(&self.device, slopes.words(), decode)))
    }

    fn read(&self) -> Result<Later<Field>, ValueError> {
        let grid = *self.kept.grid();
        let decode = move |words: &[u32]| Field::new(grid, words.iter().map(|&word| f32::from_bits(word)).collect());
        let mut field = Later::there(There::new(&self.device, self.kept.values().words(), decode));
        // The next update writes to the same memory.
        field.begin()?;
        Ok(field)
    }

    fn on_device(&self) -> Option<FieldOnDevice<'_>> {
        Some(FieldOnDevice { device: &self.device, values: self.kept.values() })
    }
}
