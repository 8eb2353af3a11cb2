//! Sums of field strengths at a space unit, and the contribution of a source.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use std::ops::{Deref, DerefMut};

use throng_device::cubecl::{self, prelude::*};

use super::direction::{DIRECTIONS, NONE};
use super::directional::{Reading, attracted, repels};

/// A value per direction; in kernels, an array in the unit's private memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByDirection(pub [i32; DIRECTIONS as usize]);

impl ByDirection {
    /// Returns the value of a compile-time direction.
    #[inline(always)]
    pub fn at(&self, direction: u32) -> i32 {
        self.0[direction as usize]
    }

    /// Returns the value of a runtime direction.
    #[inline(always)]
    pub fn get(&self, direction: u32) -> i32 {
        self.at(direction)
    }

    /// Sets the value of a compile-time direction.
    #[inline(always)]
    pub fn set(&mut self, direction: u32, number: i32) {
        self.0[direction as usize] = number;
    }

    /// Adds to the value of a runtime direction.
    #[inline(always)]
    pub fn add(&mut self, direction: u32, number: i32) {
        self.0[direction as usize] += number;
    }
}

impl Deref for ByDirection {
    type Target = [i32; DIRECTIONS as usize];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for ByDirection {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Returns zero for each direction.
#[inline(always)]
pub fn zeros() -> ByDirection {
    ByDirection::default()
}

/// The sums of field strengths at a space unit for a pedestrian with a given heading, by the direction of the sources.
#[derive(CubeType, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// Sums over all others (RR).
    pub crowd: ByDirection,
    /// Sums over others with the same heading, or over traces (DA); depends on [`Reading`].
    pub same: ByDirection,
    /// Sums over others whose headings are opposite, or 45° off that, or over traces (DR).
    pub oncoming: ByDirection,
}

/// Returns sums without sources.
#[cube]
#[inline]
pub fn no_sums() -> Sums {
    Sums { crowd: zeros(), same: zeros(), oncoming: zeros() }
}

#[cube]
impl Sums {
    /// Adds a source of directional fields with a heading in a sector, for a reader with heading `own`: `followed` and
    /// `avoided` are its strengths of DA and DR.
    #[inline]
    pub fn add_directional(
        &mut self,
        heading: u32,
        sector: u32,
        own: u32,
        followed: i32,
        avoided: i32,
        #[comptime] reading: Reading,
    ) {
        let direction = attracted(heading, sector, own, reading);
        if direction != NONE {
            self.same.add(direction, followed);
        }
        if repels(heading, sector, own, reading) {
            self.oncoming.add(sector, avoided);
        }
    }
}

#[cfg(feature = "gpu")]
mod in_kernels {
    use throng_device::cubecl::{self, prelude::*};

    use super::{ByDirection, DIRECTIONS};

    impl CubeType for ByDirection {
        type ExpandType = NumbersExpand;
    }

    #[derive(CubeType)]
    pub struct Numbers {
        numbers: Array<i32>,
    }

    #[cube]
    impl Numbers {
        pub fn zeros() -> Numbers {
            let mut numbers = Array::<i32>::new(comptime!(DIRECTIONS as usize));
            #[unroll]
            for direction in 0..DIRECTIONS {
                numbers[direction as usize] = 0i32;
            }
            Numbers { numbers }
        }

        pub fn at(&self, #[comptime] direction: u32) -> i32 {
            self.numbers[direction as usize]
        }

        pub fn get(&self, direction: u32) -> i32 {
            self.numbers[direction as usize]
        }

        pub fn set(&mut self, #[comptime] direction: u32, number: i32) {
            self.numbers[direction as usize] = number;
        }

        pub fn add(&mut self, direction: u32, number: i32) {
            self.numbers[direction as usize] += number;
        }
    }
}

#[cfg(feature = "gpu")]
pub mod zeros {
    use throng_device::cubecl::prelude::*;

    use super::in_kernels::{Numbers, NumbersExpand};

    pub fn expand(scope: &mut Scope) -> NumbersExpand {
        Numbers::__expand_zeros(scope)
    }
}
