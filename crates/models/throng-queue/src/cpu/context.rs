//! Data that all partitions share during a run. It is read-only except for the locations of vehicles.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use throng_core::NONE;

use super::transit::{self, TransitVehicle};
use crate::RunOptions;
use crate::prepare::layout::Layout;
use crate::prepare::rules::{Rules, VehicleKind, kinds, main_modes, ranks};
use crate::rules::journey::ANYWHERE;
use throng_traffic_scenario::Scenario;

/// Data shared by all partitions.
pub(super) struct Context<'a> {
    pub scenario: &'a Scenario,
    pub layout: &'a Layout,
    pub rules: Rules,
    pub kinds: Vec<VehicleKind>,
    /// Rank of each person in the order of ids.
    pub person_rank: Vec<u32>,
    /// Whether each mode drives on the network.
    pub is_main_mode: [bool; 256],
    /// Whether the sink wants events.
    pub record: bool,
    /// Length of the bins in which link volumes are counted, seconds.
    pub volume_bin_s: Option<f64>,
    /// See [`crate::RunOptions::eager`].
    pub eager: bool,
    /// The link where each vehicle is parked, [`IN_USE`](crate::rules::journey::IN_USE),
    /// [`ANYWHERE`], or [`NONE`] if it is not on a link.
    ///
    /// Relaxed atomics are sufficient: the place of a vehicle changes from a link, and to a link, in the partition of
    /// that link only, and each partition compares places with its own links only.
    vehicle_place: Vec<AtomicU32>,
    /// The vehicle of each driver of public transport.
    pub transit_vehicles: Vec<Mutex<TransitVehicle>>,
}

impl<'a> Context<'a> {
    /// `followed`: the vehicles that are [`ANYWHERE`].
    pub fn new(
        scenario: &'a Scenario,
        layout: &'a Layout,
        followed: &[u32],
        record: bool,
        options: &RunOptions<'_>,
    ) -> Self {
        Self {
            scenario,
            layout,
            rules: Rules::new(scenario, !followed.is_empty()),
            kinds: kinds(scenario),
            person_rank: ranks(scenario),
            is_main_mode: main_modes(scenario),
            record,
            volume_bin_s: options.volume_bin_s,
            eager: options.eager,
            transit_vehicles: transit::vehicles(scenario),
            vehicle_place: vehicle_places(scenario, followed),
        }
    }

    pub fn parking_link(&self, vehicle: u32) -> u32 {
        self.vehicle_place.get(vehicle as usize).map_or(NONE, |place| place.load(Ordering::Relaxed))
    }

    pub fn set_parking_link(&self, vehicle: u32, place: u32) {
        self.vehicle_place[vehicle as usize].store(place, Ordering::Relaxed);
    }
}

fn vehicle_places(scenario: &Scenario, followed: &[u32]) -> Vec<AtomicU32> {
    let places: Vec<_> = scenario.vehicles.start_link.iter().map(|&link| AtomicU32::new(link)).collect();
    for &vehicle in followed {
        places[vehicle as usize].store(ANYWHERE, Ordering::Relaxed);
    }
    places
}
