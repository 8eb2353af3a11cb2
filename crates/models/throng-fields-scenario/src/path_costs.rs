//! The costs of paths, and the travel times that they make.

use throng_core::ValueError;
use throng_fields_core::Field;
use throng_fields_core::routing::TravelTimes;
use throng_pictures::{Grid, Mask};

use crate::{FlowRule, Scenario};

impl Scenario {
    /// The costs of paths in all cells if the field that they follow is `field`; infinite in walls, where bodies of a
    /// `passage` cannot walk, and where the robot would touch an obstacle.
    ///
    /// # Errors
    /// As for [`Danger::costs`](throng_fields_core::routing::Danger::costs).
    pub fn path_costs(&self, rule: &FlowRule, field: &Field, passage: usize) -> Result<Vec<f32>, ValueError> {
        let danger = &rule.danger;
        let walkable = self.passages.cells(passage).unwrap_or(self.ground.open());
        let mut costs = danger.costs(field, Some(walkable))?;
        if let Some(costmap) = &self.costmap {
            costmap.add_to(&mut costs, danger.base, danger.highest.unwrap_or(danger.base * TravelTimes::MOST_RATIO));
        }
        Ok(costs)
    }
}

impl FlowRule {
    /// The travel times to those goals that paths with these costs may reach.
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`].
    pub fn times(&self, grid: &Grid, costs: &[f32], goals: &Mask) -> Result<TravelTimes, ValueError> {
        TravelTimes::of_order(self.order, grid, costs, &Self::reachable(grid, costs, goals))
    }

    /// The goals that paths with these costs may reach.
    pub fn reachable(grid: &Grid, costs: &[f32], goals: &Mask) -> Vec<(u32, u32)> {
        goals.cells().filter(|&(column, row)| costs[grid.index(column, row)].is_finite()).collect()
    }
}
