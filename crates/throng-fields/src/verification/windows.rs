//! Windows around agents. Devices only.

use throng_core::Finding;
use throng_device::{AnyDevice, with_device};

use crate::creation;
use crate::entities::Entity;
use crate::gpu::{DeviceEntities, GpuError, Windows};
use crate::grid::Grid;
use crate::profile::Profile;

pub(super) fn best_cells_of_windows(device: &AnyDevice) -> Result<Finding, GpuError> {
    let at = |i: u32| [(i * 367 % 1009) as f32 * 0.1, (i * 593 % 1009) as f32 * 0.1];
    let profile = Profile::linear(9.0)?;
    let entities: Vec<Entity> =
        (0..200).map(|i| Entity::new(at(i), profile.clone()).with_charge(0.5 + (i % 5) as f32)).collect();
    let window = |i: u32| Grid::new([at(7 * i)[0] - 16.0, at(7 * i)[1] - 16.0], 0.5, 64, 64);
    let windows: Vec<Grid> = (0..20).map(window).collect::<Result<_, _>>()?;
    let found = with_device!(device, |device| {
        let there = DeviceEntities::in_world(device, &entities)?;
        Windows::new(device, &windows)?.best(device, &there, 1)
    })?;
    let mut differ = 0;
    for (window, found) in windows.iter().zip(found) {
        let best = creation::by_tiles(window, &entities)?.best(None)?;
        // Another cell may be chosen where two are equal but for rounding.
        let same = best.zip(found.first()).is_some_and(|(best, found)| (best.value - found.value).abs() < 1e-4);
        differ += usize::from(!same);
    }
    Ok(Finding::no_difference("windows", differ))
}
