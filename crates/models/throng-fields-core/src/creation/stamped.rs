//! The values of a stamp in the cells of a row.

use super::cell_distances::{BLOCK, CellValues};
use crate::NEGATIVE_ZERO;
use crate::rules::interpolation::{Corners, bilinear};
use crate::stamp::{Stamp, on_stamp};

/// Buffers for intermediate results per cell.
pub(super) struct StampCharges {
    /// Positions on the stamp, in points, later replaced by fractions of the distance to the next points.
    along: CellValues,
    aside: CellValues,
    firsts: [u32; BLOCK],
    /// The two values above each cell, and the two below: stored as pairs, because one load fetches both.
    above: [[f32; 2]; BLOCK],
    below: [[f32; 2]; BLOCK],
}

impl StampCharges {
    pub fn new() -> Self {
        let zeros = [0.0; BLOCK];
        Self { along: zeros, aside: zeros, firsts: [0; BLOCK], above: [[0.0; 2]; BLOCK], below: [[0.0; 2]; BLOCK] }
    }

    /// Computes the charges at points in the coordinates of a stamp: [`Stamp::value`] times the charge.
    #[inline(always)]
    pub fn compute(&mut self, stamp: &Stamp, x: &[f32], y: &[f32], charge: f32, charges: &mut CellValues) {
        let (count, [columns, rows], per_unit) = (x.len(), stamp.size(), stamp.per_unit());
        let (along, aside) = (&mut self.along[..count], &mut self.aside[..count]);
        let (firsts, charges) = (&mut self.firsts[..count], &mut charges[..count]);
        for i in 0..count {
            let at = on_stamp(x[i], y[i], per_unit, columns, rows, NEGATIVE_ZERO);
            charges[i] = if at.is_there { charge } else { 0.0 };
            (firsts[i], along[i], aside[i]) = (at.first, at.across, at.down);
        }
        let (above, below) = (&mut self.above[..count], &mut self.below[..count]);
        let (values, width) = (&stamp.framed()[..], columns as usize + 2);
        for i in 0..count {
            let first = firsts[i] as usize;
            if let Some(around) = values.get(first..first + width + 2) {
                above[i] = [around[0], around[1]];
                below[i] = [around[width], around[width + 1]];
            }
        }
        for i in 0..count {
            let ([a, b], [c, d]) = (above[i], below[i]);
            charges[i] *= bilinear(&Corners { a, b, c, d }, along[i], aside[i], NEGATIVE_ZERO);
        }
    }
}
