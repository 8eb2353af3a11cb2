//! The straight pieces of a profile, and the lookup by distance: rules shared by the CPU and kernels.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

use crate::NEGATIVE_ZERO;

/// A straight piece of a profile: the distance at which it begins, the value there, and the slope.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    pub from: f32,
    pub value: f32,
    pub slope: f32,
}

#[cube]
impl Piece {
    #[inline(always)]
    pub fn value_at(&self, distance: f32, zero: f32) -> f32 {
        self.value + rounded_product(self.slope, distance - self.from, zero)
    }
}

/// Whether a piece starts before a distance, so that it applies unless a later one does. At its start, the previous
/// piece applies.
#[cube]
#[inline(always)]
pub fn has_begun(from: f32, distance: f32) -> bool {
    from < distance
}

/// The slot of a distance, out of `count` slots of equal length with `per_unit` slots per unit; the last slot includes
/// all distances beyond. Non-decreasing in the distance.
#[cube]
#[inline(always)]
pub fn slot_at(distance: f32, per_unit: f32, count: u32, zero: f32) -> u32 {
    // Signed integers, because processors convert several of these at a time.
    let last = (count - 1) as i32;
    f32::min(rounded_product(distance, per_unit, zero), last as f32) as i32 as u32
}

/// Slots per piece, and the limits of their number. With four, a slot seldom contains the starts of two pieces.
const SLOTS_PER_PIECE: usize = 4;
const MIN_SLOTS: usize = 16;
const MAX_SLOTS: usize = 1024;

/// The pieces of a profile, by increasing start. A table of slots of equal length gives the piece at which the search
/// for a distance starts, so that the search takes one or two steps for any number of pieces, unless their lengths
/// differ greatly.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    list: Vec<Piece>,
    /// The first piece that applies anywhere in a slot.
    slots: Vec<u32>,
    /// Slots per unit of distance.
    per_unit: f32,
}

impl Pieces {
    /// Creates the lookup table for at least one piece, with non-decreasing starts, in a profile with this reach.
    pub fn new(list: Vec<Piece>, reach: f32) -> Self {
        let count = (SLOTS_PER_PIECE * list.len()).next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS);
        // For the smallest reaches the quotient is infinite.
        let per_unit = (count as f32 / reach).min(f32::MAX);
        let slot = |piece: &Piece| slot_at(piece.from, per_unit, count as u32, NEGATIVE_ZERO);
        // A piece that starts in an earlier slot applies from the start of this one on.
        let first = |at: u32| list.partition_point(|piece| slot(piece) < at).max(1) - 1;
        let slots = (0..count as u32).map(|at| first(at) as u32).collect();
        Self { list, slots, per_unit }
    }

    pub fn list(&self) -> &[Piece] {
        &self.list
    }

    /// The first piece that applies anywhere in each slot.
    #[cfg(feature = "gpu")]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    #[cfg(feature = "gpu")]
    pub fn slots_per_unit(&self) -> f32 {
        self.per_unit
    }

    /// Returns the index of the piece that applies at a distance.
    #[inline(always)]
    pub fn at(&self, distance: f32) -> usize {
        let slot = slot_at(distance, self.per_unit, self.slots.len() as u32, NEGATIVE_ZERO);
        let mut at = self.slots[slot as usize] as usize;
        while self.list.get(at + 1).is_some_and(|next| has_begun(next.from, distance)) {
            at += 1;
        }
        at
    }

    /// The value at a distance.
    #[inline(always)]
    pub fn value(&self, distance: f32) -> f32 {
        self.list[self.at(distance)].value_at(distance, NEGATIVE_ZERO)
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::{any_numbers, finite_numbers};

    same_on_devices! {
        fn pieces(from: f32, value: f32, slope: f32, distance: f32, zero: f32) {
            let piece = Piece { from, value, slope };
            let begun = has_begun(piece.from, distance);
        } -> { begun: u32 = begun as u32, at_distance: f32 = piece.value_at(distance, zero) }
        for any_numbers().map(|[from, value, slope, distance]| (from, value, slope, distance, NEGATIVE_ZERO))
    }

    same_on_devices! {
        fn slots(distance: f32, per_unit: f32, count: u32, zero: f32) {
            let slot = slot_at(distance, per_unit, count, zero);
        } -> { slot: u32 = slot }
        for finite_numbers().flat_map(|[distance, per_unit]| {
            [16, 1024].map(|count| (f32::abs(distance), f32::abs(per_unit), count, NEGATIVE_ZERO))
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;

    use super::*;

    #[test]
    fn the_last_piece_begun_before_a_distance_is_found() {
        let draws = Philox::new(5);
        for case in 0..300u32 {
            let unit = |i: u32, purpose: u32| draws.unit(case, i, purpose, 0);
            // Lengths are similar or differ by up to 18 powers of ten, with reaches of any magnitude.
            let (powers, size) = (f64::from(case % 3) * 9.0, libm::pow(10.0, f64::from(case % 61) - 30.0));
            let count = 1 + draws.below(200, case, 0, 9, 0);
            let mut from = [0.0, 0.0].to_vec();
            for i in 0..count {
                let length = size * libm::pow(10.0, -powers * unit(i, 1)) * (0.1 + unit(i, 2));
                from.push((f64::from(from[from.len() - 1]) + length) as f32);
            }
            let reach = from.pop().unwrap();
            let list: Vec<Piece> = from.iter().map(|&from| Piece { from, value: from, slope: 1.0 }).collect();
            let pieces = Pieces::new(list.clone(), reach);
            let near = from.iter().flat_map(|&from| [from, from.next_up(), from.next_down().max(0.0)]);
            let any = (0..500).map(|i| (f64::from(reach) * 1.01 * unit(i, 3)) as f32);
            for distance in near.chain(any).chain([reach, f32::MAX, f32::INFINITY]) {
                let last = list.iter().rposition(|piece| has_begun(piece.from, distance)).unwrap_or(0);
                assert_eq!(pieces.at(distance), last, "case {case}: {distance}");
            }
        }
    }

    #[test]
    fn pieces_of_equal_length_are_found_within_a_step() {
        let list: Vec<Piece> = (0..40).map(|i| Piece { from: i as f32 * 0.375, value: 0.0, slope: 0.0 }).collect();
        let pieces = Pieces::new(list, 15.0);
        assert_eq!(pieces.slots.len(), 256);
        for i in 0..15_000 {
            let distance = i as f32 / 1000.0;
            let slot = slot_at(distance, pieces.per_unit, 256, NEGATIVE_ZERO);
            let steps = pieces.at(distance) as u32 - pieces.slots[slot as usize];
            assert!(steps <= 1, "{steps} at {distance}");
        }
    }
}
