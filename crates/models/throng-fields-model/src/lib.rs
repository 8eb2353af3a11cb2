//! Simulations of fields: the model behind `throng run examples/fields`.
//!
//! * [`FieldsModel`] is the model, and [`run`](fn@run) runs a [`Scenario`] and writes tables, arrays, an animation and
//!   a report.
//! * A [`Simulation`] executes only the steps, for programs that need the state.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]

mod model;
mod replay;
mod results;
mod run;
mod simulation;
mod workload;

pub use model::FieldsModel;
pub use run::{FieldsRun, Results, Summary, run};
pub use simulation::{GroupCounts, Simulation, StepSummary};
pub use throng_core::Change;
pub use throng_fields_scenario::Scenario;
pub use throng_fields_scenario::schema;
pub use throng_fields_scenario::template;
