//! Throng: multi-agent simulation that gives the same answer everywhere.
//!
//! This crate is what a Rust program depends on. [`traffic::run`] takes settings and makes a run folder with events,
//! tables and a report, [`fields::run`] takes a scenario of potential fields and makes one with an animation; the crates
//! behind them are re-exported for everything finer.
//!
//! ```no_run
//! use throng::core::NoProgress;
//! use throng::traffic::{self, Run, config};
//!
//! let configured = config::from_file("examples/city/config.xml".as_ref())?;
//! let done = traffic::run(Run::new(configured.settings), &NoProgress)?;
//! println!("{} trips, mean {:.0} s", done.summary.trips, done.summary.mean_trip_s);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub use throng_city as city;
pub use throng_core as core;
pub use throng_device as device;
pub use throng_fields as fields;
pub use throng_model as model;
pub use throng_output as output;
pub use throng_papers as papers;
pub use throng_traffic as traffic;
