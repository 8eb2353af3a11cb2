//! Launches of kernels, by label, and their times.

use std::time::Instant;

use cubecl::prelude::*;

use crate::choice::Backend;
use crate::device::Device;
use crate::error::DeviceError;
use crate::failure::not_compiled;
use crate::faults::{self, Place};
use crate::kernel_arrays::KernelArrays;
use crate::origin::launching;
use crate::runtime::Gpu;

pub use throng_device_macros::kernel;

/// Units (threads) of a cube (block) in ordinary launches.
pub const CUBE_UNITS: u32 = 256;

/// Number of cubes of a launch, and of units per cube. A number of units is the size of a launch of at least as many
/// units, in cubes of [`CUBE_UNITS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchSize {
    /// Cubes; nothing is launched for 0.
    pub cubes: u32,
    /// Units per cube.
    pub units: u32,
}

impl From<usize> for LaunchSize {
    fn from(units: usize) -> Self {
        Self { cubes: cubes_of(units), units: CUBE_UNITS }
    }
}

#[cube(launch)]
fn nothing(values: &mut Array<u32>) {
    if ABSOLUTE_POS == 0 {
        values[0] += 1;
    }
}

impl Device {
    /// From now on, times every `every`-th launch of each label; 0 for none. A timed launch waits for the device before
    /// and after, so a run takes longer.
    ///
    /// # Errors
    /// When the device fails.
    pub fn time_launches(&mut self, every: u64) -> Result<(), DeviceError> {
        let mut times = Vec::new();
        for _ in 0..16 {
            self.launch_nothing()?;
            let since = Instant::now();
            self.launch_nothing()?;
            times.push(since.elapsed());
        }
        times.sort_unstable();
        self.idle = times[times.len() / 2];
        self.time_every = every;
        Ok(())
    }

    /// Launches a kernel with negligible work and waits for it.
    fn launch_nothing(&self) -> Result<(), DeviceError> {
        let buffer = self.upload("timing", &[0u32])?;
        self.submit("timing", CubeCount::Static(1, 1, 1), CubeDim::new_1d(32), |client, count, dim| {
            nothing::launch(client, count, dim, buffer.arg());
        })?;
        self.synchronize("timing")
    }

    /// Launches a kernel on `units` units in cubes of [`CUBE_UNITS`]. The label appears in timings and errors.
    ///
    /// # Errors
    /// When the device is lost, compilation fails, or a buffer is of another device. A failure inside the kernel is
    /// reported by the next transfer or [`Device::synchronize`].
    pub fn launch(
        &self,
        label: &'static str,
        units: usize,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        self.launch_cubes(label, cubes_of(units), CUBE_UNITS, launch)
    }

    /// Launches a kernel on `cubes` cubes of `units` units each; does nothing for 0 cubes, which some drivers reject.
    ///
    /// # Errors
    /// As for [`Device::launch`].
    pub fn launch_cubes(
        &self,
        label: &'static str,
        cubes: u32,
        units: u32,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        if cubes == 0 {
            return Ok(());
        }
        let (count, dim) = (cube_count(cubes), CubeDim::new_1d(units));
        let (first, timed) = {
            let mut ledger = self.counts();
            let phase = ledger.phases.entry(label).or_default();
            phase.launches += 1;
            let timed = self.time_every > 0 && phase.launches > 1 && phase.launches.is_multiple_of(self.time_every);
            (phase.launches == 1, timed)
        };
        if !first && !timed {
            return self.submit(label, count, dim, launch);
        }
        self.synchronize(label)?;
        if timed {
            // The first launch after a pause also wakes up the driver's thread.
            self.launch_nothing()?;
        }
        let since = Instant::now();
        self.submit(label, count, dim, launch)?;
        if first && faults::not_compiled() {
            return Err(self.error_context().failure(label, &not_compiled("it was refused on purpose (THRONG_FAULT)")));
        }
        self.synchronize(label)?;
        let elapsed = since.elapsed();
        let mut ledger = self.counts();
        let phase = ledger.phases.entry(label).or_default();
        if first {
            phase.first += elapsed;
        } else {
            phase.timed += 1;
            phase.timed_for += elapsed.saturating_sub(self.idle);
        }
        Ok(())
    }

