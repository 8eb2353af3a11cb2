//! Faulty executors: each must fail at least one case, and each case must fail on at least one of them.

use std::sync::Arc;

use throng_model::Failure;
use throng_scene::{Camera, scaled, sum};

use super::CASES;
use super::executor::{CaseExecutor, OnExecutor};
use crate::bvh::Tree;
use crate::lens::axes;
use crate::picture::Bytes;
use crate::{Drawer, Film, PackedScene, Picture, Settings, Style, Tone, cpu, scenes};

/// The fault of an executor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Adds no light.
    DrawsNothing,
    /// Draws no shapes.
    DrawsOnlyBackground,
    /// No pixel is a number.
    DrawsNaN,
    /// Returns only the first row.
    DropsRows,
    /// Draws all shapes but planes.
    DrawsNoPlanes,
    /// The paths of light have a fault.
    Paths(cpu::Fault),
    /// Mirrors reflect nothing.
    NoMirrors,
    /// There is no ambient light.
    NoAmbientLight,
    /// The last lamp is dark.
    DropsLamp,
    /// Lamps have the same effect at any distance.
    NoFalloff,
    /// Draws the style `full` in any style.
    IgnoresStyle,
    /// Rays pass half a pixel to the right of their pixels' centers.
    OffByHalfPixel,
    /// All samples are at the center of their pixel.
    SamplesAtCenter,
    /// The positions of samples do not depend on the seed.
    IgnoresSeed,
    /// Samples that are added later have the positions of the first ones.
    RepeatsSamples,
    /// The tree lacks a leaf.
    DropsLeaf,
    /// Bytes show the sum of the samples, not their mean.
    BytesOfSum,
    /// Light is clamped, whatever the tone curve.
    IgnoresTone,
    /// Bytes are proportional to light.
    LinearBytes,
}

const FAULTS: [Fault; 20] = [
    Fault::DrawsNothing,
    Fault::DrawsOnlyBackground,
    Fault::DrawsNaN,
    Fault::DropsRows,
    Fault::DrawsNoPlanes,
    Fault::Paths(cpu::Fault::NoShadows),
    Fault::Paths(cpu::Fault::MirrorsDoNotWeaken),
    Fault::NoMirrors,
    Fault::NoAmbientLight,
    Fault::DropsLamp,
    Fault::NoFalloff,
    Fault::IgnoresStyle,
    Fault::OffByHalfPixel,
    Fault::SamplesAtCenter,
    Fault::IgnoresSeed,
    Fault::RepeatsSamples,
    Fault::DropsLeaf,
    Fault::BytesOfSum,
    Fault::IgnoresTone,
    Fault::LinearBytes,
];

/// The CPU executor with a fault.
struct Mutant(Fault);

impl CaseExecutor for Mutant {
    fn drawer<'a>(&'a self, scene: &'a PackedScene, settings: &'a Settings) -> Result<Box<dyn Drawer + 'a>, Failure> {
        let of_paths = if let Fault::Paths(fault) = self.0 { Some(fault) } else { None };
        Ok(Box::new(FaultyDrawer {
            fault: self.0,
            scene: self.0.of_scene(scene),
            settings: self.0.of_settings(settings),
            film: Film::new(settings)?.with_fault(of_paths),
            earlier: vec![[0.0; 3]; (settings.width * settings.height) as usize],
            samples: 0,
        }))
    }
}

impl Fault {
    fn of_settings(self, settings: &Settings) -> Settings {
        let mut settings = *settings;
        match self {
            Self::NoMirrors => settings.max_bounces = 0,
            Self::IgnoresStyle => settings.style = Style::Full,
            Self::SamplesAtCenter => settings.samples = 1,
            Self::IgnoresSeed => settings.seed = 1,
            _ => {}
        }
        settings
    }

    fn of_scene(self, scene: &PackedScene) -> PackedScene {
        let mut scene = scene.clone();
        match self {
            Self::DrawsOnlyBackground => {
                (scene.records, scene.planes, scene.tree) = ([].into(), [].into(), Arc::new(Tree::default()));
            }
            Self::DrawsNoPlanes => scene.planes = [].into(),
            Self::NoAmbientLight => scene.ambient = [0.0; 3],
            Self::DropsLamp => {
                scene.lights.pop();
            }
            Self::NoFalloff => scene.lights.iter_mut().for_each(|light| light[6] = 0.0),
            Self::DropsLeaf => {
                // Both children of the last node are leaves.
                if let Some(children) = Arc::make_mut(&mut scene.tree).children.last_mut() {
                    children[1] = children[0];
                }
            }
            _ => {}
        }
        scene
    }

