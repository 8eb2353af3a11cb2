//! A scene for measurements.

use throng_scene::{Camera, Light, Plane, Scene, Sphere};

use crate::Lattice;

/// Layer of the spheres that are mirrors, counted from 0 upwards. A lower lattice has them in its highest layer.
const MIRRORS: u32 = 3;

/// Spheres on a cubic lattice, one layer of them mirrors, above a plane, with a light, and a camera that sees all of
/// them. `edge` is the number of spheres along an edge of the lattice.
///
/// The spheres, the mirrors and the plane have the positions and sizes of the test scene in Kloosterman's program. His
/// colours, camera and lamp differ.
///
/// ```
/// let (scene, _) = throng_render::lattice(6);
/// assert_eq!((scene.spheres.len(), scene.planes.len(), scene.lights.len()), (216, 1, 1));
/// assert_eq!(scene.spheres.iter().filter(|sphere| sphere.reflectance == 1.0).count(), 36);
/// ```
pub fn lattice(edge: u32) -> (Scene, Camera) {
    let long = f64::from(edge);
    let height = f64::from(MIRRORS.min(edge.saturating_sub(1)));
    let of_layer = |sphere: Sphere| Sphere { reflectance: f64::from(sphere.center[1] == height), ..sphere };
    let spheres = Lattice { counts: [edge; 3], radius: 0.2, ..Lattice::default() };
    let scene = Scene {
        lights: vec![Light { position: [-long, 3.0 * long, 2.0 * long], ..Light::default() }],
        spheres: spheres.spheres().map(of_layer).collect(),
        planes: vec![Plane { offset: -1.0, ..Plane::default() }],
        ..Scene::default()
    };
    let middle = (long - 1.0) / 2.0;
    let eye = [middle + 0.3 * long, middle + 0.6 * long, 2.2 * long];
    (scene, Camera { eye, target: [middle; 3], ..Camera::default() })
}
