//! The rules on plain numbers. The CPU calls the very functions that the kernels inline.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// One vehicle in the units of flow credit: flows are fixed-point numbers with 20 bits behind the point.
pub const ONE_VEHICLE: u32 = 1 << 20;

/// An entry of a plan from here on is an activity, with its end behind this bit; below it is a link.
pub const ACTIVITY: u32 = 1 << 31;

/// The entry of an activity that does not end. Times are below it by far.
pub const NEVER_ENDS: u32 = u32::MAX;

/// No agent asks for a place on the link.
pub const NO_AGENT: u32 = u32::MAX;

/// Does a plan go on with an activity here?
#[cube]
pub fn is_activity(entry: u32) -> bool {
    entry >= ACTIVITY
}

/// Does an agent whose plan points at `entry` want to depart? That is: it is at an activity, and the end is reached or
/// passed.
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

/// Has a vehicle driven the whole link? Strictly before `now`, as the paper compares; so a link takes one step more
/// than its travel time in whole steps.
#[cube]
pub fn has_driven(depart: u32, now: u32) -> bool {
    depart < now
}

/// Flow credit in a new step: the flow of the step, and what remained below one vehicle.
///
/// ```
/// use throng_papers::strippgen::rules::{ONE_VEHICLE, refilled};
/// // 1.5 vehicles per step: one, two, one, two.
/// let flow = ONE_VEHICLE * 3 / 2;
/// assert_eq!(refilled(0, flow), flow);
/// assert_eq!(refilled(flow - ONE_VEHICLE, flow), 2 * ONE_VEHICLE);
/// // Nothing more is saved in an idle hour.
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

/// Where the vehicle number `k` of a ring lies.
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
