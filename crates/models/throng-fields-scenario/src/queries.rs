//! The queries that a run evaluates into a table: `[[output.queries]]`.

use std::collections::BTreeMap;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use throng_core::Problems;
use throng_fields_core::entities::Cells;
use throng_model::scenario_file::{At, word_of};
use throng_pictures::{Grid, Sample};

use crate::extracts::{CellRange, Context, Part, Quantity, QuantityName};
use crate::key_rules::{Presence, check_keys};
use crate::schedule::Schedule;
use crate::{extracts, names};

/// An entry of `[[output.queries]]`: best cells, or values at points, at certain times. All results are in queries.csv.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "struct Query")]
pub struct QueryTable {
    /// The queried field.
    #[schemars(schema_with = "quantities")]
    pub quantity: QuantityName,
    /// The layer (layer).
    pub layer: Option<String>,
    /// The team (influence, balance, vulnerability).
    pub team: Option<String>,
    /// The name of the query in the table; by default its number.
    pub name: Option<String>,
    /// The number of open cells with the highest values that are listed.
    pub best: Option<u32>,
    /// Points of the map at which the value and the slope are listed, units of length.
    pub points: Option<Vec<[f64; 2]>>,
    /// As in arrays.
    pub every: Option<u32>,
    /// As in arrays.
    pub at: Option<Vec<f64>>,
    /// As in arrays (best).
    pub window: Option<Part>,
    /// As in arrays (best).
    pub cells: Option<CellRange>,
}

/// The quantities that can be queried: directions and open cells have neither a best cell nor a slope, and bits no
/// order.
fn quantities(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = QuantityName::json_schema(generator);
    let refused = [QuantityName::Flow, QuantityName::Open, QuantityName::Bits].map(|quantity| word_of(&quantity));
    if let Some(choices) = schema.get_mut("oneOf").and_then(|choices| choices.as_array_mut()) {
        choices.retain(|choice| refused.iter().all(|word| choice["const"] != *word));
    }
    schema
}

/// Maximum number of best cells of a query.
const MAX_BEST: u32 = 1_000_000;

/// A query that is repeated at certain times: best cells, or values at points.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub name: String,
    pub quantity: Quantity,
    pub schedule: Schedule,
    pub kind: QueryKind,
}

/// The values that a query requests.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryKind {
    /// This number of open cells with the highest values, among these cells.
    Best(usize, Cells),
    /// Value and slope at points in the world.
    At(Vec<[f64; 2]>),
}

/// Reads all entries; the name of a query is by default its number in the list.
pub(crate) fn read(written: &mut [At<QueryTable>], context: Context<'_>, problems: &mut Problems) -> Vec<Query> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut queries = Vec::new();
    for (number, written) in (1..).zip(written) {
        let name = written.value.name.get_or_insert_with(|| number.to_string()).clone();
        if let Some(before) = taken.insert(name.clone(), number) {
            let value = format!("\"{}\" is the name of queries {before}", names::shown(&name));
            problems.push(written.part("name"), value, "choose another name, so that rows of the table differ");
        }
        queries.extend(one(name, written, context, problems));
    }
    queries
}

fn one(name: String, written: &At<QueryTable>, context: Context<'_>, problems: &mut Problems) -> Option<Query> {
    let place = written.place.as_str();
    let QueryTable { quantity: kind, layer, team, name: _, best, points, every, at, window, cells } = &written.value;
    names::check(&name, &format!("{place}, name"), names::MAX_LENGTH, problems);
    let quantity = Quantity::read((*kind, layer.as_deref(), team.as_deref()), place, context, problems);
    let schedule = Schedule::read(*every, at.as_deref(), place, context, problems);
    let of_points = points.is_some();
    let keys = [
        ("best", best.is_some(), Presence::when(!of_points)),
        ("window", window.is_some(), Presence::may_when(!of_points)),
        ("cells", cells.is_some(), Presence::may_when(!of_points)),
    ];
    if !check_keys(place, if of_points { "a query of points" } else { "a query of best cells" }, &keys, problems) {
        return None;
    }
    let is_flow = matches!(quantity, Some(Quantity::Flow | Quantity::Open));
    if is_flow {
        let remedy = "directions and open cells have neither a best cell nor a slope: write them as an array";
        problems.push(format!("{place}, quantity"), format!("\"{}\"", word_of(kind)), remedy);
    }
    let kind = match (points, best) {
        (Some(points), _) => {
            for point in points.iter().filter(|point| context.grid.cell_at(**point).is_none()) {
                problems.push(format!("{place}, points"), format!("{point:?}"), on_map(context.grid));
            }
            QueryKind::At(points.clone())
        }
        (None, best) => {
            let best = best.unwrap_or_default();
            if !(1..=MAX_BEST).contains(&best) {
                problems.push(
                    format!("{place}, best"),
                    best.to_string(),
                    format!("expected a number from 1 to {MAX_BEST}"),
                );
            }
            let grid = quantity.map_or(*context.grid, |quantity| quantity.grid(context.grid));
            QueryKind::Best(best as usize, extracts::cells(*window, *cells, place, &grid, problems)?)
        }
    };
    Some(Query { name, quantity: quantity?, schedule: schedule?, kind })
}

/// A description of the permitted points of a query.
fn on_map(grid: &Grid) -> String {
    let [left, low] = grid.sampled_at(Sample::Corner).point(0, 0);
    let [right, high] = grid.sampled_at(Sample::Corner).point(grid.columns(), grid.rows());
    format!("expected points of the map: x from {left} to less than {right}, y from {low} to less than {high}")
}
