//! Values that a run extracts from its state, as quantities on certain cells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::entities::Cells;
use throng_model::scenario_file::word_of;
use throng_pictures::{Grid, Sample};

use crate::arrays::Array;
use crate::key_rules::{Presence, check_keys};
use crate::queries::Query;
use crate::scenario::FieldId;
use crate::value_checks::TOLERANCE;
use crate::{goals, names};

/// A quantity with a value per cell, as named in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuantityName {
    /// A layer.
    Layer,
    /// The field that agents follow.
    Combined,
    /// The influence of a team.
    Influence,
    /// The influence of a team minus that of all others.
    Balance,
    /// The sum of all influences.
    Tension,
    /// Tension minus the absolute value of balance.
    Vulnerability,
    /// The travel time to the nearest goal.
    TravelTimes,
    /// The direction of the path to the nearest goal.
    Flow,
    /// 1 in open cells, 0 in walls.
    Open,
    /// A bit per layer, the lowest one for the first layer: 1 where the layer is at least its threshold.
    Bits,
}

/// A rectangle of the map.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The corner with the lowest coordinates.
    pub from: [f64; 2],
    /// The corner with the highest coordinates.
    pub to: [f64; 2],
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellRange {
    /// The first column and row.
    pub from: [u32; 2],
    /// The last column and row.
    pub to: [u32; 2],
}

/// Outputs of a run: arrays, queries and the costmap.
#[derive(Debug, Clone, Default)]
pub struct Extracts {
    pub arrays: Vec<Array>,
    pub queries: Vec<Query>,
    /// Whether the files of the costmap are written, if the scenario has one.
    pub costmap: bool,
}

/// The parts of a scenario that keys refer to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub grid: &'a Grid,
    pub layers: &'a [String],
    /// Names of combinations; the first one, of the combined field, is empty.
    pub combinations: &'a [String],
    pub teams: &'a [String],
    pub has_goals: bool,
    pub steps: u32,
    pub time_step: f64,
}

/// A quantity with a value per cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The values of a layer or combination.
    Field(FieldId),
    /// The influence of the team with this index.
    Influence(usize),
    /// The influence of a team minus that of all others.
    Balance(usize),
    /// The sum of all influences.
    Tension,
    /// Twice the minimum of the team's influence and the sum of all others.
    Vulnerability(usize),
    /// The travel time to the nearest goal; infinite if no goal can be reached.
    TravelTimes,
    /// The direction of the path to the nearest goal, radians anticlockwise from the x axis; NaN if there is none.
    Flow,
    /// 1 in open cells, 0 in walls.
    Open,
}

impl Quantity {
    /// Returns the grid of the values, given the grid of a scenario: layers keep the sampled points of the scenario,
    /// and all other quantities have a value per cell, located at its centre.
    pub fn grid(self, grid: &Grid) -> Grid {
        match self {
            Self::Field(_) => *grid,
            _ => grid.sampled_at(Sample::Centre),
        }
    }

    pub(crate) fn read(
        (kind, layer, team): (QuantityName, Option<&str>, Option<&str>),
        place: &str,
        context: Context<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        if kind == QuantityName::Bits {
            let remedy = "bits have neither a best cell nor a slope: write them as an array";
            problems.push(format!("{place}, quantity"), "\"bits\"", remedy);
            return None;
        }
        let needs_team = matches!(kind, QuantityName::Influence | QuantityName::Balance | QuantityName::Vulnerability);
        let keys = [
            ("layer", layer.is_some(), Presence::when(kind == QuantityName::Layer)),
            ("team", team.is_some(), Presence::when(needs_team)),
        ];
        if !check_keys(place, &format!("quantity = \"{}\"", word_of(&kind)), &keys, problems) {
            return None;
        }
        if (needs_team || kind == QuantityName::Tension) && context.teams.is_empty() {
            problems.push_missing(
                &["influence", "entities", "agents"],
                format!("{place}, quantity"),
                "there are no teams",
                "add [influence], and a team of an entity",
            );
            return None;
        }
        if matches!(kind, QuantityName::TravelTimes | QuantityName::Flow) && !context.has_goals {
            problems.push_missing(&["goals"], format!("{place}, quantity"), "there are no goals", "add [[goals]]");
            return None;
        }
        // Quantities without a team ignore the index.
        let team =
            team.map_or(Some(0), |name| goals::team(name, &format!("{place}, team"), context.teams, problems))?;
        let layer = match layer {
            Some(name) => {
                let (layers, combinations) = (context.layers, context.combinations);
                names::field(name, &format!("{place}, layer"), layers, combinations, problems)?
            }
            None => FieldId::Combination(0),
        };
        Some(match kind {
            QuantityName::Layer | QuantityName::Combined => Self::Field(layer),
            QuantityName::Influence => Self::Influence(team),
            QuantityName::Balance => Self::Balance(team),
            QuantityName::Tension => Self::Tension,
            QuantityName::Vulnerability => Self::Vulnerability(team),
            QuantityName::TravelTimes => Self::TravelTimes,
            QuantityName::Flow => Self::Flow,
            QuantityName::Open => Self::Open,
            QuantityName::Bits => return None,
        })
    }
}

