//! One field from several layers: steps that change a running result, cell by cell.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::checks::finite;
use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::product_without_negative_zero;
use throng_pictures::{Grid, Mask};

use super::bits::check_layer;
use super::stack::LayerStack;
use crate::NEGATIVE_ZERO;
use crate::field::{Field, check_memory_for_field};

/// Steps that are applied to the result of every cell, in the order given. The result begins with 0, or with the value
/// of [`Combination::starting_at`].
///
/// Steps are checked when the combination is used; messages number them from 1.
///
/// ```
/// use throng_fields_core::{Entity, Grid, Profile, layers::{Combination, LayerStack}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 4, 1)?;
/// let at = |x, layers| Profile::linear(4.0).map(|profile| Entity::new([x, 0.5], profile).in_layers(layers));
/// let layers = LayerStack::by_tiles(&grid, &[at(0.5, 0b01)?, at(3.5, 0b10)?], 2)?;
/// // Our layer minus twice theirs.
/// let balance = Combination::new().add(1.0, 0).add(-2.0, 1);
/// assert_eq!(balance.of(&layers)?.values(), [0.5, -0.25, -1.0, -1.75]);
/// // Ours where theirs is weak, otherwise 0.
/// let weak = Combination::new().add(1.0, 1).threshold(0.4, 1.0, 0.0).times(1.0, 0);
/// assert_eq!(weak.of(&layers)?.values(), [1.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Combination {
    start: f32,
    steps: Vec<Step>,
}

/// A step of a combination.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// An operation with the product of a layer and a weight.
    With {
        /// How the layer changes the result.
        operation: Operation,
        /// The factor of the layer's values.
        weight: f32,
        /// The index of the layer.
        layer: u32,
    },
    /// Replaces the result by one of two values, depending on whether it is below a threshold.
    Threshold {
        /// The lowest result that is replaced by `from`.
        at: f32,
        /// The new value of results below the threshold.
        below: f32,
        /// The new value of all other results.
        from: f32,
    },
    /// Replaces the result outside a mask.
    Masked {
        /// The cells whose result is kept.
        mask: Mask,
        /// The value of all other cells.
        outside: f32,
    },
}

/// How a layer changes the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The sum of the result and the weighted layer.
    Add,
    /// The maximum of the result and the weighted layer.
    Max,
    /// The minimum of the result and the weighted layer.
    Min,
    /// The product of the result and the weighted layer.
    Times,
}

/// The result of a cell after an operation with the weighted value of a layer.
#[cube]
#[inline(always)]
pub fn with_layer(result: f32, weight: f32, value: f32, zero: f32, #[comptime] operation: Operation) -> f32 {
    let weighted = product_without_negative_zero(weight, value, zero);
    match operation {
        Operation::Add => result + weighted,
        Operation::Max => select(weighted > result, weighted, result),
        Operation::Min => select(weighted < result, weighted, result),
        Operation::Times => product_without_negative_zero(result, weighted, zero),
    }
}

/// The result of a cell after a threshold.
#[cube]
#[inline(always)]
pub fn beside_threshold(result: f32, at: f32, below: f32, from: f32) -> f32 {
    select(result < at, below, from)
}

impl Combination {
    /// Starts from 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts from another value, such as 1 for products.
    pub fn starting_at(value: f32) -> Self {
        Self { start: value + 0.0, steps: Vec::new() }
    }

    /// Adds a layer times `weight`.
    pub fn add(self, weight: f32, layer: u32) -> Self {
        self.with(Operation::Add, weight, layer)
    }

    /// Takes the maximum of the result and a layer times `weight`. Starting from 0, the result is at least 0.
    pub fn max(self, weight: f32, layer: u32) -> Self {
        self.with(Operation::Max, weight, layer)
    }

    /// Takes the minimum of the result and a layer times `weight`. Starting from 0, the result is at most 0.
    pub fn min(self, weight: f32, layer: u32) -> Self {
        self.with(Operation::Min, weight, layer)
    }

    /// Multiplies by a layer times `weight`. Starting from 0, the result is 0.
    pub fn times(self, weight: f32, layer: u32) -> Self {
        self.with(Operation::Times, weight, layer)
    }

    /// Replaces results below `at` by `below`, all others by `from`.
    pub fn threshold(self, at: f32, below: f32, from: f32) -> Self {
        self.then(Step::Threshold { at, below: below + 0.0, from: from + 0.0 })
    }

    /// Replaces the results of cells outside a mask.
    pub fn masked(self, mask: &Mask, outside: f32) -> Self {
        self.then(Step::Masked { mask: mask.clone(), outside: outside + 0.0 })
    }

