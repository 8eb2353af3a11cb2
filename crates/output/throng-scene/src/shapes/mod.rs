//! The shapes of scenes. Each has an albedo, its colour in white light, and a reflectance, the fraction of light that
//! it reflects as a mirror.

mod capsule;
mod height_field;
mod oriented_box;
mod plane;
mod sphere;

pub use capsule::Capsule;
pub use height_field::HeightField;
pub use oriented_box::OrientedBox;
pub use plane::Plane;
pub use sphere::Sphere;

/// Default albedo of shapes, a medium grey.
const GREY: [f64; 3] = [0.7; 3];
