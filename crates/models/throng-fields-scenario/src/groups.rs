//! Groups of agents: their starts, their speeds, and their behaviour.

use std::collections::{BTreeSet, HashSet};

use throng_core::{Philox, Problems};
use throng_fields_core::Entity;
use throng_fields_core::routing::{Body, Crowd, Formation, Trail};
use throng_model::scenario_file::At;
use throng_pictures::Colour;

use crate::agent_rules::Rule;
use crate::agents::{AgentsTable, AtGoal};
use crate::areas::{area, check_has_open_cell};
use crate::behaviour::{Behaviour, Guidance};
use crate::goals::Choice;
use crate::names::Known;
use crate::passages::Passages;
use crate::planners::GroupCourse;
use crate::sight::View;
use crate::spawn::Entry;
use crate::terrain::Terrains;
use crate::value_checks::{accept, check_lengths};
use crate::{agent_rules, agents, behaviour, entities, formations, names, planners, sight, spawn};

/// Purposes of random draws.
mod purpose {
    pub const START: u32 = 100;
    pub const SPEED: u32 = 101;
}

/// Maximum number of rules of a group: including the course without a rule, course indices fit into a byte.
const MAX_RULES: usize = 255;

/// Agents with equal properties.
#[derive(Debug, Clone)]
pub struct Group {
    pub name: String,
    pub team: Option<usize>,
    /// The starts of all agents, including those that enter later.
    pub positions: Vec<[f32; 2]>,
    pub speeds: Vec<f32>,
    /// Number of agents when the run begins.
    pub at_first: usize,
    /// The entries of other agents, by time and by index of the agent.
    pub entries: Vec<Entry>,
    pub body: Body,
    /// Maximum area that bodies can cover at the start, in square units of length.
    pub start_area: f64,
    /// Index of the set of cells on which the bodies can walk.
    pub passage: usize,
    /// The behaviour of agents, unless a rule holds.
    pub behaviour: Behaviour,
    pub rules: Vec<Rule>,
    /// The courses of the agents: first the behaviours without an action, by index.
    pub courses: Vec<GroupCourse>,
    /// The formation of agents that follow no rule with other goals or another direction, before they have entered.
    pub formation: Option<Formation>,
    /// Whether they leave the map at a goal.
    pub leaves_at_goal: bool,
    /// The amplitude of the noise in the agents' perception of the field.
    pub noise: f32,
    /// The field that each agent carries, placed at the origin.
    pub carried: Option<Entity>,
    /// Amount that each agent emits into diffusing layers, per unit of time.
    pub emits: Vec<(usize, f32)>,
    /// The view of each agent, in layers of lines of sight.
    pub view: Option<View>,
    /// The strength of each agent as a source of influence of its team.
    pub strength: f32,
    pub colour: Colour,
}

impl Group {
    /// The behaviours of the agents: the one without a rule, and those of the rules.
    pub fn behaviours(&self) -> impl Iterator<Item = &Behaviour> {
        [&self.behaviour].into_iter().chain(self.rules.iter().filter_map(|rule| rule.behaviour.as_ref()))
    }

    /// The behaviour with an index: 0 applies without a rule, and `n` with rule `n - 1`.
    pub fn behaviour(&self, number: u8) -> &Behaviour {
        let of_rule = usize::from(number).checked_sub(1).and_then(|rule| self.rules.get(rule)?.behaviour.as_ref());
        of_rule.unwrap_or(&self.behaviour)
    }

    /// The goals that agents may choose as their actions, ascending; empty without a planner.
    pub fn planned_goals(&self) -> BTreeSet<usize> {
        self.courses.iter().filter_map(|course| course.action).collect()
    }

    /// The number of rules that stay in force for a while after their condition last held.
    pub fn kept_rules(&self) -> usize {
        self.rules.iter().filter(|rule| rule.keep > 0.0).count()
    }

