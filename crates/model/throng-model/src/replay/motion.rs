//! Interpolates pedestrians and discs between the frames of trajectory files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use throng_core::InputError;
use throng_output::{StoredTrajectories, TrajectoryPoint};

/// An agent at a point in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InterpolatedAgent {
    /// Id in the file.
    pub id: u64,
    /// Position, m.
    pub position: [f64; 2],
    /// Viewing direction: a vector of length 1.
    pub orientation: [f64; 2],
    /// Distance to the position in the next frame, m; in the last frame, distance from the position in the previous
    /// frame. `None` if the agent is missing in the other frame.
    pub displacement_m: Option<f64>,
}

/// A stored motion.
#[derive(Debug)]
pub struct Motion {
    /// One file per part of the floor, with equal frame rates; an agent is in at most one of them per frame.
    files: Vec<StoredTrajectories>,
    frames: Vec<u64>,
    frames_per_second: f64,
    /// Side lengths of a periodic world, m.
    periodic_m: Option<[f64; 2]>,
}

impl Motion {
    /// Opens the files of a run; `periodic_m` are the side lengths of the world if it is periodic.
    ///
    /// # Errors
    /// When a file cannot be read, or there are no frames.
    pub fn open(paths: &[PathBuf], periodic_m: Option<[f64; 2]>) -> Result<Self, InputError> {
        let files = paths.iter().map(|path| StoredTrajectories::open(path)).collect::<Result<Vec<_>, _>>()?;
        let frames: BTreeSet<u64> = files.iter().flat_map(StoredTrajectories::frames).copied().collect();
        let Some(first) = files.first().filter(|_| !frames.is_empty()) else {
            let place = paths.first().map_or_else(String::new, |path| path.display().to_string());
            return Err(InputError::one(place, "has no frames", "repeat the run"));
        };
        let frames_per_second = first.frames_per_second();
        Ok(Self { files, frames: frames.into_iter().collect(), frames_per_second, periodic_m })
    }

    /// Returns all agents in a frame, ordered by id.
    fn frame(&self, number: u64) -> Result<Vec<TrajectoryPoint>, InputError> {
        let frames = self.files.iter().map(|file| file.frame(number)).collect::<Result<Vec<_>, _>>()?;
        let mut everyone = frames.concat();
        everyone.sort_by_key(|agent| agent.id);
        Ok(everyone)
    }

    /// Returns the first and the last time, and the time between frames, s.
    pub fn times(&self) -> [f64; 3] {
        let interval_s = self.interval_s();
        let time = |frame: Option<&u64>| frame.map_or(0.0, |&frame| rounded(frame as f64 * interval_s));
        [time(self.frames.first()), time(self.frames.last()), interval_s]
    }

    fn interval_s(&self) -> f64 {
        // The stored rate is rounded.
        rounded(1.0 / self.frames_per_second)
    }

    /// Returns all agents at a time: the agents of the last frame up to it, moved linearly towards their positions in
    /// the next frame. Agents missing in the next frame stay at their position. For times before the first or after the
    /// last frame, returns the agents of that frame.
    ///
    /// # Errors
    /// When a file can no longer be read.
    pub fn at(&self, time_s: f64) -> Result<Vec<InterpolatedAgent>, InputError> {
        let frames = &self.frames;
        let (at, begun) = self.begun(time_s);
        let this = begun - 1;
        let (other, fraction) = if begun < frames.len() {
            let length = (frames[begun] - frames[this]) as f64;
            (begun, ((at - frames[this] as f64) / length).max(0.0))
        } else {
            (this.saturating_sub(1), 0.0)
        };
        let agents = self.frame(frames[this])?;
        // A file with one frame contains no motion.
        let others = if other == this { Vec::new() } else { self.frame(frames[other])? };
        Ok(agents.iter().map(|agent| self.moving(agent, &others, fraction)).collect())
    }

    /// Returns the sizes of agents at a time, those of the last frame up to it, ordered by id: the lengths along x and
    /// y, m. Empty for agents of constant size.
    ///
    /// # Errors
    /// When a file can no longer be read.
    pub fn sizes(&self, time_s: f64) -> Result<Vec<(u64, [f64; 2])>, InputError> {
        let frame = self.frames[self.begun(time_s).1 - 1];
        let sizes = self.files.iter().map(|file| file.sizes(frame)).collect::<Result<Vec<_>, _>>()?;
        let mut sizes = sizes.concat();
        sizes.sort_by_key(|&(id, _)| id);
        Ok(sizes)
    }

    /// Returns a time in frames, and the number of frames up to it, at least 1.
    fn begun(&self, time_s: f64) -> (f64, usize) {
        // Treats a time as the time of a frame if it differs only by rounding.
        let at = rounded(time_s / self.interval_s());
        (at, self.frames.partition_point(|&frame| frame as f64 <= at).max(1))
    }

