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
pub const MEANS: [KnownPixel; 2] =
    [([8, 5], [0.356_309_224, 0.431_767_970, 0.462_373_539]), ([9, 7], [0.145_380_280, 0.246_966_595, 0.169_634_379])];

/// A pixel, its column and row, and its linear light.
pub type KnownPixel = ([u32; 2], Rgb);

/// Pixels of the scene with all shapes in an image of 64 x 48 pixels, computed in double precision by another program:
/// on spheres, the plane, capsules, boxes and the height field, with shadows and up to four mirrors.
pub const ALL_SHAPES: [KnownPixel; 13] = [
    ([34, 16], [0.450_685_142, 0.509_489_894, 0.618_294_646]),
    ([25, 26], [0.112_902_389, 0.153_603_584, 0.172_304_779]),
    ([31, 34], [0.207_731_721, 0.444_030_373, 0.241_023_652]),
    ([38, 36], [0.072_821_676, 0.168_828_779, 0.102_507_102]),
    ([27, 47], [0.278_082_021, 0.511_524_149, 0.282_434_724]),
    ([39, 30], [0.175_106_794, 0.334_415_358, 0.165_823_965]),
    ([5, 36], [0.412_415_400, 0.209_608_597, 0.190_581_798]),
    ([34, 38], [0.511_644_715, 0.170_548_238, 0.227_397_651]),
    ([52, 40], [0.090_000_000, 0.030_000_000, 0.060_000_000]),
    ([18, 24], [0.133_571_015, 0.183_847_499, 0.351_600_702]),
    ([42, 23], [0.181_373_218, 0.235_912_079, 0.517_484_703]),
    ([15, 20], [0.078_172_573, 0.100_454_202, 0.046_908_908]),
    ([19, 18], [0.153_312_849, 0.139_045_668, 0.062_567_215]),
];

/// The means of 4 samples with seed 1 of some of these pixels, computed by the same program.
pub const ALL_SHAPES_OF_4: [KnownPixel; 6] = [
    ([34, 16], [0.449_263_786, 0.507_680_790, 0.616_097_794]),
    ([5, 36], [0.414_348_838, 0.209_070_479, 0.190_008_226]),
    ([42, 23], [0.222_562_103, 0.274_743_041, 0.441_927_152]),
    ([15, 20], [0.180_764_029, 0.207_209_109, 0.082_019_766]),
    ([27, 47], [0.278_135_581, 0.511_511_588, 0.282_484_379]),
    ([34, 38], [0.499_526_332, 0.167_322_781, 0.224_182_379]),
];

/// The means of 8 samples with seed 1 of the same pixels.
pub const ALL_SHAPES_OF_8: [KnownPixel; 6] = [
    ([34, 16], [0.449_645_752, 0.508_254_960, 0.616_864_167]),
    ([5, 36], [0.412_473_356, 0.209_310_586, 0.190_376_684]),
    ([42, 23], [0.211_471_950, 0.266_996_662, 0.369_585_736]),
    ([15, 20], [0.184_198_090, 0.201_727_122, 0.078_978_591]),
    ([27, 47], [0.278_040_711, 0.511_511_439, 0.282_435_666]),
    ([34, 38], [0.496_048_535, 0.165_756_513, 0.221_551_354]),
];

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
