//! Computes a circle once and copies it: the program of the thesis, and an optimised version.

use multiversion::multiversion;
use rayon::prelude::*;

use super::circles::Circles;
use throng_fields::Field;

/// The cells in one row that a circle centred on a cell corner reaches: row offset, offset of the first cell, and the
/// charges, starting with that cell.
#[derive(Debug, Clone, PartialEq)]
struct StampRow {
    row: i64,
    first: i64,
    charges: Vec<f32>,
}

/// Cells that a thread updates at a time: 256 KiB, which fit into the second-level cache.
const BAND: usize = 65_536;

impl Circles {
    /// Algorithm 2: computes one circle, and adds its cells, one by one, at the position of each circle.
    /// Single-threaded.
    ///
    /// The position of a circle within its cell is lost. So a value may differ from [`Circles::naive`] by the slope of
    /// the charge times the cell diagonal, for each circle that reaches the cell.
    pub fn memory_copy(&self) -> Field {
        let offsets = |row: &StampRow| {
            let (dy, first) = (row.row, row.first);
            row.charges.clone().into_iter().zip(first..).map(move |(charge, dx)| (dx, dy, charge)).collect::<Vec<_>>()
        };
        let stamp: Vec<(i64, i64, f32)> = self.stamp().iter().flat_map(offsets).collect();
        let mut values = vec![0.0; self.grid().cells()];
        let (columns, rows) = (i64::from(self.grid().columns()), i64::from(self.grid().rows()));
        for &centre in self.centres() {
            let [column, row] = self.cell_of(centre);
            for &(dx, dy, charge) in &stamp {
                let (x, y) = (column + dx, row + dy);
                if x >= 0 && y >= 0 && x < columns && y < rows {
                    values[(y * columns + x) as usize] += charge;
                }
            }
        }
        Field::new(*self.grid(), values)
    }

    /// An optimised version of algorithm 2: adds whole rows of the circle, several cells at a time, to one band of the
    /// field after another, with the bands distributed over all threads of the current pool. Every cell adds the same
    /// charges in the same order as in [`Circles::memory_copy`], so the fields are identical to the last bit.
    pub fn copy_by_rows(&self) -> Field {
        let stamp = self.stamp();
        let (columns, rows) = (self.grid().columns() as usize, self.grid().rows() as usize);
        let height = (BAND / columns).min(rows.div_ceil(rayon::current_num_threads())).max(1);
        let cells: Vec<[i64; 2]> = self.centres().iter().map(|&centre| self.cell_of(centre)).collect();
        let mut values = vec![0.0; columns * rows];
        values.par_chunks_mut(height * columns).enumerate().for_each(|(band, values)| {
            add_to_band(values, columns, (band * height) as i64, &cells, &stamp);
        });
        Field::new(*self.grid(), values)
    }

    /// Column and row of a circle's cell: the thesis divides and truncates.
    fn cell_of(&self, centre: [f32; 2]) -> [i64; 2] {
        centre.map(|at| (at / self.grid().cell()) as i64)
    }

    /// The rows that a circle centred on a cell corner reaches, in ascending order.
    fn stamp(&self) -> Vec<StampRow> {
        let (cell, reach) = (self.grid().cell(), (self.radius() / self.grid().cell()).ceil() as i64);
        let charge = |dx: i64, dy: i64| self.charge([dx as f32 * cell, dy as f32 * cell]);
        let row = |row: i64| {
            let first = (-reach..=reach).find(|&dx| charge(dx, row) > 0.0)?;
            let charges = (first..=-first).map(|dx| charge(dx, row)).collect();
            Some(StampRow { row, first, charges })
        };
        (-reach..=reach).filter_map(row).collect()
    }
}

/// Adds the charges of circles in `cells` to a band of rows that starts at row `top`.
#[multiversion(targets("x86_64+avx2"))]
fn add_to_band(values: &mut [f32], columns: usize, top: i64, cells: &[[i64; 2]], stamp: &[StampRow]) {
    let (rows, right) = ((values.len() / columns) as i64, columns as i64);
    for &[column, row] in cells {
        // The rows of the stamp within the band; they are contiguous.
        let offset = row + stamp.first().map_or(0, |first| first.row) - top;
        let within = |index: i64| index.clamp(0, stamp.len() as i64) as usize;
        for stamp in &stamp[within(-offset)..within(rows - offset)] {
            let left = column + stamp.first;
            let end = left + stamp.charges.len() as i64;
            let (from, to) = (left.clamp(0, right), end.clamp(0, right));
            if from < to {
                let start = (row + stamp.row - top) as usize * columns;
                let charges = &stamp.charges[(from - left) as usize..(to - left) as usize];
                for (value, charge) in values[start + from as usize..start + to as usize].iter_mut().zip(charges) {
                    *value += charge;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_one_entry_for_each_cell_of_a_circle() {
        let stamp = Circles::new(512, 15.0, Vec::new()).unwrap().stamp();
        let entries: usize = stamp.iter().map(|row| row.charges.len()).sum();
        let area = std::f32::consts::PI * 30.0 * 30.0;
        assert!((entries as f32 / area - 1.0).abs() < 0.02, "{entries}");
        assert!(stamp.iter().flat_map(|row| &row.charges).all(|&charge| charge > 0.0));
    }

    #[test]
    fn a_copy_by_rows_equals_the_copy_by_cells_on_any_number_of_threads() {
        // Includes circles outside the field, and circles larger than it.
        let at = |i: u32, k: u32| (i * k % 1009) as f32 / 1009.0 * 380.0 - 60.0;
        let centres: Vec<[f32; 2]> = (1..80).map(|i| [at(i, 367), at(i, 593)]).chain([[-1e6, 1e6]]).collect();
        for (resolution, radius) in [(1, 4.0), (131, 15.0), (300, 4.0), (64, 700.0)] {
            let circles = Circles::new(resolution, radius, centres.clone()).unwrap();
            let expected = circles.memory_copy();
            assert!(expected.values().iter().any(|&value| value > 0.0));
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| circles.copy_by_rows());
                assert_eq!(found, expected, "{resolution} cells, radius {radius}, {threads} threads");
            }
        }
    }
}
