//! Passes over a map in which each cell is computed from the cells around it, several passes at a time.
//!
//! A map is larger than the caches of a processor core, and a pass is limited by memory bandwidth. Therefore a row that
//! has been read goes through several passes before it is written: pass 1 computes it, then pass 2 the row before it,
//! pass 3 the row before that, and so on. Two arrays suffice, as for single passes: each pass overwrites the output of
//! the pass before the previous one, which is no longer needed.
//!
//! Threads process bands of rows. At the border of two bands, each further pass lacks one more row, whose neighbours
//! belong to the other band; these rows are computed when all bands are done. Thus nothing is computed twice, and the
//! value of a cell does not depend on the bands.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::Rows;

/// Maximum number of cells of a map that is processed by the calling thread only, because handing a part to another
/// thread takes about as long as computing it.
const FEW_CELLS: usize = 1 << 16;
/// Maximum number of passes at a time. More passes would shift work from the bands to their borders.
const MAX_PASSES: usize = 16;
/// Total number of cells in the rows of all simultaneous passes. Two or three arrays of this size fit into the cache of
/// a core.
const CELLS_IN_PASSES: usize = 1 << 15;
/// Bands per thread, for load balancing.
const BANDS_PER_THREAD: usize = 4;

/// The arrays of a map, row by row: the first pass reads array 0 and writes array 1, the next one vice versa. Array 2
/// holds sums over several passes, or is empty.
pub(super) type Arrays<'a> = [&'a mut [f32]; 3];

/// A row in a pass.
pub(super) struct Row<'a> {
    /// Index of the pass.
    pub pass: usize,
    /// Index of the row.
    pub number: usize,
    /// The values before the pass.
    pub before: Rows<'a, f32>,
    /// The output of the pass; it still holds the values from two passes ago.
    pub after: &'a mut [f32],
    pub sum: &'a mut [f32],
}

/// The number of simultaneous passes for a map with `columns` columns.
pub(super) fn at_a_time(columns: usize) -> usize {
    (CELLS_IN_PASSES / columns).clamp(1, MAX_PASSES)
}

/// Makes `count` passes: calls `pass` for each row in each of them, and joins the results in any
/// order. `outside` stands for rows beyond the border; if `None`, the row at the border is repeated.
pub(super) fn make<R: Send + Default>(
    arrays: Arrays<'_>,
    columns: usize,
    count: usize,
    outside: Option<&[f32]>,
    pass: impl Fn(Row<'_>) -> R + Sync,
    join: impl Fn(R, R) -> R + Send + Sync,
) -> R {
    let rows = arrays[0].len() / columns;
    let map = Map { columns, rows, count, outside };
    let borders = map.borders();
    let bands: Vec<Range<usize>> = borders.windows(2).map(|ends| ends[0]..ends[1]).collect();
    if let [all] = &bands[..] {
        return map.band(Part { rows: all.clone(), arrays }, &pass, &join);
    }
    let [one, other, sum] = arrays;
    let parts = map.parts([&mut *one, &mut *other, &mut *sum], bands);
    let inside = parts.into_par_iter().map(|part| map.band(part, &pass, &join)).reduce(R::default, &join);
    let between = borders[1..borders.len() - 1].iter().map(|border| border - count - 1..border + count + 1);
    let parts = map.parts([one, other, sum], between.collect());
    let between = parts.into_par_iter().map(|part| map.border(part, &pass, &join)).reduce(R::default, &join);
    join(inside, between)
}

/// The size of a map, and the number of passes.
#[derive(Debug, Clone, Copy)]
struct Map<'a> {
    columns: usize,
    rows: usize,
    /// Number of passes.
    count: usize,
    outside: Option<&'a [f32]>,
}

/// Consecutive rows of the arrays.
struct Part<'a> {
    rows: Range<usize>,
    arrays: Arrays<'a>,
}

