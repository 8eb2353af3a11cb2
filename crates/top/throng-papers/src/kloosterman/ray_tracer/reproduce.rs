//! Measures all programs on all targets in one run.

use std::time::Instant;

use throng_core::Progress;
use throng_device::Executor;
use throng_model::Failure;
use throng_render::{PackedScene, Picture, Style, drawer, lattice};
use throng_scene::Camera;

use super::agreement::Agreement;
use super::program::{ExecutionTarget, Program};
use super::published;
use crate::experiment::flags::{number, threads};
use crate::experiment::{MIN_RUNS, Row, Rows, Times, defect, label, options, repeated};

/// Seconds after which a program renders no further frame.
const MAX_PROGRAM_S: f64 = 10.0;

options! {
    /// Options of the experiment.
    Options, FLAGS {
        frames: usize = 20; quick 3,
            new "frames" "N"
            "Frames of each ray tracer; reports the median. Stops after 10 s [default: 20]"
            number(1..=MAX_FRAMES);
        longest_s: f64 = 120.0,
            new "longest" "S" "Seconds after which a program is not measured with more spheres [default: 120]"
            number(0.0..=86_400.0);
        threads: usize = 1, new "threads" "N" "Threads of the CPU [default: all]" threads;
    }
    also {}
    fixed {
        /// Spheres along an edge of each lattice, ascending.
        edges: Vec<u32> = vec![6, 10];
        /// Width and height of images, pixels.
        size: u32 = published::SIZE, quick 100;
    }
}

/// Maximum number of frames that can be requested.
const MAX_FRAMES: usize = 100_000;

/// Further measurements of a program. Its row has the times until the bytes of a frame are on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderMeasurement {
    /// Times until a frame is rendered; on a device, until its kernels have ended.
    pub drawn: Times,
    /// Agreement of its image with the image of the tree on the CPU.
    pub agreement: Agreement,
}

/// All measurements of the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct RayTracerMeasurements {
    /// The requested options.
    pub options: Options,
    /// Id and name of the device; `None` without one.
    pub device: Option<String>,
    /// Number of spheres of each scene, and the seconds taken to pack it and build its tree.
    pub packed_s: Vec<(u32, f64)>,
    /// Measurements, by number of spheres.
    pub rows: Rows<u32, (Program, ExecutionTarget), RenderMeasurement>,
    /// PNG images of the largest scene in both styles.
    pub pictures: Vec<(Style, Vec<u8>)>,
}

impl RayTracerMeasurements {
    /// Median time until a frame is rendered, seconds.
    pub fn drawn_s(&self, spheres: u32, program: Program, target: ExecutionTarget) -> Option<f64> {
        Some(self.rows.row(spheres, (program, target))?.figures.drawn.median())
    }

    /// Frames per second, including the transfer of their bytes to the host.
    pub fn frames_per_second(&self, spheres: u32, program: Program, target: ExecutionTarget) -> Option<f64> {
        Some(1.0 / self.rows.median(spheres, (program, target))?)
    }
}

/// The scene and camera to render.
#[derive(Clone, Copy)]
struct View<'a> {
    spheres: u32,
    scene: &'a PackedScene,
    camera: &'a Camera,
    options: &'a Options,
}

/// Measures everything. Each program first renders an untimed frame, which must be the image of its style.
///
/// # Errors
/// If the device fails, threads or memory are unavailable, or a program renders a different image.
pub fn reproduce(on: &Executor, options: &Options, progress: &dyn Progress) -> Result<RayTracerMeasurements, Failure> {
    let cpu = Executor::cpu();
    let (one_thread, threads) = (throng_core::thread_pool(1)?, throng_core::thread_pool(options.threads)?);
    let mut measurements = RayTracerMeasurements {
        options: options.clone(),
        device: label(on.device()),
        packed_s: Vec::new(),
        rows: Rows::default(),
        pictures: Vec::new(),
    };
    let programs = Program::ALL.len();
    progress.begin("ray tracer", Some((options.edges.len() * programs) as u64), "programs");
    for (i, &edge) in options.edges.iter().enumerate() {
        let (scene, camera) = lattice(edge);
        let spheres = scene.spheres.len() as u32;
        let since = Instant::now();
        let packed = threads.install(|| PackedScene::new(&scene))?;
        measurements.packed_s.push((spheres, since.elapsed().as_secs_f64()));
        let view = View { spheres, scene: &packed, camera: &camera, options };
        let of_style = |style| threads.install(|| picture(Program { style, tree: true }, view));
        let (paper, full) = (of_style(Style::Paper)?, of_style(Style::Full)?);
        for (j, program) in Program::ALL.into_iter().enumerate() {
            progress.at((i * programs + j) as u64, &format!("{spheres} spheres, {}", program.name()));
            let expected = match program.style {
                Style::Paper => &paper,
                Style::Full => &full,
            };
            for target in ExecutionTarget::ALL {
                let is_missing = match target {
                    ExecutionTarget::OneThread => false,
                    ExecutionTarget::Threads => options.threads == 1,
                    ExecutionTarget::Device => on.device().is_none(),
                };
                if is_missing || measurements.rows.is_too_slow((program, target), options.longest_s) {
                    continue;
                }
                let row = match target {
                    ExecutionTarget::OneThread => one_thread.install(|| row(&cpu, program, target, view, expected)),
                    ExecutionTarget::Threads => threads.install(|| row(&cpu, program, target, view, expected)),
                    ExecutionTarget::Device => row(on, program, target, view, expected),
                };
                measurements.rows.0.push(row?);
            }
        }
        measurements.pictures = vec![(Style::Paper, png(&paper, spheres)?), (Style::Full, png(&full, spheres)?)];
    }
    progress.end();
    Ok(measurements)
}

