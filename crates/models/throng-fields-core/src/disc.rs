//! Linear, quadratic and Gaussian discs, by far the most frequent entities: a few numbers each, and loops over eight
//! cells at a time.

use std::ops::Range;

use throng_pictures::Grid;

use crate::entities::{Cells, Entity};
use crate::metric::Metric;
use crate::placed::{rate_of_bell, split};
use crate::profile::Form;
use crate::rules::fixed_point::{offset, reach_in_fixed_point, units};
use crate::shape::Shape;

/// Cells processed at a time: one AVX2 vector. Wider groups are not faster, because square roots take most of the time,
/// and processors take as long for 16 as for two times 8.
const LANES: usize = 8;
/// Up to this reach, in cells, all rows of a disc are as long as its longest one. For 17 x 17 cells, a loop of constant
/// length is faster than one that skips uncovered cells.
const SHORT_REACH: f32 = 12.0;
/// Maximum number of columns: beyond it, floats cannot represent every column.
const MAX_COLUMNS: u32 = 1 << 24;

/// A disc on a grid; all lengths are in cells. It stores the same numbers as [`Placed`](crate::placed::Placed).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// Position relative to the first sampled point, in single precision.
    pub at: [f32; 2],
    /// In fixed point, the remainder of the position in double precision.
    pub low: [f32; 2],
    /// The distance beyond which the value is zero.
    pub reach: f32,
    pub charge: f32,
    /// The decrease of the charge per unit of distance or of its square; for a bell, the rate.
    pub slope: f32,
    /// In fixed point, units of distance per cell.
    pub units: f32,
}

/// How the charge of a disc falls off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FallOff {
    WithDistance,
    WithSquare,
    AsBell,
}

impl Disc {
    /// Converts a linear, quadratic or Gaussian disc, with the given charge; returns `None` for other entities.
    #[inline]
    pub fn of(grid: &Grid, entity: &Entity, charge: f32) -> Option<(Self, FallOff)> {
        if entity.shape != Shape::Disc || entity.metric != Metric::Euclidean || grid.columns() > MAX_COLUMNS {
            return None;
        }
        let reach = entity.profile.reach() / grid.cell();
        let (slope, falls) = match entity.profile.form {
            Form::Linear => (charge / reach, FallOff::WithDistance),
            Form::Quadratic => (charge / (reach * reach), FallOff::WithSquare),
            Form::Gaussian { sigma } => (rate_of_bell(sigma / grid.cell()), FallOff::AsBell),
            _ => return None,
        };
        let (at, _) = split(grid.in_samples(entity.position));
        Some((Self { at, low: [0.0; 2], reach, charge, slope, units: 1.0 }, falls))
    }

    /// The same in fixed point, with the charge in steps: the numbers of
    /// [`Stepped`](crate::rules::fixed_point::Stepped) in less memory.
    pub fn stepped(grid: &Grid, entity: &Entity, step: f32) -> Option<(Self, FallOff)> {
        let (disc, falls) = Self::of(grid, entity, entity.charge / step)?;
        let reach = reach_in_fixed_point(&entity.profile) / grid.cell();
        let units = units(reach);
        let slope = match falls {
            FallOff::WithDistance => disc.slope / units,
            // Squares stay in cells.
            FallOff::WithSquare | FallOff::AsBell => disc.slope,
        };
        let low = split(grid.in_samples(entity.position)).1;
        Some((Self { low, reach, slope, units, ..disc }, falls))
    }

    /// The cells that the disc may reach; `None` if it reaches none.
    #[inline]
    pub fn cells(&self, grid: &Grid) -> Option<Cells> {
        let columns = span(self.at[0], self.reach, (0, grid.columns()));
        let rows = span(self.at[1], self.reach, (0, grid.rows()));
        (columns.0 < columns.1 && rows.0 < rows.1).then_some(Cells { columns, rows })
    }

    /// Adds the disc to a block of cells, whose rows are `stride` values apart. `add` gets the value of a cell, the
    /// square of its distance, and the disc.
    #[inline(always)]
    pub fn add<V: Copy + Default>(
        &self,
        block: Cells,
        stride: usize,
        values: &mut [V],
        add: impl Fn(V, f32, &Disc) -> V + Copy,
    ) {
        let Self { at: [x, y], reach, .. } = *self;
        let widest = span(x, reach, block.columns);
        let (from, end) = span(y, reach, block.rows);
        if widest.0 >= widest.1 || from >= end {
            return;
        }
        let widest = groups(widest, block.columns);
        let start = |row: u32| (row - block.rows.0) as usize * stride;
        if reach < SHORT_REACH {
            let columns = numbers(block.columns.0, widest.start);
            for (row, values) in (from..end).zip(values[start(from)..].chunks_mut(stride)) {
                self.add_row(&mut values[widest.clone()], columns, row, add);
            }
            return;
        }
        let chord = |row: u32| groups(chord([x, y], reach, row, block.columns), block.columns);
        // The start of each row is computed one row ahead, so that processors can verify the predicted loop length
        // early.
        let mut next = chord(from);
        for row in from..end {
            let cells = std::mem::replace(&mut next, chord(row + 1));
            let columns = numbers(block.columns.0, cells.start);
            self.add_row(&mut values[start(row)..][cells], columns, row, add);
        }
    }

