//! Storage, holes, inflow, and vehicles that are stuck because a link is full for too long.

use super::helpers::{Road, on, parking_place, run, size, street, trip};
use throng_traffic_scenario::events::EventKind;
use throng_traffic_scenario::settings::{Compat, InflowCapacity, Settings, TrafficDynamics};

/// Returns how many of 30 vehicles in one buffer enter a link of this length, speed and flow at the same time.
fn enter_at_once(length: f64, speed: f64, per_second: f64, change: impl FnOnce(&mut Settings)) -> usize {
    let roads: [Road<'_>; 2] =
        [street("a", "0", "1", 1000.0), ("c", "1", "2", length, speed, 3600.0 * per_second, 1.0)];
    let ids: Vec<String> = (0..30).map(|i| i.to_string()).collect();
    let s = ids.iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    let t = run(s.settings(|s| {
        s.qsim.stuck_time_s = 1e6;
        change(s);
    }));
    let (entered, at) = (t.entered("c"), |entry: &str| entry.split('@').nth(1).map(str::to_owned));
    let first = entered.split(' ').next().and_then(at);
    entered.split(' ').filter(|entry| at(entry) == first).count()
}

#[test]
fn p09_storage_is_length_times_lanes_over_cell() {
    // 75 m / 7.5 m = 10.
    assert_eq!(enter_at_once(75.0, 10.0, 0.1, |_| {}), 10);
    // A factor of 0.25 gives 2.5: the third vehicle finds 2 < 2.5.
    assert_eq!(enter_at_once(75.0, 10.0, 0.1, |s| s.qsim.storage_capacity_factor = 0.25), 3);
}

#[test]
fn p09_storage_holds_at_least_the_flow_of_a_step() {
    // One cell, but 5 vehicles per step. Under way at free flow: 0.25 s * 5 = 1.25.
    assert_eq!(enter_at_once(7.5, 30.0, 5.0, |_| {}), 5);
    // The flow of a step scales with its length: 1 per second for 5 s. Under way at free flow: 0.25.
    assert_eq!(
        enter_at_once(7.5, 30.0, 1.0, |s| {
            s.qsim.time_step_s = 5.0;
        }),
        5
    );
}

#[test]
fn p09_storage_holds_at_least_the_vehicles_under_free_flow() {
    // 10 cells, but 75 m / 2.5 m/s * 0.5 = 15 vehicles under way.
    assert_eq!(enter_at_once(75.0, 2.5, 0.5, |_| {}), 15);
}

#[test]
fn p09_the_free_flow_minimum_is_scaled_since_2024_only() {
    let tenth = |compat| {
        enter_at_once(75.0, 2.5, 0.5, |s| {
            s.qsim.flow_capacity_factor = 0.1;
            s.qsim.storage_capacity_factor = 0.1;
            s.extensions.compat = compat;
        })
    };
    // 1 by length. In later releases 15 * 0.1 = 1.5, so the second vehicle finds 1 < 1.5.
    assert_eq!(tenth(Compat::Matsim2024), 2);
    assert_eq!(tenth(Compat::Matsim13), 15);
}

#[test]
fn p09_storage_with_holes_is_at_least_the_minimum_of_the_fundamental_diagram() {
    // 75 * 0.5 * (10 + 25/6) / (10 * 25/6) = 12.75.
    assert_eq!(enter_at_once(75.0, 10.0, 0.5, |s| s.qsim.traffic_dynamics = TrafficDynamics::WithHoles), 13);
    assert_eq!(enter_at_once(75.0, 10.0, 0.5, |_| {}), 10);
}

#[test]
fn p10_a_stuck_vehicle_is_pushed_after_the_stuck_time() {
    let roads = [street("a", "0", "1", 3.0), parking_place("c", "1", "2")];
    let t = run(["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"]))));
    // 3 takes the only place on c. 2 is first in the buffer from 61, and 72 is the first second with 72 - 61 > 10. 1 is
    // first from 72, so its time ends at 83.
    assert_eq!(t.left("a"), "3@61 2@72 1@83");
    assert_eq!((t.outcome.stats.stuck_pushed, t.outcome.stats.arrivals), (2, 3));
    // Each vehicle still drives for 80 s.
    assert_eq!(t.arrived("c"), "3@141 2@152 1@163");
}

#[test]
fn p10_followers_leave_in_the_step_of_a_push() {
    let roads = [street("a", "0", "1", 3.0), parking_place("c", "1", "2"), street("d", "1", "3", 1.0)];
    let t = run(on(&roads)
        .person("3", trip(60.0, &["a", "c"]))
        .person("2", trip(60.0, &["a", "c"]))
        .person("1", trip(60.0, &["a", "d"])));
    assert_eq!(t.left("a"), "3@61 2@72 1@72");
}

