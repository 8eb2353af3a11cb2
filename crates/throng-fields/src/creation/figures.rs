//! Adding figures to blocks of cells: for each row the cells within reach, then their distances, then their charges.

use super::charges::{charges_of, needs_distance};
use super::spans::Outline;
use super::sums::Sum;
use super::ways::{Figured, GROUPS, LANES, Lanes, Ways};
use super::window::Window;
use crate::entities::Cells;
use crate::figure::Figure;

/// Adds an entity to a window: bit for bit what the definition gives for each cell. Squares of distances within reach are
/// below `limit`; `reached` are the cells that the entity may reach.
///
/// To be inlined into functions that are compiled for several processors.
#[inline(always)]
pub(super) fn add_figure<S: Sum>(figured: Figured<'_>, limit: f32, reached: Cells, window: &mut Window<'_, S::Value>) {
    let within = |a: (u32, u32), b: (u32, u32)| (a.0.max(b.0), a.1.min(b.1));
    let Window { cells, stride, values } = window;
    let (columns, rows) = (within(reached.columns, cells.columns), within(reached.rows, cells.rows));
    if columns.0 >= columns.1 {
        return;
    }
    // The squares of a ring that are out of reach are infinite, and a stamp has none.
    let has_limit = !matches!(figured.placed.figure, Figure::Ring { .. } | Figure::Stamp(_));
    let limit = if has_limit { limit } else { f32::INFINITY };
    let outline = Outline::new(figured.placed, figured.low, columns.1.max(rows.1));
    let (mut ways, mut charges) = (Ways::new(), [[0.0; LANES]; GROUPS]);
    for row in rows.0..rows.1 {
        let start = (row - cells.rows.0) as usize * *stride;
        for (from, end) in outline.in_row(row, columns) {
            let at = |column: u32| start + (column - cells.columns.0) as usize;
            let mut column = from;
            for values in values[at(from)..at(end)].chunks_mut(GROUPS * LANES) {
                let block = super::ways::Cells { column, row, groups: values.len().div_ceil(LANES) };
                charge::<S>(figured, block, limit, &mut ways, &mut charges);
                add::<S>(values, &ways.squares, &charges, limit);
                column += values.len() as u32;
            }
        }
    }
}

/// Computes the charges of some cells.
#[inline(always)]
fn charge<S: Sum>(
    figured: Figured<'_>,
    cells: super::ways::Cells,
    limit: f32,
    ways: &mut Ways,
    charges: &mut [Lanes; GROUPS],
) {
    let placed = figured.placed;
    if let Figure::Stamp(stamp) = &placed.figure {
        let [along, aside] = ways.locate(figured, cells);
        for ((charges, x), y) in charges.iter_mut().zip(along).zip(aside) {
            let values = stamp.values_at(x, y);
            for i in 0..LANES {
                charges[i] = placed.charge * values[i];
            }
        }
        return;
    }
    let has_distances = ways.measure(figured, cells);
    if needs_distance(&placed.fall) && !has_distances {
        for group in 0..cells.groups {
            for i in 0..LANES {
                ways.distances[group][i] = S::root(ways.squares[group][i], figured.units);
            }
        }
    }
    charges_of(&placed.fall, &ways.of_first(cells.groups, limit), charges);
}

/// Adds charges to cells, the last of which may be fewer than a group.
#[inline(always)]
fn add<S: Sum>(values: &mut [S::Value], squares: &[Lanes; GROUPS], charges: &[Lanes; GROUPS], limit: f32) {
    let (groups, rest) = values.as_chunks_mut::<LANES>();
    let whole = groups.len();
    for ((values, squares), charges) in groups.iter_mut().zip(squares).zip(charges) {
        add_eight::<S>(values, squares, charges, limit);
    }
    if !rest.is_empty() {
        let mut padded = [S::Value::default(); LANES];
        padded[..rest.len()].copy_from_slice(rest);
        add_eight::<S>(&mut padded, &squares[whole], &charges[whole], limit);
        rest.copy_from_slice(&padded[..rest.len()]);
    }
}

#[inline(always)]
fn add_eight<S: Sum>(values: &mut [S::Value; LANES], squares: &Lanes, charges: &Lanes, limit: f32) {
    for i in 0..LANES {
        let charge = if squares[i] < limit { charges[i] } else { 0.0 };
        values[i] = S::plus(values[i], charge);
    }
}
