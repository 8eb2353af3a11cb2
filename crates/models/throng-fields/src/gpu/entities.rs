//! Entities in the memory of a device.

use std::borrow::Borrow;

use throng_core::InputError;
use throng_device::{Backend, Buffer, Device, DeviceError, Error, KernelParameter};
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::{Entity, check_all};
use throng_fields_core::placed::Placed;
use throng_fields_core::rules::fixed_point::Stepped;
use throng_pictures::{Grid, Sample};

use super::kernels::{Columns, Figures, How, ReplacedBuffers, ReplacementsBuffers, replace_entities};
use super::pack::{Packed, check_count, figures};
use super::tables::Tables;

/// Entities on a device, in the coordinates of a grid.
///
/// ```
/// use throng_device::{DeviceId, open};
/// use throng_fields::gpu::{DeviceEntities, DeviceField};
/// use throng_fields::{Entity, Grid, Profile, creation::FixedPoint};
///
/// # fn main() -> Result<(), throng_device::Error> {
/// let Ok(device) = open(DeviceId::parse("vulkan:0").expect("a device id")) else { return Ok(()) };
/// let grid = Grid::new([0.0, 0.0], 1.0, 100, 100)?;
/// let towers = [[20.2, 30.7], [24.9, 33.1]].map(|at| Profile::linear(10.0).map(|profile| Entity::new(at, profile)));
/// let towers = towers.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let fixed_point = FixedPoint::new(16)?;
/// let found = {
///     let entities = DeviceEntities::new(&device, &grid, &towers, Some(fixed_point))?;
///     assert_eq!(entities.len(), 2);
///     let field = DeviceField::new(&device, &grid)?;
///     field.create(&device, &entities)?;
///     field.read(&device)?
/// };
/// // In whole steps, sums are the same on every device.
/// assert_eq!(found, fixed_point.by_tiles(&grid, &towers)?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct DeviceEntities {
    pub(super) grid: Grid,
    pub(super) fixed_point: Option<FixedPoint>,
    pub(super) count: usize,
    pub(super) figures: Figures,
    pub(super) reals: Buffer<f32>,
    pub(super) words: Buffer<u32>,
    pub(super) tables: Buffer<f32>,
    /// The offsets of the entries of `tables`.
    known: Tables,
}

impl DeviceEntities {
    /// Copies entities to a device. With `fixed_point`, their fields are sums of whole steps.
    ///
    /// # Errors
    /// When an entity is invalid on the grid, there are too many, sums might not fit, device memory is insufficient, or
    /// `fixed_point` is given and the device's arithmetic differs from the CPU's.
    pub fn new(
        device: &Device,
        grid: &Grid,
        entities: &[Entity],
        fixed_point: Option<FixedPoint>,
    ) -> Result<Self, Error> {
        match fixed_point {
            Some(fixed_point) => fixed_point.check(grid, entities)?,
            None => check_all(grid, entities)?,
        }
        Self::of_checked(device, grid, entities, fixed_point)
    }

    /// Copies entities that have already been checked.
    pub(super) fn of_checked<E: Borrow<Entity>>(
        device: &Device,
        grid: &Grid,
        entities: &[E],
        fixed_point: Option<FixedPoint>,
    ) -> Result<Self, Error> {
        if fixed_point.is_some() {
            device.check_single_precision()?;
        }
        let figures = figures(entities.iter().map(Borrow::borrow));
        check_count(entities.len(), figures, fixed_point.is_some())?;
        let mut known = Tables::default();
        let packed = pack(grid, entities.iter().map(Borrow::borrow), fixed_point, figures, &mut known);
        let in_tables = known.missing().len();
        if in_tables > u32::MAX as usize {
            let remedy = format!("the maximum is {}: use fewer entities at a time", u32::MAX);
            return Err(InputError::one("entities, numbers in their tables", in_tables, remedy).into());
        }
        let tables = device.upload("entities: tables", known.missing())?;
        known.mark_copied();
        Ok(Self {
            grid: *grid,
            fixed_point,
            count: packed.count,
            figures,
            reals: device.upload("entities: numbers", &packed.reals)?,
            words: device.upload("entities: words", &packed.words)?,
            tables,
            known,
        })
    }

