//! Creation of fields on devices, compared with the CPU and with updated fields.

use std::sync::Arc;

use proptest::prelude::*;
use throng_device::{Device, Error, open};
use throng_fields::creation::{self, Arithmetic, FixedPoint};
use throng_fields::gpu::{DeviceEntities, DeviceField};
use throng_fields::{DynamicField, Entity, Executor, Field, Grid, Profile, Shape};

use super::{bits, devices};
use crate::random::{entities, grids, of_many_parts};

/// The field, computed on each device.
pub fn on_devices(grid: &Grid, entities: &[Entity], fixed_point: Option<FixedPoint>) -> Vec<Field> {
    let on = |device: &Device| -> Result<Field, Error> {
        let entities = DeviceEntities::new(device, grid, entities, fixed_point)?;
        let field = DeviceField::new(device, grid)?;
        field.create(device, &entities)?;
        field.read(device)
    };
    devices().into_iter().map(|device| on(device).unwrap()).collect()
}

const FLOAT: Arithmetic = Arithmetic::Float;

/// Floating point and fixed point.
fn arithmetics() -> [Arithmetic; 2] {
    [FLOAT, Arithmetic::FixedPoint(FixedPoint::default())]
}

/// A field on a device that tracks its entities.
fn dynamic_field(device: &Arc<Device>, grid: &Grid, entities: &[Entity], arithmetic: Arithmetic) -> DynamicField {
    let on = Executor::from(device);
    DynamicField::builder(*grid).entities(entities.to_vec()).arithmetic(arithmetic).on(on).build().unwrap()
}

/// The bits of the current field.
fn bits_of(field: &DynamicField) -> Vec<u32> {
    bits(field.field().unwrap())
}

/// Whether the value is discontinuous: at the edges of a cone, at the reach, or at the knot of a random profile.
fn jumps(entity: &Entity) -> bool {
    let step = |at: f32| {
        let [before, after] = [0.9999, 1.0001].map(|fraction| entity.profile.value(at * fraction));
        (before - after).abs() > 1e-3
    };
    let reach = entity.profile.reach();
    matches!(entity.shape, Shape::Cone { .. })
        || (!matches!(entity.shape, Shape::Stamp(_)) && (step(reach) || step(reach / 2.0)))
}

/// The rounding error of the sum of all charges.
fn tolerance(entities: &[Entity]) -> f32 {
    1e-5 * entities.iter().map(|e| e.charge.abs() * e.profile.largest()).sum::<f32>()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(8), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn devices_match_the_cpu_bit_for_bit_in_fixed_point(grid in grids(), entities in entities()) {
        let fixed_point = FixedPoint::default();
        let expected = fixed_point.every_pair(&grid, &entities).unwrap();
        for field in on_devices(&grid, &entities, Some(fixed_point)) {
            prop_assert_eq!(bits(&field), bits(&expected));
        }
    }

    #[test]
    fn devices_match_the_cpu_up_to_rounding_in_floating_point(grid in grids(), entities in entities()) {
        let expected = creation::by_tiles(&grid, &entities).unwrap();
        for field in on_devices(&grid, &entities, None) {
            // Also false for NaN.
            let near = |(a, b): &(&f32, &f32)| (*a - *b).abs() <= tolerance(&entities);
            let off = field.values().iter().zip(expected.values()).filter(|pair| !near(pair)).count();
            // At a discontinuity of a profile, rounding determines on which side a cell is.
            let jumping = entities.iter().filter(|entity| jumps(entity)).count();
            prop_assert!(off <= 2 * jumping, "{} cells", off);
        }
    }
}

#[test]
fn shapes_of_many_parts_match_the_cpu_for_all_tile_sizes() {
    // Sizes for which units compute 1, 4 and 16 rows.
    for (columns, rows) in [(150, 110), (1024, 512), (2048, 1024)] {
        let grid = Grid::new([0.3, -0.4], 110.0 / rows as f32, columns, rows).unwrap();
        let entities = of_many_parts(110.0);
        // One kernel for all shapes, and one for each kind of shape. Large grids skip some of them, because they take
        // long.
        for kind in [None, Some("polygon"), Some("cone")] {
            if (columns == 1024 && kind.is_some()) || (columns == 2048 && kind != Some("polygon")) {
                continue;
            }
            let is_wanted = |entity: &&Entity| match entity.shape {
                Shape::Polygon { .. } => kind.is_none_or(|kind| kind == "polygon"),
                Shape::Cone { .. } => kind.is_none_or(|kind| kind == "cone"),
                _ => kind.is_none(),
            };
            let is_alike = |entity: &&Entity| kind.is_none() || entity.profile.reach() != 14.0;
            let some: Vec<Entity> = entities.iter().filter(is_wanted).filter(is_alike).cloned().collect();
            assert!(some.len() >= 4);
            let fixed_point = FixedPoint::default();
            let expected = fixed_point.by_tiles(&grid, &some).unwrap();
            for field in on_devices(&grid, &some, Some(fixed_point)) {
                assert_eq!(bits(&field), bits(&expected), "{columns} {kind:?}");
            }
        }
    }
}

