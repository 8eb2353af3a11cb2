//! The upstream end of a link: whether a vehicle may enter, given storage, holes and inflow capacity.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_traffic_scenario::settings::TrafficDynamics;

/// The state that decides whether a link accepts a vehicle from upstream. Holes and inflow must include all earlier
/// steps.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct UpstreamEnd {
    /// Storage in use, passenger car equivalents. Negative after a leg that starts and ends on the same link: such a
    /// vehicle frees storage that it never took, as in MATSim.
    pub used: f64,
    /// Storage capacity, passenger car equivalents.
    pub storage: f64,
    /// With holes: storage minus entered vehicles plus arrived holes.
    pub remaining: f64,
    /// With kinematic waves: the remaining inflow allowance, vehicles.
    pub inflow: f64,
}

#[cube]
impl UpstreamEnd {
    /// Whether a vehicle may enter, whatever its size.
    #[inline]
    pub fn accepts(&self, #[comptime] dynamics: TrafficDynamics) -> bool {
        let mut accepts = self.used < self.storage;
        if comptime!(dynamics.has_holes()) {
            accepts = accepts && self.remaining > 0.0f64;
        }
        if comptime!(dynamics.has_inflow_capacity()) {
            accepts = accepts && self.inflow > 0.0f64;
        }
        accepts
    }

    /// Records that a vehicle of `pcu` enters; `consumption` is the inflow that it uses.
    #[inline]
    pub fn enter(&mut self, pcu: f64, consumption: f64, #[comptime] dynamics: TrafficDynamics) {
        self.used += pcu;
        if comptime!(dynamics.has_holes()) {
            self.remaining -= pcu;
        }
        if comptime!(dynamics.has_inflow_capacity()) {
            self.inflow -= consumption;
        }
    }
}

/// Whether holes and inflow are updated after a step of the link. `idle`: the link holds neither queued nor waiting
/// vehicles and, under the slow capacity update, its flow is not below the allowance of a step.
///
/// As in MATSim, an idle link whose holes have all arrived is not updated, so its inflow is not refilled.
#[cube]
#[inline]
pub fn stays_active(idle: bool, hole_under_way: bool) -> bool {
    hole_under_way || !idle
}

/// Whether a hole has arrived at the upstream end; only then is the freed storage available.
#[cube]
#[inline]
pub fn hole_has_arrived(arrives_at: f64, now: f64) -> bool {
    arrives_at < now
}
