//! Tests of the program throng from the user's perspective.

mod cli;
mod collision;
mod common;
mod csv_tables;
mod documented_commands;
#[cfg(unix)]
mod edge_values;
mod exhaustive;
mod faults;
mod kalah_terminal;
mod social_field;
mod sweep;
mod watching;
