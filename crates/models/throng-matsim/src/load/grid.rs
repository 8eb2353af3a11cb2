//! A grid over a plane for finding the nearest of many points or segments.

/// A line segment; a point has equal ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Segment {
    pub(super) ax: f64,
    pub(super) ay: f64,
    pub(super) bx: f64,
    pub(super) by: f64,
}

impl Segment {
    /// Returns the square of the distance to a point.
    pub(super) fn squared_distance(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = (self.bx - self.ax, self.by - self.ay);
        let along =
            if dx == 0.0 && dy == 0.0 { 0.0 } else { ((x - self.ax) * dx + (y - self.ay) * dy) / (dx * dx + dy * dy) };
        let (px, py) = if along <= 0.0 {
            (self.ax, self.ay)
        } else if along >= 1.0 {
            (self.bx, self.by)
        } else {
            (self.ax + along * dx, self.ay + along * dy)
        };
        (px - x) * (px - x) + (py - y) * (py - y)
    }
}

/// Segments, indexed by the grid cells that they touch.
#[derive(Debug, Default)]
pub(super) struct Grid {
    segments: Vec<(u32, Segment)>,
    x0: f64,
    y0: f64,
    cell: f64,
    columns: usize,
    rows: usize,
    // Indices into `segments`, grouped by cell, and the start of each cell's group.
    first: Vec<u32>,
    entries: Vec<u32>,
}

impl Grid {
    /// Sorts segments, each with its index, into a grid with at most about as many cells as segments. Segments without
    /// finite coordinates are left out.
    ///
    /// The grid covers most of the segments; the few outside, such as a node with wrong coordinates, go into the cells
    /// at its border. The side of a cell is at least the median length of the segments.
    pub(super) fn new(segments: impl Iterator<Item = (u32, Segment)>) -> Self {
        let finite = |s: &Segment| [s.ax, s.ay, s.bx, s.by].iter().all(|v| v.is_finite());
        let segments: Vec<_> = segments.filter(|(_, s)| finite(s)).collect();
        let (Some((x0, x1)), Some((y0, y1))) = (
            usual_range(segments.iter().flat_map(|(_, s)| [s.ax, s.bx])),
            usual_range(segments.iter().flat_map(|(_, s)| [s.ay, s.by])),
        ) else {
            return Self::default();
        };
        let (width, height) = (x1 - x0, y1 - y0);
        let count = segments.len() as f64;
        // A network along one line has no area: its length alone determines the cell size.
        let cell = (width * height / count).sqrt().max(width.max(height) / count).max(f64::MIN_POSITIVE);
        let cell = cell.max(middle_length(&segments));
        let columns = (width / cell) as usize + 1;
        let rows = (height / cell) as usize + 1;
        let mut grid =
            Self { segments, x0, y0, cell, columns, rows, first: vec![0; columns * rows + 1], entries: Vec::new() };
        grid.fill();
        grid
    }

    fn fill(&mut self) {
        let segments = std::mem::take(&mut self.segments);
        for (_, segment) in &segments {
            self.each_cell(segment, |first, cell| first[cell + 1] += 1);
        }
        for cell in 1..self.first.len() {
            self.first[cell] += self.first[cell - 1];
        }
        let mut entries = vec![0; self.first.last().copied().unwrap_or(0) as usize];
        let starts = self.first.clone();
        for (position, (_, segment)) in segments.iter().enumerate() {
            self.each_cell(segment, |next, cell| {
                entries[next[cell] as usize] = position as u32;
                next[cell] += 1;
            });
        }
        self.first = starts;
        self.entries = entries;
        self.segments = segments;
    }

