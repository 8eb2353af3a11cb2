//! Computes many explicit steps of diffusion at once, as a series of polynomials.
//!
//! In a step each cell exchanges the fraction `e` of its difference with its neighbours: `S = 1 - 4 e + 4 e P`, where
//! `P` takes the mean over four neighbours; walls and neighbours beyond the border count with the value of the cell
//! itself. `P` is symmetric with eigenvalues from -1 to 1. With `P = cos(a)`, a step is the characteristic function of
//! a random walk on a line that moves by one to either side with probability `2 e` each, and Chebyshev polynomials are
//! `T_j(P) = cos(j a)`. Therefore
//!
//! ```text
//! S^n = w_0 + 2 w_1 T_1(P) + 2 w_2 T_2(P) + ...,    w_j: the probability that n steps of the walk lead to j
//! ```
//!
//! (Carne, "A transmutation formula for Markov chains", Bull. Sci. Math. 109, 1985). The walk has a standard deviation
//! of `sqrt(4 e n)`, and beyond five of these its probabilities are negligible. The result of n steps thus takes a
//! number of passes over the cells that grows with the square root of n. As a polynomial of the step operator, the
//! series preserves sums and does not pass through walls.

use super::diffusion::Rates;

/// Maximum sum of the weights that a series omits.
const LEFT_OUT: f64 = 1e-7;
/// Emissions of which a smaller fraction remains are neglected.
const NOTHING: f64 = 1e-18;

/// Equal explicit steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Steps {
    pub count: u32,
    /// Length of each step.
    pub time: f64,
}

/// The weights of the polynomials `T_0`, `T_1`, and so on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    /// Weights for the initial amounts.
    pub amounts: Vec<f32>,
    /// Weights for the rates of sources; empty without sources.
    pub rates: Vec<f32>,
}

impl Series {
    /// Computes the series of some steps.
    ///
    /// Cost: with sources, of the order of the number of steps times the number of passes.
    pub fn new(rates: Rates, steps: Steps, sources: bool) -> Self {
        let time = steps.time * f64::from(steps.count);
        let (kept, gained) = (rates.kept(time), rates.gained(time));
        let amounts = leading_weights(rates, steps);
        let emitted = if sources { emitted(rates, steps, amounts.len()) } else { Vec::new() };
        let in_all: f64 = emitted.iter().sum();
        Self {
            amounts: rounded(amounts.iter().map(|weight| weight * kept), kept),
            rates: rounded(emitted.iter().map(|weight| weight / in_all * gained), gained),
        }
    }

    /// The number of passes over the cells for the amounts, and again for sources: `T_0` needs no pass.
    pub fn passes(rates: Rates, steps: Steps) -> usize {
        leading_weights(rates, steps).len() - 1
    }
}

/// The leading weights, without the negligible ones.
fn leading_weights(rates: Rates, steps: Steps) -> Vec<f64> {
    let mut weights = walk(rates, steps);
    let mut left_out = 0.0;
    while let Some(weight) = weights.pop() {
        left_out += weight;
        if left_out > LEFT_OUT {
            weights.push(weight);
            break;
        }
    }
    weights
}

/// The probabilities that the walk is at distance 0, 1, 2 and so on, until they vanish in double precision.
///
/// Computed from the ratios of successive probabilities, with their recurrence from the outside inwards, in which
/// errors shrink. It follows from Euler's recurrence for the coefficients of a power of a polynomial, here of
/// `2 e + (1 - 4 e) z + 2 e z^2`.
fn walk(rates: Rates, steps: Steps) -> Vec<f64> {
    let (aside, stay) = rates.walk(steps.time);
    let n = f64::from(steps.count);
    let farthest = n.min((9.0 * (2.0 * aside * n).sqrt()).ceil() + 30.0) as usize;
    let mut all = vec![1.0; farthest + 1];
    let mut quotient = 0.0;
    for (j, place) in all.iter_mut().enumerate().skip(1).rev() {
        let j = j as f64;
        quotient = aside * (n - j + 1.0) / (stay * j + aside * (n + j + 1.0) * quotient);
        *place = quotient;
    }
    let mut weight = 2.0;
    for place in &mut all[1..] {
        weight *= *place;
        *place = weight;
    }
    let sum: f64 = all.iter().rev().sum();
    all.iter().map(|weight| weight / sum).collect()
}