    /// Whether any rule of the group removes agents from the map.
    pub fn removes(&self) -> bool {
        self.rules.iter().any(|rule| rule.behaviour.is_none())
    }
}

/// The parts of a scenario that groups refer to.
pub(crate) struct Surroundings<'a> {
    pub terrains: &'a Terrains,
    pub seed: i64,
    pub time_step: f64,
    pub steps: u32,
    /// The number of agents of each group that enter later; `None` if their schedule was rejected.
    pub schedules: &'a [Option<u32>],
    /// The colour of each group.
    pub colours: &'a [Colour],
    pub known: &'a Known<'a>,
}

/// Creates all groups, in order, and the sets of cells on which their bodies can walk.
pub(crate) fn groups(
    written: &mut [At<AgentsTable>],
    around: &Surroundings<'_>,
    problems: &mut Problems,
) -> (Vec<Group>, Passages) {
    let mut groups: Vec<Group> = Vec::new();
    let mut passages = Passages::new(around.terrains);
    let mut names = HashSet::new();
    let mut first = 0u32;
    for ((written, entering), colour) in written.iter_mut().zip(around.schedules).zip(around.colours) {
        if !names.insert(written.value.name.clone()) {
            problems.push(&written.place, "another group has this name", "give each group a unique name");
        }
        let Some(group) = group(written, (first, *entering), *colour, around, &mut passages, problems) else {
            continue;
        };
        check_speeds(&group, written, around, problems);
        // The sum fits: the agents of the group have indices.
        first += group.positions.len() as u32;
        groups.push(group);
    }
    (groups, passages)
}

/// Rejects agents that would cross too many cells in a step, at their own speed or at the speed of a rule.
fn check_speeds(group: &Group, written: &At<AgentsTable>, around: &Surroundings<'_>, problems: &mut Problems) {
    let time_step = around.time_step as f32;
    if !(time_step.is_finite() && time_step > 0.0) {
        return;
    }
    let (cells, fastest) = (Crowd::MAX_CELLS, group.speeds.iter().copied().fold(0.0, f32::max));
    let most = cells * around.terrains.ground(0).grid().cell() / time_step;
    let remedy = format!("with this time step the limit is {most} ({cells} cells per step)");
    if fastest > most {
        problems.push(written.part("speed"), fastest.to_string(), remedy);
        return;
    }
    for (number, rule) in group.rules.iter().enumerate() {
        let pace = rule.behaviour.as_ref().map_or(0.0, |behaviour| behaviour.pace);
        if pace * fastest > most {
            let value = format!("{pace} times the speed of {fastest}");
            problems.push(written.part(&format!("rule {}, pace", number + 1)), value, remedy.clone());
        }
    }
}

