//! Combines network, facilities, vehicles and plans.

use std::collections::BTreeSet;

use throng_core::{InputError, Progress, Warnings};

use super::access::{AccessWalks, LinkTimes};
use super::missing_routes::{Filling, RouteRequest};
use super::modes::{self, ModeRules};
use super::nearest_link::NearestLink;
use super::places::Places;
use super::plans::PlanLoader;
use super::report::Report;
use super::routes::Routes;
use super::transit::{Rides, TransitFiles};
use super::transit_trips;
use super::turn_restrictions::TurnRestrictions;
use super::vehicle_choice::VehicleChoice;
use crate::formats::person::PersonRecord;
use crate::formats::population::{PopulationReader, PopulationVersion};
use crate::formats::value::quoted;
use throng_traffic_scenario::routing::Router;
use throng_traffic_scenario::settings::{Compat, RouteCost, Settings};
use throng_traffic_scenario::{
    Facilities, ModeId, ModeTable, Network, NetworkChangeEvent, Population, Scenario, Vehicles,
};

/// Counted as a warning, because MATSim's router may choose another of several equally long routes.
const NO_ROUTE: &str = "legs without a route, routed on the empty network";

const OTHER_COSTS: &str =
    "settings give routes a cost other than of time; legs without a route are routed by time alone";

/// Number of persons read between two progress reports.
const PERSONS_PER_REPORT: u64 = 1024;

/// The parts of a scenario other than its settings and population.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Modes known so far; later files may add modes.
    pub modes: ModeTable,
    /// Nodes and links.
    pub network: Network,
    /// Turns that links forbid, for warnings.
    pub turns: TurnRestrictions,
    /// Seconds before and after legs that links give.
    pub link_times: LinkTimes,
    /// Facilities that were read from a file.
    pub facilities: Facilities,
    /// Vehicles and types that were read from a file.
    pub vehicles: Vehicles,
    /// Changes of link attributes, sorted by time.
    pub change_events: Vec<NetworkChangeEvent>,
    /// Schedule and vehicles of public transport.
    pub transit: TransitFiles,
}