impl Map<'_> {
    /// The first rows of the bands, followed by the total number of rows.
    fn borders(self) -> Vec<usize> {
        let threads = rayon::current_num_threads();
        let most = if threads > 1 && self.rows * self.columns > FEW_CELLS { BANDS_PER_THREAD * threads } else { 1 };
        // The rows affected by one border must not reach the next border.
        let bands = (self.rows / (2 * self.count + 2)).clamp(1, most);
        (0..=bands).map(|band| band * self.rows / bands).collect()
    }

    /// Splits the arrays into disjoint parts, by ascending rows.
    fn parts(self, arrays: Arrays<'_>, ranges: Vec<Range<usize>>) -> Vec<Part<'_>> {
        let (mut rest, mut first) = (arrays, 0);
        let mut part = |rows: Range<usize>| {
            let [before, within] = [rows.start - first, rows.len()].map(|rows| rows * self.columns);
            // The array of sums may be empty.
            let arrays = rest.each_mut().map(|rest| {
                let _ = rest.split_off_mut(..before.min(rest.len()));
                rest.split_off_mut(..within.min(rest.len())).unwrap_or_default()
            });
            first = rows.end;
            Part { rows, arrays }
        };
        ranges.into_iter().map(&mut part).collect()
    }

    /// Computes the rows of a band that depend, in all previous passes, only on rows in the band: one row of each pass
    /// in turn.
    fn band<R: Default>(self, mut part: Part<'_>, pass: &impl Fn(Row<'_>) -> R, join: &impl Fn(R, R) -> R) -> R {
        let Range { start, end } = part.rows;
        let mut result = R::default();
        for newest in start..end + self.count - 1 {
            for number in 0..self.count {
                let first = if start > 0 { start + number + 1 } else { 0 };
                let after = if end < self.rows { end - number - 1 } else { end };
                if newest >= first + number && newest < after + number {
                    result = join(result, pass(self.row(&mut part, number, newest - number)));
                }
            }
        }
        result
    }

    /// Computes the remaining rows at the border of two bands, which is in the middle of the part.
    fn border<R: Default>(self, mut part: Part<'_>, pass: &impl Fn(Row<'_>) -> R, join: &impl Fn(R, R) -> R) -> R {
        let border = part.rows.start + self.count + 1;
        let mut result = R::default();
        for number in 0..self.count {
            for row in border - number - 1..=border + number {
                result = join(result, pass(self.row(&mut part, number, row)));
            }
        }
        result
    }

    fn row<'a>(&'a self, part: &'a mut Part<'_>, pass: usize, row: usize) -> Row<'a> {
        let [one, other, sum] = &mut part.arrays;
        let (before, after): (&[f32], &mut [f32]) = if pass.is_multiple_of(2) { (one, other) } else { (other, one) };
        let place = row - part.rows.start;
        let cells = place * self.columns..(place + 1) * self.columns;
        let outside = self.outside.unwrap_or(&before[cells.clone()]);
        let before = Rows::around(before, self.columns, place, outside);
        Row { pass, number: row, before, after: &mut after[cells.clone()], sum: sum.get_mut(cells).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A pass in which each cell depends on the pass, the row, all values around it, and its value from two passes ago.
    fn mix(row: &mut Row<'_>, columns: usize) -> u64 {
        let mut hash = 0;
        for column in 0..columns {
            let rows = row.before.column(column);
            let around = rows[0] + 3.0 * rows[1] + 5.0 * rows[2] + 7.0 * row.after[column];
            row.after[column] = (around + row.number as f32 + 11.0 * row.pass as f32) % 8191.0;
            hash += row.after[column] as u64 * (row.pass as u64 + 1);
            if let Some(sum) = row.sum.get_mut(column) {
                *sum = (2.0 * *sum + row.after[column]) % 8191.0;
            }
        }
        hash
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: throng_testing::cases(64), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn simultaneous_passes_match_single_passes(
            (columns, rows) in prop_oneof![(1usize..5, 1usize..90), (1000usize..1003, 66usize..300)],
            count in 1usize..10,
            (sums, border) in any::<(bool, bool)>(),
            threads in 1usize..4,
        ) {
            let start: Vec<f32> = (0..columns * rows).map(|cell| (cell * 37 % 8191) as f32).collect();
            let made = |at_a_time: usize| {
                let (mut one, mut other) = (start.clone(), vec![0.0; start.len()]);
                let mut sum = if sums { start.clone() } else { Vec::new() };
                let outside = vec![5.0; columns];
                let mut hash = 0;
                let mut done = 0;
                while done < count {
                    let some = at_a_time.min(count - done);
                    let pass = |row: Row<'_>| mix(&mut Row { pass: row.pass + done, ..row }, columns);
                    let outside = border.then_some(&outside[..]);
                    hash += make([&mut one, &mut other, &mut sum], columns, some, outside, pass, |a, b| a + b);
                    if some % 2 == 1 {
                        std::mem::swap(&mut one, &mut other);
                    }
                    done += some;
                }
                (one, other, sum, hash)
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let single = made(1);
            prop_assert_eq!(&pool.install(|| made(count)), &single);
            prop_assert_eq!(&pool.install(|| made(3)), &single);
        }
    }

    #[test]
    fn bands_have_a_minimum_height() {
        for (threads, rows, columns, bands) in [
            (1, 2048, 2048, 1),
            (3, 2048, 2048, 12),
            (3, 70, 1000, 2),
            (3, 40, 10, 1),
            (7, 1, 100_000, 1),
            (7, 15, 100_000, 3),
        ] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let map = Map { columns, rows, count: at_a_time(columns), outside: None };
            let borders = pool.install(|| map.borders());
            assert_eq!((borders.len() - 1, borders[0], borders[bands]), (bands, 0, rows));
            assert!(bands == 1 || borders.windows(2).all(|ends| ends[1] - ends[0] >= 2 * map.count + 2));
        }
    }
}
