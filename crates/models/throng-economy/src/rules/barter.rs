//! The barter of resources: two agents swap what each has much of. Lots at a price are found without a root or a quotient,
//! whose rounding could differ from device to device.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f64::from`")]

use super::prelude::*;
use super::worth::marginal_rate;

/// Less than every worth and surplus, and than every gain.
pub const BELOW_ALL: f64 = -1e300;

/// A swap that two agents may try.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Swap {
    /// The resource that the first agent gives and the one that it receives.
    pub given: u32,
    pub received: u32,
    /// What a unit received is worth to it in units given.
    pub most: f64,
}

/// Units that the first agent gives and receives, none if there is no trade, and the utility that each of the two gains.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct Offer {
    pub given: u32,
    pub received: u32,
    pub surplus_a: f64,
    pub surplus_b: f64,
}

#[cube]
impl Offer {
    /// No trade.
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

/// The best offer for each of two agents.
#[derive(CubeType, Debug, Clone, Copy)]
pub struct BestOffers {
    pub for_a: Offer,
    pub for_b: Offer,
}

/// What a pair has traded.
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
    /// Changes them, and what the agent values a further unit at.
    fn set_stock(&mut self, who: u32, resource: u32, units: u32, valued: f64);
    /// The power of an agent in trade.
    fn power(&self, who: u32) -> u32;
    /// Writes what each of the two offers, without what both would offer, and all swaps of the one for the other. Returns the
    /// number of swaps.
    fn write_swaps(&mut self, attempts: u32) -> u32;
    /// Takes out the swap that is best for an agent, of equal ones the first.
    fn take_best(&mut self, who: u32) -> Swap;
    /// Rules of the authors' program: see [`Deviations`](crate::society::Deviations). The price, and the most units given.
    fn price(&self, power_of_price: f64) -> f64;
    fn most_given(&self, price: f64, n: u32, first: u32, of_i: u32, of_j: u32) -> u32;
    /// A guess at the units, from 1 to `most`, that some units buy at a price with this root, where those of the lot before
    /// are known; it makes the search quick and does not change its result.
    fn guess(&self, given: u32, root: f64, before: u32, most: u32) -> u32;
    /// The best of the offers that all threads have found, of equal ones the smallest lot.
    fn best_offers(&mut self, own: BestOffers) -> BestOffers;
    /// Records a trade.
    fn record(&mut self, trade: u32, swap: &Swap, offer: &Offer);
}

/// The pair trades until it has no attempts left or finds no trade. The two take turns to name the swap that is best for
/// themselves, the first agent first in even attempts.
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
            let offer = agreed::<M, P, T>(model, pair, team, &swap, least_surplus);
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

/// Moves the units of a lot, and both look at the two resources.
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

/// What a unit received is worth in units given, to an agent that holds so much of both.
#[cube]
#[inline]
pub fn worth_of_swap<M: ModelView>(model: &M, of_received: u32, of_given: u32) -> f64 {
    marginal_rate(model.of_next(of_received), model.inverse_of_next(of_given - 1u32))
}