    /// Adds the disc to cells of a row; `columns` are the columns of the first group of cells.
    #[inline(always)]
    fn add_row<V: Copy + Default>(
        &self,
        cells: &mut [V],
        mut columns: [f32; LANES],
        row: u32,
        add: impl Fn(V, f32, &Disc) -> V + Copy,
    ) {
        let down = offset(row as f32, self.at[1], self.low[1]);
        let square = down * down;
        let (groups, rest) = cells.as_chunks_mut::<LANES>();
        // Columns are counted in floats. The compiler must not reorder such sums, so it processes one group of cells
        // after the other instead of interleaving eight groups.
        for cells in groups {
            self.add_eight(cells, &mut columns, square, add);
        }
        if !rest.is_empty() {
            let mut padded = [V::default(); LANES];
            padded[..rest.len()].copy_from_slice(rest);
            self.add_eight(&mut padded, &mut columns, square, add);
            rest.copy_from_slice(&padded[..rest.len()]);
        }
    }

    /// Adds the disc to cells in these columns, whose row is `sqrt(square)` away. Advances `columns` to the next group.
    #[inline(always)]
    fn add_eight<V: Copy>(
        &self,
        cells: &mut [V; LANES],
        columns: &mut [f32; LANES],
        square: f32,
        add: impl Fn(V, f32, &Disc) -> V,
    ) {
        for i in 0..LANES {
            let across = offset(columns[i], self.at[0], self.low[0]);
            cells[i] = add(cells[i], across * across + square, self);
            columns[i] += LANES as f32;
        }
    }
}

/// The sampled points of an axis in `from..end` that may be within `half` of `at`, as a half-open range.
#[inline(always)]
fn span(at: f32, half: f32, (from, end): (u32, u32)) -> (u32, u32) {
    // Exceeds the rounding error of numbers of this size, so that no cell is lost.
    let half = half + 0.001 + (at.abs() + half) * 1e-6;
    // NaN becomes 0.
    let first = ((at - half + 1.0).max(0.0) as u32).clamp(from, end);
    let behind = ((at + half + 1.0).max(0.0) as u32).clamp(first, end);
    (first, behind)
}

/// The columns, out of the given ones, that a circle around `at` may reach in a row.
#[inline(always)]
fn chord(at: [f32; 2], reach: f32, row: u32, columns: (u32, u32)) -> (u32, u32) {
    let down = row as f32 - at[1];
    // Slightly more than the chord: both squares are rounded, and so are the distances that are compared with the
    // reach.
    let half = (reach * reach * 1.000_001 - down * down).max(0.0).sqrt();
    span(at[0], half, columns)
}

/// Positions in a row of a block that cover these columns in whole groups. The last group is shorter only if the whole
/// row is shorter than these groups.
#[inline(always)]
fn groups((from, end): (u32, u32), (first, behind): (u32, u32)) -> Range<usize> {
    let width = (behind - first) as usize;
    let length = ((end - from) as usize).next_multiple_of(LANES).min(width);
    let start = ((from - first) as usize).min(width - length);
    start..start + length
}

/// The column of each cell of a group.
#[inline(always)]
fn numbers(first: u32, start: usize) -> [f32; LANES] {
    let mut columns = [0.0; LANES];
    for (i, column) in columns.iter_mut().enumerate() {
        *column = (first as i32 + (start + i) as i32) as f32;
    }
    columns
}

/// Sums of floats. Kernels use faster roots and fused operations instead, which differ only by rounding.
pub mod floats {
    use super::Disc;
    use crate::NEGATIVE_ZERO;
    use crate::rules::fall::{bell, falling};

    #[inline(always)]
    pub fn linear(cell: f32, square: f32, disc: &Disc) -> f32 {
        let distance = square.sqrt();
        cell + if distance < disc.reach { falling(disc.charge, disc.slope, distance, NEGATIVE_ZERO) } else { 0.0 }
    }

    #[inline(always)]
    pub fn quadratic(cell: f32, square: f32, disc: &Disc) -> f32 {
        let within = square.sqrt() < disc.reach;
        cell + if within { falling(disc.charge, disc.slope, square, NEGATIVE_ZERO) } else { 0.0 }
    }

    #[inline(always)]
    pub fn bell_shaped(cell: f32, square: f32, disc: &Disc) -> f32 {
        let value = bell(disc.charge, disc.slope, square, NEGATIVE_ZERO);
        cell + if square.sqrt() < disc.reach { value } else { 0.0 }
    }
}

/// Sums of whole steps.
pub mod steps {
    use super::Disc;
    use crate::NEGATIVE_ZERO;
    use crate::rules::fall::{bell, falling};
    use crate::rules::fixed_point::{nearest, root};

    #[inline(always)]
    pub fn linear(cell: i32, square: f32, disc: &Disc) -> i32 {
        let within = square < disc.reach * disc.reach;
        let value = nearest(falling(disc.charge, disc.slope, root(square, disc.units), NEGATIVE_ZERO));
        cell.wrapping_add(if within { value } else { 0 })
    }

    #[inline(always)]
    pub fn quadratic(cell: i32, square: f32, disc: &Disc) -> i32 {
        let within = square < disc.reach * disc.reach;
        let value = nearest(falling(disc.charge, disc.slope, square, NEGATIVE_ZERO));
        cell.wrapping_add(if within { value } else { 0 })
    }
    #[inline(always)]
    pub fn bell_shaped(cell: i32, square: f32, disc: &Disc) -> i32 {
        let within = square < disc.reach * disc.reach;
        let value = nearest(bell(disc.charge, disc.slope, square, NEGATIVE_ZERO));
        cell.wrapping_add(if within { value } else { 0 })
    }
}
