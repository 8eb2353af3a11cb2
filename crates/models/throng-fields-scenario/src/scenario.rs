//! The scenario, complete and consistent.

use std::path::{Path, PathBuf};

use throng_core::{Change, InputError};
use throng_fields_core::creation::Arithmetic;
use throng_fields_core::layers::Combination;
use throng_fields_core::routing::Ground;
use throng_model::scenario_file::ScenarioFile;
use throng_pictures::{Colour, Grid};

use crate::costmap::Costmap;
use crate::diffusion::Diffusing;
use crate::entities::MapEntity;
use crate::extracts::Extracts;
use crate::flows::FlowRule;
use crate::goals::Goal;
use crate::groups::Group;
use crate::influences::Influences;
use crate::legend::Legend;
use crate::output::Output;
use crate::passages::Passages;
use crate::sight::SightLayer;
use crate::terrain::Terrains;

/// A scenario as read from a file: the contents of the map, their motion, and the duration.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The title of report and images.
    pub title: String,
    /// Seed of all random draws.
    pub seed: i64,
    /// The open cells in the course of the run, and the cells of all goals.
    pub terrains: Terrains,
    /// Goals in the order of the file; other parts refer to them by index.
    pub goals: Vec<Goal>,
    /// Names of the teams of entities and agents, and of those that own goals.
    pub teams: Vec<String>,
    /// The colour of each team, in the order of `teams`.
    pub team_colours: Vec<Colour>,
    /// Locations, in the scenario file, of walls that cover no cell.
    pub idle_walls: Vec<String>,
    /// Intervals of walls, with their locations, that contain no step of the run.
    pub idle_intervals: Vec<String>,
    /// A description of a robot map's rotation, which is ignored.
    pub ignored_yaw: Option<String>,
    /// The unit of length, such as `m`.
    pub unit: String,
    /// Names of the layers, in the order of the bits of entities.
    pub layers: Vec<String>,
    /// Entities in the order of the file, without the fields that agents carry.
    pub entities: Vec<MapEntity>,
    /// Layers whose amounts diffuse, with their parameters.
    pub diffusing: Vec<Diffusing>,
    /// Layers of lines of sight, with their parameters.
    pub sights: Vec<SightLayer>,
    /// The fields that agents follow; the first is the combined field.
    pub combinations: Vec<Combination>,
    /// The costs of paths; the first entry comes from `[flow]`.
    pub flows: Vec<FlowRule>,
    /// The parameters of the teams' influence; `None` without `[influence]`.
    pub influences: Option<Influences>,
    /// Groups of agents in the order of the file.
    pub groups: Vec<Group>,
    /// The cells in which bodies of each size can walk.
    pub passages: Passages,
    /// Number of simulated steps.
    pub steps: u32,
    /// Length of a step, units of time.
    pub time_step: f64,
    /// The time without progress after which an agent counts as stuck, units of time.
    pub stuck_after: f32,
    /// The arithmetic for adding up charges.
    pub arithmetic: Arithmetic,
    /// The files that the run writes, and the style of images.
    pub output: Output,
    /// Names and marks of agents and entities in images.
    pub legend: Legend,
    /// Arrays, query results and costs that are written.
    pub extracts: Extracts,
    /// Costs around obstacles, if the scenario has `[nav2]`.
    pub costmap: Option<Costmap>,
    /// Files that were read, and their sizes in bytes.
    pub inputs: Vec<(PathBuf, u64)>,
    /// All settings, for report and manifest.
    pub settings: Vec<(String, String)>,
    /// The text of a scenario file with all keys and their effective values. Keys without a value are omitted.
    pub effective: String,
    /// Wall-clock seconds spent on reading the scenario.
    pub loading_s: f64,
}

/// A field of a run, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldId {
    /// The layer with this index in [`Scenario::layers`].
    Layer(usize),
    /// The combination with this index in [`Scenario::combinations`].
    Combination(usize),
}

