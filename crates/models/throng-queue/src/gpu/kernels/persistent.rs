//! The persistent kernel: many steps in one launch, in which all cubes run concurrently and synchronise at grid
//! barriers.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::{grid_barrier, relaxed_loads};

use super::super::record::*;
use super::links::step_links;
use super::nodes::step_nodes;
use super::state::{DeviceState, KernelConfig, StepParameters};

/// Number of units that execute in lockstep.
const PLANE: u32 = 32;
/// Number of words per memory transaction.
const SECTOR: u32 = 8;

/// Executes `steps` steps, starting with `from`; `single_cube`: there is only one cube.
#[cube(launch_unchecked)]
pub fn many_steps(
    state: &mut DeviceState,
    from: &StepParameters,
    steps: u32,
    #[comptime] single_cube: bool,
    #[comptime] config: KernelConfig,
) {
    // Only CUDA runs several cubes, and no other back end knows these loads.
    if comptime!(!single_cube) {
        relaxed_loads();
    }
    let cubes = CUBE_COUNT as u32;
    let threads = cubes * CUBE_DIM;
    // Entities are distributed over all planes by sector: the units of a plane wait for each other, and busy nodes have
    // adjacent indices. Parts smaller than a sector would make reads slower.
    let plane = (UNIT_POS / PLANE) * cubes + CUBE_POS as u32;
    let lane = UNIT_POS % PLANE;
    let thread = (lane / SECTOR) * (threads / PLANE * SECTOR) + plane * SECTOR + lane % SECTOR;
    let mut time = from.time;
    let mut expected_arrivals = 0u32;
    for i in 0..steps {
        let params = StepParameters { time, step: from.step + i, batch_step: from.batch_step + i, run: from.run };
        step_nodes(state, &params, thread, threads, config);
        expected_arrivals += cubes;
        if !grid_barrier(&mut state.counters, BARRIER_ARRIVALS, expected_arrivals, single_cube) {
            terminate!();
        }
        step_links(state, &params, thread, threads, config);
        expected_arrivals += cubes;
        if !grid_barrier(&mut state.counters, BARRIER_ARRIVALS, expected_arrivals, single_cube) {
            terminate!();
        }
        // The same addition as in the host's clock.
        time += from.run.step_s;
    }
}
