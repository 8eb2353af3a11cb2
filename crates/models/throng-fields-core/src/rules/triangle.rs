//! The hypotenuse of a right triangle with integer sides, whose square has 64 bits.

/// Returns the length of the hypotenuse, rounded down; the legs are below 2^31.5.
pub fn hypotenuse(across: u32, down: u32) -> u32 {
    let square = |side: u32| u64::from(side) * u64::from(side);
    (square(across) + square(down)).isqrt() as u32
}

/// The same in kernels. Not every device has 64-bit integers, so each is represented by two words, which would be
/// slower on the host.
#[cfg(feature = "gpu")]
pub mod hypotenuse {
    use throng_device::cubecl;
    use throng_device::cubecl::prelude::*;
    use throng_device::exact::{high_product, low_product};
    use throng_device::primitives::pair::{Pair, add};

    /// The value of the upper word.
    const HIGH: f32 = 4_294_967_296.0;

    pub fn expand(scope: &mut Scope, across: NativeExpand<u32>, down: NativeExpand<u32>) -> NativeExpand<u32> {
        on_devices::expand(scope, across, down)
    }

    #[cube]
    fn on_devices(across: u32, down: u32) -> u32 {
        root(add(square(across), square(down)))
    }

    #[cube]
    fn square(of: u32) -> Pair {
        Pair { high: high_product(of, of), low: low_product(of, of) }
    }

    /// The difference `a - b`, for `a >= b`.
    #[cube]
    fn difference(a: Pair, b: Pair) -> Pair {
        let mut high = a.high - b.high;
        if a.low < b.low {
            high -= 1u32;
        }
        Pair { high, low: a.low - b.low }
    }

    #[cube]
    fn is_less(a: Pair, b: Pair) -> bool {
        a.high < b.high || (a.high == b.high && a.low < b.low)
    }

    /// The value in single precision.
    #[cube]
    fn rounded(of: Pair) -> f32 {
        of.high as f32 * HIGH + of.low as f32
    }

    /// The square root, rounded down.
    #[cube]
    fn root(of: Pair) -> u32 {
        // Off by thousands at most, depending on how the device computes roots.
        let mut root = rounded(of).sqrt() as u32;
        let twice = 2.0f32 * f32::max(root as f32, 1.0f32);
        // Newton's method reduces the error to one or two.
        let found = square(root);
        if is_less(of, found) {
            root -= (rounded(difference(found, of)) / twice) as u32;
        } else {
            root += (rounded(difference(of, found)) / twice) as u32;
        }
        while is_less(of, square(root)) {
            root -= 1u32;
        }
        while !is_less(of, square(root + 1u32)) {
            root += 1u32;
        }
        root
    }
}

#[cfg(all(test, feature = "gpu"))]
mod on_devices {
    use throng_testing_devices::same_on_devices;

    use super::*;
    use crate::rule_tables::words;

    /// Random legs, and legs whose sum of squares is a square, or just above or below one.
    fn sides() -> impl Iterator<Item = (u32, u32)> {
        words([1 << 31, 1 << 31, 1 << 28]).flat_map(|[across, down, k]| {
            [
                (across, down),
                (3 * k, 4 * k),
                (3 * k, 4 * k + 1),
                (3 * k, (4 * k).saturating_sub(1)),
                (across, 0),
                (across, 1),
            ]
        })
    }

    same_on_devices!(fn lengths(across: u32, down: u32) -> u32 { hypotenuse(across, down) } for sides());
}
