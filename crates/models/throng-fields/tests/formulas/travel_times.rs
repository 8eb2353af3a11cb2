//! Travel times: exact solutions, and the first-order scheme.

use serde::Deserialize;
use throng_fields::routing::{Danger, Order, TravelTimes};
use throng_fields::{Grid, creation};

use super::reading::{Findings, Sources, open, read};

#[derive(Deserialize)]
struct Scenario {
    name: String,
    grid: Grid,
    walls: Vec<usize>,
    goals: Vec<(u32, u32)>,
    /// One cost for all cells, one per column, or one per cell.
    costs: Vec<f32>,
    bound: f32,
    #[serde(flatten)]
    danger: Option<FromField>,
}

/// Costs derived from a field.
#[derive(Deserialize)]
struct FromField {
    #[serde(flatten)]
    sources: Sources,
    danger: Numbers,
}

#[derive(Deserialize)]
struct Numbers {
    base: f32,
    weight: f32,
    highest: f32,
}

impl Scenario {
    fn costs(&self) -> Vec<f32> {
        let open = open(&self.grid, &self.walls);
        if let Some(FromField { sources, danger: Numbers { base, weight, highest } }) = &self.danger {
            let field = creation::by_tiles(&self.grid, &sources.all()).unwrap();
            let danger = Danger { base: *base, weight: *weight, highest: Some(*highest) };
            return danger.costs(&field, Some(&open)).unwrap();
        }
        let cost = |cell: usize| match self.costs.len() {
            1 => self.costs[0],
            count => self.costs[cell % count],
        };
        let allowed = |cell: &usize| self.walls.binary_search(cell).is_err();
        (0..self.grid.cells()).map(|cell| if allowed(&cell) { cost(cell) } else { f32::INFINITY }).collect()
    }

    fn times(&self, order: Order) -> TravelTimes {
        TravelTimes::by_scheme(order, &self.grid, &self.costs(), &self.goals).unwrap()
    }
}

/// Times, with -1 where there is no path.
fn finite(times: &TravelTimes) -> Vec<f32> {
    times.field().values().iter().map(|&time| if time.is_finite() { time } else { -1.0 }).collect()
}

/// Distances from points, also around a corner, and refraction between two costs. The scenarios' bounds, of a few
/// cells, are for the first-order scheme; errors of the second order are less than half of them.
#[test]
fn travel_times_approach_exact_solutions() {
    let (scenarios, mut expected) = read::<Scenario>("exact_times");
    let mut findings = Findings::default();
    for scenario in scenarios {
        let (found, right) = (finite(&scenario.times(Order::Second)), expected.cells(&scenario.grid));
        findings.compare(&scenario.name, &found, &right, 0.5 * scenario.bound);
    }
    findings.finish();
}

/// Maximum fraction of a time that is lost to rounding.
const MAX_ROUNDING: f32 = 0.006;

#[test]
fn travel_times_solve_the_scheme() {
    let (scenarios, mut expected) = read::<Scenario>("scheme");
    let mut findings = Findings::default();
    for scenario in scenarios {
        let Scenario { name, grid, bound, .. } = &scenario;
        let times = scenario.times(Order::First);
        let right = expected.cells(grid);
        findings.compare(name, &finite(&times), &right, *bound);
        let ratios: Vec<f32> =
            finite(&times).iter().zip(&right).filter(|(_, right)| **right > 0.0).map(|(a, b)| a / b).collect();
        findings.compare(&format!("{name}, ratios"), &ratios, &vec![1.0; ratios.len()], MAX_ROUNDING);
    }
    findings.finish();
}
