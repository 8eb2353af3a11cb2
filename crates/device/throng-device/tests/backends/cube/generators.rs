//! Draws do not depend on the number of workers.

use throng_core::Philox;
use throng_device::Device;
use throng_device::cubecl::{self, prelude::*};
use throng_device::mwc64x::{Mwc64x, stream};
use throng_device::philox::words;

const DRAWS: usize = 1 << 20;

/// Draws per worker and launch. Mesa's software devices end all loops of a kernel after 65,535 iterations.
const IN_A_LAUNCH: u32 = 1 << 15;

/// Each worker makes up to `each` consecutive draws in several launches and keeps its state in between.
#[cube(launch)]
fn draw(states: &mut Array<u32>, of_stream: &mut Array<u32>, of_counters: &mut Array<u32>, each: u32, from: u32) {
    let worker = ABSOLUTE_POS;
    let first = worker as u32 * each;
    let mut draws = Mwc64x { x: states[2 * worker], c: states[2 * worker + 1] };
    if from == 0u32 {
        let mut seeded = stream(42u32, 0u32, 3u32);
        seeded.skip(first, 0u32);
        draws.x = seeded.x;
        draws.c = seeded.c;
    }
    let end = min(min(first + each, of_stream.len() as u32), first + from + IN_A_LAUNCH);
    for i in first + from..end {
        of_stream[i as usize] = draws.word();
        of_counters[i as usize] = words(7u32, 9u32, i, 1u32, 2u32, 3u32).first;
    }
    states[2 * worker] = draws.x;
    states[2 * worker + 1] = draws.c;
}

pub fn draws_shared_among_workers(device: &Device) {
    let mut in_order = stream(42, 0, 3);
    let expected: Vec<u32> = (0..DRAWS).map(|_| in_order.word()).collect();
    let philox = Philox::new((9 << 32) | 7);
    let expected_of_counters: Vec<u32> = (0..DRAWS as u32).map(|i| philox.block([i, 1, 2, 3])[0]).collect();
    for workers in [1usize, 7, 256] {
        let states = device.empty::<u32>("states", 2 * workers).unwrap();
        let of_stream = device.empty::<u32>("draws", DRAWS).unwrap();
        let of_counters = device.empty::<u32>("draws", DRAWS).unwrap();
        let each = DRAWS.div_ceil(workers) as u32;
        for from in (0..each).step_by(IN_A_LAUNCH as usize) {
            device
                .launch_cubes("draw", 1, workers as u32, |client, cubes, dim| {
                    let (states, of_stream, of_counters) = (states.arg(), of_stream.arg(), of_counters.arg());
                    draw::launch(client, cubes, dim, states, of_stream, of_counters, each, from);
                })
                .unwrap();
        }
        assert!(device.read(&of_stream).unwrap() == expected, "{workers} workers, {}", device.label());
        assert!(device.read(&of_counters).unwrap() == expected_of_counters, "{workers} workers, {}", device.label());
    }
}
