//! The rules of the queue model that are easy to get wrong, each on a network small enough to compute by hand.
//!
//! All expected times are derived in the comments. They start from the base case: a vehicle that departs at 60 on a
//! link with unused flow capacity is in the link's buffer at 60 and crosses the node at 61. It drives on the next link
//! for length / speed seconds, rounded down, and then either arrives on that link or enters its buffer; it crosses the
//! next node one second later.

mod agents;
mod changes;
mod flow;
mod helpers;
mod merges;
mod run_control;
mod storage;
mod vehicles;
mod zeros;

/// Two streets merge into one with half of their total capacity, which leads to a parking place.
#[test]
fn a_merge_is_the_same_on_all_devices() {
    let roads = [
        helpers::street("a", "0", "2", 0.5),
        helpers::street("b", "1", "2", 0.5),
        helpers::street("c", "2", "3", 0.5),
        helpers::parking_place("d", "3", "4"),
    ];
    let names: Vec<String> = (0..12).map(|i| i.to_string()).collect();
    let persons = (0..).zip(&names).fold(helpers::on(&roads), |scenario, (i, name)| {
        let route: &[&str] = if i % 2 == 0 { &["a", "c", "d"] } else { &["b", "c"] };
        scenario.person(name, helpers::trip(60.0 + f64::from(i), route))
    });
    let trace = helpers::run_on_all_devices(persons);
    assert_eq!(trace.count(throng_traffic_scenario::events::EventKind::Arrival), 12);
}

#[test]
fn verification_cases_hold() {
    let mut tell = |verified: throng_core::Verified| assert!(verified.finding.holds, "{verified:?}");
    for device in crate::devices::devices() {
        let on = &throng_device::Executor::from(device);
        throng_queue::verification::verify(on, &mut tell);
    }
}
