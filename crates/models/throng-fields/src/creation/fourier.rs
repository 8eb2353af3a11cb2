//! Fourier transforms of a plane: along rows, along columns, and back, on all threads and of several rows or columns at
//! a time.

use rayon::prelude::*;

use super::impulses::ImpulseList;
use super::lanes::{LANES, Lanes, Numbers, ZERO};
use super::line_transform::LineTransform;
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
    along_rows: LineTransform,
    along_columns: LineTransform,
}

/// Groups of columns that are transformed before the next ones are read: whole cache lines are used.
const GROUPS: usize = 4;

impl Transform {
    pub fn new(grid: &Grid, pad: usize) -> Self {
        let half = grid.rows().div_ceil(2) as usize;
        let [columns, rows] = Self::size(grid, pad);
        Self {
            columns,
            rows,
            half,
            pad,
            along_rows: LineTransform::new(columns),
            along_columns: LineTransform::new(rows),
        }
    }

    /// Points along x and y.
    pub fn size(grid: &Grid, pad: usize) -> [usize; 2] {
        // Values that pass an end wrap around to the other, but no farther than the padding.
        [grid.columns() as usize, grid.rows().div_ceil(2) as usize].map(|count| smooth(count + 2 * pad))
    }

    /// The profile convolved with impulses: the values of the grid.
    pub fn convolve(&self, grid: &Grid, impulses: &ImpulseList, profile: &Profile) -> Vec<f32> {
        let response = self.response(grid, profile);
        let plane = self.filter(&self.forward(impulses), &response);
        self.values(grid, &plane)
    }

    /// The transform of the profile, divided by the number of points: real, column by column, of the first half of the
    /// columns and the middle. The others mirror them.
    fn response(&self, grid: &Grid, profile: &Profile) -> Vec<f32> {
        let entity = Placed::new(grid, &Entity::new(grid.origin(), profile.clone())).at_first_point();
        let kept = self.columns / 2 + 1;
        let mut rows = vec![0.0; kept * (self.pad + 1)];
        rows.par_chunks_mut(kept * LANES).enumerate().for_each_init(
            || Work::new(&self.along_rows, self.columns),
            |work, (group, results)| {
                work.numbers.fill(ZERO);
                for (lane, row) in (group * LANES..=self.pad).take(LANES).enumerate() {
                    for column in 0..=self.pad {
                        let value = entity.charge(column as u32, row as u32);
                        work.numbers[column].re.0[lane] = value;
                        work.numbers[(self.columns - column) % self.columns].re.0[lane] = value;
                    }
                }
                work.forward();
                for (lane, result) in results.chunks_mut(kept).enumerate() {
                    result.iter_mut().zip(&work.numbers).for_each(|(result, value)| *result = value.re.0[lane]);
                }
            },
        );
        let scale = 1.0 / (self.columns as f32 * self.rows as f32);
        let mut response = vec![0.0; kept * self.rows];
        // Two columns in each lane: both transforms are real.
        response.par_chunks_mut(2 * LANES * self.rows).enumerate().for_each_init(
            || Work::new(&self.along_columns, self.rows),
            |work, (group, results)| {
                work.numbers.fill(ZERO);
                for row in 0..=self.pad {
                    let of = |column: usize| if column < kept { rows[row * kept + column] * scale } else { 0.0 };
                    let part = |part| Lanes(std::array::from_fn(|lane| of(2 * (group * LANES + lane) + part)));
                    let value = Numbers { re: part(0), im: part(1) };
                    work.numbers[row] = value;
                    work.numbers[(self.rows - row) % self.rows] = value;
                }
                work.forward();
                for (column, result) in results.chunks_mut(self.rows).enumerate() {
                    let (lane, part) = (column / 2, column % 2);
                    for (result, Numbers { re, im }) in result.iter_mut().zip(&work.numbers) {
                        *result = if part == 0 { re.0[lane] } else { im.0[lane] };
                    }
                }
            },
        );
        response
    }

    /// Groups of columns.
    fn groups(&self) -> usize {
        self.columns.div_ceil(LANES)
    }

    /// Both halves of the impulses, transformed along rows: row by row, columns in groups.
    fn forward(&self, impulses: &ImpulseList) -> Vec<Numbers> {
        let mut plane = vec![ZERO; self.groups() * self.rows];
        let filled = self.half + 2 * self.pad;
        let rows = plane[..filled * self.groups()].par_chunks_mut(LANES * self.groups()).enumerate();
        rows.for_each_init(
            || Work::new(&self.along_rows, self.columns),
            |work, (group, results)| {
                work.numbers.fill(ZERO);
                for (lane, row) in (group * LANES..filled).take(LANES).enumerate() {
                    impulses.row(row).for_each(|(column, charge)| work.numbers[column].re.0[lane] = charge);
                    let lower = impulses.row(self.half + row);
                    lower.for_each(|(column, charge)| work.numbers[column].im.0[lane] = charge);
                }
                work.forward();
                for (lane, results) in results.chunks_mut(self.groups()).enumerate() {
                    for (result, columns) in results.iter_mut().zip(work.numbers.chunks(LANES)) {
                        *result = turned(columns, lane);
                    }
                }
            },
        );
        plane
    }

