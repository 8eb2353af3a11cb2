//! The barter of resources: in each round agents meet in pairs and swap what each has much of.

use rayon::prelude::*;
use throng_device::cube::host::shuffle;

use super::{Agent, Deviations, Society, purpose};
use crate::Parameters;
use crate::curves::Utility;
use crate::rules::barter::{bought, price_power, smallest_lot};
use crate::rules::worth::worth;

impl Society {
    /// A market; `number` is that of the market on this day.
    pub(super) fn market(&mut self, number: u32) {
        if !self.parameters.trade {
            return;
        }
        let present: Vec<usize> = (0..self.agents.len()).filter(|&agent| self.is_present[agent]).collect();
        for round in 0..self.parameters.market.rounds {
            let of_day = number * self.parameters.market.rounds + round;
            let order = shuffle(present.len() as u32, self.draws, 0, self.days, purpose::PARTNERS | of_day);
            // Two neighbours meet. With an odd number of agents the last one rests.
            let pairs = order.chunks_exact(2).map(|pair| [present[pair[0] as usize], present[pair[1] as usize]]);
            self.trade_in_pairs(&pairs.collect::<Vec<_>>(), MarketRound { market: number, round });
        }
    }

    /// Pairs of a round trade; no agent is in two of them.
    fn trade_in_pairs(&mut self, pairs: &[[usize; 2]], at: MarketRound) {
        let is_large = self.is_large();
        let Self { parameters, utility, deviations, agents, today, .. } = self;
        let new_barter = || Barter { deviations: *deviations, ..Barter::new(parameters, utility) };
        if !is_large {
            let mut barter = new_barter();
            for &[a, b] in pairs {
                let pair = agents.get_disjoint_mut([a, b]).expect("a permutation has no agent twice");
                barter.powers = [a, b].map(|agent| parameters.trade_power(agent));
                barter.trade(pair, |lot| today.trades.push(Trade { at, agents: [a, b], lot }));
            }
            return;
        }
        let mut agents: Vec<Option<&mut Agent>> = agents.iter_mut().map(Some).collect();
        let mut with_agents = Vec::with_capacity(pairs.len());
        for &[a, b] in pairs {
            if let (Some(first), Some(second)) = (agents[a].take(), agents[b].take()) {
                with_agents.push(([a, b], [first, second]));
            }
        }
        let trade = |barter: &mut Barter<'_>, (numbers, pair): ([usize; 2], [&mut Agent; 2])| {
            let mut trades = Vec::new();
            barter.powers = numbers.map(|agent| parameters.trade_power(agent));
            barter.trade(pair, |lot| trades.push(Trade { at, agents: numbers, lot }));
            trades
        };
        let trades: Vec<Vec<Trade>> = with_agents.into_par_iter().map_init(new_barter, trade).collect();
        today.trades.extend(trades.into_iter().flatten());
    }
}

/// A round of a market of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarketRound {
    /// Number of the market on its day, from 0.
    pub market: u32,
    /// Number of the round in the market, from 0.
    pub round: u32,
}

/// What two agents swapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trade {
    /// The round in which they met.
    pub at: MarketRound,
    /// The two, in the order of the lot.
    pub agents: [usize; 2],
    /// What changed hands.
    pub lot: Lot,
}

/// What changes hands: the first agent gives units of one resource and receives units of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lot {
    /// The resource that is given and the one that is received.
    pub resources: [usize; 2],
    /// Units given.
    pub given: u32,
    /// Units received.
    pub received: u32,
    /// The utility that each of the two gains.
    pub surplus: [f64; 2],
}

/// The rules of a pair that barters.
pub struct Barter<'p> {
    parameters: &'p Parameters,
    utility: &'p Utility,
    /// Rules of the authors' program in place of those of the model.
    pub deviations: Deviations,
    /// Powers in trade of the two that trade.
    pub powers: [u32; 2],
    menus: [Vec<usize>; 2],
    candidates: Vec<Candidate>,
}

/// A swap that the two may try.
struct Candidate {
    /// What the first agent gives and what it receives.
    resources: [usize; 2],
    /// For each agent, what a unit received is worth in units given.
    worth: [f64; 2],
}

impl<'p> Barter<'p> {
    /// For the agents of a society.
    pub fn new(parameters: &'p Parameters, utility: &'p Utility) -> Self {
        let deviations = Deviations::NONE;
        Self {
            parameters,
            utility,
            deviations,
            powers: [1; 2],
            menus: [Vec::new(), Vec::new()],
            candidates: Vec::new(),
        }
    }

