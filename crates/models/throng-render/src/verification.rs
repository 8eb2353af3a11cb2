//! The verification cases of the ray tracer, for all executors.

mod executor;
#[cfg(test)]
mod mutants;

use std::sync::OnceLock;

use throng_core::{Finding, VerificationCase as Case, Verified};
use throng_device::Executor;
use throng_model::Failure;
use throng_scene::{Camera, Rgb, Scene};

use crate::{PackedScene, Picture, Settings, Style, Tone, reference, scenes};
use executor::{CaseExecutor, OnExecutor};
use scenes::KnownPixel;

type Checked = Result<Finding, Failure>;
type Verify = fn(&dyn CaseExecutor) -> Checked;

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
        "this scene with the tree, and with a test of every ray against every shape; 13 pixels as computed by another program",
    ),
    Case::new(
        "one picture for all",
        bits,
        "sums of 4 samples of each pixel of this scene and the bytes of the image, as one thread of the CPU computes them, \
         and for six pixels as another program does",
    ),
    Case::new(
        "progressive pictures",
        progressive,
        "8 samples at once, and one after another in 8 portions; the means of six pixels as computed by another program",
    ),
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
        tell(case.verified((case.check)(&OnExecutor(on))));
    }
}

/// The sums of all samples.
fn sums(on: &dyn CaseExecutor, scene: &Scene, camera: &Camera, settings: &Settings) -> Result<Vec<[f32; 3]>, Failure> {
    let packed = PackedScene::new(scene)?;
    let mut drawer = on.drawer(&packed, settings)?;
    drawer.add_samples(camera, settings.samples)?;
    drawer.sums()
}

/// The largest of these numbers; NaN if there are none, or if one is NaN.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).max_by(f64::total_cmp).unwrap_or(f64::NAN)
}

/// The largest difference of a channel between the mean of the samples and the expected value.
fn largest_difference(found: [f32; 3], expected: Rgb, samples: u32) -> f64 {
    largest((0..3).map(|i| f64::from(found[i]) / f64::from(samples) - expected[i]))
}

/// Maximum difference from values in double precision, at pixels that see no edge.
const TOLERANCE: f64 = 2e-5;

/// The largest difference between the mean of the samples and the known value, for each of these pixels.
fn differences(sums: &[[f32; 3]], settings: &Settings, known: &[KnownPixel]) -> impl Iterator<Item = f64> {
    let of = |&([column, row], colour): &KnownPixel| {
        let sum = sums.get((row * settings.width + column) as usize).copied().unwrap_or([f32::NAN; 3]);
        largest_difference(sum, colour, settings.samples)
    };
    known.iter().map(of)
}

/// Number of these pixels that differ from their known values.
fn unknown(sums: &[[f32; 3]], settings: &Settings, known: &[KnownPixel]) -> usize {
    known.len() - differences(sums, settings, known).filter(|difference| *difference <= TOLERANCE).count()
}

fn nine_pixels(on: &dyn CaseExecutor) -> Checked {
    let (scene, camera, settings) = scenes::three_spheres();
    let sums = sums(on, &scene, &camera, &settings)?;
    let known = scenes::NINE_PIXELS.map(|pixel| (pixel.at, pixel.colour));
    Ok(Finding::at_most(TOLERANCE, largest(differences(&sums, &settings, &known))))
}

fn means(on: &dyn CaseExecutor) -> Checked {
    let (scene, camera, settings) = scenes::three_spheres();
    let settings = Settings { samples: 16, seed: 4711, ..settings };
    let sums = sums(on, &scene, &camera, &settings)?;
    Ok(Finding::at_most(TOLERANCE, largest(differences(&sums, &settings, &scenes::MEANS))))
}

/// Settings of images of the scene with all shapes.
fn of_all_shapes(samples: u32) -> Settings {
    Settings { width: 64, height: 48, samples, ..Settings::default() }
}

/// The pixels of such an image by definition. They are computed once for all executors.
fn defined(style: Style) -> &'static [Rgb] {
    static FULL: OnceLock<Vec<Rgb>> = OnceLock::new();
    static PAPER: OnceLock<Vec<Rgb>> = OnceLock::new();
    let pixels = match style {
        Style::Full => &FULL,
        Style::Paper => &PAPER,
    };
    pixels.get_or_init(|| {
        let (scene, camera) = scenes::all_shapes();
        let settings = Settings { style, ..of_all_shapes(1) };
        let places = (0..settings.height).flat_map(|row| (0..settings.width).map(move |column| [column, row]));
        places.map(|place| reference::sample(&scene, &camera, &settings, place, 0).colour).collect()
    })
}

