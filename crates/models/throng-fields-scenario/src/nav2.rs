//! The inflation layer of Nav2 and the outline of the robot: `[nav2]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{Problems, Warnings};
use throng_fields_core::routing::Ground;
use throng_model::scenario_file::At;
use throng_nav2::{FOOTPRINT_PADDING, FREE_SPACE, Footprint, Inflation, LETHAL_OBSTACLE, RosDistro};
use throng_pictures::{Grid, Mask};

use crate::costmap::Costmap;
use crate::value_checks::{accept, check_not_negative};

/// `[nav2]`: the costs of an inflation layer of Nav2, written as costmap.npy, costmap.pgm and costmap.yaml.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Nav2")]
pub struct Nav2Table {
    /// The source of obstacles.
    #[serde(default)]
    pub source: CostSource,
    /// Distance from obstacles up to which there are costs, units of length, at most 4096 cells.
    #[serde(default = "Nav2Table::inflation_radius")]
    pub inflation_radius: f64,
    /// Rate at which costs decay, per unit of length.
    #[serde(default = "Nav2Table::cost_scaling_factor")]
    pub cost_scaling_factor: f64,
    /// Radius of a round robot, units of length: Nav2 converts it to a polygon with 16 corners. A robot has this,
    /// `footprint` or `inscribed_radius`; with a footprint it has no effect.
    pub robot_radius: Option<f64>,
    /// The corners of the robot's outline around its centre, [x, y] in units of length, in order; [] means none.
    pub footprint: Option<Vec<[f64; 2]>>,
    /// Padding of the polygon or the footprint along x and y, units of length; by default 0.01.
    pub footprint_padding: Option<f64>,
    /// Radius of the largest circle inside the padded footprint, units of length.
    pub inscribed_radius: Option<f64>,
    /// Whether unknown cells take any cost above 0; if not, they only take costs of 253 and 254.
    #[serde(default)]
    pub inflate_unknown: bool,
    /// Whether unknown cells are obstacles.
    #[serde(default)]
    pub inflate_around_unknown: bool,
    /// The fraction by which a cost of 252 raises the cost of paths; the robot's centre then avoids inscribed cells.
    /// Without it, inflation does not affect paths.
    pub path_weight: Option<f32>,
}

impl Nav2Table {
    fn inflation_radius() -> f64 {
        throng_nav2::Inflation::default().inflation_radius
    }

    fn cost_scaling_factor() -> f64 {
        throng_nav2::Inflation::default().cost_scaling_factor
    }

    /// The corners of the footprint, if there is one.
    pub fn corners(&self) -> Option<&[[f64; 2]]> {
        self.footprint.as_deref().filter(|corners| !corners.is_empty())
    }
}

/// The source of obstacles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CostSource {
    /// All walls of the scenario; all other cells are free.
    #[default]
    Walls,
    /// The occupied cells of the map, whose unknown cells stay unknown; other walls are ignored.
    Map,
}

/// The grid of a scenario with the cell size in the precision of Nav2.
pub(crate) struct Cells<'a> {
    pub grid: &'a Grid,
    /// The side length of a cell as written in the file.
    pub cell: f64,
    /// The side length of a cell as Nav2 receives it.
    pub resolution: f64,
    pub ros_distro: RosDistro,
}

/// Inflates the obstacles of a scenario. `of_map` are the costs of the map in a file, if there is one. The padding gets
/// its default, and an outline without effect is removed.
pub(crate) fn read(
    written: &mut At<Nav2Table>,
    cells: &Cells<'_>,
    open: &Mask,
    of_map: Option<&[u8]>,
    problems: &mut Problems,
) -> Option<Costmap> {
    let Nav2Table { source, inflation_radius, cost_scaling_factor, path_weight, .. } = written.value;
    let &Cells { grid, cell, resolution, ros_distro } = cells;
    if let Some(weight) = path_weight {
        check_not_negative(written.part("path_weight"), weight, problems);
    }
    let mut warnings = Warnings::new();
    let inscribed_radius = inscribed_radius(written, &mut warnings, problems)?;
    let nav2 = &mut written.value;
    match nav2.corners() {
        Some(_) => nav2.robot_radius = None,
        None => nav2.footprint = None,
    }
    let layer = Inflation {
        resolution,
        inflation_radius,
        inscribed_radius,
        cost_scaling_factor,
        inflate_unknown: nav2.inflate_unknown,
        inflate_around_unknown: nav2.inflate_around_unknown,
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
    let costs = accept(&written.place, inflated, problems)?;
    Some(Costmap { layer, cell, costs, path_weight, warnings })
}

/// Returns the inscribed radius of the robot, derived from its footprint, else from its radius, else as given.
fn inscribed_radius(written: &mut At<Nav2Table>, warnings: &mut Warnings, problems: &mut Problems) -> Option<f64> {
    let Nav2Table { robot_radius, footprint_padding, inscribed_radius, .. } = &written.value;
    let outline = match (robot_radius, written.value.corners(), inscribed_radius) {
        (_, Some(corners), None) => {
            if let Some(radius) = robot_radius {
                let kind = "nav2.robot_radius has no effect, as in Nav2, because there is a footprint: set footprint = [] \
                            for a round robot";
                warnings.add(kind, || radius.to_string());
            }
            Footprint::polygon(corners)
        }
        (Some(radius), None, None) => Footprint::of_radius(*radius),
        (None, None, &Some(radius)) => {
            if footprint_padding.is_some() {
                let remedy = "inscribed_radius already includes the padding: leave footprint_padding out";
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
            let remedy = "the robot's outline already determines the inscribed radius: leave out one of the two";
            problems.push(written.part("inscribed_radius"), "is given with robot_radius or footprint", remedy);
            return None;
        }
    };
    let padding = *written.value.footprint_padding.get_or_insert(FOOTPRINT_PADDING);
    let padded = outline.and_then(|outline| outline.padded(padding));
    let padded = accept(&written.place, padded, problems)?;
    let radius = padded.inscribed_radius();
    if written.value.corners().is_some() && !padded.contains_centre() {
        let kind = "nav2.footprint does not contain the robot's centre, from which its corners are measured; as in Nav2, the \
                    inscribed radius is the distance of the nearest side: move the corners";
        warnings.add(kind, || format!("inscribed radius {radius:.4}"));
    }
    Some(radius)
}

/// Rejects goals if no path may reach any of them.
pub(crate) fn check_goals(written: &At<Nav2Table>, costmap: &Costmap, ground: &Ground, problems: &mut Problems) {
    let mut goals = ground.goals().cells().map(|(column, row)| ground.grid().index(column, row)).peekable();
    if goals.peek().is_some() && goals.all(|cell| costmap.bars(cell)) {
        let remedy = "let a goal cover a cell farther from obstacles, make the robot smaller, or leave out path_weight";
        let radius = costmap.layer.inscribed_radius;
        let value = format!("all goals are closer to obstacles than the robot's inscribed radius of {radius:.4}");
        problems.push(written.part("path_weight"), value, remedy);
    }
}
