//! Valid scenarios that are probably mistakes.

use std::collections::BTreeMap;

use throng_core::Warnings;

use crate::scenario::agents::Group;
use crate::scenario::goals::GoalSet;
use crate::scenario::{Scenario, diffusion, ground};

impl Scenario {
    /// Warnings about agents that cannot arrive or never enter, walls and entities that are not on the map, sources in
    /// walls, rotated maps, and layers that take long to diffuse. The cost is that of the distances to the goals, for each distinct
    /// set of goals that groups have at the start.
    pub(crate) fn doubts(&self) -> Warnings {
        let mut doubts = Warnings::new();
        self.doubt_agents(&mut doubts);
        for figure in self.figures.iter().filter(|figure| figure.patrol.is_none()) {
            let [x, y] = figure.entity.position;
            if self.grid().cell_at([x, y]).is_none() {
                doubts.add("entities are outside the map", || format!("at ({x}, {y})"));
            }
            let is_source = figure.team.is_some_and(|(_, strength)| strength > 0.0) && self.influences.is_some()
                || figure.emits.iter().any(|&(_, rate)| rate != 0.0);
            let cell = self.grid().cell_at([x, y]);
            if is_source && cell.is_some_and(|(column, row)| !self.ground.open().allows(column, row)) {
                let kind = "entities are in walls, where they neither have influence nor emit anything";
                doubts.add(kind, || format!("at ({x}, {y})"));
            }
        }
        if let Some(costmap) = &self.costmap {
            costmap.add_doubts(self, &mut doubts);
        }
        if let Some(yaw) = &self.ignored_yaw {
            let kind = "the map is rotated, but its yaw is ignored, as in the costmaps of Nav2";
            doubts.add(kind, || yaw.clone());
        }
        for place in &self.idle_walls {
            doubts.add("walls do not cover the centre of any cell, so they block nothing", || place.clone());
        }
        diffusion::warn(self, &mut doubts);
        doubts
    }

    /// Warnings about agents that never enter, or start where no path leads to a goal of theirs.
    fn doubt_agents(&self, doubts: &mut Warnings) {
        let owners: Vec<Option<usize>> = self.goals.iter().map(|goal| goal.owner).collect();
        let mut by_goals: BTreeMap<GoalSet, Vec<&Group>> = BTreeMap::new();
        for group in &self.groups {
            if group.positions.is_empty() {
                doubts.add("groups of agents in which none ever enters", || format!("\"{}\"", group.name));
            }
            let goals = group.behaviour(0).goals.set(&owners, group.team);
            by_goals.entry(goals).or_default().push(group);
        }
        // One set of distances is in memory at a time.
        for (goals, groups) in by_goals.iter().filter(|(goals, _)| goals.contains(&true)) {
            let chosen: Vec<_> =
                self.goals.iter().zip(goals).filter(|(_, chosen)| **chosen).map(|(goal, _)| goal).collect();
            let made;
            let ground = if goals.contains(&false) {
                // A lack of memory is reported by the run itself.
                let Ok(ground) = ground::ground(self.grid(), self.ground.open(), &chosen) else { continue };
                made = ground;
                &made
            } else {
                &self.ground
            };
            let is_shut_in = |position: &[f32; 2]| {
                let cell = self.grid().cell_at(*position);
                let distance = cell.and_then(|(column, row)| ground.distances().at(column, row));
                distance.is_none_or(f32::is_infinite)
            };
            for group in groups {
                let shut_in: Vec<_> = group.positions.iter().filter(|position| is_shut_in(position)).collect();
                if let Some([x, y]) = shut_in.first() {
                    let kind = "agents start where no path leads to a goal";
                    let example = || format!("one of \"{}\" at ({x:.1}, {y:.1})", group.name);
                    doubts.add_many(shut_in.len() as u64, kind, example);
                }
            }
        }
    }
}
