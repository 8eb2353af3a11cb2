//! The journal of finished runs: a single file to which a record is appended for each run.
//!
//! A sweep may have a million runs, and file systems are slow with a million files, so there is a single file instead
//! of one per run. If the program is killed while a record is being appended, the file ends with an incomplete record,
//! which is recognised by its length and checksum. So only runs in progress are lost. Damage elsewhere, caused by a
//! disk or an editor, loses only the runs whose records it affects.
//!
//! A record consists of its length and checksum, 8 bytes each, and JSON. Numbers that occur in tables are stored as
//! bits, because tables must not depend on whether a value was converted to text. The journal is flushed to the disk
//! every second and at the end. A killed program loses nothing, because the operating system keeps written data; a
//! power failure may lose the runs of the last second.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use throng_core::checksum;
use throng_output::{OutputError, PendingFile};

use super::table_store::{Piece, TableStore};
use crate::{Failure, Figure, Measured, Quantity, Series};

/// File name of the journal.
pub(super) const JOURNAL: &str = "runs.journal";
/// First bytes of a journal, with the version of its format.
const MAGIC: &[u8; 16] = b"throng sweep  1\n";
/// Size of length and checksum, bytes.
const HEAD: u64 = 16;
/// Beginning of the JSON of each record. Strings in it cannot contain this, because their quotation marks are escaped.
const BEGIN: &[u8] = br#"{"set":"#;
/// Number of bytes searched at once for [`BEGIN`].
const CHUNK: u64 = 1 << 16;
/// Interval between flushes to the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A run of a sweep: the indices of its parameter set and replicate. A single run number would change when seeds are
/// added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RunId {
    pub set: u32,
    pub replicate: u32,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub id: RunId,
    /// Wall-clock seconds.
    pub wall_s: f64,
    /// Measurements or error message.
    pub result: Result<Measured, String>,
    /// Locations of the collected tables; empty for a failed run.
    pub tables: Vec<Piece>,
}

/// The journal of a sweep, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Length of the file in bytes.
    end: u64,
    /// Location of the last record of each run.
    index: BTreeMap<RunId, Entry>,
    synced: Instant,
    /// Collected tables, if there are any.
    tables: Option<TableStore>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    offset: u64,
    length: u64,
    has_failed: bool,
}

impl Journal {
    /// Opens or creates the journal at a path. Incomplete records are removed; the number of removed bytes is returned
    /// with the journal.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not a journal.
    pub fn open(path: &Path) -> Result<(Self, u64), Failure> {
        let failed = |action: &'static str| move |error| OutputError::io(action, path, error);
        // Opening a pipe would block.
        if path.exists() && !path.is_file() {
            let place = path.display().to_string();
            return Err(Failure::input(place, "is not a regular file", "choose another folder with --out"));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed("open"))?;
        let length = file.metadata().map_err(failed("read"))?.len();
        let mut magic = Vec::new();
        (&mut file).take(HEAD).read_to_end(&mut magic).map_err(failed("read"))?;
        if !MAGIC.starts_with(&magic) {
            let place = path.display().to_string();
            return Err(Failure::input(place, "is not a journal of this version", "choose another folder with --out"));
        }
        if magic.len() < MAGIC.len() {
            // The program was killed before the first run.
            file.set_len(0).map_err(failed("write"))?;
            file.write_all(MAGIC).map_err(failed("write"))?;
        }
        let path = path.to_owned();
        let mut journal = Self { end: HEAD, index: BTreeMap::new(), synced: Instant::now(), file, path, tables: None };
        let damaged = journal.read_index(length)?;
        let torn = length.saturating_sub(journal.end);
        if torn > 0 {
            journal.file.set_len(journal.end).map_err(|error| journal.error("write", error))?;
        }
        if damaged > 0 {
            journal = journal.rewritten()?;
        }
        Ok((journal, damaged + torn))
    }

