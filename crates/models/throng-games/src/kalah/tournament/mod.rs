//! A tournament: all pairs of players meet in random openings and play each opening twice, with exchanged rows.
//!
//! Games run in parallel and are independent of each other, so the results are the same for any number of threads,
//! unless a player has a time limit.

mod games;
mod intervals;
mod memory;
mod model;
mod openings;
mod report;
mod run;
mod scores;
mod settings;
mod tables;

pub use games::{Played, Work};
pub use intervals::{Interval, normal, wilson};
pub use model::KalahModel;
pub use run::{Results, Tournament, run};
pub use scores::{Pairing, Scores, Standing};
pub use settings::Settings;
pub(super) use tables::RECORDS;
