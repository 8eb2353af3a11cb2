//! The errors of approximate creation methods are within their stated bounds.

use proptest::prelude::*;
use throng_fields::{Entity, Field, Grid, Knot, Profile, Sample, creation};

fn profiles() -> impl Strategy<Value = Profile> {
    let radius = 0.3f32..25.0;
    prop_oneof![
        radius.clone().prop_map(|r| Profile::linear(r).unwrap()),
        radius.clone().prop_map(|r| Profile::quadratic(r).unwrap()),
        bells(),
        (radius.clone(), -3.0f32..3.0, -3.0f32..3.0).prop_map(|(r, a, b)| {
            let jump = Knot { distance: r / 2.0, before: a, after: b };
            Profile::piecewise(&[Knot::at(0.0, b), jump, Knot::at(r, a)]).unwrap()
        }),
        (radius, prop::collection::vec(-3.0f32..3.0, 2..9)).prop_map(|(r, values)| Profile::table(r, &values).unwrap()),
    ]
}

fn bells() -> impl Strategy<Value = Profile> {
    (0.3f32..25.0, 0.2f32..12.0).prop_map(|(r, sigma)| Profile::gaussian(sigma, r).unwrap())
}

/// A grid whose sampled points are exact in floating point.
fn grids() -> impl Strategy<Value = Grid> {
    let sample = prop_oneof![Just(Sample::Corner), Just(Sample::Centre)];
    let cell = prop_oneof![Just(0.5f32), Just(1.0), Just(2.0)];
    (cell, 1u32..70, 1u32..70, sample).prop_map(|(cell, columns, rows, sample)| {
        Grid::new([-8.0, 4.0], cell, columns, rows).unwrap().sampled_at(sample)
    })
}

/// Positions in cells from the first sampled point, and charges.
fn charges() -> impl Strategy<Value = Vec<([f32; 2], f32)>> {
    prop::collection::vec(([-40.0f32..110.0, -40.0f32..110.0], -4.0f32..4.0), 0..60)
}

/// Discs at places in cells, on sampled points if these are whole.
fn discs(grid: &Grid, profile: &Profile, charges: &[([f32; 2], f32)]) -> Vec<Entity> {
    let [x, y] = grid.point(0, 0);
    let at = |[column, row]: [f32; 2]| [x + f64::from(column * grid.cell()), y + f64::from(row * grid.cell())];
    charges.iter().map(|&(place, charge)| Entity::new(at(place), profile.clone()).with_charge(charge)).collect()
}

fn on_points(charges: &[([f32; 2], f32)]) -> Vec<([f32; 2], f32)> {
    charges.iter().map(|&(place, charge)| (place.map(f32::round), charge)).collect()
}

fn largest_difference(a: &Field, b: &Field) -> f32 {
    a.largest_difference(b).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: throng_testing::cases(25), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_sampled_points_convolution_is_exact_but_for_rounding(
        grid in grids(), profile in profiles(), charges in charges(),
    ) {
        let entities = discs(&grid, &profile, &on_points(&charges));
        let off = largest_difference(
            &creation::by_convolution(&grid, &entities).unwrap(),
            &creation::by_tiles(&grid, &entities).unwrap(),
        );
        let sum: f32 = entities.iter().map(|entity| entity.charge.abs()).sum();
        prop_assert!(off <= 1e-4 * sum, "{off} of {sum}");
        let bound = creation::convolution::error_bound(&grid, &entities).unwrap();
        prop_assert!(off <= bound && bound <= 1e-4 * sum, "{off}, at most {bound}, of {sum}");
    }

    #[test]
    fn elsewhere_convolution_is_within_its_bound(grid in grids(), profile in profiles(), charges in charges()) {
        let entities = discs(&grid, &profile, &charges);
        let off = largest_difference(
            &creation::by_convolution(&grid, &entities).unwrap(),
            &creation::by_tiles(&grid, &entities).unwrap(),
        );
        let bound = creation::convolution::error_bound(&grid, &entities).unwrap();
        prop_assert!(off <= bound, "{off}, at most {bound}");
    }

    #[test]
    fn two_passes_are_within_their_bound(
        grid in grids(), profile in bells(), charges in charges(), rounded in any::<bool>(),
    ) {
        let charges = if rounded { on_points(&charges) } else { charges };
        let entities = discs(&grid, &profile, &charges);
        let off = largest_difference(
            &creation::by_separable(&grid, &entities).unwrap(),
            &creation::by_tiles(&grid, &entities).unwrap(),
        );
        let bound = creation::separable::error_bound(&grid, &entities).unwrap();
        prop_assert!(off <= bound, "{off}, at most {bound}");
    }
}

#[test]
fn a_bound_is_not_far_above_what_is_lost() {
    // In the middle of four points, the worst place.
    let grid = Grid::new([0.0, 0.0], 1.0, 32, 32).unwrap();
    let off = |profile: Profile| {
        let entities = [Entity::new([16.0, 16.0], profile)];
        let found = creation::by_convolution(&grid, &entities).unwrap();
        let lost = largest_difference(&found, &creation::by_tiles(&grid, &entities).unwrap());
        (lost, creation::convolution::error_bound(&grid, &entities).unwrap())
    };
    let (lost, bound) = off(Profile::linear(8.0).unwrap());
    assert!((bound - 0.5f32.sqrt() / 8.0).abs() < 1e-4, "{bound}");
    assert!(lost > 0.2 * bound && lost <= bound, "{lost} {bound}");
    let (lost, bound) = off(Profile::gaussian(4.0, 20.0).unwrap());
    assert!((bound - 0.25 / 16.0).abs() < 1e-3, "{bound}");
    assert!(lost > 0.8 * bound && lost <= bound, "{lost} {bound}");
}
