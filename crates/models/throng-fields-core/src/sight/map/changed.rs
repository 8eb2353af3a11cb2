//! The cells that have become walls or open, by row.

use throng_pictures::Grid;

use crate::sight::viewer::Placed;
use crate::sight::window::cells_in_range;

/// Changed cells. Whether one of them is within the range of a viewer takes a binary search for the rows within that
/// range, and one for each of them that has changes.
pub(super) struct ChangedCells {
    /// The rows with changes, ascending, each with the end of its columns in `columns`.
    rows: Vec<(u32, usize)>,
    /// The changed columns of all rows, ascending within each.
    columns: Vec<u32>,
}

impl ChangedCells {
    /// The cells whose flags differ.
    pub fn between(grid: &Grid, old: &[bool], new: &[bool]) -> Self {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let width = grid.columns() as usize;
        for (row, (old, new)) in (0..).zip(old.chunks_exact(width).zip(new.chunks_exact(width))) {
            let before = columns.len();
            columns.extend((0..).zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new).map(|(at, _)| at));
            if columns.len() > before {
                rows.push((row, columns.len()));
            }
        }
        Self { rows, columns }
    }

    /// Whether no cell has changed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a changed cell is within the range of a viewer.
    pub fn is_one_in_range(&self, grid: &Grid, viewer: &Placed) -> bool {
        let (first, end) = cells_in_range(grid, viewer).rows;
        let [first, end] = [first, end].map(|row| self.rows.partition_point(|&(at, _)| at < row));
        (first..end).any(|i| {
            let (row, end) = self.rows[i];
            let changed = &self.columns[i.checked_sub(1).map_or(0, |before| self.rows[before].1)..end];
            // The nearest changes of the row on both sides of the viewer.
            let right = changed.partition_point(|&column| column < viewer.cell.0);
            let nearest = changed[right..].first().into_iter().chain(changed[..right].last());
            nearest.into_iter().any(|&column| viewer.square((column, row)) <= viewer.reach)
        })
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;
    use throng_pictures::Mask;

    use super::*;
    use crate::sight::{Sight, SightMap, Viewer};

    #[test]
    fn changes_in_range_are_those_of_the_definition() {
        let grid = Grid::new([2.0, -1.0], 0.5, 31, 23).unwrap();
        let draws = Philox::new(3);
        let (mut near, mut far) = (0, 0);
        for round in 0..400 {
            // From no change to changes everywhere.
            let share = [0.0, 0.003, 0.02, 0.3, 1.0][round as usize % 5];
            let old = Mask::new(&grid, |column, row| draws.unit(column, row, round, 0) < 0.5);
            let new =
                Mask::new(&grid, |column, row| old.allows(column, row) != (draws.unit(column, row, round, 1) < share));
            let changed = ChangedCells::between(&grid, old.flags(), new.flags());
            let cell = (draws.below(31, round, 2, 0, 0), draws.below(23, round, 3, 0, 0));
            let range = [0.1, 0.5, 0.8, 2.5, 7.0, 1e30][round as usize % 6];
            let viewer = Viewer::new(grid.point(cell.0, cell.1), range).placed(&grid).unwrap();
            let is_seen = |(column, row): (u32, u32)| {
                old.allows(column, row) != new.allows(column, row) && viewer.square((column, row)) <= viewer.reach
            };
            let expected = (0..grid.cells()).any(|cell| is_seen(grid.place(cell)));
            assert_eq!(changed.is_one_in_range(&grid, &viewer), expected, "{round}");
            assert_eq!(changed.is_empty(), old == new, "{round}");
            let is_changed = |row: u32| (0..31).any(|column| old.allows(column, row) != new.allows(column, row));
            let rows: Vec<u32> = changed.rows.iter().map(|(row, _)| *row).collect();
            assert_eq!(rows, (0..23).filter(|&row| is_changed(row)).collect::<Vec<_>>(), "{round}");
            *(if expected { &mut near } else { &mut far }) += 1;
        }
        assert!(near > 50 && far > 50, "{near} {far}");
    }

    #[test]
    fn many_changes_beyond_the_range_of_many_viewers_take_little_time() {
        // Comparing each of 600,000 changes with each of 30,000 viewers would take minutes.
        let grid = Grid::new([0.0, 0.0], 1.0, 1000, 1000).unwrap();
        let viewers: Vec<Viewer> =
            (0..30_000).map(|i| Viewer::new([0.5 + f64::from(i % 100), 0.5 + f64::from(i / 100)], 1.0)).collect();
        let mut map = SightMap::new(grid, Sight::default(), None).unwrap();
        map.follow(&viewers).unwrap();
        let before = map.field();
        assert!(!map.set_open(&Mask::new(&grid, |column, _| column < 400)).unwrap());
        assert_eq!(map.field(), before);
        // The wall begins beside the last viewer of each row.
        assert!(map.set_open(&Mask::new(&grid, |column, _| column < 100)).unwrap());
        assert_eq!((before.at(100, 7), map.field().at(100, 7)), (Some(1.0), Some(0.0)));
        assert_eq!(map.field().at(99, 7), before.at(99, 7));
    }
}
