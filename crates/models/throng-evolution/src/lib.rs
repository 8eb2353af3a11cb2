//! The co-evolution of plans: persons execute a plan, score it, and select or change one for the next iteration, until
//! they can no longer improve (Strippgen and Nagel, section 2; MATSim's loop).
//!
//! * [`scoring`]: the utility of a day (Charypar and Nagel).
//! * [`memory`]: the plans that persons remember. [`strategies`]: the choice of one, and of changes to it.
//! * [`travel_times`]: the travel times of links in the last iteration. [`paths`]: least-cost paths at these times.
//! * [`random`]: the random numbers of all of these.

#![forbid(unsafe_code)]

pub mod memory;
pub mod paths;
pub mod random;
pub mod scoring;
pub mod strategies;
pub mod travel_times;
