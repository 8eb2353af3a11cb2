//! Converts public transport to the packed arrays of a device.

use std::collections::HashSet;

use super::kernels::TransitParameters;
use super::record::*;
use super::suitability::passenger_lists;
use super::upload::{Source, flag};
use throng_traffic_scenario::{Doors, Passengers, Ride, Routes};

/// The arrays of public transport, and where their parts begin.
pub(super) struct TransitArrays {
    pub words: Vec<u32>,
    pub reals: Vec<f64>,
    pub parameters: TransitParameters,
}

impl TransitArrays {
    /// `pools`: see [`Source::hole_capacity`].
    pub fn new(source: &Source<'_>, pools: u32) -> Self {
        let scenario = &source.scenario;
        let transit = &scenario.transit;
        if transit.is_empty() {
            let parameters = TransitParameters { first_driver: NONE, ..TransitParameters::default() };
            return Self { words: Vec::new(), reals: Vec::new(), parameters };
        }
        let persons = scenario.population.persons() as u32;
        let (first_driver, stops) = (transit.first_driver, transit.stops.ids.len() as u32);
        let drivers = (persons - first_driver) as usize;

        let mut words: Vec<u32> = Vec::new();
        for (&link, &is_blocking) in transit.stops.link.iter().zip(&transit.stops.is_blocking) {
            words.extend([source.internal(link, NONE), u32::from(is_blocking), NONE, NONE, NONE]);
        }
        let routes = &transit.routes;
        let calls = words.len() as u32;
        for route in 0..routes.len() as u32 {
            let calls = routes.calls(route);
            let stops = &routes.stop[calls.start as usize..calls.end as usize];
            let repeats = stops.iter().collect::<HashSet<_>>().len() < stops.len();
            for call in calls.map(|call| call as usize) {
                // An early vehicle does not wait for an undefined time.
                let awaits = routes.awaits_departure[call] && !routes.departure_offset_s[call].is_nan();
                let flags = flag(AWAITS_DEPARTURE, awaits) | flag(REPEATS_STOPS, repeats);
                let (stop, line) = (routes.stop[call], routes.line[route as usize]);
                words.extend([stop, line, flags, source.internal(transit.stops.link[stop as usize], NONE)]);
            }
        }
        let at_drivers = words.len() as u32;
        let lists: Vec<u32> = passenger_lists(scenario).collect();
        let mut first_list = at_drivers + drivers as u32 * DRIVER_WORDS;
        for lists in &lists {
            words.extend([0, 0, 0, 0, 0, 0, NONE, 0, first_list]);
            first_list += lists * PASSENGER_LIST_WORDS;
        }
        words.extend([NONE, NONE, 0].repeat(lists.iter().sum::<u32>() as usize));
        let vehicles_at_stops = words.len() as u32;
        words.resize(words.len() + scenario.network.links(), NONE);
        let vehicle_ranks = words.len() as u32;
        words.extend(scenario.vehicles.ids.ranks());
        let denied = words.len() as u32;
        let denied_capacity = Self::denied_capacity(source, pools) as u32;
        words.resize(words.len() + (denied_capacity * DENIED_WORDS) as usize, NONE);

        let mut reals: Vec<f64> =
            routes.departure_offset_s.iter().map(|&offset_s| if offset_s.is_nan() { 0.0 } else { offset_s }).collect();
        let driver_reals = reals.len() as u32;
        reals.extend([0.0, 0.0, f64::NEG_INFINITY, f64::NEG_INFINITY].repeat(drivers));
        let doors = reals.len() as u32;
        for kind in &scenario.vehicles.types {
            let Passengers { access_s, egress_s, doors, .. } = kind.passengers;
            let parallel = f64::from(u8::from(doors == Doors::Parallel));
            // More places than persons make no difference.
            let capacity = kind.passengers.capacity().min(scenario.population.persons());
            reals.extend([access_s, egress_s, parallel, capacity as f64]);
        }
        let parameters = TransitParameters {
            first_driver,
            stops,
            calls,
            drivers: at_drivers,
            vehicles_at_stops,
            vehicle_ranks,
            denied,
            denied_capacity,
            driver_reals,
            doors,
        };
        Self { words, reals, parameters }
    }

    /// Returns the call of the planned route at which a ride ends, or [`NONE`].
    pub fn planned_call(routes: &Routes, ride: Ride) -> u32 {
        let mut calls = routes.calls(ride.route);
        let is_at = |stop: u32| move |&call: &u32| routes.stop[call as usize] == stop;
        let access = calls.find(is_at(ride.access_stop));
        access.and_then(|_| calls.find(is_at(ride.egress_stop))).unwrap_or(NONE)
    }

    /// Returns the number of entries for persons who found no place. A stop reuses its entries, so that each ride needs
    /// one for each vehicle that is full at the same time.
    fn denied_capacity(source: &Source<'_>, pools: u32) -> usize {
        let rides = source.scenario.transit.rides.len();
        if source.config.boarding_denied { (2 * rides + 1024).saturating_mul(pools as usize).min(1 << 28) } else { 0 }
    }

    /// Returns the number of bytes of the arrays of a scenario, without building them.
    pub fn bytes(source: &Source<'_>, pools: u32) -> u64 {
        let scenario = &source.scenario;
        let transit = &scenario.transit;
        if transit.is_empty() {
            return 0;
        }
        let drivers = scenario.population.persons() - transit.first_driver as usize;
        let lists: usize = passenger_lists(scenario).map(|lists| lists as usize).sum();
        // Each stop also has a list in another array.
        let words = transit.stops.ids.len() * (STOP_WORDS as usize + 1)
            + transit.routes.stop.len() * CALL_WORDS as usize
            + drivers * DRIVER_WORDS as usize
            + lists * PASSENGER_LIST_WORDS as usize
            + scenario.network.links()
            + scenario.vehicles.ids.len()
            + Self::denied_capacity(source, pools) * DENIED_WORDS as usize;
        let reals = transit.routes.stop.len()
            + drivers * DRIVER_REALS as usize
            + scenario.vehicles.types.len() * DOOR_REALS as usize;
        4 * words as u64 + 8 * reals as u64
    }
}
