//! Which rules hold for agents.

use rayon::prelude::*;

use crate::routing::{Crowd, Nearby};
use crate::scenario::Scenario;
use crate::scenario::agents::Group;
use crate::scenario::rules::{Near, Who};
use crate::{Entity, FieldError, Grid};

/// What a rule may look for: an agent or an entity.
#[derive(Debug, Clone, Copy)]
struct Seen {
    team: Option<usize>,
    group: Option<usize>,
}

/// What an agent is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision {
    pub group: usize,
    pub agent: usize,
    /// 0 without a rule, else one more than the number of the rule; `None`: it leaves the map.
    pub course: Option<u8>,
    /// Whether the condition of the rule holds now; if not, the agent keeps to it for a while.
    pub holds: bool,
}

/// The decisions of the agents that are on the map. Only groups with rules decide. `last_true` has the time at which the
/// condition of an agent's rule was last true, for each group and agent.
pub(super) fn decisions(
    scenario: &Scenario,
    crowds: &[Crowd<'_>],
    entities: &[Entity],
    last_true: &[Vec<f64>],
    now: f64,
) -> Result<Vec<Decision>, FieldError> {
    let groups = &scenario.groups;
    if groups.iter().all(|group| group.rules.is_empty()) {
        return Ok(Vec::new());
    }
    let mut seen = Vec::new();
    let mut points = Vec::new();
    let mut deciding = Vec::new();
    for (number, (crowd, group)) in crowds.iter().zip(groups).enumerate() {
        for (agent, at) in crowd.present() {
            if !group.rules.is_empty() {
                deciding.push((number, agent, seen.len()));
            }
            seen.push(Seen { team: group.team, group: Some(number) });
            points.push(at);
        }
    }
    let near = groups.iter().flat_map(|group| &group.rules).filter_map(|rule| rule.near);
    // A single entity needs no search.
    let searched = near.filter(|near| !matches!(near.who, Who::Entity(_)));
    let reach = searched.map(|near| near.within).reduce(f32::max);
    let [low, high] = extent(scenario.grid(), reach.unwrap_or(0.0).into());
    let is_in_reach = |at: [f64; 2]| (0..2).all(|axis| (low[axis]..=high[axis]).contains(&at[axis]));
    for (figure, entity) in scenario.figures.iter().zip(entities) {
        if !is_in_reach(entity.position) {
            continue;
        }
        seen.push(Seen { team: figure.team.map(|(team, _)| team), group: None });
        points.push(entity.position.map(|at| at as f32));
    }
    let nearby = reach.map(|reach| Nearby::new(scenario.grid(), &points, reach)).transpose()?;
    let holds = |near: &Near, group: &Group, number: usize| {
        let [x, y] = points[number];
        if let Who::Entity(entity) = near.who {
            let [dx, dy] =
                [0, 1].map(|axis: usize| (entities[entity].position[axis] - f64::from(points[number][axis])) as f32);
            return near.at_least == 1 && dx * dx + dy * dy <= near.within * near.within;
        }
        let is_meant = |other: &usize| {
            let seen = seen[*other];
            *other != number
                && match near.who {
                    Who::Enemy => seen.team.is_some() && seen.team != group.team,
                    Who::Team(team) => seen.team == Some(team),
                    Who::Group(group) => seen.group == Some(group),
                    Who::Entity(_) => false,
                }
        };
        let is_near = |other: &usize| {
            let [dx, dy] = [points[*other][0] - x, points[*other][1] - y];
            dx * dx + dy * dy <= near.within * near.within
        };
        let around = nearby.iter().flat_map(|nearby| nearby.around(points[number]));
        let found = around.filter(is_meant).filter(is_near);
        found.take(near.at_least as usize).count() == near.at_least as usize
    };
    // A thousandth of a step: multiples of the time step are not exact.
    let rounding = 1e-3 * scenario.time_step;
    let decide = |&(number, agent, place): &(usize, usize, usize)| {
        let group = &groups[number];
        let current = crowds[number].course(agent).unwrap_or(0);
        let decision = |course, holds| Decision { group: number, agent, course, holds };
        for (course, rule) in (1..=u8::MAX).zip(&group.rules) {
            let (from, until) = rule.times;
            let in_time = (from..until).contains(&(now + rounding));
            let holds = in_time && rule.near.as_ref().is_none_or(|near| holds(near, group, place));
            if holds || course == current && now + rounding < last_true[number][agent] + rule.keep {
                return decision(rule.behaviour.is_some().then_some(course), holds);
            }
        }
        decision(Some(0), false)
    };
    Ok(deciding.par_iter().map(decide).collect())
}

/// The corners of a map that is longer by `margin` on each side.
fn extent(grid: &Grid, margin: f64) -> [[f64; 2]; 2] {
    let [x, y] = grid.origin();
    let [width, height] = [grid.columns(), grid.rows()].map(|cells| f64::from(cells) * f64::from(grid.cell()));
    [[x - margin, y - margin], [x + width + margin, y + height + margin]]
}
