//! Creation: every method gives the field of the definition, which has the properties that follow from its formula.

use proptest::prelude::*;
use throng_fields::creation::{Arithmetic, FixedPoint};
use throng_fields::{DeviceChoice, DynamicField, Entity, Grid, Knot, Profile, Shape, creation};

use crate::random::{entities, grids, of_many_parts};

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(50), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tiles_match_every_pair_bit_for_bit(grid in grids(), entities in entities()) {
        let expected = creation::every_pair(&grid, &entities).unwrap();
        let found = creation::by_tiles(&grid, &entities).unwrap();
        let bits = |field: &throng_fields::Field| field.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&expected), bits(&found));
    }

    #[test]
    fn tiles_match_every_pair_in_fixed_point(grid in grids(), entities in entities(), bits in 8u32..=20) {
        let fixed = creation::FixedPoint::new(bits).unwrap();
        prop_assert_eq!(fixed.by_tiles(&grid, &entities), fixed.every_pair(&grid, &entities));
    }

    #[test]
    fn discs_of_every_size_match_the_definition(
        (cell, columns, rows) in (0.01f32..3.0, 1u32..300, 1u32..40),
        discs in prop::collection::vec(([-40.0f32..300.0, -40.0f32..80.0], 0.01f32..200.0, -4.0f32..4.0, any::<bool>()), 1..6),
    ) {
        let grid = Grid::new([-1.5, 0.25], cell, columns, rows).unwrap();
        let disc = |&([x, y], radius, charge, linear): &([f32; 2], f32, f32, bool)| {
            let profile = if linear { Profile::linear(radius) } else { Profile::quadratic(radius) };
            Entity::new([x * cell, y * cell], profile.unwrap()).with_charge(charge)
        };
        let discs: Vec<Entity> = discs.iter().map(disc).collect();
        let expected = creation::every_pair(&grid, &discs).unwrap();
        let found = creation::by_tiles(&grid, &discs).unwrap();
        prop_assert!(expected.values().iter().zip(found.values()).all(|(a, b)| a.to_bits() == b.to_bits()));
        let fixed = creation::FixedPoint::default();
        prop_assert_eq!(fixed.by_tiles(&grid, &discs), fixed.every_pair(&grid, &discs));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tiles_on_many_threads_match_every_pair(entities in entities(), (columns, rows) in (380u32..420, 360u32..400)) {
        // Large enough to use several threads.
        let grid = Grid::new([-20.0, -20.0], 0.1, 4 * columns, 3 * rows).unwrap();
        let expected = creation::every_pair(&grid, &entities).unwrap();
        let found = creation::by_tiles(&grid, &entities).unwrap();
        prop_assert!(expected.values().iter().zip(found.values()).all(|(a, b)| a.to_bits() == b.to_bits()));
        let fixed = creation::FixedPoint::default();
        prop_assert_eq!(fixed.by_tiles(&grid, &entities), fixed.every_pair(&grid, &entities));
    }
}

#[test]
fn updated_fields_equal_new_ones_after_ten_thousand_moves() {
    let grid = Grid::new([-5.0, 3.0], 0.7, 150, 110).unwrap();
    let mut state = 7u32;
    let mut draw = move |most: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * most
    };
    let shapes = [Shape::Disc, Shape::Capsule { length: 9.0 }, Shape::Box { half: [4.0, 1.0] }];
    let mut entity = |i: usize| {
        Entity::new([draw(130.0) - 15.0, draw(100.0) - 10.0], Profile::linear(1.0 + draw(9.0)).unwrap())
            .with_shape(shapes[i % 3].clone())
            .with_heading(draw(6.0))
            .with_charge(draw(4.0) - 2.0)
    };
    let first: Vec<Entity> = (0..100).map(&mut entity).collect();
    let fixed = creation::FixedPoint::default();
    let [mut moving, mut in_steps] = [Arithmetic::Float, Arithmetic::FixedPoint(fixed)].map(|arithmetic| {
        DynamicField::builder(grid)
            .entities(first.clone())
            .arithmetic(arithmetic)
            .on(DeviceChoice::Cpu)
            .build()
            .unwrap()
    });
    let (ids, mut entities) = (moving.ids(), first);
    for round in 0..1000 {
        for i in 0..10 {
            let (which, moved) = ((round * 37 + i * 11) % 100, entity(round + i));
            moving.replace(ids[which], moved.clone()).unwrap();
            in_steps.replace(ids[which], moved.clone()).unwrap();
            entities[which] = moved;
        }
        assert_eq!(moving.update().unwrap(), in_steps.update().unwrap());
    }
    let recomputed = creation::by_tiles(&grid, &entities).unwrap();
    let bits = |field: &throng_fields::Field| field.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(moving.field().unwrap()), bits(&recomputed));
    assert_eq!(in_steps.field().unwrap(), &fixed.every_pair(&grid, &entities).unwrap());
    let bad = Entity { charge: f32::NAN, ..entities[0].clone() };
    assert_eq!(moving.replace(ids[3], bad).unwrap_err().place(), "entity 3, charge");
    let heavy = Entity { charge: 40_000.0, ..entities[0].clone() };
    assert_eq!(in_steps.replace(ids[3], heavy).unwrap_err().place(), "entity 3, entities, sum of all charges");
    assert_eq!((moving.update().unwrap(), in_steps.update().unwrap()), (0, 0));
}

