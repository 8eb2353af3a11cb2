//! Sizes of persons, and the scene around them.

use throng_scene::{Light, Plane, Rgb, Scene};

/// Colour of the ground.
const GROUND: Rgb = [0.75, 0.74, 0.7];

/// The height of a person, from 1.55 to below 1.95 m, by its number: neighbours in a list differ, and a person keeps its
/// height.
pub fn capsule_height(id: u64) -> f64 {
    // The fractions of multiples of the golden ratio are spread evenly.
    let share = ((id % (1 << 32)) as f64 * 0.618_033_988_749_895).fract();
    1.55 + 0.4 * share
}

/// A scene without shapes but the ground, for a world of a size: with light from one side, and from above.
pub fn room([width, depth]: [f64; 2]) -> Scene {
    let extent = width.max(depth).max(1.0);
    let position = [width / 2.0 - 2.0 * extent, 4.0 * extent, -depth / 2.0 + 2.0 * extent];
    Scene {
        ambient: [0.3; 3],
        lights: vec![Light { position, ..Light::default() }],
        planes: vec![Plane { albedo: GROUND, ..Plane::default() }],
        ..Scene::default()
    }
}
