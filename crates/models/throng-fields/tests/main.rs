//! Fields on the CPU and on devices, against definitions, formulas and each other.

mod creation;
mod crowds;
#[cfg(feature = "gpu")]
mod devices;
mod exactness;
mod formulas;
mod layers;
mod metrics;
mod nav2_formula;
mod paths;
mod random;
