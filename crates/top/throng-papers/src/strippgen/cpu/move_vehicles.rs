//! RING2: records the sources of vehicles first, then moves the vehicles.

use super::step::Simulation;
use crate::strippgen::layouts::{Agents, Fifo, Ring, SoaAgents};

type Rings<'a> = Simulation<'a, Ring, SoaAgents>;

/// The buffer slot from which the vehicle of each queue slot will be moved.
#[derive(Debug)]
pub(super) struct Sources(Vec<u32>);

/// Marks a slot without a vehicle to fetch.
const NOTHING: u32 = u32::MAX;

impl Sources {
    pub fn new(rings: &Rings<'_>) -> Self {
        Self(vec![NOTHING; rings.queues.slots()])
    }

    pub fn note_nodes(&mut self, rings: &mut Rings<'_>) {
        let roads = &rings.model.roads;
        for node in 0..roads.nodes() {
            for &link in roads.in_links_of(node) {
                self.note_buffer(rings, link as usize);
            }
        }
    }

    pub fn note_buffers(&mut self, rings: &mut Rings<'_>) {
        for link in 0..rings.model.roads.links() {
            self.note_buffer(rings, link);
        }
    }

    /// Like `moveBuffer`, but only reserves a slot for each vehicle and records its source.
    fn note_buffer(&mut self, rings: &mut Rings<'_>, link: usize) {
        while rings.buffers.len(link) > 0 {
            let destination = rings.next_entry(rings.buffers.get(link, 0).agent) as usize;
            if !rings.queues.has_space(destination) {
                break;
            }
            let slot = rings.queues.reserve(destination);
            self.0[slot] = rings.buffers.front_slot(link) as u32;
            rings.buffers.pop(link);
        }
    }

    /// Fetches the new vehicles of each link, from the back of the queue until it reaches those that were there before.
    pub fn move_vehicles(&mut self, rings: &mut Rings<'_>) {
        for link in 0..rings.model.roads.links() {
            for k in (0..rings.queues.len(link)).rev() {
                let slot = rings.queues.slot(link, k);
                let source = std::mem::replace(&mut self.0[slot], NOTHING);
                if source == NOTHING {
                    break;
                }
                let agent = rings.buffers.at(source as usize).agent;
                rings.queues.put(slot, rings.entering(agent, link));
                rings.agents.advance(agent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::Simulation;
    use super::*;
    use crate::strippgen::testing::{star, state_after};

    #[test]
    fn sources_are_empty_after_vehicles_have_moved() {
        let model = star(2, 40);
        let state = state_after(&model, 15);
        let mut rings = Simulation::new(&model, &state, false);
        let mut sources = Sources::new(&rings);
        // The bottleneck admits one vehicle in every fourth step.
        for _ in 0..4 {
            assert!(sources.0.iter().all(|&source| source == NOTHING));
            rings.begin_step();
            rings.move_links();
            sources.note_nodes(&mut rings);
            if sources.0.iter().any(|&source| source != NOTHING) {
                break;
            }
        }
        assert!(sources.0.iter().any(|&source| source != NOTHING), "a vehicle crosses");
        sources.move_vehicles(&mut rings);
        assert!(sources.0.iter().all(|&source| source == NOTHING));
        assert_eq!(rings.save().check(&model.roads, &model.plans), Ok(()));
    }
}
