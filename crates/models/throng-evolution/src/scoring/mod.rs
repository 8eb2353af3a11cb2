//! The utility of a day (Charypar and Nagel).
//!
//! A person's day is a sequence of activities, which have utility, and of legs, which usually cost some. Its score is
//! the sum, in utils:
//!
//! score = activities + legs + money + stuck + score events
//!
//! * [`Preferences`]: the parameters of a subpopulation, prepared for the formulas of [`utility`].
//! * [`PersonDay`]: the score of one person, from the events of a day. [`DayScores`] does this for all persons of a
//!   scenario while a simulation runs.
//! * [`Learning`]: the new score of a plan from the old one and that of the day.
//!
//! D. Charypar and K. Nagel, Generating complete all-day activity plans with genetic algorithms, Transportation 32,
//! 2005, pages 369-397; A. Horni, K. Nagel, K. W. Axhausen (editors), The Multi-Agent Transport Simulation MATSim,
//! 2016, chapter 3. All arithmetic has double precision and MATSim's order of operations: scores differ from those of
//! MATSim only by the last bits of exp and log, which are those of the crate `libm` on every computer.

mod fault;
mod of_events;
mod person;
mod plan_score;
mod preferences;
pub mod utility;

pub use fault::Fault;
pub use of_events::DayScores;
pub use person::{DayScore, PersonDay, ScoreParts};
pub use plan_score::Learning;
pub use preferences::{Names, Preferences, parameter_set};

#[cfg(test)]
mod tests;
