//! Rules for a cell and its neighbours, applied to whole rows without branches, so that compilers vectorise them.

/// A cell and its neighbours, row by row.
pub(super) type Near<T> = [[T; 3]; 3];

/// Returns the value if `open`, else 0, without a branch.
#[inline(always)]
pub(super) fn passing(value: f32, open: bool) -> f32 {
    f32::from_bits(value.to_bits() & 0u32.wrapping_sub(u32::from(open)))
}

/// A row of cells, and the rows above and below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a, T>([&'a [T]; 3]);

impl<'a, T: Copy> Rows<'a, T> {
    /// The rows around row `row` of `cells`, which are stored row by row; `outside` stands for rows beyond the border.
    pub fn around(cells: &'a [T], columns: usize, row: usize, outside: &'a [T]) -> Self {
        let at = |row: Option<usize>| row.and_then(|row| cells.get(row * columns..(row + 1) * columns));
        Self([row.checked_sub(1), Some(row), row.checked_add(1)].map(|row| at(row).unwrap_or(outside)))
    }

    /// The row itself.
    #[inline(always)]
    pub fn own(&self) -> &'a [T] {
        self.0[1]
    }

    /// The cells of a column.
    #[cfg(test)]
    pub fn column(&self, column: usize) -> [T; 3] {
        self.0.map(|row| row[column])
    }

    /// The 3 x 3 cells around a column; `outside` stands for those beyond the first and the last column.
    #[inline(always)]
    fn near(&self, column: usize, outside: T) -> Near<T> {
        let columns = [column.checked_sub(1), Some(column), column.checked_add(1)];
        self.0.map(|row| columns.map(|column| column.and_then(|column| row.get(column)).copied().unwrap_or(outside)))
    }

    /// For the `count` inner cells with neighbours on both sides: from each of the three rows, the slices of left
    /// neighbours, of the cells' own columns, and of right neighbours.
    #[inline(always)]
    fn inner(&self, count: usize) -> [[&'a [T]; 3]; 3] {
        // Written out, because compilers lose track of slice lengths in `map`, and then check each index.
        let three = |row: &'a [T]| [&row[..count], &row[1..][..count], &row[2..][..count]];
        let [above, own, below] = self.0;
        [three(above), three(own), three(below)]
    }
}

#[inline(always)]
fn at<T: Copy>(cells: &[[&[T]; 3]; 3], i: usize) -> Near<T> {
    let [[a, b, c], [d, e, f], [g, h, j]] = cells;
    [[a[i], b[i], c[i]], [d[i], e[i], f[i]], [g[i], h[i], j[i]]]
}

/// Replaces each cell of `row` by the result of `rule`, whose arguments are the 3 x 3 values around it, the 3 x 3 flags
/// of open cells, and the old value. `outside` maps the column next to the border to the value beyond it. Without
/// `open`, all cells are open, including those beyond the border.
#[allow(clippy::needless_range_loop, reason = "index ranges let compilers omit bounds checks")]
#[inline(always)]
pub(super) fn replace_row(
    values: Rows<'_, f32>,
    open: Option<Rows<'_, bool>>,
    row: &mut [f32],
    outside: impl Fn(usize) -> f32,
    rule: impl Fn(Near<f32>, Near<bool>, f32) -> f32,
) {
    const ALL: Near<bool> = [[true; 3]; 3];
    let last = row.len().saturating_sub(1);
    // A single column is both first and last.
    for column in if last > 0 { 0..2 } else { 0..1 } {
        let column = column * last;
        let around = open.map_or(ALL, |open| open.near(column, false));
        row[column] = rule(values.near(column, outside(column)), around, row[column]);
    }
    if last < 2 {
        return;
    }
    let row = &mut row[1..last];
    let count = row.len();
    let values = values.inner(count);
    match open.map(|open| open.inner(count)) {
        None => {
            for i in 0..count {
                row[i] = rule(at(&values, i), ALL, row[i]);
            }
        }
        Some(open) => {
            for i in 0..count {
                row[i] = rule(at(&values, i), at(&open, i), row[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbourhoods_of_rows_end_at_the_border() {
        // The sum of all values around, with -1 outside, plus ten times the sum of the open ones.
        let rule = |near: Near<f32>, open: Near<bool>, before: f32| {
            let cells = near.iter().flatten().zip(open.iter().flatten());
            before + cells.map(|(value, &open)| value + 10.0 * passing(*value, open)).sum::<f32>()
        };
        for columns in 1..8usize {
            let cells: Vec<f32> = (0..3 * columns).map(|cell| (cell * cell % 17) as f32).collect();
            let open: Vec<bool> = (0..3 * columns).map(|cell| cell % 3 != 1).collect();
            let (beyond, closed) = (vec![-1.0; columns], vec![false; columns]);
            for row in 0..3 {
                let mut found = vec![0.5; columns];
                let rows = Rows::around(&cells, columns, row, &beyond);
                replace_row(rows, Some(Rows::around(&open, columns, row, &closed)), &mut found, |_| -1.0, rule);
                for (column, &found) in found.iter().enumerate() {
                    let mut expected = 0.5;
                    for (down, across) in (0..3).flat_map(|down| (0..3).map(move |across| (down, across))) {
                        let inside = (1..=3).contains(&(row + down)) && (1..=columns).contains(&(column + across));
                        expected += if inside {
                            let cell = (row + down - 1) * columns + column + across - 1;
                            cells[cell] + if open[cell] { 10.0 * cells[cell] } else { 0.0 }
                        } else {
                            -1.0
                        };
                    }
                    assert_eq!(found, expected, "{columns} columns: {column}, {row}");
                }
            }
        }
    }
}
