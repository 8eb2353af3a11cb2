//! The images of a run: the quantity that its scenario draws, with walls, goals, entities and agents, and the strongest
//! teams.

use std::borrow::Cow;

use throng_fields_core::influence::Teams;
use throng_fields_core::routing::{AgentState, Ground};
use throng_fields_core::{Field, Metric, Shape};
use throng_fields_scenario::Scenario;
use throng_fields_scenario::goals::Goal;
use throng_fields_scenario::groups::Group;
use throng_fields_scenario::legend::agent;
use throng_fields_scenario::output::Drawn;
use throng_model::Failure;
use throng_pictures::{Colour, HeatMap, MAX_NAMES, Mark, Mask, Owners, Picture, ValueRange};

use crate::results::{costmap, number_format};
use crate::simulation::{GroupCounts, Simulation, StepSummary};

/// Maximum number of agents that are drawn individually; if there are more, images show their density.
pub(crate) const MAX_MARKS: usize = 4_000;
/// Number of corners of the polygon that approximates a circle.
const CORNERS: u16 = 48;

/// Draws the states of a run.
pub(super) struct Drawing<'s> {
    scenario: &'s Scenario,
    steps: u32,
    /// For each ground of the scenario, the goals that teams may own: their indices and cells.
    goals_of_teams: Vec<Vec<(usize, Mask)>>,
    /// If the costmap is drawn: its costs, and the cells that are not drawn as walls.
    costmap: Option<(Field, Mask)>,
}

/// The content of the image of a state.
pub(super) struct Snapshot<'m> {
    pub now: StepSummary,
    pub values: Values<'m>,
    pub agents: Vec<PlacedAgent>,
}

/// The position of an agent that is on the map, for an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedAgent {
    pub at: [f32; 2],
    pub group: u32,
    pub is_stuck: bool,
}

impl<'s> Drawing<'s> {
    /// Prepares the images of a run with `steps` steps.
    pub(super) fn new(scenario: &'s Scenario, steps: u32) -> Self {
        let owned = scenario.goals.iter().enumerate().filter(|(_, goal)| goal.may_be_owned());
        let cells = |goal: &Goal, open: &Mask| {
            Mask::new(scenario.grid(), |column, row| goal.area.allows(column, row) && open.allows(column, row))
        };
        let of_ground = |ground: &Ground| -> Vec<(usize, Mask)> {
            owned.clone().map(|(number, goal)| (number, cells(goal, ground.open()))).collect()
        };
        let is_costmap = scenario.output.drawn == Drawn::Costmap;
        Self {
            scenario,
            steps,
            goals_of_teams: scenario.terrains.grounds().iter().map(of_ground).collect(),
            costmap: is_costmap.then(|| (costmap::field(scenario), costmap::open_or_unknown(scenario))),
        }
    }

