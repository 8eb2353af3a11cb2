//! Reads trajectory files.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Row;
use rusqlite::types::Type;
use throng_core::{InputError, open_input, unreadable_input};

use super::TrajectoryPoint;
use super::database::Database;

/// Remedy for an unreadable file.
const REMEDY: &str = "repeat the run that wrote it, or copy it again";

/// Frame rates for which times are finite and distinguishable: from one frame in about thirty years to one per
/// nanosecond.
const FRAME_RATES: RangeInclusive<f64> = 1e-9..=1e9;

/// A trajectory file written by [`TrajectoryFile`](super::TrajectoryFile). Frames are read on demand, so memory does
/// not grow with the file.
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
    /// In a mutex, because a connection can be used by only one thread at a time.
    database: Mutex<Database>,
    frames_per_second: f64,
    frames: Vec<u64>,
    has_sizes: bool,
}

impl StoredTrajectories {
    /// Opens a file and reads the list of its frames.
    ///
    /// # Errors
    /// When there is no such file, when it has another format, or when its frame rate is missing or invalid.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let failed = |error: String| unreadable(path, &error);
        let bytes =
            open_input(path).and_then(|file| file.metadata()).map_err(|error| unreadable_input(path, &error))?;
        let database = Database::open(path, bytes.len()).map_err(failed)?;
        let rate = database.query("SELECT value FROM metadata WHERE key = 'fps'", None, |row| row.get(0));
        let rate: String = rate.map_err(failed)?.into_iter().next().unwrap_or_default();
        let frames_per_second = rate.parse().ok().filter(|rate| FRAME_RATES.contains(rate));
        let Some(frames_per_second) = frames_per_second else {
            let message = format!("its frame rate, fps, is \"{rate}\"");
            return Err(InputError::one(path.display().to_string(), message, REMEDY));
        };
        let frames = "SELECT frame FROM frame_data WHERE frame >= 0 ORDER BY frame";
        let frames = database.query(frames, None, |row| row.get::<_, i64>(0).map(i64::unsigned_abs)).map_err(failed)?;
        let has_sizes = database.has_sizes().map_err(failed)?;
        Ok(Self { path: path.to_owned(), database: Mutex::new(database), frames_per_second, frames, has_sizes })
    }

    /// Returns the number of frames per second of simulated time.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// Returns all frame numbers, ascending.
    pub fn frames(&self) -> &[u64] {
        &self.frames
    }

    /// Returns the agents in a frame, ordered by id; empty if the frame does not exist.
    ///
    /// # Errors
    /// When the file can no longer be read, or contains a value that is not a finite number.
    pub fn frame(&self, number: u64) -> Result<Vec<TrajectoryPoint>, InputError> {
        // A poisoned lock is harmless: all statements only read.
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let agents = "SELECT id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data WHERE frame = ? ORDER BY id";
        let found = database.query(agents, Some(number), |row| {
            Ok(TrajectoryPoint {
                id: row.get::<_, i64>(0)?.unsigned_abs(),
                position: [finite(row, 1)?, finite(row, 2)?],
                orientation: [finite(row, 3)?, finite(row, 4)?],
            })
        });
        found.map_err(|error| unreadable(&self.path, &error))
    }

    /// Returns the sizes of agents in a frame, the lengths along x and y in metres, ordered by id; empty if the file
    /// has none.
    ///
    /// # Errors
    /// As for [`frame`](Self::frame).
    pub fn sizes(&self, number: u64) -> Result<Vec<(u64, [f64; 2])>, InputError> {
        if !self.has_sizes {
            return Ok(Vec::new());
        }
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let sizes = "SELECT id, size_x, size_y FROM size_data WHERE frame = ? ORDER BY id";
        let found = database.query(sizes, Some(number), |row| {
            Ok((row.get::<_, i64>(0)?.unsigned_abs(), [finite(row, 1)?, finite(row, 2)?]))
        });
        found.map_err(|error| unreadable(&self.path, &error))
    }
}

/// Returns a finite number from a column of a row.
fn finite(row: &Row<'_>, column: usize) -> rusqlite::Result<f64> {
    let value: f64 = row.get(column)?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(rusqlite::Error::FromSqlConversionFailure(column, Type::Real, format!("{value} is not finite").into()))
}

