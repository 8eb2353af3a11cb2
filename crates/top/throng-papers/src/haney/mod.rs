//! The program of Haney, Haarsma and Ditta, *Societies* (article of 2017, DOI 10.1007/s41247-017-0026-z), compared with
//! the model that it is meant to implement.
//!
//! The published program has defects, the best known of which makes every price 1. `throng_economy` has six of them,
//! each as a rule that can replace one of the model's. This experiment runs societies with none of these
//! [`deviations`], with each one alone and with all of them, over several seeds, and compares the results with the
//! program's.
//!
//! The rules, the scenarios and the figures come from the **authors**; each figure comes from a single run of the
//! program. The random draws come from **Throng**, so single runs differ from the runs of the program, and only means
//! can be compared.

pub mod deviations;
mod paper;
mod published;
mod report;
mod reproduce;
mod scenarios;
mod statements;
mod statistics;
mod table;

pub use deviations::{DEVIATIONS, Deviation};
pub use paper::HANEY;
pub use report::{files, text};
pub use reproduce::{Figure, HaneyMeasurements, Options, Row, reproduce};
pub use scenarios::Scenario;
pub(crate) use statements::statements;
pub use statistics::{Ratio, Statistics};
pub use table::table;
