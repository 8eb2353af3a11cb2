//! Values that a run extracts from its state: of which quantity, at which times, of which cells.

use std::collections::BTreeSet;

use crate::Grid;
use crate::entities::Cells;
use crate::scenario::arrays::Array;
use crate::scenario::figures::{Given, Need};
use crate::scenario::names;
use crate::scenario::queries::Query;
use crate::scenario::written::{CellRange, Part, Quantity as Kind};
use throng_core::Problems;

/// A sampled point belongs to a window if it is outside by less than this share of a cell: decimal fractions are not
/// exact.
const TOLERANCE: f64 = 1e-3;

/// Arrays, queries and the costmap that a run writes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extracts {
    pub arrays: Vec<Array>,
    pub queries: Vec<Query>,
    /// Whether the files of the costmap are written, if the scenario has one.
    pub costmap: bool,
}

/// The parts of a scenario to which keys refer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    pub grid: &'a Grid,
    pub layers: &'a [String],
    pub teams: &'a [String],
    pub has_goals: bool,
    pub steps: u32,
    pub time_step: f64,
}

/// A quantity with a value for each cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// A layer; `None`: the combined field.
    Field(Option<usize>),
    /// The influence of a team.
    Influence(usize),
    /// The influence of a team minus that of all others.
    Balance(usize),
    /// The sum of all influences.
    Tension,
    /// Twice the weaker side of a team and all others.
    Vulnerability(usize),
    /// The travel time to the nearest goal; infinite where there is none.
    TravelTimes,
    /// The direction of the way to the nearest goal, radians anticlockwise from the x axis; NaN where there is none.
    Flow,
    /// 1 in open cells, 0 in walls.
    Open,
}

/// The times of extracts, as steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// Only the last step.
    End,
    /// Step 0, multiples of this number, and the last step.
    Every(u32),
    At(BTreeSet<u32>),
}

impl Schedule {
    /// Whether a step of a run is one of the times.
    pub(crate) fn is_due(&self, step: u32, steps: u32) -> bool {
        match self {
            Self::End => step == steps,
            Self::Every(every) => step.is_multiple_of(*every) || step == steps,
            Self::At(all) => all.contains(&step),
        }
    }

    /// The number of times in a run.
    pub(crate) fn count(&self, steps: u32) -> u64 {
        match self {
            Self::End => 1,
            Self::Every(every) => 1 + u64::from(steps.div_ceil(*every)),
            Self::At(all) => all.range(..=steps).count() as u64,
        }
    }

    /// All steps of a run that are due.
    pub(crate) fn steps(&self, steps: u32) -> Vec<u32> {
        match self {
            Self::End => vec![steps],
            Self::Every(every) => (0..steps).step_by(*every as usize).chain([steps]).collect(),
            Self::At(all) => all.range(..=steps).copied().collect(),
        }
    }

    pub(crate) fn read(
        every: Option<u32>,
        at: Option<&[f64]>,
        place: &str,
        context: Context<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let end = f64::from(context.steps) * context.time_step;
        match (every, at) {
            (None, None) => Some(Self::End),
            (Some(0), _) => {
                problems.push(format!("{place}, every"), "0", "expected a number of steps, 1 or more");
                None
            }
            (Some(every), None) => Some(Self::Every(every)),
            (Some(_), Some(_)) => {
                problems.push(place, "every and at", "give one of them: steps from one time to the next, or all times");
                None
            }
            (None, Some(times)) => {
                let mut steps = BTreeSet::new();
                for time in times {
                    let step = (time / context.time_step).round();
                    // Half a step of tolerance at the end, and none for what is not a number.
                    if !(*time >= 0.0 && step <= f64::from(context.steps)) {
                        let remedy = format!("expected times from 0 to {end}, the end of the run");
                        problems.push(format!("{place}, at"), time.to_string(), remedy);
                    } else if !steps.insert(step as u32) {
                        let remedy = format!("leave it out: step {step} is already one of the times");
                        problems.push(format!("{place}, at"), time.to_string(), remedy);
                    }
                }
                if times.is_empty() {
                    problems.push(format!("{place}, at"), "no times", "give at least one, such as at = [0]");
                }
                Some(Self::At(steps))
            }
        }
    }
}

