//! A file with the transposition table, from which an interrupted search resumes.
//!
//! All bounds are proved, so any part of the table is valid. Most entries took little effort and are quickly found
//! again; these are omitted. The file can be read into a table of any size.

use std::path::Path;
use std::time::Duration;

use throng_core::InputError;
use throng_output::OutputError;

use crate::kalah::Game;
use crate::kalah::alpha_beta::{ENTRIES, TranspositionTable};
use crate::kalah::checked_file::{Header, Reader, Writer};

const MAGIC: [u8; 8] = *b"KALAHTAB";
const WHAT: &str = "a table of `throng solve kalah`";

/// Binary logarithm of the minimum number of nodes searched for an entry that is saved.
const MIN_WORK: u32 = 10;

/// The effort of earlier sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earlier {
    /// Number of nodes searched.
    pub nodes: u64,
    /// Search time.
    pub time: Duration,
}

/// Writes the table, under a temporary name until it is complete. Other threads may use the table at the same time.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, game: Game, table: &TranspositionTable, so_far: Earlier) -> Result<(), OutputError> {
    let (pits, stones, empty_capture) = (game.pits(), game.stones(), game.empty_capture());
    let mut writer = Writer::create(path, Header { magic: MAGIC, pits, stones, empty_capture })?;
    writer.push(so_far.nodes)?;
    writer.push(so_far.time.as_millis() as u64)?;
    // The entries of a bucket follow a word with one byte per entry: its work, or 0 for no entry.
    for bucket in 0..table.buckets() {
        let entries = table.saved(bucket, MIN_WORK);
        let works: [u8; ENTRIES] = entries.map(|entry| entry.map_or(0, |(_, work)| work as u8));
        if works != [0; ENTRIES] {
            writer.push(u64::from_le_bytes(works))?;
            for (word, _) in entries.into_iter().flatten() {
                writer.push(word)?;
            }
        }
    }
    writer.finish()
}

/// Loads the entries of a file into a table and returns the effort of earlier sessions. A missing file counts as an
/// empty table.
///
/// # Errors
/// If the file is of another kind, for another game, damaged or truncated.
pub fn read(path: &Path, game: Game, table: &TranspositionTable) -> Result<Earlier, InputError> {
    if !path.exists() {
        return Ok(Earlier::default());
    }
    let (mut reader, header) = Reader::open(path, MAGIC, WHAT)?;
    let expected =
        Header { magic: MAGIC, pits: game.pits(), stones: game.stones(), empty_capture: game.empty_capture() };
    if header != expected {
        let message = format!("is for {}", described(header));
        let remedy = format!("name a table for {}, or a file that does not exist yet", described(expected));
        return Err(reader.error(&message, remedy));
    }
    let mut first = Vec::new();
    let mut works: [u8; ENTRIES] = [0; ENTRIES];
    loop {
        let block = reader.block()?;
        if block.is_empty() {
            break;
        }
        for word in block {
            if first.len() < 2 {
                first.push(word);
            } else if let Some(work) = works.iter_mut().find(|work| **work > 0) {
                table.restore(word, u32::from(*work));
                *work = 0;
            } else {
                works = word.to_le_bytes();
            }
        }
    }
    let &[nodes, millis] = &first[..] else { return Err(reader.corrupted()) };
    Ok(Earlier { nodes, time: Duration::from_millis(millis) })
}

fn described(header: Header) -> String {
    let Header { pits, stones, empty_capture, .. } = header;
    let rule = if empty_capture { "with empty capture" } else { "standard rule" };
    format!("{pits} pits, {stones} stones each, {rule}")
}