/// Reads all persons from `reader` and completes the scenario: assigns links, facilities and vehicles to activities and
/// legs, and computes missing routes.
///
/// # Errors
/// Missing vehicle types, too many modes, or all problems of the plans, in one report.
pub fn assemble(
    settings: Settings,
    parts: Parts,
    reader: PopulationReader,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Scenario, InputError> {
    let Parts { mut modes, network, turns, link_times, facilities, vehicles, change_events, transit } = parts;
    let rules = ModeRules::new(&settings, &mut modes)?;
    let car = modes::intern(&mut modes, "car", reader.file())?;
    let rides = Rides::new(&settings, transit, &mut modes)?;
    let access = AccessWalks::new(&settings, &mut modes, link_times)?;
    let vehicles = VehicleChoice::new(&settings, &modes, vehicles)?;
    let version = reader.header().version;
    let places = Places::new(&network, &settings.facilities, facilities, NearestLink::new(&network, car));
    let mut population = Population::default();
    population.first_element.push(0);
    let mut loader = PlanLoader {
        settings: &settings,
        version,
        network: &network,
        modes,
        rules,
        places,
        routes: Routes::new(&network, version == PopulationVersion::V4),
        vehicles,
        rides,
        access,
        population,
        requests: Vec::new(),
        transit_requests: Vec::new(),
        plan_places: Vec::new(),
        links: Vec::new(),
    };
    let mut report = Report::new(reader.file().to_owned(), warnings);
    if let Err(InputError(last)) = read_persons(reader, &mut loader, &mut report, progress) {
        // Reading stops if there are too many modes; the problems found before that are reported too.
        report.problems.append(last);
        return Err(InputError(report.problems));
    }

    let PlanLoader { modes, rules, places, vehicles, mut rides, mut population, requests, transit_requests, .. } =
        loader;
    if report.problems.is_empty() && !requests.is_empty() {
        let on_network = requests.iter().find(|request| request.car_time_factor.is_none());
        if let Some(first) = on_network.filter(|_| settings.controller.routes_turns) {
            let place = "controller.enableLinkToLinkRouting";
            report.refuse_routing(&settings, place, "legs on the network", first.line)?;
        }
        let max_speed = |mode: ModeId| match settings.extensions.compat {
            // Release 13 ignores the vehicle when it routes.
            Compat::Matsim13 => f64::INFINITY,
            Compat::Matsim2024 => vehicles.speed_of_mode(mode),
        };
        other_costs(&settings, (&modes, &population), &requests, report.warnings);
        let mut routers: Vec<Option<Router<'_>>> = Vec::new();
        routers.resize_with(modes.len(), || None);
        for request in &requests {
            let of_leg = population.legs.mode[request.leg as usize];
            let mode = if request.car_time_factor.is_some() { car } else { of_leg };
            routers[usize::from(mode.0)].get_or_insert_with(|| Router::new(&network, mode, max_speed(mode)));
        }
        let find = |mode: ModeId, from: u32, to: u32| {
            let router = routers.get(usize::from(mode.0))?.as_ref()?;
            router.route(from, to).map(|route| route.links)
        };
        for request in &requests {
            report.warn(NO_ROUTE, request.line, || {
                format!("person {}", quoted(population.person_ids.name(request.person)))
            });
        }
        progress.begin("routing legs without a route", Some(requests.len() as u64), "legs");
        let filling = Filling { network: &network, modes: &modes, rules: &rules, car, find: &find };
        filling.fill(&requests, &mut population, &mut report, |done| progress.at(done as u64, ""));
        progress.end();
    }
    turns.warn((&network, &modes, &population), requests.iter().map(|request| request.leg), report.warnings);
    if report.problems.is_empty() {
        let place = (&settings, &network);
        transit_trips::route(&transit_requests, place, &mut population, &mut rides, &mut report, progress)?;
    }
    unused_main_modes(&settings, &modes, &population, report.warnings);
    report.problems.into_result()?;
    let (facilities, mut vehicles) = (places.facilities, vehicles.finish(settings.files.vehicles.as_deref(), warnings));
    let transit = rides.drive((&settings, &network, car), &mut population, &mut vehicles, warnings)?;
    shrink(&mut population);
    Ok(Scenario { settings, modes, network, population, vehicles, facilities, change_events, transit })
}

fn read_persons(
    mut reader: PopulationReader,
    loader: &mut PlanLoader<'_>,
    report: &mut Report<'_>,
    progress: &dyn Progress,
) -> Result<(), InputError> {
    progress.begin(&format!("reading {}", reader.file()), None, "persons");
    let mut person = PersonRecord::new();
    let mut read = 0;
    while reader.read_person(&mut person, &mut report.problems, report.warnings) {
        if let Err(error) = loader.add(&person, report) {
            progress.end();
            return Err(error);
        }
        read += 1;
        if read % PERSONS_PER_REPORT == 0 {
            progress.at(read, "");
        }
    }
    progress.at(read, "");
    progress.end();
    Ok(())
}

/// Warns of settings by which MATSim would choose other routes for legs on the network that have none.
fn other_costs(
    settings: &Settings,
    (modes, population): (&ModeTable, &Population),
    requests: &[RouteRequest],
    warnings: &mut Warnings,
) {
    let on_network = requests.iter().filter(|request| request.car_time_factor.is_none());
    let routed: BTreeSet<&str> =
        on_network.map(|request| modes.name(population.legs.mode[request.leg as usize])).collect();
    for RouteCost { mode, parameter, value } in &settings.routing.other_costs {
        if !routed.is_empty() && mode.as_ref().is_none_or(|mode| routed.contains(mode.as_str())) {
            warnings.add(OTHER_COSTS, || format!("{parameter}={value}"));
        }
    }
}

/// Warns of main modes without legs: a misspelt main mode would silently teleport all persons. The default, `car`,
/// cannot be misspelt.
fn unused_main_modes(settings: &Settings, modes: &ModeTable, population: &Population, warnings: &mut Warnings) {
    for name in settings.qsim.main_modes.iter().filter(|name| *name != "car") {
        let mode = modes.get(name);
        if !population.legs.mode.iter().any(|&used| Some(used) == mode) {
            let kind = "modes in qsim.mainMode that no leg uses";
            warnings.add(kind, || format!("mode \"{name}\""));
        }
    }
}

/// Frees the spare capacity of the lists, which is up to half of the population's memory.
fn shrink(population: &mut Population) {
    population.route_links.shrink_to_fit();
    let legs = &mut population.legs;
    legs.route_start.shrink_to_fit();
    for list in [&mut legs.route_len, &mut legs.start_link, &mut legs.end_link, &mut legs.vehicle] {
        list.shrink_to_fit();
    }
    let activities = &mut population.activities;
    for list in [&mut activities.kind, &mut activities.link, &mut activities.facility] {
        list.shrink_to_fit();
    }
    for list in [
        &mut legs.travel_time,
        &mut legs.distance,
        &mut activities.x,
        &mut activities.y,
        &mut activities.end_time,
        &mut activities.max_duration,
    ] {
        list.shrink_to_fit();
    }
}
