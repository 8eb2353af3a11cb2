//! The costs of paths that groups may choose, and the resulting travel times: `[flow]` and `[flows]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_core::{InputError, Problems};
use throng_fields_core::routing::{Danger, Order, Scheme, TravelTimes};
use throng_fields_core::{Field, Metric, creation};
use throng_model::scenario_file::{At, word_of};
use throng_pictures::{Grid, Mask};

use crate::scenario::{FieldId, Scenario};
use crate::tables::default_at;
use crate::value_checks::accept;
use crate::{names, walls};

/// `[flow]`, or an entry of `[flows]`: the costs of paths.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Flow")]
pub struct FlowTable {
    /// The layer or combination whose negative values are to be avoided; by default the combined field.
    pub danger: Option<String>,
    /// Cost of a unit of length without danger, units of time.
    #[serde(default = "one")]
    pub base: f32,
    /// Factor of danger.
    #[serde(default = "one")]
    pub weight: f32,
    /// Maximum cost; by default, and at most, 256 times the base.
    pub highest: Option<f32>,
    /// Number of steps after which paths are recomputed, if the field has changed.
    #[serde(default = "one_step")]
    pub every: u32,
    /// How path lengths are measured, and how agents walk: at any angle, along the axes from cell to cell, or also
    /// diagonally, with steps to eight neighbours of equal length.
    #[serde(default)]
    pub metric: Metric,
    /// The order of the scheme for travel times in the Euclidean metric: the second, which is the default, is more
    /// accurate, the first takes half to four fifths of the time.
    pub order: Option<Order>,
}

impl FlowTable {
    /// Costs without danger, which are the lengths of paths.
    pub fn without_danger() -> Self {
        let metric = Metric::Euclidean;
        Self { danger: None, base: 1.0, weight: 0.0, highest: None, every: 1, metric, order: None }
    }
}

fn one() -> f32 {
    1.0
}

/// The default for periods: every step.
pub(crate) fn one_step() -> u32 {
    1
}

/// Costs of paths, and the period of their computation.
#[derive(Debug, Clone)]
pub struct FlowRule {
    /// The field from which costs are computed.
    pub felt: FieldId,
    /// The conversion of the field to costs.
    pub danger: Danger,
    /// Number of steps between computations.
    pub every: u32,
    /// The scheme for travel times.
    pub scheme: Scheme,
}

impl FlowRule {
    /// Computes the travel times to those goals that paths with these costs may reach.
    ///
    /// # Errors
    /// As for [`TravelTimes::to_goals`].
    pub fn times(&self, grid: &Grid, costs: &[f32], goals: &Mask) -> Result<TravelTimes, InputError> {
        TravelTimes::by_scheme(self.scheme, grid, costs, &Self::reachable(grid, costs, goals))
    }

    /// Returns the goals that paths with these costs may reach.
    pub fn reachable(grid: &Grid, costs: &[f32], goals: &Mask) -> Vec<(u32, u32)> {
        goals.cells().filter(|&(column, row)| costs[grid.index(column, row)].is_finite()).collect()
    }
}

impl Scenario {
    /// Computes the costs of paths in all cells of a ground, given by its index, and the field that the rule refers to;
    /// infinite in walls, where bodies of a `passage` cannot walk, and where the robot would touch an obstacle.
    ///
    /// # Errors
    /// As for [`Danger::costs`].
    pub fn path_costs(
        &self,
        rule: &FlowRule,
        field: &Field,
        (passage, terrain): (usize, usize),
    ) -> Result<Vec<f32>, InputError> {
        let danger = &rule.danger;
        let walkable = self.passages.cells(passage, terrain).unwrap_or(self.terrains.ground(terrain).open());
        let mut costs = danger.costs(field, Some(walkable))?;
        if let Some(costmap) = &self.costmap {
            costmap.add_to(&mut costs, danger.base, danger.highest.unwrap_or(danger.base * TravelTimes::MAX_RATIO));
        }
        Ok(costs)
    }
}

/// Returns the names and the rules of `[flow]` and of all `[flows]`. The first name, that of `[flow]`, is empty. A rule
/// with problems is `None`.
pub(crate) fn all(
    flow: &mut Option<At<FlowTable>>,
    flows: &mut BTreeMap<String, At<FlowTable>>,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> (Vec<String>, Vec<Option<FlowRule>>) {
    let mut names = vec![String::new()];
    let flow = flow.get_or_insert_with(|| default_at(FlowTable::without_danger(), "flow"));
    let mut rules = vec![rule(flow, layers, combinations, problems)];
    for (name, written) in flows {
        names::check_name(name, &written.place, problems);
        names.push(name.clone());
        rules.push(rule(written, layers, combinations, problems));
    }
    (names, rules)
}

/// Reads the costs of paths. The first combination is the combined field.
fn rule(
    written: &mut At<FlowTable>,
    layers: &[String],
    combinations: &[String],
    problems: &mut Problems,
) -> Option<FlowRule> {
    let At { value: FlowTable { danger, base, weight, highest, every, metric, order }, place } = written;
    let felt = match danger {
        Some(name) => names::field(name, &format!("{place}, danger"), layers, combinations, problems)?,
        None => FieldId::Combination(0),
    };
    if *every == 0 {
        problems.push(format!("{place}, every"), "0", "expected a number of steps, 1 or more");
    }
    let scheme = match metric {
        Metric::Euclidean => Scheme::Euclidean(*order.get_or_insert_default()),
        Metric::Manhattan => Scheme::Manhattan,
        Metric::Chebyshev => Scheme::Chebyshev,
    };
    if let Some(order) = order.filter(|_| *metric != Metric::Euclidean) {
        let remedy = format!("omit it: metric = \"{}\" has no order", metric.name());
        problems.push(format!("{place}, order"), format!("\"{}\"", word_of(&order)), remedy);
    }
    let danger = Danger { base: *base, weight: *weight, highest: *highest };
    let flat = accept(place, creation::by_tiles(&walls::tiny(), &[]), problems)?;
    accept(place, danger.costs(&flat, None), problems)?;
    let danger = Danger { highest: Some(*highest.get_or_insert(*base * TravelTimes::MAX_RATIO)), ..danger };
    Some(FlowRule { felt, danger, every: *every, scheme })
}
