//! Quantiles of Student's t distribution.
//!
//! The probability of a larger absolute value is a regularised incomplete beta function (Abramowitz and Stegun,
//! Handbook of Mathematical Functions, 26.7.1 and 26.5.27), computed by its continued fraction (26.5.8). Logarithms and
//! exponentials come from libm, so that the quantiles have the same bits on every system.

use std::f64::consts::PI;

/// Maximum number of terms of the continued fraction, which needs about the square root of the larger parameter.
const MAX_TERMS: u32 = 10_000;
/// Maximum number of Newton steps towards a quantile.
const MAX_STEPS: u32 = 500;

/// Returns the value that a variable exceeds in absolute value with probability `alpha`, in `(0, 1)`. `df` are the
/// degrees of freedom, at least 1, not necessarily whole. Accurate to at least 10 digits. NaN for other arguments.
pub(super) fn two_sided(alpha: f64, df: f64) -> f64 {
    if !(alpha > 0.0 && alpha < 1.0 && df >= 1.0 && df.is_finite()) {
        return f64::NAN;
    }
    // Newton's method from 0: the tail is convex, so the iteration approaches the quantile from below.
    let log_density_at_0 = libm::lgamma(f64::midpoint(df, 1.0)) - libm::lgamma(df / 2.0) - 0.5 * libm::log(df * PI);
    let mut t = 0.0;
    for _ in 0..MAX_STEPS {
        let square = t * t / df;
        let density = libm::exp(log_density_at_0 - f64::midpoint(df, 1.0) * libm::log1p(square));
        let step = (tail(square, df) - alpha) / (2.0 * density);
        t += step;
        if step.is_nan() || step <= 1e-14 * t {
            break;
        }
    }
    t
}

/// Returns the probability that the square of a variable, divided by the degrees of freedom, exceeds `square`.
fn tail(square: f64, df: f64) -> f64 {
    let (a, b) = (df / 2.0, 0.5);
    // x and 1 - x of the incomplete beta function, both without cancellation.
    let (x, rest) = (1.0 / (1.0 + square), square / (1.0 + square));
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(b * libm::log(rest) - a * libm::log1p(square) - log_beta);
    if x < (a + 1.0) / (a + b + 2.0) { front / a * fraction(x, a, b) } else { 1.0 - front / b * fraction(rest, b, a) }
}

/// Computes the continued fraction of the incomplete beta function with Lentz's algorithm.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let nonzero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut d = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut result) = (1.0, d);
    for term in 1..=MAX_TERMS {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / nonzero(1.0 + numerator * d);
            c = nonzero(1.0 + numerator / c);
            change = d * c;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(found: f64, expected: f64, relative: f64, of: &str) {
        assert!((found / expected - 1.0).abs() < relative, "{of}: {found} instead of {expected}");
    }

    #[test]
    fn quantiles_match_published_tables() {
        // Abramowitz and Stegun, table 26.10: two-sided probabilities 0.05, 0.01 and 0.001.
        for (df, expected) in [
            (1.0, [12.706, 63.657, 636.619]),
            (2.0, [4.303, 9.925, 31.598]),
            (3.0, [3.182, 5.841, 12.924]),
            (4.0, [2.776, 4.604, 8.610]),
            (5.0, [2.571, 4.032, 6.869]),
            (6.0, [2.447, 3.707, 5.959]),
            (7.0, [2.365, 3.499, 5.408]),
            (8.0, [2.306, 3.355, 5.041]),
            (9.0, [2.262, 3.250, 4.781]),
            (10.0, [2.228, 3.169, 4.587]),
            (15.0, [2.131, 2.947, 4.073]),
            (20.0, [2.086, 2.845, 3.850]),
            (30.0, [2.042, 2.750, 3.646]),
            (60.0, [2.000, 2.660, 3.460]),
            (120.0, [1.980, 2.617, 3.373]),
        ] {
            for (alpha, expected) in [0.05, 0.01, 0.001].into_iter().zip(expected) {
                let found = two_sided(alpha, df);
                // The table has three decimals; 31.598 is 31.599 in other tables.
                assert!((found - expected).abs() < 1.1e-3, "{alpha}, {df}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn quantiles_match_closed_forms_for_few_degrees_of_freedom() {
        for alpha in [0.5, 0.05, 0.01, 1e-4, 1e-7] {
            assert_near(two_sided(alpha, 1.0), 1.0 / libm::tan(PI * alpha / 2.0), 1e-10, "1");
            let p = 1.0 - alpha;
            // 1 - p * p without cancellation.
            assert_near(two_sided(alpha, 2.0), p * (2.0 / (alpha * (2.0 - alpha))).sqrt(), 1e-10, "2");
            // For 4 degrees of freedom, the cubic equation of the distribution function has a solution in cosines (Shaw
            // 2006).
            let a = alpha * (2.0 - alpha);
            let q = libm::cos(libm::acos(a.sqrt()) / 3.0) / a.sqrt();
            assert_near(two_sided(alpha, 4.0), 2.0 * (q - 1.0).sqrt(), 1e-8, "4");
        }
    }

    #[test]
    fn many_degrees_of_freedom_approach_the_normal_distribution() {
        assert_near(two_sided(0.05, 1e6), 1.959_966_3, 1e-7, "a million");
        assert!(two_sided(0.05, 1.5) < two_sided(0.05, 1.0) && two_sided(0.05, 1.5) > two_sided(0.05, 2.0));
        for (alpha, df) in
            [(0.0, 3.0), (1.0, 3.0), (0.05, 0.5), (0.05, f64::INFINITY), (f64::NAN, 3.0), (0.1, f64::NAN)]
        {
            assert!(two_sided(alpha, df).is_nan(), "{alpha}, {df}");
        }
    }
}
