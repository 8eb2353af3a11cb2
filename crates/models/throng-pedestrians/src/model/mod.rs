//! `throng run` for the social field model: crowds in periodic worlds, and pedestrians that walk through rooms.

mod calibration;
mod crowd;
mod diagram;
mod executors;
mod film;
mod floor;
mod keys;
mod measures;
mod opening_flow;
#[cfg(test)]
mod outside_cases;
mod passages;
mod people;
mod reach;
mod rectangle;
mod replay;
mod results;
mod scenario;
mod standstill;
mod stranded;
#[cfg(test)]
mod tests;
mod trajectories;
mod verification;

use std::sync::Arc;

use throng_model::prelude::*;

pub use crowd::Crowd;
pub use replay::CrowdReplay;
pub use scenario::{Arrivals, Door, Entry, Group, Place, Scenario, Until, Wall};

use super::scene::LEFT;
use crowd::Prepared;
use measures::{MEASURES, measure};
use passages::Passages;
use results::{DIAGRAM, DOORS, EXITS, Results};
use trajectories::{PART_FILES, TRAJECTORIES};

/// The names of all files that a run may write in addition to those of all models.
const fn names_of_files() -> [&'static str; 4 + PART_FILES.len()] {
    let mut names = [TRAJECTORIES; 4 + PART_FILES.len()];
    (names[0], names[1], names[2]) = (DIAGRAM, DOORS, EXITS);
    let mut part = 0;
    while part < PART_FILES.len() {
        names[4 + part] = PART_FILES[part];
        part += 1;
    }
    names
}

/// The social field model of pedestrians.
#[derive(Debug, Clone, Copy, Default)]
pub struct SocialFieldModel;

impl StepModel for SocialFieldModel {
    type Scenario = Scenario;
    type State = Crowd;

    const NAME: &str = "social-field";
    const ABOUT: &str = "Pedestrians of the social field model";
    const STEP: &str = "tick";
    const MEASURES: &[Quantity] = MEASURES;
    const CASES: &[Case] = verification::CASES;
    const COSTS: TypicalCosts = TypicalCosts::new(90e-9, Costs::new(0.65, 30e-6, 1e-9));
    const PARTS: Parts<Self> = Parts::NONE
        .group("crowd")
        .animation(ANIMATION)
        .observed()
        .replay(&CrowdReplay)
        .calibration(Calibration::files(SMALL, LARGE));

    fn subtitle(Scenario { width_su, height_su, rooms, exits, .. }: &Scenario) -> String {
        let counted = |count: usize, name: &str| match count {
            0 => String::new(),
            1 => format!(", 1 {name}"),
            _ => format!(", {count} {name}s"),
        };
        let [rooms, exits] = [counted(rooms.len(), "room"), counted(exits.len(), "exit")];
        format!("{width_su} x {height_su} space units{rooms}{exits}")
    }

    fn check(scenario: &Scenario) -> Result<(), InputError> {
        Prepared::of(scenario).map(drop)
    }

    fn warnings(scenario: &Scenario) -> Warnings {
        let mut warnings = Warnings::new();
        if scenario.trajectories && scenario.frame_every == 0 {
            warnings.add_noted(1, "no trajectories are written", "frame_every = 0: they have the frames of the table");
        }
        keys::warn(scenario, &mut warnings);
        warnings
    }

    fn units_per_step(scenario: &Scenario) -> Option<f64> {
        Some(f64::from(scenario.width_su) * f64::from(scenario.height_su))
    }

    fn start(scenario: &Scenario) -> Result<Crowd, Failure> {
        let (prepared, pedestrians) = Prepared::of(scenario)?;
        Ok(Crowd { pedestrians, tick: 0, prepared: Arc::new(prepared) })
    }

    fn executor(on: &Executor, _: &Scenario, crowd: Crowd) -> Result<Box<dyn Steps<State = Crowd>>, Failure> {
        Ok(Box::new(executors::Walk::new(on, crowd)?))
    }

    fn measure(crowd: &Crowd) -> Vec<f64> {
        measure(crowd)
    }

    fn is_over(scenario: &Scenario, crowd: &Crowd) -> bool {
        scenario.until == Until::Empty && crowd.pedestrians.at.iter().all(|&at| at == LEFT)
    }
}

const SMALL: &str = "model = \"social-field\"\nwidth_su = 32\nheight_su = 32\nticks = 3000\nframe_every = 0\n";
const LARGE: &str = "model = \"social-field\"\nwidth_su = 500\nheight_su = 500\nticks = 60\nframe_every = 0\n";

const ANIMATION: AnimationFile<SocialFieldModel> = AnimationFile {
    name: "pedestrians.png",
    title: "Pedestrians over time",
    caption: "Each space unit of a pedestrian is a point, in the colour of its exit or heading; above 20,000 pedestrians, their \
              density is shown.",
    film: film::film,
};

impl Observed for SocialFieldModel {
    const FILES: &[&str] = &names_of_files();

    fn figures(scenario: &Scenario, crowd: &Crowd) -> Vec<Figure> {
        results::figures_of_exits(scenario, crowd)
    }

    fn meter(scenario: &Scenario) -> Option<Box<dyn Observer<Crowd>>> {
        Passages::wanted(scenario).map(|passages| Box::new(passages) as Box<dyn Observer<Crowd>>)
    }

    fn observer<'r>(scenario: &Scenario, folder: &'r RunFolder) -> Result<Box<dyn Observer<Crowd> + 'r>, Failure> {
        Ok(Box::new(Results::new(scenario, folder)))
    }
}
