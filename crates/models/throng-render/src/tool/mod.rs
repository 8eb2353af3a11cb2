//! `throng render RUN`: images and animations of stored runs.

mod camera;
mod film;
mod kind;
mod options;
mod target;

use std::fmt::Write as _;
use std::path::PathBuf;

use throng_core::{InputError, Progress};
use throng_device::{Executor, Needs};
use throng_model::flags::Flag;
use throng_model::names::one_line;
use throng_model::nearby::check_run;
use throng_model::replay::StoredRun;
use throng_model::tool::{Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest};
use throng_model::{Catalogue, Failure, named_executor};
use throng_scene::{Camera, Recording, Rgb, TimeUnit};

use crate::scene_file::NAME;
use crate::{PackedScene, Picture, drawer};
use kind::TargetKind;
use options::RenderOptions;
use target::Target;

/// `throng render RUN`: images and animations of stored runs, of the models of a catalogue.
#[derive(Clone, Copy)]
pub struct Render {
    /// Returns the catalogue of models whose runs can be rendered.
    pub catalogue: fn() -> Catalogue,
}

const TIMES: &str = "Times";
const CAMERA: &str = "Camera";
const FILES: &str = "Files";
const DRAWING: &str = "Drawing";

const FLAGS: [Flag; 22] = [
    Flag::new("at", "TIME", "Time of the image, such as 08:00 or 120 [default: the time with most shapes]").under(TIMES),
    Flag::new(
        "every",
        "INTERVAL",
        "Render an animation or numbered images, one frame per interval: 10s, 5min, or a number of steps",
    )
    .under(TIMES),
    Flag::new("from", "TIME", "First frame [default: the start of the run]").under(TIMES),
    Flag::new("to", "TIME", "Last frame [default: the end of the run]").under(TIMES),
    Flag::switch("list", "Show the times and the colours of the run, and render nothing").under(TIMES),
    Flag::new("out", "FILE.png", "File of a single image [default: picture.png]").under(FILES),
    Flag::new("film", "FILE.png", "Write the frames as one animation (APNG), which browsers play").under(FILES),
    Flag::new("frames", "FOLDER", "Write the frames as numbered images, for a video encoder").under(FILES),
    Flag::new("fps", "N", "Frames of an animation per second, from 1 to 60 [default: 25]").under(FILES),
    Flag::switch("overwrite", "Replace files even if this command has not created them").under(FILES),
    Flag::new("colour", "NAME", "What to colour by; the default is the first that --list shows").under(DRAWING),
    Flag::new("width", "PIXELS", "Width of images in pixels [default: 1280]").under(DRAWING),
    Flag::new("height", "PIXELS", "Height of images in pixels [default: 720]").under(DRAWING),
    Flag::new("samples", "N", "Samples per pixel [default: 16]").under(DRAWING),
    Flag::new("bounces", "N", "Maximum number of mirrors on a path of light [default: 2]").under(DRAWING),
    Flag::new("seed", "N", "Seed of the positions of samples [default: 1]").under(DRAWING),
    Flag::new("device", "DEVICE", "auto, cpu, cuda:N, vulkan:N or host; without N the first one; images look the same [default: auto]").under(DRAWING),
    Flag::new("threads", "N", "Threads of the CPU [default: one for each core]").under(DRAWING),
    Flag::signed(
        "camera",
        "AZIMUTH,ELEVATION[,ZOOM]",
        "Direction from which the scene is seen, in degrees: 0 is from the south, 90 from the east; elevation 90 is from above",
    )
    .under(CAMERA),
    Flag::signed("eye", "X,Y,Z", "Position of the camera; y points up, and minus z is north").under(CAMERA),
    Flag::signed("target", "X,Y,Z", "The point in the middle of the image").under(CAMERA),
    Flag::new("vfov", "DEGREES", "Vertical angle of view").under(CAMERA),
];

impl Tool for Render {
    fn help(&self) -> ToolHelp {
        ToolHelp {
            command: "render",
            about_command: "Render images and animations of a stored run",
            name: None,
            about: "Render images and animations of a stored run",
            input: Some(ToolInput {
                name: "RUN",
                help: "The output folder of `throng run`",
                is_optional: false,
            }),
            flags: &FLAGS,
            more: "A ray tracer renders the images from the files of the run; nothing is simulated again. `throng view RUN` shows the same \
live. An image or animation from this command is replaced; another file of that name is refused.

Examples, after `throng run examples/city`:
  throng render output/city --list
      the times and colours of the run
  throng render output/city --at 08:00 --colour volume
      an image of traffic at eight o'clock, picture.png
  throng render output/city --from 07:00 --to 09:00 --every 5min --film morning.png --fps 10 --camera 30,50
      an animation of the morning, seen from the south-east",
        }
    }