    fn with(self, operation: Operation, weight: f32, layer: u32) -> Self {
        self.then(Step::With { operation, weight, layer })
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The result before the first step.
    pub fn start(&self) -> f32 {
        self.start
    }

    /// The layers it uses, one bit each.
    pub fn layers(&self) -> u32 {
        let bit = |step: &Step| match step {
            Step::With { layer, .. } => 1u32.checked_shl(*layer).unwrap_or(0),
            Step::Threshold { .. } | Step::Masked { .. } => 0,
        };
        self.steps.iter().map(bit).fold(0, |all, bit| all | bit)
    }

    /// The weight with which an entity in these layers, one bit each, contributes to the result. `None` if an operation
    /// other than addition uses these layers or follows, so that the contribution depends on other entities.
    pub fn weight_of(&self, layers: u32) -> Option<f32> {
        let mut sum = None;
        for step in &self.steps {
            match step {
                Step::With { operation, weight, layer } => {
                    let is_part = 1u32.checked_shl(*layer).is_some_and(|bit| bit & layers != 0);
                    if *operation != Operation::Add && (is_part || sum.is_some()) {
                        return None;
                    }
                    if is_part {
                        sum = Some(sum.unwrap_or(0.0) + weight);
                    }
                }
                Step::Threshold { .. } | Step::Masked { .. } if sum.is_some() => return None,
                Step::Threshold { .. } | Step::Masked { .. } => {}
            }
        }
        Some(sum.unwrap_or(0.0))
    }

    /// Combines existing layers, in parallel. The cost is proportional to cells times steps.
    ///
    /// # Errors
    /// When a number is not finite, a layer does not exist, a mask has a different size, or there is too little memory.
    pub fn of(&self, layers: &LayerStack) -> Result<Field, InputError> {
        let grid = *layers.grid();
        self.check(&grid)?;
        for (i, step) in self.steps.iter().enumerate() {
            if let Step::With { layer, .. } = step
                && *layer >= layers.count()
            {
                let remedy = format!("the stack has {} layers, numbered from 0", layers.count());
                return Err(InputError::one(place(i, "layer"), layer, remedy));
            }
        }
        self.of_fields(&grid, |number| layers.layer(number))
    }

    /// Combines fields in memory; `layer` must return a field for every layer that the steps use.
    pub fn of_fields<'l>(
        &self,
        grid: &Grid,
        layer: impl Fn(u32) -> Option<&'l Field> + Sync,
    ) -> Result<Field, InputError> {
        check_memory_for_field(grid)?;
        let columns = grid.columns() as usize;
        let mut values = vec![0.0; grid.cells()];
        values.par_chunks_mut(columns).enumerate().for_each(|(row, values)| {
            let cells = row * columns..(row + 1) * columns;
            let of_layer = |number| layer(number).map_or(&[][..], |field| &field.values()[cells.clone()]);
            self.apply(values, (0, row as u32), of_layer);
        });
        Ok(Field::new(*grid, values))
    }

    /// Rejects steps that cannot be applied on a grid.
    pub fn check(&self, grid: &Grid) -> Result<(), InputError> {
        finite("combination, start", self.start)?;
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::With { weight, layer, .. } => {
                    finite(&place(i, "weight"), *weight)?;
                    check_layer(&place(i, "layer"), *layer)?;
                }
                Step::Threshold { at, below, from } => {
                    finite(&place(i, "threshold"), *at)?;
                    finite(&place(i, "value below"), *below)?;
                    finite(&place(i, "value at or above"), *from)?;
                }
                Step::Masked { mask, outside } => {
                    finite(&place(i, "value outside"), *outside)?;
                    mask.check(grid).map_err(|error| error.within(&format!("combination, step {}", i + 1)))?;
                }
            }
        }
        Ok(())
    }

    /// Computes the results of consecutive cells of a row that starts at `(column, row)`. `of_layer` returns the values
    /// of a layer in these cells.
    pub fn apply<'l>(&self, results: &mut [f32], (column, row): (u32, u32), of_layer: impl Fn(u32) -> &'l [f32]) {
        results.fill(self.start);
        for step in &self.steps {
            match step {
                Step::With { operation, weight, layer } => {
                    let values = of_layer(*layer);
                    match operation {
                        Operation::Add => apply_layer(results, *weight, values, Operation::Add),
                        Operation::Max => apply_layer(results, *weight, values, Operation::Max),
                        Operation::Min => apply_layer(results, *weight, values, Operation::Min),
                        Operation::Times => apply_layer(results, *weight, values, Operation::Times),
                    }
                }
                Step::Threshold { at, below, from } => {
                    for result in &mut *results {
                        *result = beside_threshold(*result, *at, *below, *from);
                    }
                }
                Step::Masked { mask, outside } => {
                    for (column, result) in (column..).zip(&mut *results) {
                        *result = select(mask.allows(column, row), *result, *outside);
                    }
                }
            }
        }
    }
}

/// Applies [`with_layer`] to several cells. Inlined with one fixed operation, so that compilers vectorise it.
#[inline(always)]
fn apply_layer(results: &mut [f32], weight: f32, values: &[f32], operation: Operation) {
    for (result, &value) in results.iter_mut().zip(values) {
        *result = with_layer(*result, weight, value, NEGATIVE_ZERO, operation);
    }
}

