//! Public transport: the rides in plans, and the runs of vehicles, whose drivers become persons.

use std::path::Path;

use rustc_hash::FxHashMap;
use throng_core::{InputError, NONE, Problems, Progress, Warnings};

use super::report::Report;
use super::{flat_json, required, step};
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{PersonRecord, RouteRecord};
use crate::formats::transit_schedule::{ScheduleFile, read_schedule};
use crate::formats::value::quoted;
use crate::formats::vehicles::{VehicleFile, read_vehicles};
use throng_traffic_scenario::routing::Router;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{
    Activity, DriverLeg, Leg, ModeId, ModeTable, Network, Passengers, Population, Ride, RouteKind, Transit, Vehicles,
};

const NEVER_SERVED: &str = "rides to a stop that no route of the line reaches after the first one; those persons wait \
    until the end";
const IDLE: &str = "vehicles of public transport without departures; they do not drive";

/// The files of public transport.
#[derive(Debug, Clone, Default)]
pub struct TransitFiles {
    /// Name of the schedule in messages.
    pub schedule_file: String,
    /// The schedule.
    pub schedule: ScheduleFile,
    /// Name of the file of vehicles in messages.
    pub vehicles_file: String,
    /// Vehicles.
    pub vehicles: VehicleFile,
}

impl TransitFiles {
    /// Reads the schedule and its vehicles, if the settings use them in the simulation.
    ///
    /// # Errors
    /// All problems of both files; also if one is not named.
    pub(super) fn read(
        settings: &Settings,
        network: &Network,
        warnings: &mut Warnings,
        progress: &dyn Progress,
    ) -> Result<Self, InputError> {
        if !settings.transit.drives() {
            return Ok(Self::default());
        }
        let files = &settings.files;
        let schedule_file = required(files.transit_schedule.as_deref(), "transit.transitScheduleFile", "a schedule")?;
        let vehicles_file = required(files.transit_vehicles.as_deref(), "transit.vehiclesFile", "its vehicles")?;
        let schedule = step(progress, schedule_file, || read_schedule(schedule_file, network, warnings));
        let vehicles = step(progress, vehicles_file, || read_vehicles(vehicles_file, warnings));
        let name = |path: &Path| path.display().to_string();
        match (schedule, vehicles) {
            (Ok(schedule), Ok(vehicles)) => {
                Ok(Self { schedule_file: name(schedule_file), schedule, vehicles_file: name(vehicles_file), vehicles })
            }
            (schedule, vehicles) => {
                let mut problems = Problems::new();
                for InputError(found) in [schedule.err(), vehicles.err()].into_iter().flatten() {
                    problems.append(found);
                }
                Err(InputError(problems))
            }
        }
    }
}

/// Reads the rides of legs.
#[derive(Debug)]
pub(super) struct Rides {
    files: TransitFiles,
    /// Whether each mode is one of public transport.
    modes: Vec<ModeId>,
    rides: Vec<Ride>,
    scratch: [String; 2],
}

impl Rides {
    /// Defines the modes of public transport.
    ///
    /// # Errors
    /// If there are too many modes.
    pub(super) fn new(settings: &Settings, files: TransitFiles, modes: &mut ModeTable) -> Result<Self, InputError> {
        let of_transit = if settings.transit.drives() { &settings.transit.modes[..] } else { &[] };
        let modes = of_transit.iter().map(|name| super::modes::intern(modes, name, "transit.transitModes"));
        let modes = modes.collect::<Result<_, _>>()?;
        Ok(Self { files, modes, rides: Vec::new(), scratch: <[String; 2]>::default() })
    }

    /// Whether persons of this mode wait at stops.
    pub(super) fn is_transit(&self, mode: ModeId) -> bool {
        self.modes.contains(&mode)
    }

