//! A tournament: every player against every other one, over random openings, each of them played with exchanged rows, too.
//!
//! Games are played at once on threads; nothing in a game depends on another one, so the results are the same for any number
//! of threads, unless a player has a limit of time.

mod games;
mod intervals;
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
