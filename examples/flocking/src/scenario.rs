//! What the user describes, and the state at the start.

use serde::{Deserialize, Serialize};
use throng_core::{InputError, Philox, Problems, StateHash};
use throng_device::neighbours::{Boundary, UniformGrid};

use crate::rules::{CIRCLE, PATCH, Rules};

/// Lengths in patches, angles in degrees; the defaults are those of the NetLogo model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scenario {
    pub seed: u64,
    pub population: u32,
    /// Width and height of the world, which wraps.
    pub size: u32,
    pub vision: f64,
    pub minimum_separation: f64,
    pub max_align_turn: f64,
    pub max_cohere_turn: f64,
    pub max_separate_turn: f64,
    /// Patches a tick.
    pub speed: f64,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            seed: 1,
            population: 300,
            size: 71,
            vision: 5.0,
            minimum_separation: 1.0,
            max_align_turn: 5.0,
            max_cohere_turn: 3.0,
            max_separate_turn: 1.5,
            speed: 1.0,
        }
    }
}

/// Positions in units of 1/[`PATCH`] patch, headings in units of 1/[`CIRCLE`] of a circle, from the x axis to the y axis.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    pub xs: Vec<i32>,
    pub ys: Vec<i32>,
    pub headings: Vec<i32>,
}

impl State {
    /// The state hash, to compare executors.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for (bird, ((&x, &y), &heading)) in self.xs.iter().zip(&self.ys).zip(&self.headings).enumerate() {
            hash.add(bird as u64, &[x as u64, y as u64, heading as u64]);
        }
        hash.finish()
    }
}

impl Scenario {
    /// The rules in whole numbers, and the grid in which neighbours are found.
    pub fn prepare(&self) -> Result<(Rules, UniformGrid), InputError> {
        let mut problems = Problems::new();
        let mut whole = |key: &str, value: f64, unit: f64, most: f64| {
            if !(0.0..=most).contains(&value) {
                problems.push(key, value.to_string(), format!("give a number from 0 to {most}"));
            }
            libm::round(value * unit) as i32
        };
        // What is limited by 32 bits: squares of distances, sums over birds, positions.
        let size = whole("size", self.size.into(), PATCH.into(), 250_000.0);
        let half = f64::from(self.size) / 2.0;
        whole("population", self.population.into(), 1.0, 100_000.0);
        let degree = f64::from(CIRCLE) / 360.0;
        let rules = Rules {
            size,
            vision: whole("vision", self.vision, PATCH.into(), half.min(11.0)),
            separation: whole("minimum_separation", self.minimum_separation, PATCH.into(), 11.0),
            align: whole("max_align_turn", self.max_align_turn, degree, 180.0),
            cohere: whole("max_cohere_turn", self.max_cohere_turn, degree, 180.0),
            separate: whole("max_separate_turn", self.max_separate_turn, degree, 180.0),
            speed: whole("speed", self.speed, PATCH.into(), half.min(25.0)),
        };
        problems.into_result()?;
        let reach = (rules.vision as u32).max(PATCH as u32);
        Ok((rules, UniformGrid::covering([0, 0], [size as u32; 2], reach, Boundary::Periodic)?))
    }

    /// Birds anywhere, heading anywhere.
    pub fn start(&self) -> State {
        let draw = |below: i32, purpose: u32| {
            let draws = Philox::new(self.seed);
            (0..self.population).map(move |bird| draws.below(below as u32, bird, 0, purpose, 0) as i32).collect()
        };
        let size = self.size as i32 * PATCH;
        State { xs: draw(size, 0), ys: draw(size, 1), headings: draw(CIRCLE, 2) }
    }
}