    /// Calls `visit` with `self.first` and every cell that the segment touches.
    fn each_cell(&mut self, s: &Segment, mut visit: impl FnMut(&mut Vec<u32>, usize)) {
        let (low, high) = if s.ay <= s.by { ((s.ax, s.ay), (s.bx, s.by)) } else { ((s.bx, s.by), (s.ax, s.ay)) };
        let (from_row, to_row) = (self.row(low.1), self.row(high.1));
        for row in from_row..=to_row {
            // The part of the segment inside this row, slightly widened so that rounding loses no cell.
            let at = |y: f64| {
                let y = y.clamp(low.1, high.1);
                if high.1 > low.1 { low.0 + (high.0 - low.0) * ((y - low.1) / (high.1 - low.1)) } else { low.0 }
            };
            // The rows at the border extend to the outermost segments.
            let margin = self.cell * 1e-6 + (high.0 - low.0).abs() * 1e-12;
            let bottom = if row == 0 { low.1 } else { self.y0 + row as f64 * self.cell - margin };
            let top = if row + 1 == self.rows { high.1 } else { self.y0 + (row + 1) as f64 * self.cell + margin };
            let (xa, xb) = if from_row == to_row { (low.0, high.0) } else { (at(bottom), at(top)) };
            let from_column = self.column(xa.min(xb) - margin);
            let to_column = self.column(xa.max(xb) + margin);
            for column in from_column..=to_column {
                visit(&mut self.first, row * self.columns + column);
            }
        }
    }

    fn column(&self, x: f64) -> usize {
        (((x - self.x0) / self.cell) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        (((y - self.y0) / self.cell) as usize).min(self.rows - 1)
    }

    /// Returns the index of the nearest segment; ties go to the first one. `None` in an empty grid or for a point
    /// without finite coordinates.
    pub(super) fn nearest(&self, x: f64, y: f64) -> Option<u32> {
        if self.segments.is_empty() || !x.is_finite() || !y.is_finite() {
            return None;
        }
        let (column, row) = (self.column(x), self.row(y));
        let mut best = (f64::INFINITY, u32::MAX);
        for ring in 0..self.columns.max(self.rows) {
            // For two points, at least one of them outside the grid, the distance is at least that of their projections
            // onto the grid. Segments in border cells may be anywhere beyond the border.
            let nearest_possible = (ring.max(1) - 1) as f64 * self.cell * (1.0 - 1e-9);
            if nearest_possible * nearest_possible > best.0 {
                break;
            }
            self.each_in_ring(column, row, ring, |cell| {
                let range = self.first[cell] as usize..self.first[cell + 1] as usize;
                for &position in &self.entries[range] {
                    let distance = self.segments[position as usize].1.squared_distance(x, y);
                    if (distance, position) < best {
                        best = (distance, position);
                    }
                }
            });
        }
        self.segments.get(best.1 as usize).map(|&(number, _)| number)
    }

    fn each_in_ring(&self, column: usize, row: usize, ring: usize, mut visit: impl FnMut(usize)) {
        let (left, right) = (column.checked_sub(ring), Some(column + ring).filter(|&c| c < self.columns));
        let rows = row.saturating_sub(ring)..=(row + ring).min(self.rows - 1);
        for r in rows {
            if r + ring == row || r == row + ring {
                for c in column.saturating_sub(ring)..=(column + ring).min(self.columns - 1) {
                    visit(r * self.columns + c);
                }
            } else {
                for c in [left, right].into_iter().flatten() {
                    visit(r * self.columns + c);
                }
            }
        }
    }
}

/// Returns the range of `values` without outliers: at most twice that of the middle 98 percent. `None` if there are no
/// values.
fn usual_range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut values: Vec<f64> = values.collect();
    let (last, few) = (values.len().checked_sub(1)?, values.len() / 100);
    let mut nth = |position: usize| *values.select_nth_unstable_by(position, f64::total_cmp).1;
    let (lowest, low, high, highest) = (nth(0), nth(few), nth(last - few), nth(last));
    let beyond = (high - low) / 2.0;
    Some((lowest.max(low - beyond), highest.min(high + beyond)))
}

