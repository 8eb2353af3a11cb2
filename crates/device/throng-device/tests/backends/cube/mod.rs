//! What the units of a cube do together against plain Rust. Every cube of a launch has a row of the buffers.

mod generators;
mod permutations;
mod teams;

pub use generators::draws_shared_among_workers;
pub use permutations::permutations_of_a_cube;
pub use teams::teams_find_what_one_thread_finds;

/// Units of cubes: one, powers of two, and others.
const CUBES: [u32; 12] = [1, 2, 3, 7, 8, 9, 32, 33, 64, 100, 255, 256];

/// All cubes, or every third in the quick tests, the largest among them: a driver in software compiles a kernel for each.
fn cubes() -> Vec<u32> {
    CUBES.into_iter().rev().step_by(throng_testing::amount(3, 1) as usize).collect()
}

/// Lengths of lists: zero, one, odd, powers of two, and one more or less.
const LENGTHS: [u32; 21] = [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];

/// Elements of a row, of which some are beyond its length.
const ROW: usize = 320;
