//! All cells that a cell sees, in one sweep outwards instead of along one segment per cell.
//!
//! Each eighth of the plane is swept column by column, away from the viewer. Its directions are slopes from 0 to 1, and
//! the slopes at which nothing is hidden yet are sorted, disjoint sectors. A wall cell hides the slopes strictly
//! between two of its corners from all later columns: a segment within the eighth that reaches a later column crosses
//! the whole column of the wall. It hides nothing in its own column, except that the diagonal may pass a corner there.
//! Slopes are fractions of integers, so the cells are exactly those of [`is_visible`](super::is_visible).

use std::cmp::Ordering;

use throng_pictures::Grid;

/// A slope, `rise / run`.
#[derive(Debug, Clone, Copy)]
struct Slope {
    rise: u64,
    run: u64,
}

impl Slope {
    fn cmp(self, other: Self) -> Ordering {
        (self.rise * other.run).cmp(&(other.rise * self.run))
    }
}

/// The slopes from `low` to `high`, both included, which are not hidden.
#[derive(Debug, Clone, Copy)]
struct Sector {
    low: Slope,
    high: Slope,
}

impl Sector {
    /// The sector, unless it contains no slope.
    fn unless_empty(self) -> Option<Self> {
        (self.low.cmp(self.high) != Ordering::Greater).then_some(self)
    }
}

/// Calls `see` with each cell that a cell sees, in no particular order and possibly repeatedly. `reach` limits the
/// square of the distance. `open` has a flag for each cell of the grid.
pub(super) fn visible_cells(
    grid: &Grid,
    open: &[bool],
    (column, row): (u32, u32),
    reach: u64,
    mut see: impl FnMut((u32, u32)),
) {
    let from = grid.index(column, row);
    if !open[from] {
        return;
    }
    see((column, row));
    let columns = grid.columns() as isize;
    // The number of cells beyond the viewer in each direction, and the steps of column, row and index.
    let right = (grid.columns() - 1 - column, (1, 0, 1));
    let left = (column, (-1, 0, -1));
    let up = (grid.rows() - 1 - row, (0, 1, columns));
    let down = (row, (0, -1, -columns));
    let mut buffers = [Vec::new(), Vec::new()];
    for horizontal in [right, left] {
        for vertical in [up, down] {
            for [outwards, aside] in [[horizontal, vertical], [vertical, horizontal]] {
                let ((last_x, along), (last_y, across)) = (outwards, aside);
                let eighth = Eighth {
                    last: [last_x, last_y].map(u64::from),
                    reach,
                    is_open: |x, y| open[from.wrapping_add_signed(x as isize * along.2 + y as isize * across.2)],
                };
                eighth.sweep(&mut buffers, |x, y| {
                    let moved = |at: u32, by: i64| (i64::from(at) + by) as u32;
                    let (x, y) = (x as i64, y as i64);
                    see((moved(column, x * along.0 + y * across.0), moved(row, x * along.1 + y * across.1)));
                });
            }
        }
    }
}

/// An eighth of the plane around a viewer at (0, 0), with `0 <= y <= x`.
struct Eighth<F> {
    /// The last x and the last y within the grid.
    last: [u64; 2],
    /// The maximum of `x^2 + y^2`.
    reach: u64,
    is_open: F,
}

impl<F: Fn(u64, u64) -> bool> Eighth<F> {
    /// Calls `see` with each cell that the viewer sees, except its own.
    fn sweep(&self, [lit, next]: &mut [Vec<Sector>; 2], mut see: impl FnMut(u64, u64)) {
        lit.clear();
        lit.push(Sector { low: Slope { rise: 0, run: 1 }, high: Slope { rise: 1, run: 1 } });
        for x in 1..=self.last[0].min(self.reach.isqrt()) {
            let top = x.min(self.last[1]).min((self.reach - x * x).isqrt());
            next.clear();
            for sector in lit.drain(..) {
                self.column(x, top, sector, next, &mut see);
            }
            std::mem::swap(lit, next);
            if lit.is_empty() {
                break;
            }
        }
    }

