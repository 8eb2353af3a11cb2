//! The current goals of agents, and the paths to them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::{Device, Error, Executor};
use throng_fields::gpu;
use throng_fields_core::routing::{FlowField, Ground};
use throng_fields_scenario::behaviour::Guidance;
use throng_fields_scenario::flows::FlowRule;
use throng_fields_scenario::goals::GoalSet;
use throng_fields_scenario::{Scenario, terrain};

use crate::simulation::layers::Layers;

/// Minimum number of cells for a device. With fewer, launches and copies take as long as a CPU thread takes to compute
/// the times.
const DEVICE_CELLS: usize = 1 << 17;
/// Speed-up of the travel times of a map on a device, including copies, over a CPU thread: measured as 3 to 4 with 362
/// x 362 cells, and 6 to 15 with 1,024 x 1,024 cells or more, except in a maze.
const DEVICE_SPEED: usize = 4;

/// Whether a device computes `count` sets of travel times of `cells` cells faster than CPU threads, each of which
/// computes one set at a time. The results are the same.
fn suits_device(cells: usize, count: usize, threads: usize) -> bool {
    cells >= DEVICE_CELLS && count < DEVICE_SPEED * count.div_ceil(threads.max(1))
}

/// A set of goals, and the index of the set of cells on which the agents' bodies can walk to them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Destination {
    pub goals: GoalSet,
    pub passage: usize,
    /// Whether agents stay where they are, because they have discarded all of these goals.
    pub is_idle: bool,
}

/// A ground per destination, and a flow field per destination and kind of costs, for those that agents need.
#[derive(Debug)]
pub(super) struct Paths<'s> {
    scenario: &'s Scenario,
    /// The index of the current ground of the scenario.
    terrain: usize,
    grounds: BTreeMap<Destination, Ground>,
    flows: BTreeMap<(Destination, usize), FlowField>,
    /// The device of the run, if it can compute travel times.
    device: Option<&'s Device>,
    /// For each kind of costs, whether the field on which they depend has changed since paths were computed.
    stale: Vec<bool>,
    /// For each kind of costs, whether the worth of a goal has changed since agents on such paths reconsidered.
    stale_worths: Vec<bool>,
    /// The flow fields that the last update has computed, and the kinds of costs for which it found changed worths.
    new_flows: BTreeSet<(Destination, usize)>,
    new_worths: Vec<bool>,
}

impl<'s> Paths<'s> {
    /// Starts without paths. On a large map they will be computed on the device, if there is one.
    pub(super) fn new(scenario: &'s Scenario, executor: &'s Executor) -> Self {
        let stale = vec![false; scenario.flows.len()];
        let device = executor.device().filter(|device| gpu::has_travel_times(device));
        let terrain = scenario.terrains.after(0);
        Self {
            scenario,
            terrain,
            grounds: BTreeMap::new(),
            flows: BTreeMap::new(),
            device,
            stale_worths: stale.clone(),
            new_flows: BTreeSet::new(),
            new_worths: stale.clone(),
            stale,
        }
    }

    /// Marks the paths and the worths that depend on changed layers, given as one bit each, as stale.
    pub(super) fn changed(&mut self, layers: u32) {
        for (stale, flow) in self.stale.iter_mut().zip(&self.scenario.flows) {
            *stale |= layers & self.scenario.layers_of(flow.felt) != 0;
        }
        let fields = self.scenario.goals.iter().filter_map(|goal| goal.worth.field);
        if fields.map(|(field, _)| self.scenario.layers_of(field)).any(|of_worth| layers & of_worth != 0) {
            self.stale_worths.fill(true);
        }
    }

    /// Changes to another ground of the scenario, given by its index. All paths will be recomputed, whether they are
    /// due or not.
    pub(super) fn set_terrain(&mut self, terrain: usize) {
        self.terrain = terrain;
        self.grounds.clear();
        self.flows.clear();
    }

