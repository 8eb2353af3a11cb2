//! The CPU executor: plain Rust, with one partition of the network per thread.
//!
//! A step has four phases: agents whose activity is over depart; vehicles cross nodes; links are stepped; teleported
//! agents arrive. Only nodes, links and agents with something to do are visited, and steps in which nothing is due are
//! skipped. Links that wait for time or flow capacity sleep. When they wake, the additions to their accumulators that
//! MATSim would have made in the meantime are applied one by one.
//!
//! Each partition owns a range of nodes and their in-links. Vehicles that cross into another partition are sent through
//! mailboxes that are emptied in a later phase, and so is capacity that becomes free on a link whose start node is in
//! another partition. Hence the result does not depend on the number of partitions. `coordinator` advances from step to
//! step; `worker_pool` executes each phase on all partitions.

mod activation_order;
mod active_set;
mod agent;
mod agents;
mod calendar;
mod changes;
mod context;
mod coordinator;
mod finish;
mod holes;
mod journey;
mod link;
mod links;
mod mailboxes;
mod nodes;
mod partition;
mod phase;
mod transit;
mod upstream_state;
mod vehicle;
mod worker_pool;

use crate::pacing::Pacing;
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::Clock;
use crate::prepare::end::End;
use crate::prepare::first_activities::{first_activities, start_time};
use crate::prepare::layout::Layout;
use crate::vehicle_uses::{VehicleUses, followed_vehicles, needs_one_thread};
use crate::{RunError, RunOptions, RunOutcome};
use throng_core::JavaRandom;
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;
use throng_traffic_scenario::settings::{JavaSeeding, NodeRandom};

use context::Context;
use coordinator::Coordinator;
use mailboxes::Mailboxes;
use partition::Partition;
use vehicle::{MAX_KINDS, MAX_POSITIONS, MAX_ROUTE_LINKS};
use worker_pool::WorkerPool;

/// Runs `scenario` to the end and passes its events to `sink`. [`Running`](crate::Running) does the same step by step.
///
/// # Errors
/// The scenario is invalid or too large for the executor's index types, an agent is in a situation that MATSim also
/// treats as fatal, the sink fails, or a thread cannot be started or panics.
pub fn simulate(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
) -> Result<RunOutcome, RunError> {
    run(scenario, sink, options, &mut Pacing::without_pauses())
}

/// Runs `scenario` with the pauses of `pacing`.
pub(crate) fn run(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
) -> Result<RunOutcome, RunError> {
    let scenario = CheckedScenario::new(scenario)?.get();
    check_size(scenario)?;
    let followed = followed_vehicles(scenario);
    let mut uses = VehicleUses::new(scenario, &followed, sink);
    let result = run_checked(scenario, &followed, &mut uses, options, pacing);
    uses.finish(result)
}

fn run_checked(
    scenario: &Scenario,
    followed: &[u32],
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
) -> Result<RunOutcome, RunError> {
    let (threads, threads_note) = usable_threads(scenario, options.threads);
    let mut outcome = RunOutcome { threads, threads_note, ..RunOutcome::default() };
    let weights = link_weights(scenario, threads);
    let layout = Layout::new(&scenario.network, threads, |link| weights.get(link as usize).copied().unwrap_or(1));
    let ctx = Context::new(scenario, &layout, followed, sink.wants_events(), options);

    let agents = first_activities(scenario);
    let Some(start) = start_time(scenario, &agents) else { return Ok(outcome) };
    let clock = Clock::new(start, scenario.settings.qsim.time_step_s);
    let mailboxes = Mailboxes::new(threads);
    let mut parts: Vec<Partition<'_>> =
        (0..threads).map(|id| Partition::new(id, &ctx, &mailboxes, clock.clone(), java_random(scenario))).collect();
    for agent in agents {
        let owner = usize::from(layout.owner(layout.link_of[agent.link as usize]));
        if agent.end < f64::INFINITY {
            parts[owner].agents_under_way += 1;
            parts[owner].add_first_activity(agent);
        }
    }
    outcome.start_time = start;
    let pool = WorkerPool::new(parts);
    let end = End::of(scenario, options);
    let coordinator = Coordinator::new(&pool, clock, end, sink, &ctx.person_rank, options, &mut outcome);
    run_with_workers(coordinator, pacing, &pool, threads)?;
    Ok(outcome)
}

/// Runs the coordinator on this thread and a worker on each of the other threads.
fn run_with_workers(
    mut coordinator: Coordinator<'_, '_>,
    pacing: &mut Pacing<'_>,
    pool: &WorkerPool<'_>,
    threads: usize,
) -> Result<(), RunError> {
    std::thread::scope(|scope| {
        // The scope joins the workers, so they must end even if there is a panic here.
        let _shut_down = ShutDownOnDrop(pool);
        for slot in 1..threads {
            throng_core::spawn_scoped(scope, &format!("simulating-{slot}"), move || pool.run_worker(slot))?;
        }
        coordinator.run(pacing)
    })
}

/// Ends the workers when dropped.
struct ShutDownOnDrop<'r, 'a>(&'r WorkerPool<'a>);

impl Drop for ShutDownOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

/// Checks the limits of the index types with few bits.
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

/// Returns the number of threads for which the result is guaranteed to be the same, at most `wanted`, and the reason if
/// it is lower.
fn usable_threads(scenario: &Scenario, wanted: usize) -> (usize, Option<&'static str>) {
    let wanted = wanted.clamp(1, scenario.network.nodes().clamp(1, 1024));
    if wanted == 1 {
        return (1, None);
    }
    if scenario.settings.extensions.node_random == NodeRandom::Java {
        return (1, Some("throng.nodeRandom=java draws from one common stream of random numbers"));
    }
    match needs_one_thread(scenario) {
        Some(reason) => (1, Some(reason)),
        None => (wanted, None),
    }
}

/// Returns the weights by which partitions are balanced: 1 plus the traversals of each link. Empty for one partition,
/// which needs no balancing.
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

/// Returns MATSim's generator for the seed. MATSim's controller seeds it again before each iteration and discards one
/// draw.
fn java_random(scenario: &Scenario) -> JavaRandom {
    let settings = &scenario.settings;
    if settings.extensions.java_seeding == JavaSeeding::Fresh {
        return JavaRandom::new(settings.global.random_seed);
    }
    let seed = settings.global.random_seed.wrapping_add(i64::from(settings.controller.first_iteration));
    let mut random = JavaRandom::new(seed);
    random.next_double();
    random
}