    /// Adds the store of collected tables, of which each successful run must have `number`. Runs with incomplete tables
    /// count as unfinished; their number is returned with the journal.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn with_tables(mut self, path: &Path, number: usize) -> Result<(Self, usize), Failure> {
        let mut store = TableStore::open(path)?;
        let (mut kept, mut incomplete) = (Vec::new(), Vec::new());
        for &id in self.index.keys() {
            let Some(Record { result: Ok(_), tables, .. }) = self.record(id)? else { continue };
            let mut is_complete = tables.len() == number;
            for piece in &tables {
                is_complete = is_complete && store.holds(piece)?;
            }
            if is_complete { kept.extend(tables) } else { incomplete.push(id) }
        }
        store.keep_only(kept.iter())?;
        for id in &incomplete {
            self.index.remove(id);
        }
        Ok((Self { tables: Some(store), ..self }, incomplete.len()))
    }

    /// Reads all records, and returns the number of bytes between them that belong to no record.
    fn read_index(&mut self, length: u64) -> Result<u64, Failure> {
        let mut reader = BufReader::new(&self.file);
        let failed = |error| OutputError::io("read", &self.path, error);
        let (mut end, mut damaged, mut index) = (HEAD, 0, BTreeMap::new());
        let mut next = Some(HEAD);
        reader.seek(SeekFrom::Start(HEAD)).map_err(failed)?;
        while let Some(at) = next {
            if let Some((record, size)) = read_record(&mut reader, length.saturating_sub(at)).map_err(failed)? {
                let entry = Entry { offset: at + HEAD, length: size, has_failed: record.result.is_err() };
                index.insert(record.id, entry);
                damaged += at - end;
                end = at + HEAD + size;
                next = Some(end);
            } else {
                next = next_begin(&self.file, at + 1, length).map_err(failed)?;
                reader.seek(SeekFrom::Start(next.unwrap_or(length))).map_err(failed)?;
            }
        }
        (self.end, self.index) = (end, index);
        Ok(damaged)
    }

    /// Rewrites the journal so that it contains only intact records, in the same order.
    fn rewritten(self) -> Result<Self, Failure> {
        let mut copy = PendingFile::create(&self.path)?;
        let mut records: Vec<Entry> = self.index.into_values().collect();
        records.sort_unstable_by_key(|entry| entry.offset);
        let mut reader = &self.file;
        let write = || -> io::Result<()> {
            copy.write_all(MAGIC)?;
            for Entry { offset, length, .. } in records {
                reader.seek(SeekFrom::Start(offset - HEAD))?;
                io::copy(&mut reader.take(HEAD + length), &mut copy)?;
            }
            Ok(())
        };
        write().map_err(|error| copy.error(error))?;
        copy.complete()?;
        Self::open(&self.path).map(|(journal, _)| journal)
    }

    /// Appends the collected tables of a run, and returns their locations.
    ///
    /// # Errors
    /// When they cannot be read or written.
    pub fn append_tables(&mut self, tables: &[PathBuf]) -> Result<Vec<Piece>, OutputError> {
        let Some(store) = &mut self.tables else { return Ok(Vec::new()) };
        tables.iter().map(|table| store.append(table)).collect()
    }

    /// Returns a reader of a collected table. Only one such reader may be in use at a time.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub fn table(&self, piece: &Piece) -> Result<impl BufRead, Failure> {
        let missing = || Failure::resource("the tables of runs are not open", "this is a bug, please report it");
        Ok(self.tables.as_ref().ok_or_else(missing)?.read(piece)?)
    }

    /// Appends a record. A later record of a run replaces an earlier one.
    ///
    /// # Errors
    /// When it cannot be written (the journal is then unchanged) or flushed to the disk.
    pub fn append(&mut self, record: &Record) -> Result<(), OutputError> {
        let payload = record.to_json();
        let (length, sum) = (payload.len() as u64, checksum::of_bytes(&payload));
        let bytes = [&length.to_le_bytes(), &sum.to_le_bytes(), payload.as_slice()].concat();
        if let Err(error) = self.file.write_all(&bytes) {
            // If this also fails, the record is dropped when the journal is opened again.
            let _ = self.file.set_len(self.end);
            return Err(self.error("write", error));
        }
        let entry = Entry { offset: self.end + HEAD, length, has_failed: record.result.is_err() };
        self.index.insert(record.id, entry);
        self.end += bytes.len() as u64;
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Flushes the journal to the disk.
    ///
    /// # Errors
    /// When the operating system reports an error.
    pub fn sync(&mut self) -> Result<(), OutputError> {
        self.synced = Instant::now();
        // Tables first, because records refer to them.
        self.tables.as_ref().map_or(Ok(()), TableStore::sync)?;
        self.file.sync_data().map_err(|error| self.error("write", error))
    }

    /// Returns whether a run has failed; `None` if it is not finished.
    pub fn has_failed(&self, id: RunId) -> Option<bool> {
        self.index.get(&id).map(|entry| entry.has_failed)
    }

    /// Returns the number of finished runs.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Treats failed runs as unfinished, so that they are executed again.
    pub fn forget_failed(&mut self) {
        self.index.retain(|_, entry| !entry.has_failed);
    }

    /// Returns the record of a run, if it is finished.
    ///
    /// # Errors
    /// When it can no longer be read.
    pub fn record(&self, id: RunId) -> Result<Option<Record>, Failure> {
        let Some(entry) = self.index.get(&id) else { return Ok(None) };
        let mut payload = Vec::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(entry.offset))
            .and_then(|_| file.take(entry.length).read_to_end(&mut payload))
            .map_err(|error| self.error("read", error))?;
        let changed = || Failure::resource(format!("{} has changed", self.path.display()), "run the command again");
        Record::from_json(&payload).map(Some).ok_or_else(changed)
    }

    fn error(&self, action: &'static str, error: io::Error) -> OutputError {
        OutputError::io(action, &self.path, error)
    }
}

