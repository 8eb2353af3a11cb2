//! Converts events to stays of vehicles on links.

use std::io::BufRead;

use throng_core::{IdTable, InputError, NONE};
use throng_matsim::formats::events_reader::{EventTag, EventsReader};
use throng_traffic_scenario::Network;
use throng_traffic_scenario::events::EventKind;

/// The stay of a vehicle on a link. Times are in seconds of the day; whole seconds within a day are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stay {
    pub link: u32,
    /// Index of the vehicle, in the order in which the events first name vehicles.
    pub vehicle: u32,
    pub enter_s: f32,
    /// Time at which it would be at the end of the link at free speed, at most `leave_s`. Equals `enter_s` for a
    /// vehicle that departs, because it starts at the end of a link.
    pub arrive_s: f32,
    pub leave_s: f32,
    /// Time lost on the previous links since the departure.
    pub lost_s: f32,
    /// Whether it continued to another link.
    pub goes_on: bool,
}

impl Stay {
    /// Returns the mean speed on the link as a fraction of the free speed. Vehicles leave only at whole steps, so a
    /// delay of up to one step is ignored. For a vehicle that departs, it is one step divided by the time it waits.
    pub fn speed_share(&self, step_s: f64) -> f64 {
        let [free, stayed] = [self.arrive_s, self.leave_s].map(|at| f64::from(at - self.enter_s));
        if stayed <= step_s { 1.0 } else { ((free + step_s) / stayed).min(1.0) }
    }

    /// Returns the time lost since the vehicle departed, at a time of the stay.
    pub fn lost_at(&self, time_s: f64, step_s: f64) -> f64 {
        f64::from(self.lost_s) + (time_s - f64::from(self.arrive_s) - step_s).max(0.0)
    }
}

/// Tracks the stays of vehicles while events are read.
struct Reader<'n> {
    network: &'n Network,
    step_s: f64,
    vehicles: IdTable,
    /// For each vehicle, the index of its stay on the current link, or `NONE`.
    current_stay: Vec<u32>,
    stays: Vec<Stay>,
    last_s: f64,
}

/// Reads all stays, in the order in which they begin. A stay without an end lasts until the end of the day, one step
/// after the last event.
///
/// # Errors
/// Events that cannot be read or name no vehicle, and links that the network does not have.
pub fn read_stays<R: BufRead>(
    events: &mut EventsReader<R>,
    network: &Network,
    step_s: f64,
) -> Result<Vec<Stay>, InputError> {
    let (vehicles, current_stay, stays) = (IdTable::new(), Vec::new(), Vec::new());
    let mut reader = Reader { network, step_s, vehicles, current_stay, stays, last_s: f64::NEG_INFINITY };
    while let Some(event) = events.read()? {
        reader.read_event(&event)?;
    }
    let Reader { mut stays, last_s, .. } = reader;
    for stay in stays.iter_mut().filter(|stay| stay.leave_s == f32::INFINITY) {
        stay.leave_s = (last_s + step_s) as f32;
        stay.arrive_s = stay.arrive_s.min(stay.leave_s);
    }
    // The times of a day never decrease, except in files that were edited by hand.
    if !stays.is_sorted_by(|a, b| a.enter_s <= b.enter_s) {
        stays.sort_by(|a, b| a.enter_s.total_cmp(&b.enter_s));
    }
    Ok(stays)
}

impl Reader<'_> {
    fn read_event(&mut self, event: &EventTag<'_>) -> Result<(), InputError> {
        self.last_s = self.last_s.max(event.time_s);
        let Some(kind) = event.get("type").and_then(EventKind::of_matsim_type) else { return Ok(()) };
        let enters = matches!(kind, EventKind::VehicleEntersTraffic | EventKind::EnteredLink);
        let leaves = matches!(kind, EventKind::LeftLink | EventKind::VehicleLeavesTraffic | EventKind::VehicleAborts);
        if !enters && !leaves {
            return Ok(());
        }
        let Some(id) = event.get("vehicle") else {
            let remedy = "give the events of a run of Throng, or of a MATSim release since 2014";
            return Err(InputError::one(event.place(), "this event names no vehicle", remedy));
        };
        let vehicle = self.vehicles.intern(id).map_err(|error| {
            InputError::one(event.place(), error.to_string(), "give the vehicles shorter or fewer ids")
        })?;
        if vehicle as usize >= self.current_stay.len() {
            self.current_stay.resize(vehicle as usize + 1, NONE);
        }
        // Any event ends the previous stay, because a file may lack events.
        let lost_s = self.end_stay(vehicle, event.time_s, kind == EventKind::LeftLink);
        if enters {
            let lost_s = if kind == EventKind::EnteredLink { lost_s } else { 0.0 };
            self.begin_stay(vehicle, kind == EventKind::EnteredLink, lost_s, event)?;
        }
        Ok(())
    }

    /// Ends the stay of a vehicle, if it is on a link. Returns the time that it has lost; between two links, this is
    /// stored in the stay that has ended.
    fn end_stay(&mut self, vehicle: u32, time_s: f64, goes_on: bool) -> f32 {
        let Some(stay) = self.stays.get_mut(self.current_stay[vehicle as usize] as usize) else { return 0.0 };
        if stay.leave_s == f32::INFINITY {
            stay.leave_s = time_s as f32;
            stay.arrive_s = stay.arrive_s.min(stay.leave_s);
            stay.goes_on = goes_on;
        }
        stay.lost_at(f64::from(stay.leave_s), self.step_s) as f32
    }

    fn begin_stay(&mut self, vehicle: u32, drives: bool, lost_s: f32, event: &EventTag<'_>) -> Result<(), InputError> {
        let id = event.get("link").unwrap_or_default();
        let Some(link) = self.network.link_ids.get(id) else {
            let message = format!("the network has no link \"{id}\"");
            let remedy = "events and network are not from the same run: put the network back, or repeat the run";
            return Err(InputError::one(event.place(), message, remedy));
        };
        let free_s = self.network.length_m[link as usize] / self.network.freespeed_mps[link as usize];
        // NaN results from 0 / 0.
        let free_s = if free_s.is_nan() { 0.0 } else { free_s };
        let enter_s = event.time_s as f32;
        let arrive_s = if drives { (event.time_s + free_s) as f32 } else { enter_s };
        self.current_stay[vehicle as usize] = self.stays.len() as u32;
        let stay = Stay { link, vehicle, enter_s, arrive_s, leave_s: f32::INFINITY, lost_s, goes_on: false };
        self.stays.push(stay);
        Ok(())
    }
}
