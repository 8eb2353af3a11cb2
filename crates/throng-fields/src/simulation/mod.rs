//! The steps of a run, one after the other.

mod layer_field;

use rayon::prelude::*;

use crate::gpu::GpuError;
use crate::layers::LayerStack;
use crate::routing::{Crowd, FlowField, Sense, Steering, TravelTimes};
use crate::{Entity, Field, FieldError};
use throng_core::StateHash;
use throng_device::AnyDevice;

use crate::scenario::diffusion::Amounts;
use crate::scenario::influences::{Held, Spreading};
use crate::scenario::{Scenario, Way};
use crate::simulation::layer_field::LayerField;

/// A scenario on its way. In a step
///
/// 1. entities move along their paths,
/// 2. the layers follow, fields of entities as well as amounts that diffuse, and the field that agents feel,
/// 3. influence spreads,
/// 4. ways to the goals are found anew where that is due,
/// 5. agents walk.
///
/// Nothing depends on the number of threads, nor on the device that makes the fields.
#[derive(Debug)]
pub struct Simulation<'s> {
    scenario: &'s Scenario,
    entities: Vec<Entity>,
    /// What makes the fields of entities, a layer each. Those of layers that diffuse have none.
    makers: Vec<LayerField<'s>>,
    amounts: Amounts,
    /// All layers as they are now.
    stack: LayerStack,
    /// The hash of each layer, which is looked at only when it has changed.
    hashes: Vec<StateHash>,
    combined: Field,
    flow: Option<FlowField>,
    /// The field that costs follow has changed since ways were found.
    stale: bool,
    spreading: Option<Spreading>,
    crowds: Vec<Crowd<'s>>,
    step: u32,
}

/// How it stands after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Now {
    /// Steps made.
    pub step: u32,
    /// Time since the start.
    pub time: f64,
    /// Of each group: its agents, those that arrived, those that are stuck. Without goals, no agent is either.
    pub groups: Vec<[usize; 3]>,
    /// Cells in which each team is strongest.
    pub held: Vec<u64>,
    /// Cells of the front between teams.
    pub front: u64,
    /// Sum over the cells of each layer that diffuses.
    pub amounts: Vec<f64>,
    /// A hash of fields, influence and agents.
    pub hash: u64,
}