    fn of_camera(self, camera: &Camera, settings: &Settings) -> Camera {
        if self != Self::OffByHalfPixel {
            return *camera;
        }
        let [forward, right, _] = axes(camera, f64::from(settings.width) / f64::from(settings.height));
        let half_pixel = scaled(right, 1.0 / f64::from(settings.width));
        Camera { target: sum(camera.eye, sum(forward, half_pixel)), ..*camera }
    }
}

/// An image on the CPU with a fault.
struct FaultyDrawer {
    fault: Fault,
    scene: PackedScene,
    settings: Settings,
    film: Film,
    /// Sums of samples that are not on the film.
    earlier: Vec<[f32; 3]>,
    samples: u32,
}

impl FaultyDrawer {
    fn all_sums(&self) -> Vec<[f32; 3]> {
        let added = |(a, b): (&[f32; 3], [f32; 3])| std::array::from_fn(|i| a[i] + b[i]);
        self.earlier.iter().zip(self.film.sums()).map(added).collect()
    }
}

impl Drawer for FaultyDrawer {
    fn samples(&self) -> u32 {
        self.samples
    }

    fn clear(&mut self) -> Result<(), Failure> {
        unreachable!("no case clears an image")
    }

    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure> {
        if self.fault == Fault::RepeatsSamples {
            self.earlier = self.all_sums();
            self.film.clear();
        }
        if self.fault != Fault::DrawsNothing {
            let camera = self.fault.of_camera(camera, &self.settings);
            self.film.add_samples(&self.scene, &camera, &self.settings, more);
        }
        self.samples += more;
        Ok(())
    }

    fn add_samples_unless(
        &mut self,
        camera: &Camera,
        more: u32,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Failure> {
        self.add_samples(camera, more).map(|()| true)
    }

    fn picture(&self, tone: Tone) -> Result<Picture, Failure> {
        let tone = if self.fault == Fault::IgnoresTone { Tone::Clamp } else { tone };
        let samples = if self.fault == Fault::BytesOfSum { 1 } else { self.samples };
        let of_pixel = |sum: [f32; 3]| {
            if self.fault == Fault::LinearBytes {
                let light = sum.map(|sum| f64::from(sum) / f64::from(samples));
                let [red, green, blue] = scenes::toned(light, tone).map(|x| (255.0 * x + 0.5) as u8);
                return [red, green, blue, 255];
            }
            Bytes::new().of_pixel(sum, samples, tone)
        };
        let bytes = self.all_sums().into_iter().flat_map(of_pixel).collect();
        Ok(Picture::new(self.settings.width, self.settings.height, bytes))
    }

    fn sums(&self) -> Result<Vec<[f32; 3]>, Failure> {
        let mut sums = self.all_sums();
        match self.fault {
            Fault::DrawsNaN => sums.fill([f32::NAN; 3]),
            Fault::DropsRows => sums.truncate(self.settings.width as usize),
            _ => {}
        }
        Ok(sums)
    }

    fn wait(&self) -> Result<(), Failure> {
        Ok(())
    }
}

/// The faults that each case must detect, besides that of an executor that draws nothing.
const DETECTED: [(&str, &[&str]); CASES.len()] = [
    (
        "nine pixels",
        &[
            "DrawsNoPlanes",
            "Paths(NoShadows)",
            "Paths(MirrorsDoNotWeaken)",
            "NoMirrors",
            "NoAmbientLight",
            "DropsLamp",
            "OffByHalfPixel",
        ],
    ),
    ("means of samples", &["SamplesAtCenter", "IgnoresSeed"]),
    ("pictures are the definition", &["DrawsOnlyBackground", "DrawsNaN", "DropsRows", "NoFalloff"]),
    ("the tree changes nothing", &["DropsLeaf"]),
    ("one picture for all", &["BytesOfSum", "SamplesAtCenter"]),
    ("progressive pictures", &["RepeatsSamples"]),
    ("mirrors of the paper", &["IgnoresStyle"]),
    ("tone curves", &["IgnoresTone", "LinearBytes"]),
];

#[test]
fn cases_detect_faulty_images() {
    assert!(CASES.iter().map(|case| case.name).eq(DETECTED.map(|(case, _)| case)));
    let faults = FAULTS.map(|fault| format!("{fault:?}"));
    throng_testing::assert_detects(&faults, &["DrawsNothing"], &DETECTED, |case, fault| {
        let found = match fault {
            Some(fault) => (CASES[case].check)(&Mutant(FAULTS[fault])),
            None => (CASES[case].check)(&OnExecutor(&throng_device::CPU)),
        };
        CASES[case].verified(found).outcome()
    });
}
