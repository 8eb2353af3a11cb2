//! The state of a run, and its steps.

mod agents;
mod amounts;
mod goals;
mod hash;
mod layers;
mod paths;
mod phases;
mod planning;
mod rules;
mod sights;
mod source_cells;
mod spreading;

use throng_core::{InputError, StateHash};
use throng_device::{Error, Executor};
use throng_fields_core::influence::Teams;
use throng_fields_core::routing::{AgentState, Crowd, Formation, Ground};
use throng_fields_core::sight::Viewer;
use throng_fields_core::{Entity, Field};
use throng_fields_scenario::diffusion::Diffusing;
use throng_fields_scenario::entities::MapEntity;
use throng_fields_scenario::{FieldId, Scenario};

use crate::simulation::agents::Agents;
use crate::simulation::amounts::Amounts;
use crate::simulation::hash::{AGENTS, OWNERS, hash_of_team};
use crate::simulation::layers::Layers;
use crate::simulation::paths::Paths;
use crate::simulation::sights::Sights;
use crate::simulation::spreading::{Held, Spreading};

pub use agents::GroupCounts;
pub(crate) use phases::{Phase, Phases};

/// The simulation of a scenario. In each step,
///
/// 1. entities move along their paths,
/// 2. the layers are updated: fields of entities and agents at their current positions, diffusing quantities, lines of
///    sight, and the fields that agents sense,
/// 3. influence spreads,
/// 4. agents enter, rules are applied, and paths to the goals are recomputed where due,
/// 5. agents walk, overlapping bodies are pushed apart, agents leave at goals, and teams capture goals,
/// 6. walls appear and vanish: those at the time at which the next step begins.
///
/// The results do not depend on the number of threads nor, in fixed point, on the device that computes the fields. Only
/// hashes and the fields that the CPU needs are copied from a device: a field that agents climb, in each step in which
/// it has changed; the field on which costs depend, when paths are recomputed; and fields that are drawn or written,
/// when this happens.
#[derive(Debug)]
pub struct Simulation<'s> {
    scenario: &'s Scenario,
    /// Entities of the map, followed by the fields that agents carry.
    entities: Vec<Entity>,
    amounts: Amounts,
    sights: Sights,
    layers: Layers<'s>,
    spreading: Option<Spreading>,
    agents: Agents<'s>,
    paths: Paths<'s>,
    step: u32,
    /// The index of the current ground of the scenario.
    terrain: usize,
    phases: Phases,
}

/// Summary of the state after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepSummary {
    /// Number of completed steps.
    pub step: u32,
    /// Time since the start, in time units.
    pub time: f64,
    /// The agents of each group. Without goals, agents neither arrive nor get stuck.
    pub groups: Vec<GroupCounts>,
    /// For each group, the number of agents on the map that have chosen each of its planned goals
    /// ([`Group::planned_goals`](throng_fields_scenario::groups::Group::planned_goals)).
    pub pursuing: Vec<Vec<usize>>,
    /// The index of the team that owns each goal; `None` if no team does.
    pub owners: Vec<Option<usize>>,
    /// Number of cells in which each team is strongest.
    pub held: Vec<u64>,
    /// Number of cells of the front between teams.
    pub front: u64,
    /// Sum over the cells of each diffusing layer.
    pub amounts: Vec<f64>,
    /// The value of [`Simulation::hash`].
    pub hash: u64,
}

impl<'s> Simulation<'s> {
    /// Starts a simulation: computes all fields, on the device if there is one, and the paths to the goals.
    ///
    /// # Errors
    /// When the device fails or lacks a feature, or there is too little memory.
    pub fn new(scenario: &'s Scenario, executor: &'s Executor) -> Result<Self, Error> {
        let agents = Agents::new(scenario)?;
        let of_map = scenario.entities.iter().map(|mapped| (mapped.entity.clone(), mapped.patrol.is_some()));
        let entities: Vec<(Entity, bool)> = of_map.chain(agents.carried().map(|entity| (entity, true))).collect();
        let mut layers = Layers::new(scenario, &entities, executor)?;
        let entities: Vec<Entity> = entities.into_iter().map(|(entity, _)| entity).collect();
        let emitted = emitted(&scenario.entities, &entities).chain(agents.emitted());
        let amounts = Amounts::new(&scenario.diffusing, scenario.ground_after(0), emitted)?;
        let viewers = viewers(&scenario.entities, &entities).chain(agents.viewers());
        let mut sights = Sights::new(&scenario.sights, scenario.ground_after(0), viewers)?;
        for (layer, field) in amounts.fields().chain(sights.changed_fields()) {
            layers.set_layer(layer, field);
        }
        let spreading = scenario.influences.as_ref();
        let spreading = spreading.map(|influences| Spreading::new(influences, scenario.ground_after(0))).transpose()?;
        let mut simulation = Self {
            scenario,
            entities,
            amounts,
            sights,
            layers,
            spreading,
            agents,
            paths: Paths::new(scenario, executor),
            step: 0,
            terrain: scenario.terrains.after(0),
            phases: Phases::default(),
        };
        simulation.spread()?;
        simulation.prepare_agents()?;
        Ok(simulation)
    }

