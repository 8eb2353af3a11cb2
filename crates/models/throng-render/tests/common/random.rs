//! Random scenes.

use throng_core::Philox;
use throng_scene::{Camera, Capsule, HeightField, Light, OrientedBox, Plane, Scene, Sphere};

/// The source of random numbers for a scene.
pub struct Draws {
    philox: Philox,
    scene: u32,
    drawn: u32,
}

impl Draws {
    pub fn new(scene: u32) -> Self {
        Self { philox: Philox::new(77), scene, drawn: 0 }
    }

    /// A number from `low` to `high`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        self.drawn += 1;
        low + (high - low) * self.philox.unit(self.scene, 0, self.drawn, 0)
    }

    pub fn below(&mut self, n: u32) -> u32 {
        self.drawn += 1;
        self.philox.below(n, self.scene, 1, self.drawn, 0)
    }

    fn point(&mut self, reach: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.number(-reach, reach))
    }
}

/// A scene with up to a few dozen shapes: scattered, nested, touching, all in one place, tiny or huge.
pub fn scene(number: u32) -> (Scene, Camera) {
    let mut draws = Draws::new(number);
    let reach = [0.0, 1.0, 5.0, 300.0][draws.below(4) as usize];
    let count = [1, 3, 9, 40][draws.below(4) as usize];
    let mut scene = Scene { ambient: [0.2; 3], ..Scene::default() };
    for _ in 0..count {
        let place = match draws.below(4) {
            // On a lattice: shapes touch, and many distances are equal.
            0 => draws.point(reach).map(f64::round),
            1 => [0.0; 3],
            _ => draws.point(reach),
        };
        let size = [1e-3, 0.1, 0.5, 0.5, 1.0, 20.0][draws.below(6) as usize];
        let albedo = std::array::from_fn(|_| draws.number(0.0, 1.0));
        let reflectance = if draws.below(3) == 0 { draws.number(0.0, 1.0) } else { 0.0 };
        match draws.below(4) {
            0 => {
                let other = draws.point(1.0);
                let to = if draws.below(5) == 0 { place } else { throng_scene::sum(place, other) };
                scene.capsules.push(Capsule { from: place, to, radius: size, albedo, reflectance });
            }
            1 => {
                let half_size = std::array::from_fn(|_| size * draws.number(0.05, 1.0));
                let is_straight = draws.below(2) == 0;
                let along = if is_straight { [1.0, 0.0, 0.0] } else { draws.point(1.0) };
                let up = if is_straight { [0.0, 1.0, 0.0] } else { draws.point(1.0) };
                scene.boxes.push(OrientedBox { center: place, half_size, along, up, albedo, reflectance });
            }
            _ => scene.spheres.push(Sphere { center: place, radius: size, albedo, reflectance }),
        }
    }
    if draws.below(3) == 0 {
        scene.planes.push(Plane { offset: draws.number(-2.0, 0.0), ..Plane::default() });
    }
    if draws.below(4) == 0 {
        let columns = 2 + draws.below(20) as usize;
        let rows = 2 + draws.below(20) as usize;
        let relief = [0.0, 1.0, 1.0][draws.below(3) as usize];
        scene.height_fields.push(HeightField {
            origin: [-4.0, draws.number(-3.0, 0.0), -4.0],
            spacing: [draws.number(0.2, 1.0), draws.number(0.2, 1.0)],
            columns,
            heights: (0..rows * columns).map(|_| draws.number(0.0, relief)).collect(),
            reflectance: draws.number(0.0, 0.5),
            ..HeightField::default()
        });
    }
    for _ in 0..draws.below(3) {
        scene.lights.push(Light { position: draws.point(2.0 * reach + 5.0), ..Light::default() });
    }
    // Some cameras look along an axis, so that directions contain zeros.
    let eye = match draws.below(4) {
        0 => [0.0, 0.0, reach + 3.0],
        1 => [0.25, 0.1, 0.05],
        _ => draws.point(reach + 3.0),
    };
    let target = if draws.below(2) == 0 { [0.0, 0.0, -0.5] } else { draws.point(1.0) };
    let camera = Camera { eye, target, up: [0.01, 1.0, 0.02], vfov_deg: draws.number(5.0, 120.0) };
    (scene, camera)
}
