//! Queries of a field, executed where it is stored: at once, or asynchronously.

use rayon::prelude::*;
use throng_core::InputError;
use throng_core::checks::finite;
use throng_device::Error;
use throng_fields_core::best_cells::best_of;
use throng_fields_core::creation::IncrementalField;
use throng_fields_core::field::Field;
use throng_fields_core::query::Best;

use super::deferred::Deferred;
use super::dynamic_field::{DynamicField, Values};
use super::window::Window;
use crate::gpu;

/// Exclusive limits of best cells per result and points per query: 32-bit indices address two values for each.
const MAX_BEST: usize = 1 << 31;
const MAX_POINTS: usize = 1 << 31;

impl DynamicField {
    /// The `wanted` best cells of each window, best first; ties go to the cell in the lower row, then to the lower
    /// column. Windows with fewer cells within the grid return all of them. Only these cells are copied from a device.
    ///
    /// # Errors
    /// When 2^31 or more cells are requested in total, on a device per tile of 64 x 64 cells, or the device fails.
    pub fn best_in(&self, windows: &[Window], wanted: usize) -> Result<Vec<Vec<Best>>, Error> {
        self.best_in_later(windows, wanted)?.wait()
    }

    /// The values at points in world units, interpolated bilinearly between the four surrounding samples; beyond the
    /// outermost samples, the value at the border. Bit-identical to [`Field::sample`]. Fractions of a cell below 2^-30
    /// count as 0.
    ///
    /// # Errors
    /// When there are 2^31 or more points, a coordinate is not a finite number, or the device fails.
    pub fn sample(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<f32>, Error> {
        self.sample_later(points)?.wait()
    }

    /// The increase of the value per world unit along x and y, at points in world units. Bit-identical to
    /// [`Field::gradient`].
    ///
    /// # Errors
    /// As for [`DynamicField::sample`].
    pub fn gradients(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<[f32; 2]>, Error> {
        self.gradients_later(points)?.wait()
    }

    /// The whole field, copied from the device if it is on one. For queries in every step of a game, prefer the other
    /// functions, which copy only their results.
    ///
    /// # Errors
    /// When the device fails.
    pub fn read(&self) -> Result<Field, Error> {
        self.read_later()?.wait()
    }

    /// Like [`DynamicField::best_in`], but the result stays on the device that computes it.
    ///
    /// # Errors
    /// As for [`DynamicField::best_in`]; failures of the device may surface only in [`Deferred::wait`].
    pub fn best_in_later(&self, windows: &[Window], wanted: usize) -> Result<Deferred<Vec<Vec<Best>>>, Error> {
        let of_window = |window: &Window| window.cells_on(self.grid()).map_or(0, |cells| cells.count().min(wanted));
        let cells = windows.iter().map(of_window).fold(0, usize::saturating_add);
        if cells >= MAX_BEST {
            let remedy =
                format!("fewer than {MAX_BEST} fit into one result: request fewer of each, or fewer windows at a time");
            return Err(InputError::one("windows, best cells in all", cells, remedy).into());
        }
        match &self.values {
            Values::Cpu(kept) => {
                let best = |window: &Window| best_on_cpu(&**kept, window, wanted);
                Ok(Deferred::ready(windows.par_iter().map(best).collect()))
            }
            Values::Device(device, kept, _) => gpu::best_in(device, kept, windows, wanted),
        }
    }

    /// Like [`DynamicField::sample`], but the result stays on the device that computes it.
    ///
    /// # Errors
    /// As for [`DynamicField::sample`]; failures of the device may surface only in [`Deferred::wait`].
    pub fn sample_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Deferred<Vec<f32>>, Error> {
        let points = finite_points(points)?;
        match &self.values {
            Values::Cpu(kept) => {
                Ok(Deferred::ready(points.iter().filter_map(|&point| kept.field().sample(point)).collect()))
            }
            Values::Device(device, kept, _) => gpu::sample(device, kept, &points),
        }
    }

    /// Like [`DynamicField::gradients`], but the result stays on the device that computes it.
    ///
    /// # Errors
    /// As for [`DynamicField::sample`]; failures of the device may surface only in [`Deferred::wait`].
    pub fn gradients_later(&self, points: &[[impl Into<f64> + Copy; 2]]) -> Result<Deferred<Vec<[f32; 2]>>, Error> {
        let points = finite_points(points)?;
        match &self.values {
            Values::Cpu(kept) => {
                Ok(Deferred::ready(points.iter().filter_map(|&point| kept.field().gradient(point)).collect()))
            }
            Values::Device(device, kept, _) => gpu::gradients(device, kept, &points),
        }
    }

    /// Like [`DynamicField::read`], but asynchronous: the field is copied while the device continues, and later updates
    /// do not affect the result.
    ///
    /// # Errors
    /// When the device has failed.
    pub fn read_later(&self) -> Result<Deferred<Field>, Error> {
        match &self.values {
            Values::Cpu(kept) => Ok(Deferred::ready(kept.field().clone())),
            Values::Device(device, kept, _) => {
                let mut field = gpu::read_later(device, kept);
                // The copy must start now, because the next update writes to the same memory.
                field.begin()?;
                Ok(field)
            }
        }
    }
}

/// The best cells of a window; ties keep the order of cells.
fn best_on_cpu(kept: &dyn IncrementalField, window: &Window, wanted: usize) -> Vec<Best> {
    let field = kept.field();
    let Some(cells) = window.cells_on(field.grid()) else { return Vec::new() };
    if let Some(layers) = window.layers() {
        return best_of(cells, kept.values_of(cells, layers).into_iter(), wanted);
    }
    let row = |row: u32| {
        let start = field.grid().index(0, row);
        field.values()[start..][cells.columns.0 as usize..cells.columns.1 as usize].iter().copied()
    };
    best_of(cells, (cells.rows.0..cells.rows.1).flat_map(row), wanted)
}

/// Converts the points of a query, and checks that their coordinates are finite.
fn finite_points(points: &[[impl Into<f64> + Copy; 2]]) -> Result<Vec<[f64; 2]>, InputError> {
    if points.len() >= MAX_POINTS {
        let remedy = format!("at most {} fit into one query", MAX_POINTS - 1);
        return Err(InputError::one("points, number", points.len(), remedy));
    }
    let points: Vec<[f64; 2]> = points.iter().map(|point| point.map(Into::into)).collect();
    for (i, [x, y]) in points.iter().enumerate().filter(|(_, point)| !point.iter().all(|at| at.is_finite())) {
        finite(&format!("point {i}, x"), *x)?;
        finite(&format!("point {i}, y"), *y)?;
    }
    Ok(points)
}
