//! The costs of paths, and the travel times that they make.

use crate::routing::TravelTimes;
use crate::scenario::{FlowRule, Scenario};
use crate::{Field, FieldError, Grid, Mask};

impl Scenario {
    /// The costs of paths in all cells if the field that they follow is `field`; infinite in walls, and where the robot
    /// would touch an obstacle.
    ///
    /// # Errors
    /// As for [`Danger::costs`](crate::routing::Danger::costs).
    pub(crate) fn path_costs(&self, rule: &FlowRule, field: &Field) -> Result<Vec<f32>, FieldError> {
        let danger = &rule.danger;
        let mut costs = danger.costs(field, Some(self.ground.open()))?;
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
    pub(crate) fn times(&self, grid: &Grid, costs: &[f32], goals: &Mask) -> Result<TravelTimes, FieldError> {
        let is_reachable = |&(column, row): &(u32, u32)| costs[grid.index(column, row)].is_finite();
        let goals: Vec<(u32, u32)> = goals.cells().filter(is_reachable).collect();
        TravelTimes::of_order(self.order, grid, costs, &goals)
    }
}
