//! Invention: an agent with experience in some resources may invent a tool for one, made of the others, and an agent that can
//! make devices may invent one that is made of them.

use throng_device::cube::host::shuffle;

use super::{Society, purpose};
use crate::devices::{Devices, Kind};
use crate::rules::invention::probability_of_invention;

/// The draws of an attempt to invent. Before these come the draws of what is considered.
pub mod draw {
    /// Whether it succeeds.
    pub const SUCCESS: u32 = 1 << 16;
    /// What it is for.
    pub const USE: u32 = (1 << 16) + 1;
    /// Whether the agent goes on with machines or with devmachines.
    pub const COIN: u32 = (1 << 16) + 2;
}

impl Society {
    /// All agents try to invent, in a random order: recipes belong to all.
    pub(super) fn invent(&mut self) {
        self.count_known();
        for agent in shuffle(self.agents.len() as u32, self.draws, 0, self.days, purpose::INVENTORS) {
            if self.is_present[agent as usize] {
                self.invent_tool(agent as usize);
            }
        }
    }

    fn invent_tool(&mut self, agent: usize) {
        let Some(considered) = self.considered_resources(agent) else { return };
        let without = self.without(Kind::Tool, &considered);
        if without.is_empty() {
            match self.parameters.devices {
                Devices::None | Devices::Tools => {}
                Devices::Extracting => self.invent_device(agent, Kind::Machine),
                Devices::All => {
                    let coin = self.draws.below(2, agent as u32, self.days, purpose::INVENTED, draw::COIN);
                    self.invent_device(agent, [Kind::Machine, Kind::DevMachine][coin as usize]);
                }
            }
            return;
        }
        let experience = considered.iter().map(|&resource| self.agents[agent].experience[resource]).sum::<f64>();
        let for_each = self.parameters.invention.tool_probability;
        if let Some(resource) = self.idea(agent, Kind::Tool, [for_each, experience], &without) {
            let components = considered.into_iter().filter(|&other| other != resource).collect();
            self.publish(agent, Kind::Tool, resource, components);
        }
    }

    /// An attempt with a kind, or with the next order if all that the agent considers has a device of the kind.
    fn invent_device(&mut self, agent: usize, kind: Kind) {
        let Some(component) = kind.made_of() else { return };
        let Some(considered) = self.considered_devices(agent, kind, component) else { return };
        let without = self.without(kind, &considered);
        if without.is_empty() {
            if let Some(next) = kind.next_order() {
                self.invent_device(agent, next);
            }
            return;
        }
        let own = &self.agents[agent].of(component).experience;
        let experience = considered.iter().map(|&resource| own[resource]).sum::<f64>();
        let for_each = self.parameters.invention.device_probability;
        if let Some(resource) = self.idea(agent, kind, [for_each, experience], &without) {
            for &other in &considered {
                let experience = &mut self.agents[agent].of_mut(component).experience[other];
                *experience = experience.max(1.0);
            }
            self.publish(agent, kind, resource, considered);
        }
    }

    /// Draws whether the agent invents a device, and for what.
    fn idea(&self, agent: usize, kind: Kind, [for_each, experience]: [f64; 2], without: &[usize]) -> Option<usize> {
        let speed = self.parameters.invention_speed(agent);
        let probability = probability_of_invention(for_each, experience, speed);
        let (agent, purpose) = (agent as u32, purpose::INVENTED | kind as u32);
        if self.draws.unit(agent, self.days, purpose, draw::SUCCESS) >= probability {
            return None;
        }
        let drawn = self.draws.below(without.len() as u32, agent, self.days, purpose, draw::USE);
        Some(without[drawn as usize])
    }

    /// The inventor alone can make the device, also if there was one of another recipe.
    fn publish(&mut self, inventor: usize, kind: Kind, resource: usize, components: Vec<usize>) {
        self.recipes.invent(kind, resource, components);
        for agent in &mut self.agents {
            agent.of_mut(kind).experience[resource] = 0.0;
        }
        self.agents[inventor].of_mut(kind).experience[resource] = self.parameters.invention.inventor_experience;
        self.known[kind as usize][resource] = true;
        self.today.inventions.push((kind, resource, inventor));
    }

