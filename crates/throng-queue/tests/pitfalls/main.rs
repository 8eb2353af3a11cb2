//! The rules of the queue model that are easy to get wrong, each on a network small enough to compute by hand.
//!
//! All expected times are derived in the comments. The base case behind them: a vehicle that departs at 60 on a link
//! with free flow capacity is in the link's buffer at 60, crosses the node at 61, drives `floor(length / speed)`
//! seconds on the next link, and either arrives there or is in that link's buffer at the end of them; it crosses the
//! next node one second later.

mod agents;
mod changes;
#[path = "../common/devices.rs"]
mod devices;
mod flow;
mod helpers;
mod merges;
mod run_control;
mod storage;
mod vehicles;

#[test]
fn verification_cases_hold() {
    let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
    for device in devices::devices() {
        throng_queue::verification::verify(Some(device), &mut tell);
    }
}
