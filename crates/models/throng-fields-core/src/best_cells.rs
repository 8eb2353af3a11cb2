//! The best cells of a block of cells.

use crate::entities::Cells;
use crate::query::Best;

/// The `wanted` best cells of a block whose values are given row by row: the best one first, of equal ones that in the
/// lower row and column. Holds at most twice as many at a time.
pub fn best_of(cells: Cells, values: impl Iterator<Item = f32>, wanted: usize) -> Vec<Best> {
    if wanted == 0 {
        return Vec::new();
    }
    let order = |a: &Best, b: &Best| b.value.total_cmp(&a.value).then((a.row, a.column).cmp(&(b.row, b.column)));
    let places = (cells.rows.0..cells.rows.1)
        .flat_map(|row| (cells.columns.0..cells.columns.1).map(move |column| (column, row)));
    let room = wanted.saturating_mul(2).max(64);
    let mut found: Vec<Best> = Vec::new();
    // Of equal cells the first one is better, so that a later one has to be above the last that is wanted.
    let mut last = None;
    for ((column, row), value) in places.zip(values) {
        if last.is_some_and(|last| value <= last) {
            continue;
        }
        found.push(Best { column, row, value });
        if found.len() == room {
            let (_, least, _) = found.select_nth_unstable_by(wanted - 1, order);
            last = Some(least.value);
            found.truncate(wanted);
        }
    }
    found.sort_unstable_by(order);
    found.truncate(wanted);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_of_equal_ones_the_first() {
        let cells = Cells { columns: (3, 23), rows: (1, 31) };
        // Many equal ones: 0 to 6.
        let value = |i: u32| (i * 31 % 97 % 7) as f32;
        let mut expected: Vec<Best> =
            (0..600).map(|i| Best { column: 3 + i % 20, row: 1 + i / 20, value: value(i) }).collect();
        expected.sort_by(|a, b| b.value.total_cmp(&a.value));
        for wanted in [0, 1, 2, 40, 599, 600, 601, usize::MAX] {
            assert_eq!(best_of(cells, (0..600).map(value), wanted), expected[..wanted.min(600)]);
        }
    }
}