    /// Computes the paths that agents with these destinations and this guidance need in a step: missing ones, and those
    /// whose costs have changed, if they are due. Drops all others.
    pub(super) fn update(
        &mut self,
        needed: &[(Destination, Guidance)],
        layers: &Layers<'_>,
        step: u32,
    ) -> Result<(), Error> {
        let scenario = self.scenario;
        let open = scenario.terrains.ground(self.terrain).open();
        let destinations: BTreeSet<&Destination> = needed.iter().map(|(destination, _)| destination).collect();
        self.grounds.retain(|destination, _| destinations.contains(destination));
        let ground = |destination: &Destination| -> Result<_, InputError> {
            let Destination { goals, passage, is_idle } = destination;
            let chosen = scenario.goals.iter().zip(goals).filter(|(_, chosen)| **chosen && !is_idle);
            let chosen: Vec<_> = chosen.map(|(goal, _)| goal).collect();
            let walkable = scenario.passages.cells(*passage, self.terrain);
            let made = terrain::ground(scenario.grid(), open, walkable, &chosen)?;
            let covered = *is_idle && goals.contains(&true);
            Ok((destination.clone(), if covered { made.with_covered_goals() } else { made }))
        };
        let missing: Vec<&Destination> =
            destinations.into_iter().filter(|destination| !self.grounds.contains_key(*destination)).collect();
        let grounds: Vec<_> = missing.into_par_iter().map(ground).collect::<Result<_, _>>()?;
        self.grounds.extend(grounds);
        let flow_of = |(destination, guidance): &(Destination, Guidance)| match guidance {
            Guidance::Flow(flow) if !destination.is_idle => Some((destination.clone(), *flow)),
            Guidance::Flow(_) | Guidance::Field(_) | Guidance::Neighbour(..) => None,
        };
        let flows: BTreeSet<(Destination, usize)> = needed.iter().filter_map(flow_of).collect();
        self.flows.retain(|key, _| flows.contains(key));
        let (mut costs, mut missing) = (BTreeMap::new(), Vec::new());
        for (number, rule) in scenario.flows.iter().enumerate() {
            let is_turn = step.is_multiple_of(rule.every);
            let due = self.stale[number] && is_turn;
            self.new_worths[number] = self.stale_worths[number] && is_turn;
            self.stale_worths[number] &= !is_turn;
            let of_rule = flows.iter().filter(|(_, flow)| *flow == number);
            let before = missing.len();
            missing.extend(of_rule.filter(|key| due || !self.flows.contains_key(*key)).cloned());
            if due {
                self.stale[number] = false;
            }
            for (Destination { passage, .. }, _) in &missing[before..] {
                if let Entry::Vacant(vacant) = costs.entry((number, *passage)) {
                    vacant.insert(scenario.path_costs(rule, layers.field_of(rule.felt)?, (*passage, self.terrain))?);
                }
            }
        }
        self.new_flows = missing.iter().cloned().collect();
        let cells = scenario.grid().cells();
        let device = self.device.filter(|_| suits_device(cells, missing.len(), rayon::current_num_threads()));
        let grid = scenario.grid();
        let task = |(destination, flow): &(Destination, usize)| {
            (&scenario.flows[*flow], &costs[&(*flow, destination.passage)], self.ground(destination).goals())
        };
        let made: Vec<_> = if let Some(device) = device {
            let on_device = |key| -> Result<_, Error> {
                let (rule, costs, goals) = task(&key);
                let goals = FlowRule::reachable(grid, costs, goals);
                let times = gpu::travel_times_by_scheme(device, rule.scheme, grid, costs, &goals)?;
                Ok((key, FlowField::new(&times)))
            };
            missing.into_iter().map(on_device).collect::<Result<_, _>>()?
        } else {
            // Each takes one thread.
            let on_thread = |key| -> Result<_, InputError> {
                let (rule, costs, goals) = task(&key);
                Ok((key, FlowField::new(&rule.times(grid, costs, goals)?)))
            };
            missing.into_par_iter().map(on_thread).collect::<Result<_, _>>()?
        };
        self.flows.extend(made);
        Ok(())
    }

    /// Whether the last update has computed the flow field to a destination.
    pub(super) fn is_new(&self, destination: &Destination, flow: usize) -> bool {
        self.new_flows.contains(&(destination.clone(), flow))
    }

    /// Whether agents that follow flow fields of this kind reconsider, because the worth of a goal has changed.
    pub(super) fn has_new_worths(&self, flow: usize) -> bool {
        self.new_worths[flow]
    }

    /// The ground of a destination that the last update needed.
    pub(super) fn ground(&self, destination: &Destination) -> &Ground {
        self.grounds.get(destination).unwrap_or(self.scenario.terrains.ground(self.terrain))
    }

    /// The flow field to a destination that the last update needed.
    pub(super) fn flow(&self, destination: &Destination, flow: usize) -> Option<&FlowField> {
        self.flows.get(&(destination.clone(), flow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_chosen_for_large_maps_and_few_threads() {
        let large = 800 * 800;
        // A single thread would have to compute all of them.
        assert!([1, 4, 20].into_iter().all(|count| suits_device(large, count, 1)));
        assert!(suits_device(large, 3, 16) && !suits_device(large, 8, 16) && !suits_device(large, 16, 16));
        assert!(!suits_device(300 * 300, 1, 1) && suits_device(DEVICE_CELLS, 1, 1));
    }
}
