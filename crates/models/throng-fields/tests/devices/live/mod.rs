//! A `DynamicField` on the CPU and on every device: bit-identical, and equal to fields computed from scratch.

mod agreement;
mod answers;
mod book;
mod created;
mod errors;
mod growth;

use throng_fields::creation::FixedPoint;
use throng_fields::{Best, DynamicField, Entity, Error, Field, Grid, InputError, Window};

use throng_testing_devices::executors;

fn input_error(error: Error) -> InputError {
    match error {
        Error::Input(error) => error,
        Error::Device(error) => panic!("{error}"),
    }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The current entities of a field.
fn entities(fields: &DynamicField) -> Vec<Entity> {
    fields.ids().into_iter().map(|id| fields.entity(id).unwrap().clone()).collect()
}

/// The field of entities, computed from scratch on the CPU by the definition.
fn made_at_once(grid: &Grid, entities: &[Entity]) -> Field {
    FixedPoint::default().every_pair(grid, entities).unwrap()
}

/// The best cells of a range of columns and rows, by the definition.
fn best_cells(field: &Field, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>, wanted: usize) -> Vec<Best> {
    let cells = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    let mut all: Vec<Best> =
        cells.filter_map(|(column, row)| field.at(column, row).map(|value| Best { column, row, value })).collect();
    // The sort is stable, so ties keep the order of cells.
    all.sort_by(|a, b| b.value.total_cmp(&a.value));
    all.truncate(wanted);
    all
}

/// Compares every answer of a field with the field computed from scratch from its entities.
fn check_answers(fields: &DynamicField, name: &str) {
    let (grid, all) = (*fields.grid(), entities(fields));
    let expected = made_at_once(&grid, &all);
    assert_eq!(bits(fields.read().unwrap().values()), bits(expected.values()), "{name}: field");

    let [width, height] = [grid.columns(), grid.rows()].map(|count| f64::from(count) * f64::from(grid.cell()));
    let [left, top] = grid.origin();
    let along = |i: u32, of: u32| f64::from(i * of % 997) / 997.0 * 1.4 - 0.2;
    let mut points: Vec<[f64; 2]> =
        (0..150).map(|i| [left + along(i, 367) * width, top + along(i, 593) * height]).collect();
    // Points on samples, and so near to them that the interpolation weights are tiny.
    points.extend([0, 1, 5].map(|i| grid.point(i, i)));
    points.extend([1e-9, 1e-20].map(|less| [grid.point(1, 1)[0] + less, grid.point(1, 1)[1] + less]));
    let values: Vec<f32> = points.iter().map(|&point| expected.sample(point).unwrap()).collect();
    assert_eq!(bits(&fields.sample(&points).unwrap()), bits(&values), "{name}: samples");
    let slopes: Vec<[f32; 2]> = points.iter().map(|&point| expected.gradient(point).unwrap()).collect();
    let found = fields.gradients(&points).unwrap();
    assert_eq!(bits(found.as_flattened()), bits(slopes.as_flattened()), "{name}: gradients");

    let blocks = [(0..grid.columns(), 0..grid.rows()), (3..9, 2..40), (0..1, 0..1), (70..200, 5..90), (8..8, 0..9)];
    for wanted in [0, 1, 7] {
        for layers in [None, Some(0b1), Some(0b110)] {
            let window = |(columns, rows): &(std::ops::Range<u32>, std::ops::Range<u32>)| {
                let window = Window::new(columns.clone(), rows.clone());
                layers.map_or(window.clone(), |layers| window.in_layers(layers))
            };
            // Adds one window of all entities to those of layers.
            let windows: Vec<Window> = blocks.iter().map(window).chain([Window::new(0..20, 0..20)]).collect();
            let found = fields.best_in(&windows, wanted).unwrap();
            let counts = |entity: &&Entity| layers.is_none_or(|layers| entity.layers & layers != 0);
            let of_layers: Vec<Entity> = all.iter().filter(counts).cloned().collect();
            let of_layers = made_at_once(&grid, &of_layers);
            let of_block = |(columns, rows): &(std::ops::Range<u32>, std::ops::Range<u32>)| {
                best_cells(&of_layers, columns.clone(), rows.clone(), wanted)
            };
            let mut best: Vec<Vec<Best>> = blocks.iter().map(of_block).collect();
            best.push(best_cells(&expected, 0..20, 0..20, wanted));
            assert_eq!(found, best, "{name}: {wanted} best cells in layers {layers:?}");
        }
    }
}
