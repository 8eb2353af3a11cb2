//! The costs of an inflation layer of Nav2 on the map of a scenario: `[nav2]`.

use throng_core::{Problems, ValueError, Warnings};
use throng_fields_core::routing::Ground;
use throng_model::At;
use throng_nav2::{
    FOOTPRINT_PADDING, FREE_SPACE, Footprint, INSCRIBED_INFLATED_OBSTACLE, Inflation, LETHAL_OBSTACLE, NO_INFORMATION,
    RosDistro,
};
use throng_pictures::{Grid, Mask};

use crate::rules::Guidance;
use crate::written::CostSource;
use crate::{Scenario, written};

/// Inflated costs.
#[derive(Debug, Clone)]
pub struct Costmap {
    pub layer: Inflation,
    /// The side of a cell as it is written, units of length.
    pub cell: f64,
    /// Row by row.
    pub costs: Vec<u8>,
    /// How much costs affect paths, if they do.
    path_weight: Option<f32>,
    /// Warnings about the outline of the robot.
    doubts: Warnings,
}

/// The numbers of cells of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub lethal: usize,
    pub inscribed: usize,
    /// Costs from 1 to 252.
    pub inflated: usize,
    pub free: usize,
    pub unknown: usize,
}

/// The cells of a scenario.
pub struct Cells<'a> {
    pub grid: &'a Grid,
    /// The side of a cell as it is written.
    pub cell: f64,
    /// The same as it passes to Nav2.
    pub resolution: f64,
    pub ros_distro: RosDistro,
}

/// Inflates the obstacles of a scenario. `of_map` are the costs of the map in a file, if there is one.
pub fn read(
    written: &At<written::Nav2>,
    cells: &Cells<'_>,
    open: &Mask,
    of_map: Option<&[u8]>,
    problems: &mut Problems,
) -> Option<Costmap> {
    let written::Nav2 { source, inflation_radius, cost_scaling_factor, path_weight, .. } = written.value;
    let &Cells { grid, cell, resolution, ros_distro } = cells;
    if let Some(weight) = path_weight.filter(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        problems.push(written.part("path_weight"), weight.to_string(), "expected a finite number, 0 or more");
    }
    let mut doubts = Warnings::new();
    let layer = Inflation {
        resolution,
        inflation_radius,
        inscribed_radius: inscribed_radius(written, &mut doubts, problems)?,
        cost_scaling_factor,
        inflate_unknown: written.value.inflate_unknown,
        inflate_around_unknown: written.value.inflate_around_unknown,
        ros_distro,
    };
    let costs = match (source, of_map) {
        (CostSource::Walls, _) => {
            let cost = |&open: &bool| if open { FREE_SPACE } else { LETHAL_OBSTACLE };
            open.flags().iter().map(cost).collect()
        }
        (CostSource::Map, Some(of_map)) => of_map.to_vec(),
        (CostSource::Map, None) => {
            problems.push(written.part("source"), "there is no map", "give grid.map, or write source = \"walls\"");
            return None;
        }
    };
    let inflated = layer.inflate(&costs, grid.columns() as usize);
    let costs = accept(written, inflated, problems)?;
    Some(Costmap { layer, cell, costs, path_weight, doubts })
}

/// The value of a result; an error becomes a problem of the key that it names.
fn accept<T>(written: &At<written::Nav2>, result: Result<T, ValueError>, problems: &mut Problems) -> Option<T> {
    let refuse = |error: ValueError| {
        let key = error.place.strip_prefix("inflation, ").unwrap_or(&error.place);
        problems.push(written.part(key), error.value, error.remedy);
    };
    result.map_err(refuse).ok()
}

