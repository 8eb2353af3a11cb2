//! Stores the cells with a prescribed strength, sorted by index.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_pictures::mask::allows;
use throng_pictures::{Grid, Mask};

/// Cells and their strengths, each cell once, by ascending index.
#[derive(Debug, Clone, Default)]
pub(super) struct Sources(BTreeMap<usize, f32>);

impl Sources {
    /// Sets the strength of a cell, and returns its index; 0 removes the source.
    pub(super) fn set(
        &mut self,
        grid: &Grid,
        open: Option<&Mask>,
        (column, row): (u32, u32),
        strength: f32,
    ) -> Result<usize, InputError> {
        let cell = open_cell("source", grid, open, (column, row))?;
        if strength == 0.0 {
            self.0.remove(&cell);
        } else {
            self.0.insert(cell, strength);
        }
        Ok(cell)
    }

    /// Closes the cells that `open` does not allow: removes their sources, and sets their `values` to 0. Returns the
    /// mask, or `None` if all cells are open.
    pub(super) fn close(&mut self, grid: &Grid, open: &Mask, values: &mut [f32]) -> Result<Option<Mask>, InputError> {
        open.check(grid)?;
        self.0.retain(|&cell, _| open.flags()[cell]);
        for (value, _) in values.iter_mut().zip(open.flags()).filter(|(_, open)| !**open) {
            *value = 0.0;
        }
        Ok(Some(open.clone()).filter(|open| open.flags().contains(&false)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, f32)> {
        self.0.iter().map(|(&cell, &strength)| (cell, strength))
    }

    /// Groups the sources by row. Cost: sources plus rows.
    pub(super) fn by_row(&self, grid: &Grid) -> ByRow {
        let (columns, mut row) = (grid.columns() as usize, 0);
        let mut sources = ByRow { cells: Vec::with_capacity(self.0.len()), starts: vec![0] };
        for (cell, strength) in self.iter() {
            while row < cell / columns {
                sources.starts.push(sources.cells.len());
                row += 1;
            }
            sources.cells.push((cell % columns, strength));
        }
        sources
    }
}

/// Sources, grouped for fast lookup by row.
#[derive(Debug)]
pub(super) struct ByRow {
    /// Columns and strengths, by ascending row and column.
    cells: Vec<(usize, f32)>,
    /// Index of the first source of each row, up to the last row with a source.
    starts: Vec<usize>,
}

impl ByRow {
    /// Columns and strengths of the sources in a row.
    pub(super) fn of(&self, row: usize) -> &[(usize, f32)] {
        let start = |row: usize| self.starts.get(row).copied().unwrap_or(self.cells.len());
        &self.cells[start(row)..start(row + 1)]
    }
}

/// Returns the index of a cell that is not a wall; `what` names its purpose in errors.
pub fn open_cell(what: &str, grid: &Grid, open: Option<&Mask>, (column, row): (u32, u32)) -> Result<usize, InputError> {
    let cell = grid.expect(what, (column, row))?;
    if allows(open, column, row) {
        Ok(cell)
    } else {
        Err(InputError::one(format!("{what} at ({column}, {row})"), "a wall", "choose an open cell"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_cells_are_unique_and_sorted() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let open = Mask::new(&grid, |column, _| column > 0);
        let mut sources = Sources::default();
        for (cell, strength) in [((2, 3), 1.0), ((1, 0), 2.0), ((2, 3), -3.0), ((3, 1), 4.0), ((3, 1), 0.0)] {
            sources.set(&grid, Some(&open), cell, strength).unwrap();
        }
        assert_eq!(sources.iter().collect::<Vec<_>>(), [(1, 2.0), (14, -3.0)]);
        let by_row = sources.by_row(&grid);
        assert_eq!([0, 1, 2, 3].map(|row| by_row.of(row)), [&[(1, 2.0)][..], &[], &[], &[(2, -3.0)]]);
        let mut closed = (sources.clone(), [5.0; 16]);
        assert_eq!(closed.0.close(&grid, &Mask::new(&grid, |_, _| true), &mut closed.1).unwrap(), None);
        assert!(closed.0.iter().eq(sources.iter()) && closed.1 == [5.0; 16]);
        let lower = Mask::new(&grid, |_, row| row < 2);
        assert_eq!(closed.0.close(&grid, &lower, &mut closed.1).unwrap().as_ref(), Some(&lower));
        assert!(closed.0.iter().eq([(1, 2.0)]) && closed.1[..8] == [5.0; 8] && closed.1[8..] == [0.0; 8]);
        assert_eq!(sources.set(&grid, Some(&open), (4, 0), 1.0).unwrap_err().place(), "source at (4, 0)");
        assert_eq!(sources.set(&grid, Some(&open), (0, 0), 1.0).unwrap_err().message(), "a wall");
    }
}