/// Creates a group whose first agent has the index `first`; `entering` agents enter later (`None` if their schedule was
/// rejected). Fills in the defaults of its keys.
fn group(
    written: &mut At<AgentsTable>,
    (first, entering): (u32, Option<u32>),
    colour: Colour,
    around: &Surroundings<'_>,
    passages: &mut Passages,
    problems: &mut Problems,
) -> Option<Group> {
    let (before, terrain) = (problems.total(), around.terrains.after(0));
    let ground = around.terrains.ground(terrain);
    names::check_name(&written.value.name, &written.part("name"), problems);
    agents::check_numbers(written, problems);
    check_lengths(Some(ground.grid()), &written.place, written.value.lengths(), problems);
    let AgentsTable { radius, spacing, trail_cells, trail_charge, follow, .. } = written.value;
    let body = Body::new(radius).and_then(|body| body.with_spacing(spacing));
    let body = accept(&written.place, body, problems);
    let trail = accept(&written.place, Trail::new(trail_cells, trail_charge), problems)?;
    let trail = (trail_cells > 0).then_some(trail);
    let directions = behaviour::directions(written, around.known, problems);
    let planner = planners::planner(written, problems);
    let behaviour = directions.behaviour(follow, 1.0, trail, planners::of(written.value.planner, planner));
    let rules = agent_rules::rules(written, (&directions, trail, planner), around.known, problems);
    check_leaving(written, &rules, behaviour.as_ref(), around.known, problems);
    if rules.len() > MAX_RULES {
        let value = format!("{} rules", rules.len());
        problems.push(written.part("rules"), value, format!("expected at most {MAX_RULES}"));
    }
    agents::check_perception(written, problems);
    let strength = agents::strength(written, around.known.has_influence, problems);
    let carried = agents::carried(written, around.known, problems);
    let AgentsTable { goals, rules: written_rules, .. } = &mut written.value;
    for rule in written_rules.iter_mut().filter(|rule| !rule.leave && rule.goals.is_none()) {
        rule.goals.clone_from(goals);
    }
    written.value.colour = Some(colour);
    let At { value: agents, place } = &*written;
    let team = agents.team.as_ref().and_then(|team| around.known.teams.iter().position(|known| known == team));
    let formation = formations::formation(written, agents.count as usize + entering.unwrap_or(0) as usize, problems);
    let emits = entities::emits(agents.emits.as_ref(), place, around.known, problems);
    let view = sight::view((agents.sees.as_ref(), agents.range, None), ("a group", place), around.known, problems);
    let start = area(ground.grid(), &agents.start, &written.part("start"), problems)?;
    check_has_open_cell(ground.grid(), ground.open(), &start, written.part("start"), problems);
    if problems.total() > before {
        return None;
    }
    let passage = accept(place, passages.add(around.terrains, agents.radius), problems)?;
    let walkable = passages.cells(passage, terrain).unwrap_or(ground.open());
    let cells: Vec<(u32, u32)> = start.cells().filter(|&(column, row)| walkable.allows(column, row)).collect();
    if cells.is_empty() {
        let value = format!("no cell in which a body with a radius of {} fits between walls", agents.radius);
        problems.push(written.part("start"), value, "give a smaller radius, or an area farther from walls");
        return None;
    }
    let start_area = area_for_bodies(&cells, ground.grid().cell().into(), agents.radius.into());
    let Some(end) = first.checked_add(agents.count + entering?) else {
        problems.push(written.part("count"), agents.count.to_string(), "reduce the total number of agents");
        return None;
    };
    let rules: Vec<Rule> = rules.into_iter().flatten().collect();
    let behaviours = [behaviour.as_ref()].into_iter().chain(rules.iter().map(|rule| rule.behaviour.as_ref()));
    let behaviours: Vec<Option<&Behaviour>> = behaviours.collect();
    let courses = planners::courses(written, &behaviours, around.known.goals.len(), problems)?;
    let entries = spawn::entries(written, (around.time_step, around.steps));
    let numbers = first..end;
    let draws = Philox::new(around.seed as u64);
    let position = |agent: u32| {
        let (column, row) = cells[draws.below(cells.len() as u32, agent, 0, purpose::START, 0) as usize];
        // Rounding moves a position by at most a 32nd of a cell, which does not cross a border that is a 20th away.
        let within = |index| f64::from((0.05 + 0.9 * draws.unit(agent, 0, purpose::START, index)) as f32);
        let ([x, y], cell) = (ground.grid().origin(), f64::from(ground.grid().cell()));
        [x + (f64::from(column) + within(1)) * cell, y + (f64::from(row) + within(2)) * cell].map(|at| at as f32)
    };
    let speed = |agent: u32| {
        let up_or_down = 2.0 * draws.unit(agent, 0, purpose::SPEED, 0) as f32 - 1.0;
        agents.speed * (1.0 + agents.spread * up_or_down)
    };
    let group = Group {
        name: agents.name.clone(),
        team,
        positions: numbers.clone().map(position).collect(),
        speeds: numbers.map(speed).collect(),
        at_first: agents.count as usize,
        entries,
        body: body?,
        start_area,
        passage,
        behaviour: behaviour?,
        rules,
        courses,
        formation,
        leaves_at_goal: agents.at_goal == AtGoal::Leave,
        noise: agents.noise,
        carried,
        emits,
        view,
        strength,
        colour,
    };
    accept(place, Crowd::check(ground, &group.positions, &group.speeds), problems)?;
    Some(group)
}

