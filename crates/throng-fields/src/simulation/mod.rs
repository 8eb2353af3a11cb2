//! The steps of a run, one after the other.

mod hash;
mod layers;

use crate::gpu::GpuError;
use crate::influence::Teams;
use crate::routing::{Crowd, FlowField, Sense, Steering};
use crate::{Entity, Field, FieldError};
use throng_core::StateHash;
use throng_device::AnyDevice;

use crate::scenario::costmap::times_to_goals;
use crate::scenario::diffusion::{Amounts, Diffusing};
use crate::scenario::influences::{Held, Spreading};
use crate::scenario::{Scenario, Way};
use crate::simulation::hash::{AGENTS, hash_of_team};
use crate::simulation::layers::Layers;

/// The simulation of a scenario. In a step
///
/// 1. entities move along their paths,
/// 2. the layers are updated (fields of entities, and amounts that diffuse), and the field that agents sense,
/// 3. influence spreads,
/// 4. ways to the goals are computed again if that is due,
/// 5. agents walk.
///
/// The results do not depend on the number of threads or on the device that computes the fields. Only hashes are copied
/// from a device, and fields that the CPU needs: the field that agents climb, in each step in which it has changed; the
/// field on which costs depend, when ways are computed again; and fields that are drawn or written, at that time.
#[derive(Debug)]
pub struct Simulation<'s> {
    scenario: &'s Scenario,
    entities: Vec<Entity>,
    amounts: Amounts,
    layers: Layers<'s>,
    flow: Option<FlowField>,
    /// The field on which costs depend has changed since ways were computed.
    stale: bool,
    spreading: Option<Spreading>,
    crowds: Vec<Crowd<'s>>,
    step: u32,
}

/// The state after a step, in figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Now {
    /// The number of completed steps.
    pub step: u32,
    /// Time since the start.
    pub time: f64,
    /// For each group, the numbers of its agents, of those that have arrived, and of those that are stuck. Without
    /// goals, agents neither arrive nor get stuck.
    pub groups: Vec<[usize; 3]>,
    /// The number of cells in which each team is strongest.
    pub held: Vec<u64>,
    /// The number of cells of the front between teams.
    pub front: u64,
    /// Sum over the cells of each layer that diffuses.
    pub amounts: Vec<f64>,
    /// A hash of fields, influence and agents.
    pub hash: u64,
}

impl<'s> Simulation<'s> {
    /// Starts a simulation: computes all fields, on the device if there is one, and the ways to the goals.
    ///
    /// # Errors
    /// When the device fails or lacks a feature.
    pub fn new(scenario: &'s Scenario, device: Option<&'s AnyDevice>) -> Result<Self, GpuError> {
        let mut layers = Layers::new(scenario, device)?;
        let amounts = Amounts::new(&scenario.diffusing, &scenario.ground, &scenario.figures)?;
        for (layer, field) in amounts.fields() {
            layers.give(layer, field);
        }
        let crowd =
            |group: &'s crate::scenario::agents::Group| Crowd::new(&scenario.ground, &group.positions, &group.speeds);
        let mut simulation = Self {
            scenario,
            entities: scenario.figures.iter().map(|figure| figure.entity.clone()).collect(),
            amounts,
            layers,
            flow: None,
            stale: true,
            spreading: scenario
                .influences
                .as_ref()
                .map(|influences| Spreading::new(influences, &scenario.ground))
                .transpose()?,
            crowds: scenario.groups.iter().map(crowd).collect::<Result<_, _>>()?,
            step: 0,
        };
        simulation.spread()?;
        simulation.find_ways()?;
        Ok(simulation)
    }

    /// Computes a step.
    ///
    /// # Errors
    /// When the device fails.
    pub fn step(&mut self) -> Result<(), GpuError> {
        let time_step = self.scenario.time_step;
        self.step += 1;
        let time = f64::from(self.step) * time_step;
        self.move_entities(time)?;
        self.spread()?;
        if self.stale && self.step.is_multiple_of(self.scenario.flow.every) {
            self.find_ways()?;
        }
        for (number, (crowd, group)) in self.crowds.iter_mut().zip(&self.scenario.groups).enumerate() {
            let sense = || -> Result<_, GpuError> {
                // Each group has its own noise.
                let seed = (self.scenario.seed as u64).wrapping_add((number as u64) << 32);
                Ok(Sense::climbing(self.layers.shown(None)?).with_noise(group.noise, seed)?)
            };
            let steering = match (group.way, &self.flow) {
                (Way::Field, _) => Steering::Slope(sense()?),
                (Way::Neighbour(trail), _) => Steering::Neighbour(sense()?, trail),
                (Way::Flow, Some(flow)) => Steering::Follow(flow),
                (Way::Flow, None) => continue,
            };
            crowd.step(&steering, time_step as f32)?;
        }
        Ok(())
    }

