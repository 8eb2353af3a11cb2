//! The kernel launches of steps. Index checks are off, because each thread would have to wait for every number it reads
//! before it could request the next one. Debug builds, and therefore the tests, check indices.

use throng_device::{Device, DeviceError, Gpu, KernelParameter};

use super::buffers::{BatchBuffers, Buffers};
use super::kernels::{self, KernelConfig, StepParameters, state_argument};

/// Number of cubes and number of units per cube.
pub(super) type Threads = (u32, u32);

/// The arguments of every launch of a batch.
#[derive(Clone, Copy)]
pub(super) struct Launcher<'r> {
    pub device: &'r Device,
    pub buffers: &'r Buffers,
    pub config: KernelConfig,
    pub batch: BatchBuffers<'r>,
}

impl Launcher<'_> {
    /// Executes several steps in one launch, starting with the one in `parameters`.
    #[allow(unsafe_code)]
    pub fn many_steps(&self, threads: Threads, parameters: StepParameters, steps: u32) -> Result<(), DeviceError> {
        self.device.launch_cubes("many steps", threads.0, threads.1, |client, cubes, dim| {
            let (state, params, single_cube) = (self.state(), parameters.arg(), threads.0 == 1);
            // SAFETY: the kernel indexes arrays by the indices of nodes, links, persons, plan elements, route
            // positions, vehicles, stops, calls and drivers. `Buffers::new` creates these arrays only from a
            // `CheckedScenario`, in which all such indices are valid, with room for the packed records of each entity.
            // A driver without calls reads call 0, or the words of the first driver if there is none.
            // Indices of events, errors, holes and persons who found no place are compared with the capacity before
            // use. Grid barriers end, at the latest when they time out.
            unsafe {
                kernels::many_steps::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    state,
                    params,
                    steps,
                    single_cube,
                    self.config,
                );
            };
        })
    }

    /// Executes the first half of a single step: activities end, vehicles cross nodes.
    #[allow(unsafe_code)]
    pub fn agents_and_nodes(&self, threads: Threads, parameters: StepParameters) -> Result<(), DeviceError> {
        self.device.launch_cubes("agents and nodes", threads.0, threads.1, |client, cubes, dim| {
            let (state, params, threads_total) = (self.state(), parameters.arg(), threads.0 * threads.1);
            // SAFETY: as in `many_steps`.
            unsafe {
                kernels::agents_and_nodes::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    state,
                    params,
                    threads_total,
                    self.config,
                );
            };
        })
    }

    /// Executes the second half of a single step: links are stepped, teleports end.
    #[allow(unsafe_code)]
    pub fn links_and_teleports(&self, threads: Threads, parameters: StepParameters) -> Result<(), DeviceError> {
        self.device.launch_cubes("links and teleports", threads.0, threads.1, |client, cubes, dim| {
            let (state, params, threads_total) = (self.state(), parameters.arg(), threads.0 * threads.1);
            // SAFETY: as in `many_steps`.
            unsafe {
                kernels::links_and_teleports::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    state,
                    params,
                    threads_total,
                    self.config,
                );
            };
        })
    }

    /// Determines the first step after the one in `parameters` in which anything is due.
    pub fn horizon(&self, threads: usize, parameters: StepParameters) -> Result<(), DeviceError> {
        self.device.launch("horizon", threads, |client, cubes, dim| {
            kernels::horizon::launch(client, cubes, dim, self.state(), parameters.arg(), threads as u32);
        })
    }

    /// Returns the arrays as a kernel argument.
    pub fn state(&self) -> kernels::DeviceStateLaunch<Gpu> {
        state_argument(self.buffers, self.batch)
    }
}
