//! The curves and numbers of a society, as rules see them.

use throng_device::exact::NEGATIVE_ZERO;

use crate::Parameters;
use crate::curves::{Effort, Utility};
use crate::rules::numbers::{about_kind, about_kinds, number, numbers_of};
use crate::rules::views::{EffortView, ModelView, UtilityView};

/// The numbers of a society by the places at which rules read them.
#[derive(Debug, Clone)]
pub(super) struct Numbers {
    of_set: [f64; number::COUNT],
    of_kinds: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(parameters: &Parameters) -> Self {
        Self { of_set: numbers_of(parameters), of_kinds: about_kinds(parameters) }
    }
}

/// The model of a society on the CPU.
#[derive(Clone, Copy)]
pub(super) struct ModelOnCpu<'s> {
    pub parameters: &'s Parameters,
    pub numbers: &'s Numbers,
    pub utility: &'s Utility,
    pub effort: &'s Effort,
    pub assembly: &'s Effort,
}

// CubeCL's traits require a kernel type; it is the one of the device executor.
#[cfg(feature = "gpu")]
mod in_kernels {
    use throng_device::cubecl::prelude::CubeType;

    use super::{Effort, ModelOnCpu, Utility};

    type OnDevice = <crate::gpu::ModelOnDevice<'static> as CubeType>::ExpandType;

    impl CubeType for Utility {
        type ExpandType = OnDevice;
    }
    impl CubeType for Effort {
        type ExpandType = OnDevice;
    }
    impl CubeType for ModelOnCpu<'_> {
        type ExpandType = OnDevice;
    }
}

impl UtilityView for ModelOnCpu<'_> {
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
}

impl EffortView for ModelOnCpu<'_> {
    #[inline]
    fn effort(&self, experience: f64) -> f64 {
        self.effort.minutes(experience)
    }

    #[inline]
    fn least_effort(&self) -> f64 {
        self.effort.least_effort()
    }

    #[inline]
    fn minutes_until_whole(&self, experience: u32) -> f64 {
        self.effort.minutes_until_whole(experience)
    }

    #[inline]
    fn last_effort(&self) -> u32 {
        self.effort.last_effort()
    }

    #[inline]
    fn zero(&self) -> f64 {
        NEGATIVE_ZERO
    }
}

impl ModelView for ModelOnCpu<'_> {
    #[inline]
    fn assembly(&self, experience: f64) -> f64 {
        self.assembly.minutes(experience)
    }

    #[inline]
    fn number(&self, which: usize) -> f64 {
        self.numbers.of_set[which]
    }

    #[inline]
    fn of_kind(&self, kind: u32, which: usize) -> f64 {
        self.numbers.of_set[number::KINDS + number::OF_KIND * kind as usize + which]
    }

    #[inline]
    fn about(&self, kind: u32, which: usize) -> u32 {
        self.numbers.of_kinds[about_kind::COUNT * kind as usize + which]
    }

    #[inline]
    fn level(&self, kind: u32, level: u32) -> u32 {
        self.numbers.of_kinds[about_kind::COUNT * kind as usize + about_kind::FIRST_LEVEL + level as usize]
    }
}