    /// Executes a step.
    ///
    /// # Errors
    /// When the device fails, or there is too little memory for paths to new goals or for neighbour lists.
    pub fn step(&mut self) -> Result<(), Error> {
        self.step += 1;
        self.phases.begin();
        self.update_layers()?;
        self.phases.end(Phase::Fields);
        self.diffuse()?;
        self.phases.end(Phase::Diffusion);
        self.look()?;
        self.phases.end(Phase::Sight);
        self.spread()?;
        self.phases.end(Phase::Influence);
        self.prepare_agents()?;
        self.phases.end(Phase::Paths);
        self.agents.walk(&self.paths, &self.layers, self.scenario.time_step)?;
        self.change_walls()?;
        self.phases.end(Phase::Walking);
        Ok(())
    }

    /// Wall-clock seconds of the parts of a step, summed over all steps so far.
    pub(crate) fn phases(&self) -> &Phases {
        &self.phases
    }

    /// Moves the entities, and updates the layers that contain entities and agents.
    fn update_layers(&mut self) -> Result<(), Error> {
        let time = self.time();
        for (entity, mapped) in self.entities.iter_mut().zip(&self.scenario.entities) {
            if mapped.patrol.is_some() {
                *entity = mapped.at(time);
            }
        }
        let carried = self.entities.iter_mut().skip(self.scenario.entities.len());
        carried.zip(self.agents.carried()).for_each(|(entity, carried)| *entity = carried);
        let changed = self.layers.follow(&self.entities)?;
        self.paths.changed(changed);
        Ok(())
    }

    /// Advances the diffusing layers.
    fn diffuse(&mut self) -> Result<(), Error> {
        let (ground, time) = (self.ground(), self.scenario.time_step as f32);
        let emitted = emitted(&self.scenario.entities, &self.entities).chain(self.agents.emitted());
        self.amounts.advance(ground, emitted, time)?;
        self.set_amounts();
        Ok(())
    }

    /// Updates the layers of the amounts.
    fn set_amounts(&mut self) {
        for (number, field) in self.amounts.fields() {
            self.layers.set_layer(number, field);
            self.paths.changed(1 << number);
        }
    }

    /// Updates the lines of sight to the current positions of viewers.
    fn look(&mut self) -> Result<(), Error> {
        let viewers = viewers(&self.scenario.entities, &self.entities).chain(self.agents.viewers());
        self.sights.follow(viewers)?;
        self.set_sights();
        Ok(())
    }

    /// Updates the layers whose lines of sight have changed.
    fn set_sights(&mut self) {
        for (number, field) in self.sights.changed_fields() {
            self.layers.set_layer(number, field);
            self.paths.changed(1 << number);
        }
    }

    /// Lets walls appear and vanish after a step: fields and agents change to the ground of the current time.
    fn change_walls(&mut self) -> Result<(), InputError> {
        let terrain = self.scenario.terrains.after(self.step);
        if terrain == self.terrain {
            return Ok(());
        }
        self.terrain = terrain;
        let ground = self.ground();
        self.amounts.set_ground(ground)?;
        self.set_amounts();
        self.sights.set_ground(ground)?;
        self.set_sights();
        if let Some(spreading) = &mut self.spreading {
            spreading.set_ground(ground)?;
        }
        self.agents.set_ground(ground)?;
        self.paths.set_terrain(terrain);
        Ok(())
    }

