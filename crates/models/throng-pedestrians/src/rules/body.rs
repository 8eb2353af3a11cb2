//! Bodies of several space units: rectangles, whose place is that of their lower left space unit.
//!
//! The paper (Yu et al.) has bodies and says only that the field of a body of `q` x `q` space units has sides of `7 q`.
//! The rest is Throng's own: the rings of such a field are `q` space units thick and begin at the body.

#![allow(missing_docs, reason = "what #[cube] makes of a function has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The distance of a space unit from a body along an axis; 0 beside the body. `offset`: from the space unit to the first one
/// of the body; `side`: space units of the body along the axis.
#[cube]
#[inline]
pub fn gap(offset: i32, side: i32) -> i32 {
    max(max(offset, 1i32 - side - offset), 0i32)
}

/// The ring of the field of a body in which a space unit is, by its [`gap()`]s along x and y. Rings are as thick as the
/// longer side of the body.
#[cube]
#[inline]
pub fn ring(gap_x: i32, gap_y: i32, width: i32, height: i32) -> i32 {
    let thickness = max(width, height);
    (max(gap_x, gap_y) + thickness - 1i32) / thickness
}

/// Twice the offset from a space unit to the centre of a body along an axis, which may lie between space units.
#[cube]
#[inline]
pub fn to_centre(offset: i32, side: i32) -> i32 {
    2i32 * offset + side - 1i32
}

/// The offset from the first space unit of a body to the one in which the pedestrian reads fields: the middle one, of two
/// the first.
#[cube]
#[inline]
pub fn middle(side: i32) -> i32 {
    (side - 1i32) / 2i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_a_body() {
        // A body in columns 3 to 5, from columns 0 to 8.
        let gaps: Vec<i32> = (0..9).map(|column| gap(3 - column, 3)).collect();
        assert_eq!(gaps, [3, 2, 1, 0, 0, 0, 1, 2, 3]);
        assert_eq!([0, 4, 8].map(|column| to_centre(3 - column, 3)), [8, 0, -8]);
        assert_eq!([1, 2, 3, 4, 5].map(middle), [0, 0, 1, 1, 2]);
        assert_eq!([0, 3, 4].map(|column| to_centre(3 - column, 2)), [7, 1, -1]);
    }

    #[test]
    fn rings_are_as_thick_as_the_body() {
        assert_eq!([0, 1, 2, 3, 9].map(|gap| ring(gap, 0, 1, 1)), [0, 1, 2, 3, 9]);
        assert_eq!([0, 1, 2, 3, 4, 9, 10].map(|gap| ring(gap, 1, 3, 2)), [1, 1, 1, 1, 2, 3, 4]);
        assert_eq!(ring(0, 0, 3, 3), 0);
    }
}
