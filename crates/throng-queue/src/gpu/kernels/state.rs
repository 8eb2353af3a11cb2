//! All arrays of a run, as one argument of a kernel.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use crate::rules::node_selection::NodeSelection;
use throng_traffic_scenario::settings::TrafficDynamics;

/// What is the same in all steps of a run; each combination is a kernel of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KernelConfig {
    pub passing: bool,
    pub dynamics: TrafficDynamics,
    pub selection: NodeSelection,
    pub fast_update: bool,
    pub waiting_first: bool,
    /// Whether events are wanted.
    pub record: bool,
    /// Whether vehicles that leave links are counted.
    pub volumes: bool,
}

impl KernelConfig {
    pub fn has_holes(self) -> bool {
        match self.dynamics {
            TrafficDynamics::Queue => false,
            TrafficDynamics::WithHoles | TrafficDynamics::KinematicWaves => true,
        }
    }

    pub fn is_kinematic(self) -> bool {
        match self.dynamics {
            TrafficDynamics::Queue | TrafficDynamics::WithHoles => false,
            TrafficDynamics::KinematicWaves => true,
        }
    }
}

/// The step that is computed.
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct StepParameters {
    /// Seconds of the day.
    pub time: f64,
    pub step: u32,
    /// The step counted from the first one of the batch.
    pub batch_step: u32,
    pub run: RunParameters,
}

/// Numbers that stay as they are, and that no kernel should be compiled anew for.
#[derive(CubeLaunch, CubeType, Clone, Copy)]
pub struct RunParameters {
    /// Time of step 0.
    pub start: f64,
    /// Length of a step, seconds.
    pub step_s: f64,
    pub stuck_time_s: f64,
    pub easing: f64,
    /// Negative infinity, which the shading languages cannot write.
    pub neg_infinity: f64,
    /// 0, which no compiler knows: a product to which it is added by `fma` is rounded before anything else is added.
    pub zero: f64,
    /// Events that the buffer of the batch holds.
    pub event_capacity: u32,
    pub hole_capacity: u32,
    /// Slots of a calendar and lists per slot, powers of two.
    pub calendar_slots: u32,
    pub lists_per_slot: u32,
    /// Columns of the table of travel times.
    pub speeds: u32,
    /// By how many steps the step of a time may be told too early.
    pub early: u32,
    pub remove_stuck: u32,
    /// See [`super::super::record`].
    pub behavior: u32,
    pub interpretation: u32,
    pub links: u32,
    pub nodes: u32,
    pub seed_low: u32,
    pub seed_high: u32,
}

/// The scenario and the state of everything, in packed records; see [`super::super::record`].
#[derive(CubeLaunch, CubeType)]
pub struct DeviceState {
    pub nodes: Array<u32>,
    /// Whether a node may have vehicles to move.
    pub node_active: Array<u32>,
    /// The step in which each link is to be looked at.
    pub due: Array<Atomic<u32>>,
    /// Who came to depart on each link: in even steps, then in odd ones.
    pub departures: Array<Atomic<u32>>,
    pub links: Array<u32>,
    pub flows: Array<f64>,
    /// With holes.
    pub upstream_ends: Array<f64>,
    /// With holes.
    pub holes: Array<f64>,
    /// With deterministic priorities: accumulated and plain inverse capacity of each link.
    pub priorities: Array<f64>,
    /// Free travel time of each link for each class of vehicle speed.
    pub travel_times: Array<f64>,
    /// Vehicle types.
    pub kinds: Array<f64>,
    pub persons: Array<u32>,
    /// Of each person: when the link may be left, the activity ends, or the teleport arrives.
    pub due_times: Array<f64>,
    /// Position of each person in the order of id texts.
    pub ranks: Array<u32>,
    /// With passing: the slots of all heaps.
    pub heap: Array<u32>,
    pub plans: Array<u32>,
    pub plan_times: Array<f64>,
    pub route_links: Array<u32>,
    /// Where each vehicle is parked.
    pub vehicle_places: Array<u32>,
    /// First person of each list of the calendars: activities, then teleports. Last the number of holes ever made.
    pub calendar: Array<Atomic<u32>>,
    /// Whether a slot of the calendars was used.
    pub calendar_slot_used: Array<u32>,
    /// Vehicles that left each link in the present time bin.
    pub volumes: Array<u32>,
    pub counters: Array<Atomic<u32>>,
    pub events: Array<u32>,
    pub errors: Array<u32>,
}
