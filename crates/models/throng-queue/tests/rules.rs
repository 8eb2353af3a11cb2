//! Rules that are pure functions have the same results on the host and in a kernel, on every device. The cases in
//! `pitfalls` and `invariants` compare rules over views on both executors.

use throng_core::Philox;
use throng_device::exact::NEGATIVE_ZERO;
use throng_queue::rules::activity_end::end_of_activity;
use throng_queue::rules::crossing::crossing;
use throng_queue::rules::flow_capacity::FlowCapacity;
use throng_queue::rules::inflow_capacity::Inflow;
use throng_queue::rules::upstream_end::{UpstreamEnd, hole_has_arrived, stays_active};
use throng_testing_devices::same_on_devices;
use throng_traffic_scenario::settings::ActivityDurationInterpretation as Interpretation;
use throng_traffic_scenario::settings::TrafficDynamics;

const ROWS: u32 = 20_000;

/// Returns numbers in the range of allowances and times; some are special, so that ties and edge cases occur.
fn number(row: u32, column: u32) -> f64 {
    const SPECIAL: [f64; 7] = [0.0, -0.0, 1.0, -1.0, 1.0 / 3.0, 3600.0, 1e-300];
    let draws = Philox::new(14);
    let kind = draws.below(22, row, 0, 0, column) as usize;
    SPECIAL.get(kind).copied().unwrap_or_else(|| {
        let scale = [1e-3, 1.0, 10.0, 1e5][kind % 4];
        (draws.unit(row, 0, 1, column) - 0.25) * scale
    })
}

/// Returns capacities, which may be infinite. All other values are finite, so that no sum is NaN.
fn capacity(row: u32, column: u32) -> f64 {
    if Philox::new(16).below(12, row, 0, 0, column) == 0 { f64::INFINITY } else { number(row, column) }
}

fn flag(row: u32, column: u32) -> u32 {
    Philox::new(15).below(2, row, 0, 0, column)
}

/// Yields flow accumulators, followed by the time, the length of a step, and the zero that is unknown at compile time.
fn flows() -> impl Iterator<Item = (f64, f64, f64, f64, f64, f64, f64)> {
    (0..ROWS).map(|row| {
        let n = |column| number(row, column);
        let step_s = if row % 3 == 0 { 1.0 } else { n(5).abs().clamp(0.1, 60.0) };
        (capacity(row, 0).abs(), n(1), n(2), capacity(row, 3), n(4), step_s, NEGATIVE_ZERO)
    })
}

same_on_devices! {
    fn fast_updates(per_step: f64, accumulated: f64, at: f64, rest: f64, now: f64, step_s: f64, zero: f64) {
        let mut flow = FlowCapacity { per_step, accumulated, updated_at: at, upper_bound: rest };
        let refills = flow.refill_since_last(now, step_s, zero);
    } -> { changed: u32 = refills as u32, left: f64 = flow.accumulated, time: f64 = flow.updated_at } for flows()
}

same_on_devices! {
    fn slow_updates(per_step: f64, accumulated: f64, at: f64, rest: f64, _now: f64, _step_s: f64, _zero: f64) {
        let mut flow = FlowCapacity { per_step, accumulated, updated_at: at, upper_bound: rest };
        let grows = flow.grows();
        let below = flow.is_below_a_step();
        let refills = flow.refill_one_step();
    } -> { grew: u32 = grows as u32, lower: u32 = below as u32, changed: u32 = refills as u32, left: f64 = flow.accumulated }
    for flows()
}

same_on_devices! {
    fn vehicles_that_leave(per_step: f64, accumulated: f64, at: f64, rest: f64, pcu: f64, easing: f64, _zero: f64) {
        let mut flow = FlowCapacity { per_step, accumulated, updated_at: at, upper_bound: rest };
        let may_leave = flow.has_capacity(pcu, easing);
        flow.consume(pcu, easing);
    } -> {
        leaves: u32 = may_leave as u32,
        left: f64 = flow.accumulated,
        time: f64 = flow.updated_at,
        bound: f64 = flow.upper_bound
    }
    for flows()
}

same_on_devices! {
    fn inflows(accumulated: f64, max: f64) {
        let inflow = Inflow { accumulated, max };
        let full = inflow.is_full();
    } -> { refilled: f64 = inflow.refilled(), is_full: u32 = full as u32 }
    for (0..ROWS).map(|row| (number(row, 0), if row % 4 == 0 { number(row, 0) } else { capacity(row, 1) }))
}

