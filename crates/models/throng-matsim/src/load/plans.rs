//! Converts the records of a plans file to the arrays of the population.

use throng_core::{IdError, InputError, NONE};

use super::missing_routes::RouteRequest;
use super::modes::{self, ModeRules};
use super::places::{Place, Places};
use super::report::Report;
use super::routes::Routes;
use super::teleport::{self, Teleport};
use super::transit::Rides;
use super::trips::Trip;
use super::vehicle_choice::VehicleChoice;
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{ActivityRecord, ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord, Text};
use crate::formats::population::PopulationVersion;
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{Activity, Leg, ModeId, ModeTable, Network, Population, RouteKind};

const REROUTED: &str = "some legs lack a route or link; as in MATSim, all trips of those plans are routed again";
const ELSEWHERE: &str = "activities are not where the previous leg ends; they take place at the location of the agent";
const OUTDATED: &str = "legs have an outdated mode; they are read as walk";
const KEPT: &str = "plans with rides in public transport lack a route or link; MATSim would route all their legs again, here \
    the rides keep their routes";
const TELEPORTED: &str = "legs with routes of public transport are teleported, because their mode is not in \
    transit.transitModes";
const NOT_LINKS: &str = "legs of a mode on the network have a route without links; they are rerouted";

/// Collects the population person by person.
#[derive(Debug)]
pub(super) struct PlanLoader<'a> {
    pub(super) settings: &'a Settings,
    pub(super) version: PopulationVersion,
    pub(super) network: &'a Network,
    pub(super) modes: ModeTable,
    pub(super) rules: ModeRules,
    pub(super) places: Places<'a>,
    pub(super) routes: Routes<'a>,
    pub(super) vehicles: VehicleChoice,
    pub(super) rides: Rides,
    pub(super) population: Population,
    /// Legs that still need a path.
    pub(super) requests: Vec<RouteRequest>,
    // Scratch buffers, reused between persons.
    pub(super) plan_places: Vec<Place>,
    pub(super) links: Vec<u32>,
}

/// A leg within its plan.
#[derive(Debug, Clone, Copy)]
struct LegContext<'a> {
    person: u32,
    record: &'a PersonRecord,
    /// Link where the person started the day.
    first_link: u32,
    /// Link where the person is when the leg begins.
    start_link: u32,
    previous_place: Place,
    next_place: Place,
    /// The mode of the leg, and that of its trip.
    modes: [&'a str; 2],
    /// Whether the leg is the only one of its trip.
    is_single_leg_trip: bool,
    /// Whether all trips of the plan need a new route.
    reroute: bool,
}

