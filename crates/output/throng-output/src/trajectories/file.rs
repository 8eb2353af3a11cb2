//! Writes trajectory files.

use std::path::{Path, absolute};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, params};
use throng_core::StateHash;

use super::WalkableArea;
use crate::{OutputError, PendingFile, RunFolder, WrittenFile};

/// Tables of JuPedSim's format.
const TABLES: &str = "
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL, id INTEGER NOT NULL,
        pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
    CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    CREATE INDEX frame_id_idx ON trajectory_data (frame, id);";
/// Table of sizes. Readers of JuPedSim's format skip it.
const SIZE_TABLE: &str = "
    CREATE TABLE size_data (
        frame INTEGER NOT NULL, id INTEGER NOT NULL, size_x REAL NOT NULL, size_y REAL NOT NULL);
    CREATE INDEX size_frame_id_idx ON size_data (frame, id);";
/// Version of JuPedSim's format.
const VERSION: &str = "2";

/// Nothing is ever rolled back, because an incomplete file is removed. So SQLite needs no journal, and need not flush
/// before the file is complete. Pages beyond the cache go to the file during the single transaction, which bounds the
/// memory. This requires locking the file from the beginning.
const SETTINGS: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
    BEGIN EXCLUSIVE;";

/// Metadata of a trajectory file.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryInfo {
    /// Frames per second of simulated time, positive and finite: frame `n` is the state after `n / frames_per_second`
    /// seconds.
    pub frames_per_second: f64,
    /// Area accessible to agents. PedPy opens only areas of one [part](WalkableArea::parts); write
    /// [one file per part](super::GridArea::connected_parts) otherwise.
    pub walkable_area: WalkableArea,
}

/// State of an agent in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrajectoryPoint {
    /// Agent id, the same in all frames; below 2^63.
    pub id: u64,
    /// Position, in metres. Models with agents on a lattice add a [`lattice_offset`](super::lattice_offset).
    pub position: [f64; 2],
    /// Viewing direction: a vector of length 1.
    pub orientation: [f64; 2],
}

/// Trajectories in the SQLite format of JuPedSim (version 2). PedPy opens the file with
/// `load_trajectory_from_jupedsim_sqlite` and `load_walkable_area_from_jupedsim_sqlite`.
///
/// Rows are written immediately, so memory does not grow with the file. A row takes about 65 bytes, including its index
/// entry. Equal frames give identical files.
///
/// ```
/// use throng_output::{IfNotEmpty, RunFolder, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WalkableArea};
/// # let dir = tempfile::tempdir().unwrap();
/// # let out = dir.path();
/// let folder = RunFolder::create(out, IfNotEmpty::Refuse, "--overwrite")?;
/// let info =
///     TrajectoryInfo { frames_per_second: 10.0, walkable_area: WalkableArea::rectangle([0.0, 0.0], [40.0, 2.0]) };
/// let mut file = TrajectoryFile::create(&folder, "trajectories.sqlite", &info)?;
/// for frame in 0..300 {
///     let x = 0.133 * frame as f64;
///     file.frame(frame, [TrajectoryPoint { id: 1, position: [x, 1.0], orientation: [1.0, 0.0] }])?;
/// }
/// assert_eq!(file.finish()?.name, "trajectories.sqlite");
/// folder.finish();
/// # Ok::<(), throng_output::OutputError>(())
/// ```
#[derive(Debug)]
pub struct TrajectoryFile {
    // Declared before the file, so that it is closed before the file is removed.
    database: Connection,
    file: PendingFile,
    geometry_hash: i64,
    last_frame: Option<u64>,
    has_sizes: bool,
    /// The first failure. It makes the file useless: without a journal, its content is then undefined.
    failure: Option<OutputError>,
}

