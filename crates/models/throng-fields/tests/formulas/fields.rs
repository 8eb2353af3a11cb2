//! Fields of entities, and combinations of layers.

use serde::Deserialize;
use throng_fields::creation::{self, FixedPoint, Windows};
use throng_fields::layers::{Combination, LayerStack};
use throng_fields::{Entity, Grid};

use super::reading::{Findings, Sources, read};

#[derive(Deserialize)]
struct Scenario {
    name: String,
    grid: Grid,
    #[serde(flatten)]
    sources: Sources,
    /// The maximum errors in floating point, and in fixed point with 16 fractional bits.
    floats: f32,
    fixed: f32,
}

#[test]
fn fields_are_sums_of_charges_times_profiles_of_distances() {
    let (scenarios, mut expected) = read::<Scenario>("fields");
    let [mut floats, mut fixed] = [Findings::default(), Findings::default()];
    for Scenario { name, grid, sources, floats: bound, fixed: coarse } in scenarios {
        let (entities, expected) = (sources.all(), expected.cells(&grid));
        floats.compare(&name, creation::by_tiles(&grid, &entities).unwrap().values(), &expected, bound);
        let steps = FixedPoint::default().by_tiles(&grid, &entities).unwrap();
        fixed.compare(&format!("{name}, fixed point"), steps.values(), &expected, coarse);
    }
    floats.finish();
    fixed.finish();
}

#[test]
fn best_cells_of_windows_match_the_field() {
    let (scenarios, mut expected) = read::<Scenario>("fields");
    let mut findings = Findings::default();
    for Scenario { name, grid, sources, floats: bound, fixed: coarse } in scenarios {
        let (entities, expected) = (sources.all(), expected.cells(&grid));
        let mut sorted = expected.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for (fixed, bound) in [(None, bound), (Some(FixedPoint::default()), coarse)] {
            let grids = [grid];
            let windows = Windows::new(&grids);
            let windows = fixed.into_iter().fold(windows, Windows::in_fixed_point);
            let best = &windows.best(&entities, 5).unwrap()[0];
            let values: Vec<f32> = best.iter().map(|best| best.value).collect();
            let at_best: Vec<f32> = best.iter().map(|best| expected[grid.index(best.column, best.row)]).collect();
            findings.compare(&format!("{name}, best values"), &values, &sorted[..5], bound);
            findings.compare(&format!("{name}, best cells"), &values, &at_best, bound);
        }
    }
    findings.finish();
}

#[derive(Deserialize)]
#[serde(tag = "operation", rename_all = "lowercase")]
enum Operation {
    Add { weight: f32, layer: u32 },
    Max { weight: f32, layer: u32 },
    Min { weight: f32, layer: u32 },
    Times { weight: f32, layer: u32 },
    Threshold { at: f32, below: f32, from: f32 },
}

#[derive(Deserialize)]
struct Layers {
    #[serde(flatten)]
    scenario: Scenario,
    #[serde(rename = "layers")]
    count: u32,
    operations: Vec<Operation>,
}

fn combination(operations: &[Operation]) -> Combination {
    operations.iter().fold(Combination::new(), |combination, operation| match *operation {
        Operation::Add { weight, layer } => combination.add(weight, layer),
        Operation::Max { weight, layer } => combination.max(weight, layer),
        Operation::Min { weight, layer } => combination.min(weight, layer),
        Operation::Times { weight, layer } => combination.times(weight, layer),
        Operation::Threshold { at, below, from } => combination.threshold(at, below, from),
    })
}

/// The layers of some entities in fixed point.
fn in_fixed_point(grid: &Grid, entities: &[Entity], count: u32) -> LayerStack {
    let layer = |layer: u32| {
        let members: Vec<Entity> = entities.iter().filter(|entity| entity.layers >> layer & 1 == 1).cloned().collect();
        FixedPoint::default().by_tiles(grid, &members).unwrap()
    };
    LayerStack::of((0..count).map(layer).collect()).unwrap()
}

#[test]
fn combinations_apply_their_operations_to_layers() {
    let (scenarios, mut expected) = read::<Layers>("layers");
    let [mut floats, mut fixed] = [Findings::default(), Findings::default()];
    for Layers { scenario: Scenario { name, grid, sources, floats: bound, fixed: coarse }, count, operations } in
        scenarios
    {
        let (entities, expected, combination) = (sources.all(), expected.cells(&grid), combination(&operations));
        let together = creation::combined(&grid, &entities, &combination).unwrap();
        floats.compare(&name, together.values(), &expected, bound);
        let stack = LayerStack::by_tiles(&grid, &entities, count).unwrap();
        floats.compare(&format!("{name}, a stack"), combination.of(&stack).unwrap().values(), &expected, bound);
        let stack = in_fixed_point(&grid, &entities, count);
        fixed.compare(&format!("{name}, fixed point"), combination.of(&stack).unwrap().values(), &expected, coarse);
    }
    floats.finish();
    fixed.finish();
}
