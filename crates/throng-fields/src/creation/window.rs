//! Adding entities to a block of cells.

use super::sums::{Item, Sum};
use crate::disc::chord;
use crate::entities::Cells;
use crate::figure::Figure;

/// A block of cells of a grid, and the values of these.
pub(crate) struct Window<'v, V> {
    pub cells: Cells,
    /// Values from one row to the next.
    pub stride: usize,
    /// From the first cell of the block on.
    pub values: &'v mut [V],
}

/// Adds items to a window, those that `list` has or all.
///
/// To be inlined into functions that are compiled for several processors: so no closures, which the compiler may not
/// inline.
#[inline(always)]
pub(super) fn add_listed<S: Sum>(items: &[Item<S::Placed>], list: Option<&[u32]>, window: &mut Window<'_, S::Value>) {
    match list {
        Some(list) => {
            for &i in list {
                add::<S>(&items[i as usize], window);
            }
        }
        None => {
            for item in items {
                add::<S>(item, window);
            }
        }
    }
}

#[inline(always)]
fn add<S: Sum>(item: &Item<S::Placed>, window: &mut Window<'_, S::Value>) {
    let Window { cells, stride, values } = window;
    match item {
        Item::Linear(disc) => disc.add(*cells, *stride, values, S::linear),
        Item::Quadratic(disc) => disc.add(*cells, *stride, values, S::quadratic),
        Item::Other(other) => add_other::<S>(&other.0, other.1, window),
        Item::Nowhere => {}
    }
}

/// Row by row.
#[inline(never)]
fn add_other<S: Sum>(entity: &S::Placed, reached: Cells, window: &mut Window<'_, S::Value>) {
    let within = |a: (u32, u32), b: (u32, u32)| (a.0.max(b.0), a.1.min(b.1));
    let Window { cells, stride, values } = window;
    let (columns, rows) = (within(reached.columns, cells.columns), within(reached.rows, cells.rows));
    if columns.0 >= columns.1 {
        return;
    }
    let placed = S::placed(entity);
    for row in rows.0..rows.1 {
        // Of the box around a disc, more than a fifth is out of reach.
        let columns =
            if placed.figure == Figure::Disc { chord(placed.at, placed.reach, row, columns) } else { columns };
        let start = (row - cells.rows.0) as usize * *stride;
        let at = |column: u32| start + (column - cells.columns.0) as usize;
        S::other(&mut values[at(columns.0)..at(columns.1)], entity, columns.0, row);
    }
}
