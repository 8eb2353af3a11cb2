//! Converts a camera to pixel directions.

use throng_scene::{Camera, Point, cross, difference, normalized, scaled};

use crate::packed::single;
use crate::rules::camera::Lens;

/// The axes of a camera: the forward direction, and the vectors from the middle of the image plane at distance 1 to its
/// right and upper edges.
pub(crate) fn axes(camera: &Camera, aspect: f64) -> [Point; 3] {
    let forward = normalized(difference(camera.target, camera.eye));
    let right = normalized(cross(forward, camera.up));
    let up = cross(right, forward);
    let half_height = libm::tan(camera.vfov_deg.to_radians() / 2.0);
    [forward, scaled(right, half_height * aspect), scaled(up, half_height)]
}

/// The lens of a camera, in the form that the rules use.
pub(crate) fn lens(camera: &Camera, width: u32, height: u32) -> Lens {
    let (width, height) = (f64::from(width), f64::from(height));
    let [forward, right, up] = axes(camera, width / height).map(single);
    let [eye_x, eye_y, eye_z] = single(camera.eye);
    let [forward_x, forward_y, forward_z] = forward;
    let [right_x, right_y, right_z] = right;
    let [up_x, up_y, up_z] = up;
    let (pixel_width, pixel_height) = ((2.0 / width) as f32, (2.0 / height) as f32);
    Lens {
        eye_x,
        eye_y,
        eye_z,
        forward_x,
        forward_y,
        forward_z,
        right_x,
        right_y,
        right_z,
        up_x,
        up_y,
        up_z,
        pixel_width,
        pixel_height,
    }
}