    /// Moves the entities and updates the layers.
    fn move_entities(&mut self, time: f64) -> Result<(), GpuError> {
        for (entity, figure) in self.entities.iter_mut().zip(&self.scenario.figures) {
            if figure.patrol.is_some() {
                *entity = figure.at(time);
            }
        }
        let mut changed = self.layers.follow(&self.entities)?;
        let Scenario { ground, figures, time_step, .. } = self.scenario;
        self.amounts.advance(ground, figures, &self.entities, *time_step as f32)?;
        for (number, field) in self.amounts.fields() {
            self.layers.give(number, field);
            changed |= 1 << number;
        }
        let felt = self.scenario.flow.layer.map_or(self.scenario.combination.layers(), |layer| 1 << layer);
        self.stale |= changed & felt != 0;
        Ok(())
    }

    fn spread(&mut self) -> Result<(), FieldError> {
        let Some(spreading) = &mut self.spreading else { return Ok(()) };
        spreading.tick(&self.scenario.ground, &self.scenario.figures, &self.entities)
    }

    /// Computes the ways to the goals if any group needs them.
    fn find_ways(&mut self) -> Result<(), GpuError> {
        if !self.scenario.groups.iter().any(|group| matches!(group.way, Way::Flow)) {
            return Ok(());
        }
        let (rule, ground) = (&self.scenario.flow, &self.scenario.ground);
        let costs = self.scenario.path_costs(rule, self.shown(rule.layer)?)?;
        self.flow = Some(FlowField::new(&times_to_goals(ground.grid(), &costs, ground.goals())?));
        self.stale = false;
        Ok(())
    }

    /// The current state in figures.
    ///
    /// # Errors
    /// When the device fails.
    pub fn now(&self) -> Result<Now, GpuError> {
        let mut groups = Vec::new();
        for crowd in &self.crowds {
            let stuck = self.stuck(crowd)?.filter(|&stuck| stuck).count();
            groups.push([crowd.arrivals().count(), crowd.arrivals().flatten().count(), stuck]);
        }
        let held = self.spreading.as_ref().map(Spreading::held).unwrap_or_default();
        let Held { cells, front } = held;
        let sum = |field: &Field| field.values().iter().map(|&value| f64::from(value)).sum();
        let amount = |diffusing: &Diffusing| self.shown(Some(diffusing.layer)).map(sum);
        let amounts = self.scenario.diffusing.iter().map(amount).collect::<Result<_, _>>()?;
        Ok(Now { step: self.step, time: self.time(), groups, held: cells, front, amounts, hash: self.hash() })
    }

    /// Time since the start.
    pub fn time(&self) -> f64 {
        f64::from(self.step) * self.scenario.time_step
    }

    /// A hash of the bits of all layers, the influence of all teams, and agents.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for (team, influence) in self.spreading.iter().flat_map(Spreading::influences).enumerate() {
            hash.merge(hash_of_team(team, influence));
        }
        let agents = self.crowds.iter().flat_map(|crowd| crowd.positions().zip(crowd.arrivals()));
        for (number, ([x, y], arrived)) in (0u64..).zip(agents) {
            let arrived = arrived.map_or(u64::MAX, f64::to_bits);
            hash.add(AGENTS | number, &[u64::from(x.to_bits()), u64::from(y.to_bits()), arrived]);
        }
        // Both are sums.
        hash.finish().wrapping_add(self.layers.hash())
    }

    /// The field that agents sense. On a device it is computed and copied on the first call after a change.
    ///
    /// # Errors
    /// When the device fails, or there is too little memory.
    pub fn field(&self) -> Result<&Field, GpuError> {
        self.shown(None)
    }

    /// A layer, or the field that agents sense.
    pub(crate) fn shown(&self, layer: Option<usize>) -> Result<&Field, GpuError> {
        self.layers.shown(layer)
    }

    /// The entities where they are now.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// The agents of each group.
    pub fn crowds(&self) -> &[Crowd<'s>] {
        &self.crowds
    }

    /// The agents that are stuck.
    pub(crate) fn stuck(&self, crowd: &Crowd<'_>) -> Result<impl Iterator<Item = bool>, FieldError> {
        let any = self.scenario.has_goals();
        Ok(crowd.stuck(self.scenario.stuck_after)?.map(move |stuck| stuck && any))
    }

    /// The teams with their influences; `None` without teams.
    pub(crate) fn teams(&self) -> Option<&Teams> {
        self.spreading.as_ref().map(Spreading::teams)
    }

    /// The influence of the first team minus that of all others; `None` without teams.
    ///
    /// # Errors
    /// None for scenarios that have been read.
    pub fn influence(&self) -> Result<Option<Field>, FieldError> {
        self.spreading.as_ref().map(Spreading::balance).transpose()
    }
}
