//! The three layouts on the CPU.

mod aos;
mod ring;
mod soa;

pub use aos::{Aos, AosAgents};
pub use ring::Ring;
pub use soa::{Soa, SoaAgents};

use super::state::{Lists, Vehicle};

/// First-in first-out lists of vehicles with fixed capacities, one per link.
pub trait Fifo: Sized {
    /// Creates empty lists with the given capacities.
    fn with_room(rooms: &[u32]) -> Self;
    /// Number of vehicles in a list.
    fn len(&self, link: usize) -> u32;
    /// Whether there is room for another vehicle.
    fn has_space(&self, link: usize) -> bool;
    /// The vehicle with index `k` in a list.
    fn get(&self, link: usize, k: u32) -> Vehicle;
    /// Removes the first vehicle.
    fn pop(&mut self, link: usize);
    /// Adds a vehicle at the back; the caller has checked for space.
    fn push(&mut self, link: usize, vehicle: Vehicle);

    /// Loads the lists of a state.
    fn load(rooms: &[u32], lists: &Lists) -> Self {
        let mut fifo = Self::with_room(rooms);
        for link in 0..rooms.len() {
            for &vehicle in lists.of(link) {
                fifo.push(link, vehicle);
            }
        }
        fifo
    }

    /// Converts the lists to the lists of a state.
    fn save(&self, links: usize) -> Lists {
        Lists::collect(links, |link| (0..self.len(link)).map(move |k| self.get(link, k)))
    }
}

/// Begin and end of each agent's plan, and the agent's position in it.
pub trait Agents {
    /// Creates the agents from three lists.
    fn new(begin: &[u32], end: impl Fn(usize) -> u32, position: &[u32]) -> Self;
    /// The position of an agent.
    fn position(&self, agent: u32) -> u32;
    /// Advances the position of an agent by one entry.
    fn advance(&mut self, agent: u32);
}

/// The first slot of each list, and the total number of slots.
fn starts(rooms: &[u32]) -> (Vec<u32>, u32) {
    let mut at = 0;
    let starts = rooms.iter().map(|&room| {
        let start = at;
        at += room;
        start
    });
    (starts.collect(), at)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use throng_core::Philox;

    use super::*;

    /// Compares a few hundred random operations on three lists with the standard library.
    fn behaves<F: Fifo>() {
        let rooms = [1, 4, 3];
        let mut fifo = F::with_room(&rooms);
        let mut expected: [VecDeque<Vehicle>; 3] = Default::default();
        let draws = Philox::new(7);
        for i in 0..600 {
            let link = draws.below(3, i, 0, 0, 0) as usize;
            let list = &mut expected[link];
            assert_eq!(fifo.has_space(link), list.len() < rooms[link] as usize);
            if draws.below(2, i, 0, 1, 0) == 0 && fifo.has_space(link) {
                fifo.push(link, Vehicle { agent: i, depart: i * 2 });
                list.push_back(Vehicle { agent: i, depart: i * 2 });
            } else if fifo.len(link) > 0 {
                fifo.pop(link);
                list.pop_front();
            }
            let lists = fifo.save(3);
            for (link, list) in expected.iter().enumerate() {
                assert!(lists.of(link).iter().eq(list), "operation {i}, list {link}");
            }
            assert_eq!(F::load(&rooms, &lists).save(3), lists);
        }
    }

    #[test]
    fn all_layouts_behave_like_queues() {
        behaves::<Aos>();
        behaves::<Soa>();
        behaves::<Ring>();
    }
}
