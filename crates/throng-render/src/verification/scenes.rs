//! Scenes of verification cases, and numbers from elsewhere.

use throng_scene::{Camera, Capsule, Falloff, HeightField, Light, OrientedBox, Plane, Rgb, Scene, Sphere};

use crate::{Settings, Tone};

/// Pixels of the three spheres: column and row, and linear light, computed in double precision by another program.
pub(super) const PIXELS: [([usize; 2], Rgb); 9] = [
    ([0, 0], [0.2, 0.3, 0.5]),
    ([8, 5], [0.364_606_639, 0.419_704_164, 0.524_801_690]),
    ([6, 5], [0.277_451_291, 0.358_227_957, 0.489_004_623]),
    ([9, 7], [0.138_930_539, 0.227_861_077, 0.153_930_539]),
    ([12, 6], [0.205_531_005, 0.051_382_751, 0.025_691_376]),
    ([4, 7], [0.081_304_886, 0.186_914_657, 0.145_609_771]),
    ([8, 10], [0.239_041_832, 0.498_161_966, 0.273_722_324]),
    ([3, 10], [0.215_286_406, 0.472_714_230, 0.279_560_404]),
    ([14, 8], [0.202_714_947, 0.395_429_895, 0.232_714_947]),
];

/// Means of 16 samples with seed 4711, likewise.
pub(super) const MEANS: [([usize; 2], Rgb); 2] =
    [([8, 5], [0.356_309_224, 0.431_767_970, 0.462_373_539]), ([9, 7], [0.145_380_280, 0.246_966_595, 0.169_634_379])];

/// Three spheres on the ground under two lamps.
pub(super) fn three_spheres() -> (Scene, Camera, Settings) {
    let scene = Scene {
        lights: vec![
            Light { position: [3.0, 5.0, 4.0], intensity: [0.7; 3], ..Light::default() },
            Light { position: [-4.0, 3.0, 2.0], intensity: [0.2, 0.3, 0.4], ..Light::default() },
        ],
        spheres: vec![
            Sphere { center: [0.0, 1.0, 0.0], radius: 1.0, albedo: [0.9; 3], reflectance: 0.5 },
            Sphere { center: [2.0, 0.5, 0.5], radius: 0.5, albedo: [0.8, 0.2, 0.1], reflectance: 0.0 },
            Sphere { center: [-1.5, 0.4, 1.2], radius: 0.4, albedo: [0.1, 0.3, 0.9], reflectance: 0.25 },
        ],
        planes: vec![Plane { albedo: [0.3, 0.6, 0.3], reflectance: 0.1, ..Plane::default() }],
        ..Scene::default()
    };
    (scene, Camera::default(), Settings { width: 16, height: 12, ..Settings::default() })
}

/// Some of each shape, mirrors, and both kinds of lamps.
pub(super) fn all_shapes() -> (Scene, Camera) {
    let (mut scene, camera, _) = three_spheres();
    let lamp = Light { position: [0.5, 4.0, -1.0], intensity: [3.0, 2.0, 1.0], falloff: Falloff::InverseSquare };
    scene.lights.push(lamp);
    for i in 0..6 {
        let x = f64::from(i) * 0.6 - 1.7;
        let reflectance = if i % 2 == 0 { 0.3 } else { 0.0 };
        let albedo = [0.9, 0.3, 0.1 + 0.1 * f64::from(i)];
        let (from, to) = ([x, 0.15, 1.9], [x + 0.2, 0.6, 1.7]);
        scene.capsules.push(Capsule { from, to, radius: 0.15, albedo, reflectance });
        let (center, half_size, along) = ([x, 0.3, -1.5], [0.2, 0.3 + 0.05 * x, 0.1], [1.0, 0.2 * x, 0.3]);
        let shape =
            OrientedBox { center, half_size, along, albedo: [0.3, 0.4, 0.9], reflectance, ..OrientedBox::default() };
        scene.boxes.push(shape);
    }
    let height = |i: u32| 0.2 * f64::from(i % 21 * 7 % 5) + 0.1 * f64::from(i / 21 * 3 % 4);
    scene.height_fields.push(HeightField {
        origin: [-5.0, 0.3, -9.0],
        spacing: [0.5, 0.4],
        columns: 21,
        heights: (0..21 * 14).map(height).collect(),
        albedos: (0..21 * 14).map(|i| [height(i) / 1.2, 0.5, 0.2]).collect(),
        ..HeightField::default()
    });
    (scene, camera)
}

/// A colour after a tone curve, in double precision.
pub(super) fn toned(light: Rgb, tone: Tone) -> Rgb {
    match tone {
        Tone::Clamp => light,
        Tone::Reinhard => {
            let luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
            light.map(|x| x / (1.0 + luminance))
        }
        Tone::Aces => light.map(|x| x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)),
    }
}

/// The byte of an amount of linear light.
pub(super) fn byte(x: f64) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let value = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * libm::pow(x, 1.0 / 2.4) - 0.055 };
    (255.0 * value + 0.5) as u8
}
