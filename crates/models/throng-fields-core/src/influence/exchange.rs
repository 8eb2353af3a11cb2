//! Passes over cells in which each cell exchanges a fraction of its difference with its open neighbours.

use std::ops::Range;

use multiversion::multiversion;

use super::passes::{self, Row};
use super::rows::{Near, Rows, passing, replace_row};

/// The width of a map, and the cells that are open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<'a> {
    pub columns: usize,
    /// Whether each cell is open (not a wall); `None` if all are.
    pub open: Option<&'a [bool]>,
}

impl Cells<'_> {
    /// Performs explicit steps: in each, a cell gains the fraction `exchange` of its difference to each open neighbour,
    /// and keeps the fraction `keep` of the result; then `finish` is called with the row and its index. `values` holds
    /// the amounts before and after; `next` is overwritten.
    pub fn steps(
        self,
        [values, next]: [&mut Vec<f32>; 2],
        count: usize,
        (exchange, keep): (f32, f32),
        finish: impl Fn(usize, &mut [f32]) + Sync,
    ) {
        let closed = vec![false; self.columns];
        let one = |Row { number: row, before, after, .. }: Row<'_>| {
            step(before, self.around(row, &closed), after, exchange, keep);
            finish(row, after);
        };
        let mut left = count;
        while left > 0 {
            let some = left.min(passes::at_a_time(self.columns));
            passes::make([values, next, &mut []], self.columns, some, None, one, |(), ()| ());
            if !some.is_multiple_of(2) {
                std::mem::swap(values, next);
            }
            left -= some;
        }
    }

    /// Computes `weights[0] T_0(P) v + weights[1] T_1(P) v + ...`, with Chebyshev polynomials `T_j` of the mean `P`
    /// over the neighbours, for at least two weights. The sum replaces `result` if `fresh`, else it is added to it.
    /// `before` holds `v`; both arrays are overwritten.
    ///
    /// Cost: one pass over the cells per weight except the first. A polynomial is 0 at cells farther from all amounts
    /// than its degree, and such rows are skipped.
    pub fn add_series(
        self,
        weights: &[f32],
        [mut before, mut next]: [&mut [f32]; 2],
        (result, fresh): (&mut [f32], bool),
    ) {
        let closed = vec![false; self.columns];
        let amounts = self.rows_with_amounts(before);
        if fresh {
            let [start, end] = amounts.as_ref().map_or([0; 2], |rows| self.cells(rows));
            result[..start].fill(0.0);
            result[end..].fill(0.0);
        }
        let Some(mut rows) = amounts else { return };
        let mut done = 0;
        while done + 1 < weights.len() {
            let some = (weights.len() - 1 - done).min(passes::at_a_time(self.columns));
            let wider = rows.start.saturating_sub(some)..(rows.end + some).min(result.len() / self.columns);
            let ([start, end], [first, last]) = (self.cells(&wider), self.cells(&rows));
            // Clears the rows not covered by a previous pass.
            for array in [&mut *before, &mut *next] {
                array[start..first].fill(0.0);
                array[last..end].fill(0.0);
            }
            let one = |Row { pass, number: row, before, after, sum }: Row<'_>| {
                let (row, degree) = (wider.start + row, done + pass + 1);
                if degree == 1 {
                    after.fill(0.0);
                    if fresh && rows.contains(&row) {
                        sum.fill(0.0);
                    }
                    add(sum, before.own(), weights[0]);
                }
                // T_0 is given; T_1 = P T_0, and T_(j + 1) = 2 P T_j - T_(j - 1).
                polynomial(before, self.around(row, &closed), after, if degree == 1 { 0.5 } else { 1.0 });
                // Sums are read and written once for two polynomials.
                if !pass.is_multiple_of(2) {
                    add_two(sum, [before.own(), after], [weights[degree - 1], weights[degree]]);
                } else if pass + 1 == some {
                    add(sum, after, weights[degree]);
                }
            };
            // The outermost rows, and those beyond them, are 0 until the last pass. Repeating the outermost row beyond
            // the border therefore makes no difference.
            let arrays = [&mut before[start..end], &mut next[start..end], &mut result[start..end]];
            passes::make(arrays, self.columns, some, None, one, |(), ()| ());
            if !some.is_multiple_of(2) {
                std::mem::swap(&mut before, &mut next);
            }
            (rows, done) = (wider, done + some);
        }
    }

    /// The cell range of some rows: the first cell, and the end.
    fn cells(self, rows: &Range<usize>) -> [usize; 2] {
        [rows.start, rows.end].map(|row| row * self.columns)
    }

    /// The range from the first to the last row with an amount.
    fn rows_with_amounts(self, values: &[f32]) -> Option<Range<usize>> {
        let has_amount = |row: &[f32]| row.iter().any(|&value| value != 0.0);
        let first = values.chunks(self.columns).position(has_amount)?;
        let after = values.rchunks(self.columns).position(has_amount)?;
        Some(first..values.len() / self.columns - after)
    }

    /// Whether the cells around a row are open; `None` if all are.
    fn around<'a>(&'a self, row: usize, closed: &'a [bool]) -> Option<Rows<'a, bool>> {
        self.open.map(|open| Rows::around(open, self.columns, row, closed))
    }
}

