//! Reading and writing the endgame base.

use std::path::Path;

use throng_core::InputError;
use throng_output::{OutputError, PendingFile};

use super::{Endgames, MAX_ENDGAME_STONES};
use crate::kalah::Game;
use crate::kalah::checked_file::{Header, Reader, Writer};

/// The file name in the folder that `throng generate kalah-endgames` creates.
pub const ENDGAMES_NAME: &str = "endgames.kalah";

const MAGIC: [u8; 8] = *b"KALAHEND";
const WHAT: &str = "an endgame base from `throng generate kalah-endgames`";

impl Endgames {
    /// Writes the base, under a temporary name until it is complete.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        self.write_to(PendingFile::create(path)?)
    }

    /// Like [`Endgames::write`], to a file that has been created.
    pub(super) fn write_to(&self, file: PendingFile) -> Result<(), OutputError> {
        let (pits, empty_capture) = (self.game.pits(), self.game.empty_capture());
        let header = Header { magic: MAGIC, pits, stones: self.most_stones, empty_capture };
        let mut writer = Writer::begin(file, header)?;
        for bytes in self.packed.chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            writer.push(u64::from_le_bytes(word))?;
        }
        writer.finish()
    }

    /// Reads a base for a game.
    ///
    /// # Errors
    /// If the file is missing, of another kind, for another number of pits or another rule, damaged or truncated, or if
    /// there is too little memory for its content.
    pub fn read(path: &Path, game: Game) -> Result<Self, InputError> {
        Self::read_within(path, game, throng_core::available_memory())
    }

    /// Like [`Endgames::read`], with `available` bytes of memory.
    fn read_within(path: &Path, game: Game, available: Option<u64>) -> Result<Self, InputError> {
        let (mut reader, header) = Reader::open(path, MAGIC, WHAT)?;
        if (header.pits, header.empty_capture) != (game.pits(), game.empty_capture()) {
            let rule = |empty: bool| if empty { "with empty capture" } else { "with the standard rule" };
            let message = format!("is for {} pits {}", header.pits, rule(header.empty_capture));
            let remedy = format!("use a base for {} pits {}", game.pits(), rule(game.empty_capture()));
            return Err(reader.error(&message, remedy));
        }
        if header.stones > MAX_ENDGAME_STONES {
            return Err(reader.corrupted());
        }
        let needed = super::packed_bytes(game, header.stones);
        super::check_memory(&path.display().to_string(), header.stones, needed, available)?;
        let mut endgames = Self::empty(game, header.stones);
        let mut words = endgames.packed.chunks_mut(8);
        loop {
            let block = reader.block()?;
            if block.is_empty() {
                break;
            }
            for word in block {
                let bytes = words.next().ok_or_else(|| reader.corrupted())?;
                bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
            }
        }
        if words.next().is_some() {
            return Err(reader.corrupted());
        }
        Ok(endgames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Building a base takes more memory than reading it.
    #[test]
    fn reading_a_base_needs_memory_only_for_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("endgames");
        let game = Game::new(3, 6).unwrap();
        let endgames = Endgames::build(game, 8, &throng_core::NoProgress).unwrap();
        endgames.write(&path).unwrap();
        let needed = endgames.bytes();
        assert!(needed < super::super::building_bytes(game, 8));
        assert!(Endgames::read_within(&path, game, Some(needed)).is_ok());
        let error = Endgames::read_within(&path, game, Some(needed - 1)).err().unwrap();
        assert_eq!(error.kind(), throng_core::InputErrorKind::OutOfMemory);
        let place = path.display().to_string();
        assert!(error.to_string().starts_with(&format!("{place}: 8 stones take")), "{error}");
    }
}
