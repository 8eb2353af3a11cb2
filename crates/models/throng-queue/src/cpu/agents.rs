//! The agents outside traffic that are due, and the drivers that arrive. Their actions are in
//! [`crate::rules::journey`].

use rustc_hash::FxHashMap;
use throng_core::NONE;

use super::agent::{Late, Teleport, due_key};
use super::journey::JourneyOnCpu;
use super::partition::Partition;
use super::phase::Phase;
use super::vehicle::{RouteCursor, VehicleRecord};
use crate::RunError;
use crate::prepare::first_activities::AtActivity;
use crate::rules::crossing::{ARRIVE, NO_SUCH_LINK};
use crate::rules::journey::{self, JourneyRules};
use throng_traffic_scenario::ModeId;
use throng_traffic_scenario::events::{Event, EventKind};

impl Partition<'_> {
    /// Schedules the end of a first activity, before the first step. An end in the past is due in the first step.
    pub fn add_first_activity(&mut self, agent: AtActivity) {
        let step = self.clock.step_at(agent.end);
        self.activities.add(step, agent);
    }

    /// Ends all activities that are due.
    pub fn end_activities(&mut self) {
        self.phase = Phase::Agents;
        let mut due = std::mem::take(&mut self.due_agents);
        self.activities.take_due(self.step, &mut due);
        self.visited += due.len();
        let (ranks, rules) = (&self.ctx.person_rank, self.ctx.rules.journeys);
        due.sort_unstable_by_key(|a| due_key(ranks, a.end, a.person));
        for agent in due.drain(..) {
            if agent.end > self.now {
                // With fractional steps the calendar may be one step early.
                self.activities.add(self.step + 1, agent);
            } else {
                let mut journey = JourneyOnCpu::new(self, agent.person, agent.element, agent.link, NONE);
                journey::end_activity(&mut journey, rules);
            }
        }
        self.due_agents = due;
    }

    /// Removes the agent from the simulation. Its vehicle, if any, is lost to other agents.
    pub fn abort(&mut self, person: u32, link: u32, mode: ModeId) {
        self.emit(Event { kind: EventKind::StuckAndAbort, mode, person, link, detail: NONE });
        self.agents_under_way -= 1;
        self.stats.aborted += 1;
    }

    /// Schedules the end of a teleported leg, which ends on the link `destination`.
    pub fn teleport(&mut self, agent: Teleport, destination: u32) {
        let layout = self.ctx.layout;
        let owner = usize::from(layout.owner(layout.link_of[destination as usize]));
        let due = self.clock.step_at(agent.arrival).max(self.step);
        if owner == self.id {
            self.teleports.add(due, agent);
        } else {
            self.mailboxes.send_teleport(self.id, owner, self.teleport_rounds, agent);
            self.sent_due = self.sent_due.min(due);
        }
    }

    /// Returns the link after the one at the cursor, or [`ARRIVE`] or [`NO_SUCH_LINK`].
    #[inline]
    pub fn next_link(&self, route: RouteCursor) -> u32 {
        if route.remaining() == 0 {
            return ARRIVE;
        }
        let external = self.ctx.scenario.population.route_links[route.position() + 1];
        if external == NONE { NO_SUCH_LINK } else { self.ctx.layout.link_of[external as usize] }
    }

    /// Handles the arrival of a vehicle on the local link `local`. Its driver continues with the plan.
    pub fn arrive(&mut self, local: usize, moving: &VehicleRecord) {
        let (link, rules) = (self.external(local), self.ctx.rules.journeys);
        let &VehicleRecord { person, element, vehicle, .. } = moving;
        self.end_departure(person, link);
        journey::end_leg(&mut JourneyOnCpu::new(self, person, element, link, vehicle), true, rules);
        self.offer_vehicle(vehicle, link, rules);
    }

    /// Gives `vehicle` to the first driver who waits for it on this link, unless it is already in use again.
    fn offer_vehicle(&mut self, vehicle: u32, link: u32, rules: JourneyRules) {
        if self.drivers_waiting.is_empty() || self.ctx.parking_link(vehicle) != link {
            return;
        }
        let Some(queue) = self.drivers_waiting.get_mut(&(link, vehicle)) else { return };
        let driver = queue.pop_front();
        if queue.is_empty() {
            self.drivers_waiting.remove(&(link, vehicle));
        }
        if let Some(driver) = driver {
            let mut journey = JourneyOnCpu::new(self, driver.person, driver.element, link, vehicle);
            journey::depart(&mut journey, vehicle, rules);
        }
    }

    /// Receives the agents that other partitions teleported to this one during the last task.
    pub fn receive_teleports(&mut self) {
        let (clock, teleports, now) = (&self.clock, &mut self.teleports, self.step);
        self.mailboxes.take_teleports(self.id, self.teleport_rounds, |agent| {
            teleports.add(clock.step_at(agent.arrival).max(now), agent);
        });
        self.teleport_rounds += 1;
    }

    /// Handles the arrival of all agents whose teleported leg is over.
    pub fn end_teleports(&mut self) {
        self.phase = Phase::Teleports;
        self.sent_due = i64::MAX;
        let (earlier, rules) = (self.late_departures.len(), self.ctx.rules.journeys);
        let mut heap = std::collections::BinaryHeap::new();
        let mut due = Vec::new();
        loop {
            self.teleports.take_due(self.step, &mut due);
            for agent in due.drain(..) {
                if agent.arrival > self.now {
                    self.teleports.add(self.step + 1, agent);
                } else {
                    let key = due_key(&self.ctx.person_rank, agent.arrival, agent.person);
                    heap.push((std::cmp::Reverse(key), agent.person, agent.element));
                }
            }
            let Some((std::cmp::Reverse(key), person, element)) = heap.pop() else { break };
            self.arriving = Some(key);
            journey::end_leg(&mut JourneyOnCpu::new(self, person, element, NONE, NONE), false, rules);
        }
        self.arriving = None;
        self.sort_late_passengers();
        if earlier > 0 && self.late_departures.len() > earlier {
            self.sort_late_departures();
        }
    }

    /// Sorts the departures of this phase as a single partition would: agents that pass through another partition
    /// without taking time arrive one round later than agents that belong behind them.
    fn sort_late_departures(&mut self) {
        self.late_departures.sort_unstable();
        for departures in self.late_departures.chunk_by(|a, b| a.0 == b.0) {
            let waiting = self.links[departures[0].0].waiting.make_contiguous();
            sort_end(waiting, departures, |vehicle| vehicle.person);
        }
    }

    /// Does the same for the persons who have come to stops in this phase.
    fn sort_late_passengers(&mut self) {
        self.late_passengers.sort_unstable();
        for passengers in self.late_passengers.chunk_by(|a, b| a.0 == b.0) {
            let Some(waiting) = self.waiting_at_stops.get_mut(&passengers[0].0) else { continue };
            sort_end(waiting, passengers, |passenger| passenger.person);
        }
    }

    /// Returns the leg at position `element` in the list of plan elements, which must be a leg.
    pub fn leg_at(&self, element: u32) -> u32 {
        let leg = self.ctx.scenario.population.leg_at(element);
        leg.expect("only legs depart, arrive and are teleported")
    }

    /// Returns the mode of the leg at position `element`.
    pub fn mode_of(&self, element: u32) -> ModeId {
        self.ctx.scenario.population.legs.mode[self.leg_at(element) as usize]
    }

    /// Stops the run at the end of this step. If there are several errors, the one whose message sorts first is
    /// reported.
    pub fn fail(&mut self, error: RunError) {
        self.error = self.error.take().into_iter().chain([error]).min_by_key(ToString::to_string);
    }
}

/// Sorts the end of a list, which contains one entry for each person of `late`, in the order of `late`.
fn sort_end<T, P>(list: &mut [T], late: &[Late<P>], person: impl Fn(&T) -> u32) {
    let order: FxHashMap<u32, usize> = late.iter().enumerate().map(|(i, &(_, _, person))| (person, i)).collect();
    let from = list.len().saturating_sub(late.len());
    list[from..].sort_by_key(|entry| order.get(&person(entry)).copied());
}
