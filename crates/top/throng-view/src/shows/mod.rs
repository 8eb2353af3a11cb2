//! Throng's shows: scene files and stored runs, drawn by the ray tracer.

mod engine;
mod pace;
mod refining;
mod run;
mod scene;

pub use run::RunShow;
pub use scene::SceneShow;
