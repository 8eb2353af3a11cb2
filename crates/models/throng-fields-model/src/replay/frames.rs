//! Values of fields, averaged over blocks of cells, and the files that hold them.

use std::fs::File;
use std::path::PathBuf;

use throng_core::InputError;
use throng_fields_core::Field;
use throng_pictures::Grid;
use throng_pictures::files::npy_frames;

use super::damaged;
use super::description::Samples;

/// Maximum number of samples along a side.
const MAX_SAMPLES: u32 = 128;

/// The blocks of cells of a grid.
pub(super) fn samples_of(grid: &Grid) -> Samples {
    let cells = grid.columns().max(grid.rows()).div_ceil(MAX_SAMPLES).max(1);
    // A surface needs two samples along each side, even if the map has only one cell.
    let along = |side: u32| side.div_ceil(cells).max(2);
    Samples { cells, columns: along(grid.columns()), rows: along(grid.rows()) }
}

/// The cells of each block of a grid, by index, starting with the lowest row of blocks.
fn blocks(grid: &Grid, samples: Samples) -> impl Iterator<Item = impl Iterator<Item = usize>> {
    let (grid, Samples { cells, columns, rows }) = (*grid, samples);
    let of_block = move |block: u32, count: u32| {
        let first = (block * cells).min(count - 1);
        first..(first + cells).min(count)
    };
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row))).map(move |(column, row)| {
        let columns = of_block(column, grid.columns());
        of_block(row, grid.rows()).flat_map(move |y| columns.clone().map(move |x| grid.index(x, y)))
    })
}

/// The mean of the finite values in each block; NaN if there are none.
pub(super) fn coarsened(field: &Field, samples: Samples) -> Vec<f32> {
    let mean = |cells| {
        let finite = Iterator::map(cells, |cell: usize| field.values()[cell]).filter(|value| value.is_finite());
        let (sum, count) = finite.fold((0.0, 0.0), |(sum, count), value| (sum + f64::from(value), count + 1.0));
        (sum / count) as f32
    };
    blocks(field.grid(), samples).map(mean).collect()
}

/// For each block, the index of its most frequent team; ties go to the lower index, and -1 stands for a block
/// in which no cell has a team. `teams` has one entry per cell of the grid.
pub(super) fn most_frequent(grid: &Grid, teams: &[Option<u8>], samples: Samples) -> Vec<f32> {
    let mut counts = [0u32; u8::MAX as usize + 1];
    let strongest = |cells| {
        counts.fill(0);
        for team in Iterator::filter_map(cells, |cell: usize| teams.get(cell).copied().flatten()) {
            counts[usize::from(team)] += 1;
        }
        let most = counts.iter().copied().max().filter(|most| *most > 0);
        let team = most.and_then(|most| counts.iter().position(|count| *count == most));
        team.map_or(-1.0, |team| team as f32)
    };
    blocks(grid, samples).map(strongest).collect()
}

/// A file of frames whose shape has been checked.
#[derive(Debug)]
pub(super) struct FrameFile {
    path: PathBuf,
    shape: [u64; 3],
    start: u64,
}

impl FrameFile {
    /// Opens a file with the given numbers of frames, rows and columns.
    ///
    /// # Errors
    /// When the file has another shape or cannot be read.
    pub(super) fn open(path: PathBuf, shape: [u64; 3]) -> Result<Self, InputError> {
        let start = File::open(&path).and_then(|mut file| npy_frames::start_of(shape, &mut file));
        match start {
            Ok(start) => Ok(Self { path, shape, start }),
            Err(error) => Err(damaged(&path, error)),
        }
    }

    /// The values of a frame, or of the last frame if there are fewer.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub(super) fn read(&self, frame: u64) -> Result<Vec<f32>, InputError> {
        let [frames, rows, columns] = self.shape;
        let (frame, values) = (frame.min(frames.saturating_sub(1)), (rows * columns) as usize);
        let found = File::open(&self.path).and_then(|mut file| npy_frames::read(self.start, frame, values, &mut file));
        found.map_err(|error| damaged(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: u32, rows: u32) -> Grid {
        Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap()
    }

    #[test]
    fn large_grids_are_averaged() {
        let samples = |columns, rows| {
            let Samples { cells, columns, rows } = samples_of(&grid(columns, rows));
            [cells, columns, rows]
        };
        assert_eq!(samples(128, 64), [1, 128, 64]);
        assert_eq!(samples(192, 128), [2, 96, 64]);
        assert_eq!(samples(257, 1), [3, 86, 2]);
        assert_eq!(samples(1, 1), [1, 2, 2]);
    }

    #[test]
    fn block_means_match_expected_values() {
        let field = Field::new(grid(3, 2), vec![1.0, 2.0, 7.0, 3.0, 4.0, f32::INFINITY]);
        let samples = Samples { cells: 2, columns: 2, rows: 2 };
        // A single row of blocks counts as two.
        let means = coarsened(&field, samples);
        assert_eq!(means[..3], [2.5, 7.0, 3.5]);
        assert!(means[3].is_nan() && means.len() == 4);
    }
    #[test]
    fn blocks_belong_to_the_most_frequent_and_first_team() {
        let teams = [Some(2), Some(1), None, Some(1), Some(1), None];
        let samples = Samples { cells: 2, columns: 2, rows: 2 };
        // The single row of blocks counts twice; the second time, only the upper row of cells counts.
        assert_eq!(most_frequent(&grid(3, 2), &teams, samples), [1.0, -1.0, 1.0, -1.0]);
        let even = [Some(9), Some(3), Some(3), Some(9)];
        assert_eq!(most_frequent(&grid(2, 2), &even, Samples { cells: 2, columns: 1, rows: 1 }), [3.0]);
    }
}