fn unreadable(path: &Path, error: &str) -> InputError {
    InputError::one(path.display().to_string(), format!("is not a trajectory file: {error}"), REMEDY)
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
    fn trajectories_are_read_back_unchanged() {
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
    fn sizes_are_read_back_and_may_be_missing() {
        let dir = tempfile::tempdir().unwrap();
        let path = write(dir.path());
        assert_eq!(StoredTrajectories::open(&path).unwrap().sizes(0), Ok(vec![]));
        let folder = RunFolder::create(&dir.path().join("sizes"), IfNotEmpty::Refuse, "").unwrap();
        let info =
            TrajectoryInfo { frames_per_second: 1.0, walkable_area: WalkableArea::rectangle([0.0; 2], [9.0; 2]) };
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info).unwrap();
        let point = |id: u64| TrajectoryPoint { id, position: [1.0; 2], orientation: [0.0, -1.0] };
        file.frame(0, [point(7), point(3)]).unwrap();
        file.sizes([(7, [0.4, 0.8]), (3, [0.4, 1.2])]).unwrap();
        file.frame(1, []).unwrap();
        file.finish().unwrap();
        let path = folder.path().join("t.sqlite");
        let stored = StoredTrajectories::open(&path).unwrap();
        assert_eq!((stored.sizes(0), stored.sizes(1)), (Ok(vec![(3, [0.4, 1.2]), (7, [0.4, 0.8])]), Ok(vec![])));
        for by in [
            "UPDATE size_data SET size_x = 'wide'",
            "ALTER TABLE size_data RENAME TO hidden; CREATE VIEW size_data AS SELECT * FROM hidden",
        ] {
            rusqlite::Connection::open(&path).unwrap().execute_batch(by).unwrap();
            let error = StoredTrajectories::open(&path).and_then(|stored| stored.sizes(0)).unwrap_err().to_string();
            assert!(error.contains("t.sqlite: is not a trajectory file: "), "{by}: {error}");
        }
    }

    fn refusal(path: &Path) -> String {
        let opened = StoredTrajectories::open(path).and_then(|stored| stored.frame(0));
        opened.expect_err("it is read").to_string()
    }

    /// Returns the error of opening a file after changing it with an SQL statement.
    fn changed(by: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = write(dir.path());
        rusqlite::Connection::open(&path).unwrap().execute_batch(by).unwrap();
        refusal(&path)
    }

    #[test]
    fn other_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("other.sqlite");
        assert!(refusal(&path).contains("other.sqlite: cannot be read: No such file"), "{}", refusal(&path));
        fs::write(&path, "no database").unwrap();
        assert!(refusal(&path).contains("other.sqlite: is not a trajectory file: "), "{}", refusal(&path));
        assert!(refusal(&path).contains("\n    repeat the run that wrote it"), "{}", refusal(&path));
        assert!(refusal(Path::new("/dev/zero")).contains("it is a device, not a file"));
    }

    #[test]
    fn invalid_numbers_are_refused() {
        for rate in ["fast", "0", "-1", "1e-308", "1e300", "NaN", "inf", ""] {
            let error = changed(&format!("UPDATE metadata SET value = '{rate}' WHERE key = 'fps'"));
            assert!(error.contains(&format!("its frame rate, fps, is \"{rate}\"")), "{error}");
        }
        for (by, part) in [
            ("DELETE FROM metadata", "fps, is \"\""),
            ("UPDATE trajectory_data SET pos_x = 'here'", "is not a trajectory file: "),
            ("UPDATE trajectory_data SET ori_y = -9e999", "-inf is not finite"),
            ("UPDATE metadata SET value = printf('%.*c', 2000000, 'x')", "is not a trajectory file: "),
        ] {
            let error = changed(by);
            assert!(error.contains(part), "{by}: {error}");
        }
    }

    #[test]
    fn views_and_computed_tables_are_refused() {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i AS frame, 0 FROM n";
        for (by, part) in [
            (format!("DROP TABLE frame_data; CREATE VIEW frame_data AS {endless}"), "frame_data is not a plain table"),
            (
                "ALTER TABLE trajectory_data RENAME TO hidden; CREATE VIEW trajectory_data AS SELECT * FROM hidden"
                    .to_owned(),
                "trajectory_data is not a plain table",
            ),
            (
                "DROP TABLE metadata; CREATE TABLE metadata (key, value AS (hex(zeroblob(900000000))))".to_owned(),
                "metadata is not a plain table",
            ),
            (
                "DROP TABLE frame_data; CREATE VIRTUAL TABLE frame_data USING fts5(frame)".to_owned(),
                "frame_data is not a plain table",
            ),
            ("DROP TABLE frame_data".to_owned(), "frame_data is not a plain table"),
        ] {
            let error = changed(&by);
            assert!(error.contains(part), "{by}: {error}");
        }
    }
}
