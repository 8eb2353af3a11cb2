//! Shared functions of the tests.

pub mod random;

pub use throng_render::scenes::{MEANS, NINE_PIXELS, all_shapes, three_spheres};

/// The largest difference of a channel.
pub fn difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
}
