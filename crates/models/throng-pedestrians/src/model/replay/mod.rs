//! Stored runs as scenes: pedestrians as standing capsules among walls.
//!
//! * [`stored_scenario`] rebuilds the scenario of a run from its manifest, [`plan`] its walls, doors, exits and
//!   entries.
//! * [`density`] counts the pedestrians around each one.
//! * [`recording`] builds scenes.

mod density;
mod plan;
mod recording;
mod stored_scenario;
#[cfg(test)]
mod tests;

use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::Recording;

use super::trajectories::{PART_FILES, TRAJECTORIES};
use plan::Plan;
use recording::{Colouring, CrowdRecording};
use throng_model::replay::{Motion, colouring_index};

/// The replay of stored runs of the social field model.
#[derive(Debug, Clone, Copy, Default)]
pub struct CrowdReplay;

const COLOURINGS: [(&str, &str); 5] = [
    ("speed", "persons by their speed, as a fraction of a step along an axis in each tick"),
    ("group", "persons by the group or the entry of the scenario file to which they belong"),
    ("heading", "persons by the direction in which they look"),
    ("density", "persons by the density within a metre of them, per square metre"),
    ("id", "persons in ten colours, to tell them apart"),
];
const ALL: [Colouring; 5] = [Colouring::Speed, Colouring::Group, Colouring::Heading, Colouring::Density, Colouring::Id];

/// The setting that writes trajectories.
const WRITE_TRAJECTORIES: &str =
    "repeat the run with trajectories = true in its scenario file, or --set trajectories=true, and frame_every above 0";

impl Replay for CrowdReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let colouring = ALL[colouring_index(&COLOURINGS, colouring)?];
        // Only files that the run wrote: a storey without its file would be shown empty.
        let is_of_a_part = run.files().any(|name| PART_FILES.contains(&name));
        let written = PART_FILES.iter().filter(|part| run.files().any(|name| name == **part));
        let names = if is_of_a_part { written.copied().collect() } else { vec![TRAJECTORIES] };
        let files = names.into_iter().map(|name| run.file(name, WRITE_TRAJECTORIES)).collect::<Result<Vec<_>, _>>()?;
        let scenario = stored_scenario::scenario_of(run)?;
        let plan = Plan::of(&scenario)?;
        let motion = Motion::open(&files, plan.periodic_m(&scenario))?;
        Ok(Box::new(CrowdRecording::new(&run.title(), &scenario, plan, motion, colouring)))
    }
}
