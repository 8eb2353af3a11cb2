//! The questions that a run answers in a table: `[[output.queries]]`.

use crate::entities::Cells;
use crate::scenario::extracts::{self, Context, Quantity};
use crate::scenario::figures::{Given, Need};
use crate::scenario::schedule::Schedule;
use crate::scenario::{lengths, names, written};
use throng_core::Problems;

/// The largest number of best cells of a query.
const MOST_BEST: u32 = 1_000_000;

/// A question at some times.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub name: String,
    pub quantity: Quantity,
    pub schedule: Schedule,
    pub asks: Asks,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Asks {
    /// The open cells with the highest values, so many of some cells.
    Best(usize, Cells),
    /// Value and slope at points of the world.
    At(Vec<[f64; 2]>),
}

/// Reads all entries; `place` is that of `[output]`.
pub(crate) fn read(
    written: &[written::Query],
    place: &str,
    context: Context<'_>,
    problems: &mut Problems,
) -> Vec<Query> {
    let entries = written.iter().enumerate();
    entries
        .filter_map(|(i, written)| one(i + 1, written, &format!("{place}, queries {}", i + 1), context, problems))
        .collect()
}

fn one(
    number: usize,
    written: &written::Query,
    place: &str,
    context: Context<'_>,
    problems: &mut Problems,
) -> Option<Query> {
    let written::Query { quantity: kind, layer, team, name, best, points, every, at, window, cells } = written;
    let name = name.clone().unwrap_or_else(|| number.to_string());
    names::check(&name, &format!("{place}, name"), names::LONGEST, problems);
    let quantity = Quantity::read((*kind, layer.as_deref(), team.as_deref()), place, context, problems);
    let schedule = Schedule::read(*every, at.as_deref(), place, context, problems);
    let of_points = points.is_some();
    let given = Given {
        place,
        choice: if of_points { "a query of points".to_owned() } else { "a query of best cells".to_owned() },
        keys: vec![
            ("best", best.is_some(), Need::when(!of_points)),
            ("window", window.is_some(), Need::may_when(!of_points)),
            ("cells", cells.is_some(), Need::may_when(!of_points)),
        ],
    };
    if !given.check(problems) {
        return None;
    }
    let is_flow = matches!(quantity, Some(Quantity::Flow | Quantity::Open));
    if is_flow {
        let remedy = "directions and open cells have neither a best cell nor a slope: write them as an array";
        problems.push(format!("{place}, quantity"), format!("\"{}\"", extracts::word(*kind)), remedy);
    }
    let asks = match (points, best) {
        (Some(points), _) => {
            for point in points.iter().filter(|point| !lengths::is_place(point)) {
                problems.push(format!("{place}, points"), format!("{point:?}"), "expected finite numbers");
            }
            Asks::At(points.clone())
        }
        (None, best) => {
            let best = best.unwrap_or_default();
            if !(1..=MOST_BEST).contains(&best) {
                problems.push(
                    format!("{place}, best"),
                    best.to_string(),
                    format!("expected a number from 1 to {MOST_BEST}"),
                );
            }
            Asks::Best(best as usize, extracts::cells(*window, *cells, place, context.grid, problems)?)
        }
    };
    Some(Query { name, quantity: quantity?, schedule: schedule?, asks })
}