#[test]
fn kernels_for_discs_of_one_profile_match_the_cpu() {
    let grid = Grid::new([3.0, -2.0], 0.5, 300, 130).unwrap();
    for profile in [Profile::linear(9.0).unwrap(), Profile::quadratic(9.0).unwrap()] {
        let at = |i: u32| [(i * 367 % 1009) as f32 * 0.17, (i * 593 % 1009) as f32 * 0.07];
        let entities: Vec<Entity> =
            (0..5000).map(|i| Entity::new(at(i), profile.clone()).with_charge((i % 7) as f32 - 3.0)).collect();
        let expected = creation::by_tiles(&grid, &entities).unwrap();
        for field in on_devices(&grid, &entities, None) {
            let difference = field.largest_difference(&expected).unwrap();
            assert!(difference < tolerance(&entities), "{difference}");
            // No disc is centred on a cell, and no value is infinite or NaN.
            assert!(field.values().iter().all(|value| value.is_finite()));
        }
        let fixed_point = FixedPoint::default();
        let expected = fixed_point.every_pair(&grid, &entities).unwrap();
        for field in on_devices(&grid, &entities, Some(fixed_point)) {
            assert_eq!(bits(&field), bits(&expected));
        }
    }
}

#[test]
fn discs_centred_on_cells_and_empty_lists_match_the_cpu() {
    let grid = Grid::new([0.0, 0.0], 1.0, 7, 5).unwrap();
    let disc = Entity::new([2.5, 1.5], Profile::linear(2.0).unwrap());
    let ring = disc.clone().with_shape(Shape::Ring { radius: 3.0 });
    for entities in [vec![], vec![disc.clone()], vec![ring, disc]] {
        let expected = creation::every_pair(&grid, &entities).unwrap();
        for field in on_devices(&grid, &entities, None) {
            let close = field.values().iter().zip(expected.values()).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(close, "{:?}", field.values());
        }
    }
}

/// Scattered discs and walls.
fn scattered(count: u32, side: f32) -> Vec<Entity> {
    let at = |i: u32| [(i * 367 % 1009) as f32 / 1009.0 * side, (i * 593 % 1013) as f32 / 1013.0 * side];
    let wall = Shape::Capsule { length: 30.0 };
    let entity =
        |i: u32| Entity::new(at(i), Profile::linear(2.0 + (i % 9) as f32).unwrap()).with_charge(1.0 - (i % 3) as f32);
    let entity = |i: u32| {
        if i.is_multiple_of(10) { entity(i).with_shape(wall.clone()).with_heading(i as f32) } else { entity(i) }
    };
    (0..count).map(entity).collect()
}

#[test]
fn lists_and_tiles_of_any_size_give_the_same_field() {
    // Grid sizes that give the largest tiles, and the smallest.
    for (columns, rows) in [(2048, 1100), (200, 90)] {
        let grid = Grid::new([-4.0, 2.0], 0.25, columns, rows).unwrap();
        let entities = scattered(400, columns as f32 * 0.3);
        for device in devices() {
            let device_entities = DeviceEntities::new(device, &grid, &entities, None).unwrap();
            let field = DeviceField::new(device, &grid).unwrap();
            field.create(device, &device_entities).unwrap();
            let expected = field.read(device).unwrap();
            assert!(expected.values().iter().any(|&value| value != 0.0));
            let from_lists = DeviceField::new(device, &grid).unwrap();
            from_lists.create_from_lists(device, &device_entities).unwrap();
            assert_eq!(bits(&from_lists.read(device).unwrap()), bits(&expected));
        }
    }
}

#[test]
fn parts_of_large_fields_equal_fields_of_the_parts() {
    let grid = |columns, rows| Grid::new([0.0, 0.0], 0.5, columns, rows).unwrap();
    let entities = scattered(300, 250.0);
    let large = on_devices(&grid(2048, 1024), &entities, None);
    let small = on_devices(&grid(300, 40), &entities, None);
    for (large, small) in large.iter().zip(&small) {
        for row in 0..40 {
            for column in 0..300 {
                let [a, b] = [large, small].map(|field| field.at(column, row).unwrap().to_bits());
                assert_eq!(a, b, "{column} {row}");
            }
        }
    }
}

