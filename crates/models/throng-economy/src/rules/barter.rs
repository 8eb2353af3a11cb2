//! The barter of resources: two agents swap resources that each has in abundance. Lots at a price are found without
//! roots or quotients, whose rounding could differ between devices.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use super::prelude::*;
use super::worth::marginal_rate;

/// Sentinel less than every worth, surplus and gain.
pub const BELOW_ALL: f64 = -1e300;

/// A swap that two agents may try.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Swap {
    /// The resource that the first agent gives, and the one that it receives.
    pub given: u32,
    pub received: u32,
    /// Worth of a unit received to the first agent, in units given: the maximum that it would pay.
    pub most: f64,
}

/// Units that the first agent gives and receives, 0 if there is no trade, and the utility gained by each agent.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Offer {
    pub given: u32,
    pub received: u32,
    pub surplus_a: f64,
    pub surplus_b: f64,
}

#[cube]
impl Offer {
    /// Returns an offer without a trade.
    #[inline]
    pub fn none() -> Offer {
        let least = BELOW_ALL.runtime();
        Offer { given: 0u32, received: 0u32, surplus_a: least, surplus_b: least }
    }

    #[inline]
    fn replace(&mut self, by: &Offer) {
        self.given = by.given;
        self.received = by.received;
        self.surplus_a = by.surplus_a;
        self.surplus_b = by.surplus_b;
    }
}

/// The best offer for each of the two agents.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct BestOffers {
    pub for_a: Offer,
    pub for_b: Offer,
}

/// Numbers of trades and of units traded by a pair.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Traded {
    pub trades: u32,
    pub units: u32,
}

/// Two agents that barter: `who` is 0 or 1.
#[cube]
pub trait PairView {
    /// Units in stock.
    fn held(&self, who: u32, resource: u32) -> u32;
    /// Sets the units in stock and the value of a further unit.
    fn set_stock(&mut self, who: u32, resource: u32, units: u32, valued: f64);
    /// The power of an agent in trade.
    fn power(&self, who: u32) -> u32;
    /// Writes the menus of both agents, without the resources that are on both, and all swaps between the menus.
    /// Returns the number of swaps.
    fn write_swaps(&mut self, attempts: u32) -> u32;
    /// Removes and returns the best swap for an agent; ties go to the first.
    fn take_best(&mut self, who: u32) -> Swap;
    /// Rules of the authors' program (see [`Deviations`](crate::society::Deviations)): the price, and the maximum units
    /// given.
    fn price(&self, power_of_price: f64) -> f64;
    fn max_given(&self, price: f64, n: u32, first: u32, of_i: u32, of_j: u32) -> u32;
    /// Returns a guess, from 1 to `most`, at the units that `given` units buy at a price with this root; `before` are
    /// the units of the previous lot, where known. It speeds up the search and does not change its result.
    fn guess(&self, given: u32, root: f64, before: u32, most: u32) -> u32;
    /// Returns the best of the offers found by all threads; ties go to the smallest lot.
    fn best_offers(&mut self, own: BestOffers) -> BestOffers;
    /// Records a trade.
    fn record(&mut self, trade: u32, swap: &Swap, offer: &Offer);
}

/// Lets the pair trade until it has no attempts left or finds no trade. The agents alternate in proposing their best
/// remaining swap; the first agent proposes on even attempts.
#[cube]
pub fn trade<M: ModelView, P: PairView, T: Team>(
    model: &M,
    pair: &mut P,
    team: &T,
    most_attempts: u32,
    least_surplus: f64,
) -> Traded {
    let mut attempts = 0u32;
    let mut traded = Traded { trades: 0u32, units: 0u32 };
    let mut goes_on = true;
    while goes_on && attempts < most_attempts {
        let mut left = exact::copied(pair.write_swaps(attempts));
        goes_on = false;
        while !goes_on && left > 0u32 && attempts < most_attempts {
            let swap = pair.take_best(attempts % 2u32);
            attempts += 1u32;
            left -= 1u32;
            let offer = best_acceptable_offer::<M, P, T>(model, pair, team, &swap, least_surplus);
            if offer.given > 0u32 {
                if team.leads() {
                    pair.record(traded.trades, &swap, &offer);
                    exchange::<M, P>(model, pair, &swap, &offer);
                }
                goes_on = true;
                traded.trades += 1u32;
                traded.units += offer.given + offer.received;
            }
            team.barrier();
        }
    }
    traded
}

