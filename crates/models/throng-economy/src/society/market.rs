//! The barter of resources: in each round, agents meet in pairs and swap resources that each has in abundance.

use rayon::prelude::*;
use throng_device::cube::host::shuffle;
use throng_device::team::{Alone, Lists};

use super::{Agent, Deviations, Model, Society, purpose};
use crate::Parameters;
use crate::rules::barter::{BestOffers, Offer, PairView, Swap, trade, units_bought, worth_of_swap};

impl Society {
    /// Runs a market; `number` is its index on this day.
    pub(super) fn market(&mut self, number: u32) {
        if !self.parameters.trade {
            return;
        }
        let present: Vec<usize> = (0..self.agents.len()).filter(|&agent| self.is_present[agent]).collect();
        for round in 0..self.parameters.market.rounds {
            let of_day = number * self.parameters.market.rounds + round;
            let order = shuffle(present.len() as u32, self.draws, 0, self.days, purpose::PARTNERS | of_day);
            // Neighbours in the order meet. With an odd number of agents the last one has no partner.
            let pairs = order.chunks_exact(2).map(|pair| [present[pair[0] as usize], present[pair[1] as usize]]);
            self.trade_in_pairs(&pairs.collect::<Vec<_>>(), MarketRound { market: number, round });
        }
    }

    /// Lets the pairs of a round trade; no agent is in two of them.
    fn trade_in_pairs(&mut self, pairs: &[[usize; 2]], at: MarketRound) {
        let is_large = self.is_large();
        let Self { parameters, model, deviations, agents, today, .. } = self;
        let new_barter = || Barter { deviations: *deviations, ..Barter::new(parameters, model) };
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
    /// Index of the market on its day, from 0.
    pub market: u32,
    /// Index of the round in the market, from 0.
    pub round: u32,
}

/// A trade between two agents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trade {
    /// The round in which they met.
    pub at: MarketRound,
    /// Indices of the two agents, in the order of the lot.
    pub agents: [usize; 2],
    /// The resources and units traded.
    pub lot: Lot,
}

/// The resources and units of a trade: the first agent gives units of one resource and receives units of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lot {
    /// The resource given and the one received.
    pub resources: [usize; 2],
    /// Units given.
    pub given: u32,
    /// Units received.
    pub received: u32,
    /// Utility gained by each of the two agents.
    pub surplus: [f64; 2],
}

/// The rules of a bartering pair.
pub struct Barter<'p> {
    parameters: &'p Parameters,
    model: &'p Model,
    /// Rules of the authors' program in place of those of the model.
    pub deviations: Deviations,
    /// Trade powers of the two agents.
    pub powers: [u32; 2],
    menus: [Vec<usize>; 2],
    candidates: Vec<Candidate>,
}

/// A swap that the two may try. The CPU keeps a list from which tried swaps are removed, since the authors' program
/// keeps some of them for later; a cube has all swaps of a menu by index, and whether each was tried.
struct Candidate {
    /// The resource that the first agent gives, and the one that it receives.
    resources: [usize; 2],
    /// Worth of a unit received in units given, to each agent.
    worth: [f64; 2],
}

impl<'p> Barter<'p> {
    /// Creates the rules for the agents of a society.
    pub fn new(parameters: &'p Parameters, model: &'p Model) -> Self {
        let deviations = Deviations::NONE;
        Self { parameters, model, deviations, powers: [1; 2], menus: [Vec::new(), Vec::new()], candidates: Vec::new() }
    }

    /// Lets the pair trade until it has no attempts left or finds no trade.
    pub fn trade(&mut self, agents: [&mut Agent; 2], mut record: impl FnMut(Lot)) {
        let market = self.parameters.market;
        let mut pair = PairOnCpu { model: self.model, barter: self, agents, record: &mut record };
        trade(pair.model, &mut pair, &Alone::new(Lists::default()), market.attempts, market.least_surplus);
    }
}

