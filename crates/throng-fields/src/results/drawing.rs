//! The pictures of a run: the field with everything on it, and the influence of teams.

use crate::pictures::{HeatMap, Mark, Picture, ValueRange};
use crate::results::written;
use crate::routing::AgentState;
use crate::scenario::Scenario;
use crate::scenario::legend::agent;
use crate::simulation::{GroupCounts, Now, Simulation};
use crate::{Field, Shape};
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
}

impl<'s> Drawing<'s> {
    /// The pictures of a run of so many steps.
    pub(super) fn new(scenario: &'s Scenario, steps: u32) -> Self {
        Self { scenario, steps, range: scenario.output.range }
    }

    /// The field with walls, goals, marked entities and agents.
    pub(super) fn picture(
        &mut self,
        simulation: &Simulation<'_>,
        now: &Now,
        warnings: &mut Warnings,
    ) -> Result<Picture, Failure> {
        let scenario = self.scenario;
        let field = simulation.shown(scenario.output.shown)?;
        let range = self.range.or_else(|| ValueRange::of(field));
        // All frames have the colours of the first one.
        if let (None, Some(first)) = (self.range, range)
            && first.low() == first.high()
        {
            let kind = "all values of the first picture, which sets the range of colours, are equal: give output.range";
            warnings.add_noted(1, kind, format!("all are {}", first.low()));
        }
        self.range = range;
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
        let [below, above] = &scenario.output.meaning;
        let map = self.agents(self.map(field), simulation)?;
        let map = self.entities(map, simulation);
        let map = if scenario.has_goals() { map.with_hatched_cells(scenario.ground.goals(), "goal") } else { map };
        let map = map.with_unit(&scenario.output.unit).with_meaning([below, above]);
        let map = map.with_title(title(now.time, arrived, stuck)).with_room_for_title(title(end, agents, agents));
        let map = if let Some(range) = range { map.with_range(range) } else { map };
        Ok(map.draw()?)
    }

    /// The influence of teams at the end.
    pub(super) fn influence(
        &self,
        field: &Field,
        teams: &[String],
        simulation: &Simulation<'_>,
    ) -> Result<Picture, Failure> {
        let title = format!("{}: influence of {} minus that of all others", self.scenario.title, teams[0]);
        let map = self.entities(self.map(field), simulation).with_title(title).with_unit("influence");
        Ok(map.with_meaning(["others", teams[0].as_str()]).draw()?)
    }

    /// A field with walls.
    fn map<'m>(&'m self, field: &'m Field) -> HeatMap<'m> {
        let scenario = self.scenario;
        let map = HeatMap::new(field).with_open_cells(scenario.ground.open()).with_length_unit(&scenario.unit);
        let map = map.with_colours(scenario.output.colours);
        scenario.output.scale.map_or(map.clone(), |scale| map.with_scale(scale))
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

/// A line around a point.
fn circle([x, y]: [f64; 2], radius: f32) -> impl Iterator<Item = [f64; 2]> {
    (0..=CORNERS).map(move |i| {
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * f32::from(i) / f32::from(CORNERS));
        [x + f64::from(radius * cos), y + f64::from(radius * sin)]
    })
}
