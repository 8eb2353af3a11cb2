//! State of one link: vehicles, flow and upstream end.

use std::collections::VecDeque;

use super::upstream_state::UpstreamState;
use super::vehicle::VehicleRecord;
use crate::prepare::attributes::Attributes;
use crate::prepare::rules::Rules;
use crate::rules::flow_capacity::FlowCapacity;
use crate::rules::storage_capacity::LinkCapacities;

use crate::rules::vehicle_queue::VehicleQueue;

/// The data needed to enter a link. The partition of the start node keeps a copy if the link belongs to another one.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Decides whether a vehicle may enter.
    pub upstream_end: UpstreamState,
    /// Length, metres.
    pub length_m: f64,
    /// Current free speed, metres per second.
    pub freespeed_mps: f64,
    /// Start node.
    pub from: u32,
}

/// The upstream end of a link whose downstream end belongs to another partition.
#[derive(Debug, Clone)]
pub(super) struct Ghost {
    pub entry: Entry,
    /// Current attributes.
    pub attributes: Attributes,
}

/// The link data used by the end node, in a quarter of a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct InLink {
    /// Capacity in the units of the network file.
    pub capacity: f64,
    /// Number of vehicles in the buffer.
    pub buffered: u32,
    /// See [`crate::rules::node_transition::NodeView::candidate`].
    pub candidate: bool,
}

/// A link: driving vehicles, vehicles that may cross the node, and vehicles that wait to enter traffic.
///
/// The lists hold the vehicles themselves and grow, because a CPU reads adjacent memory fast. Kernels cannot allocate,
/// and link the records of persons instead.
#[derive(Debug)]
pub(super) struct Link {
    pub entry: Entry,
    pub flow: FlowCapacity,
    /// The time at which the first vehicle of the buffer became the first, seconds of the day.
    pub last_moved: f64,
    /// Vehicles that are driving.
    pub queue: VehicleQueue<VehicleRecord>,
    /// Vehicles that may cross the node.
    pub buffer: VecDeque<VehicleRecord>,
    /// Vehicles that have departed but are not yet in traffic.
    pub waiting: VecDeque<VehicleRecord>,
    /// Whether flow updates are skipped because a vehicle waits for flow capacity only. The updates that MATSim makes
    /// in each step are added later.
    pub flow_updates_skipped: bool,
    /// While updates are skipped: the last step whose update is included.
    pub flow_updated_to: i64,
    /// Whether the link was active in MATSim's sense at the end of the last step.
    pub active: bool,
}

impl Link {
    pub fn new(capacities: &LinkCapacities, length_m: f64, freespeed_mps: f64, from: u32, rules: &Rules) -> Self {
        Self {
            entry: Entry {
                upstream_end: UpstreamState::new(capacities, rules.dynamics, length_m),
                length_m,
                freespeed_mps,
                from,
            },
            flow: FlowCapacity::new(capacities.flow_per_step),
            last_moved: f64::NEG_INFINITY,
            queue: VehicleQueue::default(),
            buffer: VecDeque::new(),
            waiting: VecDeque::new(),
            flow_updates_skipped: false,
            flow_updated_to: 0,
            active: false,
        }
    }

    /// Whether the link has neither queued nor waiting vehicles; the buffer belongs to the node.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.waiting.is_empty()
    }
}
