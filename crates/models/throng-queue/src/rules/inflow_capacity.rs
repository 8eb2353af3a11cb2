//! The inflow capacity under kinematic waves: how many vehicles may enter a link per step.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::ieee_min;

/// Inflow accumulator of one link: how many vehicles may enter now.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Inflow {
    /// Allowance left, vehicles. Negative after a vehicle has used more than was left.
    pub accumulated: f64,
    /// Allowance per step, which is also the maximum of `accumulated`.
    pub max: f64,
}

#[cube]
impl Inflow {
    /// Returns the allowance after a refill: increased by that of one step, up to the maximum. It is lower than before
    /// if the maximum was lowered.
    #[inline]
    pub fn refilled(&self) -> f64 {
        ieee_min(self.accumulated + self.max, self.max)
    }

    /// Whether a refill would change nothing.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.refilled() == self.accumulated
    }
}

impl Inflow {
    /// Creates an allowance of one vehicle.
    pub fn new(max: f64) -> Self {
        Self { accumulated: 1.0, max }
    }
}
