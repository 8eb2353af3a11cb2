//! Writes the inputs of a run as they were in effect: `output_network`, `output_vehicles`, `output_facilities`,
//! `output_transitSchedule`, `output_transitVehicles` and `output_counts`.

use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use throng_core::{Warnings, panic_text, spawn};
use throng_matsim::convert::{copy_transformed, copy_xml, write_used_vehicles};
use throng_matsim::coordinates::InputCoordinates;
use throng_matsim::formats::network_writer::{NetworkVersion, NetworkWriter, convert_network_with, write_network_with};
use throng_matsim::formats::open::TextInput;
use throng_matsim::load::InputStamps;
use throng_output::{Codec, FileError, OutputError, RunFolder, TextFile, WrittenFile};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::settings::{FacilitiesSource, Settings};

/// Writes the files in the background, while the day is simulated. Network and vehicles are those of the scenario;
/// attributes that a [`Scenario`] does not hold come from the input files, as do the files that a simulation never
/// changes.
///
/// Dropping it waits for the files that are being written.
#[derive(Debug)]
pub struct ScenarioFiles {
    thread: Option<JoinHandle<Filled>>,
}

/// Files that are complete, but have their names only once the run succeeds.
type Filled = Result<(Vec<TextFile>, Warnings), FileError>;

impl ScenarioFiles {
    /// Starts writing.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn start(scenario: &Arc<Scenario>, folder: &RunFolder, codec: Codec) -> Result<Self, OutputError> {
        let (scenario, folder) = (Arc::clone(scenario), folder.clone());
        let thread = spawn("scenario files", move || write(&scenario, &folder, codec))?;
        Ok(Self { thread: Some(thread) })
    }

    /// Waits for the files. Also returns a warning about data that no file holds.
    ///
    /// # Errors
    /// If a file cannot be read or written, or `inputs` have changed.
    pub fn finish(mut self, inputs: &InputStamps) -> Result<(Vec<WrittenFile>, Warnings), FileError> {
        let Some(thread) = self.thread.take() else { return Ok((Vec::new(), Warnings::new())) };
        let panicked = |panic: Box<dyn Any + Send>| Err(OutputError::Panicked(panic_text(&*panic)).into());
        let filled = thread.join().unwrap_or_else(panicked);
        // A change of an input explains errors in it.
        if matches!(filled, Err(FileError::Input(_))) {
            inputs.check()?;
        }
        let (files, warnings) = filled?;
        let written = files.into_iter().map(TextFile::finish).collect::<Result<_, _>>()?;
        Ok((written, warnings))
    }
}

impl Drop for ScenarioFiles {
    fn drop(&mut self) {
        // The error of the run is reported instead.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn write(scenario: &Scenario, folder: &RunFolder, codec: Codec) -> Filled {
    let settings = &scenario.settings;
    let (files, system) = (&settings.files, settings.global.coordinate_system.as_str());
    let mut filled = Vec::new();
    let mut add = |name: &str, fill: &dyn Fn(&mut TextFile, &Path) -> Result<(), FileError>| {
        let mut file = TextFile::create(folder, name, codec)?;
        fill(&mut file, &folder.path().join(folder.file_name(name)))?;
        filled.push(file);
        Ok::<(), FileError>(())
    };
    add("output_network.xml", &|out, target| {
        let writer = NetworkWriter::new(out, NetworkVersion::V2);
        let writer = if system.is_empty() { writer } else { writer.with_coordinate_system(system) };
        let failed = |error: io::Error| FileError::writing(target, error);
        let Some(path) = &files.network else {
            write_network_with(&scenario.network, &scenario.modes, writer).map_err(failed)?;
            return Ok(());
        };
        let text = TextInput::open(path)?;
        let file = text.name().to_owned();
        // Warnings about the file were given when it was loaded.
        let coordinates = InputCoordinates::of_network(settings)?;
        convert_network_with(text, &file, coordinates, writer, &mut Warnings::new())?.map_err(failed)?;
        Ok(())
    })?;
    add("output_vehicles.xml", &|out, target| {
        write_used_vehicles(files.vehicles.as_deref(), &scenario.vehicles, private_vehicles(scenario), out, target)
    })?;
    let mut left_out = Vec::new();
    if files.network.is_none() && files.scenario_cache.is_some() {
        left_out.push("attributes of nodes and links in output_network");
    }
    for (name, file, is_used) in [
        ("output_counts.xml", &files.counts, files.counts.is_some()),
        ("output_facilities.xml", &files.facilities, has_facilities_file(scenario)),
        ("output_transitSchedule.xml", &files.transit_schedule, settings.transit.drives()),
        ("output_transitVehicles.xml", &files.transit_vehicles, settings.transit.drives()),
    ] {
        match file {
            Some(path) if is_used => add(name, &|out, target| match name {
                "output_facilities.xml" => {
                    copy_transformed(path, "facility", InputCoordinates::of_facilities(settings)?, out, target)
                }
                "output_transitSchedule.xml" => {
                    copy_transformed(path, "stopFacility", InputCoordinates::of_schedule(settings)?, out, target)
                }
                _ => copy_xml(path, out, target),
            })?,
            None if is_used => left_out.push(name),
            _ => {}
        }
    }
    let mut warnings = Warnings::new();
    if !left_out.is_empty() {
        let kind =
            format!("not written, because a run with a scenario cache has no such data: {}", left_out.join(", "));
        warnings.add_noted(
            left_out.len() as u64,
            &kind,
            "name the input files beside the cache, or controller.dumpDataAtEnd=false",
        );
    }
    Ok((filled, warnings))
}

/// Number of vehicles that do not belong to public transport; they come first.
fn private_vehicles(scenario: &Scenario) -> u32 {
    let of_drivers = scenario.population.legs.vehicle.iter().skip(scenario.transit.first_driver_leg as usize);
    let first = if scenario.transit.driver_legs.is_empty() { None } else { of_drivers.min().copied() };
    first.unwrap_or(scenario.vehicles.ids.len() as u32)
}

/// Whether the facilities are those of a file.
fn has_facilities_file(scenario: &Scenario) -> bool {
    let Settings { facilities, files, .. } = &scenario.settings;
    let is_named = files.facilities.is_some() || facilities.source != FacilitiesSource::None;
    is_named && !facilities.source.is_from_plans()
}
