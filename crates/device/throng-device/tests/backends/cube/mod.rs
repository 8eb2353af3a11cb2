//! Compares the idioms for the units of a cube with plain Rust. Every cube of a launch has a row of the buffers: a
//! length and a mask.

mod extremes;
mod generators;
mod lists;
mod teams;

pub use extremes::{extremes_of_a_cube, the_n_first_of_a_cube};
pub use generators::draws_shared_among_workers;
pub use lists::{lists_and_choices_of_a_cube, permutations_of_a_cube, prefix_sums_of_a_cube};
pub use teams::teams_match_a_single_thread;

use throng_device::{Buffer, Device, DeviceError};

use crate::backends::sample::{numbers, words};

/// Cube sizes in units: one, powers of two, and others; the second number is the comptime argument `units`.
const CUBES: [(u32, usize); 12] =
    [(1, 1), (2, 2), (3, 3), (7, 8), (8, 8), (9, 9), (32, 32), (33, 33), (64, 256), (100, 100), (255, 256), (256, 256)];

/// Cubes used to test idioms with additional types.
const OF_FURTHER_TYPES: [(u32, usize); 3] = [(33, 33), (64, 256), (100, 100)];

/// Returns all cubes, or in the quick tests every third, including the largest: software drivers compile a kernel for
/// each.
fn cubes() -> Vec<(u32, usize)> {
    CUBES.into_iter().rev().step_by(throng_testing::amount(3, 1) as usize).collect()
}

/// Lengths of lists: zero, one, odd numbers, powers of two, and one more or less.
const LENGTHS: [usize; 21] = [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];

/// Elements per row; those beyond its length must be ignored.
pub const ROW: usize = 320;

/// Input of a launch, with one row per cube.
#[derive(Debug)]
pub struct Rows {
    pub lengths: Vec<u32>,
    /// Words of all magnitudes, with many duplicates.
    pub values: Vec<u32>,
    /// Masks in which no elements, all elements or some elements are set.
    pub masks: Vec<u32>,
}

impl Rows {
    pub fn new(seed: u64) -> Self {
        let mut rows = Self { lengths: Vec::new(), values: Vec::new(), masks: Vec::new() };
        for (i, &len) in LENGTHS.iter().enumerate() {
            for kind in 0..4u32 {
                let sample = (ROW, seed + 10 * i as u64 + u64::from(kind));
                let value = |word: u32| if kind % 2 == 0 { word % 5 } else { word };
                rows.lengths.push(len as u32);
                rows.values.extend(words(sample).into_iter().map(value));
                // All masks beyond the length are set; they must not count.
                let random = numbers(sample.1 ^ 9).take(ROW).map(|n| (n % 3) as u32 * 8);
                rows.masks.extend(random.enumerate().map(|(at, random)| match kind {
                    _ if at >= len => 1,
                    0 => 0,
                    1 => 1,
                    _ => random,
                }));
            }
        }
        rows
    }

    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    pub fn values(&self, row: usize) -> &[u32] {
        &self.values[ROW * row..][..self.lengths[row] as usize]
    }

    pub fn mask(&self, row: usize) -> &[u32] {
        &self.masks[ROW * row..][..self.lengths[row] as usize]
    }

    /// Returns the indices of the elements that take part.
    pub fn indices(&self, row: usize) -> Vec<u32> {
        (0..self.lengths[row]).filter(|&i| self.mask(row)[i as usize] != 0).collect()
    }

    pub fn upload(&self, device: &Device) -> Result<OnDevice, DeviceError> {
        Ok(OnDevice {
            lengths: device.upload("lengths", &self.lengths)?,
            values: device.upload("values", &self.values)?,
            masks: device.upload("masks", &self.masks)?,
        })
    }
}

/// Buffers with the rows of a launch.
pub struct OnDevice {
    pub lengths: Buffer<u32>,
    pub values: Buffer<u32>,
    pub masks: Buffer<u32>,
}
