//! Days on which travellers learn about the city: after a simulation, some travellers look for better routes.
//!
//! Volumes show where demand is too high; only a simulation shows which queue blocks which traffic. The time that a
//! link took beyond the estimate from its volume becomes a surcharge, and a fraction of the trips is rerouted at these
//! costs. Many reactions at once do no harm: volumes are updated in several batches a day, so that a route that becomes
//! full repels the next trips.

mod at_home;
mod observed;
mod surcharges;

use rayon::prelude::*;
use throng_core::{Philox, Progress};

use super::assignment::{Priced, Trip, Volumes, count_current_routes, load};
use super::draws::{Draws, Purpose};
use super::options::CityOptions;
use throng_model::Failure;
use throng_queue::cpu::simulate;
use throng_queue::{RunError, RunOptions};
use throng_traffic_scenario::{Population, RouteKind, Scenario};

use at_home::AtHome;
use observed::Observed;
use surcharges::Surcharges;

pub use observed::Day;

/// Maximum number of persons simulated on a day other than the last, unless [`MIN_FRACTION`] requires more.
const SIMULATED: f64 = 400_000.0;
/// The same maximum for the last day, whose figures are reported.
const SIMULATED_LAST: f64 = 1_000_000.0;
/// Minimum simulated fraction of the whole city, if its sample is that large. In smaller fractions, queues result from
/// chance rather than from demand.
const MIN_FRACTION: f64 = 0.25;

/// Fraction of the trips that is rerouted after the first day; it decreases with each further day.
const RECONSIDER: f64 = 0.25;

/// Number of batches in which the trips of a day are rerouted; the volumes are updated after each.
const BATCHES: u32 = 4;

/// Simulates the days. Stores the new routes in the scenario, and returns their volumes and the last day, which was
/// simulated with the final routes.
///
/// # Errors
/// If a day cannot be simulated.
pub(super) fn settle(
    options: &CityOptions,
    scenario: &mut Scenario,
    trips: &[Trip],
    assigned: Volumes,
    progress: &dyn Progress,
) -> Result<(Volumes, Option<Day>), Failure> {
    let philox = Philox::new(options.seed);
    let mut volumes = assigned;
    let mut surcharges = Surcharges::new(&scenario.network);
    let mut priced = Priced::unpriced(&scenario.network);
    let mut last = None;
    for day in 0..options.days {
        let last_one = day + 1 == options.days;
        let share = simulated_share(scenario.population.persons(), options.sample, last_one);
        // The draw depends only on the index in the sample, so the selection is independent of the persons' attributes.
        let observed =
            observe(options, scenario, share, |person| Draws::new(philox, person, 0).chance(Purpose::Day, day, share))
                .map_err(|error| match error {
                    RunError::NoThread(_) | RunError::Device(_) => error.into(),
                    // No option is invalid; the cause may be lack of memory.
                    error => Failure::resource(format!("a day of the city: {error}"), "request fewer persons"),
                })?;
        surcharges.learn(&scenario.network, &observed, &volumes);
        last = Some(observed.day(&scenario.network));
        progress.at(u64::from(day) + 1, "");
        if !last_one {
            reroute(options, scenario, trips, day, (&mut priced, &surcharges, &mut volumes));
        }
    }
    Ok((volumes, last))
}

/// Returns the fraction of the persons that is simulated on a day. The persons are a fraction `sample` of the city.
fn simulated_share(persons: usize, sample: f64, last_day: bool) -> f64 {
    let max_persons = if last_day { SIMULATED_LAST } else { SIMULATED };
    (max_persons / persons.max(1) as f64).clamp((MIN_FRACTION / sample).min(1.0), 1.0)
}

/// Reroutes some of the trips in the evening of `day`.
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
    let rerouted = RECONSIDER / (1.0 + f64::from(day) / 4.0);
    for batch in 0..BATCHES {
        // Trips with a draw below `rerouted`, divided evenly among the batches.
        let chosen = |trip: &&Trip| {
            let draws = Draws::new(philox, trip.person, u32::from(trip.ordinal));
            let part = draws.unit(Purpose::Reconsider, day) / rerouted * f64::from(BATCHES);
            part as u32 == batch
        };
        let chosen: Vec<Trip> = trips.par_iter().filter(chosen).copied().collect();
        priced.reprice_by(|period, link| surcharges.cost_ns(network, volumes, period, link));
        volumes.subtract(&count_current_routes(network, population, &chosen), scale);
        volumes.add(&load(options, network, priced, population, chosen, true), scale);
    }
    remove_unused_route_links(population);
}

/// Simulates a day on which the persons for whom `goes_out` holds, a fraction `share` of all, leave home.
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
    at_home.restore(&mut scenario.population);
    observed.finish(&outcome?.stats);
    Ok(observed)
}

/// Removes the links of abandoned routes.
fn remove_unused_route_links(population: &mut Population) {
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
