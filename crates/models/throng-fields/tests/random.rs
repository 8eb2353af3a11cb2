//! Random entities and grids.

use proptest::prelude::*;
use throng_fields::{Entity, Grid, Knot, Metric, Profile, Sample, Shape, Stamp};

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
    let metrics = prop_oneof![2 => Just(Metric::Euclidean), 1 => Just(Metric::Manhattan), 1 => Just(Metric::Chebyshev)];
    let entity = (position, profiles(), (shapes(), metrics), -4.0f32..4.0, -7.0f32..7.0);
    let entity = entity.prop_map(|(position, profile, (shape, metric), charge, heading)| {
        let metric = if matches!(shape, Shape::Disc | Shape::Ring { .. }) { metric } else { Metric::Euclidean };
        let entity = Entity::new(position, profile).with_shape(shape).with_metric(metric);
        entity.with_charge(charge).with_heading(heading)
    });
    prop::collection::vec(entity, 0..12)
}

pub fn grids() -> impl Strategy<Value = Grid> {
    let sample = prop_oneof![Just(Sample::Corner), Just(Sample::Centre)];
    ([-20.0f32..20.0, -20.0f32..20.0], 0.3f32..3.0, 1u32..90, 1u32..90, sample).prop_map(
        |(origin, cell, columns, rows, sample)| Grid::new(origin, cell, columns, rows).unwrap().sampled_at(sample),
    )
}

/// Entities spread over a square of side length `size` whose shapes and profiles have many parts: stars with up to 100
/// corners, self-intersecting polygons with horizontal sides, cones, capsules, and profiles with up to 60 pieces of
/// different lengths.
pub fn of_many_parts(size: f32) -> Vec<Entity> {
    let entity = |i: u32| {
        let corners = [3, 8, 24, 33, 40, 100][(i % 6) as usize];
        let star = |k: u32| {
            let (sin, cos) = libm::sincosf(k as f32 * std::f32::consts::TAU / corners as f32);
            let radius = [16.0, 9.0, 12.0][(k % 3) as usize];
            [3.0 + radius * cos, radius * sin]
        };
        let crossing = |k: u32| [(k * 7 % 11) as f32 * 2.0 - 9.0, (k / 2 * 5 % 9) as f32 * 2.0];
        let shape = match i % 5 {
            0 | 1 => Shape::Polygon { corners: (0..corners).map(star).collect() },
            2 => Shape::Polygon { corners: (0..corners).map(crossing).collect() },
            3 => Shape::Cone { half_angle: [0.3, 0.785, 1.2, 2.0][(i / 5 % 4) as usize] },
            _ => Shape::Capsule { length: 20.0 },
        };
        let knot = |k: u32| Knot::at((k * k) as f32 * 0.01, (k * 5 % 7) as f32 - 2.0);
        let profile = if i.is_multiple_of(2) {
            Profile::piecewise(&(0..=30 + i % 31).map(knot).collect::<Vec<_>>())
        } else {
            Profile::linear(14.0)
        };
        let at = [i * 37 % 101, i * 61 % 103].map(|at| at as f32 / 102.0 * size);
        let heading = if i.is_multiple_of(4) { 0.0 } else { i as f32 };
        Entity::new(at, profile.unwrap()).with_shape(shape).with_heading(heading).with_charge(1.0 + (i % 3) as f32)
    };
    (0..40).map(entity).collect()
}
