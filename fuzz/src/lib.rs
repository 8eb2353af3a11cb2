//! What the fuzz targets try: each takes any bytes, and panics when a reader does or breaks a promise.
//!
//! The seeds are tried by an ordinary test too, `crates/top/throng/tests/fuzz_seeds.rs`.

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

/// What a target does with an input; the result says whether the reader accepts it.
pub type Check = fn(&[u8]) -> bool;

/// Every target with its name, which is that of its folder of seeds.
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

/// Tries one input with the target of a name; says whether the reader accepts it.
pub fn check(target: &str, data: &[u8]) -> bool {
    let (_, check) = TARGETS.iter().find(|(name, _)| *name == target).expect("it is in the list");
    check(data)
}