    /// [`KernelArrays::arg_of`] for the host functions of kernels.
    #[doc(hidden)]
    pub fn kernel_argument<A: KernelArrays>(&self, argument: A::Buffers<'_>) -> A::RuntimeArg<Gpu> {
        A::arg_of(argument)
    }

    /// Launches one cube of a kernel that does nothing in this launch, and waits for it: this compiles the kernel. The
    /// time counts as a part of the first launch.
    pub(crate) fn compile(
        &self,
        label: &'static str,
        units: u32,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        self.synchronize(label)?;
        let since = Instant::now();
        self.submit(label, cube_count(1), CubeDim::new_1d(units), launch)?;
        self.synchronize(label)?;
        self.counts().phases.entry(label).or_default().first += since.elapsed();
        Ok(())
    }

    /// Passes a launch to CubeCL, unless one of its buffers belongs to another device.
    fn submit(
        &self,
        label: &str,
        count: CubeCount,
        dim: CubeDim,
        launch: impl FnOnce(&ComputeClient<Gpu>, CubeCount, CubeDim),
    ) -> Result<(), DeviceError> {
        self.guard(Place::Launch, label, || launching(self.origin(), || launch(self.client, count, dim)))?;
        // The interpreter reports faults of the kernel, which then have the label of the launch.
        if self.info().id.backend == Backend::Host { self.synchronize(label) } else { Ok(()) }
    }
}

/// Returns the number of cubes of [`CUBE_UNITS`] for `units` units.
pub(crate) fn cubes_of(units: usize) -> u32 {
    cubes_of_units(units, CUBE_UNITS)
}

/// Returns the number of cubes of `cube_units` for `units` units.
pub(crate) fn cubes_of_units(units: usize, cube_units: u32) -> u32 {
    (units as u64).div_ceil(u64::from(cube_units)).max(1) as u32
}

/// Returns the number of cubes actually launched for `cubes`, which may be larger because cubes fill a rectangle.
pub(crate) fn launched_cubes(cubes: u32) -> usize {
    match cube_count(cubes) {
        CubeCount::Static(columns, rows, layers) => [columns, rows, layers].map(|n| n as usize).iter().product(),
        CubeCount::Dynamic(_) => unreachable!("the number is always known"),
    }
}

/// Arranges the cubes in two dimensions if one is not enough. Kernels use `ABSOLUTE_POS`, which counts across
/// dimensions.
fn cube_count(cubes: u32) -> CubeCount {
    const MAX_PER_DIMENSION: u32 = 65_535;
    if cubes <= MAX_PER_DIMENSION {
        return CubeCount::Static(cubes, 1, 1);
    }
    let rows = cubes.div_ceil(MAX_PER_DIMENSION);
    CubeCount::Static(cubes.div_ceil(rows), rows, 1)
}

#[cfg(test)]
mod tests {
    use throng_testing::skip_backend;

    use super::*;
    use crate::choice::DeviceId;
    use crate::{Buffer, open};

    /// Simulates a buffer of another device, because most machines have only one.
    fn of_another_device(buffer: &Buffer<u32>) -> Buffer<u32> {
        let mut other = buffer.clone();
        other.origin.id.index += 1;
        other
    }

    fn foreign_buffers_are_refused(device: &Device) {
        let own = device.upload("own", &[7u32]).unwrap();
        let other = of_another_device(&own);
        let launch = |buffer: &Buffer<u32>| {
            device.launch("nothing", 1, |client, count, dim| nothing::launch(client, count, dim, buffer.arg()))
        };
        let expected = Err(DeviceError::Foreign { device: device.label(), owner: other.origin.id });
        assert_eq!(launch(&other), expected);
        assert_eq!(launch(&other), expected, "not only the first launch of a label");
        assert_eq!(device.read(&own).unwrap(), [7], "nothing was launched");
        launch(&own).unwrap();
        assert_eq!(device.read(&own).unwrap(), [8], "the device remains usable");
        assert_eq!(device.read(&other).map(|_| ()), expected);
        assert_eq!(device.read(&other.words()).map(|_| ()), expected);
    }

    #[test]
    fn buffers_of_another_device_are_refused() {
        for backend in Backend::of_gpus() {
            match open(DeviceId { backend, index: 0 }) {
                Ok(device) => foreign_buffers_are_refused(&device),
                Err(error) => skip_backend(backend.name(), error),
            }
        }
    }
}
