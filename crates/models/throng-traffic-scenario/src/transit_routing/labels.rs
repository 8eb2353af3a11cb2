//! The memory of a search: arrivals at calls and stops, and the steps that lead to them.

use throng_core::NONE;

/// The end of a walk from the origin, of a ride, or of a transfer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The step before it; [`NONE`] for the walk from the origin.
    pub(super) parent: u32,
    /// The call at its end.
    pub(super) call: u32,
    /// The departure of a ride; [`NONE`] for walks.
    pub(super) departure: u32,
    pub(super) arrival_s: i32,
    /// When the first vehicle departs; meaningless before the first ride.
    pub(super) first_departure_s: i32,
    pub(super) transfers: u32,
    /// Costs of walks, rides and waiting, without waiting at the end.
    pub(super) travel_cost: i64,
    /// Costs of all transfers.
    pub(super) transfer_cost: i64,
}

impl Step {
    pub(super) fn total(&self) -> i64 {
        self.travel_cost + self.transfer_cost
    }
}

/// The best arrival at a call or stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// Its cost, with which others are compared.
    pub(super) total: i64,
    /// Index of its step.
    pub(super) step: u32,
}

impl Label {
    /// No arrival.
    pub(super) const NONE: Self = Self { total: i64::MAX, step: NONE };
}

/// A walk between the origin or destination and a stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct StopWalk {
    pub(super) stop: u32,
    pub(super) beeline_m: f64,
    pub(super) time_s: i32,
    pub(super) cost: i64,
}

/// The memory of one search: 16 bytes per call and stop, and 48 bytes for each improvement in one search. Keep one per
/// thread and reuse it; it fits every router.
#[derive(Debug, Default)]
pub struct TransitRouterScratch {
    pub(super) calls: Vec<Label>,
    pub(super) stops: Vec<Label>,
    /// Calls and stops with an arrival, each once.
    pub(super) reached_calls: Vec<u32>,
    pub(super) reached_stops: Vec<u32>,
    pub(super) steps: Vec<Step>,
    /// Calls improved by the last transfers, and stops improved by the last rides; some occur several times.
    pub(super) improved_calls: Vec<u32>,
    pub(super) improved_stops: Vec<u32>,
    pub(super) access: Vec<StopWalk>,
    pub(super) egress: Vec<StopWalk>,
    /// Cost from each stop to the destination; `i64::MAX` if it is no egress stop.
    pub(super) egress_cost: Vec<i64>,
    pub(super) nearby: Vec<(u32, f64)>,
}

impl TransitRouterScratch {
    /// Forgets the last search.
    pub(super) fn clear(&mut self, calls: usize, stops: usize) {
        for call in self.reached_calls.drain(..) {
            self.calls[call as usize] = Label::NONE;
        }
        for stop in self.reached_stops.drain(..) {
            self.stops[stop as usize] = Label::NONE;
        }
        for walk in self.egress.drain(..) {
            self.egress_cost[walk.stop as usize] = i64::MAX;
        }
        self.access.clear();
        self.steps.clear();
        self.improved_calls.clear();
        self.improved_stops.clear();
        self.calls.resize(self.calls.len().max(calls), Label::NONE);
        self.stops.resize(self.stops.len().max(stops), Label::NONE);
        self.egress_cost.resize(self.egress_cost.len().max(stops), i64::MAX);
    }

    /// Adds a step and returns its label.
    pub(super) fn add_step(&mut self, step: Step) -> Label {
        self.steps.push(step);
        Label { total: step.total(), step: self.steps.len() as u32 - 1 }
    }

    pub(super) fn set_call(&mut self, call: u32, label: Label) {
        let of_call = &mut self.calls[call as usize];
        if of_call.step == NONE {
            self.reached_calls.push(call);
        }
        *of_call = label;
    }

    pub(super) fn set_stop(&mut self, stop: u32, label: Label) {
        let of_stop = &mut self.stops[stop as usize];
        if of_stop.step == NONE {
            self.reached_stops.push(stop);
        }
        *of_stop = label;
    }
}
