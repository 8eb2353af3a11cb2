//! Vehicles of both versions.

use throng_core::Warnings;
use throng_matsim::formats::vehicles::read_vehicles_from;

/// Tries one input.
pub fn check(data: &[u8]) -> bool {
    read_vehicles_from(data, "vehicles.xml", &mut Warnings::new()).is_ok()
}
