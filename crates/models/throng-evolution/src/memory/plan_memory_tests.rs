use proptest::prelude::*;
use throng_testing::cases;
use throng_traffic_scenario::{NetworkBuilder, RouteKind, Scenario, ScenarioBuilder};

use super::*;

fn scenario() -> Scenario {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 500.0, 0.0)
        .node("c", 1500.0, 0.0)
        .node("d", 2000.0, 0.0)
        .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
        .link("bc", "b", "c", 1000.0, 10.0, 1000.0, 1.0)
        .link("cd", "c", "d", 500.0, 10.0, 1000.0, 1.0)
        .build()
        .unwrap();
    ScenarioBuilder::new(network)
        .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "bc", "cd"]).stay("work", "cd"))
        .person("2", |plan| plan.stay("home", "bc"))
        .build()
        .unwrap()
}

/// Everything that a simulation reads from a population; text, because NaN differs from itself.
fn text(population: &Population) -> String {
    let Population { first_element, activities, legs, route_links, .. } = population;
    let ids: Vec<_> = population.person_ids.iter().collect();
    format!("{ids:?} {first_element:?} {activities:?} {legs:?} {route_links:?}")
}

#[test]
fn the_first_plans_come_back_as_they_were() {
    let mut scenario = scenario();
    let before = text(&scenario.population);
    let memory = PlanMemory::new(&scenario.population, 5);
    memory.write_selected(&mut scenario.population);
    assert_eq!(text(&scenario.population), before);
    assert!(before.contains("Links"));
}

#[test]
#[should_panic(expected = "person 1 has no plan 1")]
fn a_plan_that_does_not_exist_is_not_replaced() {
    let mut memory = PlanMemory::new(&scenario().population, 5);
    let elements = memory.plan(1, 0).to_vec();
    memory.replace(1, 1, &elements);
}

#[test]
fn a_copy_has_the_score_and_the_content_of_its_original() {
    let scenario = scenario();
    let mut memory = PlanMemory::new(&scenario.population, 5);
    memory.set_score(0, 0, 7.5);
    let sequences = memory.words.sequences();
    memory.append_copy(0);
    assert_eq!((memory.scores(0), memory.selected(0)), (&[7.5, 7.5][..], 1));
    assert_eq!(memory.elements.sequences(), 2, "one for each person");

    let mut plan = memory.plan(0, 1).to_vec();
    let Element::Activity { end_time_s, .. } = &mut plan[0] else { panic!("an activity") };
    *end_time_s = 90.0;
    memory.replace(0, 1, &plan);
    let ends = [0, 1].map(|plan| match memory.plan(0, plan)[0] {
        Element::Activity { end_time_s, .. } => end_time_s,
        Element::Leg { .. } => f64::NAN,
    });
    assert_eq!(ends, [60.0, 90.0]);
    assert_eq!(memory.words.sequences(), sequences, "places and routes are shared");
}

#[test]
fn a_route_is_kept_as_long_as_a_plan_has_it() {
    let scenario = scenario();
    let mut memory = PlanMemory::new(&scenario.population, 5);
    let sequences = memory.words.sequences();
    memory.append_copy(0);
    let mut plan = memory.plan(0, 1).to_vec();
    let Element::Leg { route: route_id, .. } = &mut plan[1] else { panic!("a leg") };
    let (start_link, end_link) = (0, 2);
    let route =
        Route { kind: RouteKind::Links, start_link, end_link, distance_m: 1500.5, ride: 0, links: &[0, 1, 1, 2] };
    let id = memory.add_route(&route);
    *route_id = id;
    memory.replace(0, 1, &plan);
    assert_eq!(memory.route(id), route);
    assert_eq!(memory.words.sequences(), sequences + 1);
    memory.select(0, 0);
    memory.remove(0, 1);
    assert_eq!(memory.words.sequences(), sequences);
}

#[test]
fn a_ride_of_public_transport_is_kept() {
    let mut scenario = scenario();
    scenario.population.legs.route[0] = RouteKind::Transit;
    scenario.population.legs.route_start[0] = 17;
    scenario.population.legs.route_len[0] = 0;
    scenario.population.route_links.clear();
    let before = text(&scenario.population);
    let memory = PlanMemory::new(&scenario.population, 5);
    memory.write_selected(&mut scenario.population);
    assert_eq!(text(&scenario.population), before);
}

#[test]
fn further_plans_of_a_file_follow_the_selected_one() {
    let scenario = scenario();
    let mut memory = PlanMemory::new(&scenario.population, 1);
    for score in [1.0, 2.0, f64::NAN] {
        memory.add_plan(0, &scenario.population, score, PlanType(3));
    }
    assert!(memory.scores(0)[0].is_nan() && memory.scores(0)[3].is_nan());
    assert_eq!(memory.scores(0)[1..3], [1.0, 2.0]);
    assert_eq!(memory.kinds(0), [PlanType::NONE, PlanType(3), PlanType(3), PlanType(3)]);
    assert_eq!(memory.scores(1).len(), 1);
    let shown = |plan| format!("{:?}", memory.plan(0, plan).len());
    assert_eq!(shown(0), shown(3));
}

#[test]
#[should_panic(expected = "plan 1 of 1")]
fn only_existing_plans_are_selected() {
    PlanMemory::new(&scenario().population, 5).select(0, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    /// A list of scores with the selected one is the model of a person's plans.
    #[test]
    fn operations_act_as_on_lists(operations in prop::collection::vec((0u32..4, 0u32..2, 0usize..8), 1..80)) {
        let mut memory = PlanMemory::new(&scenario().population, 2);
        let mut lists = [(vec![-1.0], 0), (vec![-1.0], 0)];
        memory.set_score(0, 0, -1.0);
        memory.set_score(1, 0, -1.0);
        for (step, (operation, person, plan)) in operations.into_iter().enumerate() {
            let (scores, selected) = &mut lists[person as usize];
            let plan = plan % scores.len();
            match operation {
                0 => {
                    memory.append_copy(person);
                    scores.push(scores[*selected]);
                    *selected = scores.len() - 1;
                }
                1 if plan != *selected => {
                    memory.remove(person, plan);
                    scores.remove(plan);
                    *selected -= usize::from(*selected > plan);
                }
                2 => {
                    memory.select(person, plan);
                    *selected = plan;
                }
                _ => {
                    memory.set_score(person, plan, step as f64);
                    scores[plan] = step as f64;
                }
            }
            prop_assert_eq!(memory.scores(person), &scores[..]);
            prop_assert_eq!(memory.selected(person), *selected);
        }
        let plans: usize = lists.iter().map(|(scores, _)| scores.len()).sum();
        prop_assert_eq!(memory.elements.sequences(), 2, "copies share contents: {} plans", plans);
    }
}
