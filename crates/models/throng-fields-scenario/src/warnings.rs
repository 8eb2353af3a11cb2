//! Warnings about valid scenarios that are probably mistakes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use throng_core::{InputError, Warnings};
use throng_fields_core::routing::Ground;

use crate::goals::GoalSet;
use crate::groups::Group;
use crate::scenario::Scenario;
use crate::{diffusion, terrain};

impl Scenario {
    /// Returns warnings about agents that cannot arrive, never enter or overlap at the start, idle walls and times of
    /// walls, costs that do not follow the walls, entities outside the map, sources in walls, rotated maps, owners
    /// without agents, teams with equal colours, and layers without sources or that take a long time to diffuse.
    /// Computes the distances to the goals once per distinct set of goals that groups have at the start.
    pub fn warnings(&self) -> Warnings {
        let mut warnings = Warnings::new();
        self.warn_about_agents(&mut warnings);
        let ever_open = self.terrains.ground(self.terrains.ever_open()).open();
        for entity in self.entities.iter().filter(|entity| entity.patrol.is_none()) {
            let [x, y] = entity.entity.position;
            if self.grid().cell_at([x, y]).is_none() {
                warnings.add("an entity is outside the map", || format!("{}, at ({x}, {y})", entity.place));
            }
            let is_source = entity.team.is_some_and(|(_, strength)| strength > 0.0) && self.influences.is_some()
                || entity.emits.iter().any(|&(_, rate)| rate != 0.0)
                || entity.view.is_some();
            let cell = self.grid().cell_at([x, y]);
            if is_source && cell.is_some_and(|(column, row)| !ever_open.allows(column, row)) {
                let kind = "an entity is in a wall, where it neither has influence nor emits or sees anything";
                warnings.add(kind, || format!("{}, at ({x}, {y})", entity.place));
            }
        }
        if let Some(costmap) = &self.costmap {
            costmap.add_warnings(self, &mut warnings);
            if let Some(step) = self.terrains.first_change() {
                let kind = "walls change, but the costs of [nav2] do not: they are those of the start";
                warnings.add(kind, || format!("the first change is after step {step}"));
            }
        }
        if let Some(yaw) = &self.ignored_yaw {
            let kind = "the map is rotated, but its yaw is ignored, as in the costmaps of Nav2";
            warnings.add(kind, || yaw.clone());
        }
        for place in &self.idle_walls {
            warnings.add("a wall does not cover the centre of any cell, so it blocks nothing", || place.clone());
        }
        for interval in &self.idle_intervals {
            let kind = "a wall has an interval without effect, between two steps or after the end of the run";
            warnings.add(kind, || interval.clone());
        }
        let teams = self.entities.iter().filter_map(|entity| Some(entity.team?.0));
        let teams: Vec<usize> = teams.chain(self.groups.iter().filter_map(|group| group.team)).collect();
        for (number, goal) in self.goals.iter().enumerate() {
            if let Some(owner) = goal.owner.filter(|owner| !teams.contains(owner)) {
                let example = || format!("\"{}\" of \"{}\"", goal.title(number), self.teams[owner]);
                warnings.add("a goal belongs to a team without entities and agents", example);
            }
        }
        self.warn_about_worths(&mut warnings);
        self.warn_about_layers(&mut warnings);
        self.warn_about_colours(&mut warnings);
        diffusion::warn(self, &mut warnings);
        warnings
    }

    /// Warns about worths of goals that no group considers.
    fn warn_about_worths(&self, warnings: &mut Warnings) {
        let planned: BTreeSet<usize> = self.groups.iter().flat_map(Group::planned_goals).collect();
        let goals = self.goals.iter().enumerate();
        let idle = goals.filter(|(number, goal)| goal.has_worth() && !planned.contains(number));
        let idle: Vec<String> = idle.map(|(number, goal)| format!("\"{}\"", goal.title(number))).collect();
        match idle.as_slice() {
            [] => {}
            [only] => {
                let kind = "a goal has a worth, but no group chooses it by its worth (planner = \"actions\")";
                warnings.add(kind, || only.clone());
            }
            [first, ..] => {
                let kind = "goals have a worth, but no group chooses them by their worth (planner = \"actions\")";
                warnings.add(&format!("{} {kind}", idle.len()), || format!("first: {first}"));
            }
        }
    }

    /// Warns about layers of amounts and of lines of sight without a source, whose values are 0.
    fn warn_about_layers(&self, warnings: &mut Warnings) {
        let name = |layer: usize| format!("\"{}\"", self.layers[layer]);
        for diffusing in self.diffusing.iter().filter(|diffusing| !self.is_emitted(diffusing.layer)) {
            let kind = "nothing emits into a diffusing layer: give an entity or a group emits = { LAYER = RATE }";
            warnings.add(kind, || name(diffusing.layer));
        }
        for sight in self.sights.iter().filter(|sight| !self.is_seen(sight.layer)) {
            let kind = "a layer of lines of sight has no viewer: give an entity or a group sees = { LAYER = STRENGTH }";
            warnings.add(kind, || name(sight.layer));
        }
    }

    /// Warns about teams that images do not distinguish.
    fn warn_about_colours(&self, warnings: &mut Warnings) {
        let mut teams = BTreeMap::new();
        for (team, &colour) in self.teams.iter().zip(&self.team_colours) {
            let first = *teams.entry(colour).or_insert(team);
            if first != team {
                let kind = "a team shares the colour of another: give its entities or groups a colour, or merge teams if \
                            there are more teams than colours";
                warnings.add(kind, || format!("\"{first}\" and \"{team}\" are {colour}"));
            }
        }
    }

