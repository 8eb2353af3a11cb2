//! Vehicles of both versions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_core::Warnings;
use throng_traffic::matsim::vehicles::read_vehicles_from;

fuzz_target!(|data: &[u8]| {
    let _ = read_vehicles_from(data, "vehicles.xml", &mut Warnings::new());
});
