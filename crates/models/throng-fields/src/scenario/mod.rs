//! A scenario of fields that is complete and consistent. It never changes during a run.

pub(crate) mod agents;
pub(crate) mod arithmetic;
pub(crate) mod arrays;
pub(crate) mod combine;
pub(crate) mod costmap;
pub(crate) mod covered;
pub(crate) mod diffusion;
pub(crate) mod doubts;
pub(crate) mod effective;
pub(crate) mod entities;
pub(crate) mod extracts;
pub(crate) mod figures;
pub(crate) mod flows;
pub(crate) mod given;
pub(crate) mod goals;
pub(crate) mod ground;
pub(crate) mod influences;
pub(crate) mod inputs;
pub(crate) mod legend;
pub(crate) mod lengths;
pub(crate) mod maps;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod output;
pub(crate) mod passages;
pub(crate) mod path_costs;
pub(crate) mod patrol;
pub(crate) mod queries;
pub(crate) mod read;
pub(crate) mod rules;
pub(crate) mod schedule;
pub(crate) mod schema;
pub(crate) mod source_cells;
pub(crate) mod sources;
pub(crate) mod spawn;
pub(crate) mod stamps;
pub(crate) mod tables;
pub(crate) mod team_colours;
pub(crate) mod template;
pub(crate) mod terrain;
pub(crate) mod walls;
pub(crate) mod written;

use std::path::{Path, PathBuf};

use crate::creation::Arithmetic;
use crate::layers::Combination;
use crate::pictures::Colour;
use crate::routing::{Danger, Ground, Order};
use crate::{Entity, Grid};
use throng_core::InputError;

use crate::scenario::agents::Group;
use crate::scenario::costmap::Costmap;
use crate::scenario::diffusion::Diffusing;
use crate::scenario::extracts::Extracts;
use crate::scenario::goals::Goal;
use crate::scenario::influences::Influences;
use crate::scenario::legend::Legend;
use crate::scenario::output::Output;
use crate::scenario::passages::Passages;
use crate::scenario::patrol::Patrol;
use throng_core::Change;
use throng_model::ScenarioFile;

/// The contents of the map, their motion, and its duration; read from a file.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub(crate) title: String,
    pub(crate) seed: i64,
    /// The open cells, and the cells of all goals.
    pub(crate) ground: Ground,
    pub(crate) goals: Vec<Goal>,
    /// Names of the teams of entities and agents.
    pub(crate) teams: Vec<String>,
    /// Their colours.
    pub(crate) team_colours: Vec<Colour>,
    /// The places of walls that cover no cell.
    pub(crate) idle_walls: Vec<String>,
    /// The rotation of a robot's map, which is ignored, in words.
    pub(crate) ignored_yaw: Option<String>,
    pub(crate) unit: String,
    /// Names of the layers, in the order of the bits of entities.
    pub(crate) layers: Vec<String>,
    pub(crate) figures: Vec<Figure>,
    pub(crate) diffusing: Vec<Diffusing>,
    /// The fields that agents follow; the first is the combined field.
    pub(crate) combinations: Vec<Combination>,
    /// The costs of paths; the first are those of `[flow]`.
    pub(crate) flows: Vec<FlowRule>,
    pub(crate) influences: Option<Influences>,
    pub(crate) groups: Vec<Group>,
    pub(crate) passages: Passages,
    pub(crate) steps: u32,
    pub(crate) time_step: f64,
    pub(crate) stuck_after: f32,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) output: Output,
    pub(crate) legend: Legend,
    /// Arrays, answers and costs that are written.
    pub(crate) extracts: Extracts,
    /// Costs around obstacles, if the scenario asks for them.
    pub(crate) costmap: Option<Costmap>,
    /// Files that were read, and their sizes in bytes.
    pub(crate) inputs: Vec<(PathBuf, u64)>,
    /// All settings, for report and manifest.
    pub(crate) settings: Vec<(String, String)>,
    /// The file and the changes that it was read from.
    pub(crate) read_from: (ScenarioFile, Vec<Change>),
    /// Wall-clock seconds spent on reading it.
    pub(crate) loading_s: f64,
}