/// Reads the next record, and returns it with the size of its JSON; `None` if there is no complete record within `left`
/// bytes.
fn read_record(reader: &mut impl Read, left: u64) -> io::Result<Option<(Record, u64)>> {
    let Some(room) = left.checked_sub(HEAD) else { return Ok(None) };
    let (mut size, mut sum) = ([0; 8], [0; 8]);
    reader.read_exact(&mut size).and_then(|()| reader.read_exact(&mut sum))?;
    let size = u64::from_le_bytes(size);
    if size > room {
        return Ok(None);
    }
    let mut payload = Vec::new();
    reader.take(size).read_to_end(&mut payload)?;
    let is_whole = checksum::of_bytes(&payload) == u64::from_le_bytes(sum);
    Ok(is_whole.then(|| Record::from_json(&payload)).flatten().map(|record| (record, size)))
}

/// Returns the first offset, at `from` or later, at which a record seems to start: the position of [`BEGIN`] minus the
/// size of the record header.
fn next_begin(mut file: &File, from: u64, length: u64) -> io::Result<Option<u64>> {
    let mut at = from + HEAD;
    let mut chunk = Vec::new();
    while at + BEGIN.len() as u64 <= length {
        chunk.clear();
        file.seek(SeekFrom::Start(at))?;
        file.take(CHUNK).read_to_end(&mut chunk)?;
        if let Some(found) = chunk.windows(BEGIN.len()).position(|bytes| bytes == BEGIN) {
            return Ok(Some(at + found as u64 - HEAD));
        }
        // The last bytes of the chunk may be the first part of `BEGIN`.
        at += (chunk.len() as u64).saturating_sub(BEGIN.len() as u64 - 1).max(1);
    }
    Ok(None)
}