    /// Resources for which no agent can make a device of a kind.
    fn without(&self, kind: Kind, considered: &[usize]) -> Vec<usize> {
        considered.iter().copied().filter(|&resource| !self.is_known(kind, resource)).collect()
    }

    /// Counts what is known at the start of the phase. No invention takes anything from it: the inventor can make what it
    /// invented, also in place of another recipe.
    fn count_known(&mut self) {
        let Self { parameters, agents, known, .. } = self;
        for kind in parameters.devices.by(Kind::BY_PRODUCTION) {
            for (resource, known) in known[kind as usize].iter_mut().enumerate() {
                *known = agents.iter().any(|agent| agent.of(kind).experience[resource] > 0.0);
            }
        }
    }

    fn is_known(&self, kind: Kind, resource: usize) -> bool {
        self.known[kind as usize][resource]
    }

    /// The two resources in which the agent has most experience, and others that it holds, as many as a tool needs besides.
    fn considered_resources(&self, number: usize) -> Option<Vec<usize>> {
        let agent = &self.agents[number];
        let mut considered = two_highest(&agent.experience, |_| true);
        let is_other = |&resource: &usize| {
            agent.held[resource] > self.parameters.invention.more_held_than && !considered.contains(&resource)
        };
        let others: Vec<usize> = (0..agent.held.len()).filter(is_other).collect();
        let wanted = self.parameters.invention.resources_in_tool as usize + 1;
        if self.deviations.short_recipes && considered.len() + others.len() < wanted {
            return Some(considered);
        }
        self.draw_others(number, Kind::Tool, &mut considered, others, wanted);
        (considered.len() == wanted).then_some(considered)
    }

    /// Components for a device: the two that the agent makes best, others that it can make, and others that some agent can
    /// make. There must be enough of them.
    fn considered_devices(&self, number: usize, kind: Kind, component: Kind) -> Option<Vec<usize>> {
        let own = &self.agents[number].of(component).experience;
        if own.iter().all(|&experience| experience == 0.0) {
            return None;
        }
        let wanted = self.parameters.invention.components_in_device as usize;
        let counts = |resource: usize| own[resource] > 0.0 && !(self.deviations.first_is_never_best && resource == 0);
        let mut considered = two_highest(own, counts);
        considered.truncate(wanted);
        let others = |considered: &[usize], is_known: &dyn Fn(usize) -> bool| {
            (0..own.len()).filter(|&resource| !considered.contains(&resource) && is_known(resource)).collect()
        };
        let own_others = others(&considered, &|resource| own[resource] > 0.0);
        self.draw_others(number, kind, &mut considered, own_others, wanted);
        let all_others = others(&considered, &|resource| self.is_known(component, resource));
        self.draw_others(number, kind, &mut considered, all_others, wanted);
        (considered.len() == wanted).then_some(considered)
    }

    /// Draws from `others` until `wanted` are considered or none is left. The position in the list is the number of the draw.
    fn draw_others(
        &self,
        agent: usize,
        kind: Kind,
        considered: &mut Vec<usize>,
        mut others: Vec<usize>,
        wanted: usize,
    ) {
        let purpose = purpose::INVENTED | kind as u32;
        while considered.len() < wanted && !others.is_empty() {
            let (count, number) = (others.len() as u32, considered.len() as u32);
            let drawn = self.draws.below(count, agent as u32, self.days, purpose, number);
            considered.push(others.remove(drawn as usize));
        }
    }
}

/// The two resources with most experience of those that count; of equal ones the smaller number.
fn two_highest(experience: &[f64], counts: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut highest: Vec<usize> = Vec::with_capacity(3);
    for resource in (0..experience.len()).filter(|&resource| counts(resource)) {
        let place = highest.partition_point(|&other| experience[other] >= experience[resource]);
        highest.insert(place, resource);
        highest.truncate(2);
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::two_highest;

    #[test]
    fn highest_by_hand() {
        assert_eq!(two_highest(&[1.0, 3.0, 0.0, 3.0, 2.0], |_| true), [1, 3]);
        assert_eq!(two_highest(&[1.0, 3.0, 0.0, 3.0, 4.0], |resource| resource != 4 && resource != 1), [3, 0]);
        assert_eq!(two_highest(&[0.0, 0.5], |resource| resource == 1), [1]);
    }
}
