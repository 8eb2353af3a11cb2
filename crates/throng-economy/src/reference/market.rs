//! The barter of resources: in each round agents meet in pairs and swap what each has much of.

use super::{Agent, Society, purpose};
use crate::Parameters;
use crate::curves::Utility;

impl Society {
    /// A market; `number` is that of the market on this day.
    pub(super) fn market(&mut self, number: u32) {
        if !self.parameters.trade {
            return;
        }
        for round in 0..self.parameters.market_rounds {
            let round = number * self.parameters.market_rounds + round;
            let order = self.random_order(purpose::PARTNERS | round);
            // Two neighbours meet. With an odd number of agents the last one rests.
            for pair in order.chunks_exact(2) {
                let [a, b] =
                    self.agents.get_disjoint_mut([pair[0], pair[1]]).expect("a permutation has no agent twice");
                self.today.units_traded += barter(&self.parameters, &self.utility, [a, b]);
            }
        }
    }
}

/// What changes hands: the first agent gives units of `i` and receives units of `j`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lot {
    /// Units of `i`.
    pub given: u32,
    /// Units of `j`.
    pub received: u32,
    /// The utility that each of the two gains.
    pub surplus: [f64; 2],
}

/// A pair trades as long as it has attempts and finds trades; returns the units that changed hands.
pub fn barter(parameters: &Parameters, utility: &Utility, mut pair: [&mut Agent; 2]) -> u64 {
    let mut units = 0;
    let mut attempts = 0;
    'menus: while attempts < parameters.trade_attempts {
        let menus = menus(parameters, &pair);
        for [i, j] in queue(parameters, utility, &pair, &menus, attempts) {
            if attempts == parameters.trade_attempts {
                break;
            }
            attempts += 1;
            if let Some(lot) = agreed(parameters, utility, &pair, [i, j]) {
                let [a, b] = &mut pair;
                a.held[i] -= lot.given;
                b.held[i] += lot.given;
                b.held[j] -= lot.received;
                a.held[j] += lot.received;
                for agent in [a, b] {
                    agent.value(i, utility);
                    agent.value(j, utility);
                }
                units += u64::from(lot.given + lot.received);
                continue 'menus;
            }
        }
        break;
    }
    units
}

/// What each of the two offers: of what it holds, that which it values least, without what both would offer.
fn menus(parameters: &Parameters, pair: &[&mut Agent; 2]) -> [Vec<usize>; 2] {
    let [a, b] = [menu(parameters, pair[0]), menu(parameters, pair[1])];
    let without = |menu: &[usize], other: &[usize]| menu.iter().copied().filter(|r| !other.contains(r)).collect();
    [without(&a, &b), without(&b, &a)]
}

/// What an agent offers: of what it holds, that which it values least.
pub(super) fn menu(parameters: &Parameters, agent: &Agent) -> Vec<usize> {
    let mut menu: Vec<usize> = (0..agent.held.len()).filter(|&resource| agent.held[resource] > 0).collect();
    // The order is stable, so that of equal values the smaller number comes first.
    menu.sort_by(|&a, &b| agent.valued[a].total_cmp(&agent.valued[b]));
    menu.truncate(parameters.menu_size as usize);
    menu
}

/// Pairs of a resource that the first agent gives and one that it receives, in the order in which they are tried: the two take
/// turns to name the pair that is best for themselves, the first agent first in even attempts.
fn queue(
    parameters: &Parameters,
    utility: &Utility,
    pair: &[&mut Agent; 2],
    menus: &[Vec<usize>; 2],
    attempts: u32,
) -> Vec<[usize; 2]> {
    // What a unit received is worth in units given.
    let ratio = |agent: &Agent, given: usize, received: usize| {
        utility.of_next(agent.held[received]) * (1.0 / utility.of_last(agent.held[given]))
    };
    let all = menus[0].iter().flat_map(|&i| menus[1].iter().map(move |&j| [i, j]));
    let mut left: Vec<([usize; 2], [f64; 2])> =
        all.map(|[i, j]| ([i, j], [ratio(pair[0], i, j), ratio(pair[1], j, i)])).collect();
    let mut queue = Vec::new();
    while !left.is_empty() && queue.len() < parameters.trade_attempts as usize {
        let side = (attempts as usize + queue.len()) % 2;
        let mut best = 0;
        for at in 1..left.len() {
            if left[at].1[side] > left[best].1[side] {
                best = at;
            }
        }
        queue.push(left.remove(best).0);
    }
    queue
}

