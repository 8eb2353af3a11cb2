//! Tests of the planner with kernels of many kinds, and runs of rewritten kernels.

mod barriers;
mod common;
mod divergence;
mod example;
mod exhaustive;
mod macros;
mod random_programs;
mod rejected;
mod rewriting;
mod robustness;
mod syntax;
mod table;
mod tool;