/// A bartering pair on the CPU.
struct PairOnCpu<'p, 'b> {
    model: &'p Model,
    barter: &'b mut Barter<'p>,
    agents: [&'b mut Agent; 2],
    record: &'b mut dyn FnMut(Lot),
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for PairOnCpu<'_, '_> {
    type ExpandType = <crate::gpu::PairOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl PairView for PairOnCpu<'_, '_> {
    #[inline]
    fn held(&self, who: u32, resource: u32) -> u32 {
        self.agents[who as usize].held[resource as usize]
    }

    #[inline]
    fn set_stock(&mut self, who: u32, resource: u32, units: u32, valued: f64) {
        self.agents[who as usize].held[resource as usize] = units;
        self.agents[who as usize].valued[resource as usize] = valued;
    }

    #[inline]
    fn power(&self, who: u32) -> u32 {
        self.barter.powers[who as usize]
    }

    fn write_swaps(&mut self, attempts: u32) -> u32 {
        if self.barter.deviations.kept_menus && attempts > 0 {
            self.extend_menus();
        } else {
            self.write_menus();
            self.barter.candidates.clear();
        }
        self.write_candidates();
        self.barter.candidates.len() as u32
    }

    #[inline]
    fn take_best(&mut self, who: u32) -> Swap {
        let candidates = &mut self.barter.candidates;
        let mut best = 0;
        for at in 1..candidates.len() {
            if candidates[at].worth[who as usize] > candidates[best].worth[who as usize] {
                best = at;
            }
        }
        let [i, j] = candidates.remove(best).resources;
        // The worth of queued swaps may have changed through a trade.
        let held = &self.agents[0].held;
        Swap { given: i as u32, received: j as u32, most: worth_of_swap(self.model, held[j], held[i]) }
    }

    #[inline]
    fn price(&self, power_of_price: f64) -> f64 {
        if self.barter.deviations.price_of_one { 1.0 } else { power_of_price }
    }

    #[inline]
    fn max_given(&self, price: f64, n: u32, first: u32, of_i: u32, of_j: u32) -> u32 {
        if !self.barter.deviations.without_last_lot {
            return of_i;
        }
        let last = lots(price, n, first, [of_i, of_j]).last();
        last.map_or(0, |[given, _]| first.max(given - 1))
    }

    #[inline]
    fn guess(&self, _given: u32, _root: f64, before: u32, _most: u32) -> u32 {
        before
    }

    #[inline]
    fn best_offers(&mut self, own: BestOffers) -> BestOffers {
        own
    }

    fn record(&mut self, _trade: u32, swap: &Swap, offer: &Offer) {
        (self.record)(Lot {
            resources: [swap.given as usize, swap.received as usize],
            given: offer.given,
            received: offer.received,
            surplus: [offer.surplus_a, offer.surplus_b],
        });
    }
}

impl PairOnCpu<'_, '_> {
    /// Writes the menus of both agents, without the resources that are on both.
    fn write_menus(&mut self) {
        let [of_a, of_b] = &mut self.barter.menus;
        write_menu(self.barter.parameters, self.agents[0], of_a);
        write_menu(self.barter.parameters, self.agents[1], of_b);
        let only_a: Vec<usize> = of_a.iter().copied().filter(|resource| !of_b.contains(resource)).collect();
        of_b.retain(|resource| !of_a.contains(resource));
        *of_a = only_a;
    }

    /// Extends the menus of a pair that trades again, which the authors' program does not clear.
    fn extend_menus(&mut self) {
        let before = self.barter.menus.clone();
        self.write_menus();
        let Barter { menus, candidates, .. } = &mut *self.barter;
        for ((menu, before), agent) in menus.iter_mut().zip(before).zip(&self.agents) {
            menu.extend(before);
            menu.retain(|&resource| agent.held[resource] > 0);
            menu.sort_unstable();
            menu.dedup();
        }
        // Drop queued swaps that can no longer be given.
        let [a, b] = &self.agents;
        candidates.retain(|Candidate { resources: [i, j], .. }| a.held[*i] > 0 && b.held[*j] > 0 && i != j);
        let of_a = menus[0].clone();
        menus[1].retain(|resource| !of_a.contains(resource));
    }

    fn write_candidates(&mut self) {
        let of = |agent: &Agent, given: usize, received: usize| {
            worth_of_swap(self.model, agent.held[received], agent.held[given])
        };
        for &i in &self.barter.menus[0] {
            for &j in &self.barter.menus[1] {
                let worth = [of(self.agents[0], i, j), of(self.agents[1], j, i)];
                self.barter.candidates.push(Candidate { resources: [i, j], worth });
            }
        }
    }
}

/// Writes an agent's menu: its `menu_size` least-valued resources in stock, ascending. A single thread inserts into a
/// list; the units of a cube count the resources that precede their own, which takes as many comparisons as there are
/// pairs of resources.
pub(super) fn write_menu(parameters: &Parameters, agent: &Agent, menu: &mut Vec<usize>) {
    menu.clear();
    for resource in (0..agent.held.len()).filter(|&resource| agent.held[resource] > 0) {
        // Ties go to the lower index.
        let place = menu.partition_point(|&other| agent.valued[other] <= agent.valued[resource]);
        if place < parameters.market.menu_size as usize {
            menu.truncate(parameters.market.menu_size as usize - 1);
            menu.insert(place, resource);
        }
    }
}

/// Yields all lots that both stocks can cover, at the price with this n-th power, from the smallest: units given, and
/// units received for them.
fn lots(price: f64, n: u32, first: u32, [of_i, of_j]: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
    let mut received = 1;
    (first..=of_i).map_while(move |given| {
        received = units_bought(given, price, n, received, of_j + 1);
        (received <= of_j).then_some([given, received])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::barter::{best_acceptable_offer, smallest_lot};

    /// Compared with roots: the price is in units of i for one of j.
    #[test]
    fn lots_are_the_rounded_counterparts() {
        for price_squared in [0.02, 0.3, 1.0, 1.7, 40.0] {
            let price = libm::sqrt(price_squared);
            let first = if price >= 1.0 { (price + 0.5) as u32 } else { 1 };
            assert_eq!(smallest_lot(price_squared, 2, 1), first);
            let found: Vec<_> = lots(price_squared, 2, first, [60, 25]).collect();
            let received = |given: u32| ((f64::from(given) / price + 0.5) as u32).max(1);
            let expected: Vec<_> =
                (first..=60).map(|given| [given, received(given)]).take_while(|lot| lot[1] <= 25).collect();
            assert_eq!(found, expected, "{price_squared}");
        }
    }

    /// The first agent has many units of resource 0, and the second one many of resource 1.
    #[test]
    fn a_trade_matches_values_computed_by_hand() {
        let parameters = Parameters { resources: 2, ..Parameters::default() };
        let model = Model::new(&parameters);
        let agent = |held: [u32; 2]| {
            let mut agent = Agent::new(&parameters, &model.utility);
            agent.held = held.to_vec();
            agent.value_stock(&model.utility);
            agent
        };
        let (mut a, mut b) = (agent([9, 1]), agent([1, 9]));
        // By symmetry the price is 1, and among the lots of 1 to 9 units, four is best for both: each ends with five
        // and five.
        let swap = Swap { given: 0, received: 1, most: worth_of_swap(&model, 1, 9) };
        let mut barter = Barter::new(&parameters, &model);
        let mut pair = PairOnCpu { model: &model, barter: &mut barter, agents: [&mut a, &mut b], record: &mut |_| () };
        let offer = best_acceptable_offer(
            &model,
            &mut pair,
            &Alone::new(Lists::default()),
            &swap,
            parameters.market.least_surplus,
        );
        assert_eq!((offer.given, offer.received), (4, 4));
        assert_eq!(offer.surplus_a, offer.surplus_b);
        let (mut a, mut b) = (agent([9, 0]), agent([0, 9]));
        let mut lots = Vec::new();
        Barter::new(&parameters, &model).trade([&mut a, &mut b], |lot| lots.push((lot.given, lot.received)));
        assert_eq!(lots, [(4, 4)]);
        assert_eq!((a.held, b.held), (vec![5, 4], vec![4, 5]));
    }

    #[test]
    fn menus_contain_the_least_valued_resources_in_order() {
        let market = crate::parameters::Market { menu_size: 3, ..Default::default() };
        let parameters = Parameters { resources: 6, market, ..Parameters::default() };
        let model = Model::new(&parameters);
        let mut agent = Agent::new(&parameters, &model.utility);
        agent.held = vec![5, 9, 5, 0, 1, 9];
        agent.value_stock(&model.utility);
        let mut menu = vec![7];
        write_menu(&parameters, &agent, &mut menu);
        assert_eq!(menu, [1, 5, 0]);
    }
}
