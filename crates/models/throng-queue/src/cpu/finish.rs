//! The end of a run, where agents that are still under way are aborted.

use throng_core::NONE;

use super::partition::Partition;
use super::vehicle::VehicleRecord;
use throng_traffic_scenario::ModeId;
use throng_traffic_scenario::events::{Event, EventKind};

impl Partition<'_> {
    /// Aborts all agents that are in finite activities, on the network, waiting for a vehicle, or teleported.
    pub fn abort_all(&mut self) {
        let activities = std::mem::take(&mut self.activities);
        for agent in activities.iter() {
            self.abort_at_end(agent.person, NONE, ModeId::NONE);
        }
        let mut waiting: Vec<_> = std::mem::take(&mut self.drivers_waiting).into_iter().collect();
        waiting.sort_unstable_by_key(|(place, _)| *place);
        for ((link, _), drivers) in waiting {
            for driver in drivers {
                self.abort_at_end(driver.person, link, self.mode_of(driver.element));
            }
        }
        for local in 0..self.links.len() {
            let link = &self.links[local];
            let vehicles: Vec<VehicleRecord> =
                link.waiting.iter().chain(link.queue.iter()).chain(link.buffer.iter()).copied().collect();
            let external = self.external(local);
            for moving in vehicles {
                self.emit(Event::of_vehicle(EventKind::VehicleAborts, moving.vehicle, external));
                self.abort_at_end(moving.person, external, self.mode_of(moving.element));
            }
        }
        let teleports = std::mem::take(&mut self.teleports);
        for agent in teleports.iter() {
            let link = self.ctx.scenario.population.legs.end_link[self.leg_at(agent.element) as usize];
            let mode = self.mode_of(agent.element);
            self.abort_at_end(agent.person, link, mode);
        }
    }

    fn abort_at_end(&mut self, person: u32, link: u32, mode: ModeId) {
        self.emit(Event { kind: EventKind::StuckAndAbort, mode, person, link, detail: NONE });
        self.stats.aborted_at_end += 1;
    }
}