/// The area of the rectangle around these cells, which have sides of length `side`, extended by bodies that stand at
/// its border.
fn area_for_bodies(cells: &[(u32, u32)], side: f64, radius: f64) -> f64 {
    let extent = |along: fn(&(u32, u32)) -> u32| {
        let (least, most) = (cells.iter().map(along).min(), cells.iter().map(along).max());
        f64::from(most.unwrap_or(0) - least.unwrap_or(0) + 1) * side + 2.0 * radius
    };
    extent(|cell| cell.0) * extent(|cell| cell.1)
}

/// Rejects goals that a team is to capture if its agents leave the map at them. Agents without a team capture nothing.
fn check_leaving(
    written: &At<AgentsTable>,
    rules: &[Option<Rule>],
    behaviour: Option<&Behaviour>,
    known: &Known<'_>,
    problems: &mut Problems,
) {
    let agents = &written.value;
    if agents.at_goal != AtGoal::Leave || agents.team.is_none() {
        return;
    }
    let captures = |choice: &Choice| {
        let all = vec![None; known.goals.len()];
        let capturable = known.goals.iter().map(|goal| goal.value.capture_time.is_some());
        choice.set(&all, Some(0)).into_iter().zip(capturable).any(|(chosen, capturable)| chosen && capturable)
    };
    let remedy = "agents that leave at a goal cannot capture it: name goals without capture_time, or let them stay";
    if behaviour.is_some_and(|behaviour| captures(&behaviour.goals)) {
        problems.push(written.part("at_goal"), "\"leave\", and a goal has a capture_time", remedy);
    }
    for (number, rule) in rules.iter().enumerate().filter(|(number, _)| agents.rules[*number].goals.is_some()) {
        let behaviour = rule.as_ref().and_then(|rule| rule.behaviour.as_ref());
        if behaviour.is_some_and(|behaviour| captures(&behaviour.goals)) {
            let place = written.part(&format!("rule {}, goals", number + 1));
            problems.push(place, "a goal with a capture_time, and at_goal is \"leave\"", remedy);
        }
    }
}

/// Rejects a carried field that agents cannot exclude from the field that they climb: combinations must add its layers,
/// and may only add other layers afterwards.
pub(crate) fn check_own_fields(
    groups: &[Group],
    layers: &[String],
    combinations: &[throng_fields_core::layers::Combination],
    written: &[At<AgentsTable>],
    problems: &mut Problems,
) {
    for (group, written) in groups.iter().zip(written) {
        let Some(carried) = &group.carried else { continue };
        for behaviour in group.behaviours() {
            let (Guidance::Field(number) | Guidance::Neighbour(number, _)) = behaviour.guidance else { continue };
            let senses = combinations.get(number).is_some_and(|combination| combination.layers() & carried.layers != 0);
            if senses && combinations[number].weight_of(carried.layers).is_none() {
                let is_used = |layer: usize| (carried.layers & combinations[number].layers()) >> layer & 1 == 1;
                let layer = (0..layers.len()).find(|&layer| is_used(layer)).map_or("", |layer| &layers[layer]);
                let layer = names::shown(layer);
                let remedy = format!(
                    "agents do not sense the field that they carry: after layer \"{layer}\" is added, only add may \
                     follow in their combination; or let them carry another layer"
                );
                let value = format!("layer \"{layer}\" is used or followed by operations other than add");
                problems.push(written.part("layers"), value, remedy);
                break;
            }
        }
    }
}