    /// The content of an image of the current state, with the quantity that the run draws.
    pub(super) fn snapshot<'m>(
        &'m self,
        simulation: &'m Simulation<'_>,
        now: &StepSummary,
    ) -> Result<Snapshot<'m>, Failure> {
        let costs = self.costmap.as_ref().map(|(costs, _)| costs);
        let values = Values::of((self.scenario, costs), simulation, self.scenario.output.drawn)?;
        Ok(Snapshot { now: now.clone(), values, agents: agents_on_map(simulation)? })
    }

    /// Whether an image can be drawn without knowing the values of the others, because the scenario gives the range of
    /// colours, or nothing is a source of values.
    pub(super) fn has_range(&self) -> bool {
        let is_ground = matches!(self.scenario.output.drawn, Drawn::Field(id) if !self.scenario.has_sources(id));
        self.scenario.output.range.is_some() || is_ground
    }

    /// The field with walls, goals, marked entities and agents. Colours cover `range`, unless the scenario gives a
    /// range.
    pub(super) fn picture(&self, snapshot: &Snapshot<'_>, range: Option<ValueRange>) -> Result<Picture, Failure> {
        let output = &self.scenario.output;
        let [below, above] = &output.meaning;
        let map = self.map(snapshot, output.range.or(range));
        Ok(map.with_unit(&output.unit).with_meaning([below, above]).draw()?)
    }

    /// The strongest teams at the end of the run.
    pub(super) fn influence(&self, simulation: &Simulation<'_>) -> Result<Picture, Failure> {
        let values = Values::of((self.scenario, None), simulation, Drawn::Influence)?;
        let range = values.range();
        let snapshot = Snapshot { now: simulation.summary()?, values, agents: agents_on_map(simulation)? };
        Ok(self.map(&snapshot, range).with_unit("influence").draw()?)
    }

    /// A map of values with a title, walls, goals, marked entities and agents.
    fn map<'m>(&'m self, snapshot: &'m Snapshot<'_>, range: Option<ValueRange>) -> HeatMap<'m> {
        let Snapshot { now, values, agents } = snapshot;
        let scenario = self.scenario;
        let map = HeatMap::new(&*values.field).with_length_unit(&scenario.unit).with_colours(scenario.output.colours);
        let map = scenario.output.scale.map_or(map.clone(), |scale| map.with_scale(scale));
        let map = if let Some(range) = range { map.with_range(range) } else { map };
        let map = if values.is_ground { map.as_ground() } else { map };
        let map = match &values.teams {
            Some(teams) => {
                let names = scenario.teams.iter().map(|team| format!("influence of {team}"));
                map.with_owners(Owners::new(names.zip(scenario.team_colours.iter().copied()).collect(), teams.clone()))
            }
            None => map,
        };
        let map = match &self.costmap {
            Some((_, open)) if values.drawn == Drawn::Costmap => map.with_open_cells(open).with_gaps("unknown"),
            _ => map.with_open_cells(scenario.ground_after(now.step).open()),
        };
        let map = self.goals(self.entities(self.agents(map, agents), now.time), now);
        let all = |count: fn(&GroupCounts) -> usize| now.groups.iter().map(count).sum::<usize>();
        let [count, arrived, stuck] =
            [all(|counts| counts.agents), all(|counts| counts.arrived), all(|counts| counts.stuck)];
        let with_goals = count > 0 && scenario.has_goals();
        let decimals = number_format::decimals_of_times(scenario.time_step);
        let title = |time: f64, arrived: usize, stuck: usize| {
            let agents = if with_goals {
                format!(": {arrived} of {count} agents arrived, {stuck} stuck")
            } else {
                String::new()
            };
            format!("{}\ntime {time:.decimals$}{agents}", scenario.title)
        };
        let end = f64::from(self.steps) * scenario.time_step;
        map.with_title(title(now.time, arrived, stuck)).with_room_for_title(title(end, count, count))
    }

    /// Adds goals and the legend. Goals of teams have the colours of their teams.
    fn goals<'m>(&'m self, map: HeatMap<'m>, now: &StepSummary) -> HeatMap<'m> {
        if !self.scenario.has_goals() {
            return map;
        }
        let terrain = self.scenario.terrains.after(now.step);
        let (goals, of_teams) = (self.scenario.terrains.ground(terrain).goals(), &self.goals_of_teams[terrain]);
        let mut map = map.with_hatched_cells(goals, "goal");
        if of_teams.is_empty() {
            return map;
        }
        for (team, colour) in self.scenario.teams.iter().zip(&self.scenario.team_colours).take(MAX_NAMES) {
            map = map.with_hatching_entry(format!("goal of {team}"), *colour);
        }
        for (number, cells) in of_teams {
            if let Some(owner) = now.owners[*number] {
                map = map.with_cells_hatched_in(cells, self.scenario.team_colours[owner]);
            }
        }
        map
    }

    /// Adds agents and their legend: marks, or their density if there are many.
    fn agents<'m>(&self, mut map: HeatMap<'m>, agents: &[PlacedAgent]) -> HeatMap<'m> {
        if self.scenario.agents() > MAX_MARKS {
            let (kinds, kind_of) = self.kinds_of_agents();
            return if kinds.iter().any(|(_, colour)| *colour != kinds[0].1) {
                let agents = agents.iter().map(|agent| (agent.at, kind_of[agent.group as usize]));
                map.with_density_of_kinds(agents, kinds, "agents")
            } else {
                map.with_density(agents.iter().map(|agent| agent.at), "agents")
            };
        }
        let mark = |one: &PlacedAgent| (one.at, agent(self.scenario.groups[one.group as usize].colour, one.is_stuck));
        map = map.with_points(agents.iter().map(mark));
        self.scenario.legend.agents().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark))
    }

    /// The kinds of agents that a density distinguishes, with their colours: teams, and groups without a team. Also
    /// returns the index of the kind of each group.
    fn kinds_of_agents(&self) -> (Vec<(String, Colour)>, Vec<usize>) {
        let mut kinds: Vec<(String, Colour)> = Vec::new();
        let mut number_of = |group: &Group| {
            let kind = match group.team {
                Some(team) => (self.scenario.teams[team].clone(), self.scenario.team_colours[team]),
                None => (group.name.clone(), group.colour),
            };
            kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
                kinds.push(kind);
                kinds.len() - 1
            })
        };
        let of_groups = self.scenario.groups.iter().map(&mut number_of).collect();
        (kinds, of_groups)
    }

    /// Adds marked entities and their legend: squares, or lines for rings.
    fn entities<'m>(&self, map: HeatMap<'m>, time: f64) -> HeatMap<'m> {
        let mut map = self.scenario.legend.entities().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark));
        for mapped in &self.scenario.entities {
            let Some(colour) = mapped.colour else { continue };
            let entity = mapped.at(time);
            map = match entity.shape {
                Shape::Ring { radius } => map.with_path(ring(entity.position, radius, entity.metric), colour),
                _ => map.with_point(entity.position, Mark::square(colour)),
            };
        }
        map
    }
}