impl<'s> Simulation<'s> {
    /// Begins: makes all fields, on the device where there is one, and finds the ways to the goals.
    ///
    /// # Errors
    /// When the device fails or lacks something.
    pub fn new(scenario: &'s Scenario, device: Option<&'s AnyDevice>) -> Result<Self, GpuError> {
        let grid = scenario.grid();
        let layer = |number| LayerField::new(grid, number, &scenario.figures, scenario.fixed_point, device);
        let layers = (0..scenario.layers.len()).map(layer).collect::<Result<Vec<_>, _>>()?;
        let (makers, fields) = layers.into_iter().unzip();
        let mut stack = LayerStack::of(fields)?;
        let amounts = Amounts::new(&scenario.diffusing, &scenario.ground, &scenario.figures)?;
        for (layer, field) in amounts.fields() {
            stack.set(layer as u32, field)?;
        }
        let fields = (0..).map_while(|layer| stack.layer(layer)).enumerate();
        let hashes = fields.map(|(i, field)| hash_of_layer(i, field)).collect();
        let combined = scenario.combination.of(&stack)?;
        let crowd =
            |group: &'s crate::scenario::agents::Group| Crowd::new(&scenario.ground, &group.positions, &group.speeds);
        let mut simulation = Self {
            scenario,
            entities: scenario.figures.iter().map(|figure| figure.entity.clone()).collect(),
            makers,
            amounts,
            stack,
            hashes,
            combined,
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

    /// Makes a step.
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
            let sense = || {
                // Each group is mistaken in its own way.
                let seed = (self.scenario.seed as u64).wrapping_add((number as u64) << 32);
                Sense::climbing(&self.combined).with_noise(group.noise, seed)
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

    /// Entities move, and layers follow.
    fn move_entities(&mut self, time: f64) -> Result<(), GpuError> {
        for (entity, figure) in self.entities.iter_mut().zip(&self.scenario.figures) {
            if figure.patrol.is_some() {
                *entity = figure.at(time);
            }
        }
        let mut changed = Vec::new();
        for (number, maker) in self.makers.iter_mut().enumerate() {
            changed.extend(maker.follow(&self.entities)?.map(|field| (number, field)));
        }
        let Scenario { ground, figures, time_step, .. } = self.scenario;
        self.amounts.advance(ground, figures, &self.entities, *time_step as f32)?;
        changed.extend(self.amounts.fields());
        let changed = changed.into_iter().try_fold(0u32, |bits, (number, field)| {
            self.hashes[number] = hash_of_layer(number, &field);
            self.stack.set(number as u32, field)?;
            Ok::<_, FieldError>(bits | 1 << number)
        })?;
        if changed & self.scenario.combination.layers() != 0 {
            self.combined = self.scenario.combination.of(&self.stack)?;
        }
        let felt = self.scenario.flow.layer.map_or(self.scenario.combination.layers(), |layer| 1 << layer);
        self.stale |= changed & felt != 0;
        Ok(())
    }

    fn spread(&mut self) -> Result<(), FieldError> {
        let Some(spreading) = &mut self.spreading else { return Ok(()) };
        spreading.tick(&self.scenario.ground, &self.scenario.figures, &self.entities)
    }

    /// Ways to the goals, where anybody needs them.
    fn find_ways(&mut self) -> Result<(), FieldError> {
        if !self.scenario.groups.iter().any(|group| matches!(group.way, Way::Flow)) {
            return Ok(());
        }
        let ground = &self.scenario.ground;
        let field = self.shown(self.scenario.flow.layer);
        let costs = self.scenario.flow.danger.costs(field, Some(ground.open()))?;
        let goals: Vec<(u32, u32)> = ground.goals().cells().collect();
        self.flow = Some(FlowField::new(&TravelTimes::to_goals(ground.grid(), &costs, &goals)?));
        self.stale = false;
        Ok(())
    }

    /// How it stands.
    ///
    /// # Errors
    /// None that a scenario that was read leads to.
    pub fn now(&self) -> Result<Now, FieldError> {
        let mut groups = Vec::new();
        for crowd in &self.crowds {
            let stuck = self.stuck(crowd)?.filter(|&stuck| stuck).count();
            groups.push([crowd.arrivals().count(), crowd.arrivals().flatten().count(), stuck]);
        }
        let held = self.spreading.as_ref().map(Spreading::held).unwrap_or_default();
        let Held { cells, front } = held;
        let sum = |field: &Field| field.values().iter().map(|&value| f64::from(value)).sum();
        let amounts = self.scenario.diffusing.iter().map(|diffusing| sum(self.shown(Some(diffusing.layer)))).collect();
        Ok(Now { step: self.step, time: self.time(), groups, held: cells, front, amounts, hash: self.hash() })
    }

    /// Time since the start.
    pub fn time(&self) -> f64 {
        f64::from(self.step) * self.scenario.time_step
    }

    /// A hash of the bits of all layers, the influence of all teams, and agents.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.hashes.iter().for_each(|&layer| hash.merge(layer));
        for (team, influence) in self.spreading.iter().flat_map(Spreading::influences).enumerate() {
            hash.merge(hash_of_cells(TEAMS | (team as u64) << CELL_BITS, influence));
        }
        let agents = self.crowds.iter().flat_map(|crowd| crowd.positions().zip(crowd.arrivals()));
        for (number, ([x, y], arrived)) in (0u64..).zip(agents) {
            let arrived = arrived.map_or(u64::MAX, f64::to_bits);
            hash.add(AGENTS | number, &[u64::from(x.to_bits()), u64::from(y.to_bits()), arrived]);
        }
        hash.finish()
    }

    /// The field that agents feel.
    pub fn field(&self) -> &Field {
        &self.combined
    }

    /// A layer, or the field that agents feel.
    pub(crate) fn shown(&self, layer: Option<usize>) -> &Field {
        layer.and_then(|layer| self.stack.layer(layer as u32)).unwrap_or(&self.combined)
    }

    /// The entities where they are now.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// The agents of each group.
    pub fn crowds(&self) -> &[Crowd<'s>] {
        &self.crowds
    }

    /// Which agents are stuck.
    pub(crate) fn stuck(&self, crowd: &Crowd<'_>) -> Result<impl Iterator<Item = bool>, FieldError> {
        let any = self.scenario.has_goals();
        Ok(crowd.stuck(self.scenario.stuck_after)?.map(move |stuck| stuck && any))
    }

    /// Influence of the first team less that of all others, where there are teams.
    ///
    /// # Errors
    /// None that a scenario that was read leads to.
    pub fn influence(&self) -> Result<Option<Field>, FieldError> {
        self.spreading.as_ref().map(Spreading::balance).transpose()
    }
}

/// Cells whose hashes a thread adds up at once.
const CELLS_AT_ONCE: usize = 1 << 14;

/// Everything has a number of its own in the hash: cells of layers, cells of teams, agents.
const CELL_BITS: u32 = 40;
const TEAMS: u64 = 1 << 62;
const AGENTS: u64 = 1 << 63;

fn hash_of_layer(layer: usize, field: &Field) -> StateHash {
    hash_of_cells((layer as u64) << CELL_BITS, field.values())
}

/// The hash of a value per cell, whose numbers begin with `first`.
fn hash_of_cells(first: u64, values: &[f32]) -> StateHash {
    let parts = values.par_chunks(CELLS_AT_ONCE).enumerate().map(|(chunk, values)| {
        let mut hash = StateHash::new();
        for (i, value) in values.iter().enumerate() {
            let cell = (chunk * CELLS_AT_ONCE + i) as u64;
            hash.add(first | cell, &[u64::from(value.to_bits())]);
        }
        hash
    });
    parts.reduce(StateHash::new, |mut all, part| {
        all.merge(part);
        all
    })
}
