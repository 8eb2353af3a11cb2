//! Layers: gathering and combining in a single pass gives the same result as computing one layer after the other.

use proptest::prelude::*;
use throng_fields::layers::{Combination, LayerStack};
use throng_fields::{Entity, Field, Grid, Mask, Profile, Shape, creation};

fn entities() -> impl Strategy<Value = Vec<Entity>> {
    let shape = prop_oneof![
        Just(Shape::Disc),
        (0.0f32..20.0).prop_map(|length| Shape::Capsule { length }),
        (0.05f32..3.0).prop_map(|half_angle| Shape::Cone { half_angle }),
    ];
    let entity = ([-20.0f32..90.0, -20.0f32..90.0], 0.1f32..30.0, shape, -4.0f32..4.0, any::<u32>(), any::<u32>());
    let entity = entity.prop_map(|(position, reach, shape, charge, some, others)| {
        let profile = Profile::linear(reach).unwrap();
        Entity::new(position, profile).with_shape(shape).with_charge(charge).in_layers(some & others)
    });
    prop::collection::vec(entity, 0..15)
}

#[derive(Debug, Clone)]
enum Step {
    Add(f32, u32),
    Max(f32, u32),
    Min(f32, u32),
    Times(f32, u32),
    Threshold(f32, f32, f32),
    Masked(u32, f32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (-3.0f32..3.0, 0u32..32).prop_map(|(weight, layer)| Step::Add(weight, layer)),
        2 => (-3.0f32..3.0, 0u32..32).prop_map(|(weight, layer)| Step::Max(weight, layer)),
        2 => (-3.0f32..3.0, 0u32..32).prop_map(|(weight, layer)| Step::Min(weight, layer)),
        2 => (-3.0f32..3.0, 0u32..32).prop_map(|(weight, layer)| Step::Times(weight, layer)),
        1 => (-1.0f32..1.0, -2.0f32..2.0, -2.0f32..2.0).prop_map(|(at, below, from)| Step::Threshold(at, below, from)),
        1 => (2u32..5, -2.0f32..2.0).prop_map(|(every, outside)| Step::Masked(every, outside)),
    ];
    prop::collection::vec(step, 0..8)
}

fn combination(grid: &Grid, start: f32, steps: &[Step]) -> Combination {
    steps.iter().fold(Combination::starting_at(start), |all, step| match *step {
        Step::Add(weight, layer) => all.add(weight, layer),
        Step::Max(weight, layer) => all.max(weight, layer),
        Step::Min(weight, layer) => all.min(weight, layer),
        Step::Times(weight, layer) => all.times(weight, layer),
        Step::Threshold(at, below, from) => all.threshold(at, below, from),
        Step::Masked(every, outside) => {
            all.masked(&Mask::new(grid, |column, row| (column + row) % every != 0), outside)
        }
    })
}

fn bits(field: &Field) -> Vec<u32> {
    field.values().iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(25), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn direct_combinations_equal_combinations_of_stored_layers(
        entities in entities(),
        start in -1.0f32..1.0,
        steps in steps(),
        (columns, rows) in (1u32..100, 1u32..100),
    ) {
        let grid = Grid::new([0.0, 0.0], 0.8, columns, rows).unwrap();
        let combination = combination(&grid, start, &steps);
        let stored = LayerStack::by_tiles(&grid, &entities, 32).unwrap();
        let expected = combination.of(&stored).unwrap();
        let found = creation::combined(&grid, &entities, &combination).unwrap();
        prop_assert_eq!(bits(&expected), bits(&found));
    }
}

#[test]
fn the_sum_of_all_layers_matches_the_field_of_all_entities() {
    let grid = Grid::new([0.0, 0.0], 1.0, 70, 40).unwrap();
    let at = |i: u16| Entity::new([f32::from(i * 7), f32::from(i * 4)], Profile::quadratic(9.0).unwrap());
    let entities: Vec<Entity> = (0..10).map(|i| at(i).in_layers(1 << (i % 3))).collect();
    let sum = Combination::new().add(1.0, 0).add(1.0, 1).add(1.0, 2);
    let (all, combined) =
        (creation::by_tiles(&grid, &entities).unwrap(), creation::combined(&grid, &entities, &sum).unwrap());
    for (all, combined) in all.values().iter().zip(combined.values()) {
        assert!((all - combined).abs() < 1e-6, "{all} {combined}");
    }
}

#[test]
fn invalid_combinations_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 5, 5).unwrap();
    let place = |entities: &[Entity], combination| {
        creation::combined(&grid, entities, &combination).unwrap_err().place().to_owned()
    };
    assert_eq!(place(&[], Combination::new().add(1.0, 32)), "combination, step 1, layer");
    assert_eq!(place(&[], Combination::new().add(f32::NAN, 3)), "combination, step 1, weight");
    let bad = Entity::new([f32::NAN, 0.0], Profile::linear(1.0).unwrap()).in_layers(0);
    assert_eq!(place(&[bad], Combination::new()), "entity 0, position x");
}
