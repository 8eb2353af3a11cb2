//! The file of trajectories.

use throng_model::Failure;
use throng_output::{RunFolder, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WalkableArea};

use super::rules::LEFT;
use super::scenario::Scenario;
use super::walkers::Walkers;

/// The name of the file.
pub const TRAJECTORIES: &str = "trajectories.sqlite";

/// Creates the file, if requested, with the frames of the table of measures. A step counts as a second.
///
/// # Errors
/// When the file cannot be created.
pub fn begin(scenario: &Scenario, folder: &RunFolder) -> Result<Option<TrajectoryFile>, Failure> {
    if !scenario.trajectories || scenario.frame_every == 0 {
        return Ok(None);
    }
    let info = TrajectoryInfo {
        frames_per_second: 1.0 / f64::from(scenario.frame_every),
        walkable_area: WalkableArea::rectangle([0.0; 2], [scenario.width_m, scenario.height_m]),
    };
    Ok(Some(TrajectoryFile::create(folder, TRAJECTORIES, &info)?))
}

/// Writes all discs as a frame.
///
/// # Errors
/// When the file cannot be written.
pub fn write_frame(file: &mut TrajectoryFile, number: u64, walkers: &Walkers) -> Result<(), Failure> {
    let [xs, ys, directions, _] = &walkers.columns;
    let discs = xs.iter().zip(ys).zip(directions).zip(0..);
    let discs = discs.map(|(((&x, &y), &direction), id)| TrajectoryPoint {
        id,
        position: [x, y].map(|at| walkers.prepared.lattice.metres(at)),
        orientation: [if direction == LEFT { -1.0 } else { 1.0 }, 0.0],
    });
    Ok(file.frame(number, discs)?)
}
