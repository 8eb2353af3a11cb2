//! The agent view for the rules of [`crate::rules::journey`].

use super::agent::{Teleport, WaitingDriver};
use super::partition::Partition;
use super::phase::Phase;
use super::transit::Passenger;
use super::vehicle::{RouteCursor, VehicleRecord};
use crate::RunError;
use crate::prepare::first_activities::AtActivity;
use crate::rules::activity_end::activity_end;
use crate::rules::journey::JourneyView;
use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{ModeId, PlanElement, Population, RouteKind};

/// An agent that ends, begins or continues an activity or a leg.
pub(super) struct JourneyOnCpu<'p, 'a> {
    part: &'p mut Partition<'a>,
    person: u32,
    /// The current position in the list of all plan elements, followed by the end of the plan and the current element.
    at: u32,
    end: u32,
    element: PlanElement,
    link: u32,
    vehicle: u32,
}

/// CubeCL's traits require a kernel type; this is the one of the device executor.
#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for JourneyOnCpu<'_, '_> {
    type ExpandType = <crate::gpu::JourneyOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl<'p, 'a> JourneyOnCpu<'p, 'a> {
    /// Creates the view of a person on `link`, at position `at` in the list of plan elements. `vehicle`: the vehicle
    /// in which the person has arrived, if any.
    #[inline]
    pub fn new(part: &'p mut Partition<'a>, person: u32, at: u32, link: u32, vehicle: u32) -> Self {
        let population = &part.ctx.scenario.population;
        let (end, element) = (population.plan_range(person).end, population.element(at));
        Self { part, person, at, end, element, link, vehicle }
    }

    #[inline]
    fn population(&self) -> &'a Population {
        &self.part.ctx.scenario.population
    }
}

impl JourneyView for JourneyOnCpu<'_, '_> {
    #[inline]
    fn look_ahead(&mut self) {}

    #[inline]
    fn advance(&mut self) -> bool {
        self.at += 1;
        let goes_on = self.at < self.end;
        if goes_on {
            self.element = self.population().element(self.at);
        }
        goes_on
    }

    #[inline]
    fn is_last(&self) -> bool {
        self.at + 1 == self.end
    }

    #[inline]
    fn is_leg(&self) -> bool {
        matches!(self.element, PlanElement::Leg(_))
    }

    #[inline]
    fn activity_or_leg(&self) -> u32 {
        let (PlanElement::Activity(number) | PlanElement::Leg(number)) = self.element;
        number
    }

    #[inline]
    fn activity_end(&self) -> f64 {
        let (activities, a) = (&self.population().activities, self.activity_or_leg() as usize);
        let interpretation = self.part.ctx.rules.interpretation;
        activity_end(activities.end_time[a], activities.max_duration[a], self.part.now, interpretation)
    }

    #[inline]
    fn never(&self) -> f64 {
        f64::INFINITY
    }

    #[inline]
    fn mode(&self) -> u32 {
        u32::from(self.population().legs.mode[self.activity_or_leg() as usize].0)
    }

    #[inline]
    fn has_route(&self) -> bool {
        self.population().legs.route[self.activity_or_leg() as usize] != RouteKind::Missing
    }

    #[inline]
    fn is_driven(&self) -> bool {
        self.part.ctx.is_main_mode[self.mode() as usize]
    }

    #[inline]
    fn is_transit_driver(&self) -> bool {
        self.part.ctx.scenario.transit.driver(self.person).is_some()
    }

    #[inline]
    fn is_ride(&self) -> bool {
        self.population().legs.route[self.activity_or_leg() as usize] == RouteKind::Transit
    }

    #[inline]
    fn has_travel_time(&self) -> bool {
        !self.travel_time().is_nan()
    }

    #[inline]
    fn travel_time(&self) -> f64 {
        self.population().legs.travel_time[self.activity_or_leg() as usize]
    }

    #[inline]
    fn destination(&self) -> u32 {
        self.population().legs.end_link[self.activity_or_leg() as usize]
    }

