//! The number of vehicles that a link can hold, and the number that may enter it under kinematic waves.

use throng_traffic_scenario::settings::{Compat, InflowCapacity, TrafficDynamics};

/// Speed at which freed room travels upstream, kilometres per hour.
pub const HOLE_SPEED_KM_H: f64 = 15.0;
const HOLE_SPEED_MPS: f64 = HOLE_SPEED_KM_H / 3.6;

/// The attributes of a link that determine its capacities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkGeometry {
    /// Length, metres.
    pub length_m: f64,
    /// Free speed at time 0, metres per second.
    pub freespeed_mps: f64,
    /// Number of lanes.
    pub lanes: f64,
    /// Unscaled flow capacity, vehicles per second.
    pub flow_capacity_per_s: f64,
    /// Length of road per standing vehicle and lane, metres.
    pub cell_size_m: f64,
}

/// The settings that determine capacities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapacitySettings {
    /// Length of a step, seconds.
    pub step_s: f64,
    /// `qsim.flowCapacityFactor`.
    pub flow_factor: f64,
    /// `qsim.storageCapacityFactor`.
    pub storage_factor: f64,
    /// `qsim.trafficDynamics`.
    pub dynamics: TrafficDynamics,
    /// `qsim.inflowCapacitySetting`.
    pub inflow: InflowCapacity,
    /// MATSim release whose storage rule is used.
    pub compat: Compat,
}

/// Capacities of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkCapacities {
    /// Scaled flow capacity, vehicles per step.
    pub flow_per_step: f64,
    /// Storage capacity, vehicles.
    pub storage: f64,
    /// Maximum inflow per step under kinematic waves, vehicles; infinite otherwise.
    pub max_inflow: f64,
    /// Whether a minimum raised the storage above the value from length and lanes.
    pub enlarged: bool,
}

/// Computes the capacities of a link, in MATSim's order of operations.
///
/// The storage is length x lanes / cell x factor, but at least the flow of one step, the number of vehicles under way
/// at free flow (not scaled by the flow factor in MATSim 13; scaled since) and, with holes, the minimum required by
/// the fundamental diagram.
pub fn link_capacities(link: &LinkGeometry, settings: &CapacitySettings) -> LinkCapacities {
    let flow_per_step = link.flow_capacity_per_s * settings.step_s * settings.flow_factor;
    let fdiag_one_lane = (1.0 / link.cell_size_m) / (1.0 / HOLE_SPEED_MPS + 1.0 / link.freespeed_mps);

    let mut lanes = link.lanes;
    let mut max_inflow = f64::INFINITY;
    if settings.dynamics == TrafficDynamics::KinematicWaves {
        max_inflow = match (settings.compat, settings.inflow) {
            (Compat::Matsim13, _) | (_, InflowCapacity::MaxCapForOneLane) => fdiag_one_lane,
            (_, InflowCapacity::InflowFromFdiag) => {
                (lanes / link.cell_size_m) / (1.0 / HOLE_SPEED_MPS + 1.0 / link.freespeed_mps)
            }
            (_, InflowCapacity::NrOfLanesFromFdiag) => {
                lanes = flow_per_step * link.cell_size_m * (1.0 / HOLE_SPEED_MPS + 1.0 / link.freespeed_mps);
                flow_per_step
            }
        };
    }

    let by_length = link.length_m * lanes / link.cell_size_m * settings.storage_factor;
    let mut storage = by_length.max(flow_per_step);

    let free_travel_time = link.length_m / link.freespeed_mps;
    let free_flow = match settings.compat {
        Compat::Matsim13 => free_travel_time * link.flow_capacity_per_s,
        Compat::Matsim2024 => free_travel_time * link.flow_capacity_per_s * settings.flow_factor,
    };
    storage = storage.max(free_flow);

    if settings.dynamics != TrafficDynamics::Queue {
        let speed = link.freespeed_mps;
        let for_holes = link.length_m * flow_per_step * (speed + HOLE_SPEED_MPS) / speed / HOLE_SPEED_MPS;
        storage = storage.max(for_holes);
    }
    LinkCapacities { flow_per_step, storage, max_inflow, enlarged: storage > by_length }
}

