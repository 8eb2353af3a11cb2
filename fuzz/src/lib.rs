//! The fuzz targets: each takes arbitrary bytes, and panics if a reader panics or breaks a guarantee.
//!
//! An ordinary test, `crates/top/throng/tests/fuzz_seeds.rs`, also runs them on the seeds.

mod cache;
mod change_events;
mod config;
mod events;
mod facilities;
mod fields;
mod network;
mod npy;
mod packed;
mod population;
mod scratch;
mod tables;
mod vehicles;

/// Function of a target; returns whether the reader accepts the input.
pub type Check = fn(&[u8]) -> bool;

/// All targets by name, which is also the name of the folder of seeds.
pub const TARGETS: [(&str, Check); 12] = [
    ("cache", cache::check),
    ("change_events", change_events::check),
    ("config", config::check),
    ("events", events::check),
    ("facilities", facilities::check),
    ("fields", fields::check),
    ("network", network::check),
    ("npy", npy::check),
    ("packed", packed::check),
    ("population", population::check),
    ("tables", tables::check),
    ("vehicles", vehicles::check),
];

/// Tries one input with the named target; returns whether the reader accepts it.
pub fn check(target: &str, data: &[u8]) -> bool {
    let (_, check) = TARGETS.iter().find(|(name, _)| *name == target).expect("it is in the list");
    check(data)
}