    /// The pair trades until it has no attempts left or finds no trade.
    pub fn trade(&mut self, mut pair: [&mut Agent; 2], mut record: impl FnMut(Lot)) {
        let mut attempts = 0;
        'menus: while attempts < self.parameters.market.attempts {
            if self.deviations.kept_menus && attempts > 0 {
                self.extend_menus(&pair);
            } else {
                self.write_menus(&pair);
                self.candidates.clear();
            }
            self.write_candidates(&pair);
            // The two take turns to name the swap that is best for themselves, the first agent first in even attempts.
            while attempts < self.parameters.market.attempts
                && let Some([i, j]) = self.next_candidate(attempts as usize % 2)
            {
                attempts += 1;
                if let Some(lot) = self.agreed(&pair, [i, j]) {
                    let [a, b] = &mut pair;
                    a.held[i] -= lot.given;
                    b.held[i] += lot.given;
                    b.held[j] -= lot.received;
                    a.held[j] += lot.received;
                    for agent in [a, b] {
                        agent.value(i, self.utility);
                        agent.value(j, self.utility);
                    }
                    record(lot);
                    continue 'menus;
                }
            }
            break;
        }
    }

    /// What each of the two offers, without what both would offer.
    fn write_menus(&mut self, pair: &[&mut Agent; 2]) {
        let [of_a, of_b] = &mut self.menus;
        write_menu(self.parameters, pair[0], of_a);
        write_menu(self.parameters, pair[1], of_b);
        let only_a: Vec<usize> = of_a.iter().copied().filter(|resource| !of_b.contains(resource)).collect();
        of_b.retain(|resource| !of_a.contains(resource));
        *of_a = only_a;
    }

    /// The authors' program does not clear the menus of a pair that trades again.
    fn extend_menus(&mut self, pair: &[&mut Agent; 2]) {
        let before = self.menus.clone();
        self.write_menus(pair);
        for ((menu, before), agent) in self.menus.iter_mut().zip(before).zip(pair) {
            menu.extend(before);
            menu.retain(|&resource| agent.held[resource] > 0);
            menu.sort_unstable();
            menu.dedup();
        }
        // What is queued and can no longer be given is out.
        let [a, b] = pair;
        self.candidates.retain(|Candidate { resources: [i, j], .. }| a.held[*i] > 0 && b.held[*j] > 0 && i != j);
        let of_a = self.menus[0].clone();
        self.menus[1].retain(|resource| !of_a.contains(resource));
    }

    fn write_candidates(&mut self, pair: &[&mut Agent; 2]) {
        let of = |agent: &Agent, given: usize, received: usize| {
            worth(self.utility.of_next(agent.held[received]), self.utility.inverse_of_next(agent.held[given] - 1))
        };
        for &i in &self.menus[0] {
            for &j in &self.menus[1] {
                let worth = [of(pair[0], i, j), of(pair[1], j, i)];
                self.candidates.push(Candidate { resources: [i, j], worth });
            }
        }
    }

    /// Takes out the candidate that is best for one side, the first of several.
    fn next_candidate(&mut self, side: usize) -> Option<[usize; 2]> {
        let mut best = 0;
        for at in 1..self.candidates.len() {
            if self.candidates[at].worth[side] > self.candidates[best].worth[side] {
                best = at;
            }
        }
        (!self.candidates.is_empty()).then(|| self.candidates.remove(best).resources)
    }
}

/// What an agent offers: of what it holds, the resources that it values least, the least valued first.
pub(super) fn write_menu(parameters: &Parameters, agent: &Agent, menu: &mut Vec<usize>) {
    menu.clear();
    for resource in (0..agent.held.len()).filter(|&resource| agent.held[resource] > 0) {
        // Of equal values the smaller number stays first.
        let place = menu.partition_point(|&other| agent.valued[other] <= agent.valued[resource]);
        if place < parameters.market.menu_size as usize {
            menu.truncate(parameters.market.menu_size as usize - 1);
            menu.insert(place, resource);
        }
    }
}