    #[inline]
    fn planned_vehicle(&mut self) -> u32 {
        self.population().legs.vehicle[self.activity_or_leg() as usize]
    }

    #[inline]
    fn vehicle(&self) -> u32 {
        self.vehicle
    }

    #[inline]
    fn parking_link(&self, vehicle: u32) -> u32 {
        self.part.ctx.parking_link(vehicle)
    }

    #[inline]
    fn set_parking_link(&mut self, vehicle: u32, place: u32) {
        self.part.ctx.set_parking_link(vehicle, place);
    }

    #[inline]
    fn now(&self) -> f64 {
        self.part.now
    }

    #[inline]
    fn link(&self) -> u32 {
        self.link
    }

    #[inline]
    fn set_link(&mut self, link: u32) {
        self.link = link;
    }

    #[inline]
    fn emit(&mut self, kind: EventKind, mode: u32, link: u32, detail: u32) {
        self.part.emit(Event { kind, mode: ModeId(mode as u8), person: self.person, link, detail });
    }

    #[inline]
    fn count_arrival(&mut self) {
        self.part.stats.arrivals += 1;
    }

    fn count_teleported_vehicle(&mut self) {
        self.part.stats.teleported_vehicles += 1;
    }

    fn abort(&mut self, mode: u32) {
        self.part.abort(self.person, self.link, ModeId(mode as u8));
    }

    #[inline]
    fn finish(&mut self) {
        self.part.agents_under_way -= 1;
    }

    #[inline]
    fn stay_until(&mut self, end: f64) {
        let part = &mut *self.part;
        let step = part.clock.step_at(end).max(part.step + 1);
        part.activities.add(step, AtActivity { end, person: self.person, element: self.at, link: self.link });
    }

    /// Agents arrive in the order of time, so none of them arrives immediately.
    #[inline]
    fn teleport(&mut self, arrival: f64) -> bool {
        let destination = self.destination();
        self.part.teleport(Teleport { arrival, person: self.person, element: self.at }, destination);
        false
    }

    fn wait_for(&mut self, vehicle: u32) {
        let driver = WaitingDriver { person: self.person, element: self.at };
        self.part.drivers_waiting.entry((self.link, vehicle)).or_default().push_back(driver);
    }

    fn wait_at_stop(&mut self) {
        self.part.wait_at_stop(Passenger { person: self.person, element: self.at }, self.link);
    }

    fn join_waiting(&mut self, vehicle: u32) {
        self.part.begin_departure(self.person, self.at);
        let (legs, leg) = (&self.population().legs, self.activity_or_leg() as usize);
        let Self { ref mut part, person, at: element, link, .. } = *self;
        let kind = part.ctx.scenario.vehicles.type_of[vehicle as usize];
        let route = RouteCursor::new(legs.route_start[leg], legs.route_len[leg].saturating_sub(1), kind);
        let moving = VehicleRecord { exit: 0.0, route, person, element, vehicle, next: part.next_link(route) };
        let local = (part.ctx.layout.link_of[link as usize] - part.first_link) as usize;
        part.activate_link(local);
        part.links[local].waiting.push_back(moving);
        // If the links are processed later in this step, this link is among them. A link that is being stepped finds
        // the new vehicle anyway.
        match part.phase {
            Phase::Agents | Phase::Nodes => part.due_links.insert(local as u32),
            Phase::Links => {}
            Phase::Teleports => {
                part.wake(local, part.step + 1);
                if let Some(key) = part.arriving.filter(|_| part.ctx.layout.partitions.len() > 1) {
                    part.late_departures.push((local, key, person));
                }
            }
        }
    }

    fn fail_without_vehicle(&mut self, vehicle: u32, in_use: bool) {
        let (scenario, now) = (self.part.ctx.scenario, self.part.now);
        self.part.fail(RunError::vehicle_not_here(scenario, self.person, vehicle, self.link, now, in_use));
    }

    fn fail_without_travel_time(&mut self) {
        self.part.fail(RunError::no_travel_time(self.part.ctx.scenario, self.person, ModeId(self.mode() as u8)));
    }
}
