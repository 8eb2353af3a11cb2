//! Verification case that compares the paper's style with its definition.

use throng_core::{Finding, VerificationCase};
use throng_device::Executor;
use throng_model::Failure;
use throng_render::{PackedScene, Settings, drawer, lattice, reference};

use super::program::Program;
use crate::experiment::Trial;

/// Spheres along an edge of the lattice.
const EDGE: u32 = 3;
/// Width and height of the image, pixels.
const SIZE: u32 = 64;
/// Maximum difference of linear red, green and blue from the definition, which is in double precision.
const TOLERANCE: f64 = 2e-5;
/// Minimum percentage of pixels within the tolerance. The others are decided by rounding: they are at the edge of a
/// sphere, or of its reflection.
const NEAR: f64 = 99.0;

type Sums = Vec<[f32; 3]>;

pub(in super::super) const CASE: VerificationCase<Trial> = VerificationCase::new(
    "the paper's image",
    Trial::Anywhere(|on| near_pixels(&mut |scene, settings| sums(on, scene, settings))),
    "light with shadows and mirrors with ambient colour, by brute force and with a tree, are within 2e-5 of the definition \
     in double precision at 99 of 100 pixels (Kloosterman, section 4)",
);

/// Renders an image of the lattice.
fn sums(on: &Executor, scene: &PackedScene, settings: &Settings) -> Result<Sums, Failure> {
    let mut drawer = drawer(on, scene, settings)?;
    drawer.add_samples(&lattice(EDGE).1, 1)?;
    drawer.sums()
}

/// Minimum percentage of pixels within the tolerance, over the images by brute force and with a tree.
fn near_pixels(draw: &mut dyn FnMut(&PackedScene, &Settings) -> Result<Sums, Failure>) -> Result<Finding, Failure> {
    let (scene, camera) = lattice(EDGE);
    let packed = PackedScene::new(&scene)?;
    let pixels = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| [column, row]));
    let definition = Program::PAPER.settings(SIZE);
    let expected: Vec<[f64; 3]> =
        pixels.map(|pixel| reference::sample(&scene, &camera, &definition, pixel, 0).colour).collect();
    let mut least = 100.0_f64;
    for tree in [false, true] {
        let found = draw(&packed, &Program { tree, ..Program::PAPER }.settings(SIZE))?;
        let is_near = |(found, expected): (&[f32; 3], &[f64; 3])| {
            found.iter().zip(expected).all(|(found, expected)| (f64::from(*found) - expected).abs() <= TOLERANCE)
        };
        let near = found.iter().zip(&expected).filter(|pair| is_near(*pair)).count();
        least = least.min(100.0 * near as f64 / expected.len() as f64);
    }
    let text = |percentage: f64| format!("{percentage:.2} % of pixels");
    Ok(Finding { expected: format!("at least {NEAR} %"), found: text(least), holds: least >= NEAR })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(change: fn(&mut Sums)) -> Finding {
        near_pixels(&mut |scene, settings| {
            let mut sums = sums(&Executor::cpu(), scene, settings)?;
            change(&mut sums);
            Ok(sums)
        })
        .unwrap()
    }

    #[test]
    fn images_match_the_definition() {
        for on in &throng_testing_devices::executors() {
            let finding = near_pixels(&mut |scene, settings| sums(on, scene, settings)).unwrap();
            assert!(finding.holds, "{finding:?}");
        }
    }

    #[test]
    fn wrong_images_are_detected() {
        for (change, what) in [
            ((|sums| sums.fill([0.0; 3])) as fn(&mut Sums), "nothing is drawn"),
            (|sums| sums.iter_mut().for_each(|sum| *sum = sum.map(|part| 2.0 * part)), "twice the light"),
            (|sums| sums.rotate_left(1), "off by a pixel"),
            (|sums| sums.truncate(SIZE as usize), "only a row"),
            (|sums| sums.fill([f32::NAN; 3]), "no numbers"),
        ] {
            let finding = finding(change);
            assert!(!finding.holds, "{what}: {finding:?}");
        }
    }

    #[test]
    fn the_full_style_gives_a_different_image() {
        let full = near_pixels(&mut |scene, settings| {
            sums(&Executor::cpu(), scene, &Settings { style: throng_render::Style::Full, ..*settings })
        });
        assert!(!full.unwrap().holds);
    }
}
