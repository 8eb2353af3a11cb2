//! Scenes of tests.

#[allow(dead_code, reason = "not every test program has random scenes")]
pub mod random;

use throng_render::Settings;
use throng_scene::{Camera, Light, Plane, Scene, Sphere};

/// Three spheres on the ground under two lamps, with pixels computed in advance (see `NINE_PIXELS`).
#[allow(dead_code, reason = "likewise")]
pub fn three_spheres() -> (Scene, Camera, Settings) {
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
        planes: vec![Plane { normal: [0.0, 1.0, 0.0], offset: 0.0, albedo: [0.3, 0.6, 0.3], reflectance: 0.1 }],
        ..Scene::default()
    };
    (scene, Camera::default(), Settings { width: 16, height: 12, ..Settings::default() })
}

/// A pixel of the three spheres.
#[allow(dead_code, reason = "not every test program reads all of it")]
pub struct Pixel {
    pub at: [u32; 2],
    pub direction: [f64; 3],
    pub path: &'static str,
    pub colour: [f64; 3],
    pub bytes: [u8; 3],
}

/// Computed in double precision by another program.
#[allow(dead_code, reason = "likewise")]
pub const NINE_PIXELS: [Pixel; 9] = [
    Pixel {
        at: [0, 0],
        direction: [-0.472_398_647, 0.230_712_699, -0.850_653_378],
        path: "sky",
        colour: [0.2, 0.3, 0.5],
        bytes: [124, 149, 188],
    },
    Pixel {
        at: [8, 5],
        direction: [0.038_800_426, -0.100_013_275, -0.994_229_285],
        path: "S0 t=4.040348 v=11 > sky",
        colour: [0.364_606_639, 0.419_704_164, 0.524_801_690],
        bytes: [163, 173, 192],
    },
    Pixel {
        at: [6, 5],
        direction: [-0.115_706_592, -0.099_416_392, -0.988_295_687],
        path: "S0 t=4.177587 v=11 > sky",
        colour: [0.277_451_291, 0.358_227_957, 0.489_004_623],
        bytes: [144, 161, 186],
    },
    Pixel {
        at: [9, 7],
        direction: [0.115_024_195, -0.250_714_420, -0.961_203_264],
        path: "S0 t=4.669754 v=00 > P0 t=0.547056 v=10 > sky",
        colour: [0.138_930_539, 0.227_861_077, 0.153_930_539],
        bytes: [104, 131, 109],
    },
    Pixel {
        at: [12, 6],
        direction: [0.329_902_131, -0.167_088_718, -0.929_110_297],
        path: "S1 t=4.726899 v=10",
        colour: [0.205_531_005, 0.051_382_751, 0.025_691_376],
        bytes: [125, 64, 44],
    },
    Pixel {
        at: [4, 7],
        direction: [-0.260_830_580, -0.243_653_038, -0.934_130_936],
        path: "P0 t=6.156295 v=01 > sky",
        colour: [0.081_304_886, 0.186_914_657, 0.145_609_771],
        bytes: [81, 120, 107],
    },
    Pixel {
        at: [8, 10],
        direction: [0.036_655_792, -0.457_502_809, -0.888_452_324],
        path: "P0 t=3.278668 v=11 > S0 t=1.330740 v=10 > P0 t=1.989627 v=11 > sky",
        colour: [0.239_041_832, 0.498_161_966, 0.273_722_324],
        bytes: [134, 187, 143],
    },
    Pixel {
        at: [3, 10],
        direction: [-0.313_483_630, -0.434_733_904, -0.844_236_013],
        path: "P0 t=3.450387 v=11 > S2 t=0.668035 v=10 > P0 t=3.133802 v=11 > sky",
        colour: [0.215_286_406, 0.472_714_230, 0.279_560_404],
        bytes: [128, 183, 144],
    },
    Pixel {
        at: [14, 8],
        direction: [0.444_267_790, -0.291_155_472, -0.847_263_018],
        path: "P0 t=5.151887 v=10 > sky",
        colour: [0.202_714_947, 0.395_429_895, 0.232_714_947],
        bytes: [124, 169, 133],
    },
];

/// Pixels and the means of their 16 samples with seed 4711, computed likewise.
#[allow(dead_code, reason = "likewise")]
pub const MEANS: [([u32; 2], [f64; 3]); 2] =
    [([8, 5], [0.356_309_224, 0.431_767_970, 0.462_373_539]), ([9, 7], [0.145_380_280, 0.246_966_595, 0.169_634_379])];

/// The largest difference of a channel.
#[allow(dead_code, reason = "likewise")]
pub fn difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
}

/// Some of each shape, mirrors and both kinds of lamps.
#[allow(dead_code, reason = "likewise")]
pub fn all_shapes() -> (Scene, Camera, Settings) {
    use throng_scene::{Capsule, Falloff, HeightField, OrientedBox};

    let (mut scene, camera, settings) = three_spheres();
    scene.lights.push(Light {
        position: [0.5, 4.0, -1.0],
        intensity: [3.0, 2.0, 1.0],
        falloff: Falloff::InverseSquare,
    });
    for i in 0..6 {
        let x = f64::from(i) * 0.6 - 1.7;
        let capsule = Capsule::standing([x, 0.0, 1.9], 0.15, 0.7, [0.9, 0.2 + 0.1 * x.abs(), 0.3]);
        scene.capsules.push(Capsule { to: [x + 0.2, 0.6, 1.7], reflectance: 0.1, ..capsule });
        scene.boxes.push(OrientedBox {
            center: [x, 0.3, -1.5],
            half_size: [0.2, 0.3 + 0.05 * x, 0.1],
            along: [1.0, 0.2 * x, 0.3],
            albedo: [0.3, 0.4, 0.9],
            reflectance: if i % 2 == 0 { 0.3 } else { 0.0 },
            ..OrientedBox::default()
        });
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
    (scene, camera, settings)
}
