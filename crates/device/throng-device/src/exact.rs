//! Operations that give the same bits on the host and on every device.
//!
//! A rule that a CPU executor calls and kernels inline is one `#[cube]` function. Most of Rust's operators agree on
//! both sides; these functions replace those that do not. On the host each is the plain operation; in kernels it is
//! written such that no device compiler can choose another result. [`Arithmetic`](crate::Arithmetic) tests the
//! remaining assumption on each device: that sums, products, comparisons and quotients agree with the host.
//!
//! Nothing here handles NaN. Some device compilers assume that NaN does not occur, so that even `x == x` is always
//! true. A model must reject NaN before it reaches a kernel, and its rules must not produce any. Note that differences
//! of infinities and products of infinity and 0 are NaN.
//!
//! ```
//! use throng_device::exact::{NEGATIVE_ZERO, abs, ieee_min, rounded_product, wrapping_sum};
//!
//! // As a kernel would compute it: the product is rounded, and then the sum.
//! assert_eq!(1.0 + rounded_product(0.1, 0.1, NEGATIVE_ZERO), 1.0 + 0.1 * 0.1);
//! assert_eq!(ieee_min(0.5, -0.5), -0.5);
//! assert_eq!(wrapping_sum(u32::MAX, 3), 2);
//! assert_eq!(abs(-3), 3);
//! ```

#![allow(missing_docs, reason = "the expansions for kernels are not called by name")]

use std::ops::{Add, Mul, Neg};

/// The `zero` of [`rounded_product`]. Pass it to kernels as an argument: a compiler that sees the value may remove the
/// addition, and then fuse the product with another sum.
pub const NEGATIVE_ZERO: f64 = -0.0;

/// The floats of rules: `f32` and `f64`.
pub trait Real: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {}

impl Real for f32 {}
impl Real for f64 {}

/// Returns the product of two floats, rounded before it is added to anything. Otherwise device compilers fuse a product
/// and a sum into one rounding. `zero` is [`NEGATIVE_ZERO`], which changes no product, and must not be a constant in a
/// kernel.
#[inline(always)]
pub fn rounded_product<F: Real>(a: F, b: F, zero: F) -> F {
    let _ = zero;
    a * b
}

/// Like [`rounded_product()`], but with 0 instead of -0: for results that are compared bit by bit, since not every
/// device preserves the sign of zero. A separate addition of 0 would not work in kernels, because device compilers
/// remove it.
#[inline(always)]
pub fn product_without_negative_zero<F: Real>(a: F, b: F, zero: F) -> F {
    a * b + -zero
}

/// Returns the smaller of two floats. For zeros with different signs the result may be either, because some device
/// compilers turn the comparison into a minimum instruction.
#[inline(always)]
pub fn ieee_min<F: Real>(a: F, b: F) -> F {
    if b < a { b } else { a }
}

/// Returns the larger of two floats. For zeros with different signs the result may be either.
#[inline(always)]
pub fn ieee_max<F: Real>(a: F, b: F) -> F {
    if b > a { b } else { a }
}

/// Returns the absolute value of a number above `i32::MIN`.
///
/// Do not replace it by `max(value, -value)` in kernels: NVIDIA's compiler for the H200 (ptxas 13.0; fixed in 13.5)
/// turns `max(max(x, -x), y)` into `max(x, x, y)`.
#[inline(always)]
pub fn abs(value: i32) -> i32 {
    if value < 0 { -value } else { value }
}

/// Returns the sum of two words modulo 2^32, as kernels always add.
#[inline(always)]
pub fn wrapping_sum(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// Returns the lower word of the product of two words, as kernels always multiply.
#[inline(always)]
pub fn low_product(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b)
}

/// Returns the upper word of the product of two words.
#[inline(always)]
pub fn high_product(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

/// Returns the current value of a variable. In a kernel, `let before = self.x` is an alias of `self.x` and changes with
/// it; `let before = copied(self.x)` is an independent value, as on the host.
#[inline(always)]
pub fn copied<T: Copy>(value: T) -> T {
    value
}

// Kernel versions of the functions: CubeCL's macro turns a call of `name` into one of `name::expand`.

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
