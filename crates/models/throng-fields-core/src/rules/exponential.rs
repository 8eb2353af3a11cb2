//! Exponentials for bell curves: the same on every processor, and vectorisable.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

/// The minimum exponent; below it, the result is 0.
const MIN_EXPONENT: f32 = -80.0;
const LOG_2_OF_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 in two parts. Multiples of the high part up to 127 are exact.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = (std::f64::consts::LN_2 - 355.0 / 512.0) as f32;

/// Coefficients of the Taylor series: the reciprocals of 3! to 7!.
const THIRD: f32 = 1.0 / 6.0;
const FOURTH: f32 = 1.0 / 24.0;
const FIFTH: f32 = 1.0 / 120.0;
const SIXTH: f32 = 1.0 / 720.0;
const SEVENTH: f32 = 1.0 / 5040.0;

/// The exponential of a number <= 0; 0 for numbers below -80, whose exponential is at most 1.8e-35. The relative error
/// is below 9e-8, about one unit in the last place.
///
/// Uses only sums, products, `floor` and the bits of floats, so that compilers vectorise it and all processors agree.
/// The number is split into a multiple `n` of ln 2, which yields the power of two `2^n`, and a remainder of at most
/// half of ln 2, for which the Taylor series is summed up to the seventh power.
#[cube]
#[inline(always)]
pub fn exponential(x: f32, zero: f32) -> f32 {
    let bounded = select(x > MIN_EXPONENT, x, MIN_EXPONENT);
    let n = (rounded_product(bounded, LOG_2_OF_E, zero) + 0.5f32).floor();
    let rest = (bounded - rounded_product(n, LN_2_HIGH, zero)) - rounded_product(n, LN_2_LOW, zero);
    // Horner's scheme: each is the series from that power on, divided by that power of `rest`.
    let sixth = rounded_product(rest, SEVENTH, zero) + SIXTH;
    let fifth = rounded_product(sixth, rest, zero) + FIFTH;
    let fourth = rounded_product(fifth, rest, zero) + FOURTH;
    let third = rounded_product(fourth, rest, zero) + THIRD;
    let second = rounded_product(third, rest, zero) + 0.5f32;
    let more = rest + rounded_product(rounded_product(rest, rest, zero), second, zero);
    // One plus the rest of the series, times `2^n`. Avoids the constant 1, which compilers of some devices would add to
    // `rest` first.
    let power = two_to(n);
    let scaled = power + rounded_product(power, more, zero);
    select(x >= MIN_EXPONENT, scaled, 0.0f32)
}

/// Two to the power of a whole number from -126 to 127.
#[inline(always)]
fn two_to(n: f32) -> f32 {
    /// Numbers of this size have no fractional digits: the last bits of their sum with `n` equal the last bits of `n`.
    const WHOLE: f32 = 12_582_912.0;
    f32::from_bits((n + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()).wrapping_add(127) << 23)
}

/// The same in kernels, where conversions to integers are as fast as additions.
#[cfg(feature = "gpu")]
mod two_to {
    use throng_device::cubecl;
    use throng_device::cubecl::prelude::*;

    #[cube]
    fn on_devices(n: f32) -> f32 {
        f32::reinterpret(((n as i32 + 127i32) as u32) << 23u32)
    }

    pub fn expand(scope: &mut Scope, n: NativeExpand<f32>) -> NativeExpand<f32> {
        on_devices::expand(scope, n)
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::NEGATIVE_ZERO;
    use crate::rule_tables::finite_numbers;

    same_on_devices! {
        fn powers(x: f32, zero: f32) -> f32 { exponential(x, zero) }
        for finite_numbers().flat_map(|[x, share]| [-f32::abs(x), -80.0 * f32::abs(share).fract()].map(|x| (x, NEGATIVE_ZERO)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NEGATIVE_ZERO;

    fn power(x: f32) -> f32 {
        exponential(x, NEGATIVE_ZERO)
    }

    #[test]
    fn powers_match_double_precision() {
        let mut worst = 0.0f64;
        for i in 0..2_000_000 {
            let x = -80.0 * (i as f32 / 2_000_000.0) * (i % 7) as f32 / 6.0;
            let exact = libm::exp(f64::from(x));
            worst = worst.max((f64::from(power(x)) / exact - 1.0).abs());
        }
        assert!(worst < 9e-8, "{worst}");
        assert_eq!([0.0, -0.0, -1e-30].map(power), [1.0; 3]);
        assert_eq!([-80.01, -1e10, f32::MIN, f32::NEG_INFINITY].map(power), [0.0; 4]);
        assert!((1.8e-35..1.81e-35).contains(&power(-80.0)));
    }
}
