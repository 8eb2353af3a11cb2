//! Operations that have the same bits on the host and on every device.
//!
//! A rule that a CPU executor calls and kernels inline is one `#[cube]` function. Most of Rust's operators agree on
//! both sides; these functions replace those that do not. On the host each is the plain operation; in kernels it is
//! written out such that no compiler of a device can choose another result. [`Arithmetic`](crate::Arithmetic) tests on
//! each device what remains: that sums, comparisons and quotients round as on the host.
//!
//! Nothing here handles NaN. Compilers of some devices assume that there is none, and then even `x == x` is always true.
//! A model refuses NaN before it reaches a kernel, and its rules make none: neither from finite numbers nor from infinite
//! ones, of which differences, and products with 0, are NaN.
//!
//! ```
//! use throng_device::exact::{NEGATIVE_ZERO, ieee_min, magnitude, rounded_product, wrapping_sum};
//!
//! // As a kernel would compute it: the product is rounded, and then the sum.
//! assert_eq!(1.0 + rounded_product(0.1, 0.1, NEGATIVE_ZERO), 1.0 + 0.1 * 0.1);
//! assert_eq!(ieee_min(0.5, -0.5), -0.5);
//! assert_eq!(wrapping_sum(u32::MAX, 3), 2);
//! assert_eq!(magnitude(-3), 3);
//! ```

#![allow(missing_docs, reason = "the expansions for kernels are not called by name")]

use std::ops::{Add, Mul, Neg};

/// The `zero` of [`rounded_product`]. Pass it to kernels as an argument: a compiler that sees the value may leave the
/// addition out, and then round the product together with another sum.
pub const NEGATIVE_ZERO: f64 = -0.0;

/// The floats of rules: `f32` and `f64`.
pub trait Real: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {}

impl Real for f32 {}
impl Real for f64 {}

/// The product of two floats, rounded before it is added to anything. Compilers of devices otherwise round a product
/// and a sum once, together. `zero` is [`NEGATIVE_ZERO`], which changes no product, and must not be a constant in a
/// kernel.
#[inline(always)]
pub fn rounded_product<F: Real>(a: F, b: F, zero: F) -> F {
    let _ = zero;
    a * b
}

/// The same, but 0 instead of -0: for results that are compared bit by bit, since not every device preserves the sign
/// of zero. In kernels a separate addition of 0 would not work, because compilers for devices remove it.
#[inline(always)]
pub fn product_without_negative_zero<F: Real>(a: F, b: F, zero: F) -> F {
    a * b + -zero
}

/// The ieee_min of two floats. Of zeros with different signs it may be either: compilers of some devices make a minimum of
/// the comparison.
#[inline(always)]
pub fn ieee_min<F: Real>(a: F, b: F) -> F {
    if b < a { b } else { a }
}

/// The ieee_max of two floats. Of zeros with different signs it may be either.
#[inline(always)]
pub fn ieee_max<F: Real>(a: F, b: F) -> F {
    if b > a { b } else { a }
}

/// The absolute value of a number above `i32::MIN`.
///
/// In kernels `max(value, -value)` must not take its place: of `max(max(x, -x), y)` NVIDIA's compiler for the H200 makes
/// `max(x, x, y)` (ptxas 13.0; 13.5 is right).
#[inline(always)]
pub fn abs(value: i32) -> i32 {
    if value < 0 { -value } else { value }
}

/// The sum of two words modulo 2^32, as kernels always add.
#[inline(always)]
pub fn wrapping_sum(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// The lower word of the product of two words, as kernels always multiply.
#[inline(always)]
pub fn low_product(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b)
}

/// The upper word of the product of two words.
#[inline(always)]
pub fn high_product(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// The present value of a variable. In a kernel, `let before = self.x` is another name of `self.x`, and changes with
/// it; `let before = copied(self.x)` is a value of its own, as on the host.
#[inline(always)]
pub fn copied<T: Copy>(value: T) -> T {
    value
}

// What the functions are in kernels: CubeCL's macro turns a call of `name` into one of `name::expand`.

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod rounded_product {
    use cubecl::prelude::*;

    pub fn expand<F: Float>(
        scope: &mut Scope,
        a: NativeExpand<F>,
        b: NativeExpand<F>,
        zero: NativeExpand<F>,
    ) -> NativeExpand<F> {
        fma::expand(scope, a, b, zero)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod product_without_negative_zero {
    use cubecl::prelude::*;

    pub fn expand<F: Float>(
        scope: &mut Scope,
        a: NativeExpand<F>,
        b: NativeExpand<F>,
        zero: NativeExpand<F>,
    ) -> NativeExpand<F> {
        let positive = neg::expand(scope, zero);
        fma::expand(scope, a, b, positive)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod ieee_min {
    use cubecl::prelude::*;

    pub fn expand<F: Float>(scope: &mut Scope, a: NativeExpand<F>, b: NativeExpand<F>) -> NativeExpand<F> {
        let other_is_less = lt::expand(scope, b.clone(), a.clone());
        select::expand(scope, other_is_less, b, a)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod ieee_max {
    use cubecl::prelude::*;

    pub fn expand<F: Float>(scope: &mut Scope, a: NativeExpand<F>, b: NativeExpand<F>) -> NativeExpand<F> {
        let other_is_greater = gt::expand(scope, b.clone(), a.clone());
        select::expand(scope, other_is_greater, b, a)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod abs {
    use cubecl::prelude::*;

    pub fn expand(scope: &mut Scope, value: NativeExpand<i32>) -> NativeExpand<i32> {
        let is_negative = lt::expand(scope, value.clone(), 0i32.into());
        let opposite = neg::expand(scope, value.clone());
        select::expand(scope, is_negative, opposite, value)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod wrapping_sum {
    use cubecl::prelude::*;

    pub fn expand(scope: &mut Scope, a: NativeExpand<u32>, b: NativeExpand<u32>) -> NativeExpand<u32> {
        add::expand(scope, a, b)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod low_product {
    use cubecl::prelude::*;

    pub fn expand(scope: &mut Scope, a: NativeExpand<u32>, b: NativeExpand<u32>) -> NativeExpand<u32> {
        mul::expand(scope, a, b)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod high_product {
    use cubecl::prelude::*;

    pub fn expand(scope: &mut Scope, a: NativeExpand<u32>, b: NativeExpand<u32>) -> NativeExpand<u32> {
        a.__expand_mul_hi_method(scope, b)
    }
}

#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod copied {
    use cubecl::prelude::*;

    pub fn expand<T: CubePrimitive>(scope: &mut Scope, value: NativeExpand<T>) -> NativeExpand<T> {
        value.into_mut(scope)
    }
}
