//! Road traffic as a model of Throng: MATSim's files in, the same events out, with tables, pictures and a report.
//!
//! * [`run`] takes settings and makes a complete run folder.
//! * [`results::Recorder`] makes events, tables and a report of a simulation that a program runs itself.
//! * [`config`] and [`load`] read MATSim's files, [`cpu::simulate`] and [`gpu::simulate`] run a [`Scenario`]; they come
//!   from `throng-matsim` and `throng-queue`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod results;
mod run;

pub use run::{Cached, Done, Failed, Run, make_cache, run};

pub use throng_matsim::{cache, compare, config, convert, formats, load};
pub use throng_output::FileError;
pub use throng_queue::{DeviceThreads, RunError, RunOptions, RunOutcome, cpu, gpu, rules, verification};
pub use throng_traffic_scenario as scenario;
pub use throng_traffic_scenario::settings::{self, Settings};
pub use throng_traffic_scenario::{HashAt, RunStats, Scenario, events, routing};
