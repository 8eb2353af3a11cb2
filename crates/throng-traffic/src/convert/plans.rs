//! Plans from one version to another, person by person.

use std::path::Path;

use throng_core::{InputError, Problems};

use super::{ConvertOptions, ConvertReport, FileKind, cannot_write, no_such_conversion};
use crate::matsim::create::TextOutput;
use crate::matsim::network::read_network;
use crate::matsim::person::{ElementRecord, PersonRecord, RouteFormat};
use crate::matsim::population::{PopulationReader, PopulationVersion};
use crate::matsim::population_writer::PopulationWriter;
use crate::scenario::ModeTable;

/// Converts the plans in `input` to version `to`.
pub(super) fn convert(
    input: &Path,
    (out, output): (&mut TextOutput, &Path),
    to: u8,
    options: &ConvertOptions,
    report: &mut ConvertReport,
) -> Result<(), InputError> {
    let mut reader = PopulationReader::open(input)?;
    let from = reader.header().version;
    report.from = Some(from.number());
    let version = match to {
        4 => PopulationVersion::V4,
        5 => PopulationVersion::V5,
        6 => PopulationVersion::V6,
        _ => return Err(no_such_conversion(input, FileKind::Plans, report.from, to)),
    };
    let network = match &options.network {
        Some(path) => Some(read_network(path, &mut ModeTable::default(), &mut report.warnings)?),
        None => None,
    };
    let mut problems = Problems::new();
    let mut person = PersonRecord::new();
    let mut writer = PopulationWriter::new(out, version, reader.header(), network.as_ref())
        .map_err(|error| cannot_write(output, &error))?;
    while reader.read_person(&mut person, &mut problems, &mut report.warnings) {
        if network.is_none()
            && let Some(line) = route_to_convert(&person, version)
        {
            problems.push(
                format!("{}:{line}", reader.file()),
                format!(
                    "the routes of plans of version {from} cannot become those of version {to} by themselves",
                    from = from.number()
                ),
                "One has lists of nodes, the other lists of links: give the network, too.",
            );
            break;
        }
        // A file with problems gives no output, but all its problems are to be found.
        if problems.is_empty() {
            writer.write(&person, &mut report.warnings).map_err(|error| cannot_write(output, &error))?;
            report.records += 1;
        }
    }
    problems.into_result()?;
    writer.finish().map_err(|error| cannot_write(output, &error))?;
    Ok(())
}

/// The line of the first route that `version` writes in another form.
fn route_to_convert(person: &PersonRecord, version: PopulationVersion) -> Option<u64> {
    let other = if version == PopulationVersion::V4 { RouteFormat::Links } else { RouteFormat::Nodes };
    person.plans().iter().flat_map(|plan| person.elements(plan)).find_map(|element| match element {
        ElementRecord::Leg(leg) => leg.route.filter(|route| route.format == other).map(|route| route.line),
        ElementRecord::Activity(_) => None,
    })
}