/// The stored form of a record. Its JSON [begins](BEGIN) with the first field.
#[derive(Serialize, Deserialize)]
struct Stored {
    set: u32,
    replicate: u32,
    wall_s: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<u64>,
    #[serde(default)]
    figures: Vec<(Quantity, u64)>,
    #[serde(default)]
    over: Quantity,
    #[serde(default)]
    quantities: Vec<Quantity>,
    /// Row by row.
    #[serde(default)]
    series: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Piece>,
}

impl Record {
    fn to_json(&self) -> Vec<u8> {
        let (measured, error) = match &self.result {
            Ok(measured) => (measured.clone(), None),
            Err(error) => (Measured::default(), Some(error.clone())),
        };
        let Measured { hash, figures, series: Series { over, quantities, rows } } = measured;
        let columns = quantities.len();
        let of_row = |(at, values): (f64, Vec<f64>)| {
            // Rows are padded with NaN or truncated to the number of columns.
            let values = values.into_iter().chain(std::iter::repeat(f64::NAN)).take(columns);
            std::iter::once(at).chain(values).map(f64::to_bits).collect::<Vec<_>>()
        };
        let stored = Stored {
            set: self.id.set,
            replicate: self.id.replicate,
            wall_s: self.wall_s,
            error,
            hash,
            figures: figures.into_iter().map(|figure| (figure.quantity, figure.value.to_bits())).collect(),
            over,
            quantities,
            series: rows.into_iter().flat_map(of_row).collect(),
            tables: self.tables.clone(),
        };
        serde_json::to_vec(&stored).expect("numbers and strings can be written as JSON")
    }

