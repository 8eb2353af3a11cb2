//! A society with barter and without devices as defined: the published rules step by step, with roots and powers in
//! place of the tables of the executors.
//!
//! It shares with the executors the parameters and the counters of random draws, and no rule.

use throng_model::prelude::*;

use super::super::{Scenario, SocietiesModel};
use super::executor::CaseExecutor;
use crate::devices::Devices;
use crate::parameters::{Market, Parameters};
use crate::society::purpose::{CONSUMED, EXTRACTED, PARTNERS};

/// A society by definition.
struct Definition {
    parameters: Parameters,
    draws: Philox,
    day: u32,
    agents: Vec<Person>,
}

struct Person {
    held: Vec<u32>,
    experience: Vec<f64>,
    /// Value of a further unit of each resource on the last evening, or after the last trade of it.
    valued: Vec<f64>,
}

/// Returns the units of a resource that an agent does not consume on a day: each is consumed with the same probability.
pub fn kept(parameters: &Parameters, draws: Philox, day: u32, [agent, resource]: [usize; 2], held: u32) -> u32 {
    let until = (4_294_967_296.0 / parameters.economy.unit_lifetime_days) as u64;
    let word = |unit: u32| draws.block([agent as u32, day, CONSUMED | resource as u32, unit / 4])[unit as usize % 4];
    (0..held).filter(|&unit| u64::from(word(unit)) >= until).count() as u32
}

/// A lot: units given by the first agent, and units received.
type Lot = [u32; 2];

impl Definition {
    fn new(parameters: Parameters, seed: u64) -> Self {
        let resources = parameters.resources as usize;
        let person = || Person {
            held: vec![0; resources],
            experience: vec![0.0; resources],
            valued: vec![parameters.economy.utility_of_first; resources],
        };
        let agents = (0..parameters.agents).map(|_| person()).collect();
        Self { draws: Philox::new(seed), day: 0, agents, parameters }
    }

    /// `D x^(1/n)`.
    fn utility(&self, units: u32) -> f64 {
        self.parameters.economy.utility_of_first * libm::pow(units.into(), 1.0 / self.parameters.economy.elasticity)
    }

    /// Utility of one more unit.
    fn of_next(&self, held: u32) -> f64 {
        (self.utility(held + 1) - self.utility(held)).max(self.parameters.economy.least_utility)
    }

    /// Minutes for a unit: `Emax - (Emax - Emin) exp(-2 sqrt(Emax) exp(-(Emax - Emin) e / X))`.
    fn minutes(&self, experience: f64) -> f64 {
        let [max, min] = [self.parameters.work.most_effort_min, self.parameters.work.least_effort_min];
        let full = f64::from(self.parameters.work.full_experience);
        if experience >= full {
            return min;
        }
        let fall = libm::exp(-(max - min) * experience / full);
        max - (max - min) * libm::exp(-2.0 * libm::sqrt(max) * fall)
    }

    fn day(&mut self) {
        self.day += 1;
        self.market(0);
        for agent in 0..self.agents.len() {
            self.extract(agent);
        }
        self.market(1);
        for agent in 0..self.agents.len() {
            self.agents[agent].valued = self.agents[agent].held.iter().map(|&held| self.of_next(held)).collect();
            self.consume(agent);
        }
    }

    /// Extracts for a day, always the resource with the largest utility per minute; ties are drawn.
    fn extract(&mut self, agent: usize) {
        let resources = self.agents[agent].held.len();
        let mut was_extracted = vec![false; resources];
        let (mut clock, mut unit) = (0.0, 0);
        while clock < self.parameters.work.day_min {
            let Person { held, experience, .. } = &self.agents[agent];
            let gain = |resource: usize| self.of_next(held[resource]) / self.minutes(experience[resource]);
            let best = (0..resources).map(gain).fold(0.0, f64::max);
            // Equal resources have equal gains.
            let equal: Vec<usize> = (0..resources).filter(|&resource| gain(resource) == best).collect();
            let drawn = self.draws.below(equal.len() as u32, agent as u32, self.day, EXTRACTED, unit);
            let resource = equal[drawn as usize];
            clock += self.minutes(experience[resource]);
            unit += 1;
            was_extracted[resource] = true;
            self.agents[agent].held[resource] += 1;
            self.agents[agent].experience[resource] += 1.0;
        }
        let work = &self.parameters.work;
        for (experience, was_extracted) in self.agents[agent].experience.iter_mut().zip(was_extracted) {
            let forgotten = if was_extracted { 0.0 } else { work.forgotten_per_day };
            *experience = (*experience - forgotten).clamp(0.0, work.full_experience.into());
        }
    }

    fn consume(&mut self, agent: usize) {
        for (resource, held) in self.agents[agent].held.iter_mut().enumerate() {
            *held = kept(&self.parameters, self.draws, self.day, [agent, resource], *held);
        }
    }

    /// In each round all agents meet in pairs.
    fn market(&mut self, number: u32) {
        for round in 0..self.parameters.market.rounds {
            let round = number * self.parameters.market.rounds + round;
            let mut order: Vec<usize> = (0..self.agents.len()).collect();
            order.sort_by_key(|&agent| self.draws.block([0, self.day, PARTNERS | round, agent as u32]));
            for pair in order.chunks_exact(2) {
                self.barter([pair[0], pair[1]]);
            }
        }
    }

