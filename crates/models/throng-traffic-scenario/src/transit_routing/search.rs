//! The rounds of a search. The [module](super) states the rules.

use std::mem::take;

use throng_core::NONE;

use super::arrays::Arrays;
use super::labels::{Label, Step, StopWalk, TransitRouterScratch};
use super::parameters::Rates;
use super::transfers::Transfers;

/// A search from the access stops to the egress stops of the scratch.
pub(super) struct Search<'a> {
    pub(super) arrays: &'a Arrays,
    pub(super) transfers: &'a Transfers,
    pub(super) rates: &'a Rates,
    pub(super) scratch: &'a mut TransitRouterScratch,
    /// Cost of the best connection so far.
    best: i64,
}

/// A person in a vehicle.
#[derive(Debug, Clone, Copy)]
struct OnBoard {
    /// The step before the ride.
    parent: u32,
    departure: u32,
    /// The time of the departure, to which offsets are added.
    time_s: i32,
    boarding_s: i32,
    first_departure_s: i32,
    transfers: u32,
    /// Costs up to the boarding, waiting included.
    travel_cost: i64,
    transfer_cost: i64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        arrays: &'a Arrays,
        transfers: &'a Transfers,
        rates: &'a Rates,
        scratch: &'a mut TransitRouterScratch,
    ) -> Self {
        Self { arrays, transfers, rates, scratch, best: i64::MAX }
    }

    /// Returns the last step of the best connection, its cost, and the walk to the destination. `None` if there is no
    /// connection, or if the best one has no ride.
    pub(super) fn run(
        mut self,
        start_s: i32,
        max_transfers: u32,
        extra_transfers: u32,
    ) -> Option<(u32, i64, StopWalk)> {
        self.start(start_s);
        let mut last_round = None;
        for round in 0..=max_transfers {
            if self.scratch.improved_calls.is_empty() {
                break;
            }
            self.rides();
            self.transfers();
            if self.best < i64::MAX && round >= *last_round.get_or_insert(round.saturating_add(extra_transfers)) {
                break;
            }
        }
        self.destination()
    }

    fn start(&mut self, start_s: i32) {
        let access = take(&mut self.scratch.access);
        for walk in &access {
            let arrival_s = start_s + walk.time_s;
            for &call in self.arrays.calls_at(walk.stop) {
                if self.arrays.is_last(call) {
                    continue;
                }
                let step = Step {
                    parent: NONE,
                    call,
                    departure: NONE,
                    arrival_s,
                    first_departure_s: arrival_s,
                    transfers: 0,
                    travel_cost: walk.cost,
                    transfer_cost: 0,
                };
                let label = self.scratch.add_step(step);
                if let Some(boarding) = self.board(label.step) {
                    self.scratch.set_call(call, Label { total: boarding.travel_cost, ..label });
                    self.scratch.improved_calls.push(call);
                    self.arrive(walk.stop, label);
                }
            }
        }
        self.scratch.access = access;
    }

    /// The next vehicle at the end of a step; if the step is a ride, its own vehicle.
    fn board(&self, step: u32) -> Option<OnBoard> {
        let Step { parent, call, departure, arrival_s, .. } = self.scratch.steps[step as usize];
        let (parent, departure) = match departure {
            NONE => (step, self.arrays.next_departure(call, arrival_s)?),
            departure => (parent, departure),
        };
        let before = &self.scratch.steps[parent as usize];
        let call = before.call as usize;
        let time_s = self.arrays.departure_time_s[departure as usize];
        let boarding_s = before.arrival_s.max(time_s + self.arrays.arrival_s[call]);
        let is_first = before.parent == NONE;
        let departs_s = time_s + self.arrays.departure_s[call];
        Some(OnBoard {
            parent,
            departure,
            time_s,
            boarding_s,
            first_departure_s: if is_first { departs_s } else { before.first_departure_s },
            transfers: before.transfers,
            travel_cost: before.travel_cost + self.rates.wait * i64::from(boarding_s - before.arrival_s),
            transfer_cost: before.transfer_cost,
        })
    }

    fn rides(&mut self) {
        let mut improved = take(&mut self.scratch.improved_calls);
        improved.sort_unstable();
        let mut followed = NONE;
        for &call in &improved {
            let route = self.arrays.route[call as usize];
            if route == followed {
                continue;
            }
            if let Some(on_board) = self.board(self.scratch.calls[call as usize].step) {
                followed = route;
                self.follow(on_board, call + 1..self.arrays.end(route));
            }
        }
        improved.clear();
        self.scratch.improved_calls = improved;
    }

    fn follow(&mut self, mut on_board: OnBoard, calls: std::ops::Range<u32>) {
        for call in calls {
            let arrival_s = on_board.time_s + self.arrays.arrival_s[call as usize];
            let OnBoard { parent, departure, boarding_s, first_departure_s, transfers, .. } = on_board;
            let step = Step {
                parent,
                call,
                departure,
                arrival_s,
                first_departure_s,
                transfers,
                travel_cost: on_board.travel_cost + self.rates.ride * i64::from(arrival_s - boarding_s),
                transfer_cost: self.rates.transfer_cost(transfers, arrival_s - first_departure_s),
            };
            let (total, old) = (step.total(), self.scratch.calls[call as usize]);
            if total > old.total {
                let other = self.board(old.step);
                on_board = other.filter(|other| other.travel_cost + other.transfer_cost < total).unwrap_or(on_board);
            } else if total <= self.best {
                let label = self.scratch.add_step(step);
                self.scratch.set_call(call, label);
                let stop = self.arrays.stop[call as usize];
                if total <= self.scratch.stops[stop as usize].total {
                    self.arrive(stop, label);
                    self.scratch.improved_stops.push(stop);
                }
            }
        }
    }

    fn arrive(&mut self, stop: u32, label: Label) {
        self.scratch.set_stop(stop, label);
        self.best = self.best.min(label.total.saturating_add(self.scratch.egress_cost[stop as usize]));
    }

    fn transfers(&mut self) {
        let mut improved = take(&mut self.scratch.improved_stops);
        improved.sort_unstable();
        improved.dedup();
        // Stops become steps, because transfers of this round change the labels of stops.
        for stop in &mut improved {
            *stop = self.scratch.stops[*stop as usize].step;
        }
        for &parent in &improved {
            let from = self.scratch.steps[parent as usize];
            for transfer in self.transfers.from(from.call) {
                let arrival_s = from.arrival_s + transfer.time_s;
                let transfers = from.transfers + 1;
                let step = Step {
                    parent,
                    call: transfer.to_call,
                    departure: NONE,
                    arrival_s,
                    transfers,
                    travel_cost: from.travel_cost + self.rates.walk * i64::from(transfer.time_s),
                    transfer_cost: self.rates.transfer_cost(transfers, arrival_s - from.first_departure_s),
                    ..from
                };
                let total = step.total();
                if total < self.scratch.calls[transfer.to_call as usize].total && total <= self.best {
                    let label = self.scratch.add_step(step);
                    self.scratch.set_call(transfer.to_call, label);
                    self.scratch.improved_calls.push(transfer.to_call);
                    let stop = self.arrays.stop[transfer.to_call as usize];
                    if total < self.scratch.stops[stop as usize].total {
                        self.arrive(stop, label);
                    }
                }
            }
        }
        improved.clear();
        self.scratch.improved_stops = improved;
    }

    fn destination(&self) -> Option<(u32, i64, StopWalk)> {
        let arrivals = self.scratch.egress.iter().filter_map(|walk| {
            let label = self.scratch.stops[walk.stop as usize];
            let total = label.total.checked_add(walk.cost)?;
            Some((label.step, total, *walk))
        });
        let best = arrivals.filter(|&(step, ..)| step != NONE).min_by_key(|&(step, total, walk)| {
            let transfers = self.scratch.steps[step as usize].transfers;
            (total, transfers, walk.stop)
        });
        best.filter(|&(step, ..)| self.scratch.steps[step as usize].parent != NONE)
    }
}
