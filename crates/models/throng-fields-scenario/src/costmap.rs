//! The costs of an inflation layer of Nav2 on the map of a scenario.

use throng_core::Warnings;
use throng_nav2::{FREE_SPACE, INSCRIBED_INFLATED_OBSTACLE, Inflation, LETHAL_OBSTACLE, NO_INFORMATION};

use crate::behaviour::Guidance;
use crate::scenario::Scenario;

/// The costs of an inflation layer on the cells of a scenario.
#[derive(Debug, Clone)]
pub struct Costmap {
    pub layer: Inflation,
    /// The side length of a cell as written in the file, units of length.
    pub cell: f64,
    /// Costs from 0 to 255, row by row.
    pub costs: Vec<u8>,
    /// The weight of inflated costs in the costs of paths; `None` if they do not affect paths.
    pub(crate) path_weight: Option<f32>,
    /// Warnings about the outline of the robot.
    pub(crate) warnings: Warnings,
}

/// The number of cells of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub lethal: usize,
    pub inscribed: usize,
    /// Cells with costs from 1 to 252.
    pub inflated: usize,
    pub free: usize,
    pub unknown: usize,
}

impl Costmap {
    /// Whether paths avoid the cell with this index because the robot would touch an obstacle.
    pub(crate) fn bars(&self, cell: usize) -> bool {
        let is_barred = |cost: u8| matches!(cost, INSCRIBED_INFLATED_OBSTACLE | LETHAL_OBSTACLE);
        self.path_weight.is_some() && self.costs.get(cell).is_some_and(|&cost| is_barred(cost))
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for cost in &self.costs {
            *match *cost {
                NO_INFORMATION => &mut counts.unknown,
                LETHAL_OBSTACLE => &mut counts.lethal,
                INSCRIBED_INFLATED_OBSTACLE => &mut counts.inscribed,
                FREE_SPACE => &mut counts.free,
                _ => &mut counts.inflated,
            } += 1;
        }
        counts
    }

    /// Adds warnings about the robot, about parameters that Nav2 considers wrong, and about agents that start where no
    /// path begins.
    pub(crate) fn add_warnings(&self, scenario: &Scenario, warnings: &mut Warnings) {
        warnings.append(self.warnings.clone());
        let Inflation { inflation_radius, inscribed_radius, .. } = self.layer;
        if inflation_radius < inscribed_radius {
            let kind =
                "nav2.inflation_radius is less than the robot's inscribed radius, so costs do not cover the robot";
            warnings.add(kind, || format!("{inflation_radius} and {inscribed_radius:.4}"));
        }
        let grid = scenario.grid();
        for group in scenario.groups.iter().filter(|group| matches!(group.behaviour.guidance, Guidance::Flow(_))) {
            let is_barred = |position: &&[f32; 2]| {
                let cell = grid.cell_at(**position);
                cell.is_some_and(|(column, row)| self.bars(grid.index(column, row)))
            };
            let barred: Vec<_> = group.positions.iter().filter(is_barred).collect();
            if let Some([x, y]) = barred.first() {
                let kind =
                    "an agent starts closer to obstacles than the robot's inscribed radius, where no path begins";
                let example = || format!("one of \"{}\" at ({x:.1}, {y:.1})", group.name);
                warnings.add_many(barred.len() as u64, kind, example);
            }
        }
    }

    /// Adds `base * weight * cost / 252` to the costs of paths, up to `highest`; barred cells get an infinite cost.
    pub(crate) fn add_to(&self, path_costs: &mut [f32], base: f32, highest: f32) {
        let Some(weight) = self.path_weight else { return };
        for (cell, (path_cost, &cost)) in path_costs.iter_mut().zip(&self.costs).enumerate() {
            if self.bars(cell) {
                *path_cost = f32::INFINITY;
            } else if path_cost.is_finite() && cost != NO_INFORMATION {
                let share = f32::from(cost) / f32::from(INSCRIBED_INFLATED_OBSTACLE - 1);
                *path_cost = (*path_cost + base * weight * share).min(highest);
            }
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { lethal, inscribed, inflated, free, unknown } = self;
        write!(f, "{lethal} cells lethal, {inscribed} inscribed, {inflated} inflated, {free} free, {unknown} unknown")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_raise_path_costs_and_inscribed_cells_are_barred() {
        let costs = vec![0, 63, 252, 253, 254, 255];
        let layer = Inflation::default();
        let (warnings, cell) = (Warnings::new(), 1.0);
        let found = |path_weight| {
            let mut paths = vec![2.0, 2.0, 2.0, 2.0, 2.0, 3.0];
            Costmap { layer, cell, costs: costs.clone(), path_weight, warnings: warnings.clone() }
                .add_to(&mut paths, 2.0, 9.0);
            paths
        };
        assert_eq!(found(None), [2.0, 2.0, 2.0, 2.0, 2.0, 3.0]);
        assert_eq!(found(Some(2.0)), [2.0, 3.0, 6.0, f32::INFINITY, f32::INFINITY, 3.0]);
        assert_eq!(found(Some(100.0))[1..3], [9.0, 9.0]);
        let counts = Costmap { layer, cell, costs, path_weight: None, warnings: warnings.clone() }.counts();
        assert_eq!(counts, Counts { lethal: 1, inscribed: 1, inflated: 2, free: 1, unknown: 1 });
    }
}
