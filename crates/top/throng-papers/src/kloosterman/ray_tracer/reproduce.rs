//! All programs in all places, in one run.

use std::time::Instant;

use throng_core::Progress;
use throng_device::Device;
use throng_model::Failure;
use throng_render::{PackedScene, Picture, Style, drawer, lattice};
use throng_scene::Camera;

use super::super::median::median;
use super::agreement::Agreement;
use super::program::{Place, Program};
use super::published;

/// Seconds after which no further frame of a program is drawn.
const LONGEST_PROGRAM_S: f64 = 10.0;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Spheres along an edge of each lattice, ascending.
    pub edges: Vec<u32>,
    /// Width and height of pictures, pixels.
    pub size: u32,
    /// Frames of each program, at least one; the median counts.
    pub frames: usize,
    /// A program with slower frames is not measured with more spheres, seconds.
    pub longest_s: f64,
    /// Threads of the CPU.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { edges: vec![6, 10], size: published::SIZE, frames: 20, longest_s: 120.0, threads: 1 }
    }
}

/// A measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Spheres of the scene.
    pub spheres: u32,
    /// By which program.
    pub program: Program,
    /// Where.
    pub place: Place,
    /// Seconds until each frame was drawn, ascending; on a device, those of the kernels.
    pub drawn_s: Vec<f64>,
    /// Seconds until the bytes of each frame were on the host, ascending.
    pub whole_s: Vec<f64>,
    /// How far its picture is that of the tree on the CPU.
    pub agreement: Agreement,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// What was asked for.
    pub options: Options,
    /// Id and name of the device, where there is one.
    pub device: Option<String>,
    /// Seconds to pack a scene and to build its tree, by its spheres.
    pub packed_s: Vec<(u32, f64)>,
    /// Scene by scene.
    pub rows: Vec<Row>,
    /// The largest scene in both styles, as PNG.
    pub pictures: Vec<(Style, Vec<u8>)>,
}

impl Measurements {
    /// The measurement of a program with so many spheres.
    pub fn row(&self, spheres: u32, program: Program, place: Place) -> Option<&Row> {
        self.rows.iter().find(|row| (row.spheres, row.program, row.place) == (spheres, program, place))
    }

    /// The median until a frame is drawn, seconds.
    pub fn drawn_s(&self, spheres: u32, program: Program, place: Place) -> Option<f64> {
        Some(median(&self.row(spheres, program, place)?.drawn_s))
    }

    /// Frames in a second, each with its bytes on the host.
    pub fn frames_per_second(&self, spheres: u32, program: Program, place: Place) -> Option<f64> {
        Some(1.0 / median(&self.row(spheres, program, place)?.whole_s))
    }
}

/// What is drawn.
#[derive(Clone, Copy)]
struct View<'a> {
    spheres: u32,
    scene: &'a PackedScene,
    camera: &'a Camera,
    options: &'a Options,
}

/// Draws everything. Each program first draws a frame that is not timed and must be the picture of its style.
///
/// # Errors
/// When the device fails, threads or memory are refused, or a program draws another picture.
pub fn reproduce(device: Option<&Device>, options: &Options, progress: &dyn Progress) -> Result<Measurements, Failure> {
    let (one_thread, threads) = (throng_core::thread_pool(1)?, throng_core::thread_pool(options.threads)?);
    let mut measurements = Measurements {
        options: options.clone(),
        device: device.map(|device| device.info().label()),
        packed_s: Vec::new(),
        rows: Vec::new(),
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
            for place in Place::ALL {
                let is_too_slow = |row: &Row| {
                    (row.program, row.place) == (program, place) && median(&row.whole_s) > options.longest_s
                };
                let is_missing = match place {
                    Place::OneThread => false,
                    Place::Threads => options.threads == 1,
                    Place::Device => device.is_none(),
                };
                if is_missing || measurements.rows.iter().any(is_too_slow) {
                    continue;
                }
                let row = match place {
                    Place::OneThread => one_thread.install(|| row(None, program, place, view, expected)),
                    Place::Threads => threads.install(|| row(None, program, place, view, expected)),
                    Place::Device => row(device, program, place, view, expected),
                };
                measurements.rows.push(row?);
            }
        }
        measurements.pictures = vec![(Style::Paper, png(&paper, spheres)?), (Style::Full, png(&full, spheres)?)];
    }
    progress.end();
    Ok(measurements)
}

