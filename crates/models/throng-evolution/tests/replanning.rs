//! Replanning against runs of MATSim: the plans before each iteration follow from those before the last one, the scores
//! of this one, and the random numbers.

mod plans;

use std::collections::BTreeSet;

use plans::{Plan, Plans};
use throng_evolution::memory::{Element, PlanMemory, PlanType};
use throng_evolution::random::MatsimRandom;
use throng_evolution::strategies::{Randomness, Replanned, Strategies, TimeRule, mutate_times};
use throng_testing::{outside_cases, reference_data};
use throng_traffic_scenario::settings::{Replanning, Strategy, StrategySettings, TimeMutation};

const SEED: i64 = 4711;
const BETA: f64 = 2.0;
const LAST_ITERATION: u32 = 50;
const BEST: &[(Strategy, f64)] = &[(Strategy::BestScore, 0.9), (Strategy::ReRoute, 0.1)];
const CEB: &[(Strategy, f64)] = &[(Strategy::ChangeExpBeta, 0.9), (Strategy::ReRoute, 0.1)];
const SEB: &[(Strategy, f64)] = &[(Strategy::SelectExpBeta, 0.9), (Strategy::ReRoute, 0.1)];
const TAM: &[(Strategy, f64)] =
    &[(Strategy::ChangeExpBeta, 0.8), (Strategy::ReRoute, 0.1), (Strategy::TimeAllocationMutator, 0.1)];

/// The plans of a variant before each iteration.
struct Run {
    /// Persons in the order of the input file; the files of iterations have another one.
    ids: Vec<String>,
    strategies: Strategies,
    /// From iteration 1 on.
    dumps: Vec<Plans>,
}

impl Run {
    /// `None`, with a skip, if there is no data.
    fn read(variant: &str, strategies: &[(Strategy, f64)], iterations: u32) -> Option<Self> {
        let input = reference_data("equil100/plans100.xml")?;
        let folder = outside_cases("matsim_loop", &format!("equil_runs/plans_each_iteration/{variant}_s{SEED}"))?;
        let (ids, _) = plans::read(&input);
        let file = |iteration| folder.join(format!("{iteration}.plans.xml.gz"));
        let dumps = (1..=iterations).map(|iteration| plans::read(&file(iteration)).1).collect();
        let setting =
            |&(strategy, weight)| StrategySettings { strategy, weight, subpopulation: None, until_iteration: None };
        let settings = Replanning { strategies: strategies.iter().map(setting).collect(), ..Replanning::default() };
        let strategies = Strategies::new(&settings, BETA, 0..=LAST_ITERATION, &[None]).unwrap();
        Some(Self { ids, strategies, dumps })
    }

    /// The plans before and after replanning of `iteration`.
    fn plans(&self, iteration: u32) -> (Plans, &Plans) {
        let after = &self.dumps[iteration as usize - 1];
        let before = if iteration == 1 {
            // The input: the first plan, with the score of iteration 0.
            let input = |plans: &[Plan]| vec![Plan { is_selected: true, ..plans[0].clone() }];
            after.iter().map(|(id, plans)| (id.clone(), input(plans))).collect()
        } else {
            let before = &self.dumps[iteration as usize - 2];
            before.iter().map(|(id, plans)| (id.clone(), scored(plans, &after[id]))).collect()
        };
        (before, after)
    }

    /// Replays `iteration` with persons in the order of `ids`.
    fn replan(&self, ids: &[String], before: &Plans, iteration: u32) -> (PlanMemory, Replanned) {
        let mut memory = memory(ids, before);
        let mut random = MatsimRandom::new(SEED, iteration);
        let randomness = Randomness::Java { random: &mut random, threads: 1, routers: 1 };
        let step = self.strategies.replan(&mut memory, &vec![0; ids.len()], iteration, randomness);
        (memory, step)
    }
}

/// The plans before replanning, with the score of the plan that was executed in between. It is in the file of the next
/// iteration, unless that plan was forgotten: then its score was the lowest.
fn scored(before: &[Plan], after: &[Plan]) -> Vec<Plan> {
    let executed = before.iter().position(|plan| plan.is_selected).unwrap();
    let lowest = |plans: &[Plan]| {
        let scores = plans.iter().map(|plan| plan.score.unwrap());
        (0..).zip(scores).fold((0, f64::INFINITY), |low, next| if next.1 < low.1 { next } else { low }).0
    };
    let with_score = |score| {
        let mut plans = before.to_vec();
        plans[executed].score = score;
        plans
    };
    if before.len() <= 5 {
        return with_score(after[executed].score);
    }
    let others = (0..before.len()).filter(|&plan| plan != executed);
    for removed in others {
        let plans = with_score(after[executed - usize::from(removed < executed)].score);
        let mut kept = plans.clone();
        kept.remove(removed);
        let is_same = |(a, b): (&Plan, &Plan)| a.score == b.score && a.content == b.content;
        if lowest(&plans) == removed && kept.iter().zip(after).all(is_same) {
            return plans;
        }
    }
    with_score(Some(f64::NEG_INFINITY))
}

