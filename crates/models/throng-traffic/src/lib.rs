//! Road traffic as a model of Throng: MATSim's files in, the same events out, with tables, images and a report.
//!
//! * [`Traffic`] is the model, for lists of models; [`run`] takes the settings of a [`Day`] and writes a complete run
//!   folder.
//! * [`TrafficReplay`] creates scenes of a stored run: vehicles on their links at any time of the day.
//! * [`results::Recorder`] writes events, tables and a report for a simulation that the calling program runs.
//! * [`open`] loads a [`LoadedDay`] from files, [`LoadedDay::from`] creates one from a [`Scenario`];
//!   [`LoadedDay::start`] runs it step by step, with your own sink.
//! * [`config`] and [`load_scenario`] read MATSim's files, [`cpu::simulate`] and [`gpu::simulate`] run a [`Scenario`];
//!   they come from `throng-matsim` and `throng-queue`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod cache_file;
mod loaded_day;
mod missing_files;
mod model;
mod replay;
pub mod results;
mod run;
mod scenario_request;
mod summary_lines;

pub use cache_file::{Cached, make_cache};
pub use loaded_day::{LoadedDay, open};
pub use missing_files::check_files;
pub use model::Traffic;
pub use replay::TrafficReplay;
pub use run::{Day, Results, run};
pub use scenario_request::day;

pub use throng_device::{DeviceChoice, Executor};
pub use throng_matsim::load::load_scenario;
pub use throng_matsim::{cache, compare, config, convert, formats};
pub use throng_output::FileError;
pub use throng_queue::{DeviceThreads, RunError, RunOptions, RunOutcome, Running, cpu, gpu, rules, verification};
pub use throng_traffic_scenario as scenario;
pub use throng_traffic_scenario::settings::{self, Settings};
pub use throng_traffic_scenario::{HashAt, RunStats, Scenario, events, routing};
