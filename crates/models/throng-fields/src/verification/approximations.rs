//! Creation methods with a bounded error.

use throng_core::Finding;

use super::executor::Executor;
use crate::entities::Entity;
use crate::error::FieldError;
use crate::gpu::GpuError;
use crate::grid::Grid;
use crate::profile::Profile;

/// The largest distance of a point from the nearest sampled point, in cells.
const HALF_DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Charges are 1 and 2 in turn.
const LARGEST: f64 = 2.0;

pub(super) fn convolution_keeps_its_bound(on: &dyn Executor) -> Result<Finding, GpuError> {
    let (grid, entities) = apart(&Profile::linear(20.0)?)?;
    let off = farthest_off(&on.by_convolution(&grid, &entities)?, |square| (1.0 - square.sqrt() / 20.0).max(0.0));
    // The error of linear interpolation with a slope of 1 / 20.
    Ok(Finding::at_most(LARGEST * HALF_DIAGONAL / 20.0, off))
}

pub(super) fn two_passes_keep_their_bound(on: &dyn Executor) -> Result<Finding, GpuError> {
    let (grid, entities) = apart(&Profile::gaussian(6.0, 20.0)?)?;
    let bell = |square: f64| if square < 400.0 { libm::exp(-square / 72.0) } else { 0.0 };
    let off = farthest_off(&on.in_two_passes(&grid, &entities)?, bell);
    // In the corners of the square the bell continues; elsewhere the error of linear interpolation is at most s^2 / 2
    // times a curvature of 1 / sigma^2.
    let corners = libm::exp(-400.0 / 72.0);
    Ok(Finding::at_most(LARGEST * (corners + HALF_DIAGONAL * HALF_DIAGONAL / 2.0 / 36.0), off))
}

const APART: u32 = 64;

/// Twelve entities so far apart that at most one reaches each cell, at positions off the points of the grid.
fn apart(profile: &Profile) -> Result<(Grid, Vec<Entity>), FieldError> {
    let entity = |i: u32| Entity::new(place(i), profile.clone()).with_charge(charge(i) as f32);
    Ok((Grid::new([0.0, 0.0], 1.0, 4 * APART, 3 * APART)?, (0..12).map(entity).collect()))
}

fn charge(i: u32) -> f64 {
    f64::from(1 + i % 2)
}

fn place(i: u32) -> [f32; 2] {
    let offset = |factor: u32| (i * factor % 16) as f32 / 16.0;
    [(i % 4 * APART + APART / 2) as f32 + offset(5), (i / 4 * APART + APART / 2) as f32 + offset(7)]
}

/// The largest difference of a field from the formula, which takes the square of a distance.
fn farthest_off(field: &crate::Field, formula: impl Fn(f64) -> f64) -> f64 {
    let off = |(cell, &found): (u32, &f32)| {
        let [column, row] = [cell % (4 * APART), cell / (4 * APART)];
        let nearest = row / APART * 4 + column / APART;
        let [at_x, at_y] = place(nearest).map(f64::from);
        let [x, y] = [f64::from(column) + 0.5 - at_x, f64::from(row) + 0.5 - at_y];
        (f64::from(found) - charge(nearest) * formula(x * x + y * y)).abs()
    };
    (0..).zip(field.values()).map(off).fold(0.0, f64::max)
}
