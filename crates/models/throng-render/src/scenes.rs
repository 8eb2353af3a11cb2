//! Scenes of tests and verification cases, and reference values from other programs.

use throng_scene::{Camera, Capsule, Falloff, HeightField, Light, OrientedBox, Plane, Point, Rgb, Scene, Sphere};

use crate::{Settings, Tone};

/// A pixel of the scene with three spheres.
pub struct Pixel {
    /// Column and row.
    pub at: [u32; 2],
    /// Direction of the ray through the pixel.
    pub direction: Point,
    /// Path of the ray, in the format of `Traced::path`.
    pub path: &'static str,
    /// Linear light.
    pub colour: Rgb,
    /// Red, green and blue.
    pub bytes: [u8; 3],
}

/// Nine pixels of the scene with three spheres, computed in double precision by another program.
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

/// Pixels and the means of their 16 samples with seed 4711, computed by the same program.
pub const MEANS: [([u32; 2], Rgb); 2] =
    [([8, 5], [0.356_309_224, 0.431_767_970, 0.462_373_539]), ([9, 7], [0.145_380_280, 0.246_966_595, 0.169_634_379])];

/// Three spheres on a plane under two lamps.
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
        planes: vec![Plane { albedo: [0.3, 0.6, 0.3], reflectance: 0.1, ..Plane::default() }],
        ..Scene::default()
    };
    (scene, Camera::default(), Settings { width: 16, height: 12, ..Settings::default() })
}

/// Shapes of all kinds, mirrors, and both kinds of lamps.
pub fn all_shapes() -> (Scene, Camera) {
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
        // Neither has an exact inverse.
        spacing: [0.47, 0.39],
        columns: 21,
        heights: (0..21 * 14).map(height).collect(),
        albedos: (0..21 * 14).map(|i| [height(i) / 1.2, 0.5, 0.2]).collect(),
        ..HeightField::default()
    });
    (scene, camera)
}

/// Applies a tone curve to a colour, in double precision.
pub fn toned(light: Rgb, tone: Tone) -> Rgb {
    match tone {
        Tone::Clamp => light,
        Tone::Reinhard => {
            let luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
            light.map(|x| x / (1.0 + luminance))
        }
        Tone::Aces => light.map(|x| x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)),
    }
}

/// The byte for an amount of linear light.
pub fn byte(x: f64) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let value = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * libm::pow(x, 1.0 / 2.4) - 0.055 };
    (255.0 * value + 0.5) as u8
}
