//! Fourier transforms of a plane: along rows, transposed, along columns, and back, on all threads.

use std::sync::Arc;

use rayon::prelude::*;
use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use super::impulses::Impulses;
use crate::entities::Entity;
use crate::error::FieldError;
use crate::grid::Grid;
use crate::placed::Placed;
use crate::profile::Profile;

/// The points that are transformed, and their layout.
///
/// The upper half of the grid is the real part of a plane, and the lower half the imaginary one: the transform of a
/// profile is real, since it is symmetric, so the two never mix.
pub(crate) struct Transform {
    /// Points along x and y: enough for half of the grid and its surroundings within reach, and products of small
    /// numbers.
    columns: usize,
    rows: usize,
    /// Rows of the upper half.
    half: usize,
    /// Points within reach on each side.
    pad: usize,
    along_rows: Both,
    along_columns: Both,
}

/// A transform and its inverse.
struct Both {
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
}

impl Both {
    fn new(length: usize) -> Self {
        let mut planner = FftPlanner::new();
        Self { forward: planner.plan_fft_forward(length), inverse: planner.plan_fft_inverse(length) }
    }
}

impl Transform {
    pub fn new(grid: &Grid, pad: usize) -> Self {
        let half = grid.rows().div_ceil(2) as usize;
        let [columns, rows] = Self::size(grid, pad);
        Self { columns, rows, half, pad, along_rows: Both::new(columns), along_columns: Both::new(rows) }
    }

    /// Points along x and y.
    pub fn size(grid: &Grid, pad: usize) -> [usize; 2] {
        // Values that pass an end wrap around to the other, but no farther than the padding.
        [grid.columns() as usize, grid.rows().div_ceil(2) as usize].map(|count| smooth(count + 2 * pad))
    }

    /// The profile convolved with impulses: the values of the grid.
    pub fn convolve(&self, grid: &Grid, impulses: &Impulses, profile: &Profile) -> Vec<f32> {
        let response = self.response(grid, profile);
        let mut plane = self.forward(impulses);
        self.filter(&mut plane, &response);
        self.values(grid, plane)
    }

    /// The transform of the profile, divided by the number of points: real, column by column, of the first half of the
    /// columns and the middle. The others mirror them.
    fn response(&self, grid: &Grid, profile: &Profile) -> Vec<f32> {
        let entity = Placed::new(grid, &Entity::new(grid.origin(), profile.clone())).at_first_point();
        let kept = self.columns / 2 + 1;
        let mut rows = vec![0.0; kept * (self.pad + 1)];
        rows.par_chunks_mut(kept).enumerate().for_each_init(
            || (vec![Complex32::ZERO; self.columns], scratch(&self.along_rows.forward)),
            |(values, scratch), (row, result)| {
                values.fill(Complex32::ZERO);
                for column in 0..=self.pad {
                    let value = entity.charge(column as u32, row as u32).into();
                    values[column] = value;
                    values[(self.columns - column) % self.columns] = value;
                }
                self.along_rows.forward.process_with_scratch(values, scratch);
                result.iter_mut().zip(values).for_each(|(result, value)| *result = value.re);
            },
        );
        let scale = 1.0 / (self.columns as f32 * self.rows as f32);
        let mut response = vec![0.0; kept * self.rows];
        // Two columns at a time: both transforms are real.
        response.par_chunks_mut(2 * self.rows).enumerate().for_each_init(
            || (vec![Complex32::ZERO; self.rows], scratch(&self.along_columns.forward)),
            |(values, scratch), (pair, results)| {
                values.fill(Complex32::ZERO);
                for row in 0..=self.pad {
                    let of = |column: usize| if column < kept { rows[row * kept + column] } else { 0.0 };
                    let value = Complex32::new(of(2 * pair), of(2 * pair + 1)) * scale;
                    values[row] = value;
                    values[(self.rows - row) % self.rows] = value;
                }
                self.along_columns.forward.process_with_scratch(values, scratch);
                let (one, other) = results.split_at_mut(self.rows);
                one.iter_mut().zip(&*values).for_each(|(result, value)| *result = value.re);
                other.iter_mut().zip(&*values).for_each(|(result, value)| *result = value.im);
            },
        );
        response
    }

    /// Both halves of the impulses, transformed along rows.
    fn forward(&self, impulses: &Impulses) -> Vec<Complex32> {
        let mut plane = vec![Complex32::ZERO; self.columns * self.rows];
        let row_of = |row: usize| impulses.values.chunks(impulses.columns).nth(row).unwrap_or(&[]);
        let rows = plane.par_chunks_mut(self.columns).take(self.half + 2 * self.pad).enumerate();
        rows.for_each_init(
            || scratch(&self.along_rows.forward),
            |scratch, (row, values)| {
                values.iter_mut().zip(row_of(row)).for_each(|(value, &charge)| value.re = charge);
                values.iter_mut().zip(row_of(self.half + row)).for_each(|(value, &charge)| value.im = charge);
                self.along_rows.forward.process_with_scratch(values, scratch);
            },
        );
        plane
    }

