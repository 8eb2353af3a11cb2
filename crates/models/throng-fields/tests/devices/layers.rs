//! Combined and packed layers on devices.

use proptest::prelude::*;
use throng_device::Error;
use throng_fields::creation::FixedPoint;
use throng_fields::gpu::{self, DeviceEntities, DeviceField};
use throng_fields::layers::{BitLayers, Combination, LayerStack};
use throng_fields::{Entity, Grid, Mask, Profile};

use super::{bits, devices};
use crate::random::{entities, grids};

const LAYERS: u32 = 3;

#[derive(Debug, Clone)]
enum Step {
    With(u32, f32, u32),
    Threshold(f32),
    Masked(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0u32..4, -2.0f32..2.0, 0..LAYERS).prop_map(|(what, weight, layer)| Step::With(what, weight, layer)),
        1 => (-2.0f32..2.0).prop_map(Step::Threshold),
        1 => (2u32..7).prop_map(Step::Masked),
    ];
    prop::collection::vec(step, 0..6)
}

fn combination(grid: &Grid, steps: &[Step]) -> Combination {
    steps.iter().fold(Combination::starting_at(0.5), |so_far, step| match *step {
        Step::With(0, weight, layer) => so_far.add(weight, layer),
        Step::With(1, weight, layer) => so_far.max(weight, layer),
        Step::With(2, weight, layer) => so_far.min(weight, layer),
        Step::With(_, weight, layer) => so_far.times(weight, layer),
        Step::Threshold(at) => so_far.threshold(at, -1.5, 2.5),
        Step::Masked(every) => so_far.masked(&Mask::new(grid, |column, row| (column + row) % every > 0), 9.0),
    })
}

/// The layers of some entities in fixed point.
fn stack(grid: &Grid, entities: &[Entity]) -> LayerStack {
    let layer = |layer: u32| {
        let members: Vec<Entity> = entities.iter().filter(|e| e.layers >> layer & 1 == 1).cloned().collect();
        FixedPoint::default().every_pair(grid, &members).unwrap()
    };
    LayerStack::of((0..LAYERS).map(layer).collect()).unwrap()
}

/// Puts each entity in some of the layers, and in one that is not requested.
fn in_some_layers(entities: Vec<Entity>) -> Vec<Entity> {
    entities.into_iter().enumerate().map(|(i, entity)| entity.in_layers(((i as u32 * 5 + 3) % 8) | (1 << 9))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(4), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn device_combinations_match_stored_layers(grid in grids(), entities in entities(), steps in steps()) {
        let entities = in_some_layers(entities);
        let combination = combination(&grid, &steps);
        let expected = combination.of(&stack(&grid, &entities)).unwrap();
        for device in devices() {
            let found = {
                let device_copy = DeviceEntities::new(device, &grid, &entities, Some(FixedPoint::default())).unwrap();
                let field = DeviceField::new(device, &grid).unwrap();
                field.create_combined(device, &device_copy, &combination).unwrap();
                field.read(device).unwrap()
            };
            prop_assert_eq!(bits(&found), bits(&expected));
        }
    }

    #[test]
    fn device_bit_layers_match_those_of_stored_layers(grid in grids(), entities in entities(), at in -2.0f32..2.0) {
        let entities = in_some_layers(entities);
        let thresholds = [at, 0.0, f32::INFINITY];
        let expected = BitLayers::of(&stack(&grid, &entities), &thresholds).unwrap();
        for device in devices() {
            let found = {
                let device_copy = DeviceEntities::new(device, &grid, &entities, Some(FixedPoint::default())).unwrap();
                gpu::bit_layers(device, &device_copy, &thresholds).unwrap()
            };
            prop_assert_eq!(found.bits(), expected.bits());
        }
    }
}

#[test]
fn invalid_combinations_and_bit_layers_are_refused() {
    let grid = Grid::new([0.0, 0.0], 1.0, 8, 8).unwrap();
    let entity = Entity::new([4.0, 4.0], Profile::linear(2.0).unwrap());
    for device in devices() {
        let device_copy = DeviceEntities::new(device, &grid, std::slice::from_ref(&entity), None).unwrap();
        let field = DeviceField::new(device, &grid).unwrap();
        let place = |result: Result<(), Error>| match result {
            Err(Error::Input(error)) => error.place().to_owned(),
            other => panic!("{other:?}"),
        };
        let nan = Combination::new().add(f32::NAN, 0);
        assert_eq!(place(field.create_combined(device, &device_copy, &nan)), "combination, step 1, weight");
        let too_many = gpu::bit_layers(device, &device_copy, &[0.0; 33]).map(drop);
        assert_eq!(place(too_many), "bit layers, number of thresholds");
        let none = gpu::bit_layers(device, &device_copy, &[0.0, f32::NAN]).map(drop);
        assert_eq!(place(none), "bit layers, threshold of layer 1");
        let elsewhere = Grid::new([1.0, 0.0], 1.0, 8, 8).unwrap();
        assert_eq!(place(DeviceField::new(device, &elsewhere).unwrap().create(device, &device_copy)), "entities");
    }
}