impl Scenario {
    /// Reads a scenario file and applies changes; the last change of a key takes effect.
    ///
    /// # Errors
    /// All problems of the file and the changes, in one report.
    pub fn read(path: &Path, changes: &[Change]) -> Result<Self, InputError> {
        Self::of_file(&path.into(), changes)
    }

    /// The same for a file whose text may already be in memory.
    ///
    /// # Errors
    /// As for [`Scenario::read`].
    pub fn of_file(file: &ScenarioFile, changes: &[Change]) -> Result<Self, InputError> {
        // Walls are processed on all cores.
        throng_core::start_all_threads()?;
        crate::read::read(file, changes)
    }

    /// The title of report and images.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Seed of all random draws.
    pub fn seed(&self) -> i64 {
        self.seed
    }

    /// The grid of the map.
    pub fn grid(&self) -> &Grid {
        self.ground_after(0).grid()
    }

    /// The ground on which agents walk after a step, until it changes again.
    pub fn ground_after(&self, step: u32) -> &Ground {
        self.terrains.ground(self.terrains.after(step))
    }

    /// The number of entities.
    pub fn entities(&self) -> usize {
        self.entities.len()
    }

    /// Whether there is a goal. Without goals, no agent counts as stuck.
    pub fn has_goals(&self) -> bool {
        !self.goals.is_empty()
    }

    /// The goals that teams may capture, with their indices.
    pub fn capturable_goals(&self) -> impl Iterator<Item = (usize, &Goal)> {
        self.goals.iter().enumerate().filter(|(_, goal)| goal.capture_time.is_some())
    }

    /// The number of capturable goals that each team owns; empty if no goal is capturable.
    pub fn goals_of_teams(&self, owners: &[Option<usize>]) -> Vec<usize> {
        let mut counts = vec![0; if self.capturable_goals().next().is_some() { self.teams.len() } else { 0 }];
        for owner in self.capturable_goals().filter_map(|(number, _)| owners[number]) {
            counts[owner] += 1;
        }
        counts
    }

    /// Whether the field has any source; without sources its values are 0.
    pub fn has_sources(&self, id: FieldId) -> bool {
        let layers = self.layers_of(id);
        let carried = self.groups.iter().filter_map(|group| group.carried.as_ref());
        let mut entities = self.entities.iter().map(|entity| &entity.entity).chain(carried);
        let mut others = (0..self.layers.len()).filter(|layer| layers >> layer & 1 == 1);
        others.any(|layer| self.is_emitted(layer) || self.is_seen(layer))
            || entities.any(|entity| entity.layers & layers != 0)
    }

    /// Whether an entity or a group emits into a layer.
    pub(crate) fn is_emitted(&self, layer: usize) -> bool {
        let emits = |emits: &[(usize, f32)]| emits.iter().any(|&(into, rate)| into == layer && rate != 0.0);
        self.entities.iter().any(|entity| emits(&entity.emits)) || self.groups.iter().any(|group| emits(&group.emits))
    }

    /// Whether an entity or a group is a viewer in a layer.
    pub(crate) fn is_seen(&self, layer: usize) -> bool {
        let entities = self.entities.iter().filter_map(|entity| entity.view.as_ref());
        entities.chain(self.groups.iter().filter_map(|group| group.view.as_ref())).any(|view| view.sees(layer))
    }

    /// The layers that a field depends on, one bit each.
    pub fn layers_of(&self, id: FieldId) -> u32 {
        match id {
            FieldId::Layer(layer) => 1 << layer,
            FieldId::Combination(number) => self.combinations[number].layers(),
        }
    }

    /// The number of agents, including those that enter later.
    pub fn agents(&self) -> usize {
        self.groups.iter().map(|group| group.positions.len()).sum()
    }

    /// The number of simulated steps.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The folder for results.
    pub fn folder(&self) -> &Path {
        &self.output.folder
    }

    /// Names of the layers that diffuse.
    pub fn diffusing(&self) -> impl Iterator<Item = &str> {
        self.diffusing.iter().map(|diffusing| self.layers[diffusing.layer].as_str())
    }
}
