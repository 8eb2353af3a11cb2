//! A scene for measurements.

use throng_scene::{Camera, Light, Plane, Scene};

use crate::Lattice;

/// Spheres on a cubic lattice, every fourth of them a half mirror, above a plane, with a light, and a camera that sees
/// all of them. `edge` is the number of spheres along an edge of the lattice.
///
/// ```
/// let (scene, _) = throng_render::lattice(6);
/// assert_eq!((scene.spheres.len(), scene.planes.len(), scene.lights.len()), (216, 1, 1));
/// ```
pub fn lattice(edge: u32) -> (Scene, Camera) {
    let long = f64::from(edge);
    let scene = Scene {
        lights: vec![Light { position: [-long, 3.0 * long, 2.0 * long], ..Light::default() }],
        spheres: Lattice { counts: [edge; 3], ..Lattice::default() }.spheres().collect(),
        planes: vec![Plane { offset: -0.5, ..Plane::default() }],
        ..Scene::default()
    };
    let middle = (long - 1.0) / 2.0;
    let eye = [middle + 0.3 * long, middle + 0.6 * long, 2.2 * long];
    (scene, Camera { eye, target: [middle; 3], ..Camera::default() })
}
