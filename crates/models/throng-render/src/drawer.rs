//! Rendering on the CPU or a device.

#[cfg(feature = "gpu")]
use std::sync::Arc;

use throng_core::InputError;
use throng_device::{Device, DeviceError, Executor};
use throng_model::Failure;
use throng_scene::Camera;

use crate::settings::MAX_SAMPLES;
use crate::{Film, PackedScene, Picture, Settings, Tone};

/// An image that accumulates samples, on the CPU or on a device.
pub trait Drawer: Send + Sync {
    /// Number of samples per pixel so far.
    fn samples(&self) -> u32;

    /// Starts a new image of the same scene.
    ///
    /// # Errors
    /// When the device fails.
    fn clear(&mut self) -> Result<(), Failure>;

    /// Adds samples to each pixel.
    ///
    /// # Errors
    /// When the camera is invalid, there would be more than 2^20 samples per pixel, or the device fails.
    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure>;

    /// Adds samples to each pixel, and waits until they have been added. Cancels once `is_obsolete` returns true, and
    /// then returns false; the image is unusable until it is cleared. The CPU calls `is_obsolete` before each block of
    /// pixels, a device before each sample of all pixels.
    ///
    /// # Errors
    /// As for [`Drawer::add_samples`].
    fn add_samples_unless(
        &mut self,
        camera: &Camera,
        more: u32,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Failure>;

    /// The image of the samples so far.
    ///
    /// # Errors
    /// When there are no samples, memory cannot be allocated, or the device fails.
    fn picture(&self, tone: Tone) -> Result<Picture, Failure>;

    /// The sums of the samples of all pixels, row after row: linear red, green and blue.
    ///
    /// # Errors
    /// When the device fails.
    fn sums(&self) -> Result<Vec<[f32; 3]>, Failure>;

    /// Waits until all samples have been added.
    ///
    /// # Errors
    /// When the device fails.
    fn wait(&self) -> Result<(), Failure>;
}

/// Creates a [`Drawer`] of a scene, on a device or, for each call, on the threads of the caller's pool. A device keeps
/// the tables of the [`PackedScene`] for later drawers.
///
/// # Errors
/// When [`Settings::check`] fails, there is too little memory, or the device cannot be used.
pub fn drawer(on: &Executor, scene: &PackedScene, settings: &Settings) -> Result<Box<dyn Drawer>, Failure> {
    let Some(device) = on.shared_device() else {
        let film = Film::new(settings)?;
        return Ok(Box::new(CpuDrawer { film, scene: scene.clone(), settings: *settings }));
    };
    settings.check()?;
    throng_device::with_kernels!("render", device, |device| {
        let film = crate::gpu::DeviceFilm::new(Arc::clone(device), scene, settings)?;
        Ok::<Box<dyn Drawer>, Failure>(Box::new(film))
    })
}

/// Compiles the kernels of images with these settings by rendering a pixel, so that a first image does not take longer
/// than later ones. May take seconds.
///
/// # Errors
/// When a kernel cannot be compiled, or the device fails.
#[cfg_attr(not(feature = "gpu"), expect(unused_variables, reason = "there are no kernels"))]
pub fn compile_kernels(device: &Device, scene: &PackedScene, settings: &Settings) -> Result<(), DeviceError> {
    throng_device::with_kernels!("render", device, |device| crate::gpu::compile(device, scene, settings))
}

/// Whether images rendered on a device and on the CPU are equal, bit for bit. They are equal if the device rounds
/// quotients and square roots correctly, as CUDA and Mesa's software renderer do. NVIDIA's Vulkan driver uses faster
/// approximations; bytes may then differ by 1, and by more where a pixel sees an edge.
///
/// # Errors
/// When the device fails.
pub fn has_bits_of_the_cpu(device: &Device) -> Result<bool, Failure> {
    throng_device::with_kernels!("render", device, |device| {
        Ok::<bool, Failure>(crate::gpu::is_that_of_the_cpu(device)?)
    })
}

fn check_samples(camera: &Camera, samples: u32, more: u32) -> Result<(), InputError> {
    camera.check()?;
    match samples.checked_add(more) {
        Some(all) if all <= MAX_SAMPLES => Ok(()),
        _ => Err(InputError::one("samples", format!("{samples} and {more} more"), format!("add up to {MAX_SAMPLES}"))),
    }
}

fn refuse_no_samples(samples: u32) -> Result<(), InputError> {
    if samples > 0 { Ok(()) } else { Err(InputError::one("samples", "0", "add samples before taking the image")) }
}

struct CpuDrawer {
    film: Film,
    scene: PackedScene,
    settings: Settings,
}

impl Drawer for CpuDrawer {
    fn samples(&self) -> u32 {
        self.film.samples()
    }

    fn clear(&mut self) -> Result<(), Failure> {
        self.film.clear();
        Ok(())
    }

    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure> {
        self.add_samples_unless(camera, more, &|| false).map(|_| ())
    }

    fn add_samples_unless(
        &mut self,
        camera: &Camera,
        more: u32,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Failure> {
        check_samples(camera, self.film.samples(), more)?;
        Ok(self.film.add_samples_unless(&self.scene, camera, &self.settings, more, is_obsolete))
    }

    fn picture(&self, tone: Tone) -> Result<Picture, Failure> {
        refuse_no_samples(self.film.samples())?;
        Ok(self.film.picture(tone)?)
    }

    fn sums(&self) -> Result<Vec<[f32; 3]>, Failure> {
        Ok(self.film.sums().collect())
    }

    fn wait(&self) -> Result<(), Failure> {
        Ok(())
    }
}

#[cfg(feature = "gpu")]
impl Drawer for crate::gpu::DeviceFilm<Arc<Device>> {
    fn samples(&self) -> u32 {
        self.samples()
    }

    fn clear(&mut self) -> Result<(), Failure> {
        Ok(self.clear()?)
    }

    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure> {
        check_samples(camera, self.samples(), more)?;
        Ok(self.add_samples(camera, more)?)
    }

    fn add_samples_unless(
        &mut self,
        camera: &Camera,
        more: u32,
        is_obsolete: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Failure> {
        check_samples(camera, self.samples(), more)?;
        for _ in 0..more {
            if is_obsolete() {
                return Ok(false);
            }
            self.add_samples(camera, 1)?;
            self.wait()?;
        }
        Ok(true)
    }

    fn picture(&self, tone: Tone) -> Result<Picture, Failure> {
        refuse_no_samples(self.samples())?;
        Ok(self.picture(tone)?)
    }

    fn sums(&self) -> Result<Vec<[f32; 3]>, Failure> {
        Ok(self.sums()?)
    }

    fn wait(&self) -> Result<(), Failure> {
        Ok(self.wait()?)
    }
}
