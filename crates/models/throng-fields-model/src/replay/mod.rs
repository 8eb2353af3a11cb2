//! Renders runs of fields: a field as a landscape, with walls, goals, entities, and agents that walk on it.
//!
//! An image is rendered from several files of a run. `field_frames.npy` has the field that the animation shows,
//! in one array per frame of the animation, and `influence_frames.npy` the influence of the strongest team. Both are
//! averaged over blocks of cells, so a frame has at most 128 x 128 values. `team_frames.npy` has the team that is
//! strongest in most cells of each block. A field that never changes is stored once. `replay.json` describes everything
//! else: the map, the paths of entities, colours. Agents are in the table `agents.csv`.
//!
//! The fields are stored instead of being recomputed from the settings in the manifest: diffusing layers and influence
//! depend on all previous steps, and stamps and walls are read from files that may have changed since. Entities move on
//! paths that are functions of time, so their positions are exact at any time.

mod agents;
mod description;
mod frames;
mod recording;
mod surface;
mod writer;

use std::io;
use std::path::Path;

use throng_core::InputError;
use throng_fields_scenario::file_names::{AGENTS, DESCRIPTION, FIELD_FRAMES, INFLUENCE_FRAMES, TEAM_FRAMES};
use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::Recording;

use self::agents::AgentTable;
use self::description::Description;
use self::frames::FrameFile;
use self::recording::FieldsRecording;

pub(crate) use self::writer::ReplayWriter;

/// The quantities that height and colour can show.
const COLOURINGS: [(&str, &str); 2] = [
    ("field", "the field of the animation: the combined field, or the one that output.layer names"),
    ("influence", "the influence of the strongest team of each cell, in its colour; with [influence]"),
];

const NO_FRAMES: &str = "repeat the run with output.frame_every above 0, such as --set output.frame_every=4";
const NO_AGENTS: &str = "repeat the run with output.agents_every above 0, such as --set output.agents_every=4";
const DAMAGED: &str = "repeat the run";

/// The replay of fields runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldsReplay;

impl Replay for FieldsReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    /// Without influence, there is only the field. A run whose description cannot be read may have both.
    fn colourings_of(&self, run: &StoredRun) -> Vec<(&'static str, &'static str)> {
        let description = run.file(DESCRIPTION, NO_FRAMES).and_then(|file| Description::read(&file));
        let has_influence = description.map_or(true, |description| description.influence.is_some());
        COLOURINGS.into_iter().filter(|(name, _)| has_influence || *name != "influence").collect()
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let name = match colouring {
            "field" => FIELD_FRAMES,
            "influence" => INFLUENCE_FRAMES,
            other => {
                let names: Vec<&str> = self.colourings_of(run).into_iter().map(|(name, _)| name).collect();
                let remedy = format!("give one of {}", names.join(", "));
                return Err(Failure::input("colouring", format!("\"{other}\""), remedy));
            }
        };
        let description = Description::read(&run.file(DESCRIPTION, NO_FRAMES)?)?;
        let quantity = if name == FIELD_FRAMES { Some(&description.field) } else { description.influence.as_ref() };
        let Some(quantity) = quantity.cloned() else {
            let place = run.folder().display().to_string();
            let remedy = "give the colouring field, or a run with [influence] and teams of entities";
            return Err(Failure::input(place, "has no influence", remedy));
        };
        let shape = [quantity.frames, description.samples.rows.into(), description.samples.columns.into()];
        let frames = FrameFile::open(run.file(name, NO_FRAMES)?, shape)?;
        let teams = quantity.is_of_teams.then(|| run.file(TEAM_FRAMES, NO_FRAMES)).transpose()?;
        let teams = teams.map(|file| FrameFile::open(file, shape)).transpose()?;
        let numbers = description.groups.iter().map(|group| group.agents).collect();
        let has_agents = description.groups.iter().any(|group| group.agents > 0);
        let agents = if has_agents { Some(AgentTable::open(run.file(AGENTS, NO_AGENTS)?, numbers)?) } else { None };
        Ok(Box::new(FieldsRecording::new(description, quantity, (frames, teams), agents)))
    }
}

/// The error for a file that cannot be read or has unexpected content.
fn damaged(path: &Path, error: impl std::fmt::Display) -> InputError {
    InputError::one(path.display().to_string(), error.to_string(), DAMAGED)
}

/// The error for bytes that do not belong in a file.
fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
