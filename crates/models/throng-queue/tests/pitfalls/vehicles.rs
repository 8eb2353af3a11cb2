//! The locations of vehicles, and vehicles that overtake.

use super::helpers::{failure, on, run, street, trip};
use throng_queue::RunError;
use throng_traffic_scenario::settings::{LinkDynamics, VehicleBehavior};
use throng_traffic_scenario::{ScenarioBuilder, VehicleType};

/// `first` drives vehicle v from a to c, where it arrives at 61 + 10; `second` wants v on `link` at `time`.
fn shared_vehicle(link: &'static str, time: f64, behavior: VehicleBehavior) -> ScenarioBuilder {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0), street("d", "2", "3", 1.0)];
    let route: &'static [&'static str] = if link == "a" { &["a", "c"] } else { &["c", "d"] };
    on(&roads)
        .person("first", |p| p.until("h", "a", 60.0).vehicle("v").drive("car", &["a", "c"]).stay("w", "c"))
        .person("second", |p| p.until("h", link, time).vehicle("v").drive("car", route).stay("w", route[1]))
        .settings(|s| s.qsim.vehicle_behavior = behavior)
}

#[test]
fn p15_a_parked_vehicle_is_teleported_to_its_driver() {
    let t = run(shared_vehicle("a", 100.0, VehicleBehavior::Teleport));
    assert_eq!(t.of("second")[2..4], ["100 PersonEntersVehicle", "100 vehicle enters traffic a car"]);
    assert_eq!(t.outcome.stats.teleported_vehicles, 1);
    // The trip begins on a, although the vehicle was on c.
    assert_eq!(t.left("a"), "v@61 v@101");
}

#[test]
fn p15_a_vehicle_in_use_cannot_be_teleported() {
    let error = failure(shared_vehicle("a", 65.0, VehicleBehavior::Teleport));
    assert!(matches!(&error, RunError::VehicleNotHere { in_use: true, .. }), "{error}");
}

#[test]
fn p15_a_driver_may_wait_until_the_vehicle_arrives() {
    let t = run(shared_vehicle("c", 65.0, VehicleBehavior::Wait));
    // There is no event while waiting. The waiting list of c was processed before the arrival, so the trip begins at
    // 72.
    assert_eq!(
        t.of("second"),
        [
            "65 actend h c",
            "65 departure c car",
            "71 PersonEntersVehicle",
            "72 vehicle enters traffic c car",
            "83 vehicle leaves traffic d car",
            "83 PersonLeavesVehicle",
            "83 arrival d car",
            "83 actstart w d",
        ]
    );
    assert_eq!(t.outcome.waiting_for_ever, 0);
}

#[test]
fn p15_a_driver_without_vehicle_waits_for_ever() {
    let t = run(shared_vehicle("a", 100.0, VehicleBehavior::Wait));
    assert_eq!(t.of("second")[1..], ["100 departure a car", "100 stuckAndAbort a car"]);
    assert_eq!((t.outcome.waiting_for_ever, t.outcome.stats.aborted_at_end), (1, 1));
}

#[test]
fn p15_a_vehicle_elsewhere_may_be_an_error() {
    let error = failure(shared_vehicle("a", 100.0, VehicleBehavior::Exception));
    let text = error.to_string();
    assert!(matches!(error, RunError::VehicleNotHere { in_use: false, .. }), "{text}");
    for part in ["\"second\"", "\"v\"", "\"a\"", "00:01:40"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_parked_vehicle_is_used_for_the_return_trip() {
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "0", 1.0)];
    let t = run(on(&roads)
        .person("1", |p| {
            p.until("h", "a", 60.0)
                .drive("car", &["a", "c"])
                .until("w", "c", 100.0)
                .drive("car", &["c", "a"])
                .stay("h", "a")
        })
        .settings(|s| s.qsim.vehicle_behavior = VehicleBehavior::Exception));
    assert_eq!(t.arrived("a"), "1@111");
}

fn slow_before_fast(dynamics: LinkDynamics) -> String {
    let slow = VehicleType { id: "slow".into(), maximum_velocity_mps: 5.0, ..VehicleType::default_car() };
    let roads = [street("a", "0", "1", 1.0), ("b", "1", "2", 200.0, 10.0, 3600.0, 1.0), street("c", "2", "3", 1.0)];
    let t = run(on(&roads)
        .vehicle_type(slow)
        .person("slow", |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "b", "c"]).stay("w", "c"))
        .person("fast", trip(70.0, &["a", "b", "c"]))
        .settings(|s| s.qsim.link_dynamics = dynamics));
    t.left("b")
}

#[test]
fn fast_vehicles_overtake_on_a_passing_link_only() {
    // slow: 61 + 40, fast: 71 + 20.
    assert_eq!(slow_before_fast(LinkDynamics::PassingQ), "fast@92 slow@102");
    // The fast vehicle is behind the slow one, which takes the flow of 101.
    assert_eq!(slow_before_fast(LinkDynamics::Fifo), "slow@102 fast@103");
}

#[test]
fn a_trip_on_one_link_is_first_on_a_passing_link_too() {
    let roads = [street("a", "0", "1", 3.0), ("c", "1", "2", 750.0, 10.0, 3600.0, 1.0)];
    let t = run(on(&roads)
        .person("1", trip(60.0, &["a", "c"]))
        .person("w", trip(100.0, &["c"]))
        .settings(|s| s.qsim.link_dynamics = LinkDynamics::PassingQ));
    assert_eq!(t.arrived("c"), "w@100 1@136");
}
