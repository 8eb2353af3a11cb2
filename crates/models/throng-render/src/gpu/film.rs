//! Sums of samples on a device.

use std::ops::Deref;

use throng_device::loops::CUT_LOOPS;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_scene::Camera;

use super::kernels::{self, Drawing, EDGE, Variant};
use super::tables::SceneTablesBuffers;
use crate::lens::lens;
use crate::picture::THRESHOLDS;
use crate::{PackedScene, Picture, Settings, Tone};

/// Units of a cube: four blocks of pixels.
const UNITS: u32 = 256;
/// Bytes of new buffers after which the memory of dropped buffers is returned to the driver.
const RELEASE_BYTES: u64 = 256 << 20;

/// An image that accumulates samples on a device, which is borrowed or shared.
pub(crate) struct DeviceFilm<D> {
    device: D,
    scene: SceneTablesBuffers,
    /// The drawing's parameters except the camera and the range of samples.
    drawing: Drawing,
    variant: Variant,
    samples: u32,
    sums: Buffer<f32>,
    thresholds: Buffer<f32>,
    bytes: Buffer<u32>,
    cut: Buffer<u32>,
}

impl<D: Deref<Target = Device>> DeviceFilm<D> {
    /// Creates a film without samples. The settings must have been checked. The scene is only copied to the device if
    /// its most recent film was on another one.
    pub fn new(device: D, scene: &PackedScene, settings: &Settings) -> Result<Self, DeviceError> {
        let allocated_before = device.ledger().allocated_bytes;
        let pixels = settings.width as usize * settings.height as usize;
        let what = "images";
        let mut film = Self {
            scene: scene.on_device.tables(&device, scene)?,
            drawing: drawing(scene, settings),
            variant: Variant { style: settings.style, tree: settings.tree, random: settings.samples > 1 },
            samples: 0,
            sums: device.empty("sums of samples", 4 * pixels)?,
            thresholds: device.upload(what, &*THRESHOLDS)?,
            bytes: device.empty(what, pixels)?,
            cut: device.upload(what, &[0])?,
            device,
        };
        film.clear()?;
        // Memory of a large buffer is only reused for one of the same size, but scenes and windows have many sizes.
        if allocated_before / RELEASE_BYTES < film.device.ledger().allocated_bytes / RELEASE_BYTES {
            film.device.release_unused()?;
        }
        Ok(film)
    }

    /// The scene that is rendered.
    pub fn scene(&self) -> &SceneTablesBuffers {
        &self.scene
    }

    /// Number of samples per pixel so far.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Number of planes in the scene.
    pub fn planes(&self) -> u32 {
        self.drawing.planes
    }

    /// Replaces the scene with one that has the same numbers of shapes, planes and lamps.
    pub fn set_scene(&mut self, scene: SceneTablesBuffers) {
        self.scene = scene;
    }

    /// Sets the cube around the shapes of a moving scene.
    pub fn set_room(&mut self, [x, y, z]: [f32; 3], radius: f32) {
        let drawing = &mut self.drawing;
        (drawing.center_x, drawing.center_y, drawing.center_z, drawing.radius) = (x, y, z, radius);
    }

    /// Starts a new image of the same scene.
    pub fn clear(&mut self) -> Result<(), DeviceError> {
        self.samples = 0;
        let (sums, pixels) = (&self.sums, self.bytes.len());
        self.device.launch("clearing", pixels, |client, cubes, dim| {
            kernels::clear::launch(client, cubes, dim, sums.arg(), pixels as u32);
        })
    }

