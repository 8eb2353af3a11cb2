//! Ways of creation that are off by no more than they say. CPU only.

use throng_core::Finding;

use crate::creation::{by_convolution, by_separable, by_tiles, convolution, separable};
use crate::entities::Entity;
use crate::error::FieldError;
use crate::gpu::GpuError;
use crate::grid::Grid;
use crate::profile::Profile;

pub(super) fn convolution_keeps_its_bound() -> Result<Finding, GpuError> {
    let (grid, entities) = (grid()?, spread(&Profile::linear(20.0)?));
    let off = by_tiles(&grid, &entities)?.largest_difference(&by_convolution(&grid, &entities)?)?;
    Ok(Finding::at_most(f64::from(convolution::error_bound(&grid, &entities)?), f64::from(off)))
}

pub(super) fn two_passes_keep_their_bound() -> Result<Finding, GpuError> {
    let (grid, entities) = (grid()?, spread(&Profile::gaussian(6.0, 20.0)?));
    let off = by_tiles(&grid, &entities)?.largest_difference(&by_separable(&grid, &entities)?)?;
    Ok(Finding::at_most(f64::from(separable::error_bound(&grid, &entities)?), f64::from(off)))
}

fn grid() -> Result<Grid, FieldError> {
    Grid::new([0.0, 0.0], 1.0, 256, 192)
}

/// Entities at places that are no points of the grid.
fn spread(profile: &Profile) -> Vec<Entity> {
    let at = |i: u32| [(i * 367 % 1009) as f32 * 0.25, (i * 593 % 1013) as f32 * 0.1875];
    (0..100).map(|i| Entity::new(at(i), profile.clone()).with_charge(1.0 - (i % 3) as f32)).collect()
}
