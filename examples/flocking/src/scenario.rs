//! The user's scenario, and the initial state.

use throng::device::angles::CIRCLE;
use throng::model::prelude::*;

use crate::rules::{MAX_BIRDS, PATCH, Rules};

step_scenario! {
    /// A scenario file. The defaults match the `NetLogo` model.
    pub struct Scenario(ticks = 500, frame_every = 5, folder = "output/flocking"; animation_frames = 80) {
        /// Number of birds.
        pub population: u32 = 300,
        /// Width and height of the world in patches; the world wraps around.
        pub size: u32 = 71,
        /// Vision range of a bird, in patches.
        pub vision: f64 = 5.0,
        /// Distance below which a bird turns away from a neighbour, in patches.
        pub minimum_separation: f64 = 1.0,
        /// Maximum turn towards the mean heading of neighbours, in degrees per tick.
        pub max_align_turn: f64 = 5.0,
        /// Maximum turn towards the mean bearing of neighbours, in degrees per tick.
        pub max_cohere_turn: f64 = 3.0,
        /// Maximum turn away from a neighbour that is too close, in degrees per tick.
        pub max_separate_turn: f64 = 1.5,
        /// Speed, in patches per tick.
        pub speed: f64 = 1.0,
    }
}

/// Columns of the state: x and y in units of 1/[`PATCH`] patch, and headings in 65,536ths of a circle.
pub type Birds = [Vec<i32>; 3];

/// Returns the length of the mean direction: 1 if all birds head the same way, near 0 if headings are random.
pub fn order(headings: &[i32]) -> f64 {
    let radians = |heading: i32| f64::from(heading) / f64::from(CIRCLE) * std::f64::consts::TAU;
    let mean = |part: fn(f64) -> f64| headings.iter().map(|&heading| part(radians(heading))).sum::<f64>();
    libm::hypot(mean(libm::cos), mean(libm::sin)) / headings.len().max(1) as f64
}

impl Scenario {
    /// Converts the scenario to integer rules and the grid for the neighbour search.
    pub fn prepare(&self) -> Result<(Rules, UniformGrid), InputError> {
        let (mut units, degree) = (WholeUnits::default(), f64::from(CIRCLE) / 360.0);
        // A world without size is reported only once, by its key.
        let half = if self.size > 0 { f64::from(self.size) / 2.0 } else { f64::INFINITY };
        // The limits keep squares of distances, sums over birds and positions within 32 bits, and the grid in memory.
        units.of("ticks", self.ticks.into(), 1, 0.0..=1e9);
        units.of("population", self.population.into(), 1, 1.0..=MAX_BIRDS.into());
        let rules = Rules {
            size: units.of("size", self.size.into(), PATCH, 1.0..=20_000.0),
            vision: units.of("vision", self.vision, PATCH, 0.0..=half.min(11.0)),
            separation: units.of("minimum_separation", self.minimum_separation, PATCH, 0.0..=11.0),
            align: units.of("max_align_turn", self.max_align_turn, degree, 0.0..=180.0),
            cohere: units.of("max_cohere_turn", self.max_cohere_turn, degree, 0.0..=180.0),
            separate: units.of("max_separate_turn", self.max_separate_turn, degree, 0.0..=180.0),
            speed: units.of("speed", self.speed, PATCH, 0.0..=half.min(25.0)),
        };
        units.finish()?;
        let (size, reach) = (rules.size as u32, rules.vision.max(PATCH) as u32);
        Ok((rules, UniformGrid::covering([0, 0], [size, size], reach, Boundary::Periodic)?))
    }

    /// Returns birds with random positions and headings.
    pub fn start(&self) -> Birds {
        let (draws, size) = (Philox::new(self.seed.into()), self.size * PATCH as u32);
        let draw =
            |below, purpose| (0..self.population).map(|bird| draws.below(below, bird, 0, purpose, 0) as i32).collect();
        [draw(size, 0), draw(size, 1), draw(CIRCLE as u32, 2)]
    }
}
