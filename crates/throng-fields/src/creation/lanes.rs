//! Several numbers as one, so that Fourier transforms of several rows or columns are computed at a time, each with the
//! operations that it would have alone: results are the same to the last bit.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use rustfft::num_traits::{FromPrimitive, Num, One, Signed, Zero};

/// Numbers in [`Lanes`]: those of a vector register that any processor has.
pub(super) const LANES: usize = 4;

/// Numbers that go through the same operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lanes(pub [f32; LANES]);

impl Lanes {
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn all(number: f32) -> Self {
        Self([number; LANES])
    }
}

/// Operators that apply to each number.
macro_rules! operators {
    ($($operator:ident $function:ident,)*) => {
        $(impl $operator for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                self.each(other, |one, other| one.$function(other))
            }
        })*
    };
}

operators! { Add add, Sub sub, Mul mul, Div div, Rem rem, }

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}

impl Zero for Lanes {
    #[inline(always)]
    fn zero() -> Self {
        Self::all(0.0)
    }

    fn is_zero(&self) -> bool {
        self.0 == [0.0; LANES]
    }
}

impl One for Lanes {
    #[inline(always)]
    fn one() -> Self {
        Self::all(1.0)
    }
}

// What follows is asked of all numbers that are transformed. Transforms use only `from_f64` and `from_usize`.

impl FromPrimitive for Lanes {
    fn from_i64(number: i64) -> Option<Self> {
        f32::from_i64(number).map(Self::all)
    }

    fn from_u64(number: u64) -> Option<Self> {
        f32::from_u64(number).map(Self::all)
    }

    fn from_f64(number: f64) -> Option<Self> {
        f32::from_f64(number).map(Self::all)
    }
}

impl Num for Lanes {
    type FromStrRadixErr = <f32 as Num>::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
        f32::from_str_radix(text, radix).map(Self::all)
    }
}

impl Signed for Lanes {
    fn abs(&self) -> Self {
        Self(self.0.map(f32::abs))
    }

    fn abs_sub(&self, other: &Self) -> Self {
        self.each(*other, |one, other| if one <= other { 0.0 } else { one - other })
    }

    fn signum(&self) -> Self {
        Self(self.0.map(f32::signum))
    }

    fn is_positive(&self) -> bool {
        self.0.iter().all(|number| number.is_sign_positive())
    }

    fn is_negative(&self) -> bool {
        self.0.iter().all(|number| number.is_sign_negative())
    }
}

#[cfg(test)]
mod tests {
    use rustfft::FftPlanner;
    use rustfft::num_complex::Complex;

    use super::*;

    #[test]
    fn transforms_of_lanes_are_those_of_their_numbers() {
        for length in [1, 2, 3, 5, 7, 8, 12, 30, 64, 75, 360, 1280, 2304, 4096] {
            let number = |at: usize, lane: usize| ((at * 37 + lane * 911) % 997) as f32 / 61.0 - 8.0;
            let (mut planner, mut one) = (FftPlanner::<Lanes>::new(), FftPlanner::<f32>::new());
            for (lanes, single) in [
                (planner.plan_fft_forward(length), one.plan_fft_forward(length)),
                (planner.plan_fft_inverse(length), one.plan_fft_inverse(length)),
            ] {
                let part = |at, part| Lanes(std::array::from_fn(|lane| number(at, 2 * lane + part)));
                let mut found: Vec<_> = (0..length).map(|at| Complex::new(part(at, 0), part(at, 1))).collect();
                lanes.process(&mut found);
                for lane in 0..LANES {
                    let of = |at| Complex::new(number(at, 2 * lane), number(at, 2 * lane + 1));
                    let mut expected: Vec<_> = (0..length).map(of).collect();
                    single.process(&mut expected);
                    for (found, expected) in found.iter().zip(&expected) {
                        let bits = [found.re, found.im].map(|part| part.0[lane].to_bits());
                        assert_eq!(bits, [expected.re, expected.im].map(f32::to_bits), "{length}");
                    }
                }
            }
        }
    }
}