    fn run(
        &self,
        request: &ToolRequest,
        terminal: &mut dyn Terminal,
        progress: &dyn Progress,
    ) -> Result<ToolEnd, Failure> {
        request.check(self)?;
        let folder = request.input.clone().unwrap_or_default();
        let catalogue = (self.catalogue)();
        check_run(&catalogue.models, "throng render", &folder)?;
        // The flags of files are checked before the run is read, which may take a while.
        let kind = TargetKind::read(&request.flags)?;
        if !request.flags.has("list") && !request.flags.has("overwrite") {
            kind.check_free()?;
        }
        let run = StoredRun::open(&folder)?;
        if run.model() == NAME {
            let remedy = "open picture.png in it; `throng view SCENE` shows the scene live";
            return Err(InputError::one(
                folder.display().to_string(),
                "is the run of a scene, whose image has already been rendered",
                remedy,
            )
            .into());
        }
        let replay = run.replay(&catalogue.models)?;
        let colourings = replay.colourings_of(&run);
        let colouring = options::colouring(&request.flags, &colourings)?;
        let recording = run.recording(replay, colouring)?;
        if request.flags.has("list") {
            terminal.print(&list(&*recording, &colourings, colouring))?;
            return Ok(ToolEnd::Done);
        }
        let options = RenderOptions::read(&request.flags, kind, &*recording)?;
        let named = named_executor(options.device, progress)?;
        let estimate = options.settings.estimate(options.times.len(), options.settings.samples);
        let suits_cpu = || estimate.suits_cpu(options.threads);
        let needs = Needs { suits_cpu: &suits_cpu, ..Needs::default() };
        let executor = named.map_or_else(|| Executor::choose(options.device, &needs), Ok)?;
        let threads = throng_core::thread_pool(options.threads)?;
        // This removes earlier images, so everything that can be checked in advance comes before it.
        let mut target = Target::open(&options)?;
        progress.begin("drawing", Some(options.times.len() as u64), "images");
        let mut hash = 0;
        for (i, &time) in options.times.iter().enumerate() {
            let drawn = threads.install(|| draw(&*recording, time, &options, &executor))?;
            hash = drawn.picture.hash();
            target.add(i, &drawn.picture, &texts(&run, &*recording, time, colouring, &options, drawn.scene_hash))?;
            progress.at(i as u64 + 1, &recording.times().text(time));
        }
        progress.end();
        let files = target.complete()?;
        terminal.summarise(&summary(&files, &*recording, &options, hash))?;
        Ok(ToolEnd::Done)
    }
}

/// A rendered image, and the hash of its scene.
struct DrawnScene {
    picture: Picture,
    scene_hash: u64,
}

/// Renders the image of a time.
fn draw(recording: &dyn Recording, time: f64, options: &RenderOptions, on: &Executor) -> Result<DrawnScene, Failure> {
    let packed = PackedScene::new(&recording.scene(time)?)?;
    let mut drawer = drawer(on, &packed, &options.settings)?;
    // One sample per launch, because drivers may kill kernels that run for seconds.
    for _ in 0..options.settings.samples {
        drawer.add_samples(&options.camera, 1)?;
    }
    Ok(DrawnScene { picture: drawer.picture(options.settings.tone)?, scene_hash: packed.hash() })
}

/// The text chunks of a PNG file, which describe the image.
fn texts(
    run: &StoredRun,
    recording: &dyn Recording,
    time: f64,
    colouring: &str,
    options: &RenderOptions,
    scene_hash: u64,
) -> Vec<(String, String)> {
    let RenderOptions { settings, camera: Camera { eye, target, vfov_deg, .. }, .. } = options;
    let text = |key: &str, text: String| (key.to_owned(), text);
    vec![
        text("Title", recording.title()),
        text("Software", concat!("throng ", env!("CARGO_PKG_VERSION")).to_owned()),
        text("Model", run.model().to_owned()),
        text("Scenario", run.scenario().to_owned()),
        text("Time", recording.times().text(time)),
        text("Colours", colouring.to_owned()),
        text("Camera", format!("eye {eye:?}, target {target:?}, vertical angle of view {vfov_deg} degrees")),
        text("Samples", format!("{} of each pixel, seed {}", settings.samples, settings.seed)),
        text("Bounces", settings.max_bounces.to_string()),
        text("Scene hash", format!("{scene_hash:016x}")),
    ]
}

/// A colour in sRGB, as `#rrggbb`.
fn hex(colour: Rgb) -> String {
    let bytes = crate::picture::Bytes::new();
    let [red, green, blue, _] = bytes.of_pixel(colour.map(|part| part as f32), 1, crate::Tone::Clamp);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn summary(files: &[PathBuf], recording: &dyn Recording, options: &RenderOptions, hash: u64) -> String {
    let (times, title) = (recording.times(), one_line(&recording.title()));
    let mut text = String::new();
    let shown = match (&options.kind, options.times.as_slice()) {
        (TargetKind::Picture(_), [time, ..]) => format!("{title} at {}", times.text(*time)),
        (_, all) => {
            let (first, last) = (all.first().copied().unwrap_or(0.0), all.last().copied().unwrap_or(0.0));
            format!("{title}, {} frames from {} to {}", all.len(), times.text(first), times.text(last))
        }
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "drawn        {shown}");
    for file in files {
        let _ = writeln!(text, "file         {}", one_line(&file.display().to_string()));
    }
    let _ = writeln!(text, "hash         {hash:016x}");
    for (colour, meaning) in recording.legend() {
        let _ = writeln!(text, "{}      {}", hex(colour), one_line(&meaning));
    }
    text
}

fn list(recording: &dyn Recording, colourings: &[(&str, &str)], shown: &str) -> String {
    let times = recording.times();
    let mut text = String::new();
    let _ = writeln!(text, "{}", one_line(&recording.title()));
    let _ = writeln!(text, "times        {} to {}", times.text(times.first), times.text(times.last));
    let step = match times.unit {
        TimeUnit::Steps(step) => format!("{} {step}{}", times.step, if times.step == 1.0 { "" } else { "s" }),
        TimeUnit::TimeOfDay | TimeUnit::Seconds => format!("{} s", times.step),
    };
    let _ = writeln!(text, "stored       every {step}");
    let _ = writeln!(text, "colours");
    for (name, meaning) in colourings {
        let _ = writeln!(text, "  {name:<10} {meaning}");
    }
    let _ = writeln!(text, "legend of {shown}");
    for (colour, meaning) in recording.legend() {
        let _ = writeln!(text, "  {}    {}", hex(colour), one_line(&meaning));
    }
    text
}
