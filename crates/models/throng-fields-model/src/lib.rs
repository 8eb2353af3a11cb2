//! Simulations of fields: entities, influence and agents that a [`Scenario`] describes. This is the model behind
//! `throng run examples/fields`.
//!
//! * [`FieldsModel`] is the model, for lists of models.
//! * [`run`](fn@run) runs a scenario, and writes tables, arrays, an animation and a report.
//! * [`Simulation`] executes only the steps, for programs that need the state.
//!
//! ```
//! use throng_device::{DeviceChoice, Executor};
//! use throng_fields_model::{Scenario, Simulation};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))?;
//! let scenario = Scenario::read("examples/fields/scenario.toml".as_ref(), &[])?;
//! let executor = Executor::open(DeviceChoice::Auto)?;
//! let mut simulation = Simulation::new(&scenario, &executor)?;
//! for _ in 0..100 {
//!     simulation.step()?;
//! }
//! let now = simulation.summary()?;
//! let arrived: usize = now.groups.iter().map(|group| group.arrived).sum();
//! println!("{arrived} of {} agents have arrived at {} s", scenario.agents(), now.time);
//! # assert_eq!(now.time, 25.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
