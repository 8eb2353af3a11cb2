//! What the paper prints. Its processors are an Intel Core i7-3770K and an AMD Radeon 7970; it says neither how many threads
//! the CPU had, nor where spheres, camera and light were.

/// Width and height of its pictures, pixels.
pub const SIZE: u32 = 700;

/// A speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Spheres of the scene, above one plane.
    pub spheres: u32,
    /// Which processor drew.
    pub processor: &'static str,
    /// Seconds of a frame, where they are printed.
    pub seconds: Option<f64>,
    /// Frames in a second.
    pub frames_per_second: f64,
}

/// 1,000 spheres on the CPU.
pub const CPU: Speed =
    Speed { spheres: 1000, processor: "Intel Core i7-3770K", seconds: Some(1.28), frames_per_second: 0.78 };

/// 1,000 spheres on the GPU.
pub const GPU: Speed =
    Speed { spheres: 1000, processor: "AMD Radeon 7970", seconds: Some(0.055), frames_per_second: 18.0 };

/// 216 spheres on the GPU. The 60 frames may be the limit of its display.
pub const GPU_SMALL: Speed = Speed { spheres: 216, seconds: None, frames_per_second: 60.0, ..GPU };

/// All of them.
pub const SPEEDS: [Speed; 3] = [GPU_SMALL, CPU, GPU];
