//! The verification cases of the social field model, for every executor.

mod bodies;
mod exact;
mod executor;
#[cfg(test)]
mod mutants;
mod rooms;
mod streams;

use throng_model::prelude::*;

use super::super::start::Flow;
use super::scenario::Scenario;
use super::{Crowd, SocialFieldModel};
use executor::CaseExecutor;

verification_cases! {
    "pedestrians are conserved", exact::conservation, "each has a space unit of its own after 200 ticks in a crowd";
    "steps are short", exact::short_steps, "no step is longer than a space unit, or earlier than the walk period";
    "states by definition", exact::same_as_definition, "state hash after 60 ticks, computed pedestrian by pedestrian";
    "definition with rooms", exact::rooms_as_definition,
        "the same after 120 ticks with exits, an entry, a door, exchanges, and fields of exits and walls";
    "definition with traces", exact::traces_as_definition, "the same after 20 ticks with traces, read in cones";
    "definition with bodies", bodies::constant_as_definition, "the same with bodies of up to 2 x 3 space units";
    "definition with squeezing", bodies::changing_as_definition, "the same with bodies that change their size";
    "a narrow gap", bodies::narrow_gap,
        "a body of 2 x 3 in front of a gap of two rows, after 14 and 30 ticks";
    "bodies do not overlap", bodies::no_overlaps, "in all states of 60 ticks of a crowd that squeezes and grows back";
    "directions are equal", exact::turned_world,
        "worlds turned by 90° have the same states, bit for bit: three sector maps, and fields of 7, 9 and 15";
    "places are equal", exact::shifted_world, "the same for periodic worlds that are shifted";
    "rule 184", exact::rule_184, "one lane without fields: the flow is the smaller of density and 1 - density";
    "walk periods", exact::walk_periods, "a single pedestrian makes one step per walk period";
    "a full world", exact::full_world, "no pedestrian moves until one is removed; then one per tick";
    "an empty world", exact::empty_world, "ticks pass without pedestrians";
    "free flow", exact::free_flow, "at a density of 0.1 in one direction all walk at full speed";
    "flow in one direction", streams::one_direction, streams::ONE_DIRECTION;
    "flow in two and four directions", streams::two_and_four_directions, streams::TWO_AND_FOUR;
    "flow in eight directions", streams::eight_directions, streams::EIGHT_DIRECTIONS;
    "gridlock", streams::gridlock, streams::GRIDLOCK;
    "headings are equally fast", streams::isotropy, streams::ISOTROPY;
    "lanes form", streams::lanes_form,
        "opposite streams separate into rows: order at 0.3, minus that of shuffled headings";
    "lanes need the oncoming field", streams::lanes_need_the_oncoming_field, streams::ABLATIONS;
    "equal speeds", streams::equal_speeds,
        "with equal_speeds and walk period 5, ratio of the speeds on diagonals and axes";
    "wide doors are quicker", rooms::door_widths,
        "ticks in which 100 persons leave through 1, 2 and 4 space units (mean and extremes of 10 seeds)";
    "one at a time", rooms::one_at_a_time,
        "minimum ticks between two pedestrians that leave through the same space unit";
    "exits by crowding", rooms::exits_by_crowding, "a crowd at one exit also uses a farther one";
}

/// Simulates a crowd for `ticks` ticks.
fn after(on: &dyn CaseExecutor, scenario: &Scenario, crowd: Crowd, ticks: u32) -> Result<Crowd, Failure> {
    let mut executor = on.begin(scenario, crowd)?;
    for _ in 0..ticks {
        executor.step()?;
    }
    executor.state()
}

/// Returns all states of a crowd, from the initial one.
fn course(on: &dyn CaseExecutor, scenario: &Scenario, ticks: u32) -> Result<Vec<Crowd>, Failure> {
    let mut executor = on.begin(scenario, SocialFieldModel::start(scenario)?)?;
    let mut states = vec![executor.state()?];
    for _ in 0..ticks {
        executor.step()?;
        states.push(executor.state()?);
    }
    Ok(states)
}

/// Returns a periodic world with a crowd.
fn crowd(side_su: u32, density: f64, headings: Flow) -> Scenario {
    Scenario { width_su: side_su, height_su: side_su, density, headings, ..Scenario::default() }
}

/// Returns the number of pedestrians at another position.
fn moved(before: &Crowd, after: &Crowd) -> usize {
    before.pedestrians.at.iter().zip(&after.pedestrians.at).filter(|(before, after)| before != after).count()
}
