//! The goals of agents as they are now, and the paths to them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rayon::prelude::*;
use throng_core::InputError;
use throng_device::{Device, Error};
use throng_fields::gpu;
use throng_fields_core::routing::{FlowField, Ground};
use throng_fields_scenario::behaviour::Guidance;
use throng_fields_scenario::flows::FlowRule;
use throng_fields_scenario::goals::GoalSet;
use throng_fields_scenario::{Scenario, terrain};

use crate::simulation::layers::Layers;

/// With fewer cells, launches and copies take as long as a thread of the CPU takes for the times.
const DEVICE_CELLS: usize = 1 << 17;
/// How many times as long a thread of the CPU takes for the travel times of a map as a device, with copies: 3 to 4 were
/// measured with 362 x 362 cells, and 6 to 15 from 1,024 x 1,024 on, except in a maze.
const DEVICE_SPEED: usize = 4;

/// Whether a device computes some travel times, of so many cells each, faster than threads, each of which computes one
/// after the other. The times are the same.
fn suits_device(cells: usize, count: usize, threads: usize) -> bool {
    cells >= DEVICE_CELLS && count < DEVICE_SPEED * count.div_ceil(threads.max(1))
}

/// Goals, and the number of the cells on which the bodies of agents can walk there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Destination {
    pub goals: GoalSet,
    pub passage: usize,
}

/// Grounds for each destination, and flow fields for each of these with each kind of costs: those that agents need.
#[derive(Debug)]
pub(super) struct Paths<'s> {
    scenario: &'s Scenario,
    grounds: BTreeMap<Destination, Ground>,
    flows: BTreeMap<(Destination, usize), FlowField>,
    /// The device of the run, if it can compute travel times.
    device: Option<&'s Device>,
    /// Whether the field on which costs depend has changed since paths were computed.
    stale: Vec<bool>,
}

impl<'s> Paths<'s> {
    /// Without paths; on a large map they are computed on the device, if there is one.
    pub(super) fn new(scenario: &'s Scenario, device: Option<&'s Device>) -> Self {
        let stale = vec![false; scenario.flows.len()];
        let device = device.filter(|device| gpu::has_travel_times(device));
        Self { scenario, grounds: BTreeMap::new(), flows: BTreeMap::new(), device, stale }
    }

    /// Notes that layers have changed, one bit each.
    pub(super) fn changed(&mut self, layers: u32) {
        for (stale, flow) in self.stale.iter_mut().zip(&self.scenario.flows) {
            *stale |= layers & self.scenario.layers_of(flow.felt) != 0;
        }
    }

    /// Computes the paths that agents with these destinations and this guidance need in a step: those that are missing,
    /// and those whose costs have changed, if they are due. Others are dropped.
    pub(super) fn update(
        &mut self,
        needed: &[(Destination, Guidance)],
        layers: &Layers<'_>,
        step: u32,
    ) -> Result<(), Error> {
        let scenario = self.scenario;
        for (destination, _) in needed {
            if !self.grounds.contains_key(destination) {
                let chosen = scenario.goals.iter().zip(&destination.goals).filter(|(_, chosen)| **chosen);
                let chosen: Vec<_> = chosen.map(|(goal, _)| goal).collect();
                let walkable = scenario.passages.cells(destination.passage);
                let made = terrain::ground(scenario.grid(), scenario.ground.open(), walkable, &chosen)?;
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
                    vacant.insert(scenario.path_costs(rule, layers.shown(rule.felt)?, *passage)?);
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
                let times = gpu::travel_times_of_order(device, rule.order, grid, costs, &goals)?;
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
        self.grounds.get(destination).unwrap_or(&self.scenario.ground)
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
    fn devices_compute_few_or_very_many_times_of_large_maps() {
        let large = 800 * 800;
        // One thread has to compute all of them.
        assert!([1, 4, 20].into_iter().all(|count| suits_device(large, count, 1)));
        assert!(suits_device(large, 3, 16) && !suits_device(large, 8, 16) && !suits_device(large, 16, 16));
        assert!(!suits_device(300 * 300, 1, 1) && suits_device(DEVICE_CELLS, 1, 1));
    }
}
