//! The hash of a field on a device, and the field that agents sense, combined from layers on the device.

use throng_device::exact::NEGATIVE_ZERO;
use throng_device::{Buffer, Device, Error, KernelParameter};
use throng_fields_core::field::Field;
use throng_fields_core::layers::{Combination, Step};
use throng_pictures::Grid;

use super::dynamic_field::FieldOnDevice;
use super::kernels::{
    HASH_COUNTERS, HashNumbers, LayerAndMaskBuffers, MAX_HASH_UNITS, StepKind, StepNumbers, combine_cells, hash_cells,
    set_cells,
};
use super::launch::push_mask;

/// Units that compute a hash: enough to occupy all multiprocessors.
const HASH_UNITS: u32 = 1 << 15;
const _: () = assert!(HASH_UNITS <= MAX_HASH_UNITS);

/// Hashes all cells of a [`DynamicField`](crate::DynamicField) on a device. The result is the
/// [`StateHash`](throng_core::StateHash) of entities with ids `first_high << 32 | cell`.
///
/// # Errors
/// When the device fails.
pub fn hash(field: FieldOnDevice<'_>, first_high: u32) -> Result<u64, Error> {
    let FieldOnDevice { device, values } = field;
    let counters = device.upload("hash of a layer", &[0u32; HASH_COUNTERS as usize])?;
    let cells = values.len() as u32;
    let numbers = HashNumbers { cells, units: cells.min(HASH_UNITS), first_high };
    device.launch("hash", numbers.units as usize, |client, cubes, dim| {
        // As words, because a device may flush denormal floats to 0.
        let (values, counters) = (values.words().arg(), counters.arg());
        hash_cells::launch(client, cubes, dim, values, counters, numbers.arg());
    })?;
    let counters = device.read(&counters)?;
    let place = |(i, &counter): (u32, &u32)| u64::from(counter).wrapping_shl(16 * i);
    Ok((0..).zip(&counters).map(place).fold(0, u64::wrapping_add))
}

/// The field that agents sense, computed from layers that are all on the same device.
#[derive(Debug)]
pub struct CombinedOnDevice<'d> {
    device: &'d Device,
    grid: Grid,
    combination: &'d Combination,
    /// The mask of each step; a single word for steps without a mask.
    masks: Vec<Buffer<u32>>,
    field: Buffer<f32>,
    /// Placeholder argument for steps without a layer.
    unused: Buffer<f32>,
}

impl<'d> CombinedOnDevice<'d> {
    /// Prepares a combination for a grid of at most 2^32 - 1 cells, and allocates memory for its result.
    ///
    /// # Errors
    /// When the combination cannot be evaluated on the grid, or the device has too little memory.
    pub fn new(device: &'d Device, grid: &Grid, combination: &'d Combination) -> Result<Self, Error> {
        combination.check(grid)?;
        let mask = |step: &Step| {
            let mut words = Vec::new();
            if let Step::Masked { mask, .. } = step {
                push_mask(&mut words, grid, mask);
            }
            device.upload("combination: mask", &words)
        };
        let masks = combination.steps().iter().map(mask).collect::<Result<_, _>>()?;
        let field = device.empty("combined field", grid.cells())?;
        let unused = device.upload("unused", &[0.0f32])?;
        Ok(Self { device, grid: *grid, combination, masks, field, unused })
    }

    /// Computes the field and copies it from the device. `layer` returns the field of a layer by its index.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read<'l>(&'l self, layer: impl Fn(u32) -> Option<FieldOnDevice<'l>>) -> Result<Field, Error> {
        let (device, cells, start) = (self.device, self.grid.cells(), self.combination.start());
        let values = |number: u32| layer(number).map_or(&self.unused, |layer| layer.values);
        device.launch("combination: start", cells, |client, cubes, dim| {
            set_cells::launch(client, cubes, dim, self.field.arg(), start, cells as u32);
        })?;
        for (step, mask) in self.combination.steps().iter().zip(&self.masks) {
            let (kind, layer, [first, second, third]) = match step {
                Step::With { operation, weight, layer } => {
                    (StepKind::With(*operation), values(*layer), [*weight, 0.0, 0.0])
                }
                Step::Threshold { at, below, from } => (StepKind::Threshold, &self.unused, [*at, *below, *from]),
                Step::Masked { outside, .. } => (StepKind::Masked, &self.unused, [*outside, 0.0, 0.0]),
            };
            let columns = self.grid.columns();
            let numbers = StepNumbers {
                first,
                second,
                third,
                columns,
                mask_words: columns.div_ceil(u32::BITS),
                cells: cells as u32,
                zero: NEGATIVE_ZERO as f32,
            };
            device.launch("combination: step", cells, |client, cubes, dim| {
                let (given, field) = (LayerAndMaskBuffers { layer, mask }.arg(), self.field.arg());
                combine_cells::launch(client, cubes, dim, given, field, numbers.arg(), kind);
            })?;
        }
        Ok(Field::new(self.grid, device.read(&self.field)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DynamicField;
    use throng_fields_core::creation::{Arithmetic, FixedPoint};
    use throng_fields_core::entities::Entity;
    use throng_fields_core::layers::LayerStack;
    use throng_fields_core::profile::Profile;
    use throng_pictures::Mask;

    #[test]
    fn every_combination_step_matches_the_cpu() {
        let grid = Grid::new([0.0, 0.0], 1.0, 70, 41).unwrap();
        let entity = |x: f32, charge: f32| {
            let profile = Profile::linear(30.0).unwrap();
            vec![Entity::new([x, 20.3], profile).with_charge(charge)]
        };
        let odd = Mask::new(&grid, |column, row| (column + row) % 3 == 1);
        let start = || Combination::starting_at(0.25).add(-1.3, 0);
        let combinations = [
            Combination::starting_at(-2.0),
            start().max(0.7, 1),
            start().min(0.7, 1),
            start().times(0.7, 1).add(0.1, 0),
            start().threshold(-0.2, 3.0, -4.0).times(1.1, 1),
            start().masked(&odd, 9.0).add(1.0, 1),
        ];
        let fixed = Arithmetic::FixedPoint(FixedPoint::default());
        for device in throng_testing_devices::devices() {
            let fields = [entity(20.1, 1.7), entity(44.4, -2.9)];
            let fields = fields.map(|all| {
                DynamicField::builder(grid)
                    .entities(all)
                    .arithmetic(fixed)
                    .on(throng_device::Executor::from(device))
                    .build()
                    .unwrap()
            });
            let stack = LayerStack::of(fields.iter().map(|layer| layer.field().unwrap().clone()).collect()).unwrap();
            for combination in &combinations {
                let combined = CombinedOnDevice::new(device, &grid, combination).unwrap();
                let found = combined.read(|layer| fields.get(layer as usize)?.on_device()).unwrap();
                let bits = |field: &Field| field.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                let expected = combination.of(&stack).unwrap();
                assert!(bits(&found) == bits(&expected), "{combination:?} on {}", device.info().label());
            }
        }
    }
}