    /// Replaces entities by others, which have already been checked. Returns false if they cannot be replaced in place
    /// because they need tables that are not on the device yet, or another kernel.
    pub(super) fn replace<E: Borrow<Entity>>(
        &mut self,
        device: &Device,
        changed: &[(usize, E)],
    ) -> Result<bool, DeviceError> {
        let entities = || changed.iter().map(|(_, entity)| entity.borrow());
        if self.figures != Figures::Any && figures(entities()) != self.figures {
            return Ok(false);
        }
        let packed = pack(&self.grid, entities(), self.fixed_point, self.figures, &mut self.known);
        if !self.known.missing().is_empty() {
            self.known.discard_missing();
            return Ok(false);
        }
        let places: Vec<u32> = changed.iter().map(|(place, _)| *place as u32).collect();
        let places = device.upload("changed entities", &places)?;
        let (reals, words) = (
            device.upload("changed entities: numbers", &packed.reals)?,
            device.upload("changed entities: words", &packed.words)?,
        );
        let columns = |values: usize| (values / changed.len()) as u32;
        let columns = Columns {
            reals: columns(packed.reals.len()),
            words: columns(packed.words.len()),
            count: self.count as u32,
        };
        let new = ReplacementsBuffers { places: &places, reals: &reals, words: &words };
        let all = ReplacedBuffers { reals: &self.reals, words: &self.words };
        device.launch("replace entities", changed.len(), |client, cubes, dim| {
            let (new, all, count) = (new.arg(), all.arg(), changed.len() as u32);
            replace_entities::launch(client, cubes, dim, new, all, columns.arg(), count);
        })?;
        Ok(true)
    }

    /// The parameters of the kernel that sums these entities without lists, where each unit computes `rows` rows.
    pub(super) fn how(&self, device: &Device, rows: u32, layered: bool) -> How {
        How {
            figures: self.figures,
            fixed: self.fixed_point.is_some(),
            rows,
            listed: false,
            binned: false,
            layered,
            cuda: device.info().id.backend == Backend::Cuda,
        }
    }

    /// Copies entities to a device for [`Windows`](super::Windows), each of which has its own grid.
    ///
    /// # Errors
    /// As for [`DeviceEntities::new`].
    pub fn in_world(device: &Device, entities: &[Entity]) -> Result<Self, Error> {
        Self::new(device, &world()?, entities, None)
    }

    pub(super) fn is_of_world(&self) -> bool {
        world().is_ok_and(|world| world == self.grid) && self.fixed_point.is_none()
    }

    /// Number of entities.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Packs entities into columns.
fn pack<'e>(
    grid: &Grid,
    entities: impl Iterator<Item = &'e Entity> + Clone,
    fixed_point: Option<FixedPoint>,
    figures: Figures,
    tables: &mut Tables,
) -> Packed {
    let layers: Vec<u32> = entities.clone().map(|entity| entity.layers).collect();
    if let Some(fixed) = fixed_point {
        let stepped: Vec<Stepped> = entities.map(|entity| Stepped::new(grid, entity, fixed.step())).collect();
        return Packed::of_steps(&stepped, &layers, figures, tables);
    }
    let placed: Vec<Placed> = entities.map(|entity| Placed::new(grid, entity)).collect();
    Packed::of_floats(&placed, &layers, figures, tables)
}

/// A grid with an origin of (0, 0) and a cell size of 1, so that its coordinates equal world coordinates.
fn world() -> Result<Grid, InputError> {
    Ok(Grid::new([0.0, 0.0], 1.0, 1, 1)?.sampled_at(Sample::Corner))
}
