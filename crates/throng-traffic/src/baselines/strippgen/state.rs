//! The state between two steps, the same for all layouts and machines.

use throng_core::StateHash;

use super::plans::Plans;
use super::roads::Roads;
use super::rules::is_activity;

/// A vehicle in a queue or buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Vehicle {
    /// Who drives.
    pub agent: u32,
    /// When it has driven the link at the earliest; it leaves afterwards.
    pub depart: u32,
}

/// Vehicles of all links, one list after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lists {
    /// Where the list of each link begins; one entry more than links.
    pub first: Vec<u32>,
    /// The vehicles, first of each list first.
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

    /// Collects lists link by link.
    pub fn collect<V: IntoIterator<Item = Vehicle>>(links: usize, of: impl Fn(usize) -> V) -> Self {
        let mut lists = Self { first: vec![0], vehicles: Vec::new() };
        for link in 0..links {
            lists.vehicles.extend(of(link));
            lists.first.push(lists.vehicles.len() as u32);
        }
        lists
    }
}

/// Everything that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The last step that was made, seconds of the day.
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
    /// Everybody at the first activity, after the step `now`.
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

    /// Vehicles on links and in buffers.
    pub fn in_traffic(&self) -> usize {
        self.queues.vehicles.len() + self.buffers.vehicles.len()
    }

    /// Legs that ended, from the positions of the agents.
    pub fn legs_ended(&self, plans: &Plans) -> u64 {
        let ended = |agent: usize| {
            let passed = &plans.entries[plans.begin[agent] as usize + 1..=self.position[agent] as usize];
            passed.iter().filter(|&&entry| is_activity(entry)).count() as u64
        };
        let begun = |agent: &usize| self.position[*agent] > plans.begin[*agent];
        (0..plans.agents()).filter(begun).map(ended).sum()
    }

    /// A hash over everything.
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

    /// Checks what holds in every state of every variant: nobody is lost or doubled, who is in traffic is where the plan
    /// says, and no list is longer than its link allows.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check(&self, roads: &Roads, plans: &Plans) -> Result<(), String> {
        let mut seen = vec![false; plans.agents()];
        for link in 0..roads.links() {
            for (name, lists, room) in
                [("queue", &self.queues, roads.space[link]), ("buffer", &self.buffers, roads.buffer[link])]
            {
                if lists.of(link).len() > room as usize {
                    return Err(format!("the {name} of link {link} holds {}, room is {room}", lists.of(link).len()));
                }
                for vehicle in lists.of(link) {
                    let agent = vehicle.agent as usize;
                    if std::mem::replace(&mut seen[agent], true) {
                        return Err(format!("agent {agent} is in traffic twice"));
                    }
                    let at = plans.entries[self.position[agent] as usize];
                    if at != link as u32 {
                        return Err(format!("agent {agent} is in the {name} of link {link}, by its plan on {at}"));
                    }
                }
            }
        }
        let lost = |agent: &usize| !seen[*agent] && !is_activity(plans.entries[self.position[*agent] as usize]);
        match (0..plans.agents()).find(lost) {
            None => Ok(()),
            Some(agent) => Err(format!("agent {agent} drives by its plan, but is on no link")),
        }
    }
}
