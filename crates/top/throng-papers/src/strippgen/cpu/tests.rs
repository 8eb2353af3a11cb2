use super::*;
use crate::strippgen::rules::ONE_VEHICLE;
use crate::strippgen::testing::{small_city, star, state_after};

const NODES: Variant = Variant::RING_NODES;

fn run(model: &Model, state: &State, variant: Variant, steps: u32) -> State {
    cpu_run(model, state, variant, Departures::Scan, steps).state
}

#[test]
fn the_first_in_link_is_served_first_and_flow_is_bounded() {
    let model = star(2, 60);
    // The two arms, the bottleneck and the last link let 1/2, 1/2, 1/4 and 1 vehicles per step pass.
    assert_eq!(model.roads.flow, [ONE_VEHICLE / 2, ONE_VEHICLE / 2, ONE_VEHICLE / 4, ONE_VEHICLE]);
    let state = state_after(&model, 200);
    let crossed = |link: usize| {
        let of_link = |agent: &usize| model.plans.entries[model.plans.begin[*agent] as usize + 1] == link as u32;
        let agents: Vec<usize> = (0..model.plans.agents()).filter(of_link).collect();
        agents.iter().filter(|&&a| state.position[a] > model.plans.begin[a] + 1).count()
    };
    // The bottleneck is always full, and whenever it has room, the first arm has a vehicle ready.
    assert!(crossed(0) > 40, "{}", crossed(0));
    assert!(crossed(1) <= 4, "only before the first arm had a vehicle ready: {}", crossed(1));
    assert_eq!(state.queues.of(2).len() as u32, model.roads.space[2]);
    // 900 per hour after the first vehicle, which is ready after 1 + 6 + 3 steps, plus 6 steps on the last link.
    let through = state.legs_ended(&model.plans);
    assert!((45..=47).contains(&through), "{through}");
}

#[test]
fn agents_depart_by_index_one_per_step_and_link() {
    let model = star(2, 5);
    let state = state_after(&model, 3);
    // Even agents start on the first arm, odd ones on the second; the first three at steps 1, 2 and 3.
    let on = |link| state.queues.of(link).iter().map(|v| (v.agent, v.depart)).collect::<Vec<_>>();
    assert_eq!(on(0), [(0, 6), (2, 7), (4, 8)]);
    assert_eq!(on(1), [(1, 6), (3, 7), (5, 8)]);
}

#[test]
fn a_full_link_admits_no_vehicle_and_all_vehicles_arrive() {
    let model = star(2, 60);
    let state = state_after(&model, 400);
    for link in 0..4 {
        assert!(state.queues.of(link).len() <= model.roads.space[link] as usize);
    }
    assert_eq!(state.queues.of(1).len(), 10, "the second arm waits");
    assert_eq!(state_after(&model, 2000).legs_ended(&model.plans), 120, "all arrive in the end");
}

#[test]
fn layouts_do_not_change_the_result() {
    let scenario = small_city();
    let model = Model::new(&scenario, 100.0, 1).unwrap();
    let six = state_after(&model, 21_590);
    let mut state = six.clone();
    for _ in 0..4 {
        let next = run(&model, &state, NODES, 200);
        assert_eq!(next.check(&model.roads, &model.plans), Ok(()));
        for variant in Variant::ALL.into_iter().filter(|variant| variant.nodes) {
            assert_eq!(run(&model, &state, variant, 200).hash(), next.hash(), "{variant}");
        }
        state = next;
    }
    assert!(state.in_traffic() > 500 && state.legs_ended(&model.plans) > 100, "a busy morning");
    assert_ne!(state.hash(), six.hash());
}

#[test]
fn free_competition_gives_the_same_valid_state_in_all_layouts() {
    let scenario = small_city();
    let model = Model::new(&scenario, 100.0, 1).unwrap();
    let six = state_after(&model, 21_590);
    let free = |layout, indices_first| run(&model, &six, Variant { layout, nodes: false, indices_first }, 600);
    let ring = free(Layout::Ring, false);
    assert_eq!(ring.check(&model.roads, &model.plans), Ok(()));
    // One thread serves the links by ascending index, which is also the order at each node, so all programs agree.
    let nodes = run(&model, &six, NODES, 600);
    for state in [nodes, free(Layout::Aos, false), free(Layout::Soa, false), free(Layout::Ring, true)] {
        assert_eq!(state.hash(), ring.hash());
    }
}

#[test]
fn a_calendar_finds_the_departures_of_the_scan() {
    let scenario = small_city();
    let model = Model::new(&scenario, 50.0, 3).unwrap();
    let home = State::at_home(&model.roads, &model.plans, 21_500);
    let scan = run(&model, &home, NODES, 900);
    let calendar = cpu_run(&model, &home, NODES, Departures::Calendar, 900).state;
    assert_eq!(calendar, scan);
    assert!(scan.legs_ended(&model.plans) > 0);
}
