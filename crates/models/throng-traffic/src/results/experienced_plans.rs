//! `output_experienced_plans.xml`: the plans as they took place.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use throng_core::{NONE, Warnings, java_double};
use throng_matsim::formats::network_items::COORDINATE_SYSTEM;
use throng_matsim::formats::person::{
    ActivityRecord, Attribute, AttributeRange, ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord, Text,
};
use throng_matsim::formats::population::{PopulationHeader, PopulationVersion};
use throng_matsim::formats::population_writer::{PersonFormatter, head, tail};
use throng_output::{Codec, FormatBlock, OutputError, ParallelTextFile, PipelineSize, RunFolder, WrittenFile};
use throng_traffic_scenario::{DriverLeg, ModeId, Ride, Scenario};

use super::analysis::{Day, LegTimes};
use super::experienced::{self, Experienced};
use super::iteration_files;
use super::ride_text::ride_text;
use super::trip_tables::person_blocks;
use super::trips::distance_of;

/// Name of the file.
pub(super) const NAME: &str = "output_experienced_plans.xml";

/// Version of the file.
const VERSION: PopulationVersion = PopulationVersion::V6;

/// Writes the plans in version 6; with `throng.iterationFiles` also among the files of the iteration.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(
    scenario: &Arc<Scenario>,
    day: &Day,
    folder: &RunFolder,
    codec: Codec,
    workers: usize,
) -> Result<Vec<WrittenFile>, OutputError> {
    let settings = &scenario.settings;
    let system = &settings.global.coordinate_system;
    let text = |text: &str| text.to_owned();
    let of_system = (text(COORDINATE_SYSTEM), text("java.lang.String"), system.clone());
    let attributes = if system.is_empty() { Vec::new() } else { vec![of_system] };
    let head = head(VERSION, &PopulationHeader { version: VERSION, name: None, attributes });
    let make_formatter = || Formatter {
        scenario: Arc::clone(scenario),
        times: Arc::clone(&day.leg_times),
        record: PersonRecord::new(),
        persons: PersonFormatter::new(VERSION, None),
    };
    let size = PipelineSize::of_workers(workers);
    let mut file = ParallelTextFile::create(folder, NAME, codec, size, (&head, &tail(VERSION)), make_formatter)?;
    for persons in person_blocks(scenario) {
        file.send(persons)?;
    }
    let mut files = vec![file.finish()?];
    if settings.extensions.iteration_files {
        let name = format!("{}{}", iteration_files::path(settings, "experienced_plans.xml"), codec.suffix());
        files.push(copy(&files[0], &name, folder)?);
    }
    Ok(files)
}

/// Writes a second file with the content of `file`.
fn copy(file: &WrittenFile, name: &str, folder: &RunFolder) -> Result<WrittenFile, OutputError> {
    let source = folder.path().join(&file.name);
    let mut content = File::open(&source).map_err(|error| OutputError::io("read", &source, error))?;
    let mut copied = folder.file(name)?;
    io::copy(&mut content, &mut copied).map_err(|error| copied.error(error))?;
    copied.complete()
}

/// Formats persons on a thread.
struct Formatter {
    scenario: Arc<Scenario>,
    times: Arc<LegTimes>,
    record: PersonRecord,
    persons: PersonFormatter,
}

impl FormatBlock<Range<u32>> for Formatter {
    fn format(&mut self, persons: Range<u32>, text: &mut Vec<u8>) {
        for person in persons {
            self.fill(person);
            // Version 6 has room for everything.
            let of_person = self.persons.format(&self.record, None, &mut Warnings::new());
            text.extend_from_slice(of_person.as_bytes());
        }
    }
}

impl Formatter {
    /// Sets the record of a person, with one plan.
    fn fill(&mut self, person: u32) {
        let Self { scenario, times, record, persons: _ } = self;
        let (scenario, times) = (&**scenario, &**times);
        record.clear();
        record.id = record.add_text(scenario.population.person_ids.name(person));
        // MATSim writes an empty list.
        record.attributes = record.begin_attributes();
        record.add_plan(0, true, f64::NAN, Text::NONE);
        let mut is_first = true;
        experienced::for_each(scenario, times, person, |element| {
            let element = match element {
                Experienced::Activity { activity, start_s, end_s } => {
                    ElementRecord::Activity(of_activity(record, scenario, activity, [start_s, end_s], is_first))
                }
                Experienced::Leg { leg, departure_s, arrival_s } => {
                    let boarding_s = times.boarding(leg).unwrap_or(departure_s);
                    ElementRecord::Leg(of_leg(record, scenario, times, leg, [departure_s, boarding_s, arrival_s]))
                }
            };
            record.add_element(element);
            is_first = false;
        });
    }
}

