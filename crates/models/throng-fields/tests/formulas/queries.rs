//! Values and slopes between samples, and best cells.

use serde::Deserialize;
use throng_fields::{Best, Field, Grid};

use super::reading::{Findings, open, read};

#[derive(Deserialize)]
struct Scenario {
    name: String,
    grid: Grid,
    /// Cells that must not be chosen.
    walls: Vec<usize>,
    at: Vec<[f64; 2]>,
    circles: Vec<(f64, f64, f32)>,
}

/// Values are small multiples of 1/4; slopes are divided by cell sizes of at least 1/4.
const BOUND: f32 = 2e-5;

fn numbers(best: Option<Best>) -> [f32; 3] {
    best.map_or([-1.0; 3], |best| [best.column as f32, best.row as f32, best.value])
}

#[test]
fn samples_are_bilinear_and_the_first_best_cell_is_found() {
    let (scenarios, mut expected) = read::<Scenario>("queries");
    let mut findings = Findings::default();
    for Scenario { name, grid, walls, at, circles } in scenarios {
        let field = Field::from_values(grid, expected.cells(&grid)).unwrap();
        let allowed = open(&grid, &walls);
        for point in at {
            let ([dx, dy], value) = (field.gradient(point).unwrap(), field.sample(point).unwrap());
            findings.compare(&format!("{name}, {point:?}"), &[value, dx, dy], &expected.take(3), BOUND);
        }
        let best = field.best(Some(&allowed)).unwrap();
        findings.compare(&format!("{name}, best"), &numbers(best), &expected.take(3), 0.0);
        for (x, y, radius) in circles {
            let best = field.best_within([x, y], radius, Some(&allowed)).unwrap();
            let place = format!("{name}, best within {radius} of {x}, {y}");
            findings.compare(&place, &numbers(best), &expected.take(3), 0.0);
        }
    }
    findings.finish();
}
