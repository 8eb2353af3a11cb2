//! Evaluation of the rules of agents.

use rayon::prelude::*;
use throng_core::InputError;
use throng_fields_core::Entity;
use throng_fields_core::routing::{Crowd, Nearby};
use throng_fields_scenario::Scenario;
use throng_fields_scenario::agent_rules::{Near, NearTarget};
use throng_fields_scenario::groups::Group;
use throng_pictures::Grid;

/// An agent or entity that rules may detect.
#[derive(Debug, Clone, Copy)]
struct Seen {
    team: Option<usize>,
    group: Option<usize>,
}

/// The outcome of an agent's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision {
    pub group: usize,
    pub agent: usize,
    /// The index of its behaviour: 0 without a rule, else one plus the index of the rule. `None` if the agent leaves
    /// the map.
    pub behaviour: Option<u8>,
}

/// An agent whose rules are evaluated.
struct Deciding<'t> {
    group: usize,
    agent: usize,
    /// The agent's index in `seen`.
    place: usize,
    /// For each rule that stays in force for a while, the time at which its condition last held.
    last_held: &'t mut [f64],
}

/// The decisions of the agents on the map. Only groups with rules decide. `last_held` has, per group, one entry per
/// agent and rule that stays in force for a while: the time at which the rule's condition last held. It is updated.
pub(super) fn decisions(
    scenario: &Scenario,
    crowds: &[Crowd<'_>],
    entities: &[Entity],
    last_held: &mut [Vec<f64>],
    now: f64,
) -> Result<Vec<Decision>, InputError> {
    let groups = &scenario.groups;
    if groups.iter().all(|group| group.rules.is_empty()) {
        return Ok(Vec::new());
    }
    let mut seen = Vec::new();
    let mut points = Vec::new();
    let mut deciding = Vec::new();
    for (number, ((crowd, group), last_held)) in crowds.iter().zip(groups).zip(last_held).enumerate() {
        let kept = group.kept_rules();
        let (mut rest, mut next) = (last_held.as_mut_slice(), 0);
        for (agent, at) in crowd.present() {
            if !group.rules.is_empty() {
                let (_, from) = std::mem::take(&mut rest).split_at_mut((agent - next) * kept);
                let (last_held, after) = from.split_at_mut(kept);
                (rest, next) = (after, agent + 1);
                deciding.push(Deciding { group: number, agent, place: seen.len(), last_held });
            }
            seen.push(Seen { team: group.team, group: Some(number) });
            points.push(at);
        }
    }
    let near = groups.iter().flat_map(|group| &group.rules).filter_map(|rule| rule.near);
    // A single entity needs no search.
    let searched = near.filter(|near| !matches!(near.who, NearTarget::Entity(_)));
    let reach = searched.map(|near| near.within).reduce(f32::max);
    let [low, high] = extent(scenario.grid(), reach.unwrap_or(0.0).into());
    let is_in_reach = |at: [f64; 2]| (0..2).all(|axis| (low[axis]..=high[axis]).contains(&at[axis]));
    for (mapped, entity) in scenario.entities.iter().zip(entities) {
        if !is_in_reach(entity.position) {
            continue;
        }
        seen.push(Seen { team: mapped.team.map(|(team, _)| team), group: None });
        points.push(entity.position.map(|at| at as f32));
    }
    let nearby = reach.map(|reach| Nearby::new(scenario.grid(), &points, reach)).transpose()?;
    let holds = |near: &Near, group: &Group, number: usize| {
        let [x, y] = points[number];
        if let NearTarget::Entity(entity) = near.who {
            let [dx, dy] =
                [0, 1].map(|axis: usize| (entities[entity].position[axis] - f64::from(points[number][axis])) as f32);
            return near.at_least == 1 && dx * dx + dy * dy <= near.within * near.within;
        }
        let is_meant = |other: &usize| {
            let seen = seen[*other];
            *other != number
                && match near.who {
                    NearTarget::Enemy => seen.team.is_some() && seen.team != group.team,
                    NearTarget::Team(team) => seen.team == Some(team),
                    NearTarget::Group(group) => seen.group == Some(group),
                    NearTarget::Entity(_) => false,
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
    // 1/1000 of a step, because multiples of the time step are not exact.
    let rounding = 1e-3 * scenario.time_step;
    let decide = |Deciding { group: number, agent, place, last_held }: Deciding<'_>| {
        let group = &groups[number];
        let mut last_held = last_held.iter_mut();
        let mut first = None;
        for (behaviour, rule) in (1..=u8::MAX).zip(&group.rules) {
            // Rules that stay in force for a while are evaluated even if an earlier one applies.
            if first.is_some() && rule.keep == 0.0 {
                continue;
            }
            let (from, until) = rule.times;
            let in_time = (from..until).contains(&(now + rounding));
            let mut applies = in_time && rule.near.as_ref().is_none_or(|near| holds(near, group, place));
            if rule.keep > 0.0
                && let Some(last_held) = last_held.next()
            {
                if applies {
                    *last_held = now;
                }
                applies |= now + rounding < *last_held + rule.keep;
            }
            if applies {
                first.get_or_insert(rule.behaviour.is_some().then_some(behaviour));
            }
        }
        Decision { group: number, agent, behaviour: first.unwrap_or(Some(0)) }
    };
    Ok(deciding.into_par_iter().map(decide).collect())
}

/// The corners of the map, extended by `margin` on each side.
fn extent(grid: &Grid, margin: f64) -> [[f64; 2]; 2] {
    let [x, y] = grid.origin();
    let [width, height] = [grid.columns(), grid.rows()].map(|cells| f64::from(cells) * f64::from(grid.cell()));
    [[x - margin, y - margin], [x + width + margin, y + height + margin]]
}