/// A picture on the threads of the current pool.
fn picture(program: Program, view: View<'_>) -> Result<Picture, Failure> {
    let settings = program.settings(view.options.size);
    let mut drawer = drawer(None, view.scene, &settings)?;
    drawer.add_samples(view.camera, 1)?;
    drawer.picture(settings.tone)
}

/// The frames of a program, on a device or on the threads of the current pool.
fn row(
    device: Option<&Device>,
    program: Program,
    place: Place,
    view: View<'_>,
    expected: &Picture,
) -> Result<Row, Failure> {
    let settings = program.settings(view.options.size);
    let mut drawer = drawer(device, view.scene, &settings)?;
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
        let what = format!("{}, {}", program.name(), place.name(view.options.threads));
        let message = format!("{what}: {differing} of {bytes} bytes of the picture are wrong, by up to {greatest}");
        Failure::resource(message, "this is a defect of the program or of the device")
    };
    // A device compiles its kernels for the first frame.
    let (_, _, first) = frame()?;
    let agreement = Agreement::of(&first, expected);
    if !agreement.is_allowed(place) {
        return Err(refused(agreement));
    }
    let (mut drawn, mut whole) = (Vec::new(), Vec::new());
    let since = Instant::now();
    while whole.len() < view.options.frames.max(1) {
        let (drawn_s, whole_s, picture) = frame()?;
        drawn.push(drawn_s);
        whole.push(whole_s);
        if picture != first {
            return Err(refused(Agreement::of(&picture, &first)));
        }
        if since.elapsed().as_secs_f64() > LONGEST_PROGRAM_S {
            break;
        }
    }
    drawn.sort_by(f64::total_cmp);
    whole.sort_by(f64::total_cmp);
    Ok(Row { spheres: view.spheres, program, place, drawn_s: drawn, whole_s: whole, agreement })
}

fn png(picture: &Picture, spheres: u32) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let title = ("Title".to_owned(), format!("{spheres} spheres on a lattice above a plane"));
    let written = picture.write_png(&mut bytes, &[title]);
    written
        .map_err(|error| Failure::resource(format!("a picture as PNG: {error}"), "this is a defect of the program"))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;

    use super::super::testing::small;
    use super::*;

    #[test]
    fn all_programs_draw_on_the_cpu() {
        let measurements = reproduce(None, &small(), &NoProgress).unwrap();
        let rows = &measurements.rows;
        assert_eq!(rows.len(), 2 * 4 * 2);
        assert!(rows.iter().all(|row| row.drawn_s.len() == 2 && row.agreement.differing == 0), "{rows:?}");
        assert!(rows.iter().all(|row| median(&row.drawn_s) <= median(&row.whole_s)));
        assert_eq!(measurements.pictures.len(), 2);
    }

    #[test]
    fn slow_programs_are_not_measured_with_more_spheres() {
        let options = Options { longest_s: 0.0, threads: 1, ..small() };
        let measurements = reproduce(None, &options, &NoProgress).unwrap();
        assert_eq!(measurements.rows.iter().filter(|row| row.spheres == 8).count(), 4);
        assert_eq!(measurements.rows.len(), 4);
    }

    #[test]
    fn devices_draw_the_pictures_of_the_cpu() {
        for device in throng_testing_devices::devices() {
            let measurements = reproduce(Some(device), &small(), &NoProgress).unwrap();
            let on_device: Vec<&Row> = measurements.rows.iter().filter(|row| row.place == Place::Device).collect();
            assert_eq!(on_device.len(), 8);
            assert!(on_device.iter().all(|row| row.agreement.greatest <= 1), "{on_device:?}");
        }
    }
}
