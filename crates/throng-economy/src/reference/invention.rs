//! Invention: an agent that knows much of some resources may have the idea of a tool for one, made of the others.

use super::{Society, purpose};

impl Society {
    /// All agents think, in a random order: recipes belong to all.
    pub(super) fn invent(&mut self) {
        for agent in self.random_order(purpose::INVENTORS) {
            self.invent_for(agent);
        }
    }

    fn invent_for(&mut self, number: usize) {
        let Some(considered) = self.considered(number) else { return };
        let is_unknown = |&resource: &usize| !self.agents.iter().any(|agent| agent.building[resource] > 0.0);
        let without: Vec<usize> = considered.iter().copied().filter(is_unknown).collect();
        if without.is_empty() {
            return;
        }
        let experience: f64 = considered.iter().map(|&resource| self.agents[number].experience[resource]).sum();
        let (agent, day) = (number as u32, self.days);
        let luck = self.draws.unit(agent, day, purpose::INVENTED, 100);
        if luck >= self.parameters.invention_probability * experience {
            return;
        }
        let drawn = self.draws.below(without.len() as u32, agent, day, purpose::INVENTED, 101);
        let resource = without[drawn as usize];
        self.recipes[resource] = Some(considered.into_iter().filter(|&other| other != resource).collect());
        for agent in &mut self.agents {
            agent.building[resource] = 0.0;
        }
        self.agents[number].building[resource] = self.parameters.inventor_experience;
    }

    /// The two resources of which the agent knows most, and others that it holds, as many as a tool has besides.
    fn considered(&self, number: usize) -> Option<Vec<usize>> {
        let agent = &self.agents[number];
        let mut by_experience: Vec<usize> = (0..agent.held.len()).collect();
        by_experience.sort_by(|&a, &b| agent.experience[b].total_cmp(&agent.experience[a]));
        let mut considered: Vec<usize> = by_experience.into_iter().take(2).collect();
        let is_other = |&resource: &usize| {
            agent.held[resource] > self.parameters.held_for_invention && !considered.contains(&resource)
        };
        let mut others: Vec<usize> = (0..agent.held.len()).filter(is_other).collect();
        let wanted = self.parameters.resources_in_tool as usize - 1;
        if others.len() < wanted {
            return None;
        }
        for index in 0..wanted {
            let left = others.len() as u32;
            let drawn = self.draws.below(left, number as u32, self.days, purpose::INVENTED, index as u32);
            considered.push(others.remove(drawn as usize));
        }
        Some(considered)
    }
}