/// An entity of the map.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// Its state at the start.
    pub entity: Entity,
    pub patrol: Option<Patrol>,
    /// Its team and its strength in it.
    pub team: Option<(usize, f32)>,
    /// Amount emitted into layers that diffuse, per unit of time.
    pub emits: Vec<(usize, f32)>,
    /// Its colour, if it is drawn.
    pub colour: Option<Colour>,
}

impl Figure {
    /// The entity at a time.
    pub fn at(&self, time: f64) -> Entity {
        let Some(patrol) = &self.patrol else { return self.entity.clone() };
        let (position, heading) = patrol.at(time);
        Entity { position, heading: heading.unwrap_or(self.entity.heading), ..self.entity.clone() }
    }
}

/// Costs of paths, and how often paths are recomputed.
#[derive(Debug, Clone)]
pub(crate) struct FlowRule {
    /// The field that costs follow.
    pub felt: Shown,
    pub danger: Danger,
    pub every: u32,
    pub order: Order,
}

/// A field of a run, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Layer(usize),
    Combination(usize),
}

impl Scenario {
    /// Reads a scenario file and applies changes; of several the last one is used.
    ///
    /// # Errors
    /// All problems of both, in one report.
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
        crate::scenario::read::read(file, changes)
    }

    /// The text of a scenario file with every key and its value in effect. Keys without a value are left out.
    ///
    /// # Errors
    /// As for [`Scenario::read`].
    pub fn effective(&self) -> Result<String, InputError> {
        let (file, changes) = &self.read_from;
        crate::scenario::read::effective(file, changes)
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Seed of all random draws.
    pub fn seed(&self) -> i64 {
        self.seed
    }

    /// Where the cells are.
    pub fn grid(&self) -> &Grid {
        self.ground.grid()
    }

    /// How many entities the fields have.
    pub fn entities(&self) -> usize {
        self.figures.len()
    }

    /// Whether there is a goal. Without any, no agent counts as stuck.
    pub(crate) fn has_goals(&self) -> bool {
        self.ground.has_goals()
    }

    /// The goals that teams may capture, by number.
    pub(crate) fn capturable_goals(&self) -> impl Iterator<Item = (usize, &Goal)> {
        self.goals.iter().enumerate().filter(|(_, goal)| goal.capture_time.is_some())
    }

    /// How many of the goals that teams may capture each team owns; nothing if there are none.
    pub(crate) fn goals_of_teams(&self, owners: &[Option<usize>]) -> Vec<usize> {
        let mut counts = vec![0; if self.capturable_goals().next().is_some() { self.teams.len() } else { 0 }];
        for owner in self.capturable_goals().filter_map(|(number, _)| owners[number]) {
            counts[owner] += 1;
        }
        counts
    }

    /// Whether anything is a source of a field: else its values are 0.
    pub(crate) fn has_sources(&self, shown: Shown) -> bool {
        let layers = self.layers_of(shown);
        let carried = self.groups.iter().filter_map(|group| group.carried.as_ref());
        let mut entities = self.figures.iter().map(|figure| &figure.entity).chain(carried);
        let diffuses = self.diffusing.iter().any(|diffusing| layers >> diffusing.layer & 1 == 1);
        diffuses || entities.any(|entity| entity.layers & layers != 0)
    }

    /// The layers that a field depends on, one bit each.
    pub(crate) fn layers_of(&self, shown: Shown) -> u32 {
        match shown {
            Shown::Layer(layer) => 1 << layer,
            Shown::Combination(number) => self.combinations[number].layers(),
        }
    }

    /// How many agents walk, including those that enter later.
    pub fn agents(&self) -> usize {
        self.groups.iter().map(|group| group.positions.len()).sum()
    }

    /// How many steps are simulated.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Where results go.
    pub fn folder(&self) -> &Path {
        &self.output.folder
    }

    /// Names of the layers that diffuse.
    pub(crate) fn diffusing(&self) -> impl Iterator<Item = &str> {
        self.diffusing.iter().map(|diffusing| self.layers[diffusing.layer].as_str())
    }
}
