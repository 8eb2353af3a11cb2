//! Public transport: the rides in plans, and the runs of vehicles, whose drivers become persons.

use std::cell::OnceCell;
use std::path::Path;

use rustc_hash::FxHashMap;
use throng_core::{IdError, InputError, NONE, Problems, Progress, Warnings};

use super::report::Report;
use super::{flat_json, keep, required, step};
use crate::coordinates::InputCoordinates;
use crate::formats::check::ID_REMEDY;
use crate::formats::person::{PersonRecord, RouteRecord};
use crate::formats::transit_schedule::{self, DepartureRecord, ScheduleFile};
use crate::formats::value::quoted;
use crate::formats::vehicles::{VehicleFile, read_vehicles};
use throng_traffic_scenario::routing::Router;
use throng_traffic_scenario::settings::Settings;
use throng_traffic_scenario::{
    Activity, DriverLeg, Leg, ModeId, ModeTable, Network, Passengers, Population, Ride, RouteKind, Transit,
    VehicleType, Vehicles,
};

const NEVER_SERVED: &str = "rides to a stop that no route of the line reaches after the first one; those persons wait \
    until the end";
const ELSEWHERE: &str = "rides that end on another link than their last stop; as in MATSim, those persons are aborted \
    when they alight";
const IDLE: &str = "vehicles of public transport without departures; they do not drive";

/// Number of vehicles that a problem names.
const SHOWN_VEHICLES: usize = 3;

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
        let mut problems = Problems::new();
        let schedule = InputCoordinates::of_schedule(settings).and_then(|coordinates| {
            step(progress, schedule_file, || {
                transit_schedule::read_transformed(schedule_file, coordinates, network, warnings)
            })
        });
        let schedule = keep(schedule, &mut problems);
        let vehicles = keep(step(progress, vehicles_file, || read_vehicles(vehicles_file, warnings)), &mut problems);
        problems.into_result()?;
        let name = |path: &Path| path.display().to_string();
        Ok(Self { schedule_file: name(schedule_file), schedule, vehicles_file: name(vehicles_file), vehicles })
    }
}

/// Reads the rides of legs.
#[derive(Debug)]
pub(super) struct Rides {
    files: TransitFiles,
    /// Modes of public transport.
    modes: Vec<ModeId>,
    /// Modes of the walks and rides of trips that are routed. The latter is [`ModeId::NONE`] if pt is no mode of public
    /// transport: rides then have the mode of their trip.
    pub(super) modes_of_legs: [ModeId; 2],
    all: Vec<Ride>,
    scratch: [String; 2],
}

impl Rides {
    /// Defines the modes of public transport.
    ///
    /// # Errors
    /// If there are too many modes.
    pub(super) fn new(settings: &Settings, files: TransitFiles, modes: &mut ModeTable) -> Result<Self, InputError> {
        let of_transit = if settings.transit.drives() { &settings.transit.modes[..] } else { &[] };
        let mut mode = |name: &str| super::modes::intern(modes, name, "transit.transitModes");
        let of_transit = of_transit.iter().map(|name| mode(name)).collect::<Result<Vec<_>, _>>()?;
        let walk = if of_transit.is_empty() { ModeId::NONE } else { mode("walk")? };
        let is_driven = settings.qsim.main_modes.iter().any(|mode| mode == "pt");
        let pt = modes.get("pt").filter(|pt| of_transit.contains(pt) && !is_driven).unwrap_or(ModeId::NONE);
        Ok(Self { files, modes: of_transit, modes_of_legs: [walk, pt], all: Vec::new(), scratch: Default::default() })
    }

    /// Whether there is public transport.
    pub(super) fn drives(&self) -> bool {
        !self.files.schedule_file.is_empty()
    }

    pub(super) fn schedule(&self) -> &ScheduleFile {
        &self.files.schedule
    }

    /// Name of the schedule in messages.
    pub(super) fn schedule_file(&self) -> &str {
        &self.files.schedule_file
    }