/// Yields upstream ends, followed by the size and the flow consumption of a vehicle.
fn upstream_ends() -> impl Iterator<Item = (f64, f64, f64, f64, f64, f64)> {
    (0..ROWS).map(|row| {
        let storage = if row % 4 == 0 { number(row, 0) } else { capacity(row, 1) };
        (number(row, 0), storage, number(row, 2), number(row, 3), number(row, 4), number(row, 5))
    })
}

same_on_devices! {
    fn links_by_storage(used: f64, storage: f64, remaining: f64, inflow: f64, pcu: f64, consumption: f64) {
        let mut end = UpstreamEnd { used, storage, remaining, inflow };
        let accepts = end.accepts(TrafficDynamics::Queue);
        end.enter(pcu, consumption, TrafficDynamics::Queue);
    } -> { enters: u32 = accepts as u32, use_after: f64 = end.used, room: f64 = end.remaining, flow: f64 = end.inflow }
    for upstream_ends()
}

same_on_devices! {
    fn links_with_holes(used: f64, storage: f64, remaining: f64, inflow: f64, pcu: f64, consumption: f64) {
        let mut end = UpstreamEnd { used, storage, remaining, inflow };
        let accepts = end.accepts(TrafficDynamics::WithHoles);
        end.enter(pcu, consumption, TrafficDynamics::WithHoles);
    } -> { enters: u32 = accepts as u32, use_after: f64 = end.used, room: f64 = end.remaining, flow: f64 = end.inflow }
    for upstream_ends()
}

same_on_devices! {
    fn links_with_waves(used: f64, storage: f64, remaining: f64, inflow: f64, pcu: f64, consumption: f64) {
        let mut end = UpstreamEnd { used, storage, remaining, inflow };
        let accepts = end.accepts(TrafficDynamics::KinematicWaves);
        end.enter(pcu, consumption, TrafficDynamics::KinematicWaves);
    } -> { enters: u32 = accepts as u32, use_after: f64 = end.used, room: f64 = end.remaining, flow: f64 = end.inflow }
    for upstream_ends()
}

same_on_devices! {
    fn holes(arrives_at: f64, now: f64, idle: u32) {
        let arrived = hole_has_arrived(arrives_at, now);
        let active = stays_active(idle != 0u32, arrived);
    } -> { has_arrived: u32 = arrived as u32, is_active: u32 = active as u32 }
    for (0..ROWS).map(|row| (number(row, 0), number(row, 1), flag(row, 2)))
}

same_on_devices! {
    fn crossings(connected: u32, accepted: u32, stands_for_s: f64, stuck_time_s: f64, remove_stuck: u32) {
        let result = crossing(connected != 0u32, accepted != 0u32, stands_for_s, stuck_time_s, remove_stuck != 0u32);
    } -> {
        crosses: u32 = result.crosses as u32,
        pushed: u32 = result.pushed as u32,
        removed: u32 = result.removed as u32,
        moved: u32 = result.moved as u32,
        jammed: u32 = result.jammed as u32,
    } for (0..ROWS).map(|row| (flag(row, 0), flag(row, 1), number(row, 2), number(row, 3), flag(row, 4)))
}

/// Yields whether there is an end time, the end time, the same for the duration, the current time, and the time that
/// represents never.
fn activities() -> impl Iterator<Item = (u32, f64, u32, f64, f64, f64)> {
    let time = |row, column| number(row, column).abs().min(1e9);
    (0..ROWS).map(move |row| (flag(row, 0), time(row, 1), flag(row, 2), time(row, 3), time(row, 4), f64::INFINITY))
}

same_on_devices! {
    fn ends_or_durations(has_end: u32, end: f64, has_duration: u32, duration: f64, now: f64, never: f64) -> f64 {
        let interpretation = Interpretation::TryEndTimeThenDuration;
        end_of_activity(has_end != 0u32, end, has_duration != 0u32, duration, now, never, interpretation)
    } for activities()
}

same_on_devices! {
    fn earlier_ends(has_end: u32, end: f64, has_duration: u32, duration: f64, now: f64, never: f64) -> f64 {
        let interpretation = Interpretation::MinOfDurationAndEndTime;
        end_of_activity(has_end != 0u32, end, has_duration != 0u32, duration, now, never, interpretation)
    } for activities()
}

same_on_devices! {
    fn end_times(has_end: u32, end: f64, has_duration: u32, duration: f64, now: f64, never: f64) -> f64 {
        let interpretation = Interpretation::EndTimeOnly;
        end_of_activity(has_end != 0u32, end, has_duration != 0u32, duration, now, never, interpretation)
    } for activities()
}
