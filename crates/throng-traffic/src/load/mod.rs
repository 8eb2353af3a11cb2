//! From files to a [`Scenario`](crate::scenario::Scenario).

mod assemble;
mod flat_json;
mod grid;
mod id_lookup;
mod missing_routes;
mod modes;
mod nearest_link;
mod places;
mod plans;
mod report;
mod routes;
mod teleport;
mod vehicle_choice;

pub use assemble::{Parts, assemble};

#[cfg(test)]
mod tests;
