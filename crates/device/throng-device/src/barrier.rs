//! A grid-wide barrier, for launches whose cubes all run at the same time.
//!
//! A launch costs several microseconds, a barrier one or two. Kernels with little work between the points at which all
//! units must be synchronised therefore use a barrier instead of another launch.

// The macro generates an undocumented module and functions.
#![allow(missing_docs)]

use cubecl::prelude::*;

use crate::cuda_text::{acquiring_loads, relaxed_loads, release_fence};

/// Number of times a cube polls the counter before it times out: a few seconds.
const MAX_POLLS: u32 = 1 << 23;

/// Waits until all cubes have reached the barrier. Afterwards every unit sees all previous writes of all units. Every
/// unit of every cube must call it.
///
/// `arrivals[at]` counts arrivals and must be 0 when the launch begins; `arrivals[at + 1]` becomes 1 if a cube times
/// out. `expected_arrivals` is the number of cubes times the ordinal of this barrier, counted from 1. The result is
/// false if some cube has not arrived within a few seconds: the cubes are not running at the same time, and the kernel
/// must end.
///
/// A launch with a barrier may have at most [`crate::Device::co_resident_cubes`] cubes. With more, resident cubes would
/// wait for cubes that cannot start until the resident cubes have ended.
///
/// With several cubes, later atomic additions and loads of the kernel must be of `Atomic<u32>` in global memory:
/// [`relaxed_loads()`](crate::relaxed_loads()) applies from here on.
///
/// If `single_cube` is set, the launch has only one cube. The barrier then synchronises the units of that cube, on any
/// device, and `arrivals` is not used.
#[cube]
pub fn grid_barrier(
    arrivals: &mut Array<Atomic<u32>>,
    #[comptime] at: u32,
    expected_arrivals: u32,
    #[comptime] single_cube: bool,
) -> bool {
    if comptime!(single_cube) {
        sync_storage();
        true.runtime()
    } else {
        wait_for_cubes(arrivals, at, expected_arrivals)
    }
}

/// [`grid_barrier`] for several cubes. Needs memory fences, which are only available with CUDA here.
#[cube]
fn wait_for_cubes(arrivals: &mut Array<Atomic<u32>>, #[comptime] at: u32, expected_arrivals: u32) -> bool {
    let mut all_arrived = SharedMemory::<u32>::new(1usize);
    sync_cube();
    if UNIT_POS == 0 {
        release_fence();
        arrivals[at as usize].fetch_add(1u32);
        acquiring_loads();
        let mut arrived = arrivals[at as usize].load();
        let mut polls = 0u32;
        while arrived < expected_arrivals && polls < MAX_POLLS {
            arrived = arrivals[at as usize].load();
            polls += 1u32;
        }
        relaxed_loads();
        all_arrived[0] = 1u32;
        if arrived < expected_arrivals {
            all_arrived[0] = 0u32;
            arrivals[comptime!(at + 1) as usize].store(1u32);
        }
    }
    sync_cube();
    all_arrived[0] == 1u32
}
