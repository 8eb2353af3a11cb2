//! Sums of field strengths from counts along the sides of rings.

use super::super::counting::cuts;
use super::super::fields::FieldTables;
use super::super::planes::Planes;
use super::super::rules::direction::angle;
use super::super::rules::ring_side::{SIDES, ends};
use super::super::rules::sums::ByDirection;

/// The cuts of the sides of rings.
#[derive(Debug)]
pub struct RingSides {
    radius: i32,
    /// First and last row of the eastern sector on each ring's eastern side.
    cuts: Vec<[i32; 2]>,
}

impl RingSides {
    pub fn new(tables: &FieldTables) -> Self {
        Self { radius: tables.radius, cuts: cuts(tables) }
    }

    /// Returns the sums over the pedestrians of a plane, in the sectors at most `widest` times 45° from a direction.
    #[inline]
    pub fn sums(
        &self,
        planes: &Planes,
        plane: usize,
        at: [u32; 2],
        strengths: &[i32],
        [direction, widest]: [u32; 2],
    ) -> ByDirection {
        let [column, row] = at.map(|at| at as i32 + self.radius);
        let mut sums = ByDirection::default();
        for side in SIDES.into_iter().filter(|side| angle(side.sectors[1], direction) <= widest + 1) {
            for ((ring, &[first, last]), strength) in (1..).zip(&self.cuts).zip(&strengths[1..]) {
                let at = if side.is_after { ring } else { -ring };
                let ends = ends(ring, first, last, side);
                let before = [ends.first, ends.middle, ends.last, ends.end].map(|end| {
                    if side.is_column {
                        planes.before_in_column(plane, (column + at) as u32, (row + end) as u32)
                    } else {
                        planes.before_in_row(plane, (column + end) as u32, (row + at) as u32)
                    }
                });
                for (part, sector) in side.sectors.into_iter().enumerate() {
                    sums[sector as usize] += (before[part + 1] - before[part]) as i32 * strength;
                }
            }
        }
        sums
    }
}
