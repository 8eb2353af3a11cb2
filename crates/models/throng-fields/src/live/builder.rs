//! The builder of fields on any executor.

use throng_device::{DeviceError, Error, Executor, Needs, On};
use throng_fields_core::creation::{Arithmetic, FixedPoint};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_pictures::Grid;

use super::dynamic_field::DynamicField;
use crate::gpu::create;

/// Builds a [`DynamicField`], or computes the field of entities once. Without [`FieldBuilder::on`] it takes the fastest
/// GPU that computes the same fields as the CPU, or the CPU if there is none.
///
/// ```
/// use throng_fields::{DeviceChoice, DynamicField, Entity, Grid, Profile};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 64, 64)?;
/// let tower = Entity::new([20.5, 20.5], Profile::linear(8.0)?);
/// let field = DynamicField::builder(grid).entities([tower]).on(DeviceChoice::Auto).compute()?;
/// assert_eq!(field.at(24, 20), Some(0.5));
/// # Ok::<(), throng_fields::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` or `compute` is called"]
pub struct FieldBuilder {
    grid: Grid,
    entities: Vec<Entity>,
    arithmetic: Arithmetic,
    on: On,
}

impl FieldBuilder {
    pub(super) fn new(grid: Grid) -> Self {
        let arithmetic = Arithmetic::FixedPoint(FixedPoint::default());
        Self { grid, entities: Vec::new(), arithmetic, on: On::default() }
    }

    /// Adds entities, such as [`Discs`](super::Discs).
    pub fn entities(mut self, entities: impl IntoIterator<Item = Entity>) -> Self {
        self.entities.extend(entities);
        self
    }

    /// Sets the arithmetic. The default is fixed point in steps of 2^-16: all values and results of queries are then
    /// bit-identical on every executor. In floats they are the same up to rounding.
    pub fn arithmetic(self, arithmetic: Arithmetic) -> Self {
        Self { arithmetic, ..self }
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// fields.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds a field whose entities can be added, moved and removed.
    ///
    /// # Errors
    /// If an entity is invalid on the grid, sums in fixed point might not fit into 32 bits, there is too little memory,
    /// or the device does not exist, cannot be opened, or computes differently from the CPU.
    pub fn build(self) -> Result<DynamicField, Error> {
        let executor = executor(self.on)?;
        DynamicField::new(executor, &self.grid, self.entities, self.arithmetic)
    }

    /// Computes the field of the entities once.
    ///
    /// # Errors
    /// As for [`FieldBuilder::build`].
    pub fn compute(self) -> Result<Field, Error> {
        match executor(self.on)?.shared_device() {
            None => Ok(self.arithmetic.at_rest(&self.grid, &self.entities)?),
            Some(device) => create(device, &self.grid, &self.entities, self.arithmetic.fixed_point()),
        }
    }
}

/// The executor, whose device has to compute the same fields as the CPU.
fn executor(on: On) -> Result<Executor, DeviceError> {
    on.executor(&Needs { check: &crate::gpu::check_arithmetic, ..Needs::default() })
}
