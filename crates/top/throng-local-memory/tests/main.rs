//! The planner on kernels of every kind, and rewritten kernels that run.

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
