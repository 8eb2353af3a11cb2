//! The interface between models and the rest of Throng, and the parts that are common to all models: scenario files,
//! runs, sweeps and reports.
//!
//! * [`Model`] is a model as a value for lists: its name, its scenario files, and its verification cases.
//! * [`StepModel`] declares a model whose scenario is a single file and whose steps are all equal.
//! * [`run`] runs a scenario of any model, and writes its output folder.
//!
//! ```
//! use std::path::Path;
//!
//! use throng_core::NoProgress;
//! use throng_model::scenario_file::find_model;
//! use throng_model::{Failure, Model, RunRequest, ScenarioRequest};
//!
//! /// Runs a scenario file or folder of any model in a list, such as the models of `throng::catalogue`.
//! fn run_any(models: &[&dyn Model], scenario: &Path) -> Result<(), Failure> {
//!     let (model, file) = find_model(models, Some(scenario))?;
//!     let request = ScenarioRequest { file, seed: Some(7), ..ScenarioRequest::default() };
//!     let done = model.scenario(&request)?.run(&RunRequest::default(), &NoProgress)?;
//!     for (name, value) in &done.lines {
//!         println!("{name}: {value}");
//!     }
//!     println!("report: {}", done.main_file.display());
//!     Ok(())
//! }
//! # use throng_model::prelude::*;
//! # step_scenario! {
//! #     /// A river that rises.
//! #     pub struct River(days = 30, frame_every = 1, folder = "output/river") {
//! #         /// Millimetres per day.
//! #         pub rise: i32 = 25,
//! #     }
//! # }
//! # type Level = [Vec<i32>; 1];
//! # struct Rising;
//! # impl StepModel for Rising {
//! #     type Scenario = River;
//! #     type State = Level;
//! #     const NAME: &str = "river";
//! #     const ABOUT: &str = "A river that rises";
//! #     const STEP: &str = "day";
//! #     const MEASURES: &[Quantity] = &[Quantity::count("level", "level", "millimetres above the bed")];
//! #     const DEVICES: DeviceSupport = DeviceSupport::None;
//! #     fn check(_: &River) -> Result<(), InputError> {
//! #         Ok(())
//! #     }
//! #     fn start(_: &River) -> Result<Level, Failure> {
//! #         Ok([vec![0]])
//! #     }
//! #     fn executor(_: &Executor, river: &River, level: Level) -> Result<Box<dyn Steps<State = Level>>, Failure> {
//! #         let rise = river.rise;
//! #         Ok(Box::new(OnCpu::new(level, move |[level]: &Level, _| [vec![level[0] + rise]])))
//! #     }
//! #     fn measure([level]: &Level) -> Vec<f64> {
//! #         vec![level[0].into()]
//! #     }
//! # }
//! # let dir = tempfile::tempdir()?;
//! # let (file, out) = (dir.path().join("scenario.toml"), dir.path().join("out"));
//! # std::fs::write(&file, format!("model = \"river\"\nfolder = {:?}\n", out.display().to_string()))?;
//! # run_any(&[&Rising], &file)?;
//! # assert!(std::fs::read_to_string(out.join("measures.csv"))?.contains("750"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Models
//!
//! A model is a crate that implements [`Model`], [`Check`] (its verification cases), [`Scenario`] and [`Loaded`]. A
//! model whose scenario is a single file and whose steps are all equal, such as `examples/epidemic`, implements only
//! [`StepModel`]; [`Flock`] executes rules of agents that interact with their neighbours, and [`prelude`]
//! exports everything that its files need.
//!
//! # Parts of a run
//!
//! * A model creates a [`Scenario`] from a [`ScenarioRequest`]: effective settings including all changes, before any
//!   input is read. [`Loaded`] has everything in memory and runs the steps.
//! * [`run`] does the rest for every model: output folder, choice of a device, warnings, state hashes, timings, report
//!   layout, manifest. It returns [`Done`] or a [`Failure`], which defines the exit codes of the command line.
//! * [`sweep`] runs a scenario for many values of its parameters and many seeds; a run returns [`Measured`] for the
//!   tables of a sweep, and [`Batch`](sweep::Batch) lets a model execute many runs together.
//! * [`Replay`] creates scenes from a [`StoredRun`](replay::StoredRun), for images, animations and the viewer.
//! * [`Source`](scenario_file::Source) reads TOML scenario files so that each message names the line;
//!   [`read_as`](scenario_file::read_as) does so for a whole file, and
//!   [`schema_text`](scenario_file::schema_text) lists its keys.
//! * A [`Generator`](generator::Generator) creates scenarios, a [`Paper`](paper::Paper) reproduces an experiment, and a
//!   [`Tool`](tool::Tool) is any other command; a [`Catalogue`] lists them and the models of a program.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod assignment;
mod catalogue;
mod done;
mod executor;
mod expected_time;
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
pub use executor::{named_executor, with_reason};
pub use expected_time::{
    Calibration, CalibrationScenario, Costs, Estimate, ExpectedTimes, MachineCosts, MeasuredCosts, TypicalCosts, Work,
};
pub use failure::Failure;
pub use flock::{Flock, FlockBuilder};
pub use measured::{Figure, Measured, Quantity, QuantityKind, Series};
pub use model::{Check, Loaded, Model, Output, Scenario};
pub use replay::Replay;
pub use request::{CommonKeys, RunRequest, ScenarioRequest};
pub use run::{LOADING, Run, WRITING_REPORT, run};
pub use step_model::StepModel;
