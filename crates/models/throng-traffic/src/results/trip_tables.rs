//! `output_legs.csv`, `output_trips.csv` and `output_activities.csv` with the columns and the rounding of MATSim. In
//! addition, `leg_times.csv` and `trip_times.csv` have the rows of legs and trips with times as numbers, because
//! databases cannot parse `24:15:00`.

use std::ops::Range;
use std::sync::Arc;

use throng_core::{IdTable, NONE};
use throng_output::csv::{Row, push_header};
use throng_output::{Codec, FormatBlock, OutputError, ParallelTextFile, PipelineSize, RunFolder, WrittenFile};

use super::analysis::LegTimes;
use super::experienced::{self, Experienced};
use super::trips::{ExperiencedTrips, FinishedLeg, Trip, coordinate_of, is_interaction};
use throng_matsim::load::beeline;
use throng_traffic_scenario::Scenario;

const TRIP_COLUMNS: [&str; 23] = [
    "person",
    "trip_number",
    "trip_id",
    "dep_time",
    "trav_time",
    "wait_time",
    "traveled_distance",
    "euclidean_distance",
    "main_mode",
    "longest_distance_mode",
    "modes",
    "start_activity_type",
    "end_activity_type",
    "start_facility_id",
    "start_link",
    "start_x",
    "start_y",
    "end_facility_id",
    "end_link",
    "end_x",
    "end_y",
    "first_pt_boarding_stop",
    "last_pt_egress_stop",
];

/// `vehicle_id` was added after release 13.
const LEG_COLUMNS: [&str; 18] = [
    "person",
    "trip_id",
    "dep_time",
    "trav_time",
    "wait_time",
    "distance",
    "mode",
    "start_link",
    "start_x",
    "start_y",
    "end_link",
    "end_x",
    "end_y",
    "access_stop_id",
    "egress_stop_id",
    "transit_line",
    "transit_route",
    "vehicle_id",
];

/// Added after release 13.
const ACTIVITY_COLUMNS: [&str; 11] = [
    "person",
    "activity_number",
    "activity_id",
    "activity_type",
    "start_time",
    "end_time",
    "maximum_duration",
    "link_id",
    "facility_id",
    "coord_x",
    "coord_y",
];

const TRIP_TIMES_COLUMNS: [&str; 6] = ["person", "trip_number", "trip_id", "dep_time_s", "trav_time_s", "wait_time_s"];
const LEG_TIMES_COLUMNS: [&str; 6] = ["person", "trip_id", "mode", "dep_time_s", "trav_time_s", "wait_time_s"];

/// Number of tables.
const TABLES: usize = 5;

/// Number of persons per block.
const PERSONS: u32 = 1024;

/// Writes all tables at the same time. Persons are in the order of the plans file, trips in the order of the day.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    scenario: &Arc<Scenario>,
    times: &Arc<LegTimes>,
    folder: &RunFolder,
    codec: Codec,
    workers: usize,
) -> Result<Vec<WrittenFile>, OutputError> {
    let mut tables = Vec::new();
    for (name, kind) in [
        ("output_legs.csv", TableKind::Legs),
        ("output_trips.csv", TableKind::Trips),
        ("output_activities.csv", TableKind::Activities),
        ("leg_times.csv", TableKind::LegTimes),
        ("trip_times.csv", TableKind::TripTimes),
    ] {
        let head = header(scenario, kind);
        let make = || Rows { scenario: Arc::clone(scenario), times: Arc::clone(times), kind };
        let size = PipelineSize::of_workers(workers.div_ceil(TABLES));
        tables.push(ParallelTextFile::create(folder, name, codec, size, (&head, ""), make)?);
    }
    for persons in person_blocks(scenario) {
        for table in &mut tables {
            table.send(persons.clone())?;
        }
    }
    tables.into_iter().map(ParallelTextFile::finish).collect()
}

