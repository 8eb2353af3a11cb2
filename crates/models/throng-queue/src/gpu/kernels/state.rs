//! The arguments of kernels: compile-time settings, parameters, and the arrays of a run.

use std::marker::PhantomData;

use throng_device::cubecl::prelude::*;
use throng_device::{Gpu, KernelParameter, cubecl};

use super::super::buffers::{BatchBuffers, Buffers};
use crate::rules::journey::JourneyRules;
use crate::rules::link_step::LinkRules;
use crate::rules::node_selection::NodeSelection;
use throng_traffic_scenario::settings::{ActivityDurationInterpretation, TrafficDynamics};

/// Compile-time settings, constant during a run. Each combination compiles to a separate kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KernelConfig {
    pub passing: bool,
    pub dynamics: TrafficDynamics,
    pub selection: NodeSelection,
    pub links: LinkRules,
    pub journeys: JourneyRules,
    pub interpretation: ActivityDurationInterpretation,
    /// Whether events are recorded.
    pub record: bool,
    /// Whether vehicles that leave links are counted.
    pub volumes: bool,
    /// Whether there are events of persons who find no place in a vehicle.
    pub boarding_denied: bool,
}

/// Parameters of the current step.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct StepParameters {
    /// Time of the step, seconds of the day.
    pub time: f64,
    pub step: u32,
    /// The step, counted from the first one of the batch.
    pub batch_step: u32,
    pub run: RunParameters,
}

/// Parameters that are constant during a run, but not compiled into the kernels.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy)]
pub struct RunParameters {
    /// Time of step 0, seconds of the day.
    pub start: f64,
    /// Length of a step, seconds.
    pub step_s: f64,
    pub stuck_time_s: f64,
    pub easing: f64,
    /// Negative infinity, which shading languages cannot express.
    pub neg_infinity: f64,
    /// [`throng_device::exact::NEGATIVE_ZERO`], as a value that is unknown at compile time.
    pub zero: f64,
    /// Capacity of the event buffer of the batch, events.
    pub event_capacity: u32,
    pub hole_capacity: u32,
    /// Slots of a calendar and lists per slot; both are powers of two.
    pub calendar_slots: u32,
    pub lists_per_slot: u32,
    /// Number of columns of the table of travel times.
    pub speeds: u32,
    /// Number of steps subtracted from the computed step of a time, so that it is never too late.
    pub early: u32,
    pub remove_stuck: u32,
    pub links: u32,
    pub nodes: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub transit: TransitParameters,
}

/// Where the parts of [`DeviceState::transit_words`] and [`DeviceState::transit_reals`] begin, and the first driver.
#[derive(CubeLaunch, CubeType, KernelParameter, Clone, Copy, Default)]
pub struct TransitParameters {
    pub first_driver: u32,
    /// Number of stops.
    pub stops: u32,
    pub calls: u32,
    pub drivers: u32,
    pub vehicles_at_stops: u32,
    pub vehicle_ranks: u32,
    pub denied: u32,
    pub denied_capacity: u32,
    pub driver_reals: u32,
    pub doors: u32,
}

/// The scenario and the state of the run as a struct of packed arrays; see [`super::super::record`].
#[derive(CubeLaunch, CubeType)]
pub struct DeviceState {
    pub nodes: Array<u32>,
    /// Whether each node may have vehicles to move.
    pub node_active: Array<u32>,
    /// The step in which each link is due.
    pub due: Array<Atomic<u32>>,
    /// Lists of agents that depart on each link: for even steps, then for odd steps. Then a list of the agents who have
    /// reached each stop, and the number of entries in lists of persons who found no place.
    pub departures: Array<Atomic<u32>>,
    pub links: Array<u32>,
    pub flows: Array<f64>,
    /// With holes: remaining storage capacity and inflow of each link.
    pub upstream_ends: Array<f64>,
    /// With holes: the pool of holes.
    pub holes: Array<f64>,
    /// With deterministic priorities: the accumulated and the plain inverse capacity of each link.
    pub priorities: Array<f64>,
    /// Free-flow travel time of each link for each speed class of vehicles, seconds.
    pub travel_times: Array<f64>,
    /// Reals of the vehicle types.
    pub kinds: Array<f64>,
    pub persons: Array<u32>,
    /// For each person: when the link may be left, the activity ends, or the teleport arrives; seconds of the day.
    pub due_times: Array<f64>,
    /// Rank of each person in the order of ids.
    pub ranks: Array<u32>,
    /// With passing: the slots of all heaps.
    pub heap: Array<u32>,
    pub plans: Array<u32>,
    pub plan_times: Array<f64>,
    pub route_links: Array<u32>,
    /// The link where each vehicle is parked.
    pub vehicle_places: Array<u32>,
    /// Stops, calls, drivers, the first vehicle at the stops of each link, the rank of each vehicle in the order of
    /// ids, entries in lists of persons who found no place.
    pub transit_words: Array<u32>,
    /// Planned departures of calls, drivers, doors of vehicle types.
    pub transit_reals: Array<f64>,
    /// First person of each list of the calendars: activities, then teleports. The last entry is the number of holes
    /// created so far.
    pub calendar: Array<Atomic<u32>>,
    /// Whether a slot of the calendars is in use.
    pub calendar_slot_used: Array<u32>,
    /// Number of vehicles that left each link in the current time bin.
    pub volumes: Array<u32>,
    pub counters: Array<Atomic<u32>>,
    pub events: Array<u32>,
    pub errors: Array<u32>,
}

/// Returns the arrays as a kernel argument.
pub fn state_argument(buffers: &Buffers, batch: BatchBuffers<'_>) -> DeviceStateLaunch<Gpu> {
    DeviceStateLaunch {
        _phantom_runtime: PhantomData,
        nodes: buffers.nodes.arg(),
        node_active: buffers.node_active.arg(),
        due: buffers.due.arg(),
        departures: buffers.departures.arg(),
        links: buffers.links.arg(),
        flows: buffers.flows.arg(),
        upstream_ends: buffers.upstream_ends.arg(),
        holes: buffers.holes.arg(),
        priorities: buffers.priorities.arg(),
        travel_times: buffers.travel_times.arg(),
        kinds: buffers.kinds.arg(),
        persons: buffers.persons.arg(),
        due_times: buffers.due_times.arg(),
        ranks: buffers.ranks.arg(),
        heap: buffers.heap.arg(),
        plans: buffers.plans.arg(),
        plan_times: buffers.plan_times.arg(),
        route_links: buffers.route_links.arg(),
        vehicle_places: buffers.vehicle_places.arg(),
        transit_words: buffers.transit_words.arg(),
        transit_reals: buffers.transit_reals.arg(),
        calendar: buffers.calendar.arg(),
        calendar_slot_used: buffers.calendar_slot_used.arg(),
        volumes: batch.volumes.arg(),
        counters: batch.counters.arg(),
        events: batch.events.arg(),
        errors: batch.errors.arg(),
    }
}

// The views borrow both types.
impl CubeType for &mut DeviceState {
    type ExpandType = DeviceStateExpand;
}
impl CubeType for &StepParameters {
    type ExpandType = StepParametersExpand;
}
