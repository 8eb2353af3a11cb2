//! The endgame base: the value of every position with few stones in the pits.
//!
//! The stores do not affect the rest of a game, so a position consists of the stones in the pits, from the point of
//! view of the player to move. Its value v is the number of its n stones that this player gets under best play. The
//! final margin is the margin of the stores plus 2v - n.

mod build;
mod file;
mod generator;
mod packed;

use throng_core::{InputError, Progress, available_memory, check_memory_within};

use super::numbering::Numbering;
use super::sizes::dispatch_on_game;
use super::{Board, Game};
pub use file::ENDGAMES_NAME;
pub use generator::EndgamesGenerator;

/// Maximum number of stones of a base: it takes 27 GB for six pits, and 37 GB while it is built.
pub const MAX_ENDGAME_STONES: u32 = 34;

/// The values of all positions with a limited number of stones in the pits, for a number of pits and a capture rule.
///
/// ```
/// use throng_games::kalah::{Board, Endgames, Game};
///
/// let game = Game::new(2, 2)?;
/// let endgames = Endgames::build(game, 3, &throng_core::NoProgress)?;
/// // The stone goes into the store and gives another move; the last stone of the row captures nothing.
/// let board = Board::read(game, "0 1 2 | 1 1 3 top")?;
/// assert_eq!(endgames.margin(&board), Some(2));
/// assert_eq!(endgames.margin(&game.start(board.to_move())), None);
/// # Ok::<(), throng_core::InputError>(())
/// ```
///
/// Size for six pits: 52 MB for 18 stones, 139 MB for 20, 341 MB for 22, 780 MB for 24. Building takes some 60 % more.
pub struct Endgames {
    game: Game,
    most_stones: u32,
    /// The byte offset of each level, and the end of the last one.
    begins: Vec<u64>,
    /// The index of the first position of each level.
    firsts: Vec<u64>,
    packed: Vec<u8>,
}

impl Endgames {
    /// Builds the base for at most `most_stones` stones in the pits, or for all stones of the game if it has fewer, on
    /// all threads of the current pool. The base is valid for all games with the same number of pits and the same rule.
    ///
    /// Cost: 13 s with two threads for the 226 million positions of six pits with 20 stones, which is about 115 ns per
    /// position and thread.
    ///
    /// # Errors
    /// If the stones exceed [`MAX_ENDGAME_STONES`], or the values do not fit into memory.
    pub fn build(game: Game, most_stones: u32, progress: &dyn Progress) -> Result<Self, InputError> {
        let most_stones = most_stones.min(game.all_stones());
        if most_stones > MAX_ENDGAME_STONES {
            let remedy = format!("give a whole number from 0 to {MAX_ENDGAME_STONES}");
            return Err(InputError::one("endgames", format!("{most_stones} stones"), remedy));
        }
        check_memory("endgames", most_stones, building_bytes(game, most_stones), available_memory())?;
        Ok(dispatch_on_game!(game, PITS, EMPTY => build::build::<PITS, EMPTY>(game, most_stones, progress)))
    }

    /// Creates a base without values.
    fn empty(game: Game, most_stones: u32) -> Self {
        let firsts = firsts(game, most_stones);
        let mut begins = vec![0];
        for stones in 0..=most_stones {
            let len = firsts[stones as usize + 1] - firsts[stones as usize];
            begins.push(begins[stones as usize] + packed::bytes(len, packed::bits(stones)));
        }
        let bytes = begins[most_stones as usize + 1] as usize;
        Self { game, most_stones, begins, firsts, packed: vec![0; bytes] }
    }

    /// Returns the maximum number of stones in the pits.
    pub fn most_stones(&self) -> u32 {
        self.most_stones
    }

    /// Whether the base is for the same number of pits and the same rule as the game.
    pub fn suits(&self, game: Game) -> bool {
        (self.game.pits(), self.game.empty_capture()) == (game.pits(), game.empty_capture())
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        self.packed.len() as u64
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.firsts[self.most_stones as usize + 1]
    }

    /// Returns the final margin of a board for the player to move; `None` if the board has too many stones in its pits.
    ///
    /// # Panics
    /// If the board is of a game that the base does not [suit](Self::suits).
    pub fn margin(&self, board: &Board) -> Option<i32> {
        assert!(self.suits(board.game()), "endgames of another game");
        let (own, other) = (board.to_move(), board.to_move().other());
        let stores = i32::from(board.store(own)) - i32::from(board.store(other));
        let stones = (board.total(own) + board.total(other)) as u32
            - u32::from(board.store(own))
            - u32::from(board.store(other));
        let position = board.packed::<u64>(board.game().wide(1));
        let number =
            dispatch_on_game!(self.game, PITS, _EMPTY => Numbering::<PITS>::new().number(position.own, position.other));
        (stones <= self.most_stones).then(|| stores + 2 * self.get(number, stones) as i32 - stones as i32)
    }

    /// Returns the value of the position with this index and `stones` stones in its pits.
    #[inline(always)]
    pub(super) fn get(&self, number: u64, stones: u32) -> u32 {
        let begin = self.begins[stones as usize] as usize;
        packed::get(&self.packed[begin..], number - self.firsts[stones as usize], packed::bits(stones))
    }

    /// Returns the number of bits per value of a level, and the bytes of the level.
    fn level_mut(&mut self, stones: u32) -> (u32, &mut [u8]) {
        let range = self.begins[stones as usize] as usize..self.begins[stones as usize + 1] as usize;
        (packed::bits(stones), &mut self.packed[range])
    }
}

/// Returns the first index of each level, and the index after the last level.
fn firsts(game: Game, most_stones: u32) -> Vec<u64> {
    let first = |stones| dispatch_on_game!(game, PITS, _EMPTY => Numbering::<PITS>::new().first(stones));
    (0..=most_stones + 1).map(first).collect()
}

/// Returns the number of bytes of the packed values.
fn packed_bytes(game: Game, most_stones: u32) -> u64 {
    let firsts = firsts(game, most_stones);
    let level =
        |stones: u32| packed::bytes(firsts[stones as usize + 1] - firsts[stones as usize], packed::bits(stones));
    (0..=most_stones).map(level).sum()
}

/// Returns the memory needed for building: the packed values, and one byte per position of the last level.
fn building_bytes(game: Game, most_stones: u32) -> u64 {
    let firsts = firsts(game, most_stones);
    packed_bytes(game, most_stones) + firsts[most_stones as usize + 1] - firsts[most_stones as usize]
}

/// Rejects a base that is larger than the memory.
fn check_memory(place: &str, stones: u32, needed: u64, available: Option<u64>) -> Result<(), InputError> {
    check_memory_within(available, needed, place, format_args!("{stones} stones"), "use a base of fewer stones")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_larger_than_the_memory_are_refused() {
        let largest = building_bytes(Game::new(6, 6).unwrap(), MAX_ENDGAME_STONES);
        assert_eq!(largest >> 30, 34);
        assert_eq!(check_memory("endgames", 34, largest, Some(largest)), Ok(()));
        assert_eq!(check_memory("endgames", 34, largest, None), Ok(()));
        let error = check_memory("endgames", 34, largest, Some(8 << 30)).unwrap_err();
        assert_eq!(error.kind(), throng_core::InputErrorKind::OutOfMemory);
        let remedy = "\n    8589934592 bytes (8.0 GiB) are available: use a base of fewer stones";
        assert!(error.to_string().ends_with(remedy), "{error}");
    }
}
