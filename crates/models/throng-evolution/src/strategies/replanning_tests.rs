use proptest::prelude::{Just, ProptestConfig, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy as _;
use throng_testing::cases;
use throng_traffic_scenario::settings::StrategySettings;
use throng_traffic_scenario::{NetworkBuilder, Population, ScenarioBuilder};

use super::*;
use crate::memory::PlanType;

fn population(persons: usize) -> Population {
    let network = NetworkBuilder::new()
        .node("a", 0.0, 0.0)
        .node("b", 500.0, 0.0)
        .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
        .build()
        .unwrap();
    let person = |builder: ScenarioBuilder, i: usize| builder.person(&i.to_string(), |plan| plan.stay("home", "ab"));
    (0..persons).fold(ScenarioBuilder::new(network), person).build().unwrap().population
}

fn setting(strategy: Strategy, weight: f64) -> StrategySettings {
    StrategySettings { strategy, weight, subpopulation: None, until_iteration: None }
}

fn settings(strategies: &[(Strategy, f64)]) -> Replanning {
    let strategies = strategies.iter().map(|&(strategy, weight)| setting(strategy, weight)).collect();
    Replanning { strategies, ..Replanning::default() }
}

fn refusal(settings: &Replanning, subpopulations: &[Option<&str>]) -> String {
    Strategies::new(settings, 1.0, 0..=10, subpopulations).unwrap_err().to_string()
}

#[test]
fn unusable_settings_are_refused_with_a_remedy() {
    let usual = [(Strategy::ChangeExpBeta, 0.9), (Strategy::ReRoute, 0.1)];
    assert!(Strategies::new(&settings(&usual), 1.0, 0..=10, &[None]).is_ok());
    let text = refusal(&settings(&usual), &[None, Some("freight")]);
    assert!(text.contains("persons of subpopulation \"freight\" have no strategy"), "{text}");
    let text = refusal(&settings(&[(Strategy::ReRoute, -0.1), (Strategy::BestScore, 1.0)]), &[None]);
    assert!(text.contains("ReRoute has the weight -0.1"), "{text}");
    let text = refusal(&settings(&[(Strategy::BestScore, f64::NAN)]), &[None]);
    assert!(text.contains("BestScore has the weight NaN"), "{text}");
    let text = refusal(&settings(&[(Strategy::SelectPathSizeLogit, 1.0)]), &[None]);
    assert!(text.contains("SelectPathSizeLogit is not supported"), "{text}");
    let removal = RemovalSelector::PathSizeLogit;
    let text = refusal(&Replanning { removal, ..settings(&usual) }, &[None]);
    assert!(text.contains("PathSizeLogitSelectorForRemoval is not supported"), "{text}");
    let text =
        refusal(&Replanning { innovation_until_fraction: 0.8, ..settings(&[(Strategy::ReRoute, 1.0)]) }, &[None]);
    assert!(text.contains("no strategy after iteration 8"), "{text}");
}

#[test]
fn persons_use_the_strategies_of_their_subpopulation() {
    let mut replanning = settings(&[(Strategy::KeepLastSelected, 1.0), (Strategy::ReRoute, 1.0)]);
    replanning.strategies[1].subpopulation = Some("freight".to_owned());
    let strategies = Strategies::new(&replanning, 1.0, 0..=10, &[Some("freight"), None]).unwrap();
    let mut memory = PlanMemory::new(&population(4), 5);
    let step = strategies.replan(&mut memory, &[1, 0, 1, 0], 1, Randomness::Counted(Philox::new(1)));
    assert_eq!(step.strategies, [0, 1, 0, 1]);
    assert_eq!(step.persons(1).collect::<Vec<_>>(), [1, 3]);
    assert_eq!([0, 1, 2, 3].map(|person| memory.scores(person).len()), [1, 2, 1, 2]);
}

/// MATSim's routers take the first generators, then those of the mutator, before any person draws.
#[test]
fn first_modules_get_the_next_local_generators() {
    let usual = [(Strategy::ChangeExpBeta, 0.8), (Strategy::ReRoute, 0.1), (Strategy::TimeAllocationMutator, 0.1)];
    let strategies = Strategies::new(&settings(&usual), 1.0, 0..=10, &[None]).unwrap();
    let mut memory = PlanMemory::new(&population(3), 5);
    let mut random = MatsimRandom::new(4711, 1);
    let randomness = Randomness::Java { random: &mut random, threads: 2, routers: 3 };
    let step = strategies.replan(&mut memory, &[0; 3], 1, randomness);
    let mut expected = MatsimRandom::new(4711, 1);
    let routers: Vec<_> = (0..6).map(|_| expected.local()).collect();
    let mutators: Vec<_> = (0..2).map(|_| expected.local()).collect();
    assert_eq!(step.generators, [vec![], routers, mutators]);
}

#[test]
fn the_order_of_persons_matters_to_java_numbers_only() {
    let usual = settings(&[(Strategy::KeepLastSelected, 0.5), (Strategy::ReRoute, 0.5)]);
    let strategies = Strategies::new(&usual, 1.0, 0..=10, &[None]).unwrap();
    let step = |persons: usize, java: bool| {
        let mut memory = PlanMemory::new(&population(persons), 5);
        let mut random = MatsimRandom::new(4711, 1);
        let randomness = if java {
            Randomness::Java { random: &mut random, threads: 1, routers: 1 }
        } else {
            Randomness::Counted(Philox::new(4711))
        };
        strategies.replan(&mut memory, &vec![0; persons], 1, randomness).strategies
    };
    assert_eq!(step(60, false)[..50], step(50, false));
    // All persons draw from one stream: strategy, then a plan without score.
    let mut random = MatsimRandom::new(4711, 1).global;
    let expected: Vec<_> = (0..50)
        .map(|_| {
            let chosen = u16::from(random.next_double() > 0.5);
            random.next_int(1);
            chosen
        })
        .collect();
    assert_eq!(step(50, true), expected);
}

#[derive(Debug, Clone)]
struct Case {
    settings: Replanning,
    plans: Vec<Vec<(f64, u16)>>,
    seed: i64,
    java: bool,
}

fn any_case() -> impl proptest::strategy::Strategy<Value = Case> {
    let score = prop_oneof![8 => -100.0..100.0, 1 => Just(f64::NAN)];
    let plans = prop::collection::vec(prop::collection::vec((score, 0u16..3), 1..9), 1..40);
    let usable: Vec<_> = Strategy::ALL.into_iter().filter(|&s| s != Strategy::SelectPathSizeLogit).collect();
    let strategies = prop::collection::vec((prop::sample::select(usable), 0.0..1.0), 1..6);
    let removal = prop::sample::select(vec![
        RemovalSelector::WorstPlan,
        RemovalSelector::Random,
        RemovalSelector::ExpBeta,
        RemovalSelector::ChangeExpBeta,
    ]);
    (plans, strategies, removal, 0u32..6, any::<i64>(), any::<bool>()).prop_map(
        |(plans, mut strategies, removal, max_plans, seed, java)| {
            strategies[0].1 += 0.1;
            Case { settings: Replanning { removal, max_plans, ..settings(&strategies) }, plans, seed, java }
        },
    )
}

fn remember(case: &Case) -> PlanMemory {
    let persons = population(case.plans.len());
    let mut memory = PlanMemory::new(&persons, case.settings.max_plans);
    for (person, plans) in (0..).zip(&case.plans) {
        memory.set_score(person, 0, plans[0].0);
        for &(score, kind) in &plans[1..] {
            memory.add_plan(person, &persons, score, PlanType(kind));
        }
    }
    memory
}

fn scores_and_selected(memory: &PlanMemory) -> String {
    let of_person = |person| format!("{:?} {} ", memory.scores(person), memory.selected(person));
    (0..memory.persons() as u32).map(of_person).collect()
}

/// Returns everything that a caller can see after some steps.
fn evolve(case: &Case, steps: u32) -> (Vec<(Vec<u16>, String)>, PlanMemory) {
    let mut memory = remember(case);
    let strategies = Strategies::new(&case.settings, 1.0, 0..=10, &[None]).unwrap();
    let mut seen = Vec::new();
    for iteration in 1..=steps {
        let mut random = MatsimRandom::new(case.seed, iteration);
        let randomness = if case.java {
            Randomness::Java { random: &mut random, threads: 2, routers: 1 }
        } else {
            Randomness::Counted(Philox::new(case.seed as u64))
        };
        let step = strategies.replan(&mut memory, &vec![0; case.plans.len()], iteration, randomness);
        seen.push((step.strategies, scores_and_selected(&memory)));
        for person in 0..memory.persons() as u32 {
            let selected = memory.selected(person);
            memory.set_score(person, selected, f64::from(person % 7 + iteration));
        }
    }
    (seen, memory)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    #[test]
    fn plans_remain_within_the_memory_and_one_is_selected(case in any_case()) {
        let (_, memory) = evolve(&case, 4);
        for person in 0..memory.persons() as u32 {
            let plans = memory.scores(person).len();
            let limit = if case.settings.max_plans == 0 { usize::MAX } else { case.settings.max_plans as usize + 1 };
            prop_assert!((1..=limit).contains(&plans), "{} plans", plans);
            prop_assert!(memory.selected(person) < plans);
            prop_assert_eq!(memory.plan(person, plans - 1).len(), 1);
        }
    }

    /// Iteration n of a seed is iteration n - 1 of the next seed, whatever came before.
    #[test]
    fn an_iteration_depends_on_the_sum_of_seed_and_number(case in any_case(), seed in -1000i64..1000) {
        let step = |seed, iteration| {
            let mut memory = remember(&case);
            let strategies = Strategies::new(&case.settings, 1.0, 0..=10, &[None]).unwrap();
            let mut random = MatsimRandom::new(seed, iteration);
            let randomness = Randomness::Java { random: &mut random, threads: 1, routers: 1 };
            let step = strategies.replan(&mut memory, &vec![0; case.plans.len()], iteration, randomness);
            (step, scores_and_selected(&memory))
        };
        prop_assert_eq!(step(seed, 3), step(seed + 1, 2));
    }

    #[test]
    fn the_number_of_threads_changes_nothing(case in any_case()) {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| evolve(&case, 3).0)
        };
        prop_assert_eq!(on(1), on(3));
    }
}

/// More persons than in one parallel task.
#[test]
fn groups_of_persons_are_independent() {
    let persons = 2 * GROUP + 7;
    let usual = settings(&[(Strategy::SelectExpBeta, 0.5), (Strategy::ReRoute, 0.5)]);
    let strategies = Strategies::new(&usual, 1.0, 0..=10, &[None]).unwrap();
    let mut memory = PlanMemory::new(&population(persons), 5);
    let step = strategies.replan(&mut memory, &vec![0; persons], 1, Randomness::Counted(Philox::new(3)));
    for person in [0, GROUP - 1, GROUP, persons - 1] {
        let unit = Philox::new(3).unit(person as u32, 1, Purpose::Strategy as u32, 0);
        assert_eq!(step.strategies[person], u16::from(unit > 0.5));
        assert_eq!(memory.scores(person as u32).len(), 1 + usize::from(unit > 0.5));
    }
}
