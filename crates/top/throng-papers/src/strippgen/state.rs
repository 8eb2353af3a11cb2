//! The state between two steps, independent of layout and machine.

use throng_core::StateHash;

use super::plans::Plans;
use super::roads::Roads;
use super::rules::is_activity;

/// A vehicle in a queue or buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Vehicle {
    /// Index of the driver.
    pub agent: u32,
    /// The last step in which it drives the link; it may leave afterwards.
    pub depart: u32,
}

/// The vehicles of all links, in consecutive lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// Start of each link's list in `vehicles`; one entry more than links.
    pub first: Vec<u32>,
    /// The vehicles, each list from front to back.
    pub vehicles: Vec<Vehicle>,
}

impl Lists {
    /// `links` empty lists.
    pub fn empty(links: usize) -> Self {
        Self { first: vec![0; links + 1], vehicles: Vec::new() }
    }

    /// The vehicles of a link.
    pub fn of(&self, link: usize) -> &[Vehicle] {
        &self.vehicles[self.first[link] as usize..self.first[link + 1] as usize]
    }

    /// The number of lists, or `None` if they are not consecutive or do not cover all vehicles.
    fn links(&self) -> Option<usize> {
        let whole = self.first.is_sorted() && self.first.last() == Some(&(self.vehicles.len() as u32));
        whole.then(|| self.first.len() - 1)
    }

    /// Collects the lists of all links.
    pub fn collect<V: IntoIterator<Item = Vehicle>>(links: usize, of: impl Fn(usize) -> V) -> Self {
        let mut lists = Self { first: vec![0], vehicles: Vec::new() };
        for link in 0..links {
            lists.vehicles.extend(of(link));
            lists.first.push(lists.vehicles.len() as u32);
        }
        lists
    }
}

/// The complete dynamic state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The last completed step, in seconds of the day.
    pub now: u32,
    /// Vehicles on the links.
    pub queues: Lists,
    /// Vehicles that may leave the links.
    pub buffers: Lists,
    /// Flow credit of each link.
    pub credit: Vec<u32>,
    /// The position of each agent in [`Plans::entries`].
    pub position: Vec<u32>,
}

impl State {
    /// The state with all agents at their first activity, after step `now`.
    pub fn at_home(roads: &Roads, plans: &Plans, now: u32) -> Self {
        let empty = Lists::empty(roads.links());
        Self {
            now,
            queues: empty.clone(),
            buffers: empty,
            credit: vec![0; roads.links()],
            position: plans.begin.clone(),
        }
    }

    /// Number of vehicles on links and in buffers.
    pub fn in_traffic(&self) -> usize {
        self.queues.vehicles.len() + self.buffers.vehicles.len()
    }

    /// Number of legs that have ended, derived from the positions of the agents.
    pub fn legs_ended(&self, plans: &Plans) -> u64 {
        let ended = |agent: usize| {
            let passed = &plans.entries[plans.begin[agent] as usize + 1..=self.position[agent] as usize];
            passed.iter().filter(|&&entry| is_activity(entry)).count() as u64
        };
        let has_departed = |agent: &usize| self.position[*agent] > plans.begin[*agent];
        (0..plans.agents()).filter(has_departed).map(ended).sum()
    }