    /// Adds a ride and returns its index.
    pub(super) fn add(&mut self, ride: Ride) -> u64 {
        self.all.push(ride);
        self.all.len() as u64 - 1
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
        (mode, line): (&str, u64),
        leg: &mut Leg,
        (network, report): (&Network, &mut Report<'_>),
    ) {
        let Some(route) = route.filter(|route| !person.text(route.description).is_empty()) else {
            let has = if route.is_some() { "with a route that names no line and stops" } else { "without a route" };
            let message = format!("person {} has a leg of mode {mode} {has}", quoted(person.id()));
            let remedy = format!(
                "Route the plans first, for example take output_plans of MATSim's iteration 0; or remove {mode} from \
                 transit.transitModes, or set transit.usingTransitInMobsim=false, and give travel times."
            );
            report.problem(line, message, remedy);
            return;
        };
        let text = person.text(route.description);
        let mut names: [Option<String>; 4] = Default::default();
        if !parse(text, &mut self.scratch, &mut names) {
            let chained = if text.contains("chainedRoute") {
                "; chainedRoute, staying seated while the line changes, is not supported"
            } else {
                ""
            };
            let message = format!("the route of a ride of person {} is {}{chained}", quoted(person.id()), quoted(text));
            let remedy = "Expected PT1===access stop===line===route===egress stop, or JSON with transitLineId, \
                accessFacilityId and egressFacilityId, such as {\"transitLineId\":\"1\",\"transitRouteId\":\"1a\",\
                \"accessFacilityId\":\"north\",\"egressFacilityId\":\"south\",\"boardingTime\":\"undefined\"}.";
            report.problem(route.line, message, remedy);
            return;
        }
        let schedule = &self.files.schedule;
        if let Some(missing) = names.iter().take(3).position(|name| name.as_deref().is_none_or(str::is_empty)) {
            let what = ["line", "access stop", "egress stop"][missing];
            let message =
                format!("the route of a ride of person {} names no {what}: {}", quoted(person.id()), quoted(text));
            report.problem(route.line, message, "Route the plans again, or add it.");
            return;
        }
        let mut known = |id: &str, found: Option<u32>, what: &str| {
            if found.is_none() {
                let message = format!("person {} rides with {what} {}", quoted(person.id()), quoted(id));
                let remedy = format!(
                    "{} has no such {what}: use the schedule with which the plans were routed.",
                    self.files.schedule_file
                );
                report.problem(route.line, message, remedy);
            }
            found
        };
        let [line_id, access, egress, route_id] = names.each_ref().map(|name| name.as_deref().unwrap_or_default());
        let stops = &schedule.stops.ids;
        let found = [
            known(line_id, schedule.lines.get(line_id), "line"),
            known(access, stops.get(access), "access stop"),
            known(egress, stops.get(egress), "egress stop"),
        ];
        let [Some(of_line), Some(access_stop), Some(egress_stop)] = found else { return };
        let at = schedule.stops.link[access_stop as usize];
        let name = |link: u32| quoted(network.link_ids.name(link));
        if at == NONE {
            let id = quoted(schedule.stops.ids.name(access_stop));
            let message = format!("person {} boards at stop {id}, which is on no link", quoted(person.id()));
            report.problem(route.line, message, "Give the stop a linkRefId, or correct the ride.");
        } else if at != leg.start_link && leg.start_link != NONE {
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
        // Routes are in the order of their lines.
        let of_this_line =
            routes.line.partition_point(|&line| line < of_line)..routes.line.partition_point(|&line| line <= of_line);
        let is_served = of_this_line.clone().any(|route| {
            let calls = routes.calls(route as u32);
            let calls = &routes.stop[calls.start as usize..calls.end as usize];
            let first = calls.iter().position(|&stop| stop == access_stop);
            first.is_some_and(|first| calls[first + 1..].contains(&egress_stop))
        });
        let alights = schedule.stops.link[egress_stop as usize];
        if alights != leg.end_link && alights != NONE && leg.end_link != NONE {
            report.warn(ELSEWHERE, route.line, || {
                let stop = quoted(schedule.stops.ids.name(egress_stop));
                format!(
                    "person {} alights at stop {stop} on link {}, but the leg ends on link {}",
                    quoted(person.id()),
                    name(alights),
                    name(leg.end_link)
                )
            });
        }
        if !is_served {
            report.warn(NEVER_SERVED, route.line, || format!("person {}", quoted(person.id())));
        }
        leg.route = RouteKind::Transit;
        if !route.travel_time.is_nan() {
            leg.travel_time = route.travel_time;
        }
        leg.distance = route.distance;
        let is_planned = |&route: &usize| routes.ids[route] == route_id;
        let planned = of_this_line.clone().find(is_planned).map_or(NONE, |route| route as u32);
        leg.route_start = self.add(Ride { line: of_line, access_stop, egress_stop, route: planned });
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
        let Self { files, all, .. } = self;
        let ScheduleFile { stops, lines, routes, route_links, departures, .. } = files.schedule;
        let transit = Transit {
            stops,
            lines,
            routes,
            rides: all,
            first_driver: population.persons() as u32,
            first_driver_leg: population.legs.mode.len() as u32,
            ..Transit::default()
        };
        if departures.is_empty() {
            if settings.transit.drives() {
                warnings
                    .add("schedules without departures; there is no public transport", || files.schedule_file.clone());
            }
            return Ok(transit);
        }
        let mut problems = Problems::new();
        if !settings.qsim.main_modes.iter().any(|mode| mode == "car") {
            let found = format!("{} lacks car", quoted(&settings.qsim.main_modes.join(",")));
            problems.push("qsim.mainMode", found, "Add car: vehicles of public transport drive with this mode.");
        }
        let first_type = vehicles.types.len();
        vehicles.types.extend(files.vehicles.types.iter().cloned());
        if vehicles.types.len() > usize::from(u16::MAX) {
            problems.push(files.vehicles_file, "there are more than 65535 vehicle types", "Use fewer types.");
            return Err(InputError(problems));
        }
        let names = [files.schedule_file.as_str(), files.vehicles_file.as_str()];
        let runs = runs(&departures, &transit, &files.vehicles.vehicles, names, &mut problems);
        // Declared first, because the router borrows it.
        let open_network = OnceCell::new();
        let router = OnceCell::new();
        let mut drivers = Drivers {
            network,
            open_network: &open_network,
            router: &router,
            car,
            population,
            vehicles,
            transit,
            places: vec![None; route_links.len()],
            route_links: &route_links,
            departures: &departures,
            schedule_file: &files.schedule_file,
            faults: Vec::new(),
            problems,
        };
        let VehicleFile { types, vehicles: list, lines } = &files.vehicles;
        for (((id, type_of), &line), run) in list.iter().zip(lines).zip(&runs) {
            if run.is_empty() {
                warnings.add(IDLE, || format!("vehicle {}", quoted(id)));
            } else {
                let type_of = usize::from(*type_of);
                drivers.add((id, line), &types[type_of], first_type + type_of, run);
            }
        }
        for VehicleFault { line, message, remedy, vehicles, count } in drivers.faults {
            let more =
                if count > vehicles.len() { format!(" and {} more", count - vehicles.len()) } else { String::new() };
            let message = format!("{message}: {}{more}", vehicles.join(", "));
            drivers.problems.push(format!("{}:{line}", files.vehicles_file), message, remedy);
        }
        drivers.problems.into_result()?;
        Ok(drivers.transit)
    }
}

/// Returns the departures of each vehicle in MATSim's order: by time, then by line, by route in the order of the file,
/// and by id. `names` are those of the two files in messages.
fn runs(
    departures: &[DepartureRecord],
    transit: &Transit,
    vehicles: &[(String, u16)],
    names: [&str; 2],
    problems: &mut Problems,
) -> Vec<Vec<usize>> {
    let line_of = |departure: &DepartureRecord| transit.lines.name(transit.routes.line[departure.route as usize]);
    let mut order: Vec<usize> = (0..departures.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&departures[a], &departures[b]);
        let by_line = || line_of(a).cmp(line_of(b)).then(a.route.cmp(&b.route)).then_with(|| a.id.cmp(&b.id));
        a.time_s.total_cmp(&b.time_s).then_with(by_line)
    });
    let by_id: FxHashMap<&str, usize> = vehicles.iter().enumerate().map(|(i, (id, _))| (id.as_str(), i)).collect();
    let mut runs = vec![Vec::new(); vehicles.len()];
    for i in order {
        let DepartureRecord { line, id, vehicle, .. } = &departures[i];
        if let Some(&of_vehicle) = by_id.get(vehicle.as_str()) {
            runs[of_vehicle].push(i);
        } else {
            let message = format!("departure {} needs vehicle {}, which is not defined", quoted(id), quoted(vehicle));
            let remedy = format!("Define it in {}, or correct vehicleRefId.", names[1]);
            problems.push(format!("{}:{line}", names[0]), message, remedy);
        }
    }
    runs
}