/// The memory of the persons `ids`.
fn memory(ids: &[String], plans: &Plans) -> PlanMemory {
    let nth = |n: usize| plans::population(ids, move |id| &plans[id][n.min(plans[id].len() - 1)]);
    let mut memory = PlanMemory::new(&nth(0), 5);
    let most = plans.values().map(Vec::len).max().unwrap();
    let of_rank: Vec<_> = (0..most).map(nth).collect();
    for (person, id) in (0..).zip(ids) {
        memory.set_score(person, 0, plans[id][0].score.unwrap());
        for (plan, population) in plans[id].iter().zip(&of_rank).skip(1) {
            memory.add_plan(person, population, plan.score.unwrap(), PlanType::NONE);
        }
        memory.select(person, plans[id].iter().position(|plan| plan.is_selected).unwrap());
    }
    memory
}

/// Differences of selected plans, numbers of plans and scores after replanning.
fn differences(ids: &[String], memory: &PlanMemory, after: &Plans) -> Vec<String> {
    let of_person = |(person, id): (u32, &String)| {
        let (found, plans) = (memory.scores(person), &after[id]);
        let scores: Vec<_> = plans.iter().map(|plan| plan.score.unwrap()).collect();
        let selected = plans.iter().position(|plan| plan.is_selected).unwrap();
        let is_same = memory.selected(person) == selected && found == scores;
        (!is_same)
            .then(|| format!("{id}: plan {} of {found:?}, expected {selected} of {scores:?}", memory.selected(person)))
    };
    (0..).zip(ids).filter_map(of_person).collect()
}

fn replay(variant: &str, strategies: &[(Strategy, f64)], iterations: u32) {
    let Some(run) = Run::read(variant, strategies, iterations) else { return };
    assert_eq!(run.ids.len(), 100);
    for iteration in 1..=iterations {
        let (before, after) = run.plans(iteration);
        let (memory, _) = run.replan(&run.ids, &before, iteration);
        let differences = differences(&run.ids, &memory, after);
        assert!(differences.is_empty(), "{variant}, iteration {iteration}: {differences:#?}");
    }
}

#[test]
fn best_score_is_replayed() {
    replay("best", BEST, 10);
    replay("dijbest", BEST, 10);
}

#[test]
fn change_exp_beta_is_replayed() {
    replay("ceb", CEB, 10);
    replay("tam", TAM, 10);
}

#[test]
fn select_exp_beta_is_replayed() {
    replay("seb", SEB, 10);
}

#[test]
fn fifty_iterations_with_time_mutation_are_replayed() {
    replay("dijtam", TAM, 50);
}

#[test]
fn the_first_replanning_changes_the_plans_of_eleven_persons() {
    let Some(run) = Run::read("best", BEST, 1) else { return };
    let (before, _) = run.plans(1);
    let (_, step) = run.replan(&run.ids, &before, 1);
    let changed: Vec<_> = step.persons(1).map(|person| run.ids[person as usize].as_str()).collect();
    assert_eq!(changed, ["10", "14", "17", "21", "24", "29", "30", "50", "71", "81", "97"]);
}

/// MATSim's files are sorted by id as text; replanning visits persons in the order of the input.
#[test]
fn the_order_of_written_plans_gives_other_results() {
    let Some(run) = Run::read("best", BEST, 1) else { return };
    let (before, after) = run.plans(1);
    let sorted: Vec<_> = run.ids.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let (memory, _) = run.replan(&sorted, &before, 1);
    assert_ne!(differences(&sorted, &memory, after), [""; 0]);
}

/// The mutator has the second local generator; the router the first.
#[test]
fn mutated_times_are_those_of_matsim() {
    let Some(run) = Run::read("dijtam", TAM, 50) else { return };
    let mut compared = 0;
    for iteration in 1..=50 {
        let (before, after) = run.plans(iteration);
        let (memory, step) = run.replan(&run.ids, &before, iteration);
        let mut random = step.generators[2][0];
        for person in step.persons(2) {
            let mut plan = memory.plan(person, memory.selected(person)).to_vec();
            let settings = TimeMutation::default();
            mutate_times(&mut plan, TimeRule::Independent, &settings, |_| false, &mut random);
            let times = plan.iter().filter_map(|element| match *element {
                Element::Activity { end_time_s, max_duration_s, .. } => Some([end_time_s, max_duration_s]),
                Element::Leg { .. } => None,
            });
            let times: Vec<_> = times.map(|pair| pair.map(|time| (!time.is_nan()).then_some(time))).collect();
            let id = &run.ids[person as usize];
            assert_eq!(times, after[id].last().unwrap().times, "person {id}, iteration {iteration}");
            compared += 1;
        }
    }
    assert_eq!(compared, 497);
}
