//! Powers of e for bells: the same on every processor, and several at a time.

/// The power of e to a number that is 0 or less; 0 for numbers below -87, whose power is 1.65e-38, and that of -87 for
/// NaN. The relative error is below 9e-8, about a unit in the last place.
///
/// Uses only sums, products and bits of floats, so that compilers vectorise it. The number is split into
/// a multiple `n` of ln 2, which is the power of two `2^n`, and a rest of at most half of ln 2, for which Taylor's series is
/// summed up to the seventh power.
#[inline(always)]
pub(crate) fn exponential(x: f32) -> f32 {
    /// Numbers of this size have no fractional digits: adding it rounds.
    const WHOLE: f32 = 12_582_912.0;
    /// ln 2 in two parts. Multiples of the first one up to 127 are exact.
    const LN_2: [f32; 2] = [355.0 / 512.0, (std::f64::consts::LN_2 - 355.0 / 512.0) as f32];
    const LEAST: f32 = -87.0;
    let bounded = if x > LEAST { x } else { LEAST };
    let shifted = bounded * std::f32::consts::LOG2_E + WHOLE;
    let n = shifted - WHOLE;
    let rest = (bounded - n * LN_2[0]) - n * LN_2[1];
    let mut series = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5] {
        series = series * rest + term;
    }
    let power = 1.0 + (rest + rest * rest * series);
    // The last bits of `shifted` are those of n, which becomes the exponent of a float.
    let two_to_n = f32::from_bits(shifted.to_bits().wrapping_sub(WHOLE.to_bits()).wrapping_add(127) << 23);
    if x >= LEAST { power * two_to_n } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_double_precision() {
        let mut worst = 0.0f64;
        for i in 0..2_000_000 {
            let x = -87.0 * (i as f32 / 2_000_000.0) * (i % 7) as f32 / 6.0;
            let exact = libm::exp(f64::from(x));
            worst = worst.max((f64::from(exponential(x)) / exact - 1.0).abs());
        }
        assert!(worst < 9e-8, "{worst}");
        // The worst of all floats.
        let worst = -81.444_71;
        assert!((f64::from(exponential(worst)) / libm::exp(f64::from(worst)) - 1.0).abs() < 8.7e-8);
        assert_eq!([0.0, -0.0, -1e-30].map(exponential), [1.0; 3]);
        assert_eq!([-87.01, -1e10, f32::MIN, f32::NEG_INFINITY].map(exponential), [0.0; 4]);
        assert!((1.6e-38..1.7e-38).contains(&exponential(-87.0)));
    }
}