#[test]
fn updated_fields_equal_new_fields() {
    let grid = Grid::new([0.0, 0.0], 1.0, 700, 500).unwrap();
    let mut entities = scattered(60, 600.0);
    for device in devices() {
        let mut moving = dynamic_field(device, &grid, &entities, FLOAT);
        let ids = moving.ids();
        for round in 0..20usize {
            for i in [round % 60, round * 7 % 60] {
                entities[i].position[0] = (entities[i].position[0] + 31.7) % 650.0;
                entities[i].charge += 0.25;
                moving.replace(ids[i], entities[i].clone()).unwrap();
            }
            let tiles = moving.update().unwrap();
            assert!(tiles > 0 && tiles < 200, "{tiles}");
        }
        assert_eq!(moving.update().unwrap(), 0);
        let recomputed = dynamic_field(device, &grid, &entities, FLOAT);
        assert_eq!(bits_of(&moving), bits_of(&recomputed));
        let fixed = FixedPoint::default();
        let mut in_steps = dynamic_field(device, &grid, &entities, Arithmetic::FixedPoint(fixed));
        let heavy = Entity { charge: 40_000.0, ..entities[0].clone() };
        assert_eq!(in_steps.replace(ids[3], heavy).unwrap_err().place(), "entity 3, entities, sum of all charges");
        assert_eq!(in_steps.update().unwrap(), 0);
        in_steps.replace(ids[3], entities[4].clone()).unwrap();
        in_steps.update().unwrap();
        let now: Vec<Entity> = (0..60).map(|i| entities[if i == 3 { 4 } else { i }].clone()).collect();
        let expected = fixed.every_pair(&grid, &now).unwrap();
        assert_eq!(bits_of(&in_steps), bits(&expected));
    }
}

#[test]
fn updated_fields_equal_new_fields_for_all_replacements_of_a_disc() {
    let grid = Grid::new([0.0, 0.0], 1.0, 300, 200).unwrap();
    let disc = |i: u16| Entity::new([f32::from(i) * 14.0, f32::from(i) * 9.5], Profile::linear(12.0).unwrap());
    let table = Profile::table(9.0, &[1.0, 0.2, 0.6, 0.0]).unwrap();
    // Another position; another shape and so another kernel; another charge; a new table; then back again.
    let changes = [
        Entity { position: [50.0, 60.0], ..disc(3) },
        disc(3).with_shape(Shape::Capsule { length: 20.0 }),
        disc(3).with_charge(-2.5),
        Entity { profile: table, ..disc(3) },
        disc(3),
    ];
    for device in devices() {
        for arithmetic in arithmetics() {
            let mut entities: Vec<Entity> = (0..20).map(disc).collect();
            let mut moving = dynamic_field(device, &grid, &entities, arithmetic);
            let ids = moving.ids();
            for change in &changes {
                entities[3] = change.clone();
                moving.replace(ids[3], change.clone()).unwrap();
                assert!(moving.update().unwrap() > 0);
                let recomputed = dynamic_field(device, &grid, &entities, arithmetic);
                assert_eq!(bits_of(&moving), bits_of(&recomputed), "{change:?}");
            }
            moving.replace(ids[3], disc(3)).unwrap();
            assert_eq!(moving.update().unwrap(), 0);
        }
    }
}

#[test]
fn moved_entities_reuse_uploaded_tables() {
    let grid = Grid::new([0.0, 0.0], 1.0, 300, 200).unwrap();
    let profile = Profile::table(9.0, &vec![0.5; 5000]).unwrap();
    let polygon = Shape::Polygon { corners: vec![[0.0, 0.0], [6.0, 0.0], [0.0, 4.0]] };
    let entity = |i: usize| {
        let at = [5.0 + 14.0 * i as f64, 40.0];
        let bell = Profile::gaussian(2.0, 6.0).unwrap();
        match i % 3 {
            0 => Entity::new(at, profile.clone()),
            1 => Entity::new(at, bell).with_shape(polygon.clone()),
            _ => Entity::new(at, bell),
        }
    };
    for device in devices() {
        // A device with its own ledger, because other tests upload to the device at the same time.
        let device = Arc::new(open(device.info().id).unwrap());
        for arithmetic in arithmetics() {
            let mut entities: Vec<Entity> = (0..20).map(entity).collect();
            let mut moving = dynamic_field(&device, &grid, &entities, arithmetic);
            let ids = moving.ids();
            let before = device.ledger().uploaded_bytes;
            for (i, entity) in entities.iter_mut().enumerate().take(4) {
                entity.position[1] += 3.5;
                moving.replace(ids[i], entity.clone()).unwrap();
            }
            moving.update().unwrap();
            // The columns of four entities and a few tiles, but no table of 20,000 bytes.
            let uploaded = device.ledger().uploaded_bytes - before;
            assert!((1..4000).contains(&uploaded), "{uploaded}");
            let recomputed = dynamic_field(&device, &grid, &entities, arithmetic);
            assert_eq!(bits_of(&moving), bits_of(&recomputed));
        }
    }
}
