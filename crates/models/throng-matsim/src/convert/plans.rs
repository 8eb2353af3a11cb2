//! Converts plans between versions, person by person.

use std::io::Write;
use std::path::Path;

use throng_core::{Problems, Warnings};

use super::{ConvertOptions, ConvertReport, FileKind, no_such_conversion};
use crate::formats::network::read_network;
use crate::formats::person::{ElementRecord, PersonRecord, RouteFormat};
use crate::formats::population::{PopulationReader, PopulationVersion};
use crate::formats::population_writer::PopulationWriter;
use crate::formats::value::quoted;
use throng_output::FileError;
use throng_traffic_scenario::ModeTable;

/// Converts the plans in `input` to version `to`.
pub(super) fn convert(
    input: &Path,
    (out, output): (&mut impl Write, &Path),
    to: u8,
    options: &ConvertOptions,
    report: &mut ConvertReport,
) -> Result<(), FileError> {
    let mut reader = PopulationReader::open(input)?.with_every_plan();
    let from = reader.header().version;
    report.from = Some(from.number());
    let version = match to {
        4 => PopulationVersion::V4,
        5 => PopulationVersion::V5,
        6 => PopulationVersion::V6,
        _ => return Err(no_such_conversion(input, FileKind::Plans, report.from, to).into()),
    };
    let network = match &options.network {
        Some(path) => Some(read_network(path, &mut ModeTable::default(), &mut report.warnings)?),
        None => None,
    };
    if version != PopulationVersion::V6 {
        let attributes = &reader.header().attributes;
        let kind = format!("attributes of the population that plans of version {to} have no room for; left out");
        let example =
            || attributes.first().map_or(String::new(), |(name, ..)| format!("{}: {}", reader.file(), quoted(name)));
        report.warnings.add_many(attributes.len() as u64, &kind, example);
    }
    let mut problems = Problems::new();
    let mut person = PersonRecord::new();
    let mut writer = PopulationWriter::new(out, version, reader.header(), network.as_ref())
        .map_err(|error| FileError::writing(output, error))?;
    while reader.read_person(&mut person, &mut problems, &mut report.warnings) {
        if network.is_none()
            && let Some(line) = route_to_convert(&person, version)
        {
            problems.push(
                format!("{}:{line}", reader.file()),
                format!(
                    "the routes of plans of version {from} cannot be converted to version {to} on their own",
                    from = from.number()
                ),
                "One version has lists of nodes, the other lists of links: give the network, too.",
            );
            break;
        }
        if version == PopulationVersion::V4 {
            warn_of_other_modes(&person, &mut report.warnings);
        }
        // A file with problems gives no output, but reading continues so that all problems are reported.
        if problems.is_empty() {
            writer.write(&person, &mut report.warnings).map_err(|error| FileError::writing(output, error))?;
            report.records += 1;
        }
    }
    problems.into_result()?;
    writer.finish().map_err(|error| FileError::writing(output, error))?;
    Ok(())
}

/// Warns of modes other than car: version 4 does not store the kind of a route, so readers infer it from the mode.
fn warn_of_other_modes(person: &PersonRecord, warnings: &mut Warnings) {
    for element in person.plans().iter().flat_map(|plan| person.elements(plan)) {
        let ElementRecord::Leg(leg) = element else { continue };
        let mode = person.text(leg.mode);
        if mode != "car" && leg.route.is_some_and(|route| route.format == RouteFormat::Links) {
            let kind = "routes of modes other than car, of which readers of version 4 only take the travel time";
            warnings.add(kind, || format!("person {}, mode {}", quoted(person.id()), quoted(mode)));
        }
    }
}

/// Returns the line of the first route that `version` writes in another format.
fn route_to_convert(person: &PersonRecord, version: PopulationVersion) -> Option<u64> {
    let other = if version == PopulationVersion::V4 { RouteFormat::Links } else { RouteFormat::Nodes };
    person.plans().iter().flat_map(|plan| person.elements(plan)).find_map(|element| match element {
        ElementRecord::Leg(leg) => leg.route.filter(|route| route.format == other).map(|route| route.line),
        ElementRecord::Activity(_) => None,
    })
}
