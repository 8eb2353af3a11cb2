//! The ray tracer of the project: spheres and planes, one thread per pixel, and every ray tested against every shape.
//!
//! The **paper** defines the style: lamps with shadows, as in its figures, and mirrors that show only the ambient
//! colour of the next shape. The positions of the spheres are those of the author's program. **Throng** provides the
//! camera and the lamp, which are unknown, and the program (`throng_render`), which renders both this style and its
//! own, with or without a tree.

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
pub use program::{ExecutionTarget, Program};
pub use report::{NAMES, files, text};
pub(super) use reproduce::FLAGS;
pub use reproduce::{Options, RayTracerMeasurements, RenderMeasurement, reproduce};
pub(crate) use statements::statements;
pub(super) use verification::CASE;