impl Quantity {
    pub(crate) fn read(
        (kind, layer, team): (Kind, Option<&str>, Option<&str>),
        place: &str,
        context: Context<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let needs_team = matches!(kind, Kind::Influence | Kind::Balance | Kind::Vulnerability);
        let given = Given {
            place,
            choice: format!("quantity = \"{}\"", word(kind)),
            keys: vec![
                ("layer", layer.is_some(), Need::when(kind == Kind::Layer)),
                ("team", team.is_some(), Need::when(needs_team)),
            ],
        };
        if !given.check(problems) {
            return None;
        }
        if (needs_team || kind == Kind::Tension) && context.teams.is_empty() {
            problems.push(
                format!("{place}, quantity"),
                "there are no teams",
                "add [influence], and a team of an entity",
            );
            return None;
        }
        if matches!(kind, Kind::TravelTimes | Kind::Flow) && !context.has_goals {
            problems.push(format!("{place}, quantity"), "there are no goals", "add [[goals]]");
            return None;
        }
        // Quantities without a team do not use the number.
        let team = team.map_or(Some(0), |name| {
            let teams = context.teams.iter().map(String::as_str);
            let found = context.teams.iter().position(|team| team == name);
            if found.is_none() {
                let value = format!("there is no team \"{}\"", names::shown(name));
                problems.push(format!("{place}, team"), value, names::known(name, teams));
            }
            found
        })?;
        let layer = match layer {
            Some(name) => Some(names::layer(name, &format!("{place}, layer"), context.layers, problems)?),
            None => None,
        };
        Some(match kind {
            Kind::Layer | Kind::Combined => Self::Field(layer),
            Kind::Influence => Self::Influence(team),
            Kind::Balance => Self::Balance(team),
            Kind::Tension => Self::Tension,
            Kind::Vulnerability => Self::Vulnerability(team),
            Kind::TravelTimes => Self::TravelTimes,
            Kind::Flow => Self::Flow,
            Kind::Open => Self::Open,
        })
    }
}

/// The word for a quantity in files.
pub(crate) fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Layer => "layer",
        Kind::Combined => "combined",
        Kind::Influence => "influence",
        Kind::Balance => "balance",
        Kind::Tension => "tension",
        Kind::Vulnerability => "vulnerability",
        Kind::TravelTimes => "travel_times",
        Kind::Flow => "flow",
        Kind::Open => "open",
    }
}

/// The cells of a window or a range of cells; all cells without either.
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
            let along = |axis: usize, count: u32| {
                let first = (low[axis] - TOLERANCE).ceil().max(0.0);
                let end = ((high[axis] + TOLERANCE).floor() + 1.0).min(f64::from(count));
                // Comparisons with what is not a number are false.
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

    fn context(grid: &Grid) -> Context<'_> {
        Context { grid, layers: &[], teams: &[], has_goals: false, steps: 10, time_step: 0.1 }
    }

    #[test]
    fn schedules_have_as_many_times_as_steps_that_are_due() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let mut problems = Problems::new();
        let read = |every, at: Option<&[f64]>, problems: &mut Problems| {
            Schedule::read(every, at, "array", context(&grid), problems)
        };
        for (every, at, expected) in [
            (None, None, vec![10]),
            (Some(4), None, vec![0, 4, 8, 10]),
            (Some(5), None, vec![0, 5, 10]),
            (Some(99), None, vec![0, 10]),
            // 0.3 is less than three times 0.1.
            (None, Some(&[0.3, 0.0, 1.0][..]), vec![0, 3, 10]),
        ] {
            let schedule = read(every, at, &mut problems).unwrap();
            let due: Vec<u32> = (0..=10).filter(|&step| schedule.is_due(step, 10)).collect();
            assert_eq!((&due, &schedule.steps(10), schedule.count(10)), (&expected, &expected, expected.len() as u64));
        }
        // A run that is cut short has the times up to its end.
        let at = read(None, Some(&[0.3, 1.0]), &mut problems).unwrap();
        assert_eq!((at.steps(5), at.count(5)), (vec![3], 1));
        assert_eq!(read(Some(4), None, &mut problems).unwrap().steps(6), [0, 4, 6]);
        assert!(problems.is_empty());
        for (every, at) in [
            (Some(0), None),
            (Some(1), Some(&[0.0][..])),
            (None, Some(&[1.06])),
            (None, Some(&[-0.01])),
            (None, Some(&[f64::NAN])),
            (None, Some(&[0.5, 0.51])),
            (None, Some(&[])),
        ] {
            let mut problems = Problems::new();
            read(every, at, &mut problems);
            assert_eq!(problems.total(), 1, "{every:?} {at:?}");
        }
    }

    #[test]
    fn windows_have_the_cells_whose_points_they_cover() {
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
