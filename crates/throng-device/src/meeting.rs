//! A barrier for all cubes of a launch, where all of them run at once.
//!
//! A launch costs several microseconds, a meeting one or two. Kernels that have little to do between the points at which
//! all units must have finished therefore synchronise instead of being launched again.

// The macro makes a module and functions of its own.
#![allow(missing_docs)]

use cubecl::prelude::*;

/// How often a cube looks whether the others have come before it gives up: some seconds.
const PATIENCE: u32 = 1 << 22;

/// Waits until all cubes have come: what their units wrote before, all see afterwards. Every unit of every cube calls it.
///
/// `arrivals[at]` counts arrivals and is 0 when the launch begins; `arrivals[at + 1]` becomes 1 when a cube gave up.
/// `awaited` is the number of cubes times that of this meeting, counted from 1. False when not all came within some
/// seconds: then they do not run at once, and the kernel must end.
///
/// Only for launches of at most [`crate::Device::cubes_at_once`] cubes; elsewhere cubes would wait for others that start
/// only when they are done.
///
/// `alone` says that the launch has one cube. Its units wait for each other, on any device; nothing is counted.
#[cube]
pub fn meet(arrivals: &mut Array<Atomic<u32>>, #[comptime] at: u32, awaited: u32, #[comptime] alone: bool) -> bool {
    if comptime!(alone) {
        sync_storage();
        true.runtime()
    } else {
        all_came(arrivals, at, awaited)
    }
}

/// What several cubes do to [`meet`]. Needs memory to be fenced, which only CUDA can here.
#[cube]
fn all_came(arrivals: &mut Array<Atomic<u32>>, #[comptime] at: u32, awaited: u32) -> bool {
    let mut came = SharedMemory::<u32>::new(1usize);
    sync_cube();
    if UNIT_POS == 0 {
        fence();
        let mut here = arrivals[at as usize].fetch_add(1u32) + 1u32;
        let mut looks = 0u32;
        while here < awaited && looks < PATIENCE {
            here = arrivals[at as usize].load();
            looks += 1u32;
        }
        came[0] = 1u32;
        if here < awaited {
            came[0] = 0u32;
            arrivals[comptime!(at + 1) as usize].store(1u32);
        }
        fence();
    }
    sync_cube();
    came[0] == 1u32
}

/// Orders what a unit reads and writes before it against what it does afterwards, as other cubes see it.
///
/// CubeCL 0.10 cannot say this: its `sync_storage` is a barrier for one cube. CUDA's own word for it comes in where
/// a comment would stand, so this is for CUDA only. The test of meetings fails where it does not come through.
fn fence() {}

mod fence {
    use cubecl::prelude::Scope;

    pub fn expand(scope: &mut Scope) {
        cubecl::frontend::cube_comment::expand(scope, "*/ __threadfence(); /*\n");
    }
}
