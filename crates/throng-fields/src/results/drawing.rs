//! The pictures of a run: what its scenario draws, with everything on it, and the strongest teams.

use std::borrow::Cow;

use crate::influence::Teams;
use crate::pictures::{Colour, HeatMap, MOST_NAMES, Mark, Owners, Picture, ValueRange};
use crate::results::{costmap, written};
use crate::routing::AgentState;
use crate::scenario::Scenario;
use crate::scenario::goals::Goal;
use crate::scenario::legend::agent;
use crate::scenario::output::Drawn;
use crate::simulation::{GroupCounts, Now, Simulation};
use crate::{Field, Mask, Shape};
use throng_core::Warnings;
use throng_model::Failure;

/// The most agents that are drawn one by one; of more, pictures show the density.
pub(crate) const MOST_MARKS: usize = 4_000;
/// Corners of the polygon that approximates a circle.
const CORNERS: u16 = 48;

/// Draws the states of a run.
pub(super) struct Drawing<'s> {
    scenario: &'s Scenario,
    steps: u32,
    /// The range of the colours: that of the scenario, or from the first picture on that of its values.
    range: Option<ValueRange>,
    /// Goals that a team may own: their numbers and cells.
    goals_of_teams: Vec<(usize, Mask)>,
    team_colours: Vec<Colour>,
    /// If the costmap is drawn, its costs, and the cells that are no walls in its pictures.
    costmap: Option<(Field, Mask)>,
}

impl<'s> Drawing<'s> {
    /// The pictures of a run of so many steps.
    pub(super) fn new(scenario: &'s Scenario, steps: u32) -> Self {
        let open = scenario.ground.open();
        let may_be_owned = |goal: &Goal| goal.capture_time.is_some() || goal.owner.is_some();
        let goals_of_teams = scenario.goals.iter().enumerate().filter(|(_, goal)| may_be_owned(goal));
        let cells = |goal: &Goal| {
            Mask::new(scenario.grid(), |column, row| goal.area.allows(column, row) && open.allows(column, row))
        };
        let is_costmap = scenario.output.drawn == Drawn::Costmap;
        Self {
            scenario,
            steps,
            range: scenario.output.range,
            goals_of_teams: goals_of_teams.map(|(number, goal)| (number, cells(goal))).collect(),
            team_colours: scenario.team_colours(),
            costmap: is_costmap.then(|| (costmap::field(scenario), costmap::open_or_unknown(scenario))),
        }
    }

    /// The field with walls, goals, marked entities and agents.
    pub(super) fn picture(
        &mut self,
        simulation: &Simulation<'_>,
        now: &Now,
        warnings: &mut Warnings,
    ) -> Result<Picture, Failure> {
        let scenario = self.scenario;
        let costs = self.costmap.as_ref().map(|(costs, _)| costs);
        let values = Values::of((scenario, costs), simulation, scenario.output.drawn)?;
        let range = self.range.or_else(|| values.range());
        // All frames have the colours of the first one.
        if let (None, Some(first)) = (self.range, range)
            && first.low() == first.high()
            && !values.is_ground
        {
            let kind = "all values of the first picture, which sets the range of colours, are equal: give output.range";
            warnings.add_noted(1, kind, format!("all are {}", first.low()));
        }
        self.range = range;
        let [below, above] = &scenario.output.meaning;
        let map = self.map(&values, range, simulation, now)?;
        Ok(map.with_unit(&scenario.output.unit).with_meaning([below, above]).draw()?)
    }

    /// The strongest teams at the end.
    pub(super) fn influence(&self, simulation: &Simulation<'_>) -> Result<Picture, Failure> {
        let values = Values::of((self.scenario, None), simulation, Drawn::Influence)?;
        let now = simulation.now()?;
        Ok(self.map(&values, values.range(), simulation, &now)?.with_unit("influence").draw()?)
    }

