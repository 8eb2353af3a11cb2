//! Valid scenarios that are probably mistakes.

use throng_core::Warnings;

use crate::scenario::{Scenario, diffusion};

impl Scenario {
    /// Warnings about agents that cannot arrive, walls and entities that are not on the map, and layers that take long to
    /// diffuse.
    pub(crate) fn doubts(&self) -> Warnings {
        let mut doubts = Warnings::new();
        let ways = self.ground.distances();
        let shut_in = |position: &[f32; 2]| {
            let way = self.grid().cell_at(*position).and_then(|(column, row)| ways.at(column, row));
            way.is_none_or(f32::is_infinite)
        };
        for group in self.groups.iter().filter(|_| self.has_goals()) {
            let shut_in: Vec<_> = group.positions.iter().filter(|position| shut_in(position)).collect();
            if let Some([x, y]) = shut_in.first() {
                let kind = "agents start where no path leads to a goal";
                let example = || format!("one of \"{}\" at ({x:.1}, {y:.1})", group.name);
                doubts.add_many(shut_in.len() as u64, kind, example);
            }
        }
        for figure in self.figures.iter().filter(|figure| figure.patrol.is_none()) {
            let [x, y] = figure.entity.position;
            if self.grid().cell_at([x, y]).is_none() {
                doubts.add("entities are outside the map", || format!("at ({x}, {y})"));
            }
        }
        if let Some(costmap) = &self.costmap {
            costmap.add_doubts(self, &mut doubts);
        }
        for place in &self.idle_walls {
            doubts.add("walls do not cover the centre of any cell, so they block nothing", || place.clone());
        }
        diffusion::warn(self, &mut doubts);
        doubts
    }
}
