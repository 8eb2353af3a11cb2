//! What agents do outside traffic: end activities, depart, arrive, be teleported.

use throng_core::NONE;

use super::agent::{Teleport, WaitingDriver, due_key};
use super::context::IN_USE;
use super::partition::Partition;
use super::phase::Phase;
use super::vehicle::{ARRIVE, Moving, NO_SUCH_LINK, RouteCursor};
use crate::RunError;
use crate::prepare::first_activities::AtActivity;
use crate::rules::activity_end::activity_end;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::settings::VehicleBehavior;
use throng_traffic_scenario::{ModeId, PlanElement, RouteKind};

impl Partition<'_> {
    /// Schedules the end of a first activity, before the first step. Even an end in the past waits for that step.
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
        let ranks = &self.ctx.person_rank;
        due.sort_unstable_by_key(|a| due_key(ranks, a.end, a.person));
        for agent in due.drain(..) {
            if agent.end > self.now {
                // With fractional steps the calendar may be one step early.
                self.activities.add(self.step + 1, agent);
            } else {
                self.end_activity(agent.person, agent.element, agent.link);
            }
        }
        self.due_agents = due;
    }

    fn end_activity(&mut self, person: u32, element: u32, link: u32) {
        if let PlanElement::Activity(activity) = self.ctx.scenario.population.element(element) {
            let kind = EventKind::ActivityEnd;
            self.emit(Event { kind, mode: ModeId::NONE, person, link, detail: activity });
        }
        self.proceed(person, element, link);
    }

    /// Continues with the plan element after `element`, and with further ones for as long as they take no time.
    fn proceed(&mut self, person: u32, mut element: u32, link: u32) {
        let population = &self.ctx.scenario.population;
        let plan = population.plan_range(person);
        loop {
            element += 1;
            if element >= plan.end {
                self.abort(person, link, ModeId::NONE);
                return;
            }
            match population.element(element) {
                PlanElement::Leg(leg) => {
                    self.begin_leg(person, element, leg, link);
                    return;
                }
                PlanElement::Activity(activity) => {
                    let kind = EventKind::ActivityStart;
                    self.emit(Event { kind, mode: ModeId::NONE, person, link, detail: activity });
                    let end = if element + 1 == plan.end {
                        f64::INFINITY
                    } else {
                        let a = activity as usize;
                        activity_end(
                            population.activities.end_time[a],
                            population.activities.max_duration[a],
                            self.now,
                            self.ctx.rules.interpretation,
                        )
                    };
                    if end == f64::INFINITY {
                        self.living -= 1;
                        return;
                    }
                    if end > self.now {
                        let step = self.clock.step_at(end).max(self.step + 1);
                        self.activities.add(step, AtActivity { end, person, element, link });
                        return;
                    }
                    let kind = EventKind::ActivityEnd;
                    self.emit(Event { kind, mode: ModeId::NONE, person, link, detail: activity });
                }
            }
        }
    }

    /// Removes the agent from the simulation. Its vehicle, if it has one, is lost to other agents.
    pub fn abort(&mut self, person: u32, link: u32, mode: ModeId) {
        self.emit(Event { kind: EventKind::StuckAndAbort, mode, person, link, detail: NONE });
        self.living -= 1;
        self.stats.aborted += 1;
    }

    fn begin_leg(&mut self, person: u32, element: u32, leg: u32, link: u32) {
        let legs = &self.ctx.scenario.population.legs;
        let l = leg as usize;
        let mode = legs.mode[l];
        if legs.route[l] == RouteKind::Missing {
            self.abort(person, link, mode);
            return;
        }
        self.emit(Event { kind: EventKind::Departure, mode, person, link, detail: leg });
        if self.ctx.is_main(mode) {
            self.take_vehicle(WaitingDriver { person, element }, legs.vehicle[l], link);
            return;
        }
        let travel_time = legs.travel_time[l];
        if travel_time.is_nan() {
            self.fail(RunError::no_travel_time(self.ctx.scenario, person, mode));
            return;
        }
        self.teleport(Teleport { arrival: self.now + travel_time, person, element }, legs.end_link[l]);
    }

    fn teleport(&mut self, agent: Teleport, destination: u32) {
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

    fn take_vehicle(&mut self, driver: WaitingDriver, vehicle: u32, link: u32) {
        let place = self.ctx.place_of(vehicle);
        if place == link {
            self.depart(driver, vehicle, link);
            return;
        }
        match self.ctx.rules.behavior {
            VehicleBehavior::Teleport if place < IN_USE => {
                self.stats.teleported_vehicles += 1;
                self.depart(driver, vehicle, link);
            }
            VehicleBehavior::Wait => {
                self.drivers_waiting.entry((link, vehicle)).or_default().push_back(driver);
            }
            VehicleBehavior::Teleport | VehicleBehavior::Exception => {
                let (scenario, in_use) = (self.ctx.scenario, place == IN_USE);
                self.fail(RunError::vehicle_not_here(scenario, driver.person, vehicle, link, self.now, in_use));
            }
        }
    }

    /// The driver enters the vehicle, which joins the waiting list of the link.
    fn depart(&mut self, driver: WaitingDriver, vehicle: u32, link: u32) {
        let WaitingDriver { person, element } = driver;
        self.ctx.set_place(vehicle, IN_USE);
        let kind = EventKind::PersonEntersVehicle;
        self.emit(Event { kind, mode: ModeId::NONE, person, link: NONE, detail: vehicle });

        let population = &self.ctx.scenario.population;
        let leg = self.leg_at(element);
        let l = leg as usize;
        let remaining = population.legs.route_len[l].saturating_sub(1);
        let kind = self.ctx.scenario.vehicles.type_of[vehicle as usize];
        let route = RouteCursor::new(population.legs.route_start[l], remaining, kind);
        let moving = Moving { exit: 0.0, route, person, element, vehicle, next: self.next_link(route) };
        let local = (self.ctx.layout.link_of[link as usize] - self.first_link) as usize;
        self.activate_link(local);
        self.links[local].waiting.push_back(moving);
        // If the links of this step are still to come, this one is stepped among them. A link that is being stepped
        // finds the new vehicle by itself.
        match self.phase {
            Phase::Agents | Phase::Nodes => self.due_links.insert(local as u32),
            Phase::Links => {}
            Phase::Teleports => {
                self.wake(local, self.step + 1);
                if let Some(key) = self.arriving.filter(|_| self.ctx.layout.partitions.len() > 1) {
                    self.late_departures.push((local, key, person));
                }
            }
        }
    }

    /// The link after the one at the cursor.
    #[inline]
    pub fn next_link(&self, route: RouteCursor) -> u32 {
        if route.remaining() == 0 {
            return ARRIVE;
        }
        let external = self.ctx.scenario.population.route_links[route.position() + 1];
        if external == NONE { NO_SUCH_LINK } else { self.ctx.layout.link_of[external as usize] }
    }

    /// A vehicle arrives on the local link `local`, where it is parked. Its driver continues with the plan.
    pub fn arrive(&mut self, local: usize, moving: &Moving) {
        let link = self.external(local);
        let leg = self.leg_at(moving.element);
        let (person, vehicle, mode) = (moving.person, moving.vehicle, self.mode_of(moving.element));
        self.ctx.set_place(vehicle, link);
        self.emit(Event { kind: EventKind::VehicleLeavesTraffic, mode, person, link, detail: vehicle });
        let kind = EventKind::PersonLeavesVehicle;
        self.emit(Event { kind, mode: ModeId::NONE, person, link: NONE, detail: vehicle });
        self.end_leg(person, moving.element, leg, link);
        self.offer_vehicle(vehicle, link);
    }

    fn end_leg(&mut self, person: u32, element: u32, leg: u32, link: u32) {
        let legs = &self.ctx.scenario.population.legs;
        let (destination, mode) = (legs.end_link[leg as usize], legs.mode[leg as usize]);
        self.emit(Event { kind: EventKind::Arrival, mode, person, link: destination, detail: leg });
        self.stats.arrivals += 1;
        if destination == link {
            self.proceed(person, element, link);
        } else {
            self.abort(person, link, mode);
        }
    }

    /// Gives `vehicle` to the first driver who waits for it on this link, unless it is already in use again.
    fn offer_vehicle(&mut self, vehicle: u32, link: u32) {
        if self.drivers_waiting.is_empty() || self.ctx.place_of(vehicle) != link {
            return;
        }
        let Some(queue) = self.drivers_waiting.get_mut(&(link, vehicle)) else { return };
        let driver = queue.pop_front();
        if queue.is_empty() {
            self.drivers_waiting.remove(&(link, vehicle));
        }
        if let Some(driver) = driver {
            self.depart(driver, vehicle, link);
        }
    }

    /// Receives the agents that other partitions teleported here during the last task.
    pub fn receive_teleports(&mut self) {
        let (clock, teleports, now) = (&self.clock, &mut self.teleports, self.step);
        self.mailboxes.take_teleports(self.id, self.teleport_rounds, |agent| {
            teleports.add(clock.step_at(agent.arrival).max(now), agent);
        });
        self.teleport_rounds += 1;
    }

    /// All agents whose teleported leg is over arrive.
    pub fn end_teleports(&mut self) {
        self.phase = Phase::Teleports;
        self.sent_due = i64::MAX;
        let earlier = self.late_departures.len();
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
            let leg = self.leg_at(element);
            let legs = &self.ctx.scenario.population.legs;
            let (mode, link) = (legs.mode[leg as usize], legs.end_link[leg as usize]);
            self.emit(Event { kind: EventKind::Travelled, mode, person, link: NONE, detail: leg });
            self.end_leg(person, element, leg, link);
        }
        self.arriving = None;
        if earlier > 0 && self.late_departures.len() > earlier {
            self.sort_late_departures();
        }
    }

    /// Sorts the departures of this phase into the order that a single partition gives: agents that pass through
    /// another partition without taking time come a round later than agents that belong behind them.
    fn sort_late_departures(&mut self) {
        self.late_departures.sort_unstable();
        for departures in self.late_departures.chunk_by(|a, b| a.0 == b.0) {
            let waiting = self.links[departures[0].0].waiting.make_contiguous();
            let late = waiting.len() - departures.len();
            waiting[late..].sort_by_key(|v| departures.iter().position(|d| d.2 == v.person));
        }
    }

    /// The leg at position `element` of the list of plan elements, which must be a leg.
    pub fn leg_at(&self, element: u32) -> u32 {
        let leg = self.ctx.scenario.population.leg_at(element);
        leg.expect("only legs depart, arrive and are teleported")
    }

    /// The mode of the leg at position `element`.
    pub fn mode_of(&self, element: u32) -> ModeId {
        self.ctx.scenario.population.legs.mode[self.leg_at(element) as usize]
    }

    /// Stops the run at the end of this step; the first error is reported.
    pub fn fail(&mut self, error: RunError) {
        self.error.get_or_insert(error);
    }
}