/// Returns the agents that are on the map at the current step, group by group.
fn agents_on_map(simulation: &Simulation<'_>) -> Result<Vec<PlacedAgent>, Failure> {
    let mut all = Vec::new();
    for (group, crowd) in (0..).zip(simulation.crowds()) {
        let agents = crowd.positions().zip(simulation.states(crowd)?).zip(crowd.presences());
        let on_map = agents.filter(|(_, is_on_map)| *is_on_map);
        all.extend(on_map.map(|((at, state), _)| PlacedAgent { at, group, is_stuck: state == AgentState::Stuck }));
    }
    Ok(all)
}

/// The values that an image shows.
pub(super) struct Values<'m> {
    drawn: Drawn,
    pub field: Cow<'m, Field>,
    /// The strongest team of each cell, if teams are drawn.
    pub teams: Option<Vec<Option<u8>>>,
    /// Whether the field has no sources.
    is_ground: bool,
}

impl<'m> Values<'m> {
    /// `costs` is the costmap, if it is drawn.
    fn of(
        (scenario, costs): (&Scenario, Option<&'m Field>),
        simulation: &'m Simulation<'_>,
        drawn: Drawn,
    ) -> Result<Self, Failure> {
        let (field, teams) = match drawn {
            Drawn::Field(id) => (Cow::Borrowed(simulation.field_of(id)?), None),
            Drawn::Costmap => (costs.map_or_else(|| Cow::Owned(costmap::field(scenario)), Cow::Borrowed), None),
            Drawn::Influence => {
                let teams = simulation.teams();
                // Scenarios with influence have teams, so this case does not occur.
                let none = || Field::new(*scenario.grid(), vec![0.0; scenario.grid().cells()]);
                (Cow::Owned(teams.map_or_else(none, Teams::highest)), teams.map(Teams::strongest))
            }
        };
        Ok(Self::new(scenario, drawn, field, teams))
    }

    /// The values of the quantity `drawn`.
    pub(super) fn new(
        scenario: &Scenario,
        drawn: Drawn,
        field: Cow<'m, Field>,
        teams: Option<Vec<Option<u8>>>,
    ) -> Self {
        let is_ground = if let Drawn::Field(id) = drawn { !scenario.has_sources(id) } else { false };
        Self { drawn, field, teams, is_ground }
    }

    /// The range of the values; that of influence starts at 0.
    pub(super) fn range(&self) -> Option<ValueRange> {
        let range = ValueRange::of(self.field.values())?;
        if self.drawn == Drawn::Influence { ValueRange::new(0.0, range.high()).ok() } else { Some(range) }
    }
}

/// The points at a distance from a position, as a closed line: a circle, or a diamond or square in other metrics.
fn ring([x, y]: [f64; 2], radius: f32, metric: Metric) -> impl Iterator<Item = [f64; 2]> {
    let corners: Vec<[f32; 2]> = match metric {
        Metric::Euclidean => {
            let angle = |i: u16| std::f32::consts::TAU * f32::from(i) / f32::from(CORNERS);
            (0..CORNERS).map(|i| libm::sincosf(angle(i))).map(|(sin, cos)| [cos, sin]).collect()
        }
        Metric::Manhattan => vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]],
        Metric::Chebyshev => vec![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]],
    };
    let count = corners.len() + 1;
    let along = corners.into_iter().cycle().take(count);
    along.map(move |[to_x, to_y]| [x + f64::from(radius * to_x), y + f64::from(radius * to_y)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_closed_lines_at_the_distance_of_their_metric() {
        for (metric, count) in [(Metric::Euclidean, 49), (Metric::Manhattan, 5), (Metric::Chebyshev, 5)] {
            let line: Vec<[f64; 2]> = ring([10.0, 20.0], 3.0, metric).collect();
            assert!(line.len() == count && line[0] == line[count - 1], "{metric:?} {line:?}");
            for [x, y] in line {
                let (x, y) = ((x - 10.0).abs(), (y - 20.0).abs());
                let distance = match metric {
                    Metric::Euclidean => libm::hypot(x, y),
                    Metric::Manhattan => x + y,
                    Metric::Chebyshev => x.max(y),
                };
                assert!((distance - 3.0).abs() < 1e-6, "{metric:?} {x} {y}");
            }
        }
    }
}