#[test]
fn the_sum_of_a_field_is_the_integral_of_its_profile() {
    // A cone of height 1 and radius R has the volume pi R^2 / 3, a paraboloid pi R^2 / 2.
    let grid = Grid::new([0.0, 0.0], 0.25, 400, 400).unwrap();
    let area = std::f64::consts::PI * 400.0;
    for (profile, fraction) in [(Profile::linear(20.0), 1.0 / 3.0), (Profile::quadratic(20.0), 0.5)] {
        let field = creation::by_tiles(&grid, &[Entity::new([50.0, 50.0], profile.unwrap())]).unwrap();
        let sum: f64 = field.values().iter().map(|&value| f64::from(value)).sum();
        assert!((sum * 0.25 * 0.25 / (area * fraction) - 1.0).abs() < 1e-3, "{sum}");
    }
}

#[test]
fn a_shift_by_whole_cells_shifts_the_field() {
    let grid = Grid::new([0.0, 0.0], 0.5, 100, 100).unwrap();
    let field = |dx: f32, dy: f32| {
        let at = |x: f32, y: f32| Entity::new([x + dx, y + dy], Profile::linear(6.0).unwrap());
        creation::by_tiles(&grid, &[at(20.0, 21.5), at(23.25, 19.0).with_charge(-2.0)]).unwrap()
    };
    let (original, shifted) = (field(0.0, 0.0), field(3.0, -1.5));
    for row in 20..60 {
        for column in 20..60 {
            assert_eq!(original.at(column, row), shifted.at(column + 6, row - 3), "{column} {row}");
        }
    }
}

#[test]
fn fields_without_entities_are_zero_and_invalid_entities_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 3, 2).unwrap();
    assert_eq!(creation::by_tiles(&grid, &[]).unwrap().values(), [0.0; 6]);
    let bad = Entity::new([0.0, f32::NAN], Profile::linear(1.0).unwrap());
    for create in [creation::every_pair, creation::by_tiles] {
        assert_eq!(create(&grid, std::slice::from_ref(&bad)).unwrap_err().place(), "entity 0, position y");
    }
    // A profile larger than the whole grid, and one with cells exactly at the edge of its reach.
    let wide = Entity::new([1.5, 1.0], Profile::linear(1000.0).unwrap());
    assert!(creation::by_tiles(&grid, &[wide]).unwrap().values().iter().all(|&value| value > 0.99));
    let edge = Entity::new([0.5, 0.5], Profile::linear(1.0).unwrap());
    assert_eq!(creation::by_tiles(&grid, &[edge]).unwrap().values(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn shapes_of_many_parts_match_the_definition() {
    let entities = of_many_parts(160.0);
    // Cells of different sizes, and so blocks of different sizes.
    for (cell, columns, rows) in [(1.0, 160, 160), (0.21, 260, 130), (6.0, 27, 27)] {
        let grid = Grid::new([0.3, -0.4], cell, columns, rows).unwrap();
        let (expected, found) =
            (creation::every_pair(&grid, &entities).unwrap(), creation::by_tiles(&grid, &entities).unwrap());
        let same = expected.values().iter().zip(found.values()).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "{cell}");
        let fixed_point = FixedPoint::default();
        let found = fixed_point.by_tiles(&grid, &entities).unwrap();
        assert_eq!(found, fixed_point.every_pair(&grid, &entities).unwrap(), "{cell}");
    }
}

#[test]
fn cells_within_reach_of_a_ring_by_rounding_are_included() {
    // In fixed point, a unit is 1/32 of a cell here, so the ring affects cells up to 0.07 cells beyond its reach.
    let grid = Grid::new([-20.0, -20.0], 0.1, 1520, 1080).unwrap();
    let knots =
        [Knot::at(0.0, 0.0), Knot { distance: 18.2815, before: 0.0, after: 2.99204 }, Knot::at(36.563, 2.99204)];
    let ring = Entity::new([61.500_896, 0.0], Profile::piecewise(&knots).unwrap())
        .with_shape(Shape::Ring { radius: 21.858_059 })
        .with_charge(-3.560_126_5);
    let fixed = creation::FixedPoint::default();
    let (found, expected) = (fixed.by_tiles(&grid, std::slice::from_ref(&ring)), fixed.every_pair(&grid, &[ring]));
    assert!(found == expected && expected.unwrap().at(250, 49) < Some(-10.0));
}
