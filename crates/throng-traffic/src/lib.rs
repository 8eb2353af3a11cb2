//! Road traffic as a model of Throng: MATSim's files in, the same events out, with tables, pictures and a report.
//!
//! * [`Traffic`] is the model, for lists of models; [`run`] takes the settings of a [`Day`] and makes a complete run folder.
//! * [`results::Recorder`] makes events, tables and a report for a simulation that a program runs itself.
//! * [`config`] and [`load`] read MATSim's files, [`cpu::simulate`] and [`gpu::simulate`] run a [`Scenario`]; they come
//!   from `throng-matsim` and `throng-queue`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod cache_file;
mod lines;
mod missing_files;
mod model;
pub mod results;
mod run;
mod scenario_request;

pub use cache_file::{Cached, make_cache};
pub use missing_files::check_files;
pub use model::Traffic;
pub use run::{Day, LoadedDay, Results, run};
pub use scenario_request::day;

pub use throng_matsim::{cache, compare, config, convert, formats, load};
pub use throng_output::FileError;
pub use throng_queue::{DeviceThreads, RunError, RunOptions, RunOutcome, cpu, gpu, rules, verification};
pub use throng_traffic_scenario as scenario;
pub use throng_traffic_scenario::settings::{self, Settings};
pub use throng_traffic_scenario::{HashAt, RunStats, Scenario, events, routing};