/// Moves the units of a lot, and both agents value the two resources again.
#[cube]
fn exchange<M: ModelView, P: PairView>(model: &M, pair: &mut P, swap: &Swap, offer: &Offer) {
    let a_i = pair.held(0u32.runtime(), swap.given) - offer.given;
    let a_j = pair.held(0u32.runtime(), swap.received) + offer.received;
    let b_i = pair.held(1u32.runtime(), swap.given) + offer.given;
    let b_j = pair.held(1u32.runtime(), swap.received) - offer.received;
    pair.set_stock(0u32.runtime(), swap.given, a_i, model.of_next(a_i));
    pair.set_stock(0u32.runtime(), swap.received, a_j, model.of_next(a_j));
    pair.set_stock(1u32.runtime(), swap.given, b_i, model.of_next(b_i));
    pair.set_stock(1u32.runtime(), swap.received, b_j, model.of_next(b_j));
}

/// Returns the worth of a unit received in units given, to an agent that holds this many units of both.
#[cube]
#[inline]
pub fn worth_of_swap<M: ModelView>(model: &M, of_received: u32, of_given: u32) -> f64 {
    marginal_rate(model.of_next(of_received), model.inverse_of_next(of_given - 1u32))
}

/// Returns the lot on which the two agree: the best lot for the first agent, or else the best for the second one, if
/// both gain enough.
#[cube]
#[inline]
pub fn best_acceptable_offer<M: ModelView, P: PairView, T: Team>(
    model: &M,
    pair: &mut P,
    team: &T,
    swap: &Swap,
    least_surplus: f64,
) -> Offer {
    let (a_i, a_j) = (pair.held(0u32.runtime(), swap.given), pair.held(0u32.runtime(), swap.received));
    let (b_i, b_j) = (pair.held(1u32.runtime(), swap.given), pair.held(1u32.runtime(), swap.received));
    // The worth of a unit in units given: the maximum for the first agent, and the minimum for the second one.
    let least = marginal_rate(model.of_next(b_j - 1u32), model.inverse_of_next(b_i));
    let mut agreed = Offer::none();
    if swap.most > least {
        // The price is the geometric mean of the two, weighted with the powers in trade.
        let (power_a, power_b) = (pair.power(0u32.runtime()), pair.power(1u32.runtime()));
        let n = power_a + power_b;
        let price = pair.price(price_power(swap.most, power_a, least, power_b));
        let root = root(price, n);
        let first = smallest_lot(price, n, max(root as u32, 1u32));
        let (of_a_i, of_a_j) = (model.of_units(a_i), model.of_units(a_j));
        let (of_b_i, of_b_j) = (model.of_units(b_i), model.of_units(b_j));
        let mut best = BestOffers { for_a: Offer::none(), for_b: Offer::none() };
        let mut end = exact::copied(pair.max_given(price, n, first, a_i, b_j));
        let mut received = 1u32;
        let mut given = first + team.first();
        while given <= end {
            let guess = pair.guess(given, root, received, b_j + 1u32);
            received = units_bought(given, price, n, guess, b_j + 1u32);
            if received <= b_j {
                let surplus_a = model.of_units(a_j + received) - of_a_j - (of_a_i - model.of_units(a_i - given));
                let surplus_b = model.of_units(b_i + given) - of_b_i - (of_b_j - model.of_units(b_j - received));
                let offer = Offer { given, received, surplus_a, surplus_b };
                if surplus_a > best.for_a.surplus_a {
                    best.for_a.replace(&offer);
                }
                if surplus_b > best.for_b.surplus_b {
                    best.for_b.replace(&offer);
                }
            } else {
                // Larger lots are not covered either.
                end = 0u32;
            }
            given += team.size();
        }
        let best = pair.best_offers(best);
        if best.for_a.surplus_a > least_surplus && best.for_a.surplus_b > least_surplus {
            agreed.replace(&best.for_a);
        } else if best.for_b.surplus_a > least_surplus && best.for_b.surplus_b > least_surplus {
            agreed.replace(&best.for_b);
        }
    }
    agreed
}

/// Returns an approximate n-th root: the product of the repeated square roots that are selected by the binary
/// digits of 1 / n. It is only an initial guess; no result depends on it.
#[cube]
#[inline]
fn root(number: f64, n: u32) -> f64 {
    let mut root = number.sqrt();
    if n > 2u32 {
        let mut part = exact::copied(number);
        let mut weight = 1.0f64.runtime();
        let mut left = 1.0f64 / n as f64;
        root = 1.0f64;
        #[unroll]
        for _ in 0..8u32 {
            part = part.sqrt();
            weight *= 0.5f64;
            if left >= weight {
                left -= weight;
                root *= part;
            }
        }
    }
    root
}

