//! The launches of steps, without checks of indices, which would make each thread wait for each number it reads
//! before it may ask for the next. Debug builds, and so the tests, check all the same.

use throng_device::cubecl::prelude::*;
use throng_device::{Buffer, Device, DeviceError};

use super::buffers::Buffers;
use super::kernels::{self, Fixed};
use super::numbers::Numbers;

/// Cubes, and units of a cube.
pub(super) type Threads = (u32, u32);

/// What every launch of a batch takes.
#[derive(Clone, Copy)]
pub(super) struct Launcher<'r, R: Runtime> {
    pub device: &'r Device<R>,
    pub buffers: &'r Buffers,
    pub fixed: Fixed,
    pub volumes: &'r Buffer<u32>,
    pub mailbox: &'r Buffer<u32>,
    pub events: &'r Buffer<u32>,
    pub errors: &'r Buffer<u32>,
}

impl<R: Runtime> Launcher<'_, R> {
    /// Many steps in one launch, from the one in `numbers` on.
    #[allow(unsafe_code)]
    pub fn many_steps(&self, threads: Threads, numbers: Numbers, steps: u32) -> Result<(), DeviceError> {
        self.device.launch_cubes("many steps", threads.0, threads.1, |client, cubes, dim| {
            let (world, now, alone) = (self.world(), numbers.arg(), threads.0 == 1);
            // SAFETY: the kernel reads and writes at numbers of nodes, links, persons, plan elements, route positions
            // and vehicles of a `CheckedScenario`, from which alone `Buffers::new` makes the arrays, and at places of the
            // packed records of these, for which it made room; and at places of events and errors, which the kernel
            // compares with the room there is. Meetings end.
            unsafe {
                kernels::many_steps::launch_unchecked::<R>(client, cubes, dim, world, now, steps, alone, self.fixed);
            };
        })
    }

    /// First half of a single step: agents whose activity is over leave, vehicles cross nodes.
    #[allow(unsafe_code)]
    pub fn agents_and_nodes(&self, threads: Threads, numbers: Numbers) -> Result<(), DeviceError> {
        self.device.launch_cubes("agents and nodes", threads.0, threads.1, |client, cubes, dim| {
            let (world, now, all) = (self.world(), numbers.arg(), threads.0 * threads.1);
            // SAFETY: as for many steps.
            unsafe {
                kernels::agents_and_nodes::launch_unchecked::<R>(client, cubes, dim, world, now, all, self.fixed);
            };
        })
    }

    /// Second half of a single step: links are stepped, teleports end.
    #[allow(unsafe_code)]
    pub fn links_and_teleports(&self, threads: Threads, numbers: Numbers) -> Result<(), DeviceError> {
        self.device.launch_cubes("links and teleports", threads.0, threads.1, |client, cubes, dim| {
            let (world, now, all) = (self.world(), numbers.arg(), threads.0 * threads.1);
            // SAFETY: as for many steps.
            unsafe {
                kernels::links_and_teleports::launch_unchecked::<R>(client, cubes, dim, world, now, all, self.fixed);
            };
        })
    }

    /// Finds out when anything is due after the step in `numbers`.
    pub fn horizon(&self, threads: usize, numbers: Numbers) -> Result<(), DeviceError> {
        self.device.launch("horizon", threads, |client, cubes, dim| {
            kernels::horizon::launch::<R>(client, cubes, dim, self.world(), numbers.arg(), threads as u32);
        })
    }

    /// The arrays as argument of a kernel.
    pub fn world(&self) -> kernels::WorldLaunch<R> {
        self.buffers.world(self.volumes, self.mailbox, self.events, self.errors)
    }
}
