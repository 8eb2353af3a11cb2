//! Building, and what time does to tools and to those who can build them.

use super::Society;

impl Society {
    /// Agents promise tools to themselves, the most useful first, until none is worth its cost.
    pub(super) fn build_for_themselves(&mut self) {
        let enough_min = self.parameters.tool_stock_days * self.parameters.day_min;
        for number in 0..self.agents.len() {
            loop {
                let agent = &self.agents[number];
                let (mut best, mut choice) = (0.0, None);
                for resource in 0..agent.held.len() {
                    if agent.tool_min[resource] < enough_min && self.can_promise(agent, resource) {
                        let cost = self.cost_of_tool(agent, resource);
                        let gain = self.extracted_by_tool(agent, resource) - cost;
                        if gain > best {
                            (best, choice) = (gain, Some((resource, cost)));
                        }
                    }
                }
                let Some((resource, cost)) = choice else { break };
                self.promise(number, resource);
                let agent = &mut self.agents[number];
                agent.tool_min[resource] += self.parameters.tool_lifetime_min;
                agent.remember_price(resource, -cost);
                agent.gained_by_tools += best;
            }
        }
    }

    /// Promised tools are built, in overtime.
    pub(super) fn build(&mut self) {
        let Self { building, recipes, agents, today, .. } = self;
        for agent in agents {
            for (resource, recipe) in recipes.iter().enumerate() {
                for _ in 0..std::mem::take(&mut agent.to_build[resource]) {
                    agent.overtime_min += building.minutes(agent.building[resource]);
                    agent.building[resource] += 1.0;
                    agent.built[resource] = true;
                    for &r in recipe.iter().flatten() {
                        agent.reserved[r] -= 1;
                    }
                    today.tools_built += 1;
                }
            }
        }
    }

    /// The end of the day for those who can build.
    pub(super) fn forget_building(&mut self) {
        let Self { parameters, agents, .. } = self;
        for agent in agents {
            for resource in 0..agent.held.len() {
                let experience = &mut agent.building[resource];
                if !std::mem::take(&mut agent.built[resource]) {
                    *experience -= 1.0;
                }
                if *experience <= 1.0 {
                    *experience = 0.0;
                }
                *experience = experience.min(f64::from(parameters.full_building_experience));
                if agent.tool_min[resource] > 0.0 {
                    *experience = experience.max(parameters.owner_experience);
                }
            }
            agent.set_aside_min = agent.overtime_min;
            agent.gained_by_tools = 0.0;
        }
    }

    /// Tools wear out without use, too.
    pub(super) fn wear(&mut self) {
        let Self { parameters, agents, .. } = self;
        for minutes in agents.iter_mut().flat_map(|agent| &mut agent.tool_min) {
            let wear = parameters.tool_wear_min;
            *minutes = if *minutes > wear { *minutes - wear * (*minutes / parameters.tool_lifetime_min) } else { 0.0 };
        }
    }
}