/// The lot on which the two agree: the best for the first agent, or else the best for the second one, if both gain enough.
#[cube]
#[inline]
pub fn agreed<M: ModelView, P: PairView, T: Team>(
    model: &M,
    pair: &mut P,
    team: &T,
    swap: &Swap,
    least_surplus: f64,
) -> Offer {
    let (a_i, a_j) = (pair.held(0u32.runtime(), swap.given), pair.held(0u32.runtime(), swap.received));
    let (b_i, b_j) = (pair.held(1u32.runtime(), swap.given), pair.held(1u32.runtime(), swap.received));
    // The worth of a unit in units given: what the first agent would give at most, and the second would take at least.
    let least = marginal_rate(model.of_next(b_j - 1u32), model.inverse_of_next(b_i));
    let mut agreed = Offer::none();
    if swap.most > least {
        // The price is the geometric mean of the two, weighted with powers in trade.
        let (power_a, power_b) = (pair.power(0u32.runtime()), pair.power(1u32.runtime()));
        let n = power_a + power_b;
        let price = pair.price(price_power(swap.most, power_a, least, power_b));
        let root = root(price, n);
        let first = smallest_lot(price, n, max(root as u32, 1u32));
        let (of_a_i, of_a_j) = (model.of_units(a_i), model.of_units(a_j));
        let (of_b_i, of_b_j) = (model.of_units(b_i), model.of_units(b_j));
        let mut best = BestOffers { for_a: Offer::none(), for_b: Offer::none() };
        let mut end = exact::copied(pair.most_given(price, n, first, a_i, b_j));
        let mut received = 1u32;
        let mut given = first + team.first();
        while given <= end {
            let guess = pair.guess(given, root, received, b_j + 1u32);
            received = bought(given, price, n, guess, b_j + 1u32);
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

/// The n-th root of a number, nearly: the product of its square root, the root of that and so on, as the binary digits of 1 / n
/// say. It is a guess, which changes no result.
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

/// `base` to the power `exponent`, which is at least 1, by repeated multiplication.
#[cube]
#[inline]
fn power(base: f64, exponent: u32) -> f64 {
    let mut product = exact::copied(base);
    for _ in 1..exponent {
        product *= base;
    }
    product
}

/// The price of a unit to the power of both powers in trade: `vA^wB vB^wA`, where A would give at most vA and B would take at
/// least vB. Its root is the price, which is the geometric mean if both have the same power.
#[cube]
#[inline]
fn price_power(most: f64, power_of_a: u32, least: f64, power_of_b: u32) -> f64 {
    power(most, power_of_b) * power(least, power_of_a)
}

/// Whether `given` units buy k units, rounded, at the price whose n-th power is given: `(2k - 1)^n price^n <= (2 given)^n`, for
/// k from 1.
#[cube]
#[inline]
fn buys(k: u32, given: u32, price: f64, n: u32) -> bool {
    power((2u32 * k - 1u32) as f64, n) * price <= power(2.0f64 * given as f64, n)
}

/// Units that `given` units buy, `given / price` rounded to the nearest integer, halves up: at least 1, and at most `most`. A
/// guess from 1 to `most` makes it quick and does not change the result.
#[cube]
#[inline]
pub fn bought(given: u32, price: f64, n: u32, guess: u32, most: u32) -> u32 {
    let mut k = exact::copied(guess);
    while k > 1u32 && !buys(k, given, price, n) {
        k -= 1u32;
    }
    while k < most && buys(k + 1u32, given, price, n) {
        k += 1u32;
    }
    k
}

/// The smallest lot: units of what is cheap for one of what is dear, which is the price rounded to the nearest integer, halves
/// up, and at least 1. The guess, from 1, does not change the result.
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

/// Units that a buyer offers: the mean of the least that the seller takes and the most that the buyer gives, halves up, nearer
/// to what the weaker of the two would just accept.
#[cube]
#[inline]
pub fn offered(taken: u32, power_of_buyer: u32, given: u32, power_of_seller: u32) -> u32 {
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
                        bought(given, price_squared, 2, guess, 25),
                        expected,
                        "{given} at {price}, from {guess}"
                    );
                }
            }
        }
    }

    /// A is three times as strong as B: the price is nearer to what B would just take.
    #[test]
    fn the_stronger_agent_gets_the_better_price() {
        let price = price_power(16.0, 3, 1.0, 1);
        assert_eq!(price, 16.0);
        assert_eq!(smallest_lot(price, 4, 1), 2, "the fourth root of 16, and not its square root");
        assert_eq!(bought(6, price, 4, 1, 9), 3);
        assert_eq!((offered(2, 1, 7, 1), offered(2, 3, 6, 1), offered(2, 1, 6, 3)), (5, 3, 5));
    }
}
