//! The paper's results, on an Intel Core i7-3770K and an AMD Radeon 7970. It gives neither the number of CPU threads
//! nor the positions of camera and light.

/// Width and height of its images, pixels.
pub const SIZE: u32 = 700;

/// A published speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Number of spheres in the scene, above one plane.
    pub spheres: u32,
    /// The processor that rendered.
    pub processor: &'static str,
    /// Seconds per frame; `None` if not printed.
    pub seconds: Option<f64>,
    /// Frames per second.
    pub frames_per_second: f64,
}

/// 1,000 spheres on the CPU.
pub const CPU: Speed =
    Speed { spheres: 1000, processor: "Intel Core i7-3770K", seconds: Some(1.28), frames_per_second: 0.78 };

/// 1,000 spheres on the GPU.
pub const GPU: Speed =
    Speed { spheres: 1000, processor: "AMD Radeon 7970", seconds: Some(0.055), frames_per_second: 18.0 };

/// 216 spheres on the GPU. The 60 frames per second may be the limit of the display.
pub const GPU_SMALL: Speed = Speed { spheres: 216, seconds: None, frames_per_second: 60.0, ..GPU };

/// All published speeds.
pub const SPEEDS: [Speed; 3] = [GPU_SMALL, CPU, GPU];
