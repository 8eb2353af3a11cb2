//! The flocking model as an implementation of Throng's model trait.

use throng::model::prelude::*;

use crate::film::film;
use crate::scenario::{Birds, Scenario, order};
use crate::verification;

/// Birds that flock.
pub struct Flocking;

impl StepModel for Flocking {
    type Scenario = Scenario;
    type State = Birds;

    const NAME: &str = "flocking";
    const ABOUT: &str = "Birds that flock, after Reynolds and NetLogo";
    const STEP: &str = "tick";
    const MEASURES: &[Quantity] = &[Quantity::index("order", "order", "1: all birds head the same way")];
    const CASES: &[Case] = &verification::CASES;
    const PARTS: Parts<Self> = Parts::NONE.animation(AnimationFile {
        name: "flocking.png",
        title: "Birds over time",
        caption: "Every bird is a point; the world wraps.",
        film,
    });

    fn subtitle(Scenario { population, size, .. }: &Scenario) -> String {
        format!("{population} birds on {size} x {size} patches")
    }

    fn check(scenario: &Scenario) -> Result<(), InputError> {
        scenario.prepare().map(drop)
    }

    fn units_per_step(Scenario { population, .. }: &Scenario) -> Option<f64> {
        Some(f64::from(*population))
    }

    fn start(scenario: &Scenario) -> Result<Birds, Failure> {
        Ok(scenario.start())
    }

    fn executor(on: &Executor, scenario: &Scenario, birds: Birds) -> Result<Box<dyn Steps<State = Birds>>, Failure> {
        let (rules, grid) = scenario.prepare()?;
        Ok(Box::new(Flock::builder(rules, grid, birds).label(Self::STEP).on(on).build()?))
    }

    fn measure([_, _, headings]: &Birds) -> Vec<f64> {
        vec![order(headings)]
    }
}