/// Number of pixels that differ from the definition.
fn differing(on: &dyn CaseExecutor, settings: &Settings) -> Result<u32, Failure> {
    let (scene, camera) = scenes::all_shapes();
    let sums = sums(on, &scene, &camera, settings)?;
    let expected = defined(settings.style);
    let is_near = |(sum, expected): &(&[f32; 3], &Rgb)| largest_difference(**sum, **expected, 1) <= 2e-3;
    Ok((expected.len() - sums.iter().zip(expected).filter(is_near).count()) as u32)
}

fn definition(on: &dyn CaseExecutor) -> Checked {
    Ok(Finding::at_most(30.0, differing(on, &of_all_shapes(1))?.into()))
}

fn paper(on: &dyn CaseExecutor) -> Checked {
    let settings = Settings { style: Style::Paper, tree: false, ..of_all_shapes(1) };
    Ok(Finding::at_most(30.0, differing(on, &settings)?.into()))
}

/// Number of sums that differ in any bit.
fn different(some: &[[f32; 3]], others: &[[f32; 3]]) -> usize {
    let bits = |sum: &[f32; 3]| sum.map(f32::to_bits);
    some.len().max(others.len()) - some.iter().zip(others).filter(|(a, b)| bits(a) == bits(b)).count()
}

fn tree(on: &dyn CaseExecutor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = of_all_shapes(1);
    let with_tree = sums(on, &scene, &camera, &settings)?;
    let without = sums(on, &scene, &camera, &Settings { tree: false, ..settings })?;
    let unknown = unknown(&without, &settings, &scenes::ALL_SHAPES);
    Ok(Finding::no_difference("pixels", different(&with_tree, &without) + unknown))
}

fn bits(on: &dyn CaseExecutor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = Settings { tone: Tone::Aces, ..of_all_shapes(4) };
    let packed = PackedScene::new(&scene)?;
    let drawn = |on: &dyn CaseExecutor| {
        let mut drawer = on.drawer(&packed, &settings)?;
        drawer.add_samples(&camera, settings.samples)?;
        Ok::<_, Failure>((drawer.sums()?, drawer.picture(settings.tone)?))
    };
    let (single_thread, cpu) = (throng_core::thread_pool(1)?, Executor::cpu());
    let (expected, found) = (single_thread.install(|| drawn(&OnExecutor(&cpu)))?, drawn(on)?);
    let unknown = unknown(&found.0, &settings, &scenes::ALL_SHAPES_OF_4) + unknown_bytes(&found.1, settings.tone);
    if !on.has_bits_of_the_cpu()? {
        // The driver rounds quotients and square roots differently.
        let is_far = |(a, b): &(&u8, &u8)| a.abs_diff(**b) > 1;
        let far = expected.1.rgba().iter().zip(found.1.rgba()).filter(is_far).count() + unknown;
        return Ok(Finding {
            expected: "at most 12 bytes differ by more than 1".into(),
            found: far.to_string(),
            holds: far <= 12 && unknown == 0,
        });
    }
    let bytes = expected.1.rgba().iter().zip(found.1.rgba()).filter(|(a, b)| a != b).count();
    Ok(Finding::no_difference("pixels or bytes", different(&expected.0, &found.0) + bytes + unknown))
}

/// Number of known pixels whose bytes differ by more than 1 from those of their known means.
fn unknown_bytes(picture: &Picture, tone: Tone) -> usize {
    let differs = |&&([column, row], mean): &&KnownPixel| {
        let expected = scenes::toned(mean, tone).map(scenes::byte);
        (0..3).any(|i| picture.pixel(column, row)[i].abs_diff(expected[i]) > 1)
    };
    scenes::ALL_SHAPES_OF_4.iter().filter(differs).count()
}

fn progressive(on: &dyn CaseExecutor) -> Checked {
    let (scene, camera) = scenes::all_shapes();
    let settings = of_all_shapes(8);
    let at_once = sums(on, &scene, &camera, &settings)?;
    let packed = PackedScene::new(&scene)?;
    let mut drawer = on.drawer(&packed, &settings)?;
    for _ in 0..8 {
        drawer.add_samples(&camera, 1)?;
    }
    let unknown = unknown(&at_once, &settings, &scenes::ALL_SHAPES_OF_8);
    Ok(Finding::no_difference("pixels", different(&at_once, &drawer.sums()?) + unknown))
}

/// Renders images that show only a background, for several brightnesses.
fn tones(on: &dyn CaseExecutor) -> Checked {
    let mut largest = 0;
    for i in 0..=32 {
        let x = f64::from(i) / 2.0;
        let light = [x, x / 3.0, x / 20.0];
        let scene = Scene { background: light, ..Scene::default() };
        let packed = PackedScene::new(&scene)?;
        let settings = Settings { width: 1, height: 1, ..Settings::default() };
        let mut drawer = on.drawer(&packed, &settings)?;
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
