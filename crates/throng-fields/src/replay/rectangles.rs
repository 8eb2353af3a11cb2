//! Cells as few rectangles.

use serde::{Deserialize, Serialize};

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

/// Rectangles that cover exactly the cells that are `covered`. Runs of cells in a row are joined with equal runs in the rows
/// above.
pub(super) fn of_cells(columns: u32, rows: u32, covered: impl Fn(u32, u32) -> bool) -> Vec<Rectangle> {
    let mut complete = Vec::new();
    let mut open: Vec<Rectangle> = Vec::new();
    for row in 0..rows {
        let mut now = Vec::new();
        let mut column = 0;
        while column < columns {
            let first = column;
            while column < columns && covered(column, row) {
                column += 1;
            }
            if column > first {
                now.push(Rectangle([first, row, column - first, 1]));
            }
            column += 1;
        }
        for Rectangle([first, start, wide, high]) in open {
            match now.iter_mut().find(|run| run.0[0] == first && run.0[2] == wide) {
                Some(run) => run.0 = [first, start, wide, high + 1],
                None => complete.push(Rectangle([first, start, wide, high])),
            }
        }
        open = now;
    }
    complete.extend(open);
    complete
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_by_hand() {
        // The lowest row first.
        let map = ["##..#", "##..#", ".###.", "....#"];
        let covered = |column: u32, row: u32| map[row as usize].as_bytes()[column as usize] == b'#';
        let found: Vec<[u32; 4]> = of_cells(5, 4, covered).into_iter().map(|rectangle| rectangle.0).collect();
        assert_eq!(found, [[0, 0, 2, 2], [4, 0, 1, 2], [1, 2, 3, 1], [4, 3, 1, 1]]);
        assert_eq!(of_cells(3, 2, |_, _| false), []);
        assert_eq!(of_cells(3, 2, |_, _| true), [Rectangle([0, 0, 3, 2])]);
    }
}
