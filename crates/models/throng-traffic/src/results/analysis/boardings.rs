//! The vehicles of public transport in which passengers rode.

use std::sync::Arc;

use throng_core::NONE;

use throng_traffic_scenario::events::{Event, EventKind};
use throng_traffic_scenario::{RouteKind, Scenario};

/// The departure with which each passenger rode: 4 bytes per ride and per vehicle. A plan names only a line, of which a
/// passenger takes the first vehicle that stops at both stops.
#[derive(Debug)]
pub(super) struct Boardings {
    scenario: Arc<Scenario>,
    /// The leg of the driver of each vehicle.
    of_vehicle: Vec<u32>,
    /// The leg of the driver of each ride.
    of_ride: Vec<u32>,
}

impl Boardings {
    /// Creates the table before anyone has boarded; `None` if no passenger rides.
    pub(super) fn new(scenario: &Arc<Scenario>) -> Option<Self> {
        let rides = scenario.transit.rides.len();
        (rides > 0).then(|| Self {
            scenario: Arc::clone(scenario),
            of_vehicle: vec![NONE; scenario.vehicles.ids.len()],
            of_ride: vec![NONE; rides],
        })
    }

    /// Takes an event; `current_leg` is the leg that its person began last.
    pub(super) fn take(&mut self, event: &Event, current_leg: Option<u32>) {
        match event.kind {
            EventKind::TransitDriverStarts => {
                let vehicle = self.scenario.population.legs.vehicle.get(event.detail as usize);
                if let Some(leg) = vehicle.and_then(|&vehicle| self.of_vehicle.get_mut(vehicle as usize)) {
                    *leg = event.detail;
                }
            }
            EventKind::PersonEntersVehicle => {
                let ride = current_leg.and_then(|leg| self.ride(leg));
                if let Some((ride, &driver_leg)) = ride.zip(self.of_vehicle.get(event.detail as usize)) {
                    self.of_ride[ride] = driver_leg;
                }
            }
            _ => {}
        }
    }

    fn ride(&self, leg: u32) -> Option<usize> {
        let (legs, i) = (&self.scenario.population.legs, leg as usize);
        (legs.route.get(i) == Some(&RouteKind::Transit)).then(|| legs.route_start[i] as usize)
    }

    /// Returns the leg of the driver with whom the passenger of `leg` rode; `None` without boarding.
    pub(super) fn driver_leg(&self, leg: u32) -> Option<u32> {
        let driver_leg = *self.of_ride.get(self.ride(leg)?)?;
        (driver_leg != NONE).then_some(driver_leg)
    }
}
