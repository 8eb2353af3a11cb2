//! Values and slopes between the samples of a field: the same code for the CPU and for kernels.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

/// The values of the four samples around a point, row by row.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Corners {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
}

/// The product, rounded on its own. On devices `zero`, an argument of the kernel whose value is 0, is added to it, so
/// that no compiler fuses the product with the following operation.
#[inline(always)]
pub(crate) fn product(a: f32, b: f32, _zero: f32) -> f32 {
    a * b
}

#[cfg(feature = "gpu")]
pub(crate) mod product {
    use super::{NativeExpand, Scope, fma};

    pub fn expand(
        scope: &mut Scope,
        a: NativeExpand<f32>,
        b: NativeExpand<f32>,
        zero: NativeExpand<f32>,
    ) -> NativeExpand<f32> {
        fma::expand(scope, a, b, zero)
    }
}

/// The value at a share of the way from one to the other.
#[cube]
fn on_the_way(from: f32, to: f32, share: f32, zero: f32) -> f32 {
    from + product(to - from, share, zero)
}

/// The value at shares of the way to the next column and to the next row (bilinear).
#[cube]
pub(crate) fn value_between(corners: &Corners, across: f32, down: f32, zero: f32) -> f32 {
    let low = on_the_way(corners.a, corners.b, across, zero);
    let high = on_the_way(corners.c, corners.d, across, zero);
    on_the_way(low, high, down, zero)
}

/// The increase of that value per cell along x, `down` of the way to the next row.
#[cube]
pub(crate) fn slope_across(corners: &Corners, down: f32, zero: f32) -> f32 {
    on_the_way(corners.b - corners.a, corners.d - corners.c, down, zero)
}

/// The increase per cell along y, `across` of the way to the next column.
#[cube]
pub(crate) fn slope_down(corners: &Corners, across: f32, zero: f32) -> f32 {
    on_the_way(corners.c - corners.a, corners.d - corners.b, across, zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_has_one_slope() {
        // 2x - 3y + 1.
        let corners = Corners { a: 1.0, b: 3.0, c: -2.0, d: 0.0 };
        assert_eq!(value_between(&corners, 0.25, 0.5, 0.0), 0.0);
        assert_eq!((slope_across(&corners, 0.3, 0.0), slope_down(&corners, 0.7, 0.0)), (2.0, -3.0));
    }
}
