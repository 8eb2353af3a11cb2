//! The step from the plans of one iteration to those of the next.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use throng_core::{InputError, JavaRandom, Philox, Problems};
use throng_traffic_scenario::settings::{RemovalSelector, Replanning, Strategy};

use super::modules::modules_of;
use super::removal::remove_surplus;
use super::selectors::select;
use super::weights::{Weights, last_iteration};
use crate::memory::{PersonPlans, PersonsMut, PlanMemory};
use crate::random::{Draws, MatsimRandom, PersonDraws, Purpose};

/// Source of the random numbers of a step.
#[derive(Debug)]
pub enum Randomness<'a> {
    /// MATSim's generators, in its order: persons are processed one after the other, in the order of the plans file.
    Java {
        /// The generators after the [reset](MatsimRandom::new) of the iteration.
        random: &'a mut MatsimRandom,
        /// `global.numberOfThreads`.
        threads: u32,
        /// Generators of routers per thread, as in [`Module::generators`](super::Module::generators).
        routers: u32,
    },
    /// Numbers by person and iteration; persons are processed in parallel.
    Counted(Philox),
}

/// The strategies of all subpopulations, and the rules of plan memory.
///
/// ```
/// use throng_core::Philox;
/// use throng_evolution::memory::PlanMemory;
/// use throng_evolution::strategies::{Randomness, Strategies};
/// use throng_traffic_scenario::settings::{Replanning, Strategy, StrategySettings};
/// use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
///     .build()?;
/// let scenario = ScenarioBuilder::new(network).person("1", |plan| plan.stay("home", "ab")).build()?;
/// let mut memory = PlanMemory::new(&scenario.population, 5);
///
/// let reroute =
///     StrategySettings { strategy: Strategy::ReRoute, weight: 1.0, subpopulation: None, until_iteration: None };
/// let replanning = Replanning { strategies: vec![reroute], ..Replanning::default() };
/// let strategies = Strategies::new(&replanning, 1.0, 0..=10, &[None])?;
/// let step = strategies.replan(&mut memory, &[0], 1, Randomness::Counted(Philox::new(4711)));
/// assert_eq!(step.persons(0).collect::<Vec<_>>(), [0]);
/// assert_eq!((memory.scores(0).len(), memory.selected(0)), (2, 1));
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Strategies {
    /// In the order of the settings.
    in_order: Vec<Strategy>,
    /// For each subpopulation: the positions in `in_order`, weights and last iterations.
    by_subpopulation: Vec<Vec<(u16, f64, u32)>>,
    /// `usize::MAX` for any number.
    max_plans: usize,
    removal: RemovalSelector,
    beta: f64,
}

/// The strategies of all persons in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Replanned {
    /// For each person, the position of the strategy in [`Replanning::strategies`]. If this strategy
    /// [innovates](Strategy::innovates), the selected plan is a copy that its [modules](super::modules_of) must change.
    pub strategies: Vec<u16>,
    /// For each of [`Replanning::strategies`], MATSim's generators of its first module; empty with
    /// [`Randomness::Counted`]. Those of further modules are created later, when all plans are queued.
    pub generators: Vec<Vec<JavaRandom>>,
}

impl Replanned {
    /// The persons with a strategy, in their order; these are the queue of its modules.
    pub fn persons(&self, strategy: u16) -> impl Iterator<Item = u32> {
        (0..).zip(&self.strategies).filter(move |&(_, &chosen)| chosen == strategy).map(|(person, _)| person)
    }
}

/// Persons per parallel task; few in tests, so that several threads take part.
const GROUP: usize = if cfg!(test) { 8 } else { 4096 };
const PLACE: &str = "replanning.strategysettings";

