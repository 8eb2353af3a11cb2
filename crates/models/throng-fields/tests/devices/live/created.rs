//! Fields of static entities: all executors agree.

use throng_fields::creation::FixedPoint;
use throng_fields::{DynamicField, Entity, Grid, Profile};

use super::{bits, executors, input_error};

#[test]
fn created_fields_have_the_same_bits_everywhere() {
    let grid = Grid::new([-10.0, 5.0], 0.5, 150, 90).unwrap();
    let profile = Profile::gaussian(2.0, 8.0).unwrap();
    let place = |i: u32| [(i * 37 % 80) as f32 - 12.0, (i * 23 % 50) as f32 + 3.0];
    let entities: Vec<Entity> = (0..60).map(|i| Entity::new(place(i), profile.clone())).collect();
    let expected = FixedPoint::default().every_pair(&grid, &entities).unwrap();
    for on in executors() {
        let field = DynamicField::builder(grid).entities(entities.clone()).on(&on).compute().unwrap();
        assert_eq!(bits(field.values()), bits(expected.values()), "{}", on.label());
    }
}

#[test]
fn too_large_sums_of_charges_are_refused_everywhere() {
    let grid = Grid::new([0.0, 0.0], 1.0, 20, 20).unwrap();
    let huge = Entity::new([9.0, 9.0], Profile::linear(5.0).unwrap()).with_charge(1e9);
    for on in executors() {
        let error =
            DynamicField::builder(grid).entities([huge.clone()]).on(&on).compute().map_err(input_error).unwrap_err();
        assert_eq!(error.place(), "entities, sum of all charges", "{}", on.label());
    }
}
