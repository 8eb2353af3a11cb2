//! Writes `output_plans`: the input plans, with the links and routes that were used.

use throng_core::{NONE, Problems, Progress, Warnings};
use throng_output::{Codec, RunFolder, TextFile, WrittenFile};

use throng_matsim::formats::person::{ElementRecord, LegRecord, PersonRecord, RouteFormat, RouteRecord};
use throng_matsim::formats::population::{PopulationReader, PopulationVersion};
use throng_matsim::formats::population_writer::PopulationWriter;
use throng_matsim::load::InputStamps;
use throng_output::FileError;
use throng_traffic_scenario::{PlanElement, RouteKind, Scenario};

/// Reads the plans file of `scenario` again and writes it as `output_plans.xml`, version 6, in the order of the input:
/// all persons with all plans and attributes. Legs of selected plans get the route that was driven, and activities
/// without a link get the one that was assigned to them. Memory does not grow with the file.
///
/// Returns `None` if the scenario was not read from a file.
///
/// # Errors
/// See [`FileError`]; also fails if the plans file has changed since `inputs` was recorded.
pub fn write_plans(
    scenario: &Scenario,
    inputs: &InputStamps,
    folder: &RunFolder,
    codec: Codec,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Option<WrittenFile>, FileError> {
    let Some(path) = &scenario.settings.files.plans else { return Ok(None) };
    inputs.check()?;
    let mut reader = PopulationReader::open(path)?;
    let header = reader.header().clone();
    let file = TextFile::create(folder, "output_plans.xml", codec)?;
    let target = folder.path().join(folder.file_name("output_plans.xml"));
    let output_error = |error| FileError::writing(&target, error);
    let network = Some(&scenario.network);
    let mut writer = PopulationWriter::new(file, PopulationVersion::V6, &header, network).map_err(output_error)?;

    let persons = scenario.population.persons() as u64;
    progress.begin("writing output_plans", Some(persons), "persons");
    // Warnings about the file were given when it was loaded.
    let mut known = Warnings::new();
    let (mut record, mut problems) = (PersonRecord::new(), Problems::new());
    let mut written = 0u64;
    while reader.read_person(&mut record, &mut problems, &mut known) {
        if let Some(person) = scenario.population.person_ids.get(record.id()) {
            complete(&mut record, scenario, person);
        }
        writer.write(&record, warnings).map_err(output_error)?;
        written += 1;
        if written.is_multiple_of(4096) {
            progress.at(written, "");
        }
    }
    progress.at(written, "");
    // The inputs are checked before the file gets its final name, and before problems caused by a change are reported.
    inputs.check()?;
    problems.into_result()?;
    let file = writer.finish().map_err(output_error)?;
    progress.end();
    Ok(Some(file.finish()?))
}

/// Adds the data that the selected plan lacks.
fn complete(record: &mut PersonRecord, scenario: &Scenario, person: u32) {
    let Some(selected) = record.selected_plan() else { return };
    for (i, used) in scenario.population.plan(person).enumerate() {
        let Some(&element) = record.elements_mut(selected).get(i) else { return };
        let completed = match (element, used) {
            (ElementRecord::Activity(mut activity), PlanElement::Activity(a)) => {
                let link = scenario.population.activities.link[a as usize];
                if activity.link.is_none() && link != NONE {
                    activity.link = record.add_text(scenario.network.link_ids.name(link));
                }
                ElementRecord::Activity(activity)
            }
            (ElementRecord::Leg(leg), PlanElement::Leg(l)) => {
                ElementRecord::Leg(LegRecord { route: route(record, &leg, scenario, l), ..leg })
            }
            // This case occurs only in a file that changed after it was loaded, which is rejected at its end.
            (element, _) => element,
        };
        if let Some(element) = record.elements_mut(selected).get_mut(i) {
            *element = completed;
        }
    }
}

fn route(record: &mut PersonRecord, leg: &LegRecord, scenario: &Scenario, index: u32) -> Option<RouteRecord> {
    let legs = &scenario.population.legs;
    let l = index as usize;
    let name = |link: u32| if link == NONE { "" } else { scenario.network.link_ids.name(link) };
    let (format, kind) = match (legs.route[l], leg.route) {
        (RouteKind::Missing, given) => return given,
        (RouteKind::Generic, Some(given)) => return Some(given),
        (RouteKind::Generic, None) => (RouteFormat::Other, "generic"),
        (RouteKind::Links, _) => (RouteFormat::Links, "links"),
    };
    let description = match format {
        RouteFormat::Links => {
            let links: Vec<&str> = scenario.population.route(index).iter().map(|&link| name(link)).collect();
            record.add_text(&links.join(" "))
        }
        RouteFormat::Nodes | RouteFormat::Other => throng_matsim::formats::person::Text::NONE,
    };
    let vehicle = legs.vehicle[l];
    Some(RouteRecord {
        line: leg.line,
        format,
        kind: record.add_text(kind),
        start_link: record.add_text(name(legs.start_link[l])),
        end_link: record.add_text(name(legs.end_link[l])),
        travel_time: legs.travel_time[l],
        distance: legs.distance[l],
        vehicle: record.add_optional((vehicle != NONE).then(|| scenario.vehicles.ids.name(vehicle))),
        description,
    })
}