/// The inscribed radius of the robot: that of its footprint, else of its radius, or as it is given.
fn inscribed_radius(written: &At<written::Nav2>, doubts: &mut Warnings, problems: &mut Problems) -> Option<f64> {
    let written::Nav2 { robot_radius, footprint_padding, inscribed_radius, .. } = &written.value;
    let outline = match (robot_radius, written.value.corners(), inscribed_radius) {
        (_, Some(corners), None) => {
            if let Some(radius) = robot_radius {
                let kind = "nav2.robot_radius has no effect, as in Nav2, because there is a footprint: give footprint = [] \
                            for a round robot";
                doubts.add(kind, || radius.to_string());
            }
            Footprint::polygon(corners)
        }
        (Some(radius), None, None) => Footprint::of_radius(*radius),
        (None, None, &Some(radius)) => {
            if footprint_padding.is_some() {
                let remedy = "inscribed_radius is that of the padded footprint: leave the padding out";
                problems.push(written.part("footprint_padding"), "is given with inscribed_radius", remedy);
            }
            return Some(radius);
        }
        (None, None, None) => {
            let remedy = "add it, or the robot's footprint or inscribed_radius";
            problems.push(&written.place, "robot_radius is missing", remedy);
            return None;
        }
        (_, _, Some(_)) => {
            let remedy = "the robot's outline has an inscribed radius of its own: leave out one of both";
            problems.push(written.part("inscribed_radius"), "is given with robot_radius or footprint", remedy);
            return None;
        }
    };
    let padded = outline.and_then(|outline| outline.padded(footprint_padding.unwrap_or(FOOTPRINT_PADDING)));
    let padded = accept(written, padded, problems)?;
    let radius = padded.inscribed_radius();
    if written.value.corners().is_some() && !padded.contains_centre() {
        let kind = "nav2.footprint does not contain the robot's centre, from which its corners are measured; as in Nav2, the \
                    inscribed radius is the distance of the nearest side: move the corners";
        doubts.add(kind, || format!("inscribed radius {radius:.4}"));
    }
    Some(radius)
}

/// Refuses goals that no path may reach.
pub fn check_goals(written: &At<written::Nav2>, costmap: &Costmap, ground: &Ground, problems: &mut Problems) {
    let mut goals = ground.goals().cells().map(|(column, row)| ground.grid().index(column, row)).peekable();
    if goals.peek().is_some() && goals.all(|cell| costmap.bars(cell)) {
        let remedy = "let a goal cover a cell farther from obstacles, make the robot smaller, or leave out path_weight";
        let radius = costmap.layer.inscribed_radius;
        let value = format!("all goals are closer to obstacles than the robot's inscribed radius of {radius:.4}");
        problems.push(written.part("path_weight"), value, remedy);
    }
}

impl Costmap {
    /// Whether paths avoid a cell of this index: the robot would touch an obstacle.
    pub fn bars(&self, cell: usize) -> bool {
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

    /// Warnings about the robot, about parameters that Nav2 calls wrong, and about agents that start where paths do not lead.
    pub fn add_doubts(&self, scenario: &Scenario, doubts: &mut Warnings) {
        doubts.append(self.doubts.clone());
        let Inflation { inflation_radius, inscribed_radius, .. } = self.layer;
        if inflation_radius < inscribed_radius {
            let kind =
                "nav2.inflation_radius is less than the robot's inscribed radius, so costs do not cover the robot";
            doubts.add(kind, || format!("{inflation_radius} and {inscribed_radius:.4}"));
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
                doubts.add_many(barred.len() as u64, kind, example);
            }
        }
    }

    /// Adds inflated costs to those of paths: `base * weight * cost / 252`, up to the highest one.
    pub fn add_to(&self, path_costs: &mut [f32], base: f32, highest: f32) {
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
    fn costs_raise_those_of_paths_and_inscribed_cells_bar_them() {
        let costs = vec![0, 63, 252, 253, 254, 255];
        let layer = Inflation::default();
        let (doubts, cell) = (Warnings::new(), 1.0);
        let found = |path_weight| {
            let mut paths = vec![2.0, 2.0, 2.0, 2.0, 2.0, 3.0];
            Costmap { layer, cell, costs: costs.clone(), path_weight, doubts: doubts.clone() }
                .add_to(&mut paths, 2.0, 9.0);
            paths
        };
        assert_eq!(found(None), [2.0, 2.0, 2.0, 2.0, 2.0, 3.0]);
        assert_eq!(found(Some(2.0)), [2.0, 3.0, 6.0, f32::INFINITY, f32::INFINITY, 3.0]);
        assert_eq!(found(Some(100.0))[1..3], [9.0, 9.0]);
        let counts = Costmap { layer, cell, costs, path_weight: None, doubts: doubts.clone() }.counts();
        assert_eq!(counts, Counts { lethal: 1, inscribed: 1, inflated: 2, free: 1, unknown: 1 });
    }
}