/// Returns `base` to the power `exponent` (at least 1) by repeated multiplication.
#[cube]
#[inline]
fn power(base: f64, exponent: u32) -> f64 {
    let mut product = exact::copied(base);
    for _ in 1..exponent {
        product *= base;
    }
    product
}

/// Returns the price of a unit, raised to the sum of both powers in trade: `vA^wB vB^wA`, where A would give at most vA
/// and B would take at least vB. Its root of that degree is the price, which is the geometric mean if both have the
/// same power.
#[cube]
#[inline]
fn price_power(most: f64, power_of_a: u32, least: f64, power_of_b: u32) -> f64 {
    power(most, power_of_b) * power(least, power_of_a)
}

/// Whether `given` units buy k units, rounded, at the price with this n-th power: `(2k - 1)^n price^n <= (2 given)^n`,
/// for k >= 1.
#[cube]
#[inline]
fn can_buy(k: u32, given: u32, price: f64, n: u32) -> bool {
    power((2u32 * k - 1u32) as f64, n) * price <= power(2.0f64 * given as f64, n)
}

/// Returns the units that `given` units buy: `given / price` rounded to the nearest integer, halves up, at least 1 and
/// at most `most`. A guess from 1 to `most` speeds up the search and does not change the result.
#[cube]
#[inline]
pub fn units_bought(given: u32, price: f64, n: u32, guess: u32, most: u32) -> u32 {
    let mut k = exact::copied(guess);
    while k > 1u32 && !can_buy(k, given, price, n) {
        k -= 1u32;
    }
    while k < most && can_buy(k + 1u32, given, price, n) {
        k += 1u32;
    }
    k
}

/// Returns the smallest lot: units of the cheap resource for one of the other. This is the price rounded to the
/// nearest integer, halves up, and at least 1. The guess, at least 1, does not change the result.
#[cube]
#[inline]
pub fn smallest_lot(price: f64, n: u32, guess: u32) -> u32 {
    let two_to_n = power(2.0f64.runtime(), n);
    let mut k = exact::copied(guess);
    while k > 1u32 && power((2u32 * k - 1u32) as f64, n) > two_to_n * price {
        k -= 1u32;
    }
    while power((2u32 * k + 1u32) as f64, n) <= two_to_n * price {
        k += 1u32;
    }
    k
}

/// Returns the units that a buyer offers: the mean of the seller's minimum and the buyer's maximum, halves up, weighted
/// towards what the weaker of the two would just accept.
#[cube]
#[inline]
pub fn units_offered(taken: u32, power_of_buyer: u32, given: u32, power_of_seller: u32) -> u32 {
    let both = power_of_buyer + power_of_seller;
    (2u32 * (power_of_buyer * taken + power_of_seller * given) + both) / (2u32 * both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_lots_are_rounded_prices() {
        for (square, expected) in [(0.01, 1), (1.0, 1), (2.24, 1), (2.25, 2), (36.0, 6), (50.0, 7)] {
            for guess in [1, 2, 6, 40] {
                assert_eq!(smallest_lot(square, 2, guess), expected, "{square}, from {guess}");
            }
        }
    }

    #[test]
    fn units_bought_are_rounded() {
        for price_squared in [0.02, 0.3, 1.0, 1.7, 40.0] {
            let price = libm::sqrt(price_squared);
            for given in 1..60 {
                let expected = ((f64::from(given) / price + 0.5) as u32).clamp(1, 25);
                for guess in [1, 7, 25] {
                    assert_eq!(
                        units_bought(given, price_squared, 2, guess, 25),
                        expected,
                        "{given} at {price}, from {guess}"
                    );
                }
            }
        }
    }

    /// A is three times as strong as B: the price is closer to what B would just take.
    #[test]
    fn the_stronger_agent_gets_the_better_price() {
        let price = price_power(16.0, 3, 1.0, 1);
        assert_eq!(price, 16.0);
        assert_eq!(smallest_lot(price, 4, 1), 2, "the fourth root of 16, and not its square root");
        assert_eq!(units_bought(6, price, 4, 1, 9), 3);
        assert_eq!((units_offered(2, 1, 7, 1), units_offered(2, 3, 6, 1), units_offered(2, 1, 6, 3)), (5, 3, 5));
    }
}