impl TrajectoryFile {
    /// Creates the file `name`.
    ///
    /// # Errors
    /// When the file cannot be created.
    ///
    /// # Panics
    /// When the frame rate is not positive and finite.
    pub fn create(folder: &RunFolder, name: &str, info: &TrajectoryInfo) -> Result<Self, OutputError> {
        let rate = info.frames_per_second;
        assert!(rate > 0.0 && rate.is_finite(), "{name}: {rate} frames in a second");
        let file = folder.file(name)?;
        let area = info.walkable_area.to_string();
        let geometry_hash = hash_of(&area);
        let database = open(file.partial())
            .and_then(|database| write_head(&database, info, &area, geometry_hash).map(|()| database))
            .map_err(|error| OutputError::sqlite(file.target(), error))?;
        Ok(Self { database, file, geometry_hash, last_frame: None, has_sizes: false, failure: None })
    }

    /// Appends a frame. Each agent occurs at most once. Any order is allowed; ascending ids are fastest. An agent that
    /// has not yet entered or has left has no row in the frame.
    ///
    /// # Errors
    /// When the file cannot be written, or when a number is not finite. The file is then useless, and all further calls
    /// return the same error.
    ///
    /// # Panics
    /// When the frame number is not greater than that of the previous frame.
    pub fn frame(&mut self, number: u64, agents: impl IntoIterator<Item = TrajectoryPoint>) -> Result<(), OutputError> {
        assert!(self.last_frame.is_none_or(|last| last < number), "frame {number} after {:?}", self.last_frame);
        self.last_frame = Some(number);
        self.usable()?;
        self.write_frame(number, agents).inspect_err(|error| self.failure = Some(error.clone()))
    }

    /// Adds the sizes of agents in the last frame, for agents whose size changes: the lengths along x and y, in metres.
    /// They are in a separate table, `size_data`, which exists in files with sizes only.
    ///
    /// # Errors
    /// As for [`frame`](Self::frame).
    ///
    /// # Panics
    /// If there is no frame yet.
    pub fn sizes(&mut self, sizes: impl IntoIterator<Item = (u64, [f64; 2])>) -> Result<(), OutputError> {
        self.usable()?;
        self.write_sizes(sizes).inspect_err(|error| self.failure = Some(error.clone()))
    }

    fn write_sizes(&mut self, sizes: impl IntoIterator<Item = (u64, [f64; 2])>) -> Result<(), OutputError> {
        let failed = |error| OutputError::sqlite(self.file.target(), error);
        if !self.has_sizes {
            self.database.execute_batch(SIZE_TABLE).map_err(failed)?;
            self.has_sizes = true;
        }
        let number = self.last_frame.expect("sizes belong to a frame");
        let mut row = self.database.prepare("INSERT INTO size_data VALUES (?, ?, ?, ?)").map_err(failed)?;
        for (id, [x, y]) in sizes {
            if !(x.is_finite() && y.is_finite()) {
                let path = self.file.target().to_owned();
                return Err(OutputError::NotFinite { path, frame: number, agent: id, what: "the size", x, y });
            }
            row.execute(params![number as i64, id as i64, x, y]).map_err(failed)?;
        }
        Ok(())
    }

