//! The verification cases of the ray tracer, for all executors.

use throng_core::{Finding, VerificationCase as Case, Verified};
use throng_device::Executor;
use throng_model::Failure;
use throng_scene::{Camera, Scene};

use crate::{PackedScene, Settings, Style, Tone, drawer, has_bits_of_the_cpu, reference, scenes};

type Checked = Result<Finding, Failure>;
type Verify = fn(&Executor) -> Checked;

const CASES: &[Case<Verify>] = &[
    Case::new(
        "nine pixels",
        nine_pixels,
        "spheres on a plane under two lamps: sky, mirrors, shadows, and paths over three surfaces, computed by another program",
    ),
    Case::new(
        "means of samples",
        means,
        "two pixels of this scene, 16 samples at random positions, computed by another program",
    ),
    Case::new(
        "pictures are the definition",
        definition,
        "a scene of all shapes: pixels, mostly at edges, that differ by more than 0.002 from the definition in double precision",
    ),
    Case::new(
        "the tree changes nothing",
        tree,
        "this scene with the tree, and with a test of every ray against every shape",
    ),
    Case::new(
        "one picture for all",
        bits,
        "sums of 4 samples of each pixel of this scene and the bytes of the image, as one thread of the CPU computes them",
    ),
    Case::new("progressive pictures", progressive, "8 samples at once, and one after another in 8 portions"),
    Case::new(
        "mirrors of the paper",
        paper,
        "style paper: a mirror shows only the ambient colour of the next shape, as the definition has it",
    ),
    Case::new("tone curves", tones, "bytes for light from 0 to 16 after each curve, computed in double precision"),
];

/// Runs all cases.
pub(crate) fn verify(on: &Executor, tell: &mut dyn FnMut(Verified)) {
    for case in CASES {
        tell(case.verified((case.check)(on)));
    }
}

/// The sums of all samples.
fn sums(on: &Executor, scene: &Scene, camera: &Camera, settings: &Settings) -> Result<Vec<[f32; 3]>, Failure> {
    let packed = PackedScene::new(scene)?;
    let mut drawer = drawer(on, &packed, settings)?;
    drawer.add_samples(camera, settings.samples)?;
    drawer.sums()
}

/// The largest difference of a channel between the mean of the samples and the expected value.
fn largest_difference(found: [f32; 3], expected: [f64; 3], samples: u32) -> f64 {
    (0..3).map(|i| (f64::from(found[i]) / f64::from(samples) - expected[i]).abs()).fold(0.0, f64::max)
}

/// The index of a pixel in this scene.
fn pixel_index([column, row]: [u32; 2]) -> usize {
    (row * 16 + column) as usize
}

fn nine_pixels(on: &Executor) -> Checked {
    let (scene, camera, settings) = scenes::three_spheres();
    let sums = sums(on, &scene, &camera, &settings)?;
    let of = |pixel: &scenes::Pixel| largest_difference(sums[pixel_index(pixel.at)], pixel.colour, 1);
    Ok(Finding::at_most(2e-5, scenes::NINE_PIXELS.iter().map(of).fold(0.0, f64::max)))
}

fn means(on: &Executor) -> Checked {
    let (scene, camera, settings) = scenes::three_spheres();
    let settings = Settings { samples: 16, seed: 4711, ..settings };
    let sums = sums(on, &scene, &camera, &settings)?;
    let of = |(at, colour): &([u32; 2], [f64; 3])| largest_difference(sums[pixel_index(*at)], *colour, 16);
    Ok(Finding::at_most(2e-5, scenes::MEANS.iter().map(of).fold(0.0, f64::max)))
}

/// Number of pixels that differ from the definition.
fn differing(on: &Executor, settings: &Settings) -> Result<u32, Failure> {
    let (scene, camera) = scenes::all_shapes();
    let sums = sums(on, &scene, &camera, settings)?;
    let mut differing = 0;
    for (row, sums) in (0..).zip(sums.chunks_exact(settings.width as usize)) {
        for (column, sum) in (0..).zip(sums) {
            let expected = reference::sample(&scene, &camera, settings, [column, row], 0).colour;
            differing += u32::from(largest_difference(*sum, expected, 1) > 2e-3);
        }
    }
    Ok(differing)
}