/// Returns the median of the longer sides of the segments' bounding boxes.
fn middle_length(segments: &[(u32, Segment)]) -> f64 {
    let mut lengths: Vec<f64> = segments.iter().map(|(_, s)| (s.bx - s.ax).abs().max((s.by - s.ay).abs())).collect();
    let middle = lengths.len() / 2;
    if lengths.is_empty() { 0.0 } else { *lengths.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segment(ax: f64, ay: f64, bx: f64, by: f64) -> Segment {
        Segment { ax, ay, bx, by }
    }

    #[test]
    fn distances_to_a_segment_are_correct() {
        let s = segment(0.0, 0.0, 10.0, 0.0);
        assert_eq!(s.squared_distance(5.0, 3.0), 9.0);
        assert_eq!(s.squared_distance(-3.0, 4.0), 25.0);
        assert_eq!(s.squared_distance(13.0, 4.0), 25.0);
        assert_eq!(segment(1.0, 1.0, 1.0, 1.0).squared_distance(1.0, 3.0), 4.0);
    }

    #[test]
    fn ties_select_the_first_segment_and_invalid_points_find_nothing() {
        let both = [(7, segment(0.0, 0.0, 1.0, 0.0)), (8, segment(1.0, 0.0, 0.0, 0.0))];
        let grid = Grid::new(both.into_iter());
        assert_eq!(grid.nearest(0.5, 9.0), Some(7));
        assert_eq!(grid.nearest(1e9, -1e9), Some(7));
        assert_eq!(grid.nearest(f64::NAN, 0.0), None);
        assert_eq!(Grid::new(std::iter::empty()).nearest(0.0, 0.0), None);
        let nowhere = [(3, segment(f64::NAN, 0.0, 1.0, 0.0))];
        assert_eq!(Grid::new(nowhere.into_iter()).nearest(0.0, 0.0), None);
    }

    #[test]
    fn one_far_node_does_not_coarsen_the_grid() {
        let lattice = (0..10_000_u32)
            .map(|i| (i, segment(f64::from(i % 100), f64::from(i / 100), f64::from(i % 100), f64::from(i / 100))));
        let far = segment(1e9, -1e9, 1e9, -1e9);
        let grid = Grid::new(lattice.chain([(77_777, far)]));
        assert!(grid.cell < 5.0 && grid.columns * grid.rows < 40_000, "{} {} {}", grid.cell, grid.columns, grid.rows);
        let fullest = grid.first.windows(2).map(|pair| pair[1] - pair[0]).max();
        assert!(fullest < Some(40), "{fullest:?}");
        assert_eq!(grid.nearest(41.2, 7.3), Some(741));
        assert_eq!(grid.nearest(9e8, -8e8), Some(77_777));
        assert_eq!(grid.nearest(-1e7, 1e7), Some(9_900));
    }

    #[test]
    fn long_segments_do_not_fill_the_grid() {
        let all = (0..2_000_u32).map(|i| (i, segment(0.0, f64::from(i), 2_000.0, f64::from(2_000 - i))));
        let grid = Grid::new(all);
        assert!(grid.entries.len() < 20_000, "{}", grid.entries.len());
    }

    proptest! {
        #[test]
        fn grids_with_outliers_find_the_nearest_segment(
            ends in prop::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64, -5.0..5.0_f64, -5.0..5.0_f64), 150..250),
            far in prop::collection::vec((-1e4..1e4_f64, -1e4..1e4_f64, -1e4..1e4_f64, -1e4..1e4_f64), 0..3),
            near in any::<bool>(),
            (x, y) in (-1.0..1.0_f64, -1.0..1.0_f64),
        ) {
            let all: Vec<_> = ends.iter().chain(&far).map(|&(a, b, c, d)| segment(a, b, c, d)).collect();
            let (x, y) = if near { (x * 6.0, y * 6.0) } else { (x * 2e4, y * 2e4) };
            let grid = Grid::new(all.iter().enumerate().map(|(i, &s)| (i as u32, s)));
            let found = grid.nearest(x, y).unwrap() as usize;
            let best = all.iter().map(|s| s.squared_distance(x, y)).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(all[found].squared_distance(x, y), best);
        }

        #[test]
        fn the_grid_agrees_with_a_full_search(
            ends in prop::collection::vec((-50.0..50.0_f64, -5.0..5.0_f64, -50.0..50.0_f64, -5.0..5.0_f64), 1..60),
            (x, y) in (-120.0..120.0_f64, -120.0..120.0_f64),
        ) {
            let all: Vec<_> = ends.iter().map(|&(a, b, c, d)| segment(a, b, c, d)).collect();
            let grid = Grid::new(all.iter().enumerate().map(|(i, &s)| (i as u32, s)));
            let found = grid.nearest(x, y).unwrap() as usize;
            let best = all.iter().map(|s| s.squared_distance(x, y)).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(all[found].squared_distance(x, y), best);
        }
    }
}
