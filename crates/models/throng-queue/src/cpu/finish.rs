//! The end of a run, where agents that are still under way are aborted.

use throng_core::NONE;

use super::partition::Partition;
use super::phase::Phase;
use super::transit::Passenger;
use super::vehicle::VehicleRecord;
use throng_traffic_scenario::ModeId;
use throng_traffic_scenario::events::{Event, EventKind};

impl Partition<'_> {
    /// Aborts all agents that are in finite activities, waiting for a vehicle, on the network, or teleported.
    pub fn abort_all(&mut self) {
        self.phase = Phase::Agents;
        let activities = std::mem::take(&mut self.activities);
        for agent in activities.iter() {
            self.abort_at_end(agent.person, NONE, ModeId::NONE);
        }
        self.mark();
        // Like teleported agents they are in descending order of ids. The links in between keep the two apart.
        self.phase = Phase::Teleports;
        for ((link, _), drivers) in std::mem::take(&mut self.drivers_waiting) {
            for driver in drivers {
                self.abort_at_end(driver.person, link, self.mode_of(driver.element));
            }
        }
        self.mark();
        self.phase = Phase::Links;
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
        self.mark();
        self.phase = Phase::Teleports;
        let teleports = std::mem::take(&mut self.teleports);
        for agent in teleports.iter() {
            let link = self.ctx.scenario.population.legs.end_link[self.leg_at(agent.element) as usize];
            let mode = self.mode_of(agent.element);
            self.abort_at_end(agent.person, link, mode);
        }
        // As in MATSim, passengers in vehicles, and vehicles at stops beside the road, are not reported.
        for (_, waiting) in std::mem::take(&mut self.waiting_at_stops) {
            for Passenger { person, element } in waiting {
                let link = self.ctx.scenario.population.legs.start_link[self.leg_at(element) as usize];
                self.abort_at_end(person, link, self.mode_of(element));
            }
        }
        self.mark();
    }

    fn abort_at_end(&mut self, person: u32, link: u32, mode: ModeId) {
        self.emit(Event { kind: EventKind::StuckAndAbort, mode, person, link, detail: NONE });
        self.stats.aborted_at_end += 1;
    }
}
