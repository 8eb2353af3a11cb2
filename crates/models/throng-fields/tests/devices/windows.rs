//! Best cells of windows on devices.
use throng_device::Error;
use throng_fields::gpu::{DeviceEntities, Windows};
use throng_fields::{Best, Entity, Field, Grid, Profile, creation};

use super::devices;

/// The best cells of a field, by the definition.
fn best_of(field: &Field, wanted: usize) -> Vec<Best> {
    let grid = field.grid();
    let cells = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
    let mut all: Vec<Best> =
        cells.map(|(column, row)| Best { column, row, value: field.at(column, row).unwrap() }).collect();
    all.sort_by(|a, b| b.value.total_cmp(&a.value).then((a.row, a.column).cmp(&(b.row, b.column))));
    all.truncate(wanted);
    all
}

#[test]
fn best_cells_of_windows_match_their_fields() {
    let at = |i: u32| [(i * 367 % 1009) as f32 * 0.1, (i * 593 % 1009) as f32 * 0.1];
    let entities: Vec<Entity> =
        (0..200).map(|i| Entity::new(at(i), Profile::linear(9.0).unwrap()).with_charge(0.5 + (i % 5) as f32)).collect();
    let sizes = [(64, 64), (1, 1), (3, 2), (100, 70), (65, 64), (20, 130)];
    let window = |i: usize, (columns, rows): (u32, u32)| {
        Grid::new([i as f32 * 13.0 - 4.0, 40.0 - i as f32 * 3.0], 0.1 + 0.07 * i as f32, columns, rows).unwrap()
    };
    let windows: Vec<Grid> = sizes.iter().enumerate().map(|(i, &size)| window(i, size)).collect();
    for device in devices() {
        let found = {
            let device_entities = DeviceEntities::in_world(device, &entities).unwrap();
            Windows::new(device, &windows).unwrap().best(device, &device_entities, 9).unwrap()
        };
        assert_eq!(found.len(), windows.len());
        for (window, found) in windows.iter().zip(found) {
            let field = creation::by_tiles(window, &entities).unwrap();
            let expected = best_of(&field, 9);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                // Cells may swap ranks if their values are equal up to rounding.
                assert!((found.value - expected.value).abs() < 1e-4, "{found:?} {expected:?}");
                assert!((field.at(found.column, found.row).unwrap() - found.value).abs() < 1e-4);
            }
            let mut cells: Vec<(u32, u32)> = found.iter().map(|best| (best.row, best.column)).collect();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), found.len());
        }
    }
}

#[test]
fn cells_with_negative_values_are_listed_once() {
    let repeller = Entity::new([0.0, 0.0], Profile::linear(500.0).unwrap()).with_charge(-1.0);
    // The last tile of the second window has one column.
    let windows = [Grid::new([5.0, 5.0], 1.0, 3, 2).unwrap(), Grid::new([5.0, 5.0], 1.0, 65, 1).unwrap()];
    for device in devices() {
        let found = {
            let device_entities = DeviceEntities::in_world(device, std::slice::from_ref(&repeller)).unwrap();
            Windows::new(device, &windows).unwrap().best(device, &device_entities, 9).unwrap()
        };
        for (window, found) in windows.iter().zip(found) {
            let field = creation::by_tiles(window, std::slice::from_ref(&repeller)).unwrap();
            let cells_of = |all: &[Best]| all.iter().map(|best| (best.column, best.row)).collect::<Vec<_>>();
            assert_eq!(cells_of(&found), cells_of(&best_of(&field, 9)));
        }
    }
}

#[test]
fn requests_beyond_the_window_size_return_all_cells() {
    let entity = Entity::new([0.0, 0.0], Profile::linear(50.0).unwrap());
    let window = Grid::new([5.0, 5.0], 1.0, 3, 2).unwrap();
    for device in devices() {
        let found = {
            let device_entities = DeviceEntities::in_world(device, std::slice::from_ref(&entity)).unwrap();
            Windows::new(device, &[window]).unwrap().best(device, &device_entities, u32::MAX).unwrap()
        };
        assert_eq!(found[0].len(), 6);
    }
}

#[test]
fn equal_cells_are_sorted_by_index_and_other_grids_are_refused() {
    // The field is zero here, so all cells are equal.
    let window = Grid::new([50.0, 50.0], 1.0, 70, 3).unwrap();
    let far = Entity::new([0.0, 0.0], Profile::linear(2.0).unwrap());
    for device in devices() {
        let device_entities = DeviceEntities::in_world(device, std::slice::from_ref(&far)).unwrap();
        let windows = Windows::new(device, &[window]).unwrap();
        let found = windows.best(device, &device_entities, 3).unwrap();
        assert_eq!(found[0].iter().map(|best| (best.column, best.row)).collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 0)]);
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let elsewhere = DeviceEntities::new(device, &grid, &[], None).unwrap();
        assert!(matches!(windows.best(device, &elsewhere, 1), Err(Error::Input(_))));
        assert!(Windows::new(device, &[]).unwrap().best(device, &device_entities, 1).unwrap().is_empty());
    }
}

#[test]
fn windows_of_selected_layers_match_their_fields() {
    use throng_fields::creation::{FixedPoint, Windows as OnCpu};
    let at = |i: u32| [(i * 367 % 1009) as f32 * 0.1, (i * 593 % 1009) as f32 * 0.1];
    let disc = |i: u32| Entity::new(at(i), Profile::quadratic(9.0).unwrap()).with_charge(0.5 + (i % 5) as f32);
    let entities: Vec<Entity> = (0..120).map(|i| disc(i).in_layers(i % 4)).collect();
    let window = |i: u32| Grid::new(at(7 * i), 0.25 + 0.1 * i as f32, 30 + 20 * i, 40).unwrap();
    let windows: Vec<Grid> = (0..3).map(window).collect();
    for layers in [None, Some(0b1), Some(0b11), Some(0b100)] {
        let of_layers = |entity: &&Entity| layers.is_none_or(|layers| entity.layers & layers != 0);
        let counted: Vec<Entity> = entities.iter().filter(of_layers).cloned().collect();
        let on_cpu = layers.map_or(OnCpu::new(&windows), |layers| OnCpu::new(&windows).in_layers(layers));
        let fixed_point = FixedPoint::default();
        let floats = on_cpu.best(&entities, 9).unwrap();
        let steps = on_cpu.in_fixed_point(fixed_point).best(&entities, 9).unwrap();
        for (i, window) in windows.iter().enumerate() {
            assert_eq!(floats[i], best_of(&creation::by_tiles(window, &counted).unwrap(), 9));
            assert_eq!(steps[i], best_of(&fixed_point.every_pair(window, &counted).unwrap(), 9));
        }
        for device in devices() {
            let found = {
                let device_entities = DeviceEntities::in_world(device, &entities).unwrap();
                let mut windows = Windows::new(device, &windows).unwrap();
                if let Some(layers) = layers {
                    windows = windows.in_layers(layers);
                }
                windows.best(device, &device_entities, 9).unwrap()
            };
            for (found, expected) in found.iter().flatten().zip(floats.iter().flatten()) {
                assert!((found.value - expected.value).abs() < 1e-4, "{found:?} {expected:?}");
            }
            assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 27);
        }
    }
    let broken = [disc(1).with_charge(f32::NAN)];
    assert_eq!(OnCpu::new(&windows).best(&broken, 1).unwrap_err().place(), "window 0, entity 0, charge");
}