    /// Warns about a group whose bodies overlap at its start in any arrangement.
    fn warn_about_overlap(&self, group: &Group, warnings: &mut Warnings) {
        let radius = group.body.radius();
        let at_once = group.entries.iter().map(|entry| entry.agents as usize).fold(group.at_first, usize::max);
        // In the densest packing of discs, each takes up a hexagon.
        let needed = at_once as f64 * 2.0 * 3.0f64.sqrt() * f64::from(radius) * f64::from(radius);
        if at_once > 1 && needed > group.start_area {
            let kind = "the bodies of a group overlap at its start: give fewer agents, a smaller radius, a larger start, or \
                        let agents enter over time (spawn)";
            warnings.add(kind, || {
                let (name, room) = (&group.name, group.start_area);
                let unit = if self.unit.is_empty() { String::new() } else { format!(" {}^2", self.unit) };
                format!(
                    "\"{name}\": {at_once} agents of radius {radius} need at least {needed:.1}{unit}, have {room:.1}{unit}"
                )
            });
        }
    }

    /// Warns about agents that never enter, have no space, or start where no path leads to one of their goals, even if
    /// all walls that appear or vanish were gone.
    fn warn_about_agents(&self, warnings: &mut Warnings) {
        let owners: Vec<Option<usize>> = self.goals.iter().map(|goal| goal.owner).collect();
        let mut by_goals: BTreeMap<GoalSet, Vec<&Group>> = BTreeMap::new();
        for group in &self.groups {
            if group.positions.is_empty() {
                warnings.add("no agent of a group ever enters", || format!("\"{}\"", group.name));
            }
            self.warn_about_overlap(group, warnings);
            let close = group.formation.as_ref().filter(|formation| formation.spacing() < group.body.spacing());
            if let Some(formation) = close {
                let kind =
                    "agents turn away from their neighbours in formation: give the formation at least their spacing";
                let (name, apart, spacing) = (&group.name, formation.spacing(), group.body.spacing());
                warnings.add(kind, || format!("\"{name}\": {apart}, spacing {spacing}"));
            }
            let goals = group.behaviour(0).goals.set(&owners, group.team);
            by_goals.entry(goals).or_default().push(group);
        }
        // Only one set of distances for points, and one for bodies, is in memory at a time. Insufficient memory is
        // reported by the run itself.
        for (goals, groups) in by_goals.iter().filter(|(goals, _)| goals.contains(&true)) {
            let Ok(points) = self.ground_of_bodies(goals, 0) else { continue };
            let mut passages: Vec<usize> = groups.iter().map(|group| group.passage).collect();
            passages.sort_unstable();
            passages.dedup();
            for passage in passages {
                let of_bodies = if passage == 0 { None } else { self.ground_of_bodies(goals, passage).ok() };
                let bodies = of_bodies.as_ref().unwrap_or(&points);
                for group in groups.iter().filter(|group| group.passage == passage) {
                    self.warn_about_starts(group, &points, bodies, warnings);
                }
            }
        }
    }

    /// Warns about agents of a group that start where no path leads to a goal, either for points or for their bodies.
    fn warn_about_starts(&self, group: &Group, points: &Ground, bodies: &Ground, warnings: &mut Warnings) {
        let is_shut_in = |ground: &Ground, position: &[f32; 2]| {
            let cell = self.grid().cell_at(*position);
            let distance = cell.and_then(|(column, row)| ground.distances().at(column, row));
            distance.is_none_or(f32::is_infinite)
        };
        let shut_in = group.positions.iter().filter(|position| is_shut_in(bodies, position));
        let (without_path, too_wide): (Vec<_>, Vec<_>) = shut_in.partition(|position| is_shut_in(points, position));
        let of_body = format!(", radius {}", group.body.radius());
        let kinds: [(&str, Vec<&[f32; 2]>, &str); 2] = [
            ("an agent starts where no path leads to a goal", without_path, ""),
            (
                "an agent is too wide for every path to a goal: give a smaller radius, wider gaps, or other goals",
                too_wide,
                of_body.as_str(),
            ),
        ];
        for (kind, starts, radius) in kinds {
            if let Some([x, y]) = starts.first() {
                let example = || format!("one of \"{}\"{radius} at ({x:.1}, {y:.1})", group.name);
                warnings.add_many(starts.len() as u64, kind, example);
            }
        }
    }

    /// Returns the ground with certain goals, for the bodies of a passage, open wherever it is open at some time.
    fn ground_of_bodies(&self, goals: &GoalSet, passage: usize) -> Result<Cow<'_, Ground>, InputError> {
        let terrain = self.terrains.ever_open();
        let (ground, walkable) = (self.terrains.ground(terrain), self.passages.cells(passage, terrain));
        if walkable.is_none() && !goals.contains(&false) {
            return Ok(Cow::Borrowed(ground));
        }
        let chosen = self.goals.iter().zip(goals).filter(|(_, chosen)| **chosen);
        let chosen: Vec<_> = chosen.map(|(goal, _)| goal).collect();
        Ok(Cow::Owned(terrain::ground(self.grid(), ground.open(), walkable, &chosen)?))
    }
}