    /// Barters until the attempts are over, or no swap of the menus is left.
    fn barter(&mut self, pair: [usize; 2]) {
        let [a, b] = pair;
        let mut swaps = self.swaps(pair);
        for attempt in 0..self.parameters.market.attempts {
            // The first agent proposes on even attempts: the swap in which it gets most for a unit that it gives.
            let worth = |&[i, j]: &[usize; 2]| match attempt % 2 {
                0 => self.worth(a, j, i),
                _ => self.worth(b, i, j),
            };
            let Some(best) = swaps.iter().map(worth).reduce(f64::max) else { return };
            let first = swaps.iter().position(|swap| worth(swap) == best).unwrap_or_default();
            let [i, j] = swaps.remove(first);
            if let Some([given, received]) = self.agreed(pair, [i, j]) {
                self.agents[a].held[i] -= given;
                self.agents[a].held[j] += received;
                self.agents[b].held[i] += given;
                self.agents[b].held[j] -= received;
                for (agent, resource) in [(a, i), (a, j), (b, i), (b, j)] {
                    self.agents[agent].valued[resource] = self.of_next(self.agents[agent].held[resource]);
                }
                swaps = self.swaps(pair);
            }
        }
    }

    /// The swaps of two agents: each resource on the menu of the first against each on that of the second, without
    /// those on both.
    fn swaps(&self, pair: [usize; 2]) -> Vec<[usize; 2]> {
        let [of_a, of_b] = pair.map(|agent| self.menu(agent));
        let given = of_a.iter().filter(|resource| !of_b.contains(resource));
        let received = || of_b.iter().filter(|resource| !of_a.contains(resource));
        given.flat_map(|&i| received().map(move |&j| [i, j])).collect()
    }

    /// The resources in stock that an agent values least; ties go to the lower index.
    fn menu(&self, agent: usize) -> Vec<usize> {
        let Person { held, valued, .. } = &self.agents[agent];
        let mut menu: Vec<usize> = (0..held.len()).filter(|&resource| held[resource] > 0).collect();
        menu.sort_by(|&one, &other| valued[one].total_cmp(&valued[other]));
        menu.truncate(self.parameters.market.menu_size as usize);
        menu
    }

    /// Worth of a further unit of a resource to an agent, in units of another that it gives.
    fn worth(&self, agent: usize, received: usize, given: usize) -> f64 {
        let held = &self.agents[agent].held;
        self.of_next(held[received]) / self.of_next(held[given] - 1)
    }

    /// The lot on which two agents agree: units of `i` that the first gives, and units of `j` that it receives.
    fn agreed(&self, pair: [usize; 2], [i, j]: [usize; 2]) -> Option<Lot> {
        let [held_a, held_b] = pair.map(|agent| &self.agents[agent].held);
        // Units of i for one of j: the first agent gives at most, the second takes at least.
        let most = self.worth(pair[0], j, i);
        let least = self.of_next(held_b[j] - 1) / self.of_next(held_b[i]);
        if most <= least {
            return None;
        }
        // The geometric mean, nearer to what the weaker one would just accept.
        let powers = &self.parameters.trade_powers;
        let [power_a, power_b] = pair.map(|agent| f64::from(powers[agent % powers.len()]));
        let price = libm::pow(most, power_b / (power_a + power_b)) * libm::pow(least, power_a / (power_a + power_b));
        let rounded = |units: f64| (libm::floor(units + 0.5) as u32).max(1);
        let lots = (rounded(price)..=held_a[i]).map(|given| [given, rounded(f64::from(given) / price)]);
        let lots: Vec<Lot> = lots.take_while(|&[_, received]| received <= held_b[j]).collect();
        let of = |held: u32| self.utility(held);
        let surplus = |[given, received]: Lot| {
            let of_a = of(held_a[j] + received) - of(held_a[j]) - (of(held_a[i]) - of(held_a[i] - given));
            let of_b = of(held_b[i] + given) - of(held_b[i]) - (of(held_b[j]) - of(held_b[j] - received));
            [of_a, of_b]
        };
        // The best lot for the first agent, or else that for the second; ties go to the smallest.
        let best =
            |agent: usize| lots.iter().copied().rev().max_by(|&x, &y| surplus(x)[agent].total_cmp(&surplus(y)[agent]));
        let is_enough = |&lot: &Lot| surplus(lot).iter().all(|&surplus| surplus > self.parameters.market.least_surplus);
        best(0).filter(is_enough).or_else(|| best(1).filter(is_enough))
    }
}

pub fn days_by_definition(on: &dyn CaseExecutor) -> Result<Finding, Failure> {
    let scenario = Scenario {
        agents: 5,
        resources: 8,
        devices: Devices::None,
        trade_powers: vec![1, 3],
        // So few attempts that they limit trade.
        market: Market { attempts: 3, ..Market::default() },
        ..Scenario::default()
    };
    let mut definition = Definition::new(scenario.parameters(), scenario.seed.into());
    let mut executor = on.begin(SocietiesModel::start(&scenario)?)?;
    for _ in 0..30 {
        definition.day();
        executor.step()?;
    }
    let society = executor.state()?;
    let differ = definition
        .agents
        .iter()
        .zip(&society.agents)
        .filter(|(person, agent)| person.held != agent.held || person.experience != agent.experience)
        .count();
    Ok(Finding::no_difference("of 5 agents", differ))
}
