//! Several numbers as one, so that Fourier transforms of several rows or columns are computed at a time, each with the
//! operations that it would have alone: results are the same to the last bit.

use std::ops::{Add, Mul, Neg, Sub};

/// Numbers in [`Lanes`]: those of a vector register that any processor has.
pub(super) const LANES: usize = 4;

/// Numbers that go through the same operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lanes(pub [f32; LANES]);

/// Complex numbers of several rows or columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numbers {
    pub re: Lanes,
    pub im: Lanes,
}

pub(super) const ZERO: Numbers = Numbers { re: Lanes([0.0; LANES]), im: Lanes([0.0; LANES]) };

/// Operators that apply to each number.
macro_rules! operators {
    ($($operator:ident $function:ident,)*) => {
        $(impl $operator for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $function(self, Self([e, f, g, h]): Self) -> Self {
                let Self([a, b, c, d]) = self;
                Self([a.$function(e), b.$function(f), c.$function(g), d.$function(h)])
            }
        })*
    };
}

operators! { Add add, Sub sub, Mul mul, }

impl Mul<f32> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        self * Self([factor; LANES])
    }
}

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let Self([a, b, c, d]) = self;
        Self([-a, -b, -c, -d])
    }
}

impl Add for Numbers {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Numbers {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul<f32> for Numbers {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}

impl Numbers {
    /// Multiplied by a complex number, which is the same for all.
    #[inline(always)]
    pub fn turned_by(self, [re, im]: [f32; 2]) -> Self {
        Self { re: self.re * re - self.im * im, im: self.re * im + self.im * re }
    }

    /// Multiplied by -i.
    #[inline(always)]
    pub fn turned_back(self) -> Self {
        Self { re: self.im, im: -self.re }
    }

    /// With real and imaginary parts exchanged.
    #[inline(always)]
    pub fn exchanged(self) -> Self {
        Self { re: self.im, im: self.re }
    }
}
