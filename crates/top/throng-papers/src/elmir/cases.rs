//! The grid of the benchmark: radii, resolutions and numbers of circles.

use throng_core::Philox;

use super::circles::{Circles, WORLD};
use throng_fields::ValueError;

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Radii of circles, world units.
    pub radii: Vec<f32>,
    /// Cells along a side of the field.
    pub resolutions: Vec<u32>,
    /// Numbers of circles.
    pub counts: Vec<u32>,
    /// Runs of each program; what takes longer than a second is run once.
    pub repeat: usize,
    /// The most pairs of cell and circle for which the naive CPU program is run; beyond, it is left out.
    pub most_naive_pairs: u64,
    /// Threads of ours and of the copy by rows on the CPU, which run on one thread as well.
    pub threads: usize,
    /// Chooses the places of the circles.
    pub seed: u64,
}

impl Default for Options {
    /// The 240 cases of the thesis, ten runs each.
    fn default() -> Self {
        Self {
            radii: vec![15.0, 8.0, 4.0],
            resolutions: (1..=8).map(|i| i * 256).collect(),
            counts: [64, 128].into_iter().chain((1..=8).map(|i| i * 256)).collect(),
            repeat: 10,
            most_naive_pairs: u64::MAX,
            threads: 1,
            seed: 1,
        }
    }
}

/// A radius, a resolution, and a number of circles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// World units.
    pub radius: f32,
    /// Cells along a side of the field.
    pub resolution: u32,
    /// Circles.
    pub count: u32,
}

impl Options {
    /// All cases, radius by radius.
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
    /// Circles anywhere in the world; the thesis does not say where they were.
    ///
    /// # Errors
    /// When the radius is not positive or there are no cells.
    pub fn circles(&self, seed: u64) -> Result<Circles, ValueError> {
        let draws = Philox::new(seed);
        let at = |i: u32, axis: u32| (draws.unit(i, 0, axis, 0) * f64::from(WORLD)) as f32;
        Circles::new(self.resolution, self.radius, (0..self.count).map(|i| [at(i, 0), at(i, 1)]).collect())
    }

    /// Pairs of cell and circle.
    pub fn pairs(&self) -> u64 {
        u64::from(self.resolution) * u64::from(self.resolution) * u64::from(self.count)
    }

    /// Cells that circles cover, each counted for every circle that covers it.
    pub fn covered(&self) -> f64 {
        let radius = f64::from(self.radius * self.resolution as f32 / WORLD);
        f64::from(self.count) * std::f64::consts::PI * radius * radius
    }
}
