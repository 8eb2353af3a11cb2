//! Road traffic as a model of Throng: MATSim's files in, the same events out, with tables, images and a report.
//!
//! * [`open`] loads a day of traffic from files.
//! * [`LoadedDay`] is a day in memory, which runs as a whole or step by step, with your own event sink.
//! * [`run`] takes the settings of a [`Day`], and writes a complete run folder.
//!
//! ```
//! use throng_traffic::DeviceChoice;
//! use throng_traffic::events::EventLog;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))?;
//! let day = throng_traffic::open("examples/city/config.xml")?.on(DeviceChoice::Auto);
//! let mut run = day.start(EventLog::default())?;
//! while run.step_to(run.next_time() + 600.0)? && run.next_time() < 6.5 * 3600.0 {
//!     println!("{} active agents, {} events", run.active_agents(), run.sink().events.len());
//! }
//! let outcome = run.stop()?;
//! println!("{} trips done", outcome.stats.arrivals);
//! # assert!(outcome.stats.arrivals > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Further items
//!
//! * [`Traffic`] is the model, for lists of models.
//! * [`TrafficReplay`] creates scenes of a stored run: vehicles on their links at any time of the day.
//! * [`results::Recorder`] writes events, tables and a report for a simulation that the calling program runs.
//! * [`LoadedDay::from`] creates a day from a [`Scenario`] that was built in code.
//! * [`config`] and [`load_scenario`] read MATSim's files, [`Running`] simulates a [`Scenario`] in steps;
//!   they come from `throng-matsim` and `throng-queue`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod cache_file;
mod kept_scenario;
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
pub use scenario_request::{day, explain};

pub use throng_device::{DeviceChoice, Executor};
pub use throng_matsim::load::load_scenario;
pub use throng_matsim::{cache, compare, config, convert, formats};
pub use throng_output::FileError;
pub use throng_queue::{DeviceThreads, RunError, RunOptions, RunOutcome, Running, rules, verification};
pub use throng_traffic_scenario as scenario;
pub use throng_traffic_scenario::settings::{self, Settings};
pub use throng_traffic_scenario::{HashAt, RunStats, Scenario, events, routing};