/// The same as [`walk`], summed over walks of 0 to `steps - 1` steps, each weighted with the remaining fraction of an
/// amount that was emitted this many steps ago.
fn emitted(rates: Rates, steps: Steps, count: usize) -> Vec<f64> {
    let (aside, stay) = rates.walk(steps.time);
    let keep = rates.kept(steps.time);
    // The probability of each position on one side. A few more positions than needed, because walks return from there.
    let mut places = vec![0.0; count + count / 4 + 8];
    places[0] = 1.0;
    let mut next = places.clone();
    let (mut sums, mut left) = (vec![0.0; count], 1.0);
    for _ in 0..steps.count {
        for (sum, place) in sums.iter_mut().zip(&places) {
            *sum += left * place;
        }
        left *= keep;
        if left < NOTHING {
            break;
        }
        let inner = places.len() - 2;
        next[0] = stay * places[0] + 2.0 * aside * places[1];
        for (next, places) in next[1..=inner].iter_mut().zip(places.windows(3)) {
            *next = stay * places[1] + aside * (places[0] + places[2]);
        }
        std::mem::swap(&mut places, &mut next);
    }
    sums.iter().enumerate().map(|(j, sum)| if j == 0 { *sum } else { 2.0 * sum }).collect()
}

/// Rounds weights to single precision. The last one is the sum minus the others, so that rounding does not lose or gain
/// amounts over many calls.
fn rounded(weights: impl Iterator<Item = f64>, sum: f64) -> Vec<f32> {
    let mut rounded: Vec<f32> = weights.map(|weight| weight as f32).collect();
    if let Some((last, others)) = rounded.split_last_mut() {
        *last = (sum - others.iter().map(|&weight| f64::from(weight)).sum::<f64>()) as f32;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn steps(count: u32) -> Steps {
        Steps { count, time: 1.0 }
    }

    #[test]
    fn weights_match_the_probabilities_of_a_random_walk() {
        // One step left, none, or one right, with a probability of a third each: three steps have 27 paths.
        let thirds = Rates { exchange: 1.0 / 6.0, decay: 0.0 };
        let ways = [7.0, 12.0, 6.0, 2.0].map(|ways| ways / 27.0);
        let found = walk(thirds, steps(3));
        assert!(found.len() == 4 && found.iter().zip(ways).all(|(found, ways)| (found - ways).abs() < 1e-15));
        for (exchange, count) in [(1.0 / 6.0, 17), (0.16, 300), (1.0 / 6.0, 1_000_000), (0.01, 40)] {
            let all = walk(Rates { exchange, decay: 0.0 }, steps(count));
            let variance: f64 = (0..).zip(&all).map(|(j, weight)| f64::from(j) * f64::from(j) * weight).sum();
            assert!(
                (variance / (4.0 * exchange * f64::from(count)) - 1.0).abs() < 1e-9,
                "{exchange} {count}: {variance}"
            );
        }
    }

    #[test]
    fn emission_weights_match_sums_over_random_walks() {
        for (exchange, decay, count) in [(1.0 / 6.0, 0.0, 40), (0.16, 0.02, 300), (0.15, 3.0, 50)] {
            let rates = Rates { exchange, decay };
            let mut expected = [0.0; 12];
            for ago in 0..count {
                let walk = if ago > 0 { walk(rates, steps(ago)) } else { vec![1.0] };
                for (sum, weight) in expected.iter_mut().zip(walk) {
                    *sum += rates.kept(f64::from(ago)) * weight;
                }
            }
            let found = emitted(rates, steps(count), leading_weights(rates, steps(count)).len());
            for (found, expected) in found.iter().zip(expected) {
                let off = (found - expected).abs() / rates.gained(f64::from(count));
                assert!(off < 1e-9, "{exchange} {decay}: {found}, expected {expected}");
            }
        }
    }

    #[test]
    fn truncation_and_rounding_of_weights_preserve_their_sums() {
        for (decay, count) in [(0.0, 17), (0.001, 1000), (9.0, 100), (0.0, 60_000)] {
            let rates = Rates { exchange: 1.0 / 6.0, decay };
            let series = Series::new(rates, steps(count), true);
            let sum = |weights: &[f32]| weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
            let (kept, gained) = (rates.kept(f64::from(count)), rates.gained(f64::from(count)));
            assert!((sum(&series.amounts) - kept).abs() <= 1e-12 * kept, "{}", sum(&series.amounts));
            assert!((sum(&series.rates) - gained).abs() <= 1e-12 * gained, "{}", sum(&series.rates));
            assert_eq!(series.amounts.len(), series.rates.len());
        }
    }

    #[test]
    fn the_number_of_passes_is_proportional_to_the_root_of_steps() {
        let passes = |count| Series::passes(Rates { exchange: 1.0 / 6.0, decay: 0.0 }, steps(count));
        assert_eq!([17, 100, 1000, 100_000].map(passes), [16, 43, 137, 1375]);
    }
}
