//! The interface between models and the rest of Throng, and functionality common to all models.
//!
//! * A [`Model`] is a single value: its name, its scenario files, and its verification cases. The command line, the
//!   facade and programs with their own models use lists of them.
//! * A model creates a [`Scenario`] from a [`ScenarioRequest`]: effective settings including all changes, before any
//!   input is read. [`Loaded`] has everything in memory and runs the steps.
//! * [`run`] does the rest for every model: output folder, choice of a device, warnings, state hashes, timings, report
//!   layout, manifest. It returns [`Done`] or a [`Failure`], which defines the exit codes of the command line.
//! * [`sweep`] runs a scenario for many values of its parameters and many seeds; a run returns [`Measured`] for the
//!   tables of a sweep, and [`Batch`] lets a model execute many runs together.
//! * [`Replay`] creates scenes from a [`StoredRun`], for images, animations and the viewer.
//! * [`Source`] reads TOML scenario files so that each message names the line; [`read_as`] does so for a whole file,
//!   and [`schema_text`] lists its keys.
//! * A [`Generator`] creates scenarios, and a [`Paper`] reproduces an experiment; both are kept in lists, like models.
//!
//! A model is a crate that implements [`Model`], [`Check`] (its verification cases), [`Scenario`] and [`Loaded`]. A
//! model whose scenario is a single file and whose steps are all equal, such as `examples/flocking`, implements only
//! [`StepModel`]; [`Flock`] executes rules of agents that interact with their neighbours, and [`prelude`]
//! exports everything that its files need.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod any_scenario;
mod assignment;
mod batch;
mod border;
mod catalogue;
mod done;
mod executor;
mod failure;
mod flags;
mod flock;
mod generator;
mod hash_log;
mod measured;
mod model;
pub mod names;
pub mod nearby;
mod paper;
mod point_film;
pub mod prelude;
mod reading;
mod record;
pub mod replay;
mod report;
mod request;
mod run;
mod scenario_file;
mod schema;
mod setting_effects;
mod source;
mod step_model;
mod step_scenario;
mod steps;
pub mod sweep;
mod template;
mod timings;
mod together;
mod tool;
mod whole_file;
mod whole_units;
mod writing;

pub use any_scenario::AnyScenario;
pub use batch::Batch;
pub use border::Border;
pub use catalogue::{Catalogue, LeftOut};
pub use done::{Done, Simulated};
pub use executor::named_executor;
pub use failure::{Failure, MAX_THREADS, check_threads};
pub use flags::{Flag, Flags};
pub use flock::{Flock, FlockBuilder};
pub use generator::{GenerateRequest, Generator};
pub use hash_log::{HASHES_NAME, HashLog};
pub use measured::{Figure, Measured, Quantity, QuantityKind, Series};
pub use model::{Check, Loaded, Model, Output, Scenario, on_threads};
pub use paper::{Experiment, Paper, PaperHelp, ReproduceRequest, Reproduced};
pub use point_film::PointFilm;
pub use record::RunRecord;
pub use replay::{Replay, StoredRun};
pub use report::{REPORT_NAME, Report, Row};
pub use request::{CommonKeys, RunRequest, ScenarioRequest};
pub use run::{Run, run};
pub use scenario_file::{MODEL_KEY, SCENARIO_NAME, ScenarioFile, find_model};
pub use schema::{root_keys, schema_text};
pub use setting_effects::is_without_effect;
pub use source::{At, Source, Texts};
pub use step_model::{
    AnimationFile, Case, Course, DeviceSupport, Film, FurtherResults, HasFlags, HasInputFiles, Observed, Observer,
    Parts, StartFilm, StepModel, Verify, last_state,
};
#[doc(hidden)]
pub use step_scenario::derives;
pub use step_scenario::{Plan, StepScenario};
pub use steps::{OnCpu, State, Steps};
pub use template::template_text;
pub use timings::Timings;
pub use together::{SimulateTogether, SimulatedTogether, Together};
pub use tool::{Printed, Terminal, Tool, ToolEnd, ToolHelp, ToolInput, ToolRequest};
pub use whole_file::{Places, read_as, settings_of, written};
pub use whole_units::WholeUnits;
pub use writing::{Unwritten, to_toml, word_of};
