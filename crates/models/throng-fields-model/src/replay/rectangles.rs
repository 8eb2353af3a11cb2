//! Blocks of cells, as they are stored.

use serde::{Deserialize, Serialize};
use throng_scene::rectangles_of_cells;

/// A block of cells: its first column and row, and how many columns and rows it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rectangle(pub [u32; 4]);

impl Rectangle {
    /// Whether it has cells, all of them in a grid.
    pub(super) fn is_within(self, columns: u32, rows: u32) -> bool {
        let Self([column, row, wide, high]) = self;
        let ends =
            |first: u32, count: u32, most: u32| count > 0 && first.checked_add(count).is_some_and(|end| end <= most);
        ends(column, wide, columns) && ends(row, high, rows)
    }
}

/// Few blocks that cover exactly the cells that are `covered`.
pub(super) fn of_cells(columns: u32, rows: u32, covered: impl Fn(u32, u32) -> bool) -> Vec<Rectangle> {
    rectangles_of_cells(columns, rows, covered).into_iter().map(Rectangle).collect()
}
