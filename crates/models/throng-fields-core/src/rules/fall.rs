//! The falloff of the charge of an entity with the distance on a grid: rules for the CPU and for kernels.

use std::sync::Arc;

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

use crate::NEGATIVE_ZERO;
use crate::resolved_shape::Distance;
use crate::rules::exponential::exponential;
use crate::rules::interpolation::lerp;
use crate::rules::pieces::Pieces;

/// How the charge falls off with the distance in cells.
#[derive(Debug, Clone, PartialEq)]
pub enum Fall {
    /// `charge - slope * d`.
    Linear { charge: f32, slope: f32 },
    /// `charge - slope * d^2`.
    Quadratic { charge: f32, slope: f32 },
    /// `charge * exp(-rate * d^2)`.
    Gaussian { charge: f32, rate: f32 },
    /// Straight pieces, with `per_cell` units of distance per cell. Shared by all entities with this profile.
    Piecewise { charge: f32, pieces: Arc<Pieces>, per_cell: f32 },
    /// Equidistant values, `per_cell` per cell; the last one also applies beyond it. Shared like the pieces.
    Table { charge: f32, values: Arc<[f32]>, per_cell: f32 },
}

impl Fall {
    /// The charge at a distance within reach.
    ///
    /// Kernels select one of the rules below by an index instead; in floating point they use the exponential of the
    /// device, which is faster and differs only by rounding.
    #[inline(always)]
    pub fn charge(&self, far: Distance) -> f32 {
        match self {
            Self::Linear { charge, slope } => falling(*charge, *slope, far.distance, NEGATIVE_ZERO),
            Self::Quadratic { charge, slope } => falling(*charge, *slope, far.square, NEGATIVE_ZERO),
            Self::Gaussian { charge, rate } => bell(*charge, *rate, far.square, NEGATIVE_ZERO),
            Self::Piecewise { charge, pieces, per_cell } => charge * pieces.value(far.distance * per_cell),
            Self::Table { charge, values, per_cell } => charge * tabled(values, far.distance * per_cell),
        }
    }
}

/// The remaining charge of a bell curve, given the square of the distance. A device may return 0 in place of a
/// subnormal number (below 1.2e-38); in fixed point both are 0.
#[cube]
#[inline(always)]
pub fn bell(charge: f32, rate: f32, square: f32, zero: f32) -> f32 {
    rounded_product(charge, exponential(-rounded_product(rate, square, zero), zero), zero)
}

/// The value of a table at a position, in entries, with linear interpolation.
fn tabled(values: &[f32], place: f32) -> f32 {
    let Entry { before, share } = entry_before(place, values.len() as u32);
    lerp(values[before as usize], values[before as usize + 1], share, NEGATIVE_ZERO)
}

/// A charge reduced by `slope` per unit of `length`, which is a distance or its square.
#[cube]
#[inline(always)]
pub fn falling(charge: f32, slope: f32, length: f32, zero: f32) -> f32 {
    charge - rounded_product(slope, length, zero)
}

/// A position between two entries of a table: the index of the entry before it, and the fraction of the distance to the
/// next one.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    pub before: u32,
    pub share: f32,
}

/// Locates a position in a table of `count` >= 2 values. Positions beyond the last entry have its value. Uses signed
/// integers, because processors convert several of these at a time.
#[cube]
#[inline(always)]
pub fn entry_before(place: f32, count: u32) -> Entry {
    let last = (count - 1) as i32;
    let place = f32::min(place, last as f32);
    let before = i32::min(place as i32, last - 1i32);
    Entry { before: before as u32, share: place - before as f32 }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::{any_numbers, finite_numbers};

    same_on_devices! {
        fn falls(charge: f32, slope: f32, length: f32, zero: f32) -> f32 { falling(charge, slope, length, zero) }
        for any_numbers().map(|[charge, slope, length]| (charge, slope, length, NEGATIVE_ZERO))
    }

    same_on_devices! {
        fn bells(charge: f32, rate: f32, square: f32, zero: f32) -> f32 { bell(charge, rate, square, zero) }
        for finite_numbers()
            .map(|[charge, rate, square]| (charge, f32::abs(rate), f32::abs(square), NEGATIVE_ZERO))
            .filter(|&(charge, rate, square, zero)| !bell(charge, rate, square, zero).is_subnormal())
    }

    same_on_devices! {
        fn tables(place: f32, count: u32) {
            let entry = entry_before(place, count);
        } -> { before: u32 = entry.before, share: f32 = entry.share }
        for finite_numbers().flat_map(|[place]| [2, 3, 700].map(|count| (f32::abs(place), count)))
    }
}
