//! The choice of a plan for the next iteration, and the changes to it.
//!
//! [`Strategies::replan`] is the step from one iteration to the next. Each person forgets surplus plans, draws a
//! strategy by its weight, and selects one of the remaining plans. Strategies that innovate then copy this plan and
//! change the copy, in one [`Module`] after the other. The step makes the copies; the caller runs the modules.
//!
//! Random numbers come from a [`Randomness`]: in MATSim's order for equality with MATSim, or as a function of person
//! and iteration, for any number of threads.

mod modules;
mod removal;
mod replanning;
mod selectors;
mod time_mutation;
mod weights;

pub use modules::{Module, modules_of};
pub use replanning::{Randomness, Replanned, Strategies};
pub use time_mutation::{TimeRule, mutate_times};