impl Strategies {
    /// Checks the settings for a run of `iterations` (`firstIteration..=lastIteration`). `beta` is
    /// `scoring.BrainExpBeta`; `subpopulations` are those of all persons, `None` for persons without one.
    ///
    /// # Errors
    /// If a weight is negative or no number, a setting is not supported, or a subpopulation has no strategy in an
    /// iteration.
    pub fn new(
        settings: &Replanning,
        beta: f64,
        iterations: RangeInclusive<u32>,
        subpopulations: &[Option<&str>],
    ) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        check(settings, &mut problems);
        let (first, last) = (*iterations.start(), *iterations.end());
        let mut by_subpopulation = Vec::with_capacity(subpopulations.len());
        for &subpopulation in subpopulations {
            let strategies: Vec<_> = (0..)
                .zip(&settings.strategies)
                .filter(|(_, strategy)| strategy.subpopulation.as_deref() == subpopulation)
                .map(|(i, strategy)| (i, strategy.weight, last_iteration(strategy, settings, first, last)))
                .collect();
            // The first iteration has no replanning.
            if first < last {
                check_subpopulation(subpopulation, &strategies, first + 1, last, &mut problems);
            }
            by_subpopulation.push(strategies);
        }
        problems.into_result()?;
        Ok(Self {
            in_order: settings.strategies.iter().map(|strategy| strategy.strategy).collect(),
            by_subpopulation,
            max_plans: if settings.max_plans == 0 { usize::MAX } else { settings.max_plans as usize },
            removal: settings.removal,
            beta,
        })
    }

    /// Prepares the plans for `iteration`: removes surplus plans, and selects or copies a plan of each person.
    /// `subpopulation_of` has the index of each person's subpopulation in the list given to [`Strategies::new`].
    ///
    /// # Panics
    /// If `subpopulation_of` does not have an entry for each person, or an index is out of range.
    pub fn replan(
        &self,
        memory: &mut PlanMemory,
        subpopulation_of: &[u16],
        iteration: u32,
        randomness: Randomness<'_>,
    ) -> Replanned {
        assert_eq!(subpopulation_of.len(), memory.persons(), "one subpopulation per person");
        let weights: Vec<_> = self.by_subpopulation.iter().map(|of| Weights::new(of, iteration)).collect();
        let weights_of = |person: u32| &weights[usize::from(subpopulation_of[person as usize])];
        memory.reserve(memory.max_len().min(self.max_plans) + 1);
        let mut generators = Vec::new();
        let groups: Vec<(Vec<u16>, Vec<u32>)> = match randomness {
            Randomness::Java { random, threads, routers } => {
                for &strategy in &self.in_order {
                    let first = modules_of(strategy).first();
                    generators.push(first.map_or(vec![], |first| first.generators(random, threads, routers)));
                }
                let mut step = (vec![], vec![]);
                for (person, mut plans) in memory.all_mut().iter_mut() {
                    step.0.push(self.person(&mut plans, weights_of(person), &mut random.global, &mut step.1));
                }
                vec![step]
            }
            Randomness::Counted(random) => {
                let group = |mut persons: PersonsMut<'_>| {
                    let mut removed = vec![];
                    let strategy = |(person, mut plans): (u32, PersonPlans<'_>)| {
                        let mut draws = PersonDraws { random, person, iteration };
                        self.person(&mut plans, weights_of(person), &mut draws, &mut removed)
                    };
                    let strategies = persons.iter_mut().map(strategy).collect();
                    (strategies, removed)
                };
                memory.groups_mut(GROUP).map(group).collect()
            }
        };
        let mut strategies = Vec::with_capacity(memory.persons());
        for (of_group, removed) in groups {
            for strategy in of_group {
                if self.in_order[usize::from(strategy)].innovates() {
                    memory.retain_selected(strategies.len() as u32);
                }
                strategies.push(strategy);
            }
            for content in removed {
                memory.release(content);
            }
        }
        Replanned { strategies, generators }
    }

    /// The step of one person. Returns the strategy, and appends the contents of forgotten plans to `removed`.
    fn person(
        &self,
        plans: &mut PersonPlans<'_>,
        weights: &Weights,
        draws: &mut impl Draws,
        removed: &mut Vec<u32>,
    ) -> u16 {
        remove_surplus(plans, self.max_plans, self.removal, self.beta, draws, removed);
        let chosen = weights.choose(draws.unit(Purpose::Strategy, 0));
        let strategy = self.in_order[usize::from(chosen)];
        let plan = select(strategy, plans.scores(), plans.selected(), self.beta, draws);
        plans.select(plan);
        if strategy.innovates() {
            plans.append_copy();
        }
        chosen
    }
}

fn check(settings: &Replanning, problems: &mut Problems) {
    if settings.strategies.len() > usize::from(u16::MAX) {
        let message = format!("there are {} strategies", settings.strategies.len());
        problems.push(PLACE, message, "give at most 65535");
    }
    for strategy in &settings.strategies {
        let (name, weight) = (strategy.strategy.name(), strategy.weight);
        if !(weight >= 0.0 && weight.is_finite()) {
            problems.push(PLACE, format!("{name} has the weight {weight}"), "give a finite number, at least 0");
        }
        if strategy.strategy == Strategy::SelectPathSizeLogit {
            problems.push(PLACE, format!("{name} is not supported"), "use SelectExpBeta, which ignores common links");
        }
    }
    if settings.removal == RemovalSelector::PathSizeLogit {
        let message = "PathSizeLogitSelectorForRemoval is not supported";
        problems.push("replanning.planSelectorForRemoval", message, "use WorstPlanSelector or SelectExpBetaForRemoval");
    }
}

/// Each person needs a strategy in each iteration with replanning.
fn check_subpopulation(
    subpopulation: Option<&str>,
    strategies: &[(u16, f64, u32)],
    first: u32,
    last: u32,
    problems: &mut Problems,
) {
    let persons = match subpopulation {
        Some(name) => format!("persons of subpopulation {name:?}"),
        None => "persons without a subpopulation".to_owned(),
    };
    if !Weights::new(strategies, first).are_positive() {
        let message = format!("{persons} have no strategy with a positive weight");
        problems.push(PLACE, message, "add a strategy for them, such as ChangeExpBeta");
    } else if !Weights::new(strategies, last).are_positive() {
        let until = strategies.iter().filter(|(_, weight, _)| *weight > 0.0).map(|&(_, _, last)| last).max();
        let message = format!("{persons} have no strategy after iteration {}", until.unwrap_or(first));
        problems.push(PLACE, message, "add a strategy that selects plans, such as ChangeExpBeta");
    }
}

#[cfg(test)]
#[path = "replanning_tests.rs"]
mod tests;
