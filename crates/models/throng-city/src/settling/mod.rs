//! Days on which travellers learn about the city: a simulation shows what volumes cannot, and some travellers look
//! for better routes.
//!
//! Volumes show where demand is too high; only a simulation shows which queue blocks which traffic. The time that a
//! link took beyond the estimate from its volume becomes a surcharge, and a share of the trips is routed again with
//! both. That many react at once does no harm: volumes are updated in several batches a day, so that a route that
//! becomes full repels the next ones.

mod at_home;
mod observed;
mod surcharges;

use rayon::prelude::*;
use throng_core::{Philox, Progress};

use super::assignment::{Priced, Trip, Volumes, load, take_back};
use super::draws::{Draws, Purpose};
use super::options::CityOptions;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions};
use throng_traffic_scenario::{Population, RouteKind, Scenario};

use at_home::AtHome;
use observed::Observed;
use surcharges::Surcharges;

pub use observed::Day;

/// Persons simulated on a day if the city has that many, ...
const SIMULATED: f64 = 400_000.0;
/// ... those on the last day, whose figures are given, ...
const SIMULATED_LAST: f64 = 1_000_000.0;
/// ... and the smallest share of the whole city, if its sample has that many: in smaller ones queues result from chance
/// rather than from demand.
const MIN_FRACTION: f64 = 0.25;

/// The share of the trips that is routed again after the first day, less after each other one.
const RECONSIDER: f64 = 0.25;

/// Parts in which the trips of a day are routed again; the volumes are updated after each.
const BATCHES: u32 = 4;

/// Simulates the days. Stores the new routes in the scenario, and returns their volumes and the last day, which
/// has the final routes.
///
/// # Errors
/// When a day cannot be simulated.
pub(super) fn settle(
    options: &CityOptions,
    scenario: &mut Scenario,
    trips: &[Trip],
    laid: Volumes,
    progress: &dyn Progress,
) -> Result<(Volumes, Option<Day>), RunError> {
    let philox = Philox::new(options.seed);
    let mut volumes = laid;
    let mut surcharges = Surcharges::new(&scenario.network);
    let mut priced = Priced::unpriced(&scenario.network);
    let mut last = None;
    for day in 0..options.days {
        let last_one = day + 1 == options.days;
        let share = simulated_share(scenario.population.persons(), options.sample, last_one);
        // By position in the sample: the choice is independent of the persons.
        let observed =
            observe(options, scenario, share, |person| Draws::new(philox, person, 0).chance(Purpose::Day, day, share))?;
        surcharges.learn(&scenario.network, &observed, &volumes);
        last = Some(observed.day(&scenario.network));
        progress.at(u64::from(day) + 1, "");
        if !last_one {
            reroute(options, scenario, trips, day, (&mut priced, &surcharges, &mut volumes));
        }
    }
    Ok((volumes, last))
}

/// The share of this many persons, who are themselves a `sample`, that is simulated on a day.
fn simulated_share(persons: usize, sample: f64, last_day: bool) -> f64 {
    let most = if last_day { SIMULATED_LAST } else { SIMULATED };
    (most / persons.max(1) as f64).clamp((MIN_FRACTION / sample).min(1.0), 1.0)
}

/// Routes some of the trips again in the evening of `day`.
fn reroute(
    options: &CityOptions,
    scenario: &mut Scenario,
    trips: &[Trip],
    day: u32,
    (priced, surcharges, volumes): (&mut Priced, &Surcharges, &mut Volumes),
) {
    let Scenario { network, population, .. } = scenario;
    let philox = Philox::new(options.seed);
    let scale = 1.0 / options.sample;
    let again = RECONSIDER / (1.0 + f64::from(day) / 4.0);
    for batch in 0..BATCHES {
        // Trips with a draw below `again`, in as many parts as there are batches.
        let chosen = |trip: &&Trip| {
            let draws = Draws::new(philox, trip.person, u32::from(trip.ordinal));
            let part = draws.unit(Purpose::Reconsider, day) / again * f64::from(BATCHES);
            part as u32 == batch
        };
        let chosen: Vec<Trip> = trips.par_iter().filter(chosen).copied().collect();
        priced.reprice_by(|period, link| surcharges.cost_ns(network, volumes, period, link));
        volumes.subtract(&take_back(network, population, &chosen), scale);
        volumes.add(&load(options, network, priced, population, chosen, true), scale);
    }
    tidy(population);
}

/// Simulates a day on which the `share` of the persons for whom `goes_out` holds leaves home.
fn observe(
    options: &CityOptions,
    scenario: &mut Scenario,
    share: f64,
    goes_out: impl Fn(u32) -> bool,
) -> Result<Observed, RunError> {
    let factor = options.sample * share;
    scenario.settings.qsim.flow_capacity_factor = factor;
    scenario.settings.qsim.storage_capacity_factor = factor;
    let at_home = AtHome::new(&mut scenario.population, |person| !goes_out(person));
    let mut observed = Observed::new(scenario, share);
    let run = RunOptions { threads: rayon::current_num_threads(), ..RunOptions::default() };
    let outcome = simulate(scenario, &mut observed, &run);
    at_home.wake(&mut scenario.population);
    observed.finish(&outcome?.stats);
    Ok(observed)
}

/// Drops the links of abandoned routes.
fn tidy(population: &mut Population) {
    let legs = &mut population.legs;
    let mut links = Vec::with_capacity(legs.route_len.iter().map(|&len| len as usize).sum());
    for leg in 0..legs.route.len() {
        if legs.route[leg] == RouteKind::Links {
            let from = legs.route_start[leg] as usize;
            legs.route_start[leg] = links.len() as u64;
            links.extend_from_slice(&population.route_links[from..from + legs.route_len[leg] as usize]);
        }
    }
    population.route_links = links;
}

#[cfg(test)]
#[path = "settling_tests.rs"]
mod tests;