    /// Sets the ride of a leg from its route. Without one, the problem goes to `report`.
    pub(super) fn ride(
        &mut self,
        person: &PersonRecord,
        route: Option<&RouteRecord>,
        line: u64,
        leg: &mut Leg,
        (network, report): (&Network, &mut Report<'_>),
    ) {
        let Some(route) = route.filter(|route| !person.text(route.description).is_empty()) else {
            let message = format!("person {} has a leg of public transport without a route", quoted(person.id()));
            let remedy = "Route the plans first, for example take output_plans of MATSim's iteration 0; or set \
                transit.usingTransitInMobsim=false and give travel times.";
            report.problem(line, message, remedy);
            return;
        };
        let text = person.text(route.description);
        let mut names: [Option<String>; 4] = Default::default();
        if !parse(text, &mut self.scratch, &mut names) {
            let message = format!("the route of a ride of person {} is {}", quoted(person.id()), quoted(text));
            let remedy = "Expected PT1===access stop===line===route===egress stop, or JSON with transitLineId, \
                accessFacilityId and egressFacilityId, such as {\"transitLineId\":\"1\",\"transitRouteId\":\"1a\",\
                \"accessFacilityId\":\"north\",\"egressFacilityId\":\"south\",\"boardingTime\":\"undefined\"}.";
            report.problem(route.line, message, remedy);
            return;
        }
        let schedule = &self.files.schedule;
        let mut known = |name: &Option<String>, found: Option<u32>, what: &str| {
            if found.is_none() {
                let id = name.as_deref().map_or("none".to_owned(), quoted);
                let message = format!("person {} rides with {what} {id}", quoted(person.id()));
                let remedy = format!(
                    "{} has no such {what}: use the schedule with which the plans were routed.",
                    self.files.schedule_file
                );
                report.problem(route.line, message, remedy);
            }
            found
        };
        let [line_name, access, egress, route_name] = &names;
        let stop = |name: &Option<String>| name.as_deref().and_then(|id| schedule.stops.ids.get(id));
        let of_line = line_name.as_deref().and_then(|id| schedule.lines.get(id));
        let found = [
            known(line_name, of_line, "line"),
            known(access, stop(access), "stop"),
            known(egress, stop(egress), "stop"),
        ];
        let [Some(of_line), Some(access_stop), Some(egress_stop)] = found else { return };
        let at = schedule.stops.link[access_stop as usize];
        if at != leg.start_link && at != NONE && leg.start_link != NONE {
            let name = |link: u32| quoted(network.link_ids.name(link));
            let message = format!(
                "person {} boards at stop {} on link {}, but is on link {}",
                quoted(person.id()),
                quoted(schedule.stops.ids.name(access_stop)),
                name(at),
                name(leg.start_link)
            );
            report.problem(route.line, message, "Let the leg before it end on the link of the stop.");
        }
        let routes = &schedule.routes;
        let is_served = (0..routes.len()).filter(|&route| routes.line[route] == of_line).any(|route| {
            let calls = routes.calls(route as u32);
            let calls = &routes.stop[calls.start as usize..calls.end as usize];
            let first = calls.iter().position(|&stop| stop == access_stop);
            first.is_some_and(|first| calls[first + 1..].contains(&egress_stop))
        });
        if !is_served {
            report.warn(NEVER_SERVED, route.line, || format!("person {}", quoted(person.id())));
        }
        leg.route = RouteKind::Transit;
        leg.route_start = self.rides.len() as u64;
        if !route.travel_time.is_nan() {
            leg.travel_time = route.travel_time;
        }
        leg.distance = route.distance;
        let is_route =
            |&route: &usize| routes.line[route] == of_line && route_name.as_ref() == Some(&routes.ids[route]);
        let planned = (0..routes.len()).find(is_route).map_or(NONE, |route| route as u32);
        self.rides.push(Ride { line: of_line, access_stop, egress_stop, route: planned });
    }

    /// Adds the drivers to the population, and their vehicles to `vehicles`.
    ///
    /// # Errors
    /// All problems of departures and vehicles.
    pub(super) fn drive(
        self,
        (settings, network, car): (&Settings, &Network, ModeId),
        population: &mut Population,
        vehicles: &mut Vehicles,
        warnings: &mut Warnings,
    ) -> Result<Transit, InputError> {
        let Self { files, rides, .. } = self;
        let TransitFiles { schedule, schedule_file, vehicles_file, vehicles: of_transit } = files;
        let mut transit = Transit {
            stops: schedule.stops,
            lines: schedule.lines,
            routes: schedule.routes,
            rides,
            first_driver: population.persons() as u32,
            first_driver_leg: population.legs.mode.len() as u32,
            ..Transit::default()
        };
        if schedule.departures.is_empty() {
            return Ok(transit);
        }
        let mut problems = Problems::new();
        if !settings.qsim.main_modes.iter().any(|mode| mode == "car") {
            let found = format!("{:?} lacks car", settings.qsim.main_modes.join(","));
            problems.push("qsim.mainMode", found, "Add car: vehicles of public transport drive with this mode.");
        }
        // As in MATSim: by line, by route in the order of the file, by id, and then by time.
        let mut order: Vec<usize> = (0..schedule.departures.len()).collect();
        let departure = |i: usize| &schedule.departures[i];
        let line_of = |i: usize| transit.lines.name(transit.routes.line[departure(i).route as usize]);
        order.sort_by(|&a, &b| {
            let by_line = line_of(a).cmp(line_of(b)).then(departure(a).route.cmp(&departure(b).route));
            by_line.then_with(|| departure(a).id.cmp(&departure(b).id))
        });
        order.sort_by(|&a, &b| departure(a).time_s.total_cmp(&departure(b).time_s));
        let by_id: FxHashMap<&str, usize> =
            of_transit.vehicles.iter().enumerate().map(|(i, (id, _))| (id.as_str(), i)).collect();
        let mut runs: Vec<Vec<usize>> = vec![Vec::new(); of_transit.vehicles.len()];
        for i in order {
            match by_id.get(departure(i).vehicle.as_str()) {
                Some(&vehicle) => runs[vehicle].push(i),
                None => {
                    let message = format!(
                        "departure {} needs vehicle {}, which is not defined",
                        quoted(&departure(i).id),
                        quoted(&departure(i).vehicle)
                    );
                    let remedy = format!("Define it in {vehicles_file}, or correct vehicleRefId.");
                    problems.push(format!("{schedule_file}:{}", departure(i).line), message, remedy);
                }
            }
        }
        let first_type = vehicles.types.len();
        vehicles.types.extend(of_transit.types.iter().cloned());
        if vehicles.types.len() > usize::from(u16::MAX) {
            problems.push(vehicles_file.as_str(), "there are more than 65535 vehicle types", "Use fewer types.");
            return Err(InputError(problems));
        }
        let mut routes: Vec<Option<u64>> = vec![None; schedule.route_links.len()];
        let mut runner = Runner { network, car, population, open_network: None };
        for ((id, type_of), run) in of_transit.vehicles.iter().zip(&runs) {
            let Some(&first) = run.first() else {
                warnings.add(IDLE, || format!("vehicle {}", quoted(id)));
                continue;
            };
            let vehicle_type = &of_transit.types[usize::from(*type_of)];
            let Passengers { seats, standing, .. } = vehicle_type.passengers;
            if matches!((seats, standing), (1, 0) | (0, 0)) {
                let message = format!(
                    "vehicle {} is of type {}, which has {seats} seats and {standing} standing places",
                    quoted(id),
                    quoted(&vehicle_type.id)
                );
                problems.push(
                    vehicles_file.as_str(),
                    message,
                    "Give the type a <capacity>; as in MATSim, a single seat without standing places counts as not set.",
                );
            }
            let driver = format!("pt_{id}_{}", vehicle_type.id);
            let vehicle = match vehicles.ids.insert(id) {
                Ok(vehicle) => vehicle,
                Err(error) => {
                    let message =
                        format!("vehicle {} of public transport is also a private vehicle: {error}", quoted(id));
                    problems.push(vehicles_file.as_str(), message, "Give one of the two another id.");
                    continue;
                }
            };
            let links = |i: usize| &schedule.route_links[departure(i).route as usize];
            vehicles.type_of.push((first_type + usize::from(*type_of)) as u16);
            vehicles.start_link.push(links(first)[0]);
            if let Err(error) = runner.population.begin_person(&driver) {
                let message =
                    format!("the driver of vehicle {} would be person {}: {error}", quoted(id), quoted(&driver));
                problems.push(vehicles_file.as_str(), message, ID_REMEDY);
                continue;
            }
            let mut at = links(first)[0];
            for &i in run {
                let links = links(i);
                let from = links[0];
                if at != from {
                    if let Some(path) = runner.empty_run(at, from) {
                        runner.add_leg(f64::NEG_INFINITY, at, &path, &mut None, vehicle);
                        transit.driver_legs.push(DriverLeg::EMPTY_RUN);
                    } else {
                        let [a, b] = [at, from].map(|link| quoted(network.link_ids.name(link)));
                        let message = format!(
                            "vehicle {} ends on link {a} and departs next on link {b}, and no path leads there",
                            quoted(id)
                        );
                        problems.push(
                            format!("{schedule_file}:{}", departure(i).line),
                            message,
                            "Use another vehicle for this departure, or add the missing links.",
                        );
                    }
                }
                let record = departure(i);
                runner.add_leg(record.time_s, from, links, &mut routes[record.route as usize], vehicle);
                let number = transit.departures.ids.len() as u32;
                transit.departures.ids.push(record.id.clone());
                transit.departures.time_s.push(record.time_s);
                transit.driver_legs.push(DriverLeg { route: record.route, departure: number });
                at = links.last().copied().unwrap_or(at);
            }
            runner.add_activity(f64::NAN, at);
        }
        problems.into_result()?;
        Ok(transit)
    }
}

/// Adds the plans of drivers.
struct Runner<'a> {
    network: &'a Network,
    car: ModeId,
    population: &'a mut Population,
    /// The network for empty runs: MATSim ignores the modes of links there.
    open_network: Option<Network>,
}