/// The lot on which the two agree: the best for the first agent, or else the best for the second one, if both gain enough.
fn agreed(parameters: &Parameters, utility: &Utility, pair: &[&mut Agent; 2], [i, j]: [usize; 2]) -> Option<Lot> {
    let [a, b] = pair.each_ref().map(|agent| &**agent);
    // The worth of a unit of j in units of i: what the first agent would give at most, and the second would take at least.
    let most = utility.of_next(a.held[j]) * (1.0 / utility.of_last(a.held[i]));
    let least = utility.of_last(b.held[j]) * (1.0 / utility.of_next(b.held[i]));
    if most <= least {
        return None;
    }
    // The price is the geometric mean of the two, and a unit of i buys its inverse.
    let price_squared = most * least;
    let lots = lots(utility, [a, b], [i, j], price_squared);
    let best_for = |side: usize| {
        let mut best: Option<Lot> = None;
        for &lot in &lots {
            if best.is_none_or(|best| lot.surplus[side] > best.surplus[side]) {
                best = Some(lot);
            }
        }
        best.filter(|lot| lot.surplus.iter().all(|&surplus| surplus > parameters.least_surplus))
    };
    best_for(0).or_else(|| best_for(1))
}

/// All lots at a price that both stocks can cover.
fn lots(utility: &Utility, [a, b]: [&Agent; 2], [i, j]: [usize; 2], price_squared: f64) -> Vec<Lot> {
    let first = if price_squared >= 1.0 { rounded_root(price_squared, 1) } else { 1 };
    let mut lots = Vec::new();
    for given in first..=a.held[i] {
        let received = rounded_root(1.0 / price_squared, given).max(1);
        if received > b.held[j] {
            break;
        }
        let surplus = [
            utility.gain(a.held[j], received) - utility.loss(a.held[i], given),
            utility.gain(b.held[i], given) - utility.loss(b.held[j], received),
        ];
        lots.push(Lot { given, received, surplus });
    }
    lots
}

/// `factor` times the root of `square`, rounded to the nearest integer, halves up: the largest k with
/// (2k - 1)^2 <= 4 factor^2 square, without a root.
fn rounded_root(square: f64, factor: u32) -> u32 {
    let right = 4.0 * f64::from(factor) * f64::from(factor) * square;
    let holds = |k: u32| {
        let odd = 2.0 * f64::from(k) - 1.0;
        odd * odd <= right
    };
    let mut k = (libm::sqrt(square) * f64::from(factor)) as u32;
    while k > 0 && !holds(k) {
        k -= 1;
    }
    while holds(k + 1) {
        k += 1;
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_rounded_halves_up() {
        for (square, factor, expected) in [
            (1.0, 1, 1),
            (0.25, 1, 1),
            (0.2499, 1, 0),
            (2.25, 1, 2),
            (2.24, 1, 1),
            (4.0, 3, 6),
            (0.01, 7, 1),
            (2.0, 5, 7),
        ] {
            assert_eq!(rounded_root(square, factor), expected, "{square}, {factor}");
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
        let lot = agreed(&parameters, &utility, &[&mut a, &mut b], [0, 1]).unwrap();
        assert_eq!((lot.given, lot.received), (4, 4));
        assert_eq!(lot.surplus[0], lot.surplus[1]);
        let (mut a, mut b) = (agent([9, 0]), agent([0, 9]));
        assert_eq!(barter(&parameters, &utility, [&mut a, &mut b]), 8);
        assert_eq!((a.held, b.held), (vec![5, 4], vec![4, 5]));
    }
}