impl Barter<'_> {
    /// The lot on which the two agree: the best for the first agent, or else the best for the second one, if both gain enough.
    fn agreed(&self, pair: &[&mut Agent; 2], [i, j]: [usize; 2]) -> Option<Lot> {
        let utility = self.utility;
        let [a, b] = pair.each_ref().map(|agent| &**agent);
        // The worth of a unit of j in units of i: what the first agent would give at most, and the second would take at least.
        let most = worth(utility.of_next(a.held[j]), utility.inverse_of_next(a.held[i] - 1));
        let least = worth(utility.of_last(b.held[j]), utility.inverse_of_next(b.held[i]));
        if most <= least {
            return None;
        }
        // The price of a unit of j is the geometric mean of the two, weighted with powers in trade.
        let [power_a, power_b] = self.powers;
        let price = if self.deviations.price_of_one { 1.0 } else { price_power(most, power_a, least, power_b) };
        let [a_i, a_j, b_i, b_j] = [a.held[i], a.held[j], b.held[i], b.held[j]].map(|held| (held, utility.of(held)));
        let gain = |(held, before): (u32, f64), units: u32| utility.of(held + units) - before;
        let loss = |(held, before): (u32, f64), units: u32| before - utility.of(held - units);
        let mut best: [Option<Lot>; 2] = [None; 2];
        let mut consider = |[given, received]: [u32; 2]| {
            let surplus = [gain(a_j, received) - loss(a_i, given), gain(b_i, given) - loss(b_j, received)];
            for (side, best) in best.iter_mut().enumerate() {
                if best.is_none_or(|best| surplus[side] > best.surplus[side]) {
                    *best = Some(Lot { resources: [i, j], given, received, surplus });
                }
            }
        };
        let lots = lots(price, power_a + power_b, [a.held[i], b.held[j]]);
        if self.deviations.without_last_lot {
            let mut all: Vec<[u32; 2]> = lots.collect();
            all.truncate(all.len().saturating_sub(1).max(1));
            all.into_iter().for_each(consider);
        } else {
            lots.for_each(&mut consider);
        }
        let is_enough = |lot: &Lot| lot.surplus.iter().all(|&surplus| surplus > self.parameters.market.least_surplus);
        best.into_iter().flatten().find(is_enough)
    }
}

/// All lots that both stocks can cover, at the price whose n-th power is given: units given, and units received for them.
fn lots(price: f64, n: u32, [of_i, of_j]: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    let root = if n == 2 { libm::sqrt(price) } else { libm::pow(price, 1.0 / f64::from(n)) };
    let guess = root as u32;
    let first = smallest_lot(price, n, guess.max(1));
    let mut received = 1;
    (first..=of_i).map_while(move |given| {
        received = bought(given, price, n, received, of_j + 1);
        (received <= of_j).then_some([given, received])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against roots: the price is in units of i for one of j.
    #[test]
    fn lots_are_the_rounded_counterparts() {
        for price_squared in [0.02, 0.3, 1.0, 1.7, 40.0] {
            let price = libm::sqrt(price_squared);
            let found: Vec<_> = lots(price_squared, 2, [60, 25]).collect();
            let first = if price >= 1.0 { (price + 0.5) as u32 } else { 1 };
            let received = |given: u32| ((f64::from(given) / price + 0.5) as u32).max(1);
            let expected: Vec<_> =
                (first..=60).map(|given| [given, received(given)]).take_while(|lot| lot[1] <= 25).collect();
            assert_eq!(found, expected, "{price_squared}");
        }
    }

    /// The first agent has many units of resource 0 and the second one of resource 1.
    #[test]
    fn a_trade_by_hand() {
        let parameters = Parameters { resources: 2, ..Parameters::default() };
        let utility = Utility::new(&parameters);
        let agent = |held: [u32; 2]| {
            let mut agent = Agent::new(&parameters, &utility);
            agent.held = held.to_vec();
            agent.value_stock(&utility);
            agent
        };
        let (mut a, mut b) = (agent([9, 1]), agent([1, 9]));
        // By symmetry the price is 1, and of the lots of 1 to 8 units that of four is best for both: five and five.
        let lot = Barter::new(&parameters, &utility).agreed(&[&mut a, &mut b], [0, 1]).unwrap();
        assert_eq!((lot.given, lot.received), (4, 4));
        assert_eq!(lot.surplus[0], lot.surplus[1]);
        let (mut a, mut b) = (agent([9, 0]), agent([0, 9]));
        let mut lots = Vec::new();
        Barter::new(&parameters, &utility).trade([&mut a, &mut b], |lot| lots.push((lot.given, lot.received)));
        assert_eq!(lots, [(4, 4)]);
        assert_eq!((a.held, b.held), (vec![5, 4], vec![4, 5]));
    }

    #[test]
    fn menus_have_the_least_valued_in_order() {
        let market = crate::parameters::Market { menu_size: 3, ..Default::default() };
        let parameters = Parameters { resources: 6, market, ..Parameters::default() };
        let utility = Utility::new(&parameters);
        let mut agent = Agent::new(&parameters, &utility);
        agent.held = vec![5, 9, 5, 0, 1, 9];
        agent.value_stock(&utility);
        let mut menu = vec![7];
        write_menu(&parameters, &agent, &mut menu);
        assert_eq!(menu, [1, 5, 0]);
    }
}
