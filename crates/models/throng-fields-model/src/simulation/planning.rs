//! Agents that plan: each chooses one of its goals as its action, by the worth of the goal and its travel time.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_device::Error;
use throng_fields_core::routing::{Crowd, FlowField, Ground, Planner};
use throng_fields_scenario::Scenario;
use throng_fields_scenario::behaviour::Guidance;
use throng_fields_scenario::groups::Group;
use throng_fields_scenario::planners::Worth;

use super::agents::Turn;
use super::layers::Layers;
use super::paths::{Destination, Paths};

/// The actions among which the agents of a behaviour choose.
struct Plan<'p> {
    planner: Planner,
    /// The ground of agents without an action.
    ground: &'p Ground,
    /// The goals, ascending, the course to each, and its worth with the flow field to it.
    goals: Vec<usize>,
    courses: Vec<u16>,
    actions: Vec<(f64, &'p FlowField)>,
}

/// An agent that chooses, or turns to a behaviour without a planner.
struct Choosing {
    agent: usize,
    behaviour: u8,
    /// The turn that leads to the behaviour; `None` if the agent only reconsiders.
    begins_again: Option<bool>,
}

/// Lets the agents of a group choose their actions: those that turn to a behaviour with a planner; those without an
/// action; and those whose paths, goals (`changed`, per course) or worths have changed. Agents that have arrived keep
/// their action as long as its goal is one of their goals. Replaces the `turns` of the group.
pub(super) fn plan(
    (scenario, number, crowd): (&Scenario, usize, &Crowd<'_>),
    (destinations, changed): (&[Destination], &[bool]),
    (paths, layers): (&Paths<'_>, &Layers<'_>),
    turns: &mut Vec<Turn>,
) -> Result<(), Error> {
    let group = &scenario.groups[number];
    if group.behaviours().all(|behaviour| behaviour.planner.is_none()) {
        return Ok(());
    }
    let of_course = |agent: usize| group.courses[usize::from(crowd.course(agent).unwrap_or(0))];
    let mut turning: BTreeMap<usize, (u8, bool)> = BTreeMap::new();
    turns.retain(|turn| {
        let moves = turn.group == number && crowd.is_present(turn.agent);
        if moves {
            // The last turn of an agent takes precedence.
            let begins_again = turning.get(&turn.agent).is_some_and(|(_, again)| *again) || turn.begins_again;
            turning.insert(turn.agent, (group.courses[usize::from(turn.course)].behaviour, begins_again));
        }
        !moves
    });
    let due: Vec<bool> =
        (0..=group.rules.len() as u8).map(|behaviour| is_due(group, behaviour, destinations, changed, paths)).collect();
    let choosing = crowd.present().filter_map(|(agent, _)| {
        let (now, turn) = (of_course(agent), turning.get(&agent));
        let behaviour = turn.map_or(now.behaviour, |(behaviour, _)| *behaviour);
        let plans = group.behaviour(behaviour).planner.is_some();
        let reconsiders = plans && (due[usize::from(behaviour)] || now.action.is_none());
        (turn.is_some() || reconsiders).then_some(Choosing { agent, behaviour, begins_again: turn.map(|turn| turn.1) })
    });
    let choosing: Vec<Choosing> = choosing.collect();
    let mut plans: Vec<Option<Plan<'_>>> = Vec::new();
    for behaviour in 0..=group.rules.len() as u8 {
        let is_used = choosing.iter().any(|choosing| choosing.behaviour == behaviour);
        let planner = group.behaviour(behaviour).planner.filter(|_| is_used);
        let plan = planner.map(|planner| made(scenario, (group, behaviour, planner), destinations, paths, layers));
        plans.push(plan.transpose()?);
    }
    let arrived: Vec<bool> = crowd.arrivals().map(|arrival| arrival.is_some()).collect();
    let choose = |Choosing { agent, behaviour, begins_again }: Choosing| {
        let mut course = u16::from(behaviour);
        if let Some(plan) = &plans[usize::from(behaviour)] {
            let current = of_course(agent).action.and_then(|goal| plan.goals.binary_search(&goal).ok());
            let choice = match current {
                Some(current) if arrived[agent] => Some(current),
                _ => plan.planner.choose(&plan.actions, crowd.path_cell(agent, plan.ground)?, current),
            };
            course = choice.map_or(course, |choice| plan.courses[choice]);
        }
        let turns = begins_again.is_some() || crowd.course(agent) != Some(course);
        turns.then_some(Turn { group: number, agent, course, begins_again: begins_again == Some(true) })
    };
    turns.par_extend(choosing.into_par_iter().filter_map(choose));
    Ok(())
}

/// Whether the agents of a behaviour reconsider their actions in this step.
fn is_due(group: &Group, behaviour: u8, destinations: &[Destination], changed: &[bool], paths: &Paths<'_>) -> bool {
    let Guidance::Flow(flow) = group.behaviour(behaviour).guidance else { return false };
    let courses = group.courses.iter().zip(destinations).zip(changed);
    let mut own = courses.filter(|((course, _), _)| course.behaviour == behaviour);
    paths.has_new_worths(flow) || own.any(|((_, destination), changed)| *changed || paths.is_new(destination, flow))
}

/// Returns the actions of a behaviour.
fn made<'p>(
    scenario: &Scenario,
    (group, behaviour, planner): (&Group, u8, Planner),
    destinations: &[Destination],
    paths: &'p Paths<'_>,
    layers: &Layers<'_>,
) -> Result<Plan<'p>, Error> {
    let ground = paths.ground(&destinations[usize::from(behaviour)]);
    let mut plan = Plan { planner, ground, goals: Vec::new(), courses: Vec::new(), actions: Vec::new() };
    let Guidance::Flow(flow) = group.behaviour(behaviour).guidance else { return Ok(plan) };
    for (course, (of_group, destination)) in (0..=u16::MAX).zip(group.courses.iter().zip(destinations)) {
        let Some(goal) = of_group.action.filter(|_| of_group.behaviour == behaviour) else { continue };
        // Without a flow field, the goal is not one of the agents' goals at present.
        let Some(flow) = paths.flow(destination, flow) else { continue };
        let worth = worth(&scenario.goals[goal].worth, paths.ground(destination), layers)?;
        plan.goals.push(goal);
        plan.courses.push(course);
        plan.actions.push((worth, flow));
    }
    Ok(plan)
}

/// The worth of the goal of a ground: with the mean of a field over the cells in which agents arrive. Cells are added
/// row by row, so the result does not depend on the number of threads.
fn worth(worth: &Worth, ground: &Ground, layers: &Layers<'_>) -> Result<f64, Error> {
    let Some((field, weight)) = worth.field else { return Ok(worth.constant) };
    let (field, grid) = (layers.field_of(field)?, ground.grid());
    let (mut sum, mut cells) = (0.0, 0.0f64);
    for (column, row) in ground.goals().cells() {
        sum += f64::from(field.values()[grid.index(column, row)]);
        cells += 1.0;
    }
    Ok(worth.constant + weight * sum / cells.max(1.0))
}