/// Adds the drivers, each with the legs of a vehicle.
struct Drivers<'a> {
    network: &'a Network,
    /// The network for drives without passengers, created when the first one is needed: MATSim ignores the modes of
    /// links there.
    open_network: &'a OnceCell<Network>,
    router: &'a OnceCell<Router<'a>>,
    car: ModeId,
    population: &'a mut Population,
    vehicles: &'a mut Vehicles,
    transit: Transit,
    departures: &'a [DepartureRecord],
    route_links: &'a [Vec<u32>],
    /// Where the links of each route are in the list of all routes, once a departure uses them.
    places: Vec<Option<u64>>,
    schedule_file: &'a str,
    faults: Vec<VehicleFault>,
    problems: Problems,
}

/// A fault that one or more vehicles have.
struct VehicleFault {
    /// Line of the first vehicle.
    line: u64,
    message: String,
    remedy: &'static str,
    /// The first vehicles.
    vehicles: Vec<String>,
    count: usize,
}

impl<'a> Drivers<'a> {
    /// Records a fault of a vehicle; vehicles with the same message share a problem.
    fn fault(&mut self, (id, line): (&str, u64), message: String, remedy: &'static str) {
        let at = self.faults.iter().position(|fault| fault.message == message).unwrap_or(self.faults.len());
        if at == self.faults.len() {
            self.faults.push(VehicleFault { line, message, remedy, vehicles: Vec::new(), count: 0 });
        }
        let fault = &mut self.faults[at];
        fault.count += 1;
        if fault.vehicles.len() < SHOWN_VEHICLES {
            fault.vehicles.push(quoted(id));
        }
    }

