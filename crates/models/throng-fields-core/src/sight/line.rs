//! The line of sight between two cells: the definition.

use std::cmp::Ordering;

/// Whether two cells (column, row) see each other.
///
/// They do if the straight segment between their centres meets the interior of no wall cell and passes no corner of
/// four cells of which both cells beside the segment are walls. So both cells must be open, nothing is seen between two
/// walls that touch at a corner, and a single wall that the segment touches at its corner hides nothing. The rule is
/// exact, in integers, and symmetric. Cost: the number of cells along the segment.
///
/// ```
/// use throng_fields_core::sight::is_visible;
///
/// // One wall, at (2, 1).
/// let is_open = |column, row| (column, row) != (2, 1);
/// assert!(!is_visible((0, 0), (4, 2), is_open), "through its centre");
/// assert!(is_visible((1, 1), (2, 2), is_open), "along its corner");
/// // Another wall on the other side of that corner.
/// assert!(!is_visible((1, 1), (2, 2), |column, row| is_open(column, row) && (column, row) != (1, 2)));
/// ```
pub fn is_visible(from: (u32, u32), to: (u32, u32), is_open: impl Fn(u32, u32) -> bool) -> bool {
    let [columns, rows] = [from.0.abs_diff(to.0), from.1.abs_diff(to.1)].map(u64::from);
    let next = |at: u32, to: u32| if to > at { at + 1 } else { at - 1 };
    let (mut column, mut row) = from;
    // Numbers of borders between columns and between rows that the segment has crossed.
    let (mut crossed_columns, mut crossed_rows) = (0, 0);
    loop {
        if !is_open(column, row) {
            return false;
        }
        if (crossed_columns, crossed_rows) == (columns, rows) {
            return true;
        }
        // The segment crosses border `i` (from 0) between columns at the fraction (2 i + 1) / (2 columns) of its
        // length. Both sides are multiplied by 2 * columns * rows.
        let order = ((2 * crossed_columns + 1) * rows).cmp(&((2 * crossed_rows + 1) * columns));
        if order == Ordering::Equal && !is_open(next(column, to.0), row) && !is_open(column, next(row, to.1)) {
            return false;
        }
        if order != Ordering::Greater {
            column = next(column, to.0);
            crossed_columns += 1;
        }
        if order != Ordering::Less {
            row = next(row, to.1);
            crossed_rows += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of text, the first with the highest row; `#` is a wall.
    fn is_open<const ROWS: usize>(map: [&'static str; ROWS]) -> impl Fn(u32, u32) -> bool {
        move |column, row| map[ROWS - 1 - row as usize].as_bytes()[column as usize] != b'#'
    }

    #[test]
    fn a_segment_is_blocked_by_the_cells_whose_interior_it_meets() {
        // From (0, 0) to (3, 1) the segment meets (0, 0), (1, 0), (2, 1) and (3, 1), and the corner between (1, 0),
        // (2, 0), (1, 1) and (2, 1), in its middle.
        let sees = |map| is_visible((0, 0), (3, 1), is_open(map));
        assert!(sees(["....", "...."]));
        for blocked in [["....", "#..."], ["....", ".#.."], ["..#.", "...."], ["...#", "...."], [".#..", "..#."]] {
            assert!(!sees(blocked), "{blocked:?}");
        }
        for clear in [["#...", "...."], [".#..", "...."], ["....", "..#."], ["##..", "...."], ["....", "..##"]] {
            assert!(sees(clear), "{clear:?}");
        }
        // From (0, 0) to (1, 2) it meets (0, 0), (0, 1), (1, 1) and (1, 2), and no corner.
        let sees = |map| is_visible((0, 0), (1, 2), is_open(map));
        assert!(sees(["#.", "..", ".#"]));
        assert!(!sees(["..", "#.", ".."]) && !sees(["..", ".#", ".."]) && !sees([".#", "..", ".."]));
    }

    #[test]
    fn straight_and_diagonal_segments_meet_only_their_own_cells() {
        let sees = |from, to| is_visible(from, to, is_open([".#.", "#..", "..."]));
        assert!(sees((0, 0), (2, 0)) && sees((2, 0), (2, 2)) && sees((1, 0), (1, 1)));
        assert!(sees((0, 0), (2, 2)), "between one wall and none");
        assert!(!sees((0, 0), (0, 2)) && !sees((0, 2), (1, 1)), "two walls touch at that corner");
        assert!(sees((0, 0), (0, 0)) && !sees((1, 2), (1, 2)), "an open cell sees itself");
    }
}