    /// Parses a record; `None` if it is invalid.
    fn from_json(json: &[u8]) -> Option<Self> {
        let stored: Stored = serde_json::from_slice(json).ok()?;
        let figure = |(quantity, bits)| Figure { quantity, value: f64::from_bits(bits) };
        let row = |row: &[u64]| {
            let mut values = row.iter().map(|&bits| f64::from_bits(bits));
            Some((values.next()?, values.collect()))
        };
        let measured = Measured {
            hash: stored.hash,
            figures: stored.figures.into_iter().map(figure).collect(),
            series: Series {
                rows: stored.series.chunks(1 + stored.quantities.len()).filter_map(row).collect(),
                over: stored.over,
                quantities: stored.quantities,
            },
        };
        let id = RunId { set: stored.set, replicate: stored.replicate };
        let result = stored.error.map_or(Ok(measured), Err);
        Some(Self { id, wall_s: stored.wall_s, result, tables: stored.tables })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(set: u32, replicate: u32) -> Record {
        let measured = Measured {
            hash: Some(u64::MAX - u64::from(set)),
            figures: vec![
                Figure::new(Quantity::real("a", "length", "m", "of all"), 0.1 + f64::from(set)),
                Figure::new(Quantity::count("b", "", ""), f64::INFINITY),
            ],
            series: Series {
                over: Quantity::count("step", "", ""),
                quantities: vec![Quantity::fraction("c", "", ""), Quantity::real("d", "", "s", "")],
                rows: vec![(0.0, vec![1.0, -0.0]), (1.0, vec![1e300, f64::MIN_POSITIVE])],
            },
        };
        Record { id: RunId { set, replicate }, wall_s: 0.25, result: Ok(measured), tables: Vec::new() }
    }

    #[test]
    fn records_are_read_back_bit_by_bit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(JOURNAL);
        let failed = Record { result: Err("no\nmemory".into()), ..record(1, 0) };
        let (mut journal, dropped) = Journal::open(&path).unwrap();
        assert_eq!(dropped, 0);
        for record in [record(0, 0), failed.clone(), record(0, 1)] {
            journal.append(&record).unwrap();
        }
        for journal in [journal, Journal::open(&path).unwrap().0] {
            for record in [record(0, 0), failed.clone(), record(0, 1)] {
                assert_eq!(journal.record(record.id).unwrap(), Some(record.clone()));
                assert_eq!(journal.has_failed(record.id), Some(record.result.is_err()));
            }
            assert_eq!(journal.record(RunId { set: 2, replicate: 0 }).unwrap(), None);
        }
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&record(1, 0)).unwrap();
        assert_eq!(journal.has_failed(failed.id), Some(false), "the later record counts");
    }

    #[test]
    fn records_of_earlier_versions_are_read() {
        let json = r#"{"set":1,"replicate":2,"wall_s":0.5,"hash":9,"figures":[[{"name":"a","label":"","unit":"m","kind":"real",
            "meaning":""},4611686018427387904]],"over":{"name":"","label":"","unit":"","kind":"real","meaning":""},
            "quantities":[],"series":[]}"#;
        let record = Record::from_json(json.as_bytes()).unwrap();
        assert_eq!((record.id, record.tables), (RunId { set: 1, replicate: 2 }, Vec::new()));
        assert_eq!(record.result.unwrap().figures, [Figure::new(Quantity::real("a", "", "m", ""), 2.0)]);
    }

    #[test]
    fn a_torn_record_of_any_length_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(JOURNAL);
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.append(&record(0, 0)).unwrap();
        let first = journal.end;
        journal.append(&record(0, 1)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, dropped) = Journal::open(&path).unwrap();
            let kept = length as u64 >= first;
            assert_eq!(journal.index.len(), usize::from(kept), "{length}");
            let end = if kept { first } else { HEAD };
            assert_eq!(dropped, (length as u64).saturating_sub(end), "{length}");
            journal.append(&record(0, 1)).unwrap();
            let (journal, dropped) = Journal::open(&path).unwrap();
            assert_eq!((journal.index.len(), dropped), (1 + usize::from(kept), 0), "{length}");
        }
        // Zeros, as after a power failure, and a changed byte.
        let mut damaged = whole.clone();
        damaged[first as usize..].fill(0);
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(Journal::open(&path).unwrap().0.index.len(), 1);
        let mut damaged = whole;
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(Journal::open(&path).unwrap().0.index.len(), 1);
    }

    #[test]
    fn damage_loses_only_the_affected_runs() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(JOURNAL);
        let (mut journal, _) = Journal::open(&path).unwrap();
        let mut ends = vec![HEAD];
        for replicate in 0..3 {
            journal.append(&record(0, replicate)).unwrap();
            ends.push(journal.end);
        }
        let whole = std::fs::read(&path).unwrap();
        for place in ends[1]..ends[2] {
            let mut damaged = whole.clone();
            damaged[place as usize] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            let (mut journal, bytes) = Journal::open(&path).unwrap();
            let kept: Vec<u32> = journal.index.keys().map(|id| id.replicate).collect();
            assert_eq!((kept, bytes), (vec![0, 2], ends[2] - ends[1]), "{place}");
            assert_eq!(journal.record(RunId { set: 0, replicate: 2 }).unwrap(), Some(record(0, 2)));
            journal.append(&record(0, 1)).unwrap();
            let (journal, bytes) = Journal::open(&path).unwrap();
            assert_eq!((journal.index.len(), bytes), (3, 0), "{place}");
        }
        // A gap longer than a chunk, which ends with the first bytes of `BEGIN`.
        let hole = [vec![b'x'; CHUNK as usize + 3], BEGIN[..3].to_vec()].concat();
        let bytes = [&whole[..ends[1] as usize], &hole, &whole[ends[1] as usize..]].concat();
        std::fs::write(&path, bytes).unwrap();
        let (journal, bytes) = Journal::open(&path).unwrap();
        assert_eq!((journal.index.len(), bytes), (3, hole.len() as u64));
    }

    #[test]
    fn a_file_that_is_not_a_journal_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(JOURNAL);
        std::fs::write(&path, "my journal").unwrap();
        assert!(Journal::open(&path).unwrap_err().to_string().contains("is not a journal of this version"));
        assert_eq!(std::fs::read(&path).unwrap(), b"my journal");
    }
}