fn definition(on: &Executor) -> Checked {
    let settings = Settings { width: 64, height: 48, ..Settings::default() };
    Ok(Finding::at_most(30.0, differing(on, &settings)?.into()))
}

fn paper(on: &Executor) -> Checked {
    let settings = Settings { width: 64, height: 48, style: Style::Paper, tree: false, ..Settings::default() };
    Ok(Finding::at_most(30.0, differing(on, &settings)?.into()))
}

/// Number of sums that differ in any bit.
fn different(some: &[[f32; 3]], others: &[[f32; 3]]) -> usize {
    let bits = |sum: &[f32; 3]| sum.map(f32::to_bits);
    some.iter().zip(others).filter(|(a, b)| bits(a) != bits(b)).count()
}

fn tree(on: &Executor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = Settings { width: 64, height: 48, ..Settings::default() };
    let with_tree = sums(on, &scene, &camera, &settings)?;
    let without = sums(on, &scene, &camera, &Settings { tree: false, ..settings })?;
    Ok(Finding::no_difference("pixels", different(&with_tree, &without)))
}

fn bits(on: &Executor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = Settings { width: 64, height: 48, samples: 4, tone: Tone::Aces, ..Settings::default() };
    let packed = PackedScene::new(&scene)?;
    let drawn = |on: &Executor| {
        let mut drawer = drawer(on, &packed, &settings)?;
        drawer.add_samples(&camera, settings.samples)?;
        Ok::<_, Failure>((drawer.sums()?, drawer.picture(settings.tone)?))
    };
    let (single_thread, cpu) = (throng_core::thread_pool(1)?, Executor::cpu());
    let (expected, found) = (single_thread.install(|| drawn(&cpu))?, drawn(on)?);
    if let Some(device) = on.device().filter(|_| cfg!(feature = "gpu"))
        && !has_bits_of_the_cpu(device)?
    {
        // The driver rounds quotients and square roots differently.
        let is_far = |(a, b): &(&u8, &u8)| a.abs_diff(**b) > 1;
        let far = expected.1.rgba().iter().zip(found.1.rgba()).filter(is_far).count();
        return Ok(Finding {
            expected: "at most 12 bytes differ by more than 1".into(),
            found: far.to_string(),
            holds: far <= 12,
        });
    }
    let bytes = expected.1.rgba().iter().zip(found.1.rgba()).filter(|(a, b)| a != b).count();
    Ok(Finding::no_difference("pixels or bytes", different(&expected.0, &found.0) + bytes))
}

fn progressive(on: &Executor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = Settings { width: 64, height: 48, samples: 8, ..Settings::default() };
    let at_once = sums(on, &scene, &camera, &settings)?;
    let packed = PackedScene::new(&scene)?;
    let mut drawer = drawer(on, &packed, &settings)?;
    for _ in 0..8 {
        drawer.add_samples(&camera, 1)?;
    }
    Ok(Finding::no_difference("pixels", different(&at_once, &drawer.sums()?)))
}

/// Renders images that show only a background, for several brightnesses.
fn tones(on: &Executor) -> Checked {
    let mut largest = 0;
    for i in 0..=32 {
        let x = f64::from(i) / 2.0;
        let light = [x, x / 3.0, x / 20.0];
        let scene = Scene { background: light, ..Scene::default() };
        let packed = PackedScene::new(&scene)?;
        let settings = Settings { width: 1, height: 1, ..Settings::default() };
        let mut drawer = drawer(on, &packed, &settings)?;
        drawer.add_samples(&Camera::default(), 1)?;
        for tone in [Tone::Clamp, Tone::Reinhard, Tone::Aces] {
            let [red, green, blue, _] = drawer.picture(tone)?.pixel(0, 0);
            let expected = scenes::toned(light, tone).map(scenes::byte);
            for (found, expected) in [red, green, blue].into_iter().zip(expected) {
                largest = largest.max(found.abs_diff(expected));
            }
        }
    }
    Ok(Finding::at_most(1.0, largest.into()))
}