/// The sum of the differences to the open neighbours.
#[inline(always)]
fn inflow(values: Near<f32>, open: Near<bool>) -> f32 {
    let [[_, above, _], [left, own, right], [_, below, _]] = values;
    let [[_, up, _], [to_left, _, to_right], [_, down, _]] = open;
    let along = passing(left - own, to_left) + passing(right - own, to_right);
    let across = passing(above - own, up) + passing(below - own, down);
    along + across
}

// Compiled for the baseline processor and for processors with AVX2; the variant is selected at the first call. Fused
// multiply-add is not used, because it rounds differently.

#[multiversion(targets("x86_64+avx2"))]
fn step(values: Rows<'_, f32>, open: Option<Rows<'_, bool>>, next: &mut [f32], exchange: f32, keep: f32) {
    let own = values.own();
    replace_row(
        values,
        open,
        next,
        |column| own[column],
        |values, open, _| passing(keep * (values[1][1] + exchange * inflow(values, open)), open[1][1]),
    );
}

/// Computes `scale (2 P T_j - T_(j - 1))` from `T_j` in `values` and `T_(j - 1)` in `next`.
#[multiversion(targets("x86_64+avx2"))]
fn polynomial(values: Rows<'_, f32>, open: Option<Rows<'_, bool>>, next: &mut [f32], scale: f32) {
    let own = values.own();
    replace_row(
        values,
        open,
        next,
        |column| own[column],
        |values, open, before| {
            let here = values[1][1];
            passing(scale * ((here - before) + here + 0.5 * inflow(values, open)), open[1][1])
        },
    );
}