    /// Adds the driver of a vehicle with its departures, of which there is at least one.
    fn add(&mut self, (id, line): (&str, u64), vehicle_type: &VehicleType, type_of: usize, run: &[usize]) {
        let Passengers { seats, standing, .. } = vehicle_type.passengers;
        if standing == 0 && seats < 2 {
            let type_id = quoted(&vehicle_type.id);
            let message =
                format!("vehicleType {type_id} has no capacity (seats {seats}, standing {standing}), and has vehicles");
            let remedy = "Give the type a <capacity>; as in MATSim, a single seat without standing places counts as \
                none.";
            self.fault((id, line), message, remedy);
        }
        let vehicle = match self.vehicles.ids.insert(id) {
            Ok(vehicle) => vehicle,
            Err(error) => {
                let (message, remedy) = match error {
                    IdError::Duplicate { .. } => (
                        "vehicles of public transport are also private vehicles".to_owned(),
                        "Give one of the two another id.",
                    ),
                    error => (format!("{error}, of vehicles"), ID_REMEDY),
                };
                self.fault((id, line), message, remedy);
                return;
            }
        };
        let mut at = self.links_of(run[0])[0];
        self.vehicles.type_of.push(type_of as u16);
        self.vehicles.start_link.push(at);
        let driver = format!("pt_{id}_{}", vehicle_type.id);
        if let Err(error) = self.population.begin_person(&driver) {
            let (message, remedy) = match error {
                IdError::Duplicate { .. } => (
                    "drivers have the id of another person, such as pt_VEHICLE_TYPE; those of vehicles".to_owned(),
                    "Rename the person of the plans, the vehicle or its type: MATSim names drivers pt_VEHICLE_TYPE.",
                ),
                error => (format!("{error}, of the drivers of vehicles"), ID_REMEDY),
            };
            self.fault((id, line), message, remedy);
            return;
        }
        for &i in run {
            self.drive_to(id, vehicle, at, i);
            let &DepartureRecord { route, ref id, time_s, .. } = &self.departures[i];
            let (links, place) = (self.links_of(i), self.places[route as usize]);
            self.places[route as usize] = Some(self.add_leg(time_s, links, place, vehicle));
            let departure = self.transit.departures.ids.len() as u32;
            self.transit.departures.ids.push(id.clone());
            self.transit.departures.time_s.push(time_s);
            self.transit.driver_legs.push(DriverLeg { route, departure });
            at = links[links.len() - 1];
        }
        self.add_activity(f64::NAN, at);
    }