/// Returns the travel time of a hole from the downstream to the upstream end, seconds.
pub fn hole_travel_time(length_m: f64) -> f64 {
    // MATSim's order of operations, so that a hole is due in the same step.
    length_m * 3600.0 / HOLE_SPEED_KM_H / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_travel_for_exact_times() {
        for (length_m, seconds) in [(25.0, 6.0), (1250.0, 300.0), (5000.0, 1200.0)] {
            assert_eq!(hole_travel_time(length_m), seconds);
        }
    }

    const LINK: LinkGeometry =
        LinkGeometry { length_m: 75.0, freespeed_mps: 10.0, lanes: 1.0, flow_capacity_per_s: 0.5, cell_size_m: 7.5 };

    fn settings() -> CapacitySettings {
        CapacitySettings {
            step_s: 1.0,
            flow_factor: 1.0,
            storage_factor: 1.0,
            dynamics: TrafficDynamics::Queue,
            inflow: InflowCapacity::InflowFromFdiag,
            compat: Compat::Matsim2024,
        }
    }

    #[test]
    fn ten_cells_hold_ten_vehicles() {
        let c = link_capacities(&LINK, &settings());
        assert_eq!((c.flow_per_step, c.storage, c.enlarged), (0.5, 10.0, false));
    }

    #[test]
    fn the_free_flow_minimum_depends_on_the_release() {
        // 75 m at 10 m/s with half a vehicle per second: 3.75 vehicles under way.
        let sampled = CapacitySettings { flow_factor: 0.1, storage_factor: 0.1, ..settings() };
        assert_eq!(link_capacities(&LINK, &sampled).storage, 1.0);
        let release_13 = CapacitySettings { compat: Compat::Matsim13, ..sampled };
        assert_eq!(link_capacities(&LINK, &release_13).storage, 3.75);
    }

    #[test]
    fn storage_is_at_least_the_flow_of_a_step() {
        let long_steps = CapacitySettings { step_s: 60.0, ..settings() };
        assert_eq!(link_capacities(&LINK, &long_steps).storage, 30.0);
    }

    #[test]
    fn holes_need_room_to_travel_back() {
        let fast = LinkGeometry { flow_capacity_per_s: 1.0, ..LINK };
        let c = link_capacities(&fast, &CapacitySettings { dynamics: TrafficDynamics::WithHoles, ..settings() });
        // 75 * 1 * (10 + 4.1667) / (10 * 4.1667) = 25.5
        assert!((c.storage - 25.5).abs() < 1e-9, "{}", c.storage);
    }

    #[test]
    fn inflow_matches_the_formulas() {
        let two_lanes = LinkGeometry { lanes: 2.0, ..LINK };
        let kinematic = CapacitySettings { dynamics: TrafficDynamics::KinematicWaves, ..settings() };
        // one lane: (1/7.5) / (1/4.1667 + 1/10) = 0.392157
        let of =
            |inflow, compat| link_capacities(&two_lanes, &CapacitySettings { inflow, compat, ..kinematic }).max_inflow;
        let one_lane = 0.392_156_862_745_098;
        assert!((of(InflowCapacity::InflowFromFdiag, Compat::Matsim13) - one_lane).abs() < 1e-12);
        assert!((of(InflowCapacity::MaxCapForOneLane, Compat::Matsim2024) - one_lane).abs() < 1e-12);
        assert!((of(InflowCapacity::InflowFromFdiag, Compat::Matsim2024) - 2.0 * one_lane).abs() < 1e-12);
        assert_eq!(of(InflowCapacity::NrOfLanesFromFdiag, Compat::Matsim2024), 0.5);
    }
}