impl Runner<'_> {
    fn add_activity(&mut self, end_s: f64, link: u32) {
        // The reader of plans has defined no type for it; the id is that of MATSim's drivers.
        let kind = self.population.activity_types.intern("pt driver").unwrap_or_default();
        self.population.add_activity(&Activity {
            kind,
            link,
            facility: NONE,
            x: f64::NAN,
            y: f64::NAN,
            end_time: end_s,
            max_duration: f64::NAN,
        });
    }

    /// Adds an activity until `end_s` and a leg along `links`, whose place in the list of all routes is kept in `place`.
    fn add_leg(&mut self, end_s: f64, from: u32, links: &[u32], place: &mut Option<u64>, vehicle: u32) {
        self.add_activity(end_s, from);
        let route_links = &mut self.population.route_links;
        let route_start = *place.get_or_insert_with(|| {
            let start = route_links.len() as u64;
            route_links.extend_from_slice(links);
            start
        });
        let (first, last) = (links[0], links[links.len() - 1]);
        self.population.add_leg(&Leg {
            route: RouteKind::Links,
            route_start,
            route_len: links.len() as u32,
            vehicle,
            ..Leg::new(self.car, first, last)
        });
    }

    /// Returns the fastest path between two links, including both, whatever their modes.
    fn empty_run(&mut self, from: u32, to: u32) -> Option<Vec<u32>> {
        let open = self.open_network.get_or_insert_with(|| {
            let mut open = self.network.clone();
            open.modes.fill(u64::MAX);
            open
        });
        Router::new(open, self.car, f64::INFINITY).route(from, to).map(|route| route.links)
    }
}

