//! Values and slopes between the samples of a field, shared by the CPU and kernels.

// The macros of CubeCL generate items without documentation.
#![allow(missing_docs)]

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::exact::rounded_product;

/// The values of the four samples around a point, row by row.
#[derive(CubeType, Debug, Clone, Copy, PartialEq)]
pub struct Corners {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
}

/// Linear interpolation.
#[cube]
#[inline(always)]
pub fn lerp(from: f32, to: f32, share: f32, zero: f32) -> f32 {
    from + rounded_product(to - from, share, zero)
}

/// Bilinear interpolation at fractions of the distance to the next column and the next row.
#[cube]
#[inline(always)]
pub fn bilinear(corners: &Corners, across: f32, down: f32, zero: f32) -> f32 {
    let low = lerp(corners.a, corners.b, across, zero);
    let high = lerp(corners.c, corners.d, across, zero);
    lerp(low, high, down, zero)
}

/// The slope of `bilinear` along x, per cell, at fraction `down` of the distance to the next row.
#[cube]
#[inline(always)]
pub fn slope_across(corners: &Corners, down: f32, zero: f32) -> f32 {
    lerp(corners.b - corners.a, corners.d - corners.c, down, zero)
}

/// The slope of `bilinear` along y, per cell, at fraction `across` of the distance to the next column.
#[cube]
#[inline(always)]
pub fn slope_down(corners: &Corners, across: f32, zero: f32) -> f32 {
    lerp(corners.c - corners.a, corners.d - corners.b, across, zero)
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::NEGATIVE_ZERO;
    use crate::rule_tables::any_numbers;

    same_on_devices! {
        fn points(a: f32, b: f32, c: f32, d: f32, across: f32, down: f32, zero: f32) {
            let corners = Corners { a, b, c, d };
            let value = bilinear(&corners, across, down, zero);
            let along_x = slope_across(&corners, down, zero);
            let along_y = slope_down(&corners, across, zero);
        } -> { value: f32 = value, x: f32 = along_x, y: f32 = along_y }
        for any_numbers().map(|[a, b, c, d, across, down]| (a, b, c, d, across, down, NEGATIVE_ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NEGATIVE_ZERO;

    #[test]
    fn a_plane_has_one_slope() {
        // The plane 2x - 3y + 1.
        let corners = Corners { a: 1.0, b: 3.0, c: -2.0, d: 0.0 };
        assert_eq!(bilinear(&corners, 0.25, 0.5, NEGATIVE_ZERO), 0.0);
        let slopes = (slope_across(&corners, 0.3, NEGATIVE_ZERO), slope_down(&corners, 0.7, NEGATIVE_ZERO));
        assert_eq!(slopes, (2.0, -3.0));
    }
}
