//! Random entities and grids.

use proptest::prelude::*;
use throng_fields::{Entity, Grid, Knot, Profile, Sample, Shape, Stamp};

pub fn profiles() -> impl Strategy<Value = Profile> {
    let radius = 0.1f32..40.0;
    prop_oneof![
        radius.clone().prop_map(|r| Profile::linear(r).unwrap()),
        radius.clone().prop_map(|r| Profile::quadratic(r).unwrap()),
        (radius.clone(), 0.1f32..20.0).prop_map(|(r, sigma)| Profile::gaussian(sigma, r).unwrap()),
        (radius.clone(), -5.0f32..5.0, -5.0f32..5.0).prop_map(|(r, a, b)| {
            let jump = Knot { distance: r / 2.0, before: a, after: b };
            Profile::piecewise(&[Knot::at(0.0, a), jump, Knot::at(r, b)]).unwrap()
        }),
        (radius, prop::collection::vec(-3.0f32..3.0, 2..9)).prop_map(|(r, values)| Profile::table(r, &values).unwrap()),
    ]
}

pub fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => Just(Shape::Disc),
        1 => (0.0f32..30.0).prop_map(|radius| Shape::Ring { radius }),
        1 => (0.0f32..50.0).prop_map(|length| Shape::Capsule { length }),
        1 => [0.0f32..20.0, 0.0f32..20.0].prop_map(|half| Shape::Box { half }),
        1 => prop::collection::vec([-20.0f32..20.0, -20.0f32..20.0], 3..7).prop_map(|corners| Shape::Polygon { corners }),
        1 => (0.05f32..3.1).prop_map(|half_angle| Shape::Cone { half_angle }),
        1 => Just(Shape::Cone { half_angle: std::f32::consts::PI }),
        1 => stamps().prop_map(Shape::Stamp),
    ]
}

fn stamps() -> impl Strategy<Value = Stamp> {
    (1u32..6, 1u32..6, 0.1f32..8.0, prop::collection::vec(-3.0f32..3.0, 25)).prop_map(
        |(columns, rows, side, values)| Stamp::new(columns, rows, side, &values[..(columns * rows) as usize]).unwrap(),
    )
}

pub fn entities() -> impl Strategy<Value = Vec<Entity>> {
    let position = [-80.0f32..140.0, -80.0f32..140.0];
    let entity = (position, profiles(), shapes(), -4.0f32..4.0, -7.0f32..7.0);
    let entity = entity.prop_map(|(position, profile, shape, charge, heading)| {
        Entity::new(position, profile).with_shape(shape).with_charge(charge).facing(heading)
    });
    prop::collection::vec(entity, 0..12)
}

pub fn grids() -> impl Strategy<Value = Grid> {
    let sample = prop_oneof![Just(Sample::Corner), Just(Sample::Centre)];
    ([-20.0f32..20.0, -20.0f32..20.0], 0.3f32..3.0, 1u32..90, 1u32..90, sample).prop_map(
        |(origin, cell, columns, rows, sample)| Grid::new(origin, cell, columns, rows).unwrap().sampled_at(sample),
    )
}