    /// Transforms along columns, multiplies by the profile's transform, and transforms back: from rows, with columns in
    /// groups, to the columns of each group.
    fn filter(&self, plane: &[Numbers], response: &[f32]) -> Vec<Numbers> {
        let mut filtered = vec![ZERO; plane.len()];
        let groups = filtered.par_chunks_mut(GROUPS * self.rows).enumerate();
        groups.for_each_init(
            || self.along_columns.scratch(),
            |scratch, (some, results)| {
                let first = some * GROUPS;
                for (row, plane) in plane.chunks(self.groups()).enumerate() {
                    for (group, &value) in plane[first..].iter().take(GROUPS).enumerate() {
                        results[group * self.rows + row] = value;
                    }
                }
                for (group, values) in (first..).zip(results.chunks_mut(self.rows)) {
                    self.along_columns.forward(values, scratch);
                    // The last group may have less than all columns.
                    let columns: [usize; LANES] = std::array::from_fn(|lane| (group * LANES + lane).min(self.columns));
                    let of = |column: usize| &response[column.min(self.columns - column) * self.rows..][..self.rows];
                    let [a, b, c, d] = columns.map(of);
                    for (row, value) in values.iter_mut().enumerate() {
                        let factors = Lanes([a[row], b[row], c[row], d[row]]);
                        *value = Numbers { re: value.re * factors, im: value.im * factors };
                    }
                    self.along_columns.back(values, scratch);
                }
            },
        );
        filtered
    }

    /// Transforms back along rows, and takes the cells of the grid.
    fn values(&self, grid: &Grid, plane: &[Numbers]) -> Vec<f32> {
        let columns = grid.columns() as usize;
        let mut values = vec![0.0; grid.cells()];
        let (upper, lower) = values.split_at_mut(self.half * columns);
        // The lower half may have a row less.
        let mut lower = lower.chunks_mut(LANES * columns);
        let halves: Vec<[&mut [f32]; 2]> =
            upper.chunks_mut(LANES * columns).map(|upper| [upper, lower.next().unwrap_or_default()]).collect();
        halves.into_par_iter().enumerate().for_each_init(
            || Work::new(&self.along_rows, self.groups() * LANES),
            |work, (group, [upper, lower])| {
                let first = self.pad + group * LANES;
                for (values, numbers) in plane.chunks(self.rows).zip(work.numbers.chunks_mut(LANES)) {
                    let rows = &values[first..self.rows.min(first + LANES)];
                    numbers.iter_mut().enumerate().for_each(|(lane, number)| *number = turned(rows, lane));
                }
                work.back();
                let numbers = &work.numbers[self.pad..];
                for (lane, values) in upper.chunks_mut(columns).enumerate() {
                    values.iter_mut().zip(numbers).for_each(|(value, number)| *value = number.re.0[lane]);
                }
                for (lane, values) in lower.chunks_mut(columns).enumerate() {
                    values.iter_mut().zip(numbers).for_each(|(value, number)| *value = number.im.0[lane]);
                }
            },
        );
        values
    }
}

/// What a thread transforms.
struct Work<'t> {
    transform: &'t LineTransform,
    numbers: Vec<Numbers>,
    scratch: Vec<Numbers>,
}

impl<'t> Work<'t> {
    fn new(transform: &'t LineTransform, length: usize) -> Self {
        Self { transform, numbers: vec![ZERO; length], scratch: transform.scratch() }
    }

    fn forward(&mut self) {
        self.transform.forward(&mut self.numbers[..self.scratch.len()], &mut self.scratch);
    }

    fn back(&mut self) {
        self.transform.back(&mut self.numbers[..self.scratch.len()], &mut self.scratch);
    }
}

/// One lane of each of some numbers, as lanes; 0 for numbers that are missing.
#[inline(always)]
fn turned(numbers: &[Numbers], lane: usize) -> Numbers {
    let number = |i: usize| numbers.get(i).unwrap_or(&ZERO);
    Numbers {
        re: Lanes(std::array::from_fn(|i| number(i).re.0[lane])),
        im: Lanes(std::array::from_fn(|i| number(i).im.0[lane])),
    }
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
    fn rows_become_lanes() {
        let number = |i: usize| Lanes(std::array::from_fn(|lane| (10 * i + lane) as f32));
        let numbers: Vec<Numbers> = (0..3).map(|i| Numbers { re: number(i), im: number(i + 5) }).collect();
        let found = turned(&numbers, 2);
        assert_eq!((found.re.0, found.im.0), ([2.0, 12.0, 22.0, 0.0], [52.0, 62.0, 72.0, 0.0]));
    }
}
