//! The goals of agents as they are now, and the paths to them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::error::FieldError;
use crate::gpu::GpuError;
use crate::routing::{FlowField, Ground};
use crate::scenario::goals::GoalSet;
use crate::scenario::rules::Guidance;
use crate::scenario::{Scenario, ground};
use crate::simulation::layers::Layers;

/// Grounds for each set of goals, and flow fields for each of these with each kind of costs: those that agents need.
#[derive(Debug)]
pub(super) struct Paths<'s> {
    scenario: &'s Scenario,
    grounds: BTreeMap<GoalSet, Ground>,
    flows: BTreeMap<(GoalSet, usize), FlowField>,
    /// Whether the field on which costs depend has changed since paths were computed.
    stale: Vec<bool>,
}

impl<'s> Paths<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let stale = vec![false; scenario.flows.len()];
        Self { scenario, grounds: BTreeMap::new(), flows: BTreeMap::new(), stale }
    }

    /// Notes that layers have changed, one bit each.
    pub(super) fn changed(&mut self, layers: u32) {
        for (stale, flow) in self.stale.iter_mut().zip(&self.scenario.flows) {
            *stale |= layers & self.scenario.layers_of(flow.felt) != 0;
        }
    }

    /// Computes the paths that agents with these goals and this guidance need in a step: those that are missing, and
    /// those whose costs have changed, if they are due. Others are dropped.
    pub(super) fn update(
        &mut self,
        needed: &[(GoalSet, Guidance)],
        layers: &Layers<'_>,
        step: u32,
    ) -> Result<(), GpuError> {
        let scenario = self.scenario;
        for (goals, _) in needed {
            if !self.grounds.contains_key(goals) {
                let chosen = scenario.goals.iter().zip(goals).filter(|(_, chosen)| **chosen);
                let chosen: Vec<_> = chosen.map(|(goal, _)| goal).collect();
                let made = ground::ground(scenario.grid(), scenario.ground.open(), &chosen)?;
                self.grounds.insert(goals.clone(), made);
            }
        }
        self.grounds.retain(|goals, _| needed.iter().any(|(needed, _)| needed == goals));
        let flow_of = |(goals, guidance): &(GoalSet, Guidance)| match guidance {
            Guidance::Flow(flow) => Some((goals.clone(), *flow)),
            Guidance::Field(_) | Guidance::Neighbour(..) => None,
        };
        let flows: Vec<(GoalSet, usize)> = needed.iter().filter_map(flow_of).collect();
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
            if missing.len() > before {
                costs.insert(number, scenario.path_costs(rule, layers.shown(rule.felt)?)?);
            }
        }
        let to_goals = |key: (GoalSet, usize)| -> Result<_, FieldError> {
            let (rule, goals) = (&scenario.flows[key.1], self.ground(&key.0).goals());
            let times = rule.times(scenario.grid(), &costs[&key.1], goals)?;
            Ok((key, FlowField::new(&times)))
        };
        // Each takes one thread.
        let made: Vec<_> = missing.into_par_iter().map(to_goals).collect::<Result<_, _>>()?;
        self.flows.extend(made);
        Ok(())
    }

    /// The ground with a set of goals that the last update needed.
    pub(super) fn ground(&self, goals: &GoalSet) -> &Ground {
        self.grounds.get(goals).unwrap_or(&self.scenario.ground)
    }

    /// The flow field to a set of goals that the last update needed.
    pub(super) fn flow(&self, goals: &GoalSet, flow: usize) -> Option<&FlowField> {
        self.flows.get(&(goals.clone(), flow))
    }
}
