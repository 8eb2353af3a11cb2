//! The current goals of agents, and the paths to them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

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
}

impl<'s> Paths<'s> {
    /// Starts without paths. On a large map they will be computed on the device, if there is one.
    pub(super) fn new(scenario: &'s Scenario, executor: &'s Executor) -> Self {
        let stale = vec![false; scenario.flows.len()];
        let device = executor.device().filter(|device| gpu::has_travel_times(device));
        let terrain = scenario.terrains.after(0);
        Self { scenario, terrain, grounds: BTreeMap::new(), flows: BTreeMap::new(), device, stale }
    }

    /// Marks the paths that depend on changed layers, given as one bit each, as stale.
    pub(super) fn changed(&mut self, layers: u32) {
        for (stale, flow) in self.stale.iter_mut().zip(&self.scenario.flows) {
            *stale |= layers & self.scenario.layers_of(flow.felt) != 0;
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
        for (destination, _) in needed {
            if !self.grounds.contains_key(destination) {
                let chosen = scenario.goals.iter().zip(&destination.goals).filter(|(_, chosen)| **chosen);
                let chosen: Vec<_> = chosen.map(|(goal, _)| goal).collect();
                let walkable = scenario.passages.cells(destination.passage, self.terrain);
                let made = terrain::ground(scenario.grid(), open, walkable, &chosen)?;
                self.grounds.insert(destination.clone(), made);
            }
        }
        self.grounds.retain(|destination, _| needed.iter().any(|(needed, _)| needed == destination));
        let flow_of = |(destination, guidance): &(Destination, Guidance)| match guidance {
            Guidance::Flow(flow) => Some((destination.clone(), *flow)),
            Guidance::Field(_) | Guidance::Neighbour(..) => None,
        };
        let flows: Vec<(Destination, usize)> = needed.iter().filter_map(flow_of).collect();
        self.flows.retain(|key, _| flows.contains(key));
        let (mut costs, mut missing) = (BTreeMap::new(), Vec::new());
        for (number, rule) in scenario.flows.iter().enumerate() {
            let due = self.stale[number] && step.is_multiple_of(rule.every);
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