impl PlanLoader<'_> {
    /// Adds a person with its selected plan.
    ///
    /// # Errors
    /// If there are too many modes; all other problems go to `report`.
    pub(super) fn add(&mut self, record: &PersonRecord, report: &mut Report<'_>) -> Result<(), InputError> {
        self.places.make_facilities(record);
        let Some(plan) = record.selected_plan().and_then(|position| record.plans().get(position)) else {
            return Ok(());
        };
        let elements = record.elements(plan);
        let (Some(ElementRecord::Activity(_)), Some(ElementRecord::Activity(_))) = (elements.first(), elements.last())
        else {
            // The reader has already reported plans that are empty, or that begin or end with a leg.
            return Ok(());
        };
        let person = match self.population.begin_person(record.id()) {
            Ok(person) => person,
            Err(IdError::Duplicate { .. }) => {
                let message = format!("person {} is already defined", quoted(record.id()));
                report.problem(record.line, message, "Give each person a unique id.");
                return Ok(());
            }
            Err(error) => {
                report.problem(record.line, format!("person {} has {error}", quoted(record.id())), ID_REMEDY);
                return Ok(());
            }
        };

        let mut plan_places = std::mem::take(&mut self.plan_places);
        self.place_all(record, elements, &mut plan_places, report);
        let result = self.add_elements(person, record, elements, &plan_places, report);
        self.plan_places = plan_places;
        result
    }

    /// Collects the locations of all elements; a leg has that of the next activity.
    fn place_all(
        &mut self,
        record: &PersonRecord,
        elements: &[ElementRecord],
        plan_places: &mut Vec<Place>,
        report: &mut Report<'_>,
    ) {
        plan_places.clear();
        for element in elements {
            plan_places.push(match element {
                ElementRecord::Activity(activity) => self.places.place(record, activity, &self.routes, report),
                ElementRecord::Leg(_) => Place::NOWHERE,
            });
        }
        for position in (1..elements.len()).rev() {
            if matches!(elements[position - 1], ElementRecord::Leg(_)) {
                plan_places[position - 1] = plan_places[position];
            }
        }
    }

    fn add_elements(
        &mut self,
        person: u32,
        record: &PersonRecord,
        elements: &[ElementRecord],
        plan_places: &[Place],
        report: &mut Report<'_>,
    ) -> Result<(), InputError> {
        let reroute = elements.iter().zip(plan_places).any(|(element, place)| match element {
            ElementRecord::Activity(_) => place.from_coordinate,
            ElementRecord::Leg(leg) => leg.route.is_none(),
        });
        let first_link = plan_places.first().map_or(NONE, |place| place.link);
        let (mut previous_place, mut start_link) = (Place::NOWHERE, first_link);
        let mut trip = Trip::default();
        let mut position = 0;
        while let (Some(element), Some(&place)) = (elements.get(position), plan_places.get(position)) {
            let mut next = position + 1;
            match element {
                ElementRecord::Activity(activity) => {
                    if Trip::is_separated_by(record, element) {
                        trip = Trip::after(position, record, elements, report);
                    }
                    if start_link != place.link {
                        let detail = || format!("activity of person {}", quoted(record.id()));
                        report.warn(ELSEWHERE, activity.line, detail);
                    }
                    self.add_activity(record, activity, place, start_link, report);
                    previous_place = place;
                }
                ElementRecord::Leg(leg) => {
                    // A trip that is routed again becomes a single leg.
                    let replaced = reroute && trip.legs > 1 && !self.is_ride(trip.routing_mode);
                    let (leg, place, mode) = match plan_places.get(trip.end).filter(|_| replaced) {
                        Some(&destination) => {
                            report.warn(REROUTED, leg.line, || format!("person {}", quoted(record.id())));
                            next = trip.end;
                            (LegRecord { route: None, travel_time: f64::NAN, ..*leg }, destination, trip.routing_mode)
                        }
                        None => (*leg, place, record.text(leg.mode)),
                    };
                    let context = LegContext {
                        person,
                        record,
                        first_link,
                        start_link,
                        previous_place,
                        next_place: place,
                        modes: [mode, trip.routing_mode],
                        is_single_leg_trip: replaced || trip.legs == 1,
                        reroute,
                    };
                    let end = self.add_leg(&leg, context, report)?;
                    // The plan never continues after a route to an unknown link, so any link will do.
                    start_link = if end == NONE { place.link } else { end };
                }
            }
            position = next;
        }
        Ok(())
    }

    /// Whether trips of a mode ride in public transport.
    fn is_ride(&self, mode: &str) -> bool {
        self.modes.get(mode).is_some_and(|mode| self.rides.is_transit(mode) && !self.rules.is_main(mode))
    }

    fn add_activity(
        &mut self,
        record: &PersonRecord,
        activity: &ActivityRecord,
        place: Place,
        link: u32,
        report: &mut Report<'_>,
    ) {
        let kind = self.population.activity_types.intern(record.text(activity.kind)).unwrap_or_else(|error| {
            report.problem(activity.line, format!("the type of this activity has {error}"), ID_REMEDY);
            NONE
        });
        self.population.add_activity(&Activity {
            kind,
            link,
            facility: place.facility,
            x: place.x,
            y: place.y,
            end_time: activity.end_time,
            max_duration: activity.max_duration,
        });
    }

    /// Adds a leg and returns the link where it ends.
    fn add_leg(
        &mut self,
        record: &LegRecord,
        context: LegContext<'_>,
        report: &mut Report<'_>,
    ) -> Result<u32, InputError> {
        let (mode, routing_mode) = self.leg_modes(record, context, report)?;
        let mut leg = Leg::new(mode, context.start_link, context.next_place.link);
        leg.routing_mode = routing_mode;
        leg.travel_time = record.travel_time;
        // There is no router for rides, so that given routes remain.
        let is_ride = self.rides.is_transit(mode) && !self.rules.is_main(mode);
        if is_ride && context.reroute && record.route.is_some() {
            report.warn(KEPT, record.line, || format!("person {}", quoted(context.record.id())));
        }
        let needs_route = record.route.is_none() || (context.reroute && context.is_single_leg_trip && !is_ride);
        if needs_route && record.route.is_some() {
            report.warn(REROUTED, record.line, || format!("person {}", quoted(context.record.id())));
        }
        let route = record.route.as_ref().filter(|_| !needs_route);
        let is_main = self.rules.is_main(mode);
        let mut request = None;
        if is_main {
            let given = record.route.as_ref().map_or(Text::NONE, |route| route.vehicle);
            let name = self.modes.name(mode);
            let owner = (context.person, context.record);
            leg.vehicle = self.vehicles.choose(owner, (mode, name), given, context.first_link, record.line, report);
            if !self.drive(route, context, &mut leg, report) {
                request = Some(None);
            }
        } else if is_ride {
            if let Some(route) = route {
                leg.end_link = self.routes.end_of(context.record, route, context.next_place.own_link, report);
            }
            let of_leg = (self.modes.name(mode), record.line);
            self.rides.ride(context.record, route, of_leg, &mut leg, (self.network, report));
        } else {
            let is_of_transit =
                |route: &&RouteRecord| matches!(context.record.text(route.kind), "default_pt" | "experimentalPt1");
            if self.rides.drives() && route.as_ref().is_some_and(is_of_transit) {
                report.warn(TELEPORTED, record.line, || format!("mode {}", quoted(self.modes.name(mode))));
            }
            self.teleport_as_planned(route, context, &mut leg, report);
            if route.is_none() || leg.travel_time.is_nan() {
                let teleport = self.teleport(&mut leg, context, route.is_some(), record, report);
                request = match teleport {
                    Teleport::Known => None,
                    Teleport::Path => Some(None),
                    Teleport::TimeByCar(factor) => Some(Some(factor)),
                };
            }
        }
        let end = leg.end_link;
        let index = self.population.add_leg(&leg);
        if let Some(car_time_factor) = request
            && leg.start_link != NONE
            && end != NONE
        {
            self.requests.push(RouteRequest { leg: index, person: context.person, line: record.line, car_time_factor });
        }
        Ok(end)
    }

    /// Returns the mode and the routing mode of a leg.
    fn leg_modes(
        &mut self,
        leg: &LegRecord,
        context: LegContext<'_>,
        report: &mut Report<'_>,
    ) -> Result<(ModeId, ModeId), InputError> {
        let [given, routing] = context.modes;
        let mut name = given;
        if let Some((present, _)) = modes::replacement(given) {
            report.warn(OUTDATED, leg.line, || format!("mode {}", quoted(given)));
            name = present;
        }
        let mut mode = |name: &str| {
            // The location is only needed for the error about the 256th mode.
            match self.modes.get(name) {
                Some(mode) => Ok(mode),
                None => modes::intern(&mut self.modes, name, &format!("{}:{}", report.file, leg.line)),
            }
        };
        Ok((mode(name)?, if routing.is_empty() { ModeId::NONE } else { mode(routing)? }))
    }

    /// Stores the route of a leg on the network; false if it needs a new one.
    fn drive(
        &mut self,
        route: Option<&RouteRecord>,
        context: LegContext<'_>,
        leg: &mut Leg,
        report: &mut Report<'_>,
    ) -> bool {
        let Some(route) = route else { return false };
        if route.format == RouteFormat::Other {
            report.warn(NOT_LINKS, route.line, || format!("person {}", quoted(context.record.id())));
            return false;
        }
        let links = &mut self.population.route_links;
        let (from, to) = (context.start_link, context.next_place.own_link);
        let found = self.routes.resolve(context.record, route, from, to, links, report);
        leg.route = RouteKind::Links;
        leg.route_start = found.start;
        leg.route_len = found.len;
        leg.end_link = found.end_link;
        leg.distance = if route.distance.is_nan() { found.distance } else { route.distance };
        if !route.travel_time.is_nan() {
            leg.travel_time = route.travel_time;
        }
        true
    }

    /// Stores the route data of a teleported leg.
    fn teleport_as_planned(
        &mut self,
        route: Option<&RouteRecord>,
        context: LegContext<'_>,
        leg: &mut Leg,
        report: &mut Report<'_>,
    ) {
        leg.route = RouteKind::Generic;
        let Some(route) = route else {
            leg.travel_time = f64::NAN;
            return;
        };
        leg.end_link = self.routes.end_of(context.record, route, context.next_place.own_link, report);
        if !route.travel_time.is_nan() {
            leg.travel_time = route.travel_time;
        }
        leg.distance = route.distance;
        if !leg.distance.is_nan() {
            return;
        }
        if route.format != RouteFormat::Other {
            let to = context.next_place.own_link;
            self.links.clear();
            let found = self.routes.resolve(context.record, route, context.start_link, to, &mut self.links, report);
            leg.distance = found.distance;
        } else if self.version != PopulationVersion::V4 && route.end_link.is_none() {
            // MATSim estimates the distance only of routes without an end link.
            if let Some(rule) = self.rules.teleported(leg.mode, self.settings) {
                let ends = [context.previous_place, context.next_place]
                    .map(|place| teleport::activity_coordinate(self.network, place));
                leg.distance = teleport::beeline(ends) * rule.beeline_distance_factor;
            }
        }
    }

    /// Computes the duration and distance of a teleported leg, as far as they need no path.
    fn teleport(
        &self,
        leg: &mut Leg,
        context: LegContext<'_>,
        keep_distance: bool,
        record: &LegRecord,
        report: &mut Report<'_>,
    ) -> Teleport {
        if self.rules.is_routed(leg.mode) {
            return Teleport::Path;
        }
        let Some(rule) = self.rules.teleported(leg.mode, self.settings) else {
            // A missing mode has been reported by the reader.
            if record.mode.is_none() {
                return Teleport::Known;
            }
            let mode = self.modes.name(leg.mode);
            let person = quoted(context.record.id());
            let message = format!("it is not known how long the leg by {} of person {person} takes", quoted(mode));
            let remedy = if mode.is_empty() {
                "Give the leg a mode, for example mode=\"car\".".to_owned()
            } else {
                format!(
                    "Give the leg a route with trav_time, or the mode a speed (m/s), for example \
                     --set routing.teleportedModeSpeed_{mode}=8, or add it to qsim.mainMode."
                )
            };
            report.problem(record.line, message, remedy);
            return Teleport::Known;
        };
        let given = if keep_distance { leg.distance } else { f64::NAN };
        let teleport =
            teleport::estimate(leg, rule, &self.places, self.network, [context.previous_place, context.next_place]);
        if !given.is_nan() {
            leg.distance = given;
        }
        teleport
    }
}