    fn write_frame(&self, number: u64, agents: impl IntoIterator<Item = TrajectoryPoint>) -> Result<(), OutputError> {
        let failed = |error| OutputError::sqlite(self.file.target(), error);
        let frame = number as i64;
        let frame_row = "INSERT INTO frame_data VALUES (?, ?)";
        self.database.execute(frame_row, params![frame, self.geometry_hash]).map_err(failed)?;
        let row = "INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)";
        let mut row = self.database.prepare(row).map_err(failed)?;
        for TrajectoryPoint { id, position, orientation } in agents {
            for (what, [x, y]) in [("the position", position), ("the orientation", orientation)] {
                if !(x.is_finite() && y.is_finite()) {
                    let path = self.file.target().to_owned();
                    return Err(OutputError::NotFinite { path, frame: number, agent: id, what, x, y });
                }
            }
            let ([x, y], [look_x, look_y]) = (position, orientation);
            row.execute(params![frame, id as i64, x, y, look_x, look_y]).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes the remaining rows and gives the file its final name. PedPy does not open a file without agents.
    ///
    /// # Errors
    /// When the file cannot be written, or an earlier write failed.
    pub fn finish(self) -> Result<WrittenFile, OutputError> {
        self.usable()?;
        let Self { database, file, .. } = self;
        let failed = |error| OutputError::sqlite(file.target(), error);
        database.execute_batch("COMMIT").map_err(failed)?;
        database.close().map_err(|(_, error)| failed(error))?;
        file.complete()
    }

    fn usable(&self) -> Result<(), OutputError> {
        self.failure.clone().map_or(Ok(()), Err)
    }
}

/// Opens an existing empty file and locks it.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    // SQLite would parse a relative name that begins with `file:` as a URI.
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // The lock can be held only by a program that has just opened the temporary file; do not wait for it.
    database.busy_timeout(Duration::ZERO)?;
    database.execute_batch(SETTINGS)?;
    Ok(database)
}

fn write_head(database: &Connection, info: &TrajectoryInfo, area: &str, hash: i64) -> rusqlite::Result<()> {
    database.execute_batch(TABLES)?;
    let [[left, bottom], [right, top]] = info.walkable_area.bounds();
    let numbers = [("fps", info.frames_per_second), ("xmin", left), ("xmax", right), ("ymin", bottom), ("ymax", top)];
    let mut row = database.prepare("INSERT INTO metadata VALUES (?, ?)")?;
    row.execute(params!["version", VERSION])?;
    for (key, value) in numbers {
        row.execute(params![key, format!("{value:?}")])?;
    }
    database.execute("INSERT INTO geometry VALUES (?, ?)", params![hash, area])?;
    Ok(())
}

/// Id of a geometry, by which frames refer to it. Any function of the text will do.
fn hash_of(text: &str) -> i64 {
    let bytes: Vec<u64> = text.bytes().map(u64::from).collect();
    let mut hash = StateHash::new();
    hash.add(0, &bytes);
    hash.finish() as i64
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::IfNotEmpty;

    fn point(id: u64, x: f64, y: f64) -> TrajectoryPoint {
        TrajectoryPoint { id, position: [x, y], orientation: [1.0, 0.0] }
    }

    fn info() -> TrajectoryInfo {
        TrajectoryInfo { frames_per_second: 12.5, walkable_area: WalkableArea::rectangle([-1.0, 0.0], [9.0, 2.5]) }
    }

    fn folder(path: &Path) -> RunFolder {
        RunFolder::create(path, IfNotEmpty::Overwrite, "").unwrap()
    }

    /// Writes many more pages than the cache holds.
    fn write_many(folder: &RunFolder, name: &str) -> WrittenFile {
        let mut file = TrajectoryFile::create(folder, name, &info()).unwrap();
        for frame in 0..100 {
            file.frame(frame, (0..3000).map(|id| point(id, id as f64 / 7.0, frame as f64))).unwrap();
        }
        file.finish().unwrap()
    }

    #[test]
    fn rows_and_keys_match_the_format() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info()).unwrap();
        file.frame(0, [point(7, 0.1, 0.2), point(3, 5.0, 2.0)]).unwrap();
        file.frame(1, []).unwrap();
        file.frame(5, [point(7, 0.25, 0.2)]).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "the lock of the folder and a temporary name");
        let written = file.finish().unwrap();
        let path = dir.path().join("t.sqlite");
        assert_eq!(written, WrittenFile { name: "t.sqlite".into(), bytes: fs::metadata(&path).unwrap().len() });

        let database = Connection::open(path).unwrap();
        let list = |query: &str| -> Vec<String> {
            let mut rows = database.prepare(query).unwrap();
            let texts = rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap);
            texts.collect()
        };
        let keys = list("SELECT key || '=' || value FROM metadata ORDER BY rowid");
        assert_eq!(keys, ["version=2", "fps=12.5", "xmin=-1.0", "xmax=9.0", "ymin=0.0", "ymax=2.5"]);
        assert_eq!(list("SELECT wkt FROM geometry"), ["POLYGON ((-1 0, 9 0, 9 2.5, -1 2.5, -1 0))"]);
        let rows = "SELECT frame || ' ' || id || ' ' || pos_x || ' ' || pos_y || ' ' || ori_x || ' ' || ori_y \
                    FROM trajectory_data ORDER BY rowid";
        assert_eq!(list(rows), ["0 7 0.1 0.2 1.0 0.0", "0 3 5.0 2.0 1.0 0.0", "5 7 0.25 0.2 1.0 0.0"]);
        let frames = "SELECT frame || ' ' || count(hash) FROM frame_data LEFT JOIN geometry ON geometry_hash = hash \
                      GROUP BY frame ORDER BY frame";
        assert_eq!(list(frames), ["0 1", "1 1", "5 1"]);
        let names = "SELECT type || ' ' || name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
        let expected = [
            "table frame_data",
            "index frame_id_idx",
            "table geometry",
            "index geometry_hash",
            "table metadata",
            "table trajectory_data",
        ];
        assert_eq!(list(names), expected);
        assert_eq!(list("PRAGMA integrity_check"), ["ok"]);
    }

    #[test]
    fn sizes_have_a_separate_table() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info()).unwrap();
        for (frame, size) in [(0, [0.8, 1.2]), (2, [0.4, 1.2])] {
            file.frame(frame, [point(7, 0.1, 0.2), point(9, 1.0, 2.0)]).unwrap();
            file.sizes([(7, size)]).unwrap();
        }
        file.finish().unwrap();
        let database = Connection::open(dir.path().join("t.sqlite")).unwrap();
        let rows = "SELECT group_concat(frame || ' ' || id || ' ' || size_x || ' ' || size_y, ', ') FROM size_data";
        let rows: String = database.query_row(rows, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, "0 7 0.8 1.2, 2 7 0.4 1.2");
        let mut file = TrajectoryFile::create(&folder, "u.sqlite", &info()).unwrap();
        file.frame(3, [point(5, 0.1, 0.2)]).unwrap();
        let text = file.sizes([(5, [1.0, f64::INFINITY])]).unwrap_err().to_string();
        assert!(text.contains("in frame 3, agent 5 has the size (1, inf)"), "{text}");
        assert!(file.finish().is_err());
    }

    #[test]
    fn equal_frames_give_equal_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let sizes = ["a.sqlite", "b.sqlite"].map(|name| write_many(&folder, name).bytes);
        assert!(sizes[0] > 8192 * 1024 && sizes[0] == sizes[1], "{sizes:?}");
        let [a, b] = ["a.sqlite", "b.sqlite"].map(|name| fs::read(dir.path().join(name)).unwrap());
        assert!(a == b);
        let database = Connection::open(dir.path().join("a.sqlite")).unwrap();
        let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        let rows: i64 = database.query_row("SELECT count(*) FROM trajectory_data", [], |row| row.get(0)).unwrap();
        assert_eq!((check.as_str(), rows), ("ok", 300_000));
    }

    #[test]
    fn a_full_disk_is_an_error_and_no_file_remains() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info()).unwrap();
        // SQLite reports the same error when the disk is full.
        file.database.execute_batch("PRAGMA max_page_count = 20").unwrap();
        let many = || (0..3000).map(|id| point(id, 0.0, 0.0));
        let text = file.frame(0, many()).unwrap_err().to_string();
        assert!(text.contains("t.sqlite: ") && text.contains("free some space"), "{text}");
        assert_eq!(file.frame(1, []).unwrap_err().to_string(), text);
        assert_eq!(file.finish().unwrap_err().to_string(), text);
        drop(folder);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_position_that_is_not_finite_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = folder(dir.path());
        let mut file = TrajectoryFile::create(&folder, "t.sqlite", &info()).unwrap();
        let text = file.frame(4, [point(17, f64::NAN, 1.0)]).unwrap_err().to_string();
        assert!(text.contains("t.sqlite: in frame 4, agent 17 has the position (NaN, 1)\n    this is a bug"), "{text}");
        assert!(file.finish().is_err());
        assert!(!dir.path().join("t.sqlite").exists());
    }

    #[test]
    fn locked_files_are_reported_with_a_remedy() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.sqlite.partial");
        fs::write(&path, "").unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let text = OutputError::sqlite(Path::new("t.sqlite"), open(&path).unwrap_err()).to_string();
        assert!(text.starts_with("cannot write t.sqlite: ") && text.contains("close that program"), "{text}");
    }
}
