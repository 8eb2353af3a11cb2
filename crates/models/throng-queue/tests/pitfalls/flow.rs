//! Flow capacity, the order of a step, and travel times.

use super::helpers::{network, on, parking_place, run, size, street, trip};
use throng_traffic_scenario::{ScenarioBuilder, VehicleType};

#[test]
fn p01_nodes_come_before_links_in_a_step() {
    let short = ("b", "1", "2", 5.0, 10.0, 3600.0, 1.0);
    let t =
        run(on(&[street("a", "0", "1", 1.0), short, street("c", "2", "3", 1.0)])
            .person("1", trip(60.0, &["a", "b", "c"])));
    // 1 enters the buffer of a at 60, after the nodes were processed. b takes 0 s, so the vehicle enters it and reaches
    // its buffer in one step (nodes, then links), but leaves it in the next step. c: 62 + 10.
    assert_eq!(
        t.of("1"),
        [
            "60 actend h a",
            "60 departure a car",
            "60 PersonEntersVehicle",
            "60 vehicle enters traffic a car",
            "61 left link a",
            "61 entered link b",
            "62 left link b",
            "62 entered link c",
            "72 vehicle leaves traffic c car",
            "72 PersonLeavesVehicle",
            "72 arrival c car",
            "72 actstart w c",
        ]
    );
}

#[test]
fn p02_arrival_ignores_flow_capacity() {
    let roads = [street("a", "0", "1", 3.0), street("c", "1", "2", 0.01)];
    let t = run(["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"]))));
    // c lets one vehicle leave every 100 s, but all three trips end there: 61 + 10.
    assert_eq!(t.arrived("c"), "3@71 2@71 1@71");
}

#[test]
fn p03_departing_vehicles_use_flow_but_no_storage_and_enter_the_buffer() {
    // b holds one vehicle for 1 s.
    let roads = [street("a", "0", "1", 1.0), ("b", "1", "2", 7.5, 7.5, 3600.0, 1.0), street("c", "2", "3", 1.0)];
    let s = ["1", "2", "3"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["b", "c"])));
    let t = run(s.person("x", trip(60.0, &["a", "b", "c"])));
    // One vehicle per second moves from the waiting list into the buffer, without driving on b.
    assert_eq!(t.in_traffic("b"), "3@60 2@61 1@62");
    // At 61 x finds b empty, although 2 and 1 wait there. It could leave at 62, but 1 has used the flow of 62.
    assert_eq!(t.entered("b"), "x@61");
    assert_eq!(t.left("b"), "3@61 2@62 1@63 x@64");
}

#[test]
fn p04_the_buffer_does_not_count_as_storage() {
    let roads = [street("a", "0", "1", 1.0), ("b", "1", "2", 7.5, 7.5, 3600.0, 1.0), parking_place("c", "2", "3")];
    let s = [("w", 60.0), ("x", 61.0), ("y", 62.0), ("z", 66.0)]
        .iter()
        .fold(on(&roads), |s, &(id, time)| s.person(id, trip(time, &["a", "b", "c"])));
    let t = run(s.settings(|s| s.qsim.stuck_time_s = 1000.0));
    // w drives on b from 61 to 62 and on c from 63 to 143. b is free after the links of 62, so x enters it at 63, and
    // waits in its buffer from 64. y left the waiting list of a at 63 and enters b at 65: x in the buffer takes no
    // room. y must stay in the queue of b, so z enters only when x has left (144) and y has moved up: at 145.
    assert_eq!(t.entered("b"), "w@61 x@63 y@65 z@145");
}

#[test]
fn p05_link_travel_time_is_rounded_down_to_whole_steps() {
    let b = ("b", "1", "2", 100.0, 13.9, 3600.0, 1.0);
    let slow = VehicleType { id: "slow".into(), maximum_velocity_mps: 4.17, ..VehicleType::default_car() };
    let roads = [street("a", "0", "1", 1.0), b, street("c", "2", "3", 1.0)];
    let t = run(on(&roads)
        .vehicle_type(slow)
        .person("1", trip(60.0, &["a", "b", "c"]))
        .person("2", |p| p.until("h", "a", 100.0).kind(1).drive("car", &["a", "b", "c"]).stay("w", "c")));
    // 100 / 13.9 = 7.19: 61 + 7, plus one step to cross the node. 100 / 4.17 = 23.98: 101 + 23 + 1.
    assert_eq!(t.left("b"), "1@69 2@125");
}

