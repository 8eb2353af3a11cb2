//! The choice of an executor.

use throng_device::{Executor, with_kernels};
use throng_model::Failure;
use throng_model::step_model::Steps;

use super::cpu::WalkOnCpu;
use super::walkers::Walkers;

/// Creates the executor on a device, or on the CPU without one.
pub fn executor(on: &Executor, walkers: Walkers) -> Result<Box<dyn Steps<State = Walkers>>, Failure> {
    match on.shared_device() {
        None => Ok(Box::new(WalkOnCpu::new(walkers)?)),
        Some(device) => with_kernels!("collision", device, |device| {
            Ok(Box::new(super::gpu::WalkOnDevice::new(device, &walkers)?) as Box<dyn Steps<State = Walkers>>)
        }),
    }
}
