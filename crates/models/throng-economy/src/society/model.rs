//! The curves and parameters of a society.

use throng_device::exact::NEGATIVE_ZERO;

use crate::Parameters;
use crate::curves::{Effort, Utility};
use crate::rules::numbers::{about_kinds, kind_property, number, numbers_of};
use crate::rules::views::ModelView;

/// The curves of utility and effort, and all parameters in the arrays that the rules read.
#[derive(Debug, Clone)]
pub struct Model {
    /// Utility of units.
    pub utility: Utility,
    /// Effort of extraction.
    pub effort: Effort,
    assembly: Effort,
    numbers: [f64; number::COUNT],
    kinds: Vec<u32>,
}

impl Model {
    /// Creates the model with a parameter set.
    pub fn new(parameters: &Parameters) -> Self {
        Self {
            utility: Utility::new(parameters),
            effort: Effort::of_extraction(parameters),
            assembly: Effort::of_assembly(parameters),
            numbers: numbers_of(parameters),
            kinds: about_kinds(parameters),
        }
    }
}

// CubeCL's traits require a kernel type; this is the type of the device executor.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for Model {
    type ExpandType = <crate::gpu::ModelOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl ModelView for Model {
    #[inline]
    fn of_units(&self, units: u32) -> f64 {
        self.utility.of(units)
    }

    #[inline]
    fn of_next(&self, held: u32) -> f64 {
        self.utility.of_next(held)
    }

    #[inline]
    fn inverse_of_next(&self, held: u32) -> f64 {
        self.utility.inverse_of_next(held)
    }

    #[inline]
    fn effort(&self, experience: f64) -> f64 {
        self.effort.minutes(experience)
    }

    #[inline]
    fn minutes_until_whole(&self, experience: u32) -> f64 {
        self.effort.minutes_until(experience)
    }

    #[inline]
    fn last_effort(&self) -> u32 {
        self.effort.full_experience()
    }

    #[inline]
    fn assembly(&self, experience: f64) -> f64 {
        self.assembly.minutes(experience)
    }

    #[inline]
    fn number(&self, which: usize) -> f64 {
        self.numbers[which]
    }

    #[inline]
    fn of_kind(&self, kind: u32, which: usize) -> f64 {
        self.numbers[number::KINDS + number::OF_KIND * kind as usize + which]
    }

    #[inline]
    fn about(&self, kind: u32, which: usize) -> u32 {
        self.kinds[kind_property::COUNT * kind as usize + which]
    }

    #[inline]
    fn level(&self, kind: u32, level: u32) -> u32 {
        self.kinds[kind_property::COUNT * kind as usize + kind_property::FIRST_LEVEL + level as usize]
    }

    #[inline]
    fn in_production(&self, place: u32) -> u32 {
        self.kinds[kind_property::PRODUCTION + place as usize]
    }

    #[inline]
    fn zero(&self) -> f64 {
        NEGATIVE_ZERO
    }
}
