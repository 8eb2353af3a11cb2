//! The interface between models and the rest of Throng, and functionality common to all models.
//!
//! * A [`Model`] is a single value: its name, its scenario files, and its verification cases. The command line, the
//!   facade and programs with their own models use lists of them.
//! * A model creates a [`Scenario`] from a [`ScenarioRequest`]: effective settings including all changes, before any
//!   input is read. [`Loaded`] has everything in memory and runs the steps.
//! * [`run`] does the rest for every model: output folder, choice of a device, warnings, state hashes, timings, report
//!   layout, manifest. It returns [`Done`] or a [`Failure`], which defines the exit codes of the command line.
//! * [`sweep`] runs a scenario for many values of its parameters and many seeds; a run returns [`Measured`] for the
//!   tables of a sweep, and [`Batch`](sweep::Batch) lets a model execute many runs together.
//! * [`Replay`] creates scenes from a [`StoredRun`](replay::StoredRun), for images, animations and the viewer.
//! * [`Source`](scenario_file::Source) reads TOML scenario files so that each message names the line;
//! [`read_as`](scenario_file::read_as) does so for a whole file, and [`schema_text`](scenario_file::schema_text) lists
//! its keys. * A [`Generator`](generator::Generator) creates scenarios, and a [`Paper`](paper::Paper) reproduces an
//! experiment; both are kept in lists, like models.
//!
//! A model is a crate that implements [`Model`], [`Check`] (its verification cases), [`Scenario`] and [`Loaded`]. A
//! model whose scenario is a single file and whose steps are all equal, such as `examples/flocking`, implements only
//! [`StepModel`]; [`Flock`] executes rules of agents that interact with their neighbours, and [`prelude`]
//! exports everything that its files need.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod assignment;
mod catalogue;
mod done;
mod executor;
mod failure;
pub mod flags;
mod flock;
pub mod generator;
mod measured;
mod model;
pub mod names;
pub mod nearby;
pub mod paper;
pub mod prelude;
pub mod record;
pub mod replay;
pub mod report;
mod request;
mod run;
pub mod scenario_file;
pub mod step_model;
pub mod sweep;
pub mod threads;
pub mod tool;

pub use catalogue::{Catalogue, LeftOut};
pub use done::{Done, Simulated};
pub use executor::named_executor;
pub use failure::Failure;
pub use flock::{Flock, FlockBuilder};
pub use measured::{Figure, Measured, Quantity, QuantityKind, Series};
pub use model::{Check, Loaded, Model, Output, Scenario};
pub use replay::Replay;
pub use request::{CommonKeys, RunRequest, ScenarioRequest};
pub use run::{Run, run};
pub use step_model::StepModel;