/// Returns the cells of a window or a range of cells; all cells if neither is given. `grid` is the grid of the
/// quantity.
pub(crate) fn cells(
    window: Option<Part>,
    range: Option<CellRange>,
    place: &str,
    grid: &Grid,
    problems: &mut Problems,
) -> Option<Cells> {
    let (columns, rows) = (grid.columns(), grid.rows());
    match (window, range) {
        (None, None) => Some(Cells { columns: (0, columns), rows: (0, rows) }),
        (Some(_), Some(_)) => {
            problems.push(place, "window and cells", "give one of them");
            None
        }
        (None, Some(CellRange { from, to })) => {
            if to[0] >= columns || to[1] >= rows || from[0] > to[0] || from[1] > to[1] {
                let remedy = format!("expected columns from 0 to {} and rows from 0 to {}", columns - 1, rows - 1);
                problems.push(format!("{place}, cells"), format!("from {from:?} to {to:?}"), remedy);
                return None;
            }
            Some(Cells { columns: (from[0], to[0] + 1), rows: (from[1], to[1] + 1) })
        }
        (Some(Part { from, to }), None) => {
            let [low, high] = [from, to].map(|point| grid.in_samples(point));
            // A sampled point on the border belongs to the window.
            let along = |axis: usize, count: u32| {
                let first = (low[axis] - TOLERANCE).ceil().max(0.0);
                let end = ((high[axis] + TOLERANCE).floor() + 1.0).min(f64::from(count));
                // Comparisons with NaN are false.
                (low[axis] <= high[axis] && first < end).then_some((first as u32, end as u32))
            };
            let found = along(0, columns).zip(along(1, rows));
            if found.is_none() {
                let [left, low] = grid.point(0, 0);
                let [right, high] = grid.point(columns - 1, rows - 1);
                let remedy = format!(
                    "expected corners around the sampled point of a cell: x from {left} to {right}, y from {low} to {high}"
                );
                problems.push(format!("{place}, window"), format!("from {from:?} to {to:?}"), remedy);
            }
            found.map(|(columns, rows)| Cells { columns, rows })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_contain_the_cells_of_covered_points() {
        let grid = Grid::new([10.0, 0.0], 0.5, 20, 10).unwrap();
        let found = |from: [f64; 2], to: [f64; 2]| {
            let mut problems = Problems::new();
            let cells = cells(Some(Part { from, to }), None, "array", &grid, &mut problems);
            assert_eq!(cells.is_none(), problems.total() == 1);
            cells.map(|cells| (cells.columns, cells.rows))
        };
        // Sampled points are at 10.25, 10.75 and so on.
        assert_eq!(found([10.25, 0.25], [11.25, 0.3]), Some(((0, 3), (0, 1))));
        assert_eq!(found([-1e9, 4.0], [1e9, 99.0]), Some(((0, 20), (8, 10))));
        assert_eq!(found([10.3, 0.3], [10.6, 0.7]), None);
        assert_eq!(found([f64::NAN, 0.0], [20.0, 5.0]), None);
        assert_eq!(found([12.0, 2.0], [11.0, 1.0]), None);
        let range = |from, to| {
            let mut problems = Problems::new();
            cells(None, Some(CellRange { from, to }), "array", &grid, &mut problems).map(Cells::count)
        };
        assert_eq!(range([0, 0], [19, 9]), Some(200));
        assert_eq!((range([3, 4], [3, 4]), range([0, 0], [20, 9]), range([5, 0], [4, 9])), (Some(1), None, None));
    }
}