#[test]
fn p10_the_stuck_time_counts_from_the_moment_the_vehicle_is_first() {
    // w comes from d and fills c from 51.
    let roads = [street("a", "0", "1", 1.0), street("d", "3", "1", 1.0), parking_place("c", "1", "2")];
    let t = run(on(&roads).person("w", trip(50.0, &["d", "c"])).person("1", trip(60.0, &["a", "c"])));
    // It is first in an empty buffer from 60: 71 - 60 > 10.
    assert_eq!(t.left("a"), "1@71");
}

#[test]
fn p11_a_removed_vehicle_leaves_the_link_and_its_driver_is_aborted() {
    let roads = [street("a", "0", "1", 3.0), parking_place("c", "1", "2"), street("d", "1", "3", 1.0)];
    let t = run(on(&roads)
        .person("3", trip(60.0, &["a", "c"]))
        .person("2", trip(60.0, &["a", "c"]))
        .person("1", trip(60.0, &["a", "d"]))
        .settings(|s| s.qsim.remove_stuck_vehicles = true));
    assert_eq!(t.of("2")[3..], ["60 vehicle enters traffic a car", "72 left link a", "72 stuckAndAbort a car"]);
    assert_eq!(t.count(EventKind::VehicleAborts), 0);
    // After a removal, link a moves no further vehicle in this step.
    assert_eq!(t.left("a"), "3@61 2@72 1@73");
    assert_eq!((t.outcome.stats.stuck_removed, t.outcome.stats.aborted, t.outcome.stats.aborted_at_end), (1, 1, 0));
}