    /// The current ground, and its index.
    pub(crate) fn ground(&self) -> &'s Ground {
        self.scenario.terrains.ground(self.terrain)
    }

    pub(crate) fn terrain(&self) -> usize {
        self.terrain
    }

    fn spread(&mut self) -> Result<(), InputError> {
        let ground = self.ground();
        let Some(spreading) = &mut self.spreading else { return Ok(()) };
        let of_map = self.scenario.entities.iter().zip(&self.entities).filter_map(|(mapped, entity)| {
            let (team, strength) = mapped.team?;
            Some((team, entity.position, strength))
        });
        spreading.sweep(ground, of_map.chain(self.agents.strengths()))
    }

    /// Lets agents enter and apply their rules, and finds their paths. A step begins at the time at which the previous
    /// one ended.
    fn prepare_agents(&mut self) -> Result<(), Error> {
        let now = f64::from(self.step.saturating_sub(1)) * self.scenario.time_step;
        let entities = &self.entities[..self.scenario.entities.len()];
        self.agents.prepare(&mut self.paths, &self.layers, entities, (now, self.step))
    }

    /// Summarises the current state.
    ///
    /// # Errors
    /// When the device fails.
    pub fn summary(&self) -> Result<StepSummary, Error> {
        let held = self.spreading.as_ref().map(Spreading::held).unwrap_or_default();
        let Held { cells, front } = held;
        let sum = |field: &Field| field.values().iter().map(|&value| f64::from(value)).sum();
        let amount = |diffusing: &Diffusing| self.field_of(FieldId::Layer(diffusing.layer)).map(sum);
        let amounts = self.scenario.diffusing.iter().map(amount).collect::<Result<_, _>>()?;
        let (groups, owners) = (self.agents.counts()?, self.agents.owners().to_vec());
        Ok(StepSummary {
            step: self.step,
            time: self.time(),
            groups,
            pursuing: self.agents.pursuing(),
            owners,
            held: cells,
            front,
            amounts,
            hash: self.hash(),
        })
    }

    /// Time since the start, in time units.
    pub fn time(&self) -> f64 {
        f64::from(self.step) * self.scenario.time_step
    }

    /// A hash of the bits of all layers, the influence of all teams, the positions, arrivals and courses of all agents,
    /// and the owners of all goals.
    ///
    /// The hash serves to check that two runs did the same; it does not cover the complete state. It contains neither
    /// attempts to capture goals, nor the times at which rules last held, nor trails, progress and formations of
    /// agents. So equal hashes do not imply that two simulations continue in the same way.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for (team, influence) in self.spreading.iter().flat_map(Spreading::influences).enumerate() {
            hash.merge(hash_of_team(team, influence));
        }
        let agents = self.crowds().iter().zip(&self.scenario.groups).flat_map(|(crowd, group)| {
            let courses = (0..).map_while(|agent| crowd.course(agent)).map(|course| group.courses[usize::from(course)]);
            let states = crowd.presences().zip(courses);
            crowd.positions().zip(crowd.arrivals()).zip(states)
        });
        for (number, (([x, y], arrived), (is_on_map, course))) in (0u64..).zip(agents) {
            let arrived = arrived.map_or(u64::MAX, f64::to_bits);
            // 0 without an action.
            let action = course.action.map_or(0, |goal| goal as u64 + 1);
            let state = action << 9 | u64::from(is_on_map) << 8 | u64::from(course.behaviour);
            hash.add(AGENTS | number, &[u64::from(x.to_bits()), u64::from(y.to_bits()), arrived, state]);
        }
        for (number, owner) in (0u64..).zip(self.agents.owners()) {
            hash.add(OWNERS | number, &[owner.map_or(u64::MAX, |owner| owner as u64)]);
        }
        // Both hashes are sums.
        hash.finish().wrapping_add(self.layers.hash())
    }

    /// The combined field. On a device it is computed and copied on the first call after a change.
    ///
    /// # Errors
    /// When the device fails, or there is too little memory.
    pub fn field(&self) -> Result<&Field, Error> {
        self.field_of(FieldId::Combination(0))
    }

    /// A layer, or a field that agents sense.
    pub(crate) fn field_of(&self, id: FieldId) -> Result<&Field, Error> {
        self.layers.field_of(id)
    }

    /// The entities at their current positions.
    pub fn entities(&self) -> &[Entity] {
        &self.entities[..self.scenario.entities.len()]
    }

    /// The agents of each group, in the order of the groups.
    pub fn crowds(&self) -> &[Crowd<'s>] {
        &self.agents.crowds
    }

    /// The formation of each group that has one, in the order of the groups.
    pub fn formations(&self) -> &[Option<Formation>] {
        self.agents.formations()
    }

    /// The states of the agents of a crowd.
    pub(crate) fn states(&self, crowd: &Crowd<'_>) -> Result<impl Iterator<Item = AgentState>, InputError> {
        crowd.states(self.scenario.stuck_after)
    }

    /// The teams with their influences; `None` without influence.
    pub(crate) fn teams(&self) -> Option<&Teams> {
        self.spreading.as_ref().map(Spreading::teams)
    }

    /// The influence of the first team minus the influence of all others; `None` without influence.
    ///
    /// # Errors
    /// Never for scenarios that have been read.
    pub fn influence(&self) -> Result<Option<Field>, InputError> {
        self.spreading.as_ref().map(Spreading::balance).transpose()
    }
}

/// Layer, position and rate of each entity that emits something; `entities` starts with the entities of the map.
fn emitted<'f>(map: &'f [MapEntity], entities: &'f [Entity]) -> impl Iterator<Item = (usize, [f64; 2], f32)> + 'f {
    let of_one = |(mapped, entity): (&'f MapEntity, &'f Entity)| {
        mapped.emits.iter().map(|&(layer, rate)| (layer, entity.position, rate))
    };
    map.iter().zip(entities).flat_map(of_one)
}

/// Layer and position of each viewer that is an entity; `entities` starts with the entities of the map.
fn viewers<'f>(map: &'f [MapEntity], entities: &'f [Entity]) -> impl Iterator<Item = (usize, Viewer)> + 'f {
    let of_one =
        |(mapped, entity): (&'f MapEntity, &'f Entity)| mapped.view.iter().flat_map(|view| view.of_entity(entity));
    map.iter().zip(entities).flat_map(of_one)
}
