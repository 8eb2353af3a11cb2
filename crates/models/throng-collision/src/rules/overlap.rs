//! Overlap of two discs.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::abs;

/// Whether two centres, offset by `dx` and `dy`, are closer than `distance`. Touching discs do not overlap. `distance`
/// is at most 46,340, so that squares fit in 32 bits.
#[cube]
#[inline]
pub fn is_nearer(dx: i32, dy: i32, distance: i32) -> bool {
    let (along, across) = (abs(dx), abs(dy));
    let mut nearer = along < distance && across < distance;
    if nearer {
        let (along, across, distance) = (along as u32, across as u32, distance as u32);
        nearer = along * along + across * across < distance * distance;
    }
    nearer
}

/// Whether a displacement has at most this length, which is at most 46,340.
#[cube]
#[inline]
pub fn is_within(dx: i32, dy: i32, length: i32) -> bool {
    let (along, across) = (abs(dx), abs(dy));
    let mut within = along <= length && across <= length;
    if within {
        let (along, across, length) = (along as u32, across as u32, length as u32);
        within = along * along + across * across <= length * length;
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_discs_do_not_overlap() {
        assert!(is_nearer(3, 4, 6) && !is_nearer(3, 4, 5) && is_nearer(0, 0, 1) && !is_nearer(0, 0, 0));
        assert!(!is_nearer(i32::MIN + 1, 0, 46_340) && !is_nearer(32_767, 32_768, 46_340));
        assert!(is_within(3, 4, 5) && !is_within(3, 5, 5) && is_within(0, 0, 0));
        assert!(is_nearer(32_766, 32_766, 46_340) && is_nearer(-32_766, 32_766, 46_340));
    }
}