/// Renders an image on the threads of the current pool.
fn picture(program: Program, view: View<'_>) -> Result<Picture, Failure> {
    let settings = program.settings(view.options.size);
    let cpu = Executor::cpu();
    let mut drawer = drawer(&cpu, view.scene, &settings)?;
    drawer.add_samples(view.camera, 1)?;
    drawer.picture(settings.tone)
}

/// Renders the frames of a program, on a device or on the threads of the current pool.
fn row(
    on: &Executor,
    program: Program,
    target: ExecutionTarget,
    view: View<'_>,
    expected: &Picture,
) -> Result<Row<u32, (Program, ExecutionTarget), RenderMeasurement>, Failure> {
    let settings = program.settings(view.options.size);
    let mut drawer = drawer(on, view.scene, &settings)?;
    let mut frame = || {
        let since = Instant::now();
        drawer.clear()?;
        drawer.add_samples(view.camera, 1)?;
        drawer.wait()?;
        let drawn_s = since.elapsed().as_secs_f64();
        let picture = drawer.picture(settings.tone)?;
        Ok::<_, Failure>((drawn_s, since.elapsed().as_secs_f64(), picture))
    };
    let refused = |agreement: Agreement| {
        let Agreement { bytes, differing, greatest } = agreement;
        let what = format!("{}, {}", program.name(), target.name(view.options.threads));
        defect(format!("{what}: {differing} of {bytes} bytes of the image are wrong, by up to {greatest}"))
    };
    // A device compiles its kernels for the first frame.
    let (_, _, first) = frame()?;
    let agreement = Agreement::of(&first, expected);
    if !agreement.is_allowed(target) {
        return Err(refused(agreement));
    }
    let mut drawn = Vec::new();
    let since = Instant::now();
    let is_enough = |runs: &[f64]| since.elapsed().as_secs_f64() > MAX_PROGRAM_S && runs.len() >= MIN_RUNS;
    let times = repeated(view.options.frames, is_enough, || {
        let (drawn_s, whole_s, picture) = frame()?;
        drawn.push(drawn_s);
        if picture != first {
            return Err(refused(Agreement::of(&picture, &first)));
        }
        Ok(whole_s)
    })?;
    let figures = RenderMeasurement { drawn: Times::of(drawn), agreement };
    Ok(Row { case: view.spheres, program: (program, target), times, figures })
}

fn png(picture: &Picture, spheres: u32) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let title = ("Title".to_owned(), format!("{spheres} spheres on a lattice above a plane"));
    let written = picture.write_png(&mut bytes, &[title]);
    written
        .map_err(|error| Failure::resource(format!("an image as PNG: {error}"), "this is a defect of the program"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;

    use super::super::testing::small;
    use super::*;

    #[test]
    fn all_programs_draw_on_the_cpu() {
        let measurements = reproduce(&Executor::cpu(), &small(), &NoProgress).unwrap();
        let rows = &measurements.rows;
        assert_eq!(rows.len(), 2 * 4 * 2);
        assert!(rows.iter().all(|row| row.times.runs() == 2 && row.figures.agreement.differing == 0), "{rows:?}");
        assert!(rows.iter().all(|row| row.figures.drawn.median() <= row.times.median()));
        assert_eq!(measurements.pictures.len(), 2);
    }

    #[test]
    fn slow_programs_are_not_measured_with_more_spheres() {
        let options = Options { longest_s: 0.0, threads: 1, ..small() };
        let measurements = reproduce(&Executor::cpu(), &options, &NoProgress).unwrap();
        assert_eq!(measurements.rows.iter().filter(|row| row.case == 8).count(), 4);
        assert_eq!(measurements.rows.len(), 4);
    }

    #[test]
    fn devices_render_the_images_of_the_cpu() {
        for device in throng_testing_devices::devices() {
            let measurements = reproduce(&throng_device::Executor::from(device), &small(), &NoProgress).unwrap();
            let on_device: Vec<_> =
                measurements.rows.iter().filter(|row| row.program.1 == ExecutionTarget::Device).collect();
            assert_eq!(on_device.len(), 8);
            assert!(on_device.iter().all(|row| row.figures.agreement.greatest <= 1), "{on_device:?}");
        }
    }
}
