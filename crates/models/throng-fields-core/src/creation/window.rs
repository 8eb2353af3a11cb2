//! Adds entities to a block of cells.

use super::sums::{Item, ItemOf, Sum};
use crate::entities::Cells;

/// A block of cells of a grid, and their values.
pub struct Window<'v, V> {
    pub cells: Cells,
    /// Distance between rows in `values`.
    pub stride: usize,
    /// Values, starting with the first cell of the block.
    pub values: &'v mut [V],
}

/// Adds the items in `list`, or all items, to a window.
///
/// Must be inlined into functions that are compiled for several processors; it uses no closures, which the compiler may
/// not inline.
#[inline(always)]
pub(super) fn add_listed<S: Sum>(items: &[ItemOf<S>], list: Option<&[u32]>, window: &mut Window<'_, S::Value>) {
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
fn add<S: Sum>(item: &ItemOf<S>, window: &mut Window<'_, S::Value>) {
    let Window { cells, stride, values } = window;
    match item {
        Item::Linear(disc) => disc.add(*cells, *stride, values, S::linear),
        Item::Quadratic(disc) => disc.add(*cells, *stride, values, S::quadratic),
        Item::Bell(disc) => disc.add(*cells, *stride, values, S::bell_shaped),
        Item::Copied(copied) => copied.add(*cells, *stride, values, S::plus),
        Item::Other(other) => S::other(&other.0, other.1, window),
        Item::Nowhere => {}
    }
}