    /// A hash of the complete state.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.add(0, &[u64::from(self.now)]);
        for (link, &credit) in self.credit.iter().enumerate() {
            let vehicles = [&self.queues, &self.buffers].map(|lists| lists.of(link));
            let mut words = vec![u64::from(credit), vehicles[0].len() as u64];
            words
                .extend(vehicles.iter().flat_map(|v| v.iter()).map(|v| u64::from(v.agent) << 32 | u64::from(v.depart)));
            hash.add(1 << 32 | link as u64, &words);
        }
        for (agent, &position) in self.position.iter().enumerate() {
            hash.add(2 << 32 | agent as u64, &[u64::from(position)]);
        }
        hash.finish()
    }

    /// Checks the invariants of all states and variants: each agent is somewhere in its plan, none is lost or
    /// duplicated, vehicles are where the plans of their drivers say, those in buffers continue to a link, and no list
    /// exceeds the capacity of its link.
    ///
    /// # Errors
    /// Describes the violated invariant.
    pub fn check(&self, roads: &Roads, plans: &Plans) -> Result<(), String> {
        let (links, agents) = (roads.links(), plans.agents());
        let sizes = [self.queues.links(), self.buffers.links(), Some(self.credit.len())];
        if sizes != [Some(links); 3] || self.position.len() != agents {
            return Err(format!(
                "there are lists of {sizes:?} links and {} agents, expected {links} and {agents}",
                self.position.len()
            ));
        }
        for (agent, &position) in self.position.iter().enumerate() {
            if !(plans.begin[agent]..plans.end(agent)).contains(&position) {
                return Err(format!("agent {agent} is at {position}, outside its plan"));
            }
        }
        let mut seen = vec![false; agents];
        for link in 0..links {
            for (name, lists, room, goes_on) in
                [("queue", &self.queues, roads.space[link], false), ("buffer", &self.buffers, roads.buffer[link], true)]
            {
                if lists.of(link).len() > room as usize {
                    return Err(format!("the {name} of link {link} holds {}, but {room} fit", lists.of(link).len()));
                }
                for vehicle in lists.of(link) {
                    let agent = vehicle.agent as usize;
                    match seen.get_mut(agent).map(|seen| std::mem::replace(seen, true)) {
                        None => return Err(format!("agent {agent} is in traffic, but there are only {agents} agents")),
                        Some(true) => return Err(format!("agent {agent} is in traffic twice")),
                        Some(false) => {}
                    }
                    let position = self.position[agent] as usize;
                    let at = plans.entries[position];
                    if at != link as u32 {
                        return Err(format!("agent {agent} is in the {name} of link {link}, but at {at} by its plan"));
                    }
                    // A plan ends with an activity, so each link has a next entry.
                    if goes_on && is_activity(plans.entries[position + 1]) {
                        return Err(format!("agent {agent} is in the buffer of link {link}, where its leg ends"));
                    }
                }
            }
        }
        let lost = |agent: &usize| !seen[*agent] && !is_activity(plans.entries[self.position[*agent] as usize]);
        match (0..plans.agents()).find(lost) {
            None => Ok(()),
            Some(agent) => Err(format!("agent {agent} drives according to its plan, but is on no link")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strippgen::testing::{star, state_after};

    type Change<'c> = &'c dyn Fn(&mut State);

    #[test]
    fn invalid_states_are_detected() {
        let model = star(3, 2);
        let good = state_after(&model, 10);
        let check = |change: Change<'_>| {
            let mut state = good.clone();
            change(&mut state);
            state.check(&model.roads, &model.plans)
        };
        assert_eq!(check(&|_| ()), Ok(()));
        let driver = good.buffers.vehicles.iter().chain(&good.queues.vehicles).next().unwrap().agent as usize;
        let changes: [(Change<'_>, &str); 9] = [
            (&|state| state.credit.truncate(1), "expected 5 and 6"),
            (&|state| state.position.truncate(1), "expected 5 and 6"),
            (&|state| state.queues.first.reverse(), "[None,"),
            (&|state| state.queues.vehicles.push(Vehicle::default()), "[None,"),
            (&|state| state.position[0] = 1 << 30, "agent 0 is at 1073741824, outside its plan"),
            (&|state| state.position[driver] = model.plans.end(driver), "outside its plan"),
            (&|state| state.queues.vehicles[0].agent = 6, "agent 6 is in traffic, but there are only 6 agents"),
            (&|state| state.position[driver] += 1, " by its plan"),
            (&|state| state.queues = Lists::empty(5), "drives according to its plan, but is on no link"),
        ];
        for (change, expected) in changes {
            let found = check(change).unwrap_err();
            assert!(found.contains(expected), "{found}, expected: {expected}");
        }
    }

    #[test]
    fn a_vehicle_in_a_buffer_needs_a_next_link() {
        // A single driver, on the last link of its plan.
        let model = star(1, 1);
        let last = |steps| state_after(&model, steps).queues.of(2).len() == 1;
        let steps = (1..60).find(|&steps| last(steps)).unwrap();
        let mut state = state_after(&model, steps);
        assert_eq!(state.check(&model.roads, &model.plans), Ok(()));
        std::mem::swap(&mut state.queues, &mut state.buffers);
        let found = state.check(&model.roads, &model.plans).unwrap_err();
        assert!(found.contains("in the buffer of link 2, where its leg ends"), "{found}");
    }
}
