//! Scenes of tests.

#[allow(dead_code, reason = "not every test program has random scenes")]
pub mod random;

#[allow(unused_imports, reason = "not every test program needs all of them")]
pub use throng_render::scenes::{MEANS, NINE_PIXELS, all_shapes, three_spheres};

/// The largest difference of a channel.
#[allow(dead_code, reason = "not every test program compares colours")]
pub fn difference(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
}
