//! Adds shapes to blocks of cells: for each row the cells within reach, then their distances, then their charges.

use super::cell_distances::{self, BLOCK, CellDistances, EntityInCells, LANES};
use super::charges::{Charges, needs_distance};
use super::spans::Outline;
use super::stamped::StampCharges;
use super::sums::Sum;
use super::window::Window;
use crate::entities::Cells;
use crate::resolved_shape::ResolvedShape;
use crate::rules::ring::Ring;

/// Adds an entity to a window, with the same result as the definition, bit for bit. Squares of distances within reach
/// are below `limit`; `reached` are the cells that the entity may reach.
///
/// Must be inlined into functions that are compiled for several processors.
#[inline(always)]
pub(super) fn add_shape<S: Sum>(
    in_cells: EntityInCells<'_>,
    limit: f32,
    reached: Cells,
    window: &mut Window<'_, S::Value>,
) {
    let within = |a: (u32, u32), b: (u32, u32)| (a.0.max(b.0), a.1.min(b.1));
    let Window { cells, stride, values } = window;
    let (columns, rows) = (within(reached.columns, cells.columns), within(reached.rows, cells.rows));
    if columns.0 >= columns.1 {
        return;
    }
    // The squares of a ring are infinite beyond its reach, and a stamp has no squares.
    let has_limit = !matches!(in_cells.placed.figure, ResolvedShape::Ring { .. } | ResolvedShape::Stamp(_));
    let limit = if has_limit { limit } else { f32::INFINITY };
    let rounding = in_cells.ring.map_or(0.0, Ring::rounding);
    let outline = Outline::new(in_cells.placed, in_cells.low, columns.1.max(rows.1), rounding);
    let (mut measured, mut charges) = (CellDistances::new(&in_cells.placed.figure, columns), Charges::new());
    let mut stamped = StampCharges::new();
    let mut amounts = [S::Value::default(); BLOCK];
    for row in rows.0..rows.1 {
        let start = (row - cells.rows.0) as usize * *stride;
        for (from, end) in outline.in_row(row, columns) {
            let at = |column: u32| start + (column - cells.columns.0) as usize;
            let (mut column, mut values) = (from, &mut values[at(from)..at(end)]);
            while !values.is_empty() {
                // Cells before the first one are computed, but not added.
                let before = (column % measured.step()) as usize;
                let (head, tail) = values.split_at_mut(values.len().min(BLOCK - before));
                let count = (before + head.len()).next_multiple_of(LANES);
                let block = cell_distances::Cells { column: column - before as u32, row, count };
                if let ResolvedShape::Stamp(stamp) = &in_cells.placed.figure {
                    measured.locate(in_cells, block);
                    let (along, aside) = (&measured.along[..block.count], &measured.aside[..block.count]);
                    stamped.compute(stamp, along, aside, in_cells.placed.charge, &mut charges.of_cells);
                } else {
                    if !measured.measure(in_cells, block) && needs_distance(&in_cells.placed.fall) {
                        take_roots::<S>(&mut measured, block.count, in_cells.units);
                    }
                    charges.compute(&in_cells.placed.fall, &measured, block.count, limit);
                }
                let of_cells = before..block.count;
                add::<S>(head, &measured.squares[of_cells.clone()], &charges.of_cells[of_cells], limit, &mut amounts);
                column += head.len() as u32;
                values = tail;
            }
        }
    }
}

#[inline(always)]
fn take_roots<S: Sum>(measured: &mut CellDistances, count: usize, units: f32) {
    let (squares, distances) = (&measured.squares[..count], &mut measured.distances[..count]);
    for i in 0..count {
        distances[i] = S::root(squares[i], units);
    }
}

/// Adds the charges of cells whose squares are below the limit.
#[inline(always)]
fn add<S: Sum>(values: &mut [S::Value], squares: &[f32], charges: &[f32], limit: f32, amounts: &mut [S::Value; BLOCK]) {
    // Computes all amounts first, without conditions: otherwise the compiler does not vectorise the loop.
    let computed = &mut amounts[..charges.len()];
    for i in 0..charges.len() {
        computed[i] = S::amount(charges[i]);
    }
    let (squares, amounts) = (&squares[..values.len()], &amounts[..values.len()]);
    for i in 0..values.len() {
        let amount = if squares[i] < limit { amounts[i] } else { S::Value::default() };
        values[i] = S::plus(values[i], amount);
    }
}
