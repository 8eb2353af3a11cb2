//! Days of traffic, from inputs to files.

mod inputs;
mod replay;
mod run;
mod stepping;
mod transit;
