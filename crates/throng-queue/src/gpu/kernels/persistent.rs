//! Many steps in one launch, where all cubes run at once and can meet.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::grid_barrier;

use super::super::record::*;
use super::links::step_links;
use super::nodes::step_nodes;
use super::state::{KernelConfig, StepParameters, DeviceState};

/// Units that share an instruction.
const PLANE: u32 = 32;
/// Words that memory hands out at a time.
const SECTOR: u32 = 8;

/// Makes `steps` steps, the first of which is `from`; `alone` when there is one cube.
#[cube(launch_unchecked)]
pub fn many_steps(state: &mut DeviceState, from: &StepParameters, steps: u32, #[comptime] single_cube: bool, #[comptime] config: KernelConfig) {
    let cubes = CUBE_COUNT as u32;
    let threads = cubes * CUBE_DIM;
    // Entities are dealt out to all planes by the sector: those of one plane wait for each other, and where there is one
    // busy node there are more; but in smaller parts reading would take longer.
    let plane = (UNIT_POS / PLANE) * cubes + CUBE_POS as u32;
    let lane = UNIT_POS % PLANE;
    let thread = (lane / SECTOR) * (threads / PLANE * SECTOR) + plane * SECTOR + lane % SECTOR;
    let mut time = from.time;
    let mut awaited = 0u32;
    for i in 0..steps {
        let params = StepParameters { time, step: from.step + i, batch_step: from.batch_step + i, run: from.run };
        step_nodes(state, &params, thread, threads, config);
        awaited += cubes;
        if !grid_barrier(&mut state.counters, BARRIER_ARRIVALS, awaited, single_cube) {
            terminate!();
        }
        step_links(state, &params, thread, threads, config);
        awaited += cubes;
        if !grid_barrier(&mut state.counters, BARRIER_ARRIVALS, awaited, single_cube) {
            terminate!();
        }
        // As the host's clock adds them up.
        time += from.run.step_s;
    }
}
