//! The launches of steps, without checks of indices, which would make each thread wait for each number it reads
//! before it may ask for the next. Debug builds, and so the tests, check all the same.

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError};

use super::buffers::Buffers;
use super::kernels::{self, KernelConfig};
use super::parameters::LaunchParameters;

/// Cubes, and units of a cube.
pub(super) type Threads = (u32, u32);

/// What every launch of a batch takes.
#[derive(Clone, Copy)]
pub(super) struct Launcher<'r, R: Runtime> {
    pub device: &'r Device<R>,
    pub buffers: &'r Buffers,
    pub config: KernelConfig,
    pub volumes: &'r Buffer<u32>,
    pub counters: &'r Buffer<u32>,
    pub events: &'r Buffer<u32>,
    pub errors: &'r Buffer<u32>,
}

impl<R: Runtime> Launcher<'_, R> {
    /// Many steps in one launch, from the one in `numbers` on.
    #[allow(unsafe_code)]
    pub fn many_steps(&self, threads: Threads, parameters: LaunchParameters, steps: u32) -> Result<(), DeviceError> {
        self.device.launch_cubes("many steps", threads.0, threads.1, |client, cubes, dim| {
            let (state, now, single_cube) = (self.state(), parameters.arg(), threads.0 == 1);
            // SAFETY: the kernel reads and writes at numbers of nodes, links, persons, plan elements, route positions
            // and vehicles of a `CheckedScenario`, from which alone `Buffers::new` makes the arrays, and at places of the
            // packed records of these, for which it made room; and at places of events and errors, which the kernel
            // compares with the room there is. Meetings end.
            unsafe {
                kernels::many_steps::launch_unchecked::<R>(client, cubes, dim, state, now, steps, single_cube, self.config);
            };
        })
    }

    /// First half of a single step: agents whose activity is over leave, vehicles cross nodes.
    #[allow(unsafe_code)]
    pub fn agents_and_nodes(&self, threads: Threads, parameters: LaunchParameters) -> Result<(), DeviceError> {
        self.device.launch_cubes("agents and nodes", threads.0, threads.1, |client, cubes, dim| {
            let (state, now, all) = (self.state(), parameters.arg(), threads.0 * threads.1);
            // SAFETY: as for many steps.
            unsafe {
                kernels::agents_and_nodes::launch_unchecked::<R>(client, cubes, dim, state, now, all, self.config);
            };
        })
    }

    /// Second half of a single step: links are stepped, teleports end.
    #[allow(unsafe_code)]
    pub fn links_and_teleports(&self, threads: Threads, parameters: LaunchParameters) -> Result<(), DeviceError> {
        self.device.launch_cubes("links and teleports", threads.0, threads.1, |client, cubes, dim| {
            let (state, now, all) = (self.state(), parameters.arg(), threads.0 * threads.1);
            // SAFETY: as for many steps.
            unsafe {
                kernels::links_and_teleports::launch_unchecked::<R>(client, cubes, dim, state, now, all, self.config);
            };
        })
    }

    /// Finds out when anything is due after the step in `numbers`.
    pub fn horizon(&self, threads: usize, parameters: LaunchParameters) -> Result<(), DeviceError> {
        self.device.launch("horizon", threads, |client, cubes, dim| {
            kernels::horizon::launch::<R>(client, cubes, dim, self.state(), parameters.arg(), threads as u32);
        })
    }

    /// The arrays as argument of a kernel.
    pub fn state(&self) -> kernels::DeviceStateLaunch<R> {
        self.buffers.state(self.volumes, self.counters, self.events, self.errors)
    }
}