#[test]
fn p13_a_trip_on_one_link_arrives_at_once_and_frees_unused_storage() {
    let roads = [street("a", "0", "1", 3.0), parking_place("c", "1", "2")];
    let s = ["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    let t = run(s.person("w", trip(50.0, &["c"])).settings(|s| s.qsim.stuck_time_s = 1000.0));
    assert_eq!(
        t.of("w"),
        [
            "50 actend h c",
            "50 departure c car",
            "50 PersonEntersVehicle",
            "50 vehicle enters traffic c car",
            "50 vehicle leaves traffic c car",
            "50 PersonLeavesVehicle",
            "50 arrival c car",
            "50 actstart w c",
        ]
    );
    // -1 is in use, so there is room for two.
    assert_eq!(t.entered("c"), "3@61 2@61 1@142");
}

#[test]
fn p13_a_trip_on_one_link_overtakes_driving_vehicles() {
    let roads = [street("a", "0", "1", 3.0), ("c", "1", "2", 750.0, 10.0, 3600.0, 1.0)];
    let t = run(on(&roads).person("1", trip(60.0, &["a", "c"])).person("w", trip(100.0, &["c"])));
    // 1 is under way until 61 + 75.
    assert_eq!(t.arrived("c"), "w@100 1@136");
}

#[test]
fn p13_a_trip_on_one_link_needs_flow_to_begin_but_uses_none() {
    let roads = [street("a", "0", "1", 0.25), street("c", "1", "2", 1.0)];
    let t = run(on(&roads)
        .person("3", trip(60.0, &["a", "c"]))
        .person("2", trip(60.0, &["a"]))
        .person("1", trip(60.0, &["a", "c"])));
    // 60: 0.25, 3 goes, -0.75; 63: 0; 64: 0.25, 2 goes, and so does 1.
    assert_eq!(t.in_traffic("a"), "3@60 2@64 1@64");
    assert_eq!(t.arrived("a"), "2@64");
}

#[test]
fn p16_a_hole_counts_only_after_its_arrival_time() {
    // A hole takes 37.5 m / 15 km/h = 9 s. Five cells times 0.2 hold one vehicle, for 80 s.
    let roads = [street("a", "0", "1", 2.0), ("c", "1", "2", 37.5, 0.46875, 36.0, 1.0), street("d", "2", "3", 1.0)];
    let at = |dynamics, departs_on_c: f64| {
        let s = ["1", "2"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
        let t = run(s.person("z", trip(departs_on_c, &["c", "d"])).settings(|s| {
            s.qsim.traffic_dynamics = dynamics;
            s.qsim.storage_capacity_factor = 0.2;
            s.qsim.stuck_time_s = 1000.0;
        }));
        t.entered("c")
    };
    assert_eq!(at(TrafficDynamics::Queue, 500.0), "2@61 1@142");
    // 2 arrives at 141, the hole at 150. 150 < 150 is false, so the links of 151 credit the hole, even if c has
    // something else to do at 150.
    assert_eq!(at(TrafficDynamics::WithHoles, 500.0), "2@61 1@152");
    assert_eq!(at(TrafficDynamics::WithHoles, 150.0), "2@61 1@152");
}

#[test]
fn p17_inflow_starts_at_one_and_is_refilled_up_to_the_maximum_of_the_diagram() {
    let roads = [street("a", "0", "1", 5.0), ("c", "1", "2", 750.0, 10.0, 3600.0, 1.0)];
    let entered = |change: fn(&mut Settings)| {
        let s = ["1", "2", "3", "4", "5"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
        let t = run(s.settings(|s| {
            s.qsim.traffic_dynamics = TrafficDynamics::KinematicWaves;
            s.qsim.stuck_time_s = 1000.0;
            change(s);
        }));
        t.entered("c")
    };
    // (1 / 7.5) / (1 / (25/6) + 1 / 10) = 0.3922 per second. 61: 1, enters, 0, refilled to 0.392. 62: enters, -0.608,
    // -0.216. 63: no, 0.176. 64: enters, -0.824, -0.431. 65: -0.039. 66: 0.353. 67: enters, -0.647, -0.255. 68: 0.137.
    assert_eq!(entered(|_| {}), "5@61 4@62 3@64 2@67 1@69");
    assert_eq!(entered(|s| s.extensions.compat = Compat::Matsim13), "5@61 4@62 3@64 2@67 1@69");
    // With the flow capacity as the limit it is one per second.
    assert_eq!(entered(|s| s.qsim.inflow_capacity = InflowCapacity::NrOfLanesFromFdiag), "5@61 4@62 3@63 2@64 1@65");
}

#[test]
fn p17_the_inflow_of_an_inactive_link_is_not_refilled() {
    // c takes no time (1 m), and its holes take 0.24 s.
    let roads = [street("a", "0", "1", 2.0), ("c", "1", "2", 1.0, 10.0, 3600.0, 1.0), street("d", "2", "3", 1.0)];
    for departs_on_c in [62.0, 500.0] {
        let t = run(on(&roads)
            .vehicle_type(size(2.0))
            .person("truck", |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c"]).stay("w", "c"))
            .person("1", trip(100.0, &["a", "c"]))
            .person("z", trip(departs_on_c, &["c", "d"]))
            .settings(|s| s.qsim.traffic_dynamics = TrafficDynamics::KinematicWaves));
        // 61: 1 - 2 = -1, refilled to -0.608 in 61 and to -0.216 in 62, when the hole has arrived. c then sleeps, even
        // if a vehicle departs there in 62. 1 is in the buffer from 100 and enters only as a stuck vehicle.
        assert_eq!(t.entered("c"), "truck@61 1@111", "{departs_on_c}");
    }
}

#[test]
fn p17_under_the_slow_update_inflow_is_refilled_for_as_long_as_flow_accumulates() {
    // As above, but the truck continues to d, so it uses flow of c, which has 0.1 per second.
    let roads = [street("a", "0", "1", 2.0), ("c", "1", "2", 1.0, 10.0, 360.0, 1.0), street("d", "2", "3", 1.0)];
    let entered = |fast| {
        let t = run(on(&roads)
            .vehicle_type(size(2.0))
            .person("truck", |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c", "d"]).stay("w", "d"))
            .person("1", trip(100.0, &["a", "c"]))
            .settings(|s| {
                s.qsim.traffic_dynamics = TrafficDynamics::KinematicWaves;
                s.qsim.using_fast_capacity_update = fast;
            }));
        t.entered("c")
    };
    // The truck leaves 0.1 - 2 = -1.9 of the flow at 61, which is back at 0.1 twenty steps later. Until then c is
    // stepped, so that its inflow of -0.216 at 62 is 0.176 at 63 and full at 64: 1 enters immediately.
    assert_eq!(entered(false), "truck@61 1@101");
    // Under the fast update c sleeps from 62.
    assert_eq!(entered(true), "truck@61 1@111");
}

#[test]
fn p24_the_size_of_the_entrant_does_not_matter() {
    // Room for two vehicles, for 80 s.
    let roads = [street("a", "0", "1", 10.0), ("c", "1", "2", 15.0, 0.1875, 36.0, 1.0)];
    let t = run(on(&roads)
        .vehicle_type(size(3.0))
        .person("3", trip(60.0, &["a", "c"]))
        .person("2", |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c"]).stay("w", "c"))
        .person("1", trip(60.0, &["a", "c"]))
        .settings(|s| s.qsim.stuck_time_s = 1000.0));
    // 1 < 2, so a vehicle of size 3 enters; 4 are in use until both arrive at 141.
    assert_eq!(t.entered("c"), "3@61 2@61 1@142");
}
