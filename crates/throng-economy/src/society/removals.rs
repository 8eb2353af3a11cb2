//! Scheduled shocks: a resource runs out, or an agent leaves.

use super::{Agent, Society};
use crate::devices::Kind;

/// What is removed at the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removal {
    /// The day.
    pub day: u32,
    /// What is removed.
    pub what: Removed,
}

/// What can be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// A resource: it is not extracted any more, and devices for it are gone.
    Resource {
        /// Its number.
        resource: usize,
        /// Whether stock and experience are gone, too.
        with_stock: bool,
    },
    /// An agent, with all it has.
    Agent(usize),
}

impl Society {
    /// What is removed today.
    pub(super) fn remove_scheduled(&mut self) {
        for at in 0..self.parameters.removals.len() {
            let removal = self.parameters.removals[at];
            if removal.day != self.days {
                continue;
            }
            match removal.what {
                Removed::Agent(agent) => {
                    self.is_present[agent] = false;
                    self.agents[agent] = Agent::new(&self.parameters, &self.utility);
                }
                Removed::Resource { resource, with_stock } => self.remove_resource(resource, with_stock),
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
                agent.value(resource, &self.utility);
            }
        }
    }
}