    /// Sees the cells of a column, up to `top`, whose centres are in a sector, and adds the parts of the sector that
    /// are not hidden beyond the column to `lit`.
    fn column(&self, x: u64, top: u64, sector: Sector, lit: &mut Vec<Sector>, see: &mut impl FnMut(u64, u64)) {
        let Sector { low, high } = sector;
        // Centres are at the slopes y / x.
        let seen = (low.rise * x).div_ceil(low.run)..=high.rise * x / high.run;
        // Cells that reach into the sector: (2 y + 1) / (2 x - 1) >= low, and (2 y - 1) / (2 x + 1) < high.
        let first = (low.rise * (2 * x - 1)).div_ceil(low.run) / 2;
        let last = (high.rise * (2 * x + 1)).div_ceil(high.run) / 2;
        let mut rest = sector;
        for y in first..=last.min(top) {
            if (self.is_open)(x, y) {
                if seen.contains(&y) && !(x == y && self.is_pinched(x, y - 1)) {
                    see(x, y);
                }
                continue;
            }
            if let Some(rise) = (2 * y).checked_sub(1) {
                lit.extend(Sector { high: Slope { rise, run: 2 * x + 1 }, ..rest }.unless_empty());
            }
            if self.is_wall_above(x, y) {
                // That wall hides all greater slopes, and both walls together the one between them.
                return;
            }
            let end = Slope { rise: 2 * y + 1, run: 2 * x - 1 };
            if end.cmp(rest.low) == Ordering::Greater {
                rest.low = end;
            }
        }
        lit.extend(rest.unless_empty());
    }

    /// Whether a wall touches the upper left corner of a cell from the other side.
    fn is_wall_above(&self, x: u64, y: u64) -> bool {
        y < self.last[1] && !(self.is_open)(x - 1, y + 1)
    }

    /// Whether a cell and the one above its upper left corner are walls.
    fn is_pinched(&self, x: u64, y: u64) -> bool {
        !(self.is_open)(x, y) && self.is_wall_above(x, y)
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Philox;
    use throng_pictures::Mask;

    use super::super::is_visible;
    use super::*;

    /// The numbers of cells that some cells see, by the definition and by the sweep, after checking that each is the
    /// same.
    fn compare(grid: &Grid, open: &Mask, reaches: &[u64], cells: impl Iterator<Item = (u32, u32)>) {
        let all: Vec<(u32, u32)> = (0..grid.cells()).map(|cell| grid.place(cell)).collect();
        for from in cells {
            for &reach in reaches {
                let mut found = vec![false; grid.cells()];
                visible_cells(grid, open.flags(), from, reach, |(column, row)| found[grid.index(column, row)] = true);
                for (&to, found) in all.iter().zip(found) {
                    let [x, y] = [from.0.abs_diff(to.0), from.1.abs_diff(to.1)].map(u64::from);
                    let is_open = |column, row| open.allows(column, row);
                    let expected = x * x + y * y <= reach && is_visible(from, to, is_open);
                    assert_eq!(found, expected, "{from:?} {to:?} {reach} {open:?}");
                    assert_eq!(is_visible(to, from, is_open), is_visible(from, to, is_open), "{from:?} {to:?}");
                }
            }
        }
    }

    #[test]
    fn the_sweep_sees_exactly_the_cells_of_the_definition() {
        let draws = Philox::new(7);
        let mut number = 0;
        for (columns, rows) in [(9, 9), (14, 11), (1, 20), (20, 1), (5, 17)] {
            let grid = Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap();
            for percent in [0, 3, 10, 25, 45, 60] {
                for _ in 0..6 {
                    number += 1;
                    let is_open = |column, row| draws.below(100, column, row, number, 0) >= percent;
                    let open = Mask::new(&grid, is_open);
                    let all = (0..grid.cells()).map(|cell| grid.place(cell));
                    compare(&grid, &open, &[u64::MAX, 20], all.step_by(3));
                }
            }
        }
    }

    #[test]
    fn regular_walls_with_rays_that_touch_many_corners_agree() {
        type IsWall = fn(u32, u32) -> bool;
        let grid = Grid::new([0.0, 0.0], 1.0, 23, 23).unwrap();
        let patterns: [IsWall; 6] = [
            |column, row| (column + row) % 2 == 1,
            |column, row| column % 2 == 1 && row % 2 == 1,
            |column, row| column % 3 == 1 && row % 2 == 0,
            |column, row| column + row == 20 || column + row == 8,
            |column, row| column == 11 && row % 4 != 0,
            |column, row| (column * 5 + row * 3) % 7 == 1,
        ];
        for is_wall in patterns {
            let open = Mask::new(&grid, |column, row| !is_wall(column, row));
            let from = [(0, 0), (11, 11), (2, 12), (22, 3), (1, 6), (10, 10)];
            compare(&grid, &open, &[u64::MAX, 100], from.into_iter());
        }
    }

    #[test]
    fn large_random_maps_agree() {
        let grid = Grid::new([0.0, 0.0], 1.0, 70, 60).unwrap();
        let draws = Philox::new(8);
        for (number, percent) in [(0, 1), (1, 4), (2, 12)] {
            let open = Mask::new(&grid, |column, row| draws.below(100, column, row, number, 0) >= percent);
            compare(&grid, &open, &[u64::MAX], [(0, 0), (35, 30), (69, 12)].into_iter());
        }
    }
}