    /// The links of a departure; the reader refuses routes without links.
    fn links_of(&self, departure: usize) -> &'a [u32] {
        &self.route_links[self.departures[departure].route as usize]
    }

    /// Drives without passengers to the first link of a departure, unless the vehicle is there.
    fn drive_to(&mut self, id: &str, vehicle: u32, at: u32, departure: usize) {
        let to = self.links_of(departure)[0];
        if at == to {
            return;
        }
        let open = self.open_network.get_or_init(|| {
            let mut open = self.network.clone();
            open.modes.fill(u64::MAX);
            open
        });
        let router = self.router.get_or_init(|| Router::new(open, self.car, f64::INFINITY));
        if let Some(path) = router.route(at, to) {
            self.add_leg(f64::NEG_INFINITY, &path.links, None, vehicle);
            self.transit.driver_legs.push(DriverLeg::EMPTY_RUN);
            return;
        }
        let [a, b] = [at, to].map(|link| quoted(self.network.link_ids.name(link)));
        let message =
            format!("vehicle {} ends on link {a} and departs next on link {b}, and no path leads there", quoted(id));
        let place = format!("{}:{}", self.schedule_file, self.departures[departure].line);
        self.problems.push(place, message, "Use another vehicle for this departure, or add the missing links.");
    }

    fn add_activity(&mut self, end_s: f64, link: u32) {
        // MATSim's drivers have no activities; the name appears nowhere.
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

    /// Adds an activity until `end_s` and a leg along `links`, which are at `place` in the list of all routes if it is
    /// known. Returns their place.
    fn add_leg(&mut self, end_s: f64, links: &[u32], place: Option<u64>, vehicle: u32) -> u64 {
        self.add_activity(end_s, links[0]);
        let route_links = &mut self.population.route_links;
        let route_start = place.unwrap_or_else(|| {
            let start = route_links.len() as u64;
            route_links.extend_from_slice(links);
            start
        });
        self.population.add_leg(&Leg {
            route: RouteKind::Links,
            route_start,
            route_len: links.len() as u32,
            vehicle,
            ..Leg::new(self.car, links[0], links[links.len() - 1])
        });
        route_start
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
#[path = "transit_router_tests.rs"]
mod router_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<[Option<String>; 4]> {
        let mut names = Default::default();
        parse(text, &mut Default::default(), &mut names).then_some(names)
    }

    #[test]
    fn faults_of_vehicles_are_one_problem_with_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Some(path)
        };
        let mut settings = Settings::default();
        settings.transit.is_used = true;
        settings.files.network = file(
            "network.xml",
            "<network><nodes><node id='1' x='0' y='0'/><node id='2' x='9' y='0'/></nodes><links><link id='l' from='1' \
             to='2' length='9' freespeed='9' capacity='9' permlanes='1' modes='car'/></links></network>"
                .to_owned(),
        );
        settings.files.plans =
            file("plans.xml", "<!DOCTYPE population SYSTEM 'population_v6.dtd'><population/>".to_owned());
        let departure = |i| format!("<departure id='{i}' departureTime='08:00:00' vehicleRefId='v{i}'/>");
        let departures = (0..5).map(departure).collect::<Vec<_>>().concat();
        settings.files.transit_schedule = file(
            "schedule.xml",
            format!(
                "<transitSchedule><transitStops><stopFacility id='a' x='0' y='0' linkRefId='l'/></transitStops>\
                 <transitLine id='L'><transitRoute id='r'><transportMode>bus</transportMode><routeProfile>\
                 <stop refId='a' departureOffset='00:00:00'/></routeProfile><route><link refId='l'/></route>\
                 <departures>{departures}</departures></transitRoute></transitLine></transitSchedule>"
            ),
        );
        let vehicles = (0..5).map(|i| format!("<vehicle id='v{i}' type='bus'/>\n")).collect::<Vec<_>>().concat();
        settings.files.transit_vehicles = file(
            "vehicles.xml",
            format!(
                "<vehicleDefinitions><vehicleType id='bus'><capacity seats='1' standingRoomInPersons='0'/></vehicleType>\n\
                 {vehicles}</vehicleDefinitions>"
            ),
        );
        let error = crate::load::load_scenario(settings, &mut Warnings::new(), &throng_core::NoProgress).unwrap_err();
        assert_eq!(error.0.total(), 1, "{error}");
        let expected = "vehicles.xml:2: vehicleType \"bus\" has no capacity (seats 1, standing 0), and has vehicles: \"v0\", \
            \"v1\", \"v2\" and 2 more\n    Give the type a <capacity>";
        assert!(error.to_string().contains(expected), "{error}");
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
        let numbers = r#"{"transitRouteId":"r","boardingTime":25200,"transitLineId":7,"accessFacilityId":"a","egressFacilityId":"b"}"#;
        assert_eq!(parsed(numbers), names("7", "a", "b"));
        for text in ["", "PT1===a===L===r", "[]", r#"{"chainedRoute":"x"}"#, r#"{"transitLineId":{}}"#] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
