//! The ray tracer of the project: spheres and planes, a thread for each pixel, and every shape tested by every ray.
//!
//! **The paper's** is the style: light of lamps without shadows, and mirrors that show only the ambient colour of the next
//! shape. **Throng's** are the scene, since the paper publishes none, and the program (`throng_render`), which draws both
//! this style and its own, with a tree and without one.

mod agreement;
mod program;
mod published;
mod report;
mod reproduce;
mod statements;
mod table;
#[cfg(test)]
mod testing;
mod verification;

pub use agreement::Agreement;
pub use program::{Place, Program};
pub use report::{NAMES, files, text};
pub(super) use reproduce::FLAGS;
pub use reproduce::{Drawn, Options, RayTracerMeasurements, reproduce};
pub(super) use verification::CASE;
