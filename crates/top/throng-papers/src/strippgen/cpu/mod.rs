//! The reference implementation: one thread, plain and readable Rust.

mod move_vehicles;
mod step;

use std::time::{Duration, Instant};

use super::layouts::{Aos, AosAgents, Ring, Soa, SoaAgents};
use super::model::Model;
use super::state::State;
use super::variant::{Layout, Variant};

use move_vehicles::Sources;
use step::Simulation;

/// The final state of a run, and its duration.
#[derive(Debug, Clone)]
pub struct CpuRun {
    /// The state after the last step.
    pub state: State,
    /// Wall-clock time of the steps only.
    pub wall: Duration,
}

/// The method of finding departing agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departures {
    /// Scan all agents in every step, as the paper does.
    Scan,
    /// Use a list per second, as the paper proposes.
    Calendar,
}

/// Makes `steps` steps, starting at `state`.
///
/// ```
/// use throng_papers::strippgen::{Departures, Model, State, Variant, cpu_run};
/// use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 100.0, 0.0).node("c", 200.0, 0.0)
///     .link("ab", "a", "b", 100.0, 10.0, 3600.0, 1.0)
///     .link("bc", "b", "c", 100.0, 10.0, 3600.0, 1.0)
///     .build()?;
/// let scenario = ScenarioBuilder::new(network)
///     .person("1", |plan| plan.until("h", "ab", 60.0).drive("car", &["ab", "bc"]).stay("w", "bc"))
///     .build()?;
/// let model = Model::new(&scenario, 100.0, 1)?;
/// let home = State::at_home(&model.roads, &model.plans, 59);
/// let after = |steps| cpu_run(&model, &home, Variant::RING_NODES, Departures::Scan, steps).state;
/// // 10 s on each link, plus one step: enters at 60, crosses the node at 71, arrives at 82.
/// assert_eq!(after(22).legs_ended(&model.plans), 0);
/// assert_eq!(after(23).legs_ended(&model.plans), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cpu_run(model: &Model, state: &State, variant: Variant, departures: Departures, steps: u32) -> CpuRun {
    let calendar = departures == Departures::Calendar;
    match variant.layout {
        Layout::Aos => one_phase(Simulation::<Aos, AosAgents>::new(model, state, calendar), variant.nodes, steps),
        Layout::Soa => one_phase(Simulation::<Soa, SoaAgents>::new(model, state, calendar), variant.nodes, steps),
        Layout::Ring => {
            let simulation = Simulation::<Ring, SoaAgents>::new(model, state, calendar);
            if variant.indices_first {
                two_phases(simulation, variant.nodes, steps)
            } else {
                one_phase(simulation, variant.nodes, steps)
            }
        }
    }
}

fn one_phase<Q, A>(mut simulation: Simulation<'_, Q, A>, nodes: bool, steps: u32) -> CpuRun
where
    Q: super::layouts::Fifo,
    A: super::layouts::Agents,
{
    let since = Instant::now();
    for _ in 0..steps {
        simulation.begin_step();
        simulation.activities();
        simulation.move_links();
        if nodes { simulation.move_nodes() } else { simulation.move_buffers() }
    }
    CpuRun { wall: since.elapsed(), state: simulation.save() }
}

fn two_phases(mut simulation: Simulation<'_, Ring, SoaAgents>, nodes: bool, steps: u32) -> CpuRun {
    let mut sources = Sources::new(&simulation);
    let since = Instant::now();
    for _ in 0..steps {
        simulation.begin_step();
        simulation.activities();
        simulation.move_links();
        if nodes {
            sources.note_nodes(&mut simulation);
        } else {
            sources.note_buffers(&mut simulation);
        }
        sources.move_vehicles(&mut simulation);
    }
    CpuRun { wall: since.elapsed(), state: simulation.save() }
}

#[cfg(test)]
mod tests;
