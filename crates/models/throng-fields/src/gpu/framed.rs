//! A grid within a frame of cells that stay 0, so that every cell of the grid has eight neighbours.

use throng_core::InputError;
use throng_pictures::Grid;

use super::kernels::LINE;

/// Cells per word, at four bits per cell.
const CELLS_OF_WORD: u32 = u32::BITS / 4;

/// A row of memory holds the grid's columns followed by the frame's; its last cell is also the left neighbour of the
/// next row. There is one row of frame above the grid and one below, followed by padding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Framed {
    columns: u32,
    rows: u32,
    /// Cells per row, a multiple of 32.
    stride: u32,
}

impl Framed {
    /// # Errors
    /// When the number of cells exceeds 32 bits.
    pub fn new(grid: &Grid) -> Result<Self, InputError> {
        let stride = (u64::from(grid.columns()) + 1).next_multiple_of(u64::from(u32::BITS));
        let cells = stride * (u64::from(grid.rows()) + 3);
        if cells > u64::from(u32::MAX) {
            let remedy = format!("use larger cells: the maximum is {}, including the frame", u32::MAX);
            return Err(InputError::one("grid of influence, cells", cells, remedy));
        }
        Ok(Self { columns: grid.columns(), rows: grid.rows(), stride: stride as u32 })
    }

    /// Number of cells, including the frame and the padding.
    pub fn cells(self) -> usize {
        self.stride as usize * (self.rows as usize + 3)
    }

    /// The index of a cell of the grid.
    pub fn index(self, column: u32, row: u32) -> u32 {
        (row + 1) * self.stride + column
    }

    /// Lines per row.
    pub fn lines(self) -> u32 {
        self.stride / LINE
    }

    /// Copies values of the grid into a frame of zeros.
    pub fn frame(self, values: &[f32]) -> Vec<f32> {
        let mut framed = vec![0.0; self.cells()];
        let rows = framed.chunks_exact_mut(self.stride as usize).skip(1);
        for (row, values) in rows.zip(values.chunks_exact(self.columns as usize)) {
            row[..values.len()].copy_from_slice(values);
        }
        framed
    }

    /// Extracts the values within the frame.
    pub fn unframe(self, framed: &[f32]) -> Vec<f32> {
        let mut values = Vec::with_capacity(self.columns as usize * self.rows as usize);
        for row in framed.chunks_exact(self.stride as usize).skip(1).take(self.rows as usize) {
            values.extend_from_slice(&row[..self.columns as usize]);
        }
        values
    }

    /// One bit per cell, set if the cell is not simply computed from its neighbours: the frame, walls and sources.
    pub fn held(self, is_wall: impl Fn(u32, u32) -> bool, sources: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
        let mut held = vec![u32::MAX; self.cells() / u32::BITS as usize];
        for row in 0..self.rows {
            for column in (0..self.columns).filter(|&column| !is_wall(column, row)) {
                let at = self.index(column, row);
                held[(at / u32::BITS) as usize] &= !(1 << (at % u32::BITS));
            }
        }
        for (column, row) in sources {
            let at = self.index(column, row);
            held[(at / u32::BITS) as usize] |= 1 << (at % u32::BITS);
        }
        held
    }

    /// Four bits per cell, lowest first: for the diagonal steps to the upper left, upper right, lower left and lower
    /// right neighbour, whether both cells beside the step are open. All bits of the frame are 0.
    pub fn free_corners(self, is_open: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let mut free = vec![0; self.cells() / CELLS_OF_WORD as usize];
        let is_open = |column: Option<u32>, row: Option<u32>| {
            column.zip(row).is_some_and(|(x, y)| x < self.columns && y < self.rows && is_open(x, y))
        };
        for row in 0..self.rows {
            for column in 0..self.columns {
                let across = [column.checked_sub(1), column.checked_add(1)].map(|beside| is_open(beside, Some(row)));
                let along = [row.checked_sub(1), row.checked_add(1)].map(|beside| is_open(Some(column), beside));
                let at = self.index(column, row);
                for (bit, (along, across)) in (0..).zip(along.into_iter().flat_map(|a| across.map(|b| (a, b)))) {
                    free[(at / CELLS_OF_WORD) as usize] |= u32::from(along && across) << (at % CELLS_OF_WORD * 4 + bit);
                }
            }
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_cells_are_closed_and_zero() {
        let framed = Framed::new(&Grid::new([0.0, 0.0], 1.0, 31, 2).unwrap()).unwrap();
        assert_eq!((framed.stride, framed.cells(), framed.lines(), framed.index(3, 1)), (32, 160, 8, 67));
        let values: Vec<f32> = (1..=62u8).map(f32::from).collect();
        let padded = framed.frame(&values);
        assert_eq!(
            (padded[31], padded[32], padded[62], padded[63], padded[64], padded[95]),
            (0.0, 1.0, 31.0, 0.0, 32.0, 0.0)
        );
        assert_eq!(framed.unframe(&padded), values);
        let held = framed.held(|column, row| (column, row) == (3, 1), [(5, 0)].into_iter());
        assert_eq!(held, [u32::MAX, 1 << 31 | 1 << 5, 1 << 31 | 1 << 3, u32::MAX, u32::MAX]);
        // With one more column, the frame adds 32 columns.
        assert_eq!(Framed::new(&Grid::new([0.0, 0.0], 1.0, 32, 2).unwrap()).unwrap().stride, 64);
    }

    #[test]
    fn corners_are_free_between_open_cells() {
        let framed = Framed::new(&Grid::new([0.0, 0.0], 1.0, 3, 3).unwrap()).unwrap();
        let bits = |free: &[u32], column: u32, row: u32| {
            let at = framed.index(column, row);
            free[(at / 8) as usize] >> (at % 8 * 4) & 15
        };
        // In a corner of the map, only the step towards the middle is free.
        let open = framed.free_corners(|_, _| true);
        assert_eq!([(0, 0), (1, 1), (2, 0), (2, 2)].map(|(x, y)| bits(&open, x, y)), [8, 15, 4, 1]);
        assert_eq!((open.len(), bits(&open, 3, 1)), (24, 0));
        let one_wall = framed.free_corners(|column, row| (column, row) != (1, 0));
        assert_eq!([(0, 0), (1, 1), (2, 0), (2, 2)].map(|(x, y)| bits(&one_wall, x, y)), [0, 12, 0, 1]);
    }
}