#[multiversion(targets("x86_64+avx2"))]
fn add(result: &mut [f32], values: &[f32], weight: f32) {
    for (result, &value) in result.iter_mut().zip(values) {
        *result += weight * value;
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn add_two(result: &mut [f32], [one, other]: [&[f32]; 2], [of_one, of_other]: [f32; 2]) {
    for (result, (&one, &other)) in result.iter_mut().zip(one.iter().zip(other)) {
        *result = (*result + of_one * one) + of_other * other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Columns, amounts, and whether each cell is open.
    fn maps() -> impl Strategy<Value = (usize, Vec<f32>, Vec<bool>)> {
        (1usize..40, 1usize..12, 0u32..5).prop_flat_map(|(columns, rows, walls)| {
            let open = prop::collection::vec(prop::bool::weighted(1.0 - f64::from(walls) * 0.1), columns * rows);
            (Just(columns), prop::collection::vec(-9.0f32..9.0, columns * rows), open)
        })
    }

    /// The open neighbours of a cell.
    fn neighbours(cell: usize, columns: usize, open: &[bool]) -> impl Iterator<Item = usize> {
        let column = cell % columns;
        let beside = [(column > 0).then(|| cell - 1), (column + 1 < columns).then_some(cell + 1)];
        let across = [cell.checked_sub(columns), (cell + columns < open.len()).then_some(cell + columns)];
        beside.into_iter().chain(across).flatten().filter(|&cell| open[cell])
    }

    /// The mean over the four neighbours; closed ones count with the value of the cell itself.
    fn mean(values: &[f64], columns: usize, open: &[bool]) -> Vec<f64> {
        let of_cell = |cell: usize| {
            let differences = neighbours(cell, columns, open).map(|other| values[other] - values[cell]);
            if open[cell] { values[cell] + 0.25 * differences.sum::<f64>() } else { 0.0 }
        };
        (0..values.len()).map(of_cell).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: throng_testing::cases(64), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn steps_exchange_amounts_with_open_neighbours((columns, mut values, open) in maps(), walls in any::<bool>()) {
            let open = if walls { open } else { vec![true; values.len()] };
            values.iter_mut().zip(&open).for_each(|(value, &open)| *value = passing(*value, open));
            let (mut found, mut next) = (values.clone(), vec![f32::NAN; values.len()]);
            let cells = Cells { columns, open: walls.then_some(&open) };
            cells.steps([&mut found, &mut next], 1, (0.16, 0.9), |_, _| ());
            for (cell, &found) in found.iter().enumerate() {
                let differences = neighbours(cell, columns, &open).map(|other| f64::from(values[other] - values[cell]));
                let expected = 0.9 * (f64::from(values[cell]) + 0.16 * differences.sum::<f64>());
                let expected = if open[cell] { expected } else { 0.0 };
                prop_assert!((f64::from(found) - expected).abs() < 1e-5, "{}: {}, expected {}", cell, found, expected);
            }
        }

        #[test]
        fn series_match_polynomials_of_the_mean(
            (columns, mut values, open) in maps(),
            (walls, fresh) in any::<(bool, bool)>(),
        ) {
            let open = if walls { open } else { vec![true; values.len()] };
            values.iter_mut().zip(&open).for_each(|(value, &open)| *value = passing(*value, open));
            // Amounts in some rows only.
            let rows = values.len() / columns;
            values[..rows / 3 * columns].fill(0.0);
            let weights = [0.5f32, 0.25, -0.125, 0.25, 0.0625];
            let (mut result, start) = (vec![3.0; values.len()], if fresh { 0.0 } else { 3.0 });
            let (mut before, mut scratch) = (values.clone(), vec![f32::NAN; values.len()]);
            let cells = Cells { columns, open: walls.then_some(&open) };
            cells.add_series(&weights, [&mut before, &mut scratch], (&mut result, fresh));
            let mut last: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            let mut polynomial = mean(&last, columns, &open);
            let mut expected: Vec<f64> = last.iter().map(|value| start + 0.5 * value).collect();
            for &weight in &weights[1..] {
                for (expected, value) in expected.iter_mut().zip(&polynomial) {
                    *expected += f64::from(weight) * value;
                }
                let next = mean(&polynomial, columns, &open);
                let next = next.iter().zip(&last).map(|(mean, last)| 2.0 * mean - last).collect();
                last = std::mem::replace(&mut polynomial, next);
            }
            for (found, expected) in result.iter().zip(expected) {
                prop_assert!((f64::from(*found) - expected).abs() < 3e-5, "{} instead of {}", found, expected);
            }
        }
    }

    #[test]
    fn rows_with_amounts_span_the_first_to_the_last() {
        let rows = |values: &[f32]| Cells { columns: 2, open: None }.rows_with_amounts(values);
        assert_eq!(rows(&[0.0; 8]), None);
        assert_eq!(rows(&[0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), Some(1..4));
        assert_eq!(rows(&[1.0, 0.0]), Some(0..1));
    }
}