/// Returns all persons of the plans file, in blocks.
pub(super) fn person_blocks(scenario: &Scenario) -> impl Iterator<Item = Range<u32>> + use<> {
    let persons = scenario.travellers();
    (0..persons).step_by(PERSONS as usize).map(move |start| start..start.saturating_add(PERSONS).min(persons))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableKind {
    Legs,
    Trips,
    Activities,
    LegTimes,
    TripTimes,
}

fn header(scenario: &Scenario, kind: TableKind) -> String {
    let mut out = Vec::new();
    match kind {
        TableKind::Legs if scenario.settings.extensions.compat.is_recent() => push_header(&mut out, &LEG_COLUMNS),
        TableKind::Legs => push_header(&mut out, &LEG_COLUMNS[..17]),
        TableKind::Trips => push_header(&mut out, &TRIP_COLUMNS),
        TableKind::Activities => push_header(&mut out, &ACTIVITY_COLUMNS),
        TableKind::LegTimes => push_header(&mut out, &LEG_TIMES_COLUMNS),
        TableKind::TripTimes => push_header(&mut out, &TRIP_TIMES_COLUMNS),
    }
    String::from_utf8(out).expect("the titles are ASCII")
}

struct Rows {
    scenario: Arc<Scenario>,
    times: Arc<LegTimes>,
    kind: TableKind,
}

impl FormatBlock<Range<u32>> for Rows {
    fn format(&mut self, persons: Range<u32>, text: &mut Vec<u8>) {
        let scenario = &*self.scenario;
        for person in persons {
            let name = scenario.population.person_ids.name(person);
            if self.kind == TableKind::Activities {
                activity_rows(scenario, &self.times, person, text);
                continue;
            }
            let mut trips = ExperiencedTrips::of(scenario, &self.times, person);
            while let Some(trip) = trips.next_trip() {
                match self.kind {
                    TableKind::Trips => trip_row(scenario, name, &trip, text),
                    TableKind::TripTimes => trip_times_row(name, &trip, text),
                    TableKind::Activities => {}
                    TableKind::Legs | TableKind::LegTimes => {
                        let row = if self.kind == TableKind::Legs { leg_row } else { leg_times_row };
                        // As in MATSim, a leg followed by another leg has no end to write.
                        for leg in trip.legs.iter().filter(|leg| leg.between.1 != NONE) {
                            row(scenario, name, &trip, leg, text);
                        }
                    }
                }
            }
        }
    }
}

/// The coordinate of an activity of a trip. The origin of the first trip is the first activity of the plan.
fn coordinates(scenario: &Scenario, trip: &Trip, activity: u32) -> (f64, f64) {
    coordinate_of(scenario, activity, trip.number == 1 && activity == trip.origin)
}

fn trip_row(scenario: &Scenario, person: &str, trip: &Trip, text: &mut Vec<u8>) {
    let population = &scenario.population;
    let activities = &population.activities;
    let mode_name = |mode| scenario.modes.name(mode);
    let type_of = |activity: u32| population.activity_types.name(activities.kind[activity as usize]);
    let facility_of = |activity: u32| match activities.facility[activity as usize] {
        NONE => "null",
        facility => scenario.facilities.ids.name(facility),
    };
    let (from, to) = (coordinates(scenario, trip, trip.origin), coordinates(scenario, trip, trip.destination));
    let main_mode = scenario.settings.extensions.compat.is_recent().then(|| trip.main_mode(scenario));
    let mut modes: Vec<&str> = Vec::new();
    for leg in &trip.legs {
        if !modes.is_empty() {
            modes.push("-");
        }
        modes.push(mode_name(population.legs.mode[leg.leg as usize]));
    }
    let rides = || trip.legs.iter().filter_map(|leg| scenario.ride(leg.leg));
    let stop_name = |stop| scenario.transit.stops.ids.name(stop);
    let number = trip.number.to_string();
    Row::new(text)
        .text(person)
        .text(&number)
        .joined(&[person, "_", &number])
        .time(trip.departure)
        .time(trip.travel_time_s)
        .time(trip.wait_s())
        // Java rounds halves up, Rust away from zero.
        .integer(i64::from((trip.distance_m() + 0.5).floor() as i32))
        .integer(i64::from(beeline([from, to]) as i32))
        .text(main_mode.map_or("", mode_name))
        .text(trip.longest_mode(scenario).map_or("", mode_name))
        .joined(&modes)
        .text(type_of(trip.origin))
        .text(type_of(trip.destination))
        .text(facility_of(trip.origin))
        .text(link_name(scenario, activities.link[trip.origin as usize]))
        .java_double(from.0)
        .java_double(from.1)
        .text(facility_of(trip.destination))
        .text(link_name(scenario, activities.link[trip.destination as usize]))
        .java_double(to.0)
        .java_double(to.1)
        .text(rides().next().map_or("", |ride| stop_name(ride.access_stop)))
        .text(rides().last().map_or("", |ride| stop_name(ride.egress_stop)))
        .end();
}

fn leg_row(scenario: &Scenario, person: &str, trip: &Trip, leg: &FinishedLeg, text: &mut Vec<u8>) {
    let (legs, i) = (&scenario.population.legs, leg.leg as usize);
    // For MATSim, the second of two consecutive legs begins at the last activity before both.
    let before = if leg.between.0 == NONE { trip.origin } else { leg.between.0 };
    let (from, to) = (coordinates(scenario, trip, before), coordinates(scenario, trip, leg.between.1));
    let mut row = Row::new(text);
    row.text(person)
        .joined(&[person, "_", &trip.number.to_string()])
        .time(leg.departure)
        .time(leg.travel_time_s)
        .time(leg.wait_s)
        .integer(i64::from(leg.distance_m as i32))
        .text(scenario.modes.name(legs.mode[i]))
        .text(link_name(scenario, legs.start_link[i]))
        .java_double(from.0)
        .java_double(from.1)
        .text(link_name(scenario, legs.end_link[i]))
        .java_double(to.0)
        .java_double(to.1);
    let transit = &scenario.transit;
    let boarded = leg.driver_leg.and_then(|driver_leg| transit.driver_leg(driver_leg));
    let of_ride = scenario.ride(leg.leg).map_or([""; 4], |ride| {
        let [access, egress] = [ride.access_stop, ride.egress_stop].map(|stop| transit.stops.ids.name(stop));
        [
            access,
            egress,
            transit.lines.name(ride.line),
            boarded.and_then(|of_driver| transit.routes.ids.get(of_driver.route as usize)).map_or("", String::as_str),
        ]
    });
    for name in of_ride {
        row.text(name);
    }
    if scenario.settings.extensions.compat.is_recent() {
        let vehicle = legs.vehicle[leg.driver_leg.map_or(i, |driver_leg| driver_leg as usize)];
        row.text(if vehicle == NONE { "" } else { scenario.vehicles.ids.name(vehicle) });
    }
    row.end();
}

/// As in MATSim, without interactions.
fn activity_rows(scenario: &Scenario, times: &LegTimes, person: u32, text: &mut Vec<u8>) {
    let (population, activities) = (&scenario.population, &scenario.population.activities);
    let name = population.person_ids.name(person);
    let mut number = 0;
    experienced::for_each(scenario, times, person, |element| {
        let Experienced::Activity { activity, start_s, end_s } = element else { return };
        if is_interaction(scenario, activity) {
            return;
        }
        number += 1;
        let (i, number) = (activity as usize, number.to_string());
        let mut row = Row::new(text);
        row.text(name)
            .text(&number)
            .joined(&[name, "_", &number])
            .text(population.activity_types.name(activities.kind[i]));
        // Events have no maximum duration.
        for value in [start_s, end_s, f64::NAN] {
            number_or_empty(&mut row, value);
        }
        row.text(name_or_empty(&scenario.network.link_ids, activities.link[i]))
            .text(name_or_empty(&scenario.facilities.ids, activities.facility[i]));
        let (x, y) = (activities.x[i], activities.y[i]);
        let is_known = !x.is_nan() && !y.is_nan();
        for value in [x, y] {
            number_or_empty(&mut row, if is_known { value } else { f64::NAN });
        }
        row.end();
    });
}

fn name_or_empty(ids: &IdTable, index: u32) -> &str {
    if index == NONE { "" } else { ids.name(index) }
}

fn number_or_empty(row: &mut Row<'_>, value: f64) {
    if value.is_nan() {
        row.empty()
    } else {
        row.java_double(value)
    };
}

fn trip_times_row(person: &str, trip: &Trip, text: &mut Vec<u8>) {
    let number = trip.number.to_string();
    Row::new(text)
        .text(person)
        .text(&number)
        .joined(&[person, "_", &number])
        .seconds(trip.departure)
        .seconds(trip.travel_time_s)
        .seconds(trip.wait_s())
        .end();
}

fn leg_times_row(scenario: &Scenario, person: &str, trip: &Trip, leg: &FinishedLeg, text: &mut Vec<u8>) {
    Row::new(text)
        .text(person)
        .joined(&[person, "_", &trip.number.to_string()])
        .text(scenario.modes.name(scenario.population.legs.mode[leg.leg as usize]))
        .seconds(leg.departure)
        .seconds(leg.travel_time_s)
        .seconds(leg.wait_s)
        .end();
}

fn link_name(scenario: &Scenario, link: u32) -> &str {
    if link == NONE { "null" } else { scenario.network.link_ids.name(link) }
}
