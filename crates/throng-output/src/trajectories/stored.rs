//! Reading files of trajectories.

use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags, params};
use throng_core::InputError;

use super::TrajectoryPoint;

/// What to do about a file that cannot be read.
const REMEDY: &str = "repeat the run that wrote it, or copy it again";

/// A file of trajectories, as [`TrajectoryFile`](super::TrajectoryFile) writes it. Frames are read when they are asked for:
/// memory does not grow with the file.
///
/// ```
/// use throng_output::{
///     IfNotEmpty, RunFolder, StoredTrajectories, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WalkableArea,
/// };
/// # let dir = tempfile::tempdir().unwrap();
/// # let out = dir.path();
/// let folder = RunFolder::create(out, IfNotEmpty::Refuse, "--overwrite")?;
/// let info =
///     TrajectoryInfo { frames_per_second: 2.0, walkable_area: WalkableArea::rectangle([0.0, 0.0], [40.0, 2.0]) };
/// let mut file = TrajectoryFile::create(&folder, "trajectories.sqlite", &info)?;
/// let person = TrajectoryPoint { id: 7, position: [3.5, 1.0], orientation: [1.0, 0.0] };
/// file.frame(0, [])?;
/// file.frame(1, [person])?;
/// file.finish()?;
/// folder.finish();
///
/// let stored = StoredTrajectories::open(&out.join("trajectories.sqlite"))?;
/// assert_eq!((stored.frames(), stored.frames_per_second()), (&[0, 1][..], 2.0));
/// assert_eq!(stored.frame(1)?, [person]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StoredTrajectories {
    path: PathBuf,
    /// A connection is for one thread at a time.
    database: Mutex<Connection>,
    frames_per_second: f64,
    frames: Vec<u64>,
}

impl StoredTrajectories {
    /// Opens a file and reads which frames it has.
    ///
    /// # Errors
    /// No such file, one of another kind, or one without a rate of frames.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let failed = |error| unreadable(path, &error);
        // A relative name that begins with `file:` would be read as a URI.
        let full = absolute(path).unwrap_or_else(|_| path.to_owned());
        let database = Connection::open_with_flags(full, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
        let rate = "SELECT value FROM metadata WHERE key = 'fps'";
        let rate: String = database.query_row(rate, [], |row| row.get(0)).map_err(failed)?;
        let frames_per_second = rate.parse().ok().filter(|rate: &f64| *rate > 0.0 && rate.is_finite());
        let Some(frames_per_second) = frames_per_second else {
            let message = format!("its rate of frames, fps, is \"{rate}\"");
            return Err(InputError::one(path.display().to_string(), message, REMEDY));
        };
        let frames = frames_of(&database).map_err(failed)?;
        Ok(Self { path: path.to_owned(), database: Mutex::new(database), frames_per_second, frames })
    }

    /// Frames in a second of simulated time.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// The numbers of all frames, ascending.
    pub fn frames(&self) -> &[u64] {
        &self.frames
    }

    /// The agents in a frame, in the order of their ids; none in a frame that is not there.
    ///
    /// # Errors
    /// When the file can no longer be read, or has a value that is not a number.
    pub fn frame(&self, number: u64) -> Result<Vec<TrajectoryPoint>, InputError> {
        // Another thread that failed has left nothing half done: all statements only read.
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        agents_of(&database, number).map_err(|error| unreadable(&self.path, &error))
    }
}

fn frames_of(database: &Connection) -> rusqlite::Result<Vec<u64>> {
    let mut rows = database.prepare("SELECT frame FROM frame_data WHERE frame >= 0 ORDER BY frame")?;
    rows.query_map([], |row| row.get::<_, i64>(0).map(i64::unsigned_abs))?.collect()
}

fn agents_of(database: &Connection, frame: u64) -> rusqlite::Result<Vec<TrajectoryPoint>> {
    let agents = "SELECT id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data WHERE frame = ? ORDER BY id";
    let mut rows = database.prepare(agents)?;
    let agent = |row: &rusqlite::Row<'_>| {
        Ok(TrajectoryPoint {
            id: row.get::<_, i64>(0)?.unsigned_abs(),
            position: [row.get(1)?, row.get(2)?],
            orientation: [row.get(3)?, row.get(4)?],
        })
    };
    rows.query_map(params![frame as i64], agent)?.collect()
}

fn unreadable(path: &Path, error: &rusqlite::Error) -> InputError {
    InputError::one(path.display().to_string(), format!("is no file of trajectories: {error}"), REMEDY)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{IfNotEmpty, RunFolder, TrajectoryFile, TrajectoryInfo, WalkableArea};

    fn write(dir: &Path) -> PathBuf {
        let folder = RunFolder::create(dir, IfNotEmpty::Overwrite, "").unwrap();
        let walkable_area = WalkableArea::rectangle([0.0; 2], [9.0; 2]);
        let info = TrajectoryInfo { frames_per_second: 12.5, walkable_area };
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info).unwrap();
        let point = |id: u64, x: f64| TrajectoryPoint { id, position: [x, 0.1], orientation: [0.0, -1.0] };
        file.frame(0, [point(7, 0.1), point(3, 0.3)]).unwrap();
        file.frame(4, []).unwrap();
        file.frame(5, [point(7, 1.0 / 3.0)]).unwrap();
        file.finish().unwrap();
        dir.join("t.sqlite")
    }

    #[test]
    fn what_was_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let stored = StoredTrajectories::open(&write(dir.path())).unwrap();
        assert_eq!((stored.frames(), stored.frames_per_second()), (&[0, 4, 5][..], 12.5));
        let places = |frame: u64| -> Vec<(u64, f64)> {
            stored.frame(frame).unwrap().iter().map(|agent| (agent.id, agent.position[0])).collect()
        };
        assert_eq!(places(0), [(3, 0.3), (7, 0.1)], "in the order of ids");
        assert_eq!((places(4), places(99)), (vec![], vec![]));
        assert_eq!(places(5), [(7, 1.0 / 3.0)]);
    }

    #[test]
    fn other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("other.sqlite");
        let refused = || StoredTrajectories::open(&path).unwrap_err().to_string();
        assert!(refused().contains("other.sqlite: is no file of trajectories: "), "{}", refused());
        fs::write(&path, "no database").unwrap();
        assert!(refused().contains("\n    repeat the run that wrote it"), "{}", refused());
        let whole = write(dir.path());
        let database = Connection::open(&whole).unwrap();
        database.execute_batch("UPDATE metadata SET value = 'fast' WHERE key = 'fps'").unwrap();
        let error = StoredTrajectories::open(&whole).unwrap_err().to_string();
        assert!(error.contains("its rate of frames, fps, is \"fast\""), "{error}");
        database.execute_batch("UPDATE metadata SET value = '2' WHERE key = 'fps'").unwrap();
        let stored = StoredTrajectories::open(&whole).unwrap();
        database.execute_batch("UPDATE trajectory_data SET pos_x = 'here'").unwrap();
        assert!(stored.frame(0).unwrap_err().to_string().contains("is no file of trajectories"));
    }
}