#[test]
fn p06_a_vehicle_leaves_while_the_allowance_is_above_zero_and_may_overdraw_it() {
    // 0.375 vehicles per second, exact in binary.
    let roads = [street("a", "0", "1", 0.375), street("c", "1", "2", 1.0)];
    let t = run(["1", "2", "3", "4", "5"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"]))));
    // 60: 0.375, go, -0.625. 61: -0.25. 62: 0.125, go, -0.875. 63: -0.5. 64: -0.125. 65: 0.25, go, -0.75. 66: -0.375.
    // 67: 0, which is not above 0. 68: 0.375, go, -0.625. 70: 0.125, go.
    assert_eq!(t.in_traffic("a"), "5@60 4@62 3@65 2@68 1@70");
}

#[test]
fn p07_vehicles_in_the_buffer_bound_the_allowance() {
    let roads = [street("a", "0", "1", 2.0), parking_place("c", "1", "2")];
    let s = ["1", "2", "3", "4"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    let t = run(s.settings(|s| s.qsim.stuck_time_s = 1000.0));
    // 60: two go. 61: 4 occupies c until 141; one vehicle remains in the buffer, so the allowance is at most 2 - 1 = 1:
    // 2 goes. Now two are in the buffer and the bound is 2 - 2 = 0, so the allowance does not grow however long they
    // wait. 142: 3 moves on, 1 goes.
    assert_eq!(t.in_traffic("a"), "4@60 3@60 2@61 1@142");
}

#[test]
fn p08_a_blocked_buffer_accumulates_the_allowance_of_one_step_only() {
    // w comes from d and fills c from 51 to 131.
    let roads = [street("a", "0", "1", 0.5), street("d", "3", "1", 1.0), parking_place("c", "1", "2")];
    let s = on(&roads)
        .person("w", trip(50.0, &["d", "c"]))
        .person("1", trip(60.0, &["a", "c"]))
        .person("2", trip(60.0, &["a", "c"]));
    let t = run(s.settings(|s| s.qsim.stuck_time_s = 1000.0));
    // 60: 0.5, 2 goes, -0.5; the bound is 0.5 - 1, so nothing is added. 132: 2 leaves the buffer and one step is added:
    // -0.5 + 0.5 = 0, not above 0. 133: 0.5, 1 goes. If the time since 60 counted, 1 would go at 132.
    assert_eq!(t.in_traffic("a"), "2@60 1@133");
}

#[test]
fn p09_the_initial_allowance_is_the_flow_of_one_step() {
    let roads = [street("a", "0", "1", 3.0), street("c", "1", "2", 1.0)];
    let t = run(["1", "2", "3", "4"].iter().fold(on(&roads), |s, id| s.person(id, trip(0.0, &["a", "c"]))));
    // This applies even in the very first second, at midnight.
    assert_eq!(t.in_traffic("a"), "4@0 3@0 2@0 1@1");
}

#[test]
fn p18_capacities_refer_to_the_capacity_period_of_the_network() {
    let mut network = network(&[street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)]);
    network.capacity_period_s = 7200.0;
    let s = ["1", "2", "3"].iter().fold(ScenarioBuilder::new(network), |s, id| s.person(id, trip(60.0, &["a", "c"])));
    // 3600 in two hours is 0.5 per second: 0.5, go, -0.5; 0; 0.5, go.
    assert_eq!(run(s).in_traffic("a"), "3@60 2@62 1@64");
}

#[test]
fn p23_a_step_of_ten_seconds_scales_flow_and_rounds_times() {
    let b = ("b", "1", "2", 100.0, 13.9, 36_000.0, 1.0);
    let c = ("c", "2", "3", 399.0, 10.0, 3600.0, 1.0);
    let ids = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"];
    let s =
        ids.iter().fold(on(&[street("a", "0", "1", 1.0), b, c]), |s, id| s.person(id, trip(63.0, &["a", "b", "c"])));
    let t = run(s.settings(|s| s.qsim.time_step_s = 10.0));
    // Steps at 63, 73, ... with ten vehicles each. b: 7.19 s, rounded down to 0 steps. c: 39.9 s, rounded down to 30 s.
    let first = "12@63 11@63 10@63 09@63 08@63 07@63 06@63 05@63 04@63 03@63";
    assert_eq!(t.in_traffic("a"), format!("{first} 02@73 01@73"));
    assert_eq!(t.left("b"), format!("{} 02@93 01@93", first.replace("@63", "@83")));
    assert_eq!(t.arrived("c"), format!("{} 02@123 01@123", first.replace("@63", "@113")));
}

#[test]
fn p23_a_step_of_half_a_second_scales_flow_and_rounds_times() {
    let b = ("b", "1", "2", 77.0, 10.0, 36_000.0, 1.0);
    let s = ["1", "2"]
        .iter()
        .fold(on(&[street("a", "0", "1", 1.0), b, street("c", "2", "3", 1.0)]), |s, id| {
            s.person(id, trip(60.0, &["a", "b", "c"]))
        })
        .settings(|s| s.qsim.time_step_s = 0.5);
    let t = run(s);
    // Half a vehicle per step. 60: 0.5, go, -0.5; 60.5: 0; 61: 0.5, go. b: 7.7 s, rounded down to 7.5.
    assert_eq!(t.in_traffic("a"), "2@60 1@61");
    assert_eq!(t.entered("b"), "2@60.5 1@61.5");
    assert_eq!(t.left("b"), "2@68.5 1@69.5");
}

#[test]
fn the_slow_capacity_update_gives_the_same_times() {
    let roads = [street("a", "0", "1", 0.375), parking_place("c", "1", "2"), street("d", "1", "3", 1.0)];
    let s = ["1", "2", "3", "4", "5"].iter().fold(on(&roads), |s, id| s.person(id, trip(60.0, &["a", "d"])));
    let s = s.settings(|s| s.qsim.using_fast_capacity_update = false);
    // As in p06.
    assert_eq!(run(s).in_traffic("a"), "5@60 4@62 3@65 2@68 1@70");
}

#[test]
fn small_vehicles_pass_without_allowance_under_easing() {
    let roads = [street("a", "0", "1", 0.125), street("c", "1", "2", 1.0)];
    let s = |threshold: f64| {
        on(&roads)
            .vehicle_type(size(0.1))
            .settings(|s| s.qsim.pcu_threshold_for_flow_capacity_easing = threshold)
            .person("3", trip(60.0, &["a", "c"]))
            .person("2", |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c"]).stay("w", "c"))
            .person("1", trip(60.0, &["a", "c"]))
    };
    // 60: 0.125, 3 goes, -0.875; 0 after 7 s, positive at 68: 2 goes, and 0.025 is left for 1.
    assert_eq!(run(s(0.09)).in_traffic("a"), "3@60 2@68 1@68");
    // With easing 2 goes immediately, which leaves -0.975; 0.025 at 68.
    assert_eq!(run(s(0.1)).in_traffic("a"), "3@60 2@60 1@68");
}

#[test]
fn flow_efficiency_divides_the_flow_that_a_vehicle_uses() {
    let swarm = VehicleType { id: "swarm".into(), flow_efficiency: 2.0, ..VehicleType::default_car() };
    let roads = [street("a", "0", "1", 1.0), street("c", "1", "2", 1.0)];
    let s = ["1", "2", "3", "4"].iter().fold(on(&roads).vehicle_type(swarm), |s, id| {
        s.person(id, |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c"]).stay("w", "c"))
    });
    // Each vehicle uses half a vehicle of flow, so two go per second.
    assert_eq!(run(s).in_traffic("a"), "4@60 3@60 2@61 1@61");
}

#[test]
fn flow_efficiency_does_not_change_the_room_a_vehicle_takes() {
    let swarm = VehicleType { id: "swarm".into(), flow_efficiency: 2.0, ..VehicleType::default_car() };
    let roads = [street("a", "0", "1", 2.0), parking_place("c", "1", "2")];
    let s = ["1", "2"].iter().fold(on(&roads).vehicle_type(swarm), |s, id| {
        s.person(id, |p| p.until("h", "a", 60.0).kind(1).drive("car", &["a", "c"]).stay("w", "c"))
    });
    // The only place on c is taken from 61 to 141.
    assert_eq!(run(s.settings(|s| s.qsim.stuck_time_s = 1000.0)).entered("c"), "2@61 1@142");
}

#[test]
fn the_setting_decides_between_waiting_and_driving_vehicles() {
    let b = ("b", "1", "2", 100.0, 10.0, 3600.0, 1.0);
    let roads = [street("a", "0", "1", 1.0), b, street("c", "2", "3", 1.0)];
    let s = |first: bool| {
        on(&roads)
            .person("driving", trip(60.0, &["a", "b", "c"]))
            .person("waiting", trip(71.0, &["b", "c"]))
            .person("staying", trip(90.0, &["b"]))
            .settings(|s| s.qsim.waiting_before_driving = first)
    };
    // Both want the flow of one vehicle that b has at 71.
    assert_eq!(run(s(true)).left("b"), "waiting@72 driving@73");
    let t = run(s(false));
    assert_eq!(t.left("b"), "driving@72 waiting@73");
    // A vehicle whose trip ends where it begins enters the queue after the queue was processed, so it arrives a second
    // later.
    assert_eq!((t.in_traffic("b"), t.arrived("b")), ("waiting@72 staying@90".into(), "staying@91".into()));
    assert_eq!(run(s(true)).arrived("b"), "staying@90");
}