fn of_activity(
    record: &mut PersonRecord,
    scenario: &Scenario,
    activity: u32,
    [start_time, end_time]: [f64; 2],
    is_first: bool,
) -> ActivityRecord {
    let (activities, i) = (&scenario.population.activities, activity as usize);
    let (link, facility) = (activities.link[i], activities.facility[i]);
    // In release 13 the event that ends an activity has no coordinate.
    let has_coordinate = !is_first || scenario.settings.extensions.compat.is_recent();
    let [x, y] = if has_coordinate { [activities.x[i], activities.y[i]] } else { [f64::NAN; 2] };
    ActivityRecord {
        line: 0,
        kind: record.add_text(scenario.population.activity_types.name(activities.kind[i])),
        link: record.add_optional((link != NONE).then(|| scenario.network.link_ids.name(link))),
        facility: record.add_optional((facility != NONE).then(|| scenario.facilities.ids.name(facility))),
        x,
        y,
        z: f64::NAN,
        start_time,
        end_time,
        max_duration: f64::NAN,
        attributes: AttributeRange::default(),
    }
}

fn of_leg(
    record: &mut PersonRecord,
    scenario: &Scenario,
    times: &LegTimes,
    leg: u32,
    [departure_s, boarding_s, arrival_s]: [f64; 3],
) -> LegRecord {
    let (legs, i) = (&scenario.population.legs, leg as usize);
    let travel_time = arrival_s - departure_s;
    let (vehicle, driver_leg) = (legs.vehicle[i], times.driver_leg(leg));
    let mut attributes = AttributeRange::default();
    // MATSim writes attributes in the order of their names.
    if vehicle != NONE || driver_leg.is_some() {
        add_attribute(record, &mut attributes, "enterVehicleTime", "java.lang.Double", &java_double::text(boarding_s));
    }
    let routing_mode = legs.routing_mode[i];
    if scenario.settings.extensions.compat.is_recent() && routing_mode != ModeId::NONE {
        let name = scenario.modes.name(routing_mode);
        add_attribute(record, &mut attributes, "routingMode", "java.lang.String", name);
    }
    let name = |link: u32| (link != NONE).then(|| scenario.network.link_ids.name(link));
    let links = if vehicle == NONE { &[][..] } else { scenario.population.route(leg) };
    let mut route = RouteRecord {
        line: 0,
        format: RouteFormat::Other,
        kind: Text::NONE,
        start_link: record.add_optional(name(legs.start_link[i])),
        end_link: record.add_optional(name(legs.end_link[i])),
        travel_time,
        distance: distance_of(scenario, times, leg),
        vehicle: Text::NONE,
        description: Text::NONE,
    };
    if let Some(driver_leg) = driver_leg {
        route.kind = record.add_text("default_pt");
        let of_driver = scenario.transit.driver_leg(driver_leg);
        let text = scenario.ride(leg).zip(of_driver).map(|(ride, DriverLeg { route, .. })| {
            // The passenger may have taken another route of the line.
            ride_text(&scenario.transit, Ride { route, ..ride }, boarding_s)
        });
        route.description = record.add_optional(text.as_deref());
    } else if links.is_empty() {
        route.kind = record.add_text("generic");
    } else {
        route.format = RouteFormat::Links;
        route.kind = record.add_text("links");
        route.vehicle = record.add_text(scenario.vehicles.ids.name(vehicle));
        let names: Vec<&str> = links.iter().filter_map(|&link| name(link)).collect();
        route.description = record.add_text(&names.join(" "));
    }
    LegRecord {
        line: 0,
        mode: record.add_text(scenario.modes.name(legs.mode[i])),
        departure_time: departure_s,
        travel_time,
        attributes,
        route: Some(route),
    }
}

fn add_attribute(record: &mut PersonRecord, range: &mut AttributeRange, name: &str, class: &str, value: &str) {
    if !range.present {
        *range = record.begin_attributes();
    }
    let [name, class, value] = [name, class, value].map(|text| record.add_text(text));
    record.add_attribute(range, Attribute { name, class, value });
}
