//! The best cells of a block of cells.

use crate::entities::Cells;
use crate::query::Best;

/// Returns the `wanted` best cells of a block whose values are given row by row, best first; ties go to the lower row,
/// then the lower column. Stores at most twice as many cells at a time, or 64.
pub fn best_of(cells: Cells, values: impl Iterator<Item = f32>, wanted: usize) -> Vec<Best> {
    if wanted == 0 {
        return Vec::new();
    }
    let order = |a: &Best, b: &Best| b.value.total_cmp(&a.value).then((a.row, a.column).cmp(&(b.row, b.column)));
    let places = (cells.rows.0..cells.rows.1)
        .flat_map(|row| (cells.columns.0..cells.columns.1).map(move |column| (column, row)));
    let capacity = wanted.saturating_mul(2).max(64);
    let mut found: Vec<Best> = Vec::new();
    // Ties go to the earlier cell, so a later one must exceed the last of the wanted ones.
    let mut last = None;
    for ((column, row), value) in places.zip(values) {
        if last.is_some_and(|last| value <= last) {
            continue;
        }
        found.push(Best { column, row, value });
        if found.len() == capacity {
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
    fn best_cells_are_sorted_by_value_and_index() {
        let cells = Cells { columns: (3, 23), rows: (1, 31) };
        // Values 0 to 6, with many ties.
        let value = |i: u32| (i * 31 % 97 % 7) as f32;
        let mut expected: Vec<Best> =
            (0..600).map(|i| Best { column: 3 + i % 20, row: 1 + i / 20, value: value(i) }).collect();
        expected.sort_by(|a, b| b.value.total_cmp(&a.value));
        for wanted in [0, 1, 2, 40, 599, 600, 601, usize::MAX] {
            assert_eq!(best_of(cells, (0..600).map(value), wanted), expected[..wanted.min(600)]);
        }
    }
}
