//! Loads a [`Scenario`] from files.
//!
//! [`load_scenario`] reads the files that the settings name. [`assemble`] is its second half, for a network, facilities
//! and vehicles that are already in memory.

mod access;
mod assemble;
pub(crate) mod change_results;
mod degrees;
mod flat_json;
mod grid;
mod id_lookup;
mod input_stamps;
mod missing_routes;
mod modes;
mod nearest_link;
mod places;
mod plans;
mod report;
mod routes;
mod teleport;
mod transit;
mod transit_trips;
mod trips;
mod turn_restrictions;
mod vehicle_choice;

use std::path::{Path, PathBuf};

use throng_core::{InputError, NONE, Problems, Progress, Warnings};

pub use access::LinkTimes;
pub use assemble::{Parts, assemble};
pub use input_stamps::InputStamps;
pub use teleport::beeline;
pub use transit::TransitFiles;
pub use trips::separates_trips;
pub use turn_restrictions::TurnRestrictions;

use crate::cache::origin::named_files;
use crate::cache::read_cache;
use crate::coordinates::InputCoordinates;
use crate::formats::change_events::read_change_events;
use crate::formats::check::ID_REMEDY;
use crate::formats::facilities;
use crate::formats::network::read_with_attributes;
use crate::formats::open::damage;
use crate::formats::population::PopulationReader;
use crate::formats::vehicles::{VehicleFile, read_vehicles};
use throng_traffic_scenario::settings::{FacilitiesSource, Settings, VehiclesSource};
use throng_traffic_scenario::{Facilities, ModeTable, Network, Scenario, Vehicles};

/// Reads network, facilities, vehicles, change events and plans, and combines them into a scenario that is ready to
/// run. If the settings name a [scenario cache](crate::cache), it reads the cache instead.
///
/// # Errors
/// Returns all problems found in the first stage that has any. The stages are: the network; facilities, vehicles,
/// change events and the head of the plans; the persons. Also if a required file is not named, or a cache is unusable.
pub fn load_scenario(
    settings: Settings,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Scenario, InputError> {
    let inputs: Vec<PathBuf> = named_files(&settings).into_iter().map(|(_, path)| path.to_owned()).collect();
    load(settings, warnings, progress).map_err(|error| {
        // Damaged text may look like a mistake of its author.
        let named = |path: &&PathBuf| error.place().starts_with(&*path.display().to_string());
        inputs.iter().filter(named).find_map(|path| damage(path)).unwrap_or(error)
    })
}

fn load(settings: Settings, warnings: &mut Warnings, progress: &dyn Progress) -> Result<Scenario, InputError> {
    if settings.files.scenario_cache.is_some() {
        return read_cache(settings, warnings, progress);
    }
    let network_file = required(settings.files.network.as_deref(), "network.inputNetworkFile", "a network")?;
    let plans_file = required(settings.files.plans.as_deref(), "plans.inputPlansFile", "plans")?;
    let mut modes = ModeTable::default();
    let coordinates = InputCoordinates::of_network(&settings)?;
    let (network, attributes) =
        step(progress, network_file, || read_with_attributes(network_file, coordinates, &mut modes, warnings))?;
    let turns = TurnRestrictions::parse(&attributes, &network, warnings);
    let link_times = LinkTimes::parse(&attributes, &settings, &network)?;
    degrees::warn(&network, &settings.global.coordinate_system, warnings);

    let mut problems = Problems::new();
    let facilities = keep(load_facilities(&settings, &network, warnings, progress), &mut problems);
    let vehicles = keep(load_vehicles(&settings, warnings, progress), &mut problems);
    let transit = keep(TransitFiles::read(&settings, &network, warnings, progress), &mut problems);
    let change_events = match &settings.files.change_events {
        Some(path) if settings.files.time_variant_network => {
            let events = step(progress, path, || read_change_events(path, &network.link_ids, warnings));
            let events = keep(events, &mut problems);
            let file = path.display().to_string();
            change_results::check(&events, &file, &network, &mut problems);
            change_results::warn(&events, &file, &network, warnings);
            events.into_iter().map(|(_, event)| event).collect()
        }
        _ => Vec::new(),
    };
    let reader = PopulationReader::of_run(plans_file, &settings);
    let reader = match reader {
        Ok(reader) if problems.is_empty() => reader,
        Ok(_) => return Err(InputError(problems)),
        Err(InputError(found)) => {
            problems.append(found);
            return Err(InputError(problems));
        }
    };
    let parts = Parts { modes, network, turns, link_times, facilities, vehicles, change_events, transit };
    assemble(settings, parts, reader, warnings, progress)
}

fn load_facilities(
    settings: &Settings,
    network: &Network,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Facilities, InputError> {
    use FacilitiesSource::{FromFile, None as NoFacilities, SetInScenario};
    let file = settings.files.facilities.as_deref();
    let file = match settings.facilities.source {
        FromFile | SetInScenario => Some(required(file, "facilities.inputFacilitiesFile", "facilities")?),
        // As in MATSim, a file is read if it is named.
        NoFacilities => file,
        // Facilities come from the plans only.
        _ => None,
    };
    let Some(file) = file else { return Ok(Facilities::default()) };
    let coordinates = InputCoordinates::of_facilities(settings)?;
    step(progress, file, || facilities::read_transformed(file, coordinates, &network.link_ids, warnings))
}

fn load_vehicles(
    settings: &Settings,
    warnings: &mut Warnings,
    progress: &dyn Progress,
) -> Result<Vehicles, InputError> {
    let file = match (settings.files.vehicles.as_deref(), settings.qsim.vehicles_source) {
        (None, VehiclesSource::DefaultVehicle) => return Ok(Vehicles::default()),
        (file, _) => required(file, "vehicles.vehiclesFile", "vehicles")?,
    };
    let VehicleFile { types, vehicles: list, lines: _ } = step(progress, file, || read_vehicles(file, warnings))?;
    let mut vehicles = Vehicles { types, ..Vehicles::default() };
    for (id, type_of) in list {
        let added = vehicles.ids.intern(&id);
        added.map_err(|error| InputError::one(file.display().to_string(), error.to_string(), ID_REMEDY))?;
        vehicles.type_of.push(type_of);
        vehicles.start_link.push(NONE);
    }
    Ok(vehicles)
}

fn required<'a>(file: Option<&'a Path>, setting: &str, what: &str) -> Result<&'a Path, InputError> {
    file.ok_or_else(|| {
        InputError::one(setting, format!("no file with {what} is given"), format!("Set {setting} to a file."))
    })
}

fn step<T>(
    progress: &dyn Progress,
    file: &Path,
    read: impl FnOnce() -> Result<T, InputError>,
) -> Result<T, InputError> {
    progress.begin(&format!("reading {}", file.display()), None, "");
    let result = read();
    progress.end();
    result
}

/// Returns the value; on error, records the problems and returns the default.
fn keep<T: Default>(result: Result<T, InputError>, problems: &mut Problems) -> T {
    result.unwrap_or_else(|InputError(found)| {
        problems.append(found);
        T::default()
    })
}

#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod tests;
