//! A scene for measurements.

use throng_scene::{Camera, Light, Plane, Scene, Sphere};

/// Spheres on a cubic lattice, every fourth a half mirror, above a plane, with a light, and a camera that sees all of them.
/// `edge` is the number of spheres along an edge of the lattice.
///
/// ```
/// let (scene, _) = throng_render::lattice(6);
/// assert_eq!((scene.spheres.len(), scene.planes.len(), scene.lights.len()), (216, 1, 1));
/// ```
pub fn lattice(edge: u32) -> (Scene, Camera) {
    let long = f64::from(edge);
    let share = |part: u32| 0.2 + 0.7 * f64::from(part) / long;
    let columns = (0..edge).flat_map(|z| (0..edge).map(move |y| (y, z)));
    let places = columns.flat_map(|(y, z)| (0..edge).map(move |x| [x, y, z]));
    let sphere = |(i, place): (usize, [u32; 3])| Sphere {
        center: place.map(f64::from),
        radius: 0.3,
        albedo: place.map(share),
        reflectance: if i.is_multiple_of(4) { 0.5 } else { 0.0 },
    };
    let scene = Scene {
        lights: vec![Light { position: [-long, 3.0 * long, 2.0 * long], ..Light::default() }],
        spheres: places.enumerate().map(sphere).collect(),
        planes: vec![Plane { offset: -0.5, ..Plane::default() }],
        ..Scene::default()
    };
    let middle = (long - 1.0) / 2.0;
    let eye = [middle + 0.3 * long, middle + 0.6 * long, 2.2 * long];
    (scene, Camera { eye, target: [middle; 3], ..Camera::default() })
}