    /// A map of values with everything on it, and a title.
    fn map<'m>(
        &'m self,
        values: &'m Values<'_>,
        range: Option<ValueRange>,
        simulation: &Simulation<'_>,
        now: &Now,
    ) -> Result<HeatMap<'m>, Failure> {
        let scenario = self.scenario;
        let map = HeatMap::new(&values.field).with_length_unit(&scenario.unit).with_colours(scenario.output.colours);
        let map = scenario.output.scale.map_or(map.clone(), |scale| map.with_scale(scale));
        let map = if let Some(range) = range { map.with_range(range) } else { map };
        let map = if values.is_ground { map.as_ground() } else { map };
        let map = match &values.owners {
            Some(owners) => map.with_owners(owners.clone()),
            None => map,
        };
        let map = match &self.costmap {
            Some((_, open)) if values.drawn == Drawn::Costmap => map.with_open_cells(open).with_gaps("unknown"),
            _ => map.with_open_cells(scenario.ground.open()),
        };
        let map = self.goals(self.entities(self.agents(map, simulation)?, simulation), now);
        let all = |count: fn(&GroupCounts) -> usize| now.groups.iter().map(count).sum::<usize>();
        let [agents, arrived, stuck] =
            [all(|counts| counts.agents), all(|counts| counts.arrived), all(|counts| counts.stuck)];
        let with_goals = agents > 0 && scenario.has_goals();
        let decimals = written::decimals_of_times(scenario.time_step);
        let title = |time: f64, arrived: usize, stuck: usize| {
            let agents = if with_goals {
                format!(": {arrived} of {agents} agents arrived, {stuck} stuck")
            } else {
                String::new()
            };
            format!("{}\ntime {time:.decimals$}{agents}", scenario.title)
        };
        let end = f64::from(self.steps) * scenario.time_step;
        Ok(map.with_title(title(now.time, arrived, stuck)).with_room_for_title(title(end, agents, agents)))
    }

    /// Adds goals, those of teams in their colours, and the legend.
    fn goals<'m>(&'m self, map: HeatMap<'m>, now: &Now) -> HeatMap<'m> {
        if !self.scenario.has_goals() {
            return map;
        }
        let mut map = map.with_hatched_cells(self.scenario.ground.goals(), "goal");
        if self.goals_of_teams.is_empty() {
            return map;
        }
        for (team, colour) in self.scenario.teams.iter().zip(&self.team_colours).take(MOST_NAMES) {
            map = map.with_hatching_entry(format!("goal of {team}"), *colour);
        }
        for (number, cells) in &self.goals_of_teams {
            if let Some(owner) = now.owners[*number] {
                map = map.with_cells_hatched_in(cells, self.team_colours[owner]);
            }
        }
        map
    }

    /// Adds agents and their legend: marks, or, if there are many, their density.
    fn agents<'m>(&self, mut map: HeatMap<'m>, simulation: &Simulation<'_>) -> Result<HeatMap<'m>, Failure> {
        if self.scenario.agents() > MOST_MARKS {
            let agents = simulation.crowds().iter().flat_map(|crowd| crowd.present().map(|(_, at)| at));
            return Ok(map.with_density(agents, "agents"));
        }
        for (crowd, group) in simulation.crowds().iter().zip(&self.scenario.groups) {
            let mark = |state| agent(group.colour, state == AgentState::Stuck);
            let agents = crowd.positions().zip(simulation.states(crowd)?).zip(crowd.presences());
            let there = agents.filter(|(_, there)| *there);
            map = map.with_points(there.map(|((at, state), _)| (at, mark(state))));
        }
        Ok(self.scenario.legend.agents().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark)))
    }

    /// Adds marked entities and their legend: squares, and lines for rings.
    fn entities<'m>(&self, map: HeatMap<'m>, simulation: &Simulation<'_>) -> HeatMap<'m> {
        let mut map = self.scenario.legend.entities().fold(map, |map, (name, mark)| map.with_legend_entry(name, mark));
        for (figure, entity) in self.scenario.figures.iter().zip(simulation.entities()) {
            let Some(colour) = figure.colour else { continue };
            map = match entity.shape {
                Shape::Ring { radius } => map.with_path(circle(entity.position, radius), colour),
                _ => map.with_point(entity.position, Mark::square(colour)),
            };
        }
        map
    }
}

/// The values that a picture shows.
struct Values<'m> {
    drawn: Drawn,
    field: Cow<'m, Field>,
    /// The strongest team of each cell, if these are shown.
    owners: Option<Owners>,
    /// Nothing is a source of the field.
    is_ground: bool,
}

impl<'m> Values<'m> {
    /// The `costs` are those of the costmap, if that is drawn.
    fn of(
        (scenario, costs): (&Scenario, Option<&'m Field>),
        simulation: &'m Simulation<'_>,
        drawn: Drawn,
    ) -> Result<Self, Failure> {
        let (field, owners) = match drawn {
            Drawn::Field(shown) => (Cow::Borrowed(simulation.shown(shown)?), None),
            Drawn::Costmap => (costs.map_or_else(|| Cow::Owned(costmap::field(scenario)), Cow::Borrowed), None),
            Drawn::Influence => {
                let names = scenario.teams.iter().map(|team| format!("influence of {team}"));
                let names = names.zip(scenario.team_colours()).collect();
                let teams = simulation.teams();
                // Scenarios with influence have teams, so that there is no other case.
                let none = || Field::new(*scenario.grid(), vec![0.0; scenario.grid().cells()]);
                let field = teams.map_or_else(none, Teams::highest);
                (Cow::Owned(field), teams.map(|teams| Owners::new(names, teams.strongest())))
            }
        };
        let is_ground = if let Drawn::Field(shown) = drawn { !scenario.has_sources(shown) } else { false };
        Ok(Self { drawn, field, owners, is_ground })
    }

    /// The range of the values; of influence from 0.
    fn range(&self) -> Option<ValueRange> {
        let range = ValueRange::of(&self.field)?;
        if self.drawn == Drawn::Influence { ValueRange::new(0.0, range.high()).ok() } else { Some(range) }
    }
}

/// A line around a point.
fn circle([x, y]: [f64; 2], radius: f32) -> impl Iterator<Item = [f64; 2]> {
    (0..=CORNERS).map(move |i| {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * f32::from(i) / f32::from(CORNERS));
        [x + f64::from(radius * cos), y + f64::from(radius * sin)]
    })
}
