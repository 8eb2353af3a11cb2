//! The programs of Elmir's thesis agree.

use throng_core::Finding;
use throng_device::{AnyDevice, with_device};

use super::differing;
use crate::baselines::elmir::{Case, Circles, DeviceCircles, Program};
use crate::gpu::GpuError;

/// Circles whose centres are corners of cells, so that a copy is no other circle.
pub(super) fn a_copy_is_the_circle() -> Result<Finding, GpuError> {
    let centres = (0..200u32).map(|i| [i * 367 % 256, i * 593 % 256].map(|at| at as f32)).collect();
    let circles = Circles::new(256, 15.0, centres)?;
    Ok(Finding::at_most(1e-4, f64::from(circles.naive().largest_difference(&circles.memory_copy())?)))
}

pub(super) fn three_programs_make_one_field(device: &AnyDevice) -> Result<Finding, GpuError> {
    // No multiple of anything.
    let circles = Case { radius: 15.0, resolution: 131, count: 301 }.circles(7)?;
    with_device!(device, |device| {
        let there = DeviceCircles::new(device, &circles)?;
        let naive = there.create(Program::GpuNaive)?;
        let others = [there.create(Program::GpuCoalesced)?, there.create(Program::GpuShared)?];
        Ok(Finding::no_difference("cells", others.iter().map(|other| differing(&naive, other)).sum()))
    })
}
