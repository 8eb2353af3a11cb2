//! The rules, as functions of plain numbers that the CPU calls and the kernels inline.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// One vehicle in units of flow credit: flows are fixed-point numbers with 20 fractional bits.
pub const ONE_VEHICLE: u32 = 1 << 20;

/// Plan entries with this bit are activities, whose end is in the other bits; entries without it are links.
pub const ACTIVITY: u32 = 1 << 31;

/// The plan entry of an activity that does not end; far above all times.
pub const NEVER_ENDS: u32 = u32::MAX;

/// Marks a link on which no agent claims a slot.
pub const NO_AGENT: u32 = u32::MAX;

/// Whether a plan entry is an activity.
#[cube]
pub fn is_activity(entry: u32) -> bool {
    entry >= ACTIVITY
}

/// Whether an agent at `entry` of its plan wants to depart: the entry is an activity that has ended.
///
/// ```
/// use throng_papers::strippgen::rules::{ACTIVITY, NEVER_ENDS, wants_to_depart};
/// assert!(wants_to_depart(ACTIVITY + 3600, 3600));
/// assert!(!wants_to_depart(ACTIVITY + 3601, 3600));
/// assert!(!wants_to_depart(17, 3600), "on link 17");
/// assert!(!wants_to_depart(NEVER_ENDS, 1_000_000_000));
/// ```
#[cube]
pub fn wants_to_depart(entry: u32, now: u32) -> bool {
    entry >= ACTIVITY && entry <= ACTIVITY + now
}

/// Whether a vehicle has driven the whole link. The comparison is strict, as in the paper, so a link takes one step
/// more than its travel time in whole steps.
#[cube]
pub fn has_driven(depart: u32, now: u32) -> bool {
    depart < now
}

/// The flow credit in a new step: the flow of the step, plus the remaining credit below one vehicle.
///
/// ```
/// use throng_papers::strippgen::rules::{ONE_VEHICLE, refilled};
/// // 1.5 vehicles per step: one, two, one, two.
/// let flow = ONE_VEHICLE * 3 / 2;
/// assert_eq!(refilled(0, flow), flow);
/// assert_eq!(refilled(flow - ONE_VEHICLE, flow), 2 * ONE_VEHICLE);
/// // An idle hour saves no more credit.
/// assert_eq!(refilled(flow, flow), ONE_VEHICLE - 1 + flow);
/// ```
#[cube]
pub fn refilled(credit: u32, flow: u32) -> u32 {
    let mut rest = credit;
    if rest >= ONE_VEHICLE {
        rest = ONE_VEHICLE - 1;
    }
    rest + flow
}

/// The slot of the vehicle with index `k` in a ring.
///
/// ```
/// use throng_papers::strippgen::rules::ring_slot;
/// assert_eq!(ring_slot(100, 3, 0, 5), 103);
/// assert_eq!(ring_slot(100, 3, 2, 5), 100);
/// ```
#[cube]
pub fn ring_slot(start: u32, ep: u32, k: u32, len: u32) -> u32 {
    start + (ep + k) % len
}
