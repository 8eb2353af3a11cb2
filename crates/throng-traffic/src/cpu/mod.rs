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
mod clock;
mod context;
mod crew;
mod exchange;
mod finish;
mod layout;
mod lead;
mod link;
mod links;
mod nodes;
mod order;
mod partition;
mod vehicle;

use throng_core::{NONE, NoProgress, Progress};

use crate::RunError;
use crate::events::EventSink;
use crate::rules::activity_end::activity_end;
use crate::rules::java_random::JavaRandom;
use crate::scenario::{PlanElement, RouteKind, Scenario};
use crate::settings::{JavaSeeding, NodeRandom, StartInterpretation};
use crate::stats::RunStats;

use agents::AtActivity;
use clock::Clock;
use context::Context;
use crew::Crew;
use exchange::Post;
use layout::Layout;
use lead::{End, Lead};
use partition::Partition;
use vehicle::{MAX_KINDS, MAX_POSITIONS, MAX_ROUTE_LINKS};

/// How to run a scenario, apart from its settings.
pub struct RunOptions<'a> {
    /// Threads, at least 1. The result does not depend on it.
    pub threads: usize,
    /// Stop after this many steps, counted with those that are skipped because nothing is due.
    pub max_steps: Option<u64>,
    /// Record the state hash every this many steps; 0 never.
    pub hash_every: u64,
    /// Told how far the run is.
    pub progress: &'a dyn Progress,
    /// Visit each link that is not empty in every step, as MATSim does, instead of letting it sleep until something is
    /// due. The result is the same; for tests.
    pub eager: bool,
    /// Share out even steps in which there is so little to do that one thread alone is faster. The result is the same;
    /// for tests.
    pub always_shared: bool,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self { threads: 1, max_steps: None, hash_every: 0, progress: &NoProgress, eager: false, always_shared: false }
    }
}

/// The state hash after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HashAt {
    /// Step, counted from 0.
    pub step: u64,
    /// Time of the step, seconds of the day.
    pub time: f64,
    /// Order-free hash over all vehicles in traffic and all agents at finite activities or teleported.
    pub hash: u64,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOutcome {
    /// Counters.
    pub stats: RunStats,
    /// Threads that were used.
    pub threads: usize,
    /// Why fewer threads than asked for were used.
    pub threads_note: Option<&'static str>,
    /// Time of the first step, seconds of the day.
    pub start_time: f64,
    /// Time of the last step, seconds of the day.
    pub end_time: f64,
    /// State hashes, as asked for.
    pub hashes: Vec<HashAt>,
    /// Agents who would have waited for ever: for a vehicle that never came, or behind a link without capacity.
    pub waiting_for_ever: u64,
}

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
    check_size(scenario)?;
    let (threads, threads_note) = usable_threads(scenario, options.threads);
    let mut outcome = RunOutcome { threads, threads_note, ..RunOutcome::default() };
    let weights = link_weights(scenario, threads);
    let layout = Layout::new(&scenario.network, threads, |link| weights.get(link as usize).copied().unwrap_or(1));
    let ctx = Context::new(scenario, &layout, (sink.wants_events(), options.eager));
    check_places(&ctx)?;

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
            let helper = std::thread::Builder::new().spawn_scoped(scope, move || crew.help(seat));
            helper.map_err(|error| RunError::NoThread(error.to_string()))?;
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

/// Plans must begin on a link, and teleported legs end on one.
fn check_places(ctx: &Context<'_>) -> Result<(), RunError> {
    let Scenario { population, network, .. } = ctx.scenario;
    let is_link = |link: u32| (link as usize) < network.links();
    for person in 0..population.persons() as u32 {
        let begins = match population.plan(person).next() {
            Some(PlanElement::Activity(a)) => is_link(population.activities.link[a as usize]),
            _ => true,
        };
        let ends = population.plan(person).all(|element| match element {
            PlanElement::Leg(l) if population.legs.route[l as usize] != RouteKind::Missing => {
                let legs = &population.legs;
                ctx.is_main(legs.mode[l as usize]) || is_link(legs.end_link[l as usize])
            }
            _ => true,
        });
        if !(begins && ends) {
            return Err(RunError::NoLink { person: population.person_ids.name(person).to_owned() });
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

fn shares_vehicles(scenario: &Scenario) -> bool {
    let population = &scenario.population;
    let mut user = vec![NONE; scenario.vehicles.ids.len()];
    for person in 0..population.persons() as u32 {
        for element in population.plan(person) {
            let PlanElement::Leg(leg) = element else { continue };
            if let Some(user) = user.get_mut(population.legs.vehicle[leg as usize] as usize) {
                if *user != NONE && *user != person {
                    return true;
                }
                *user = person;
            }
        }
    }
    false
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

/// The first activity of every plan with its end; an agent whose first activity is also its last never leaves.
fn first_activities(scenario: &Scenario) -> Vec<AtActivity> {
    let population = &scenario.population;
    let interpretation = scenario.settings.plans.activity_duration_interpretation;
    let mut agents = Vec::with_capacity(population.persons());
    for person in 0..population.persons() as u32 {
        let plan = population.plan_range(person);
        if plan.is_empty() {
            continue;
        }
        let PlanElement::Activity(activity) = population.element(plan.start) else { continue };
        let a = activity as usize;
        let end = if plan.len() == 1 {
            f64::INFINITY
        } else {
            let (end, duration) = (population.activities.end_time[a], population.activities.max_duration[a]);
            activity_end(end, duration, 0.0, interpretation)
        };
        agents.push(AtActivity { end, person, element: plan.start, link: population.activities.link[a] });
    }
    agents
}

/// `None` when nobody ever leaves.
fn start_time(scenario: &Scenario, agents: &[AtActivity]) -> Option<f64> {
    let configured = scenario.settings.qsim.start_time.unwrap_or(0.0);
    let earliest = agents.iter().map(|a| a.end).fold(f64::INFINITY, f64::min);
    let start = match scenario.settings.qsim.start_interpretation {
        StartInterpretation::MaxOfStarttimeAndEarliestActivityEnd => configured.max(earliest).floor(),
        StartInterpretation::OnlyUseStarttime => configured,
    };
    (start.is_finite() && earliest.is_finite()).then_some(start)
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
