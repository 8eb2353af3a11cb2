//! The device or CPU that computes fields.

use std::sync::Arc;

use throng_core::InputError;
use throng_device::{Device, DeviceChoice, DeviceClass, DeviceInfo, inventory, open};
use throng_fields_core::creation::{Arithmetic, FixedPoint};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_pictures::Grid;

use super::errors::value_error;
use super::kept_field::KeptField;
use super::moving_fields::MovingFields;
use crate::gpu::{create, suitable};

/// A handle to the device or the CPU that computes fields. Clones share the device.
///
/// ```
/// use throng_fields::{DeviceChoice, Discs, Fields, Grid, Profile, Window};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 256, 256)?;
/// let at = [[20.5, 30.5], [90.5, 40.5]];
/// let discs = Discs::new(&at, Profile::linear(12.0)?)?;
/// let mut fields = Fields::open(DeviceChoice::Auto)?.moving(grid, discs)?;
/// let ids = fields.ids();
/// for step in 1..4u8 {
///     let to = at.map(|[x, y]| [x + f64::from(step), y]);
///     fields.move_many(&ids, &to)?;
///     fields.update()?;
///     let windows = [Window::around(&grid, to[0], 8.0)?, Window::around(&grid, to[1], 8.0)?];
///     let best = fields.best_in(&windows, 4)?;
///     assert_eq!((best[0][0].column, best[1][0].column), (20 + u32::from(step), 90 + u32::from(step)));
/// }
/// # Ok::<(), throng_fields::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fields {
    /// `None` for the CPU.
    device: Option<Arc<Device>>,
    reason: String,
    fixed_point: FixedPoint,
}

impl Fields {
    /// Opens the chosen device or the CPU. [`DeviceChoice::Auto`] selects the fastest GPU that computes the same fields
    /// as the CPU, or the CPU if there is none. It never selects a software device, which is not faster than the CPU.
    /// [`Fields::reason`] returns the reason for the selection. `parse` converts a name such as `"cuda:0"` into a
    /// choice.
    ///
    /// Opening a device for the first time in a program takes a few tenths of a second.
    ///
    /// # Errors
    /// When the named device does not exist, cannot be opened, or its arithmetic differs from the CPU's.
    pub fn open(choice: DeviceChoice) -> Result<Self, InputError> {
        match choice {
            DeviceChoice::Auto => Ok(Self::fastest()),
            DeviceChoice::Cpu => Ok(Self::on_cpu()),
            DeviceChoice::Device(id) => {
                let device = open(id).and_then(suitable).map_err(|error| value_error(error.into()))?;
                Ok(Self::on(device, "it was named".to_owned()))
            }
        }
    }

    /// The CPU, with all threads. Never fails.
    pub fn on_cpu() -> Self {
        Self { device: None, reason: "it was named".to_owned(), fixed_point: FixedPoint::default() }
    }

    fn on(device: Device, reason: String) -> Self {
        Self { device: Some(Arc::new(device)), reason, fixed_point: FixedPoint::default() }
    }

    fn fastest() -> Self {
        let all = inventory();
        let mut reasons: Vec<String> = all.missing.into_iter().map(|missing| missing.reason).collect();
        for info in &all.devices {
            if info.class == DeviceClass::Software {
                reasons.push(format!("{} is {}, which is taken only by its name", info.label(), info.class.name()));
                continue;
            }
            match info.open().and_then(suitable) {
                Ok(device) => return Self::on(device, format!("the fastest device is a {}", info.class.name())),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        Self { reason: format!("there is no GPU to use: {}", reasons.join("; ")), ..Self::on_cpu() }
    }

    /// Sets the step of fixed point; the default is that of [`FixedPoint::default`], 2^-16.
    pub fn with_fixed_point(self, fixed_point: FixedPoint) -> Self {
        Self { fixed_point, ..self }
    }

    /// The executor's name: `cpu`, or the id and the name of a device.
    pub fn executor(&self) -> String {
        self.device().map_or_else(|| "cpu".to_owned(), DeviceInfo::label)
    }

    /// Reason for the selection, for display.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The device; `None` for the CPU.
    pub fn device(&self) -> Option<&DeviceInfo> {
        self.device.as_ref().map(|device| device.info())
    }

    /// Creates a field whose entities can be added, moved and removed: [`Discs`](super::Discs) or any [`Entity`]s.
    /// Several fields may share a device.
    ///
    /// Values are whole steps of [fixed point](FixedPoint), so they do not depend on the executor.
    ///
    /// # Errors
    /// When an entity contains an invalid number, sums might not fit into 32 bits, or there is too little memory.
    pub fn moving(&self, grid: Grid, entities: impl IntoIterator<Item = Entity>) -> Result<MovingFields, InputError> {
        let arithmetic = Arithmetic::FixedPoint(self.fixed_point);
        let kept = KeptField::new(self.device.clone(), &grid, entities.into_iter().collect(), arithmetic);
        kept.map(MovingFields).map_err(value_error)
    }

    /// Computes the field of static entities, in [fixed point](FixedPoint).
    ///
    /// ```
    /// use throng_fields::{DeviceChoice, Entity, Fields, Grid, Profile};
    ///
    /// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
    /// let tower = Entity::new([20.5, 20.5], Profile::linear(8.0)?);
    /// let field = Fields::open(DeviceChoice::Auto)?.create(&grid, &[tower])?;
    /// assert_eq!(field.at(24, 20), Some(0.5));
    /// # Ok::<(), throng_fields::InputError>(())
    /// ```
    ///
    /// # Errors
    /// When an entity contains an invalid number, sums might not fit into 32 bits, there is too little memory, or the
    /// device fails.
    pub fn create(&self, grid: &Grid, entities: &[Entity]) -> Result<Field, InputError> {
        match &self.device {
            None => self.fixed_point.by_tiles(grid, entities),
            Some(device) => create(device, grid, entities, Some(self.fixed_point)).map_err(value_error),
        }
    }
}