    /// Moves an agent by `fraction` of the way towards its position in `others`, which is ordered by id.
    fn moving(&self, agent: &TrajectoryPoint, others: &[TrajectoryPoint], fraction: f64) -> InterpolatedAgent {
        let TrajectoryPoint { id, position, orientation } = *agent;
        let Ok(found) = others.binary_search_by_key(&id, |other| other.id) else {
            return InterpolatedAgent { id, position, orientation, displacement_m: None };
        };
        let to = others[found].position;
        let way: [f64; 2] = std::array::from_fn(|axis| self.shortest(axis, to[axis] - position[axis]));
        // An agent that crosses a border of a periodic world changes sides halfway.
        let between = |axis: usize| {
            if fraction < 0.5 { position[axis] + fraction * way[axis] } else { to[axis] - (1.0 - fraction) * way[axis] }
        };
        let position = if fraction > 0.0 { [between(0), between(1)] } else { position };
        InterpolatedAgent { id, position, orientation, displacement_m: Some(libm::hypot(way[0], way[1])) }
    }

    /// In a periodic world, returns the shorter of the displacements in both directions.
    fn shortest(&self, axis: usize, way: f64) -> f64 {
        let side = self.periodic_m.map_or(f64::INFINITY, |sides| sides[axis]);
        if way > side / 2.0 {
            way - side
        } else if way < -side / 2.0 {
            way + side
        } else {
            way
        }
    }
}

/// Rounds to nine decimals.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use throng_output::{IfNotEmpty, RunFolder, TrajectoryFile, TrajectoryInfo, WalkableArea};

    use super::*;

    /// Creates frames at 0, 1.5 and 4.5 s: agent 4 walks east; agent 5 appears in the second frame and crosses the
    /// western border of a world of 10 m; agent 6 is only in the first frame.
    fn motion(dir: &Path, periodic_m: Option<[f64; 2]>) -> Motion {
        let folder = RunFolder::create(dir, IfNotEmpty::Overwrite, "").unwrap();
        let walkable_area = WalkableArea::rectangle([0.0; 2], [10.0, 4.0]);
        let info = TrajectoryInfo { frames_per_second: 1.0 / 1.5, walkable_area };
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info).unwrap();
        let point = |id: u64, x: f64| TrajectoryPoint { id, position: [x, 2.0], orientation: [1.0, 0.0] };
        file.frame(0, [point(4, 1.0), point(6, 7.0)]).unwrap();
        file.frame(1, [point(4, 2.0), point(5, 0.5)]).unwrap();
        file.frame(3, [point(4, 4.0), point(5, 9.5)]).unwrap();
        file.sizes([(5, [0.4, 0.8])]).unwrap();
        file.finish().unwrap();
        Motion::open(&[dir.join("t.sqlite")], periodic_m).unwrap()
    }

    fn places(motion: &Motion, time_s: f64) -> Vec<(u64, f64, Option<f64>)> {
        motion.at(time_s).unwrap().iter().map(|moving| (moving.id, moving.position[0], moving.displacement_m)).collect()
    }

    #[test]
    fn positions_between_frames_are_interpolated_linearly() {
        let dir = tempfile::tempdir().unwrap();
        let motion = motion(dir.path(), Some([10.0, 4.0]));
        assert_eq!(motion.times(), [0.0, 4.5, 1.5]);
        let first = vec![(4, 1.0, Some(1.0)), (6, 7.0, None)];
        assert_eq!(places(&motion, -7.0), first);
        assert_eq!(places(&motion, 0.0), first);
        assert_eq!(places(&motion, 0.75), [(4, 1.5, Some(1.0)), (6, 7.0, None)]);
        assert_eq!(places(&motion, 1.5), [(4, 2.0, Some(2.0)), (5, 0.5, Some(1.0))]);
        // A quarter and three quarters of the way to the next frame, across the border.
        assert_eq!(places(&motion, 2.25), [(4, 2.5, Some(2.0)), (5, 0.25, Some(1.0))]);
        assert_eq!(places(&motion, 3.75), [(4, 3.5, Some(2.0)), (5, 9.75, Some(1.0))]);
        let last = vec![(4, 4.0, Some(2.0)), (5, 9.5, Some(1.0))];
        assert_eq!(places(&motion, 4.5), last);
        assert_eq!(places(&motion, 1e9), last);
        assert_eq!(places(&motion, f64::NAN).len(), 2);
    }

    #[test]
    fn sizes_are_those_of_the_last_frame() {
        let dir = tempfile::tempdir().unwrap();
        let motion = motion(dir.path(), None);
        assert_eq!([4.4, 4.5, 1e9].map(|time_s| motion.sizes(time_s).unwrap().len()), [0, 1, 1]);
        assert_eq!(motion.sizes(5.0), Ok(vec![(5, [0.4, 0.8])]));
    }

    #[test]
    fn positions_in_closed_worlds_do_not_wrap_around() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(places(&motion(dir.path(), None), 3.0)[1], (5, 5.0, Some(9.0)));
    }
}
