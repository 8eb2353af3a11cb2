//! The cells that one viewer sees, as bits.

use throng_pictures::Grid;

use super::sectors::visible_cells;
use super::viewer::Placed;
use crate::entities::Cells;

/// The part of the grid within the range of a viewer, with a bit for each of its cells.
pub(super) struct Window {
    pub viewer: Placed,
    cells: Cells,
    /// The words of each row.
    bits: Vec<u64>,
}

/// The block of cells around a viewer that contains all cells within its range.
pub(super) fn cells_in_range(grid: &Grid, viewer: &Placed) -> Cells {
    let range = u32::try_from(viewer.reach.isqrt()).unwrap_or(u32::MAX);
    let around = |at: u32, count: u32| (at.saturating_sub(range), at.saturating_add(range).min(count - 1) + 1);
    Cells { columns: around(viewer.cell.0, grid.columns()), rows: around(viewer.cell.1, grid.rows()) }
}

impl Window {
    /// Finds the cells that a viewer sees; `open` has a flag for each cell of the grid.
    pub fn new(grid: &Grid, open: &[bool], viewer: Placed) -> Self {
        let cells = cells_in_range(grid, &viewer);
        let words = Self::words(cells);
        let mut bits = vec![0; words * (cells.rows.1 - cells.rows.0) as usize];
        visible_cells(grid, open, viewer.cell, viewer.reach, |(column, row)| {
            if viewer.looks_at((column, row)) {
                let bit = (column - cells.columns.0) as usize;
                bits[(row - cells.rows.0) as usize * words + bit / 64] |= 1 << (bit % 64);
            }
        });
        Self { viewer, cells, bits }
    }

    fn words(cells: Cells) -> usize {
        ((cells.columns.1 - cells.columns.0) as usize).div_ceil(64)
    }

    /// The columns of the cells of a row that the viewer sees.
    pub fn seen_in_row(&self, row: u32) -> impl Iterator<Item = u32> {
        let (from, to) = self.cells.rows;
        let words = Self::words(self.cells);
        let bits = if (from..to).contains(&row) { &self.bits[(row - from) as usize * words..][..words] } else { &[] };
        (self.cells.columns.0..).step_by(64).zip(bits).flat_map(|(first, &word)| {
            let with_next = |word: &u64| Some(word & (word - 1)).filter(|left| *left != 0);
            let words = std::iter::successors(Some(word).filter(|word| *word != 0), with_next);
            words.map(move |word| first + word.trailing_zeros())
        })
    }
}
