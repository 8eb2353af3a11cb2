//! Vehicles on one link: their order, how many leave it, and how many it holds.

use throng_queue::RunOutcome;
use throng_traffic_scenario::events::{EventKind, EventLog};
use throng_traffic_scenario::settings::{Compat, LinkDynamics, TrafficDynamics};
use throng_traffic_scenario::{Scenario, VehicleType};

/// A vehicle that entered a link over its start node and has left it.
#[derive(Debug, Clone, Copy)]
struct Passage {
    vehicle: u32,
    /// Number of vehicles that entered the link earlier.
    place: usize,
    entered: f64,
    out: f64,
}

/// The history of one link, in the order in which vehicles leave it.
#[derive(Debug, Default, Clone)]
struct Traffic {
    /// Number of vehicles that entered over the start node.
    entered: usize,
    /// Vehicles that entered over the start node and left over the end node.
    passed: Vec<Passage>,
    /// Vehicles that entered over the start node and arrived on the link.
    arrived: Vec<Passage>,
    /// All vehicles that left over the end node, with their times.
    left: Vec<(u32, f64)>,
    /// Passenger car units on the link of vehicles that entered over its start node.
    on_link: f64,
    /// Maximum of `on_link` just before another vehicle entered.
    max_before_entry: f64,
    /// Passenger car units of vehicles that arrived on the link on which they departed.
    never_entered: f64,
}

/// Panics if the order of vehicles or a capacity is violated.
pub fn check(scenario: &Scenario, log: &EventLog, outcome: &RunOutcome) {
    let qsim = &scenario.settings.qsim;
    for (link, traffic) in traffic(scenario, log).iter().enumerate() {
        if qsim.link_dynamics == LinkDynamics::Fifo {
            for out in [&traffic.passed, &traffic.arrived] {
                let overtaker = out.windows(2).find(|w| w[0].place > w[1].place);
                assert!(overtaker.is_none(), "on link {link}: {overtaker:?}");
            }
        }
        // Changing capacities have no simple bound, and small vehicles may pass without capacity.
        if scenario.change_events.is_empty() {
            assert_travel_times(scenario, traffic, link);
            if qsim.pcu_threshold_for_flow_capacity_easing == 0.0 {
                assert_flow(scenario, traffic, link);
                if outcome.stats.stuck_pushed == 0 && qsim.traffic_dynamics == TrafficDynamics::Queue {
                    assert_storage(scenario, traffic, link);
                }
            }
        }
    }
}

fn kind(scenario: &Scenario, vehicle: u32) -> &VehicleType {
    &scenario.vehicles.types[usize::from(scenario.vehicles.type_of[vehicle as usize])]
}

fn traffic(scenario: &Scenario, log: &EventLog) -> Vec<Traffic> {
    let mut all = vec![Traffic::default(); scenario.network.links()];
    // How each vehicle entered its current link, if it did so over the start node.
    let mut entries: Vec<Option<Passage>> = vec![None; scenario.vehicles.ids.len()];
    for &(time, event) in &log.events {
        let Some(traffic) = all.get_mut(event.link as usize) else { continue };
        let vehicle = event.detail;
        match event.kind {
            EventKind::LeftLink | EventKind::VehicleLeavesTraffic => {
                let arrives = event.kind == EventKind::VehicleLeavesTraffic;
                if !arrives {
                    traffic.left.push((vehicle, time));
                }
                let pcu = kind(scenario, vehicle).pcu;
                match entries[vehicle as usize].take() {
                    Some(entry) => {
                        let list = if arrives { &mut traffic.arrived } else { &mut traffic.passed };
                        list.push(Passage { out: time, ..entry });
                        traffic.on_link -= pcu;
                    }
                    None if arrives => traffic.never_entered += pcu,
                    None => {}
                }
            }
            EventKind::EnteredLink => {
                let place = traffic.entered;
                entries[vehicle as usize] = Some(Passage { vehicle, place, entered: time, out: f64::NAN });
                traffic.entered += 1;
                traffic.max_before_entry = traffic.max_before_entry.max(traffic.on_link);
                traffic.on_link += kind(scenario, vehicle).pcu;
            }
            _ => {}
        }
    }
    all
}

/// Checks that no vehicle is faster than free flow, and that vehicles that cross the node need one extra step.
fn assert_travel_times(scenario: &Scenario, traffic: &Traffic, link: usize) {
    let step = scenario.settings.qsim.time_step_s;
    let network = &scenario.network;
    let check = |passage: &Passage, at_node: f64| {
        let speed = network.freespeed_mps[link].min(kind(scenario, passage.vehicle).maximum_velocity_mps);
        let free = (network.length_m[link] / speed / step).floor() * step;
        assert!(passage.out - passage.entered >= free + at_node, "on link {link}, free flow {free}: {passage:?}");
    };
    traffic.passed.iter().for_each(|passage| check(passage, step));
    traffic.arrived.iter().for_each(|passage| check(passage, 0.0));
}

/// Checks that in n steps at most the flow of n steps plus one vehicle leave: the remaining allowance and the vehicles
/// in the buffer together never exceed the flow of a step, and only the last vehicle may overdraw it.
fn assert_flow(scenario: &Scenario, traffic: &Traffic, link: usize) {
    let qsim = &scenario.settings.qsim;
    let network = &scenario.network;
    let per_step = network.capacity[link] / network.capacity_period_s * qsim.time_step_s * qsim.flow_capacity_factor;
    for (i, &(_, from)) in traffic.left.iter().enumerate() {
        let (mut sum, mut largest) = (0.0, 0.0f64);
        for &(vehicle, to) in &traffic.left[i..] {
            let used = kind(scenario, vehicle).pcu / kind(scenario, vehicle).flow_efficiency;
            sum += used;
            largest = largest.max(used);
            let steps = ((to - from) / qsim.time_step_s).round() + 1.0;
            assert!(
                sum <= steps * per_step + largest + 1e-6,
                "link {link}, {from} to {to}: {sum} at {per_step} a step"
            );
        }
    }
}

/// Checks that a vehicle enters only while less than the storage is in use. In the events, vehicles in the buffer are
/// still on the link; they are at most the flow of a step plus one vehicle.
fn assert_storage(scenario: &Scenario, traffic: &Traffic, link: usize) {
    let qsim = &scenario.settings.qsim;
    let network = &scenario.network;
    let flow = network.capacity[link] / network.capacity_period_s;
    let per_step = flow * qsim.time_step_s * qsim.flow_capacity_factor;
    let by_length = network.length_m[link] * network.lanes[link] / 7.5 * qsim.storage_capacity_factor;
    let scale = if scenario.settings.extensions.compat == Compat::Matsim13 { 1.0 } else { qsim.flow_capacity_factor };
    let free_flow = network.length_m[link] / network.freespeed_mps[link] * flow * scale;
    let storage = by_length.max(per_step).max(free_flow);
    // The most flow-efficient vehicle takes twice as much storage as flow; the largest uses 3.
    let buffer = 2.0 * (per_step + 3.0);
    let most = traffic.max_before_entry;
    assert!(
        most < storage + buffer + traffic.never_entered + 1e-6,
        "link {link}: {most} before an entry, storage {storage}, buffer {buffer}"
    );
}
