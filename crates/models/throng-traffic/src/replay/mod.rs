//! Stored days as scenes: links as flat boxes, vehicles as boxes on them.
//!
//! The events only contain the times at which a vehicle enters and leaves a link, because vehicles have no positions on
//! links in the queue model. A vehicle is shown driving at the free speed of its link, then standing behind the
//! vehicles that leave before it ([`queues`]). Free speeds come from the network file; network change events are
//! ignored. Vehicles are shown only while they are in traffic, and teleported agents are not shown.
//!
//! * [`stay_reader`] reads the events as stays of vehicles on links.
//! * [`stays`] finds the stays at a time, [`volumes`] counts the vehicles that left a link.
//! * [`roads`] positions links and vehicles, and computes how much they are enlarged.
//! * [`recording`] creates scenes.

mod queues;
mod recording;
mod roads;
mod stay_reader;
mod stays;
#[cfg(test)]
mod tests;
mod volumes;

use std::path::{Path, PathBuf};

use throng_core::{Change, InputError, NoProgress, Warnings, clock};
use throng_matsim::config;
use throng_matsim::formats::events_reader::EventsReader;
use throng_matsim::formats::network::read_network;
use throng_matsim::load::load_scenario;
use throng_model::replay::StoredRun;
use throng_model::{Failure, Replay};
use throng_scene::Recording;
use throng_traffic_scenario::{ModeTable, Network};

use recording::{Colouring, TrafficRecording};
use stay_reader::{Stay, read_stays};

/// Shows stored days of traffic.
#[derive(Debug, Clone, Copy, Default)]
pub struct TrafficReplay;

const COLOURINGS: [(&str, &str); 4] = [
    ("speed", "vehicles by their mean speed on the link, as a fraction of its free speed"),
    ("volume", "links by the vehicles that left them in the last 15 minutes, as a fraction of the flow capacity"),
    ("delay", "vehicles by the time that they have lost since they departed"),
    ("id", "vehicles in ten colours, to tell them apart"),
];

/// The remedy for a run without events.
const WRITE_EVENTS: &str = "repeat the run with --set controller.writeEventsInterval=1";

impl Replay for TrafficReplay {
    fn colourings(&self) -> &'static [(&'static str, &'static str)] {
        &COLOURINGS
    }

    fn open(&self, run: &StoredRun, colouring: &str) -> Result<Box<dyn Recording>, Failure> {
        let colouring = colouring_named(colouring)?;
        // The events are looked for first, because they are missing most often.
        let events = events_file(run)?;
        let network = network_of(run)?;
        let step_s = run.setting("qsim.timeStepSize").and_then(|text| clock::parse(&text).ok().flatten());
        let step_s = step_s.filter(|step_s| *step_s > 0.0).unwrap_or(1.0);
        let stays: Vec<Stay> = read_stays(&mut EventsReader::open(&events)?, &network, step_s)?;
        let factor = run.setting("qsim.flowCapacityFactor").and_then(|text| text.parse().ok()).unwrap_or(1.0);
        Ok(Box::new(TrafficRecording::new(&run.title(), &network, stays, colouring, step_s, factor)))
    }
}

fn colouring_named(name: &str) -> Result<Colouring, InputError> {
    let all = [Colouring::Speed, Colouring::Volume, Colouring::Delay, Colouring::Id];
    let found = COLOURINGS.iter().zip(all).find(|((known, _), _)| *known == name);
    found.map(|(_, colouring)| colouring).ok_or_else(|| {
        let names = COLOURINGS.map(|(name, _)| name).join(", ");
        InputError::one("colouring", format!("\"{name}\" is not a traffic colouring"), format!("give one of {names}"))
    })
}

/// Returns the XML file of events, whatever its prefix and compression.
fn events_file(run: &StoredRun) -> Result<PathBuf, InputError> {
    let prefix = run.setting("controller.runId").filter(|id| id != "null").map(|id| format!("{id}."));
    let name = format!("{}output_events.xml", prefix.unwrap_or_default());
    let found = ["", ".gz", ".zst"].iter().find_map(|ending| run.file(&format!("{name}{ending}"), "").ok());
    found.map_or_else(|| run.file(&name, WRITE_EVENTS), Ok)
}

/// Reads the network on which the day was simulated, which is not part of the run folder.
fn network_of(run: &StoredRun) -> Result<Network, InputError> {
    let named = |key: &str| run.setting(key).filter(|path| !path.is_empty() && path != "null");
    let file = |key: &str| named(key).map(|path| PathBuf::from(&*path));
    let is_there = |key: &str, path: &Path| {
        let message = format!("there is no file {}", path.display());
        let remedy = "put the network back where the run read it, or repeat the run";
        if path.is_file() { Ok(()) } else { Err(InputError::one(key, message, remedy)) }
    };
    let mut warnings = Warnings::new();
    if let Some(path) = file("throng.scenarioCache") {
        is_there("throng.scenarioCache", &path)?;
        let origin = path.display().to_string();
        let change = Change::of_flag(&origin, format!("throng.scenarioCache={origin}"));
        let settings = config::from_changes(&[change])?.settings;
        return Ok(load_scenario(settings, &mut warnings, &NoProgress)?.network);
    }
    let key = "network.inputNetworkFile";
    let Some(path) = file(key) else {
        let place = run.folder().display().to_string();
        return Err(InputError::one(place, format!("its manifest has no {key}"), "repeat the run"));
    };
    is_there(key, &path)?;
    read_network(&path, &mut ModeTable::default(), &mut warnings)
}
