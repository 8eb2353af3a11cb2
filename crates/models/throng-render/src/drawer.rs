//! Rendering on the CPU or a device.

use throng_core::InputError;
use throng_device::{Device, Executor};
use throng_model::Failure;
use throng_scene::Camera;

use crate::settings::MAX_SAMPLES;
use crate::{Film, PackedScene, Picture, Settings, Tone};

/// An image that accumulates samples, on the CPU or on a device.
pub trait Drawer {
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

/// Creates a [`Drawer`] of a scene, on a device or on the threads of the current pool.
///
/// # Errors
/// When [`Settings::check`] fails, there is too little memory, or the device cannot be used.
pub fn drawer<'a>(
    on: &'a Executor,
    scene: &'a PackedScene,
    settings: &'a Settings,
) -> Result<Box<dyn Drawer + 'a>, Failure> {
    let Some(device) = on.device() else {
        return Ok(Box::new(CpuDrawer { film: Film::new(settings)?, scene, settings }));
    };
    settings.check()?;
    throng_device::with_kernels!("render", device, |device| {
        let film = crate::gpu::DeviceFilm::new(device, scene, settings)?;
        Ok::<Box<dyn Drawer + 'a>, Failure>(Box::new(film))
    })
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

struct CpuDrawer<'a> {
    film: Film,
    scene: &'a PackedScene,
    settings: &'a Settings,
}

impl Drawer for CpuDrawer<'_> {
    fn clear(&mut self) -> Result<(), Failure> {
        self.film.clear();
        Ok(())
    }

    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure> {
        check_samples(camera, self.film.samples(), more)?;
        self.film.add_samples(self.scene, camera, self.settings, more);
        Ok(())
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
impl Drawer for crate::gpu::DeviceFilm<'_> {
    fn clear(&mut self) -> Result<(), Failure> {
        Ok(self.clear()?)
    }

    fn add_samples(&mut self, camera: &Camera, more: u32) -> Result<(), Failure> {
        check_samples(camera, self.samples(), more)?;
        Ok(self.add_samples(camera, more)?)
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
