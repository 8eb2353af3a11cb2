//! What a tool is worth, and what it costs.

use super::{Agent, Society};

impl Society {
    /// Utility of the units that the agent extracts with a further tool, one after the other, once those that it has are used
    /// up.
    pub(super) fn extracted_by_tool(&self, agent: &Agent, resource: usize) -> f64 {
        let factor = self.parameters.tool_factor;
        let (mut held, mut experience) = (agent.held[resource], agent.experience[resource]);
        let mut during = |minutes: f64| {
            let (mut clock, mut gain) = (0.0, 0.0);
            while clock < minutes {
                clock += self.effort.minutes(experience) / factor;
                gain += self.utility.of_next(held);
                held += 1;
                experience += 1.0 / factor;
            }
            gain
        };
        during(agent.tool_min[resource]);
        during(self.parameters.tool_lifetime_min)
    }

    /// The most that an agent would give for a tool: no more than a tool of its own would cost. 0 if it has no use for one.
    pub(super) fn value_of_tool(&self, agent: &Agent, resource: usize) -> f64 {
        let by_hand = agent.gain_per_min * self.parameters.tool_lifetime_min;
        let benefit = self.extracted_by_tool(agent, resource) - by_hand;
        if benefit <= 0.0 {
            0.0
        } else if self.can_build(agent, resource) {
            benefit.min(self.cost_of_tool(agent, resource))
        } else {
            benefit
        }
    }

    /// What it costs the agent to come by a tool: what it paid lately, or else its time and what is in the tool.
    pub(super) fn cost_of_tool(&self, agent: &Agent, resource: usize) -> f64 {
        let bought: Vec<f64> = agent.prices[resource].into_iter().filter(|&price| price > 0.0).collect();
        if bought.len() >= 2 {
            return bought.iter().sum::<f64>() / bought.len() as f64;
        }
        let of_resource =
            |&r: &usize| if agent.held[r] > 0 { self.utility.of_last(agent.held[r]) } else { self.utility.of_next(0) };
        let resources: f64 = self.recipes[resource].iter().flatten().map(of_resource).sum();
        agent.gain_per_min * self.building.minutes(agent.building[resource]) + resources
    }

    /// Whether the agent knows how to build a tool.
    pub(super) fn can_build(&self, agent: &Agent, resource: usize) -> bool {
        self.recipes[resource].is_some() && agent.building[resource] >= 1.0
    }

    /// Whether it has the resources and the time, too.
    pub(super) fn can_promise(&self, agent: &Agent, resource: usize) -> bool {
        let minutes = self.building.minutes(agent.building[resource]);
        self.can_build(agent, resource)
            && self.recipes[resource].iter().flatten().all(|&r| agent.held[r] > 0)
            && agent.set_aside_min + minutes < self.parameters.day_min
    }

    /// Sets aside what a tool takes.
    pub(super) fn promise(&mut self, number: usize, resource: usize) {
        let agent = &mut self.agents[number];
        for &r in self.recipes[resource].iter().flatten() {
            agent.held[r] -= 1;
            agent.reserved[r] += 1;
        }
        agent.to_build[resource] += 1;
        agent.set_aside_min += self.building.minutes(agent.building[resource]);
    }
}

impl Agent {
    /// Remembers a price and forgets the oldest one.
    pub(super) fn remember_price(&mut self, resource: usize, price: f64) {
        self.prices[resource].rotate_right(1);
        self.prices[resource][0] = price;
    }
}