    /// Transforms along columns, multiplies by the profile's transform, and transforms back.
    fn filter(&self, plane: &mut [Complex32], response: &[f32]) {
        let mut turned = vec![Complex32::ZERO; plane.len()];
        transpose(plane, self.columns, &mut turned);
        turned.par_chunks_mut(self.rows).enumerate().for_each_init(
            || (scratch(&self.along_columns.forward), scratch(&self.along_columns.inverse)),
            |(forward, inverse), (column, values)| {
                self.along_columns.forward.process_with_scratch(values, forward);
                let mirrored = column.min(self.columns - column);
                let response = &response[mirrored * self.rows..][..self.rows];
                values.iter_mut().zip(response).for_each(|(value, response)| *value *= response);
                self.along_columns.inverse.process_with_scratch(values, inverse);
            },
        );
        transpose(&turned, self.rows, plane);
    }

    /// Transforms back along rows, and takes the cells of the grid.
    fn values(&self, grid: &Grid, mut plane: Vec<Complex32>) -> Vec<f32> {
        let rows = plane.par_chunks_mut(self.columns).skip(self.pad).take(self.half);
        rows.for_each_init(
            || scratch(&self.along_rows.inverse),
            |scratch, values| self.along_rows.inverse.process_with_scratch(values, scratch),
        );
        let columns = grid.columns() as usize;
        let mut values = vec![0.0; grid.cells()];
        values.par_chunks_mut(columns).enumerate().for_each(|(row, values)| {
            let lower = row >= self.half;
            let row = if lower { row - self.half } else { row };
            let results = &plane[(self.pad + row) * self.columns + self.pad..][..columns];
            for (value, result) in values.iter_mut().zip(results) {
                *value = if lower { result.im } else { result.re };
            }
        });
        values
    }
}

/// The scratch memory of a transform.
fn scratch(fft: &Arc<dyn Fft<f32>>) -> Vec<Complex32> {
    vec![Complex32::ZERO; fft.get_inplace_scratch_len()]
}

/// Columns to rows. `width` is the previous length of a row.
fn transpose(from: &[Complex32], width: usize, to: &mut [Complex32]) {
    /// Columns at a time: whole cache lines are read.
    const BLOCK: usize = 16;
    let height = from.len() / width;
    to.par_chunks_mut(BLOCK * height).enumerate().for_each(|(block, to)| {
        for (row, from) in from.chunks(width).enumerate() {
            let from = &from[block * BLOCK..width.min((block + 1) * BLOCK)];
            for (i, &value) in from.iter().enumerate() {
                to[i * height + row] = value;
            }
        }
    });
}

/// Refuses rows and columns that a device cannot transform.
pub(crate) fn check_lines([columns, rows]: [usize; 2], longest: usize) -> Result<(), FieldError> {
    for (name, points) in [("row", columns), ("column", rows)] {
        if points > longest {
            let remedy = format!("the device transforms at most {longest}: use creation::by_convolution");
            return Err(FieldError::new(format!("convolution, points of a {name}"), points, remedy));
        }
    }
    Ok(())
}

/// The values of a profile at whole cells across and down, from 0 to `pad`, row by row: a quarter of them all.
#[cfg(feature = "gpu")]
pub(crate) fn quarter(grid: &Grid, profile: &Profile, pad: usize) -> Vec<f32> {
    let entity = Placed::new(grid, &Entity::new(grid.origin(), profile.clone())).at_first_point();
    let mut values = vec![0.0; (pad + 1) * (pad + 1)];
    values.par_chunks_mut(pad + 1).enumerate().for_each(|(row, values)| {
        let cells = values.iter_mut().enumerate();
        cells.for_each(|(column, value)| *value = entity.charge(column as u32, row as u32));
    });
    values
}

/// The smallest number of at least `least` without prime factors above 5, for which transforms are fast.
fn smooth(least: usize) -> usize {
    let mut best = least.next_power_of_two();
    let mut fives = 1;
    while fives < best {
        let mut threes = fives;
        while threes < best {
            let mut number = threes;
            while number < least {
                number *= 2;
            }
            best = best.min(number);
            threes *= 3;
        }
        fives *= 5;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_products_of_small_numbers() {
        assert_eq!([1, 2, 7, 11, 13, 17, 31, 2288, 2305].map(smooth), [1, 2, 8, 12, 15, 18, 32, 2304, 2400]);
    }

    #[test]
    fn columns_become_rows() {
        let from: Vec<Complex32> = (0..21 * 34).map(|i| (i as f32).into()).collect();
        let mut to = vec![Complex32::ZERO; from.len()];
        transpose(&from, 34, &mut to);
        assert!((0..21 * 34).all(|i| to[i % 34 * 21 + i / 34] == from[i]));
    }
}
