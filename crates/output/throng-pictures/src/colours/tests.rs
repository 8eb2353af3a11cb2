use super::*;

fn range(low: f32, high: f32) -> ValueRange {
    ValueRange::new(low, high).unwrap()
}

/// Computes the relative luminance of a colour, from 0 for black to 1 for white (WCAG 2.2).
fn luminance(colour: Rgb) -> f64 {
    let linear = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// Computes the contrast of two colours, from 1 to 21 (WCAG 2.2).
fn contrast(a: Rgb, b: Rgb) -> f64 {
    let [a, b] = [a, b].map(|colour| luminance(colour) + 0.05);
    a.max(b) / a.min(b)
}

fn distance(a: Rgb, b: Rgb) -> f64 {
    let squares = [0, 1, 2].map(|i| (f64::from(a[i]) - f64::from(b[i])).powi(2));
    squares.iter().sum::<f64>().sqrt()
}

/// Simulates the perception of a colour without red-sensitive or green-sensitive cones (Machado, Oliveira and Fernandes
/// 2009, severity 1; the matrices apply to linear light).
fn seen_by(colour: Rgb, kind: [[f64; 3]; 3]) -> Rgb {
    let linear = colour.map(|part| (f64::from(part) / 255.0).powf(2.2));
    let mixed = kind.map(|row| row.iter().zip(linear).map(|(weight, part)| weight * part).sum::<f64>());
    mixed.map(|part| (part.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8)
}

const PROTANOPIA: [[f64; 3]; 3] =
    [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
const DEUTERANOPIA: [[f64; 3]; 3] =
    [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];

#[test]
fn ranges_with_both_signs_have_a_diverging_map() {
    for (low, high, map) in [
        (0.0, 1.0, ColourMap::Viridis),
        (-3.0, -1.0, ColourMap::Viridis),
        (-3.0, 0.0, ColourMap::Viridis),
        (0.0, 0.0, ColourMap::Viridis),
        (-1e-6, 1.0, ColourMap::BlueOrange),
    ] {
        assert_eq!(ColourMap::default().for_range(range(low, high)), map, "{low} {high}");
    }
}

#[test]
fn sequential_maps_get_lighter_or_darker_from_end_to_end() {
    let colours =
        |map: ColourMap| -> Vec<Rgb> { (0..=20u8).map(|i| map.colour(f32::from(i), range(0.0, 20.0))).collect() };
    let viridis = colours(ColourMap::Viridis);
    assert_eq!((viridis[0], viridis[20]), ([68, 1, 84], [253, 231, 37]));
    assert!(viridis.windows(2).all(|pair| luminance(pair[1]) > luminance(pair[0])));
    assert!(colours(ColourMap::Grey).windows(2).all(|pair| luminance(pair[1]) < luminance(pair[0])));
    assert_eq!(ColourMap::Viridis.colour(-7.0, range(0.0, 20.0)), viridis[0]);
    assert_eq!(ColourMap::Viridis.colour(1e9, range(0.0, 20.0)), viridis[20]);
}

#[test]
fn diverging_maps_are_lightest_at_zero() {
    for map in [ColourMap::BlueOrange, ColourMap::RedBlue] {
        let colour = |value| map.colour(value, range(-1.0, 4.0));
        assert!(colour(0.0).iter().all(|&part| part > 230), "{:?}", colour(0.0));
        assert!(distance(colour(0.0), colour(-1e-6)) < 8.0, "{map:?} has a step at 0");
        let ([high_red, _, high_blue], [low_red, _, low_blue]) = (colour(4.0), colour(-1.0));
        assert!(high_blue > high_red && low_red > low_blue);
        // At a quarter of the strength on either side.
        assert!((luminance(colour(1.0)) - luminance(colour(-1.0))).abs() < 0.2);
        assert!(luminance(colour(4.0)) < luminance(colour(-1.0)));
        assert_eq!(map.colour(0.0, range(0.0, 0.0)), colour(0.0));
    }
}

#[test]
fn signs_and_strengths_differ_for_colour_blind_readers() {
    for kind in [PROTANOPIA, DEUTERANOPIA] {
        for map in [ColourMap::BlueOrange, ColourMap::RedBlue] {
            let seen = |value| seen_by(map.colour(value, range(-1.0, 1.0)), kind);
            for strength in [0.3, 0.5, 0.75, 1.0] {
                let between = distance(seen(strength), seen(-strength));
                assert!(between > 50.0, "{map:?}, {strength}: {between}");
            }
            for side in [-1.0, 1.0] {
                let steps = [0.0, 0.25, 0.5, 0.75, 1.0].map(|strength| luminance(seen(side * strength)));
                assert!(steps.windows(2).all(|pair| pair[1] < pair[0]), "{map:?}, {side}: {steps:?}");
            }
        }
        let steps: Vec<f64> = (0..=10u8)
            .map(|i| luminance(seen_by(ColourMap::Viridis.colour(f32::from(i), range(0.0, 10.0)), kind)))
            .collect();
        assert!(steps.windows(2).all(|pair| pair[1] > pair[0]), "{steps:?}");
    }
}

#[test]
fn edges_of_marks_contrast_with_every_colour() {
    // Marks have a dark edge and a white one; the contrast of graphics must be at least 3 (WCAG 2.2, 1.4.11).
    for map in ColourMap::ALL {
        for i in 0..=200u8 {
            let ground = map.colour(f32::from(i) / 100.0 - 1.0, range(-1.0, 1.0));
            let best = contrast(ground, INK).max(contrast(ground, WHITE));
            assert!(best >= 3.0, "{map:?} at {i}: {best}");
        }
    }
    assert!(contrast(INK, WHITE) > 12.0);
}

#[test]
fn non_finite_values_have_a_distinct_colour() {
    for map in ColourMap::ALL {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(map.colour(value, range(-1.0, 1.0)), map.no_value());
        }
        for i in 0..=200u8 {
            let colour = map.colour(f32::from(i) / 100.0 - 1.0, range(-1.0, 1.0));
            assert!(distance(colour, map.no_value()) > 20.0, "{map:?} at {i}");
            assert!(distance(colour, WALL) > 20.0, "{map:?} comes near the colour of walls at {i}");
        }
    }
}
