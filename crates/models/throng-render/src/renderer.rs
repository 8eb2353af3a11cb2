//! Images of a scene, on any executor.

use throng_device::{Executor, Needs, On};
use throng_model::Failure;
use throng_scene::{Camera, Scene};

use crate::{Drawer, PackedScene, Picture, Settings, drawer};

/// Renders images of a scene, on the threads of the CPU or on a device. See
/// [`has_bits_of_the_cpu`](crate::has_bits_of_the_cpu) for the devices whose images equal the images of the CPU.
///
/// ```
/// use throng_device::DeviceChoice;
/// use throng_render::Renderer;
/// use throng_scene::{Camera, Light, Scene, Sphere};
///
/// let scene = Scene {
///     lights: vec![Light { position: [3.0, 5.0, 4.0], ..Light::default() }],
///     spheres: vec![Sphere { center: [0.0, 0.8, 0.0], ..Sphere::default() }],
///     ..Scene::default()
/// };
/// let renderer = Renderer::builder(&scene).size(33, 17).samples(4).on(DeviceChoice::Auto).build()?;
/// let picture = renderer.render(&Camera::default())?;
/// // The sky at the edge, the sphere in the middle.
/// assert_ne!(picture.pixel(0, 0), picture.pixel(16, 8));
/// # Ok::<(), throng_model::Failure>(())
/// ```
#[derive(Debug)]
pub struct Renderer {
    executor: Executor,
    scene: PackedScene,
    settings: Settings,
}

impl Renderer {
    /// Starts building a renderer of a scene.
    pub fn builder(scene: &Scene) -> RendererBuilder<'_> {
        RendererBuilder { scene, settings: Settings::default(), on: On::default() }
    }

    /// The executor, with the reason for an automatic choice.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// Renders an image with all samples of the settings.
    ///
    /// # Errors
    /// If the camera is invalid, there is too little memory, or the device fails.
    pub fn render(&self, camera: &Camera) -> Result<Picture, Failure> {
        camera.check()?;
        let mut drawer = self.drawer()?;
        drawer.add_samples(camera, self.settings.samples)?;
        drawer.picture(self.settings.tone)
    }

    /// Starts an image that accumulates samples step by step.
    ///
    /// # Errors
    /// If there is too little memory, or the device fails.
    pub fn drawer(&self) -> Result<Box<dyn Drawer>, Failure> {
        drawer(&self.executor, &self.scene, &self.settings)
    }
}

/// Builds a [`Renderer`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct RendererBuilder<'s> {
    scene: &'s Scene,
    settings: Settings,
    on: On,
}

impl RendererBuilder<'_> {
    /// Sets width and height of images, pixels.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        (self.settings.width, self.settings.height) = (width, height);
        self
    }

    /// Sets the number of samples per pixel.
    pub fn samples(mut self, samples: u32) -> Self {
        self.settings.samples = samples;
        self
    }

    /// Sets all settings.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Sets the executor: a [`DeviceChoice`](throng_device::DeviceChoice), or an [`Executor`] that is shared with other
    /// simulations. The default is the fastest GPU, or the CPU if there is none or the image is small.
    pub fn on(self, on: impl Into<On>) -> Self {
        Self { on: on.into(), ..self }
    }

    /// Builds the renderer: checks scene and settings, and builds the tree over the shapes.
    ///
    /// # Errors
    /// All invalid values of the scene, values that [`Settings::check`] rejects, too little memory, or a device that
    /// cannot be opened.
    pub fn build(self) -> Result<Renderer, Failure> {
        let Self { scene, settings, on } = self;
        settings.check()?;
        let scene = PackedScene::new(scene)?;
        let suits_cpu = || settings.estimate(1, settings.samples).suits_cpu(rayon::current_num_threads());
        let executor = on.executor(&Needs { suits_cpu: &suits_cpu, ..Needs::default() })?;
        Ok(Renderer { executor, scene, settings })
    }
}
