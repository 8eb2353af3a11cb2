//! The CPU executor: plain Rust, as many partitions of the network as threads.
//!
//! A step has four phases: agents whose activity is over depart; vehicles cross nodes; links are stepped; teleported
//! agents arrive. Only nodes, links and agents with something to do are visited, and steps in which nothing is due
//! are skipped. Links that wait for time or flow capacity sleep; what MATSim would have added to their accumulators
//! meanwhile is made up for, addition by addition, when they wake.
//!
//! Each partition owns a range of nodes and their in-links. Vehicles that cross into another partition, and room that
//! becomes free on a link whose start node is elsewhere, travel in mailboxes that are emptied in a later phase,
//! so the result does not depend on the number of partitions. `lead` goes from step to step; `crew` carries out each
//! phase on all partitions.

mod active_set;
mod agents;
mod calendar;
mod changes;
mod context;
mod crew;
mod exchange;
mod finish;
mod lead;
mod link;
mod links;
mod nodes;
mod order;
mod partition;
mod vehicle;

use crate::prepare::check::shares_vehicles;
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::Clock;
use crate::prepare::end::End;
use crate::prepare::first_activities::{first_activities, start_time};
use crate::prepare::layout::Layout;
use crate::rules::java_random::JavaRandom;
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;
use throng_traffic_scenario::settings::{JavaSeeding, NodeRandom};

use context::Context;
use crew::Crew;
use exchange::Post;
use lead::Lead;
use partition::Partition;
use vehicle::{MAX_KINDS, MAX_POSITIONS, MAX_ROUTE_LINKS};

/// Runs `scenario` and hands its events to `sink`.
///
/// # Errors
/// When an agent cannot go on in a way that MATSim also treats as fatal, when the scenario is too large for the
/// executor's numbers, or when the sink fails.
pub fn simulate(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
) -> Result<RunOutcome, RunError> {
    let scenario = CheckedScenario::new(scenario)?.get();
    check_size(scenario)?;
    let (threads, threads_note) = usable_threads(scenario, options.threads);
    let mut outcome = RunOutcome { threads, threads_note, ..RunOutcome::default() };
    let weights = link_weights(scenario, threads);
    let layout = Layout::new(&scenario.network, threads, |link| weights.get(link as usize).copied().unwrap_or(1));
    let ctx = Context::new(scenario, &layout, sink.wants_events(), options);

    let agents = first_activities(scenario);
    let Some(start) = start_time(scenario, &agents) else { return Ok(outcome) };
    let clock = Clock::new(start, scenario.settings.qsim.time_step_s);
    let post = Post::new(threads);
    let mut parts: Vec<Partition<'_>> =
        (0..threads).map(|id| Partition::new(id, &ctx, &post, clock.clone(), java_random(scenario))).collect();
    for agent in agents {
        let owner = usize::from(layout.owner(layout.link_of[agent.link as usize]));
        if agent.end < f64::INFINITY {
            parts[owner].living += 1;
            parts[owner].settle(agent);
        }
    }
    outcome.start_time = start;
    let crew = Crew::new(parts);
    let end = End::of(scenario, options);
    let lead = Lead::new(&crew, clock, end, sink, options, &mut outcome);
    run(lead, &crew, threads)?;
    Ok(outcome)
}

/// The leading thread and its helpers.
fn run(mut lead: Lead<'_, '_>, crew: &Crew<'_>, threads: usize) -> Result<(), RunError> {
    std::thread::scope(|scope| {
        // Also when something panics here: the scope waits for the helpers.
        let _dismissal = Dismissal(crew);
        for seat in 1..threads {
            throng_core::spawn_scoped(scope, &format!("simulating-{seat}"), move || crew.help(seat))?;
        }
        lead.run()
    })
}

/// Sends the helpers home when it goes.
struct Dismissal<'r, 'a>(&'r Crew<'a>);

impl Drop for Dismissal<'_, '_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

/// The executor numbers some things with few bits.
fn check_size(scenario: &Scenario) -> Result<(), RunError> {
    let population = &scenario.population;
    let longest = population.legs.route_len.iter().copied().max().unwrap_or(0);
    let limits = [
        ("vehicle types", scenario.vehicles.types.len() as u64, MAX_KINDS as u64),
        ("links of one route", u64::from(longest), MAX_ROUTE_LINKS as u64),
        ("links of all routes", population.route_links.len() as u64, MAX_POSITIONS),
    ];
    for (what, found, limit) in limits {
        if found > limit {
            return Err(RunError::TooLarge { what, found, limit });
        }
    }
    Ok(())
}

/// More than one thread only where the result cannot depend on it.
fn usable_threads(scenario: &Scenario, asked: usize) -> (usize, Option<&'static str>) {
    let asked = asked.clamp(1, scenario.network.nodes().clamp(1, 1024));
    if asked == 1 {
        return (1, None);
    }
    if scenario.settings.throng.node_random == NodeRandom::Java {
        return (1, Some("throng.nodeRandom=java draws from one common stream of random numbers"));
    }
    if shares_vehicles(scenario) {
        return (1, Some("some vehicles are used by more than one person, and who comes first must stay certain"));
    }
    (asked, None)
}

/// How often each link is driven: what partitions balance. Empty for a single partition, which needs no balance.
fn link_weights(scenario: &Scenario, threads: usize) -> Vec<u64> {
    if threads == 1 {
        return Vec::new();
    }
    let mut weights = vec![1u64; scenario.network.links()];
    for &link in &scenario.population.route_links {
        if let Some(weight) = weights.get_mut(link as usize) {
            *weight += 1;
        }
    }
    weights
}

/// A fresh generator of the seed; a controller re-seeds before each iteration and discards one draw.
fn java_random(scenario: &Scenario) -> JavaRandom {
    let settings = &scenario.settings;
    if settings.throng.java_seeding == JavaSeeding::Fresh {
        return JavaRandom::new(settings.global.random_seed);
    }
    let seed = settings.global.random_seed.wrapping_add(i64::from(settings.controller.first_iteration));
    let mut random = JavaRandom::new(seed);
    random.next_double();
    random
}
