//! The cases of the benchmark: radii, resolutions and numbers of circles.

use std::ops::Bound;

use throng_core::Philox;
use throng_fields::InputError;
use throng_model::flags::Flag;

use super::circles::{Circles, WORLD};
use crate::experiment::flags::{number, numbers, runs, threads};
use crate::experiment::options;

options! {
    /// Options of the experiment; the default is the 240 cases of the thesis.
    Options, FLAGS {
        radii: Vec<f32> = vec![15.0, 8.0, 4.0]; quick vec![15.0, 4.0],
            list "radii" "UNITS,..." "Radii of circles, world units [default: 15,8,4]"
            numbers((Bound::Excluded(0.0), Bound::Included(1e6)));
        resolutions: Vec<u32> = (1..=8).map(|i| i * 256).collect(); quick vec![256, 512],
            list "resolutions" "CELLS,..." "Cells along a side of the field [default: 256,512,...,2048]"
            numbers(1..=32_768);
        counts: Vec<u32> = [64, 128].into_iter().chain((1..=8).map(|i| i * 256)).collect(); quick vec![64, 256],
            list "entities" "N,..." "Numbers of circles [default: 64,128,256,512,...,2048]" numbers(1..=10_000_000);
        repeat: usize = 10; quick 3,
            new "repeat" "N"
            "Runs of each program; prints the median. Programs that take longer than 1 s run at most three times [default: 10]" runs;
        most_naive_pairs: u64 = u64::MAX,
            new "most-naive-pairs" "N" "Skip the naive CPU program in cases with over N pairs of cell and circle"
            number(..);
        threads: usize = 1,
            new "threads" "N"
            "Threads for Throng's CPU program and the copy by rows; both are also measured on one thread [default: all]"
            threads;
    }
    also { BEYOND }
    fixed {
        /// Seed of the circles' positions.
        seed: u64 = 1;
    }
}

const BEYOND: Flag = Flag::switch(
    "beyond",
    "Also measure on the device what the thesis does not cover: many small windows at once, fields up to 16,384 x \
     16,384 cells with a million circles, influence maps, travel times; needs 2 GiB of device memory",
);

/// A radius, a resolution, and a number of circles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Radius in world units.
    pub radius: f32,
    /// Side length of the field in cells.
    pub resolution: u32,
    /// Number of circles.
    pub count: u32,
}

impl Options {
    /// All cases, grouped by radius.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for &radius in &self.radii {
            for &count in &self.counts {
                cases.extend(self.resolutions.iter().map(|&resolution| Case { radius, resolution, count }));
            }
        }
        cases
    }
}

impl Case {
    /// Circles at random positions in the world; the thesis does not say where its circles were.
    ///
    /// # Errors
    /// If the radius is not positive, or there are no cells.
    pub fn circles(&self, seed: u64) -> Result<Circles, InputError> {
        let draws = Philox::new(seed);
        let at = |i: u32, axis: u32| (draws.unit(i, 0, axis, 0) * f64::from(WORLD)) as f32;
        Circles::new(self.resolution, self.radius, (0..self.count).map(|i| [at(i, 0), at(i, 1)]).collect())
    }

    /// Number of pairs of a cell and a circle.
    pub fn pairs(&self) -> u64 {
        u64::from(self.resolution) * u64::from(self.resolution) * u64::from(self.count)
    }

    /// Number of cells covered by circles, with a cell counted once per circle.
    pub fn covered(&self) -> f64 {
        let radius = f64::from(self.radius * self.resolution as f32 / WORLD);
        f64::from(self.count) * std::f64::consts::PI * radius * radius
    }
}
