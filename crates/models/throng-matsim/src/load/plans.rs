//! Converts the records of a plans file to the arrays of the population.

use throng_core::{IdError, InputError, NONE};

use super::access::{AccessWalks, Side, Walk};
use super::missing_routes::RouteRequest;
use super::modes::{self, ModeRules};
use super::places::{Place, Places};
use super::report::Report;
use super::routes::Routes;
use super::teleport::{self, Teleport, routed_coordinate};
use super::transit::Rides;
use super::transit_trips::TransitRequest;
use super::trips::{Trip, interaction, separates_trips};
use super::vehicle_choice::VehicleChoice;
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{ActivityRecord, ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord, Text};
use crate::formats::population::PopulationVersion;
use crate::formats::value::quoted;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{Activity, Leg, ModeId, ModeTable, Network, Population, RouteKind};

const REROUTED: &str = "trips routed again, because their plan lacks a route or link, as in MATSim";
const ELSEWHERE: &str = "activities are not where the previous leg ends; they take place at the location of the agent";
const OUTDATED: &str = "legs have an outdated mode; they are read as walk";
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
    pub(super) access: AccessWalks,
    pub(super) population: Population,
    /// Legs that still need a path.
    pub(super) requests: Vec<RouteRequest>,
    /// Trips that still need a connection in public transport.
    pub(super) transit_requests: Vec<TransitRequest>,
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
}

impl PlanLoader<'_> {
    /// Adds a person with its selected plan.
    ///
    /// # Errors
    /// If there are too many modes; all other problems go to `report`.
    pub(super) fn add(&mut self, record: &PersonRecord, report: &mut Report<'_>) -> Result<(), InputError> {
        self.places.make_facilities(record);
        for attribute in record.attributes(record.attributes) {
            if let Err(error) = self.population.person_attributes.intern(record.text(attribute.name)) {
                report.problem(
                    record.line,
                    format!("an attribute of person {} has {error}", quoted(record.id())),
                    ID_REMEDY,
                );
            }
        }
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
                    if separates_trips(record, element) {
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
                    let mut context = LegContext {
                        person,
                        record,
                        first_link,
                        start_link,
                        previous_place,
                        next_place: place,
                        modes: [record.text(leg.mode), trip.routing_mode],
                    };
                    let destination = plan_places.get(trip.end).filter(|_| reroute);
                    let end = match destination {
                        Some(&destination) => {
                            if trip.legs > 1 || leg.route.is_some() {
                                report.warn(REROUTED, leg.line, || format!("person {}", quoted(record.id())));
                            }
                            next = trip.end;
                            context.next_place = destination;
                            context.modes[0] = trip.routing_mode;
                            self.add_routed_trip(leg, context, report)?
                        }
                        None => self.add_leg(leg, context, report)?,
                    };
                    // The plan never continues after a route to an unknown link, so any link will do.
                    start_link = if end == NONE { place.link } else { end };
                }
            }
            position = next;
        }
        Ok(())
    }

    /// Adds a trip that is routed again as a whole: a single leg, with the walks to and from its link. Returns the link
    /// where it ends.
    fn add_routed_trip(
        &mut self,
        leg: &LegRecord,
        context: LegContext<'_>,
        report: &mut Report<'_>,
    ) -> Result<u32, InputError> {
        if self.modes.get(context.modes[1]).is_some_and(|mode| self.is_ride(mode)) {
            return self.add_transit_trip(leg, context, report);
        }
        let of_trip = (context.modes[1], leg.line);
        let access = self.walk(Side::Access, of_trip, context.previous_place, context.start_link, report);
        if let Some((mode, walk)) = access {
            self.add_walk(mode, &walk, context.start_link);
            self.add_interaction(of_trip, &walk, context.start_link, report);
        }
        let leg = LegRecord { route: None, travel_time: f64::NAN, ..*leg };
        let end = self.add_leg(&leg, context, report)?;
        if let Some((mode, walk)) = self.walk(Side::Egress, of_trip, context.next_place, end, report) {
            self.add_interaction(of_trip, &walk, end, report);
            self.add_walk(mode, &walk, end);
        }
        Ok(end)
    }

    /// Adds a leg in place of a trip by public transport, which is routed once all plans are read.
    fn add_transit_trip(
        &mut self,
        leg: &LegRecord,
        context: LegContext<'_>,
        report: &mut Report<'_>,
    ) -> Result<u32, InputError> {
        let (mode, routing_mode) = self.leg_modes(leg, context, report)?;
        let (start, end) = (context.start_link, context.next_place.link);
        let index = self.population.add_leg(&Leg { routing_mode, ..Leg::new(mode, start, end) });
        let ends = [context.previous_place, context.next_place].map(|place| {
            let (x, y) = routed_coordinate(place).unwrap_or_else(|| self.places.end_of(place.link));
            [x, y]
        });
        let request = TransitRequest { leg: index, person: context.person, line: leg.line, ends };
        self.transit_requests.push(request);
        Ok(end)
    }

    /// Returns the walk between an activity and the link of a trip, and the mode of the trip.
    fn walk(
        &self,
        side: Side,
        (mode, line): (&str, u64),
        place: Place,
        link: u32,
        report: &mut Report<'_>,
    ) -> Option<(ModeId, Walk)> {
        let mode = self.modes.get(mode)?;
        let rules = (self.settings, &self.rules, &self.modes, self.network);
        let walk = self.access.at(side, mode, (place, link), rules);
        let walk = walk.unwrap_or_else(|(message, remedy)| {
            report.problem(line, message, remedy);
            None
        });
        Some((mode, walk?))
    }

    fn add_walk(&mut self, routing_mode: ModeId, walk: &Walk, link: u32) {
        self.population.add_leg(&teleport::leg([walk.mode, routing_mode], [link; 2], (walk.time_s, walk.distance_m)));
    }

    /// Adds the activity between a walk and a leg on the network.
    fn add_interaction(&mut self, (mode, line): (&str, u64), walk: &Walk, link: u32, report: &mut Report<'_>) {
        let kind = self.activity_type(&format!("{mode} interaction"), line, report);
        self.population.add_activity(&interaction(kind, link, (walk.x, walk.y)));
    }

    fn activity_type(&mut self, name: &str, line: u64, report: &mut Report<'_>) -> u32 {
        self.population.activity_types.intern(name).unwrap_or_else(|error| {
            report.problem(line, format!("the type of this activity has {error}"), ID_REMEDY);
            NONE
        })
    }

    /// Whether legs of a mode are rides in public transport.
    fn is_ride(&self, mode: ModeId) -> bool {
        self.rides.is_transit(mode) && !self.rules.is_main(mode)
    }

    fn add_activity(
        &mut self,
        record: &PersonRecord,
        activity: &ActivityRecord,
        place: Place,
        link: u32,
        report: &mut Report<'_>,
    ) {
        let kind = self.activity_type(record.text(activity.kind), activity.line, report);
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
        let is_ride = self.is_ride(mode);
        let route = record.route.as_ref();
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
