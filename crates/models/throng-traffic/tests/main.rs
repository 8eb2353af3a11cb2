//! Days of traffic, from inputs to files.

mod coordinates;
mod experienced;
mod inputs;
mod outputs;
mod replay;
mod run;
mod stepping;
mod transit;
