//! Scheduled shocks: a resource runs out, or an agent leaves. The CPU replaces the agent with a new, empty one; kernels
//! overwrite its columns one by one.

use super::{Agent, Society};
use crate::devices::Kind;

impl Society {
    /// Carries out the removals scheduled for the end of yesterday, so that the measures of a day still include all
    /// agents who took part in it.
    pub(super) fn remove_scheduled(&mut self) {
        for at in 0..self.parameters.removals.len() {
            let removal = self.parameters.removals[at];
            if removal.day != self.days {
                continue;
            }
            if let Some(agent) = removal.agent {
                self.is_present[agent as usize] = false;
                self.agents[agent as usize] = Agent::new(&self.parameters, &self.model.utility);
            }
            if let Some(resource) = removal.resource {
                self.remove_resource(resource as usize, removal.with_stock);
            }
        }
    }

    fn remove_resource(&mut self, resource: usize, with_stock: bool) {
        self.is_left[resource] = false;
        for agent in &mut self.agents {
            for kind in Kind::BY_PRODUCTION {
                if let Some(minutes) = agent.of_mut(kind).minutes.get_mut(resource) {
                    *minutes = 0.0;
                }
            }
            if with_stock {
                agent.held[resource] = 0;
                agent.experience[resource] = 0.0;
                agent.value(resource, &self.model.utility);
            }
        }
    }
}