/// Reads line, access stop, egress stop and route from the text of a route; false if it has another form.
fn parse(text: &str, scratch: &mut [String; 2], names: &mut [Option<String>; 4]) -> bool {
    if let Some(parts) = text.strip_prefix("PT1===") {
        let parts: Vec<&str> = parts.splitn(5, "===").map(str::trim).collect();
        let [access, line, route, egress, ..] = parts[..] else { return false };
        *names = [line, access, egress, route].map(|name| Some(name.to_owned()));
        return true;
    }
    let mut has_unknown = false;
    let is_json = flat_json::each(text, scratch, |key, value| match key {
        "transitLineId" => names[0] = Some(value.to_owned()),
        "accessFacilityId" => names[1] = Some(value.to_owned()),
        "egressFacilityId" => names[2] = Some(value.to_owned()),
        "transitRouteId" => names[3] = Some(value.to_owned()),
        "boardingTime" => {}
        _ => has_unknown = true,
    });
    is_json && !has_unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<[Option<String>; 4]> {
        let mut names = Default::default();
        parse(text, &mut Default::default(), &mut names).then_some(names)
    }

    #[test]
    fn routes_of_both_formats_are_read() {
        let names = |line: &str, access: &str, egress: &str| {
            Some([line, access, egress, "r"].map(|name| Some(name.to_owned())))
        };
        assert_eq!(parsed("PT1===a===Blue Line===r===b"), names("Blue Line", "a", "b"));
        assert_eq!(parsed("PT1=== a ===L===r=== b ===note===more"), names("L", "a", "b"));
        let json = r#"{"transitRouteId":"r","boardingTime":null,"transitLineId":"L","accessFacilityId":"a","egressFacilityId":"b"}"#;
        assert_eq!(parsed(json), names("L", "a", "b"));
        for text in ["", "PT1===a===L===r", "[]", r#"{"chainedRoute":"x"}"#, r#"{"transitLineId":{}}"#] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
