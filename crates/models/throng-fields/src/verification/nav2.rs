//! The inflation layer of Nav2, and the footprint from which it takes its radius. These cases run only on the CPU.

use throng_core::{Finding, InputError, Philox};
use throng_device::Error;
use throng_nav2::RosDistro::{Jazzy, Lyrical};
use throng_nav2::{FREE_SPACE, Footprint, INSCRIBED_INFLATED_OBSTACLE, Inflation, LETHAL_OBSTACLE};

use super::executor::CaseExecutor;

/// Maps with cells of 0.05 m and 0.02 m for robots with a radius of 0.12 m: cell size, which is passed to Nav2 in
/// single precision, inflation radius, and the number of cells it covers. Single precision rounds 0.02 m down, so
/// 0.5 m is slightly more than 25 cells.
const MAPS: [(f32, f64, f64); 2] = [(0.05, 0.55, 11.0), (0.02, 0.5, 26.0)];

pub(super) fn costs_match_the_formula(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    const SIDE: u32 = 60;
    let inscribed_radius = padded(0.12, 0.01)?;
    let expected_radius = least_distance_of_sides(0.12, 0.01);
    let draws = Philox::new(3);
    let mut differ = 0;
    for map in 0..20 {
        let (resolution, inflation_radius, reach) = MAPS[map as usize % MAPS.len()];
        let ros_distro = if map % 4 < 2 { Jazzy } else { Lyrical };
        let resolution = f64::from(resolution);
        let layer = Inflation {
            resolution,
            inflation_radius,
            inscribed_radius,
            cost_scaling_factor: 5.0,
            ros_distro,
            ..Inflation::default()
        };
        let is_obstacle = |cell: u32| draws.below(150, cell, map, 0, 0) == 0;
        let costs = |cell| if is_obstacle(cell) { LETHAL_OBSTACLE } else { FREE_SPACE };
        let costs: Vec<u8> = (0..SIDE * SIDE).map(costs).collect();
        let position = |cell: u32| (f64::from(cell % SIDE), f64::from(cell / SIDE));
        let obstacles: Vec<_> = (0..SIDE * SIDE).filter(|&cell| is_obstacle(cell)).map(position).collect();
        let expected = |cell: u32| {
            let (x, y) = position(cell);
            let nearest = obstacles.iter().map(|(ox, oy)| libm::hypot(x - ox, y - oy)).fold(f64::INFINITY, f64::min);
            let rounded = if ros_distro == Lyrical { (nearest * 100.0).round() / 100.0 } else { nearest };
            let metres = rounded * resolution;
            match nearest {
                0.0 => LETHAL_OBSTACLE,
                _ if nearest > reach => FREE_SPACE,
                _ if metres <= expected_radius => INSCRIBED_INFLATED_OBSTACLE,
                _ => (252.0 * libm::exp(-5.0 * (metres - expected_radius))) as u8,
            }
        };
        let found = on.inflated(&layer, &costs, SIDE as usize)?;
        differ += (0..).zip(&found).filter(|&(cell, &cost)| cost != expected(cell)).count();
    }
    Ok(Finding::no_difference("cells", differ))
}

fn padded(radius: f64, padding: f64) -> Result<f64, InputError> {
    Ok(Footprint::of_radius(radius)?.padded(padding)?.inscribed_radius())
}

/// The same radius from sines written as roots: the distance of the line through two neighbouring corners is their
/// cross product over the length of the side. Nav2's sine and cosine of a quarter, half and three quarters of a turn
/// are not exactly 0 but slightly above or below it, so the padding moves these corners along both axes.
fn least_distance_of_sides(radius: f64, padding: f64) -> f64 {
    let half = 0.5_f64;
    let sines = [0.0, (half - half.sqrt() / 2.0).sqrt(), half.sqrt(), (half + half.sqrt() / 2.0).sqrt(), 1.0];
    let padding = f64::from(padding as f32);
    // Sines of 0 to 360 degrees in 16 steps, and the signs with which a coordinate is padded.
    let sine = |part: usize| match part % 16 {
        part @ 0..=4 => sines[part],
        part @ 5..=8 => sines[8 - part],
        part @ 9..=12 => -sines[part - 8],
        part => -sines[16 - part],
    };
    let y_sign = |part: usize| match part {
        0 => 0.0,
        1..=8 => 1.0,
        _ => -1.0,
    };
    let x_sign = |part: usize| if (5..=12).contains(&part) { -1.0 } else { 1.0 };
    let corner = |part: usize| {
        let part = part % 16;
        [radius * sine(part + 4) + padding * x_sign(part), radius * sine(part) + padding * y_sign(part)]
    };
    let distance = |part: usize| {
        let ([ax, ay], [bx, by]) = (corner(part), corner(part + 1));
        (ax * by - ay * bx) / ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt()
    };
    (0..16).map(distance).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_computations_of_the_inscribed_radius_agree() {
        for (radius, padding) in [(0.22, 0.01), (0.12, 0.01), (0.5, 0.0), (1.0, 0.3)] {
            let found = padded(radius, padding).unwrap();
            assert!((found - least_distance_of_sides(radius, padding)).abs() < 1e-12, "{radius} {found}");
        }
    }
}
