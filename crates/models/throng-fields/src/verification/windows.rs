//! Cases about windows around agents. These run only on devices.

use throng_core::Finding;
use throng_device::Error;
use throng_fields_core::creation;
use throng_fields_core::entities::Entity;
use throng_fields_core::profile::Profile;
use throng_pictures::Grid;

use super::executor::CaseExecutor;

pub(super) fn best_cells_of_windows(on: &dyn CaseExecutor) -> Result<Finding, Error> {
    let at = |i: u32| [(i * 367 % 1009) as f32 * 0.1, (i * 593 % 1009) as f32 * 0.1];
    let profile = Profile::linear(9.0)?;
    let entities: Vec<Entity> =
        (0..200).map(|i| Entity::new(at(i), profile.clone()).with_charge(0.5 + (i % 5) as f32)).collect();
    let window = |i: u32| Grid::new([at(7 * i)[0] - 16.0, at(7 * i)[1] - 16.0], 0.5, 64, 64);
    let windows: Vec<Grid> = (0..20).map(window).collect::<Result<_, _>>()?;
    let found = on.best(&windows, &entities)?;
    let mut differ = windows.len().abs_diff(found.len());
    for (window, found) in windows.iter().zip(found) {
        let field = creation::every_pair(window, &entities)?;
        let highest = field.values().iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Another cell may be chosen if the two are equal up to rounding.
        let same = found.is_some_and(|found| {
            let field_value = field.at(found.column, found.row).unwrap_or(f32::NAN);
            (field_value - highest).abs() < 1e-4 && (found.value - field_value).abs() < 1e-4
        });
        differ += usize::from(!same);
    }
    Ok(Finding::no_difference("windows", differ))
}