    /// Adds samples to each pixel.
    pub fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), DeviceError> {
        let (width, height) = (self.drawing.width, self.drawing.height);
        let end = self.samples + more;
        let drawing = Drawing { lens: lens(camera, width, height), first: self.samples, end, ..self.drawing };
        let blocks = width.div_ceil(EDGE) as usize * height.div_ceil(EDGE) as usize;
        let cubes = (blocks * (EDGE * EDGE) as usize).div_ceil(UNITS as usize) as u32;
        self.device.launch_cubes("tracing", cubes, UNITS, |client, cubes, dim| {
            // SAFETY: each unit reads and writes only the sum of its own pixel, if that is in the image. Indices of
            // nodes and slots come from a tree that the host or `MovingScene` has built. Indices of samples are in
            // records that only `PackedScene` creates, and are below 2^24, so floats represent them exactly. A
            // traversal stores at most one node per level of the tree: the host builds at most MAX_LEVELS levels, and
            // `MovingScene` at most one for each of 30 bits of a code and 26 bits of an index.
            #[allow(unsafe_code)]
            unsafe {
                kernels::add_samples::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    self.scene.arg(),
                    drawing.arg(),
                    self.sums.arg(),
                    self.cut.arg(),
                    self.variant,
                );
            }
        })?;
        self.samples = end;
        Ok(())
    }

    /// Computes the bytes of the image, on the device.
    pub fn develop(&self, tone: Tone) -> Result<(), DeviceError> {
        let pixels = self.bytes.len();
        let exposed = kernels::ExposedBuffers { sums: &self.sums, thresholds: &self.thresholds };
        self.device.launch("developing", pixels, |client, cubes, dim| {
            // SAFETY: each unit reads the sum and writes the bytes of its own pixel, if there is one. There are 255
            // thresholds, and the search reads indices 0 to 254.
            #[allow(unsafe_code)]
            unsafe {
                kernels::develop::launch_unchecked(
                    client,
                    cubes,
                    dim,
                    exposed.arg(),
                    self.bytes.arg(),
                    pixels as u32,
                    self.samples as f32,
                    self.drawing.zero,
                    tone,
                );
            }
        })
    }

    /// The image of the samples so far.
    pub fn picture(&self, tone: Tone) -> Result<Picture, DeviceError> {
        self.develop(tone)?;
        let rgba = self.device.read_later(&self.bytes)?.wait_with(|words| bytemuck::cast_slice(words).to_vec())?;
        self.check_loops()?;
        Ok(Picture::new(self.drawing.width, self.drawing.height, rgba))
    }

    /// The sums of the samples of all pixels, row after row.
    pub fn sums(&self) -> Result<Vec<[f32; 3]>, DeviceError> {
        let sums = self.device.read(&self.sums)?;
        self.check_loops()?;
        Ok(sums.chunks_exact(4).map(|sum| [sum[0], sum[1], sum[2]]).collect())
    }

    /// Waits until all samples have been added.
    pub fn wait(&self) -> Result<(), DeviceError> {
        self.device.synchronize("tracing")
    }

    /// Returns an error if the driver ended loops early.
    fn check_loops(&self) -> Result<(), DeviceError> {
        let cut = self.device.read(&self.cut)?;
        if cut[0] == 0 { Ok(()) } else { Err(self.device.lost("tracing", CUT_LOOPS)) }
    }
}

/// Draws a pixel with one and with several samples, which compiles all kernels of images with these settings.
pub(crate) fn compile(device: &Device, scene: &PackedScene, settings: &Settings) -> Result<(), DeviceError> {
    for samples in [1, 2] {
        let mut film = DeviceFilm::new(device, scene, &Settings { width: 1, height: 1, samples, ..*settings })?;
        film.add_samples(&Camera::default(), samples)?;
        film.picture(settings.tone)?;
    }
    Ok(())
}

fn drawing(scene: &PackedScene, settings: &Settings) -> Drawing {
    let [background_red, background_green, background_blue] = scene.background;
    let [ambient_red, ambient_green, ambient_blue] = scene.ambient;
    let [center_x, center_y, center_z] = scene.center;
    let seed = settings.seed as u64;
    Drawing {
        lens: crate::rules::camera::Lens::default(),
        background_red,
        background_green,
        background_blue,
        ambient_red,
        ambient_green,
        ambient_blue,
        center_x,
        center_y,
        center_z,
        radius: scene.radius,
        shapes: scene.records.len() as u32,
        planes: scene.planes.len() as u32,
        lights: scene.lights.len() as u32,
        width: settings.width,
        height: settings.height,
        first: 0,
        end: 0,
        seed_low: seed as u32,
        seed_high: (seed >> 32) as u32,
        max_bounces: settings.most_bounces(),
        zero: -0.0,
        loop_probe: 2,
    }
}
