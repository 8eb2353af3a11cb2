//! The field of a layer, which follows its entities, in fixed point: bit for bit the same on the CPU and on every device.

use throng_device::{AnyDevice, with_device};
use throng_fields::creation::FixedPoint;
use throng_fields::gpu::{GpuError, MovingDeviceField};
use throng_fields::layers::{Combination, LayerStack};
use throng_fields::{Entity, Field, FieldError, Grid};

use super::scenario::Figure;

/// Numbers below this one are exact in single precision.
const EXACT: f64 = 16_777_216.0;

/// A layer and who is in it.
#[derive(Debug)]
pub(super) struct LayerField {
    /// Those that never move, and those that do, by their place among all entities.
    still: Vec<usize>,
    moving: Vec<usize>,
    maker: Maker,
    field: Field,
}

#[derive(Debug)]
enum Maker {
    /// The sum of what never moves, made once, and what does. Both are whole steps, and so is their sum; it is exact as
    /// long as it fits into single precision.
    Sum(Box<LayerStack>),
    /// All together.
    Whole,
    Device(Box<MovingDeviceField>),
}

impl LayerField {
    pub(super) fn new(
        grid: &Grid,
        number: usize,
        figures: &[Figure],
        fixed_point: FixedPoint,
        device: Option<&AnyDevice>,
    ) -> Result<Self, GpuError> {
        let members = (0..figures.len()).filter(|&i| figures[i].entity.layers >> number & 1 == 1);
        let (moving, still): (Vec<usize>, Vec<usize>) = members.partition(|&i| figures[i].patrol.is_some());
        let of = |members: &[usize]| -> Vec<Entity> { members.iter().map(|&i| figures[i].entity.clone()).collect() };
        let all: Vec<Entity> = [of(&still), of(&moving)].concat();
        if let Some(device) = device.filter(|_| !all.is_empty()) {
            let (made, field) = with_device!(device, |device| {
                let made = MovingDeviceField::new(device, grid, all, Some(fixed_point))?;
                let field = made.read(device)?;
                (made, field)
            });
            return Ok(Self { still, moving, maker: Maker::Device(Box::new(made)), field });
        }
        if moving.is_empty() || !is_exact(&all, fixed_point) {
            let field = fixed_point.by_tiles(grid, &all)?;
            return Ok(Self { still, moving, maker: Maker::Whole, field });
        }
        let parts = vec![fixed_point.by_tiles(grid, &of(&still))?, fixed_point.by_tiles(grid, &of(&moving))?];
        let parts = LayerStack::of(parts)?;
        let field = sum(&parts)?;
        Ok(Self { still, moving, maker: Maker::Sum(Box::new(parts)), field })
    }

    /// The field as of the last time it followed.
    pub(super) fn field(&self) -> &Field {
        &self.field
    }

    /// Follows the entities, all of which are given. Returns whether anything was made anew.
    pub(super) fn follow(
        &mut self,
        entities: &[Entity],
        fixed_point: FixedPoint,
        device: Option<&AnyDevice>,
    ) -> Result<bool, GpuError> {
        if self.moving.is_empty() {
            return Ok(false);
        }
        let grid = *self.field.grid();
        let of = |members: &[usize]| -> Vec<Entity> { members.iter().map(|&i| entities[i].clone()).collect() };
        match &mut self.maker {
            Maker::Sum(parts) => {
                parts.set(1, fixed_point.by_tiles(&grid, &of(&self.moving))?)?;
                self.field = sum(parts)?;
            }
            Maker::Whole => {
                let all = [of(&self.still), of(&self.moving)].concat();
                self.field = fixed_point.by_tiles(&grid, &all)?;
            }
            Maker::Device(made) => {
                for (place, &i) in (self.still.len()..).zip(&self.moving) {
                    made.set(place, entities[i].clone())?;
                }
                let Some(device) = device else { return Ok(false) };
                self.field = with_device!(device, |device| {
                    made.update(device)?;
                    made.read(device)?
                });
            }
        }
        Ok(true)
    }
}

/// The sum of two layers.
fn sum(parts: &LayerStack) -> Result<Field, FieldError> {
    Combination::new().add(1.0, 0).add(1.0, 1).of(parts)
}

/// Whether any sum of what entities add to a cell is exact in single precision.
fn is_exact(entities: &[Entity], fixed_point: FixedPoint) -> bool {
    let most = |entity: &Entity| f64::from(entity.most());
    let steps: f64 = entities.iter().map(|entity| most(entity) / f64::from(fixed_point.step()) + 1.0).sum();
    steps < EXACT
}
