//! Routes that avoid congestion: trial rounds to learn travel times, then all trips in batches.
//!
//! Days are simulated [later](super::settling). Here, travel times are computed from volumes by a volume-delay
//! function for each period of the day. They need not be accurate, as long as trips spread over different streets.

mod loading;
mod periods;
mod skeleton;
mod volumes;

use rayon::prelude::*;
use throng_core::{Philox, Progress};

use crate::draws::{Draws, Purpose};
use crate::options::CityOptions;
use throng_traffic_scenario::{Network, Population};

pub(super) use loading::{Priced, count_current_routes, load};
pub(super) use periods::PERIODS;
pub(crate) use periods::period_of;
pub use volumes::Congestion;
pub(crate) use volumes::Volumes;

/// A trip by car to be routed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trip {
    pub(crate) leg: u32,
    /// Index of the person in the whole city, and `ordinal` of the leg in the plan.
    pub(crate) person: u32,
    pub(crate) ordinal: u8,
    pub(crate) period: u8,
}

/// Routes all trips, stores the routes in `population` and returns the resulting volumes.
pub(crate) fn assign(
    options: &CityOptions,
    network: &Network,
    population: &mut Population,
    trips: &[Trip],
    progress: &dyn Progress,
) -> Volumes {
    let philox = Philox::new(options.seed);
    let draws = |trip: &Trip| Draws::new(philox, trip.person, u32::from(trip.ordinal));
    let scale = 1.0 / options.sample;

    // Method of successive averages on a fraction of the trips.
    let mut trial = Volumes::new(network);
    let mut priced = Priced::new(network, &trial);
    for round in 0..options.rounds {
        if round > 0 {
            priced.reprice(network, &trial);
        }
        let chosen = |t: &&Trip| draws(t).chance(Purpose::Batch, 1 + round, options.round_share);
        let chosen: Vec<Trip> = trips.par_iter().filter(chosen).copied().collect();
        let counts = load(options, network, &priced, population, chosen, false);
        trial.average(&counts, scale / options.round_share, 1.0 / f64::from(round + 1));
    }

    let mut assigned = Volumes::new(network);
    let mut routed = 0;
    let batch_of = |trip: &Trip| (draws(trip).unit(Purpose::Batch, 0) * f64::from(options.batches)) as u32;
    for batch in 0..options.batches {
        let done = f64::from(batch) / f64::from(options.batches);
        let expected = if options.rounds > 0 {
            assigned.plus(&trial, 1.0 - done)
        } else {
            // The remaining trips are assumed to be like those already routed.
            assigned.plus(&assigned, if batch > 0 { 1.0 / done - 1.0 } else { 0.0 })
        };
        priced.reprice(network, &expected);
        let chosen: Vec<Trip> = trips.par_iter().filter(|t| batch_of(t) == batch).copied().collect();
        let chosen_len = chosen.len() as u64;
        let counts = load(options, network, &priced, population, chosen, true);
        assigned.add(&counts, scale);
        routed += chosen_len;
        progress.at(routed, "");
    }
    assigned
}
