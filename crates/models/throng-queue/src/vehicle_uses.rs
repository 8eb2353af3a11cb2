//! The use of vehicles by several persons, followed in the events of a run.
//!
//! Executors let the drivers of such vehicles depart at once ([`ANYWHERE`](crate::rules::journey::ANYWHERE)), in any
//! order. The events of a step, whose order does not depend on the executor, show whether the vehicle was there.

use rustc_hash::FxHashMap;
use throng_core::NONE;

use crate::prepare::check::shared_vehicles;
use crate::rules::journey::IN_USE;
use crate::{RunError, RunOutcome};
use throng_traffic_scenario::events::{Event, EventKind, EventSink, SinkError};
use throng_traffic_scenario::settings::VehicleBehavior;
use throng_traffic_scenario::{HashAt, Scenario};

/// A sink that follows vehicles with several drivers, and passes all events on.
pub(crate) struct VehicleUses<'s> {
    sink: &'s mut dyn EventSink,
    scenario: &'s Scenario,
    /// The link where each of these vehicles is parked, [`IN_USE`], or [`NONE`] if it is not on a link.
    places: FxHashMap<u32, u32>,
    /// Person and link of the last departure.
    departure: (u32, u32),
    /// Number of these vehicles that were teleported to their driver.
    teleported: u64,
    failed: Option<RunError>,
}

impl<'s> VehicleUses<'s> {
    /// Follows the vehicles in the list, which is that of [`followed_vehicles`].
    pub fn new(scenario: &'s Scenario, followed: &[u32], sink: &'s mut dyn EventSink) -> Self {
        let start = |&vehicle: &u32| (vehicle, scenario.vehicles.start_link[vehicle as usize]);
        let places = followed.iter().map(start).collect();
        Self { sink, scenario, places, departure: (NONE, NONE), teleported: 0, failed: None }
    }

    /// Corrects the result of a run whose events went to this sink.
    pub fn finish(self, result: Result<RunOutcome, RunError>) -> Result<RunOutcome, RunError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        result.map(|mut outcome| {
            outcome.stats.teleported_vehicles += self.teleported;
            outcome
        })
    }

    fn follow(&mut self, time: f64, event: &Event) -> Result<(), RunError> {
        match event.kind {
            EventKind::Departure => self.departure = (event.person, event.link),
            EventKind::VehicleLeavesTraffic => {
                if let Some(place) = self.places.get_mut(&event.detail) {
                    *place = event.link;
                }
            }
            // Drivers enter their vehicles right after they depart; passengers do not.
            EventKind::PersonEntersVehicle if event.person == self.departure.0 => {
                let (vehicle, link) = (event.detail, self.departure.1);
                self.departure = (NONE, NONE);
                let Some(place) = self.places.get_mut(&vehicle) else { return Ok(()) };
                let teleports = self.scenario.settings.qsim.vehicle_behavior == VehicleBehavior::Teleport;
                if *place != link {
                    if !teleports || *place >= IN_USE {
                        let in_use = *place == IN_USE;
                        let scenario = self.scenario;
                        return Err(RunError::vehicle_not_here(scenario, event.person, vehicle, link, time, in_use));
                    }
                    self.teleported += 1;
                }
                *place = IN_USE;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the vehicles with several drivers, if a run fails when two of them want one at the same time. Reads all
/// plans.
pub(crate) fn followed_vehicles(scenario: &Scenario) -> Vec<u32> {
    if waits(scenario) { Vec::new() } else { shared_vehicles(scenario) }
}

/// Returns the reason why a scenario needs a single thread, if drivers wait for vehicles with several drivers: whoever
/// comes first takes the vehicle, and the order within a step is known to a single thread only.
pub(crate) fn needs_one_thread(scenario: &Scenario) -> Option<&'static str> {
    let queues = waits(scenario) && !shared_vehicles(scenario).is_empty();
    queues.then_some("drivers wait for vehicles that other persons drive too (qsim.vehicleBehavior=wait)")
}

fn waits(scenario: &Scenario) -> bool {
    scenario.settings.qsim.vehicle_behavior == VehicleBehavior::Wait
}

impl EventSink for VehicleUses<'_> {
    fn step(&mut self, time: f64, events: &[Event]) -> Result<(), SinkError> {
        if !self.places.is_empty() {
            for event in events {
                if let Err(error) = self.follow(time, event) {
                    let message = error.to_string();
                    self.failed = Some(error);
                    return Err(SinkError(message));
                }
            }
        }
        if self.sink.wants_events() { self.sink.step(time, events) } else { Ok(()) }
    }

    fn hashes(&mut self, hashes: &[HashAt]) -> Result<(), SinkError> {
        self.sink.hashes(hashes)
    }

    fn wants_events(&self) -> bool {
        !self.places.is_empty() || self.sink.wants_events()
    }
}