/// The location of a value in step `i` (counted from 0) for messages.
fn place(i: usize, what: &str) -> String {
    format!("combination, step {}, {what}", i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid::new([0.0, 0.0], 1.0, 4, 1).unwrap()
    }

    fn stack() -> LayerStack {
        let field = |values: [f32; 4]| Field::new(grid(), values.to_vec());
        LayerStack::of(vec![field([1.0, 2.0, -3.0, 4.0]), field([-5.0, 1.0, 1.0, 0.5])]).unwrap()
    }

    #[test]
    fn every_combination_step_applies_its_operation() {
        let odd = Mask::new(&grid(), |column, _| column % 2 == 1);
        let first = || Combination::new().add(1.0, 0);
        for (combination, expected) in [
            (Combination::new(), [0.0; 4]),
            (Combination::starting_at(2.0).times(0.5, 0), [1.0, 2.0, -3.0, 4.0]),
            (first().add(2.0, 1), [-9.0, 4.0, -1.0, 5.0]),
            (first().max(3.0, 1), [1.0, 3.0, 3.0, 4.0]),
            (first().min(3.0, 1), [-15.0, 2.0, -3.0, 1.5]),
            (first().times(-1.0, 1), [5.0, -2.0, 3.0, -2.0]),
            (first().threshold(2.0, -1.0, 7.0), [-1.0, 7.0, -1.0, 7.0]),
            (first().masked(&odd, 9.0), [9.0, 2.0, 9.0, 4.0]),
            (first().masked(&odd, 9.0).add(1.0, 0), [10.0, 4.0, 6.0, 8.0]),
        ] {
            assert_eq!(combination.of(&stack()).unwrap().values(), expected, "{combination:?}");
        }
        assert_eq!(first().max(1.0, 31).threshold(1.0, 0.0, 1.0).layers(), 1 | 1 << 31);
    }

    #[test]
    fn layer_weights_exist_only_for_trailing_additions() {
        let new = Combination::new;
        for (combination, expected) in [
            (new(), Some(0.0)),
            (new().add(2.0, 0).add(0.5, 1).add(3.0, 0), Some(5.0)),
            (new().max(1.0, 1).threshold(1.0, 0.0, 4.0).times(2.0, 1).add(2.0, 0).add(1.0, 1), Some(2.0)),
            (new().add(1.0, 1).max(1.0, 1), Some(0.0)),
            (new().max(1.0, 0), None),
            (new().max(1.0, 1).min(1.0, 0).add(1.0, 0), None),
            (new().add(1.0, 0).max(1.0, 1), None),
            (new().add(1.0, 0).threshold(1.0, 0.0, 4.0), None),
        ] {
            assert_eq!(combination.weight_of(1), expected, "{combination:?}");
        }
    }

    #[test]
    fn invalid_steps_are_refused_with_their_number() {
        let place = |combination: Combination| combination.of(&stack()).unwrap_err().place().to_owned();
        let first = || Combination::new().add(1.0, 0);
        let other = Mask::new(&Grid::new([0.0, 0.0], 1.0, 4, 2).unwrap(), |_, _| true);
        assert_eq!(place(Combination::starting_at(f32::NAN)), "combination, start");
        assert_eq!(place(first().max(f32::INFINITY, 0)), "combination, step 2, weight");
        assert_eq!(place(first().add(1.0, 32)), "combination, step 2, layer");
        assert_eq!(place(first().add(1.0, 2)), "combination, step 2, layer");
        assert_eq!(place(first().threshold(f32::NAN, 0.0, 1.0)), "combination, step 2, threshold");
        assert_eq!(place(first().threshold(0.0, f32::NAN, 1.0)), "combination, step 2, value below");
        assert_eq!(place(first().threshold(0.0, 0.0, f32::NAN)), "combination, step 2, value at or above");
        assert_eq!(place(first().masked(&other, 0.0)), "combination, step 2, mask, size");
        assert_eq!(place(first().masked(&other, f32::NAN)), "combination, step 2, value outside");
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::any_numbers;

    same_on_devices! {
        fn operations(result: f32, weight: f32, value: f32, zero: f32) {
            let sum = with_layer(result, weight, value, zero, Operation::Add);
            let larger = with_layer(result, weight, value, zero, Operation::Max);
            let smaller = with_layer(result, weight, value, zero, Operation::Min);
            let product = with_layer(result, weight, value, zero, Operation::Times);
        } -> { add: f32 = sum, max: f32 = larger, min: f32 = smaller, times: f32 = product }
        // A result is never -0: it does not start as -0, and no operation produces one.
        for any_numbers().map(|[result, weight, value]| (result + 0.0, weight, value, NEGATIVE_ZERO))
    }

    same_on_devices! {
        fn thresholds(result: f32, at: f32, below: f32, from: f32) -> f32 { beside_threshold(result, at, below, from) }
        for any_numbers().map(|[result, at, below, from]| (result, at, below, from))
    }
}
