//! Defaults for scenes of stored runs: body heights, the ground and the light.

use throng_scene::{Light, Plane, Rgb, Scene};

/// Colour of the ground.
const GROUND: Rgb = [0.75, 0.74, 0.7];

/// Returns the height of a person, from 1.55 to below 1.95 m, as a function of the id: heights of consecutive ids
/// differ, and a person keeps the same height.
pub fn capsule_height(id: u64) -> f64 {
    // The fractional parts of multiples of the golden ratio are evenly distributed.
    let fraction = ((id % (1 << 32)) as f64 * 0.618_033_988_749_895).fract();
    1.55 + 0.4 * fraction
}

/// Creates a scene that contains only the ground, for a world of the given size, lit from one side and from above.
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
