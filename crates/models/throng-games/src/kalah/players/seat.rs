//! A player in a game.

use throng_core::{InputError, Philox};

use super::name::{Effort, Player};
use crate::kalah::reference::play;
use crate::kalah::{AlphaBeta, Board, Game, Limit, SearchResult, unpruned};

/// The position of a move in a tournament, which determines the draws of random players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Number of the game.
    pub game: u32,
    /// Number of moves so far.
    pub ply: u32,
}

/// A chosen move, and the search behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The pit of the player to move, where 0 is the farthest from the player's store.
    pub pit: u32,
    /// The result of the search; `None` if the player did not search.
    pub search: Option<SearchSummary>,
}

/// The value, the line of best moves and the effort of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSummary {
    /// The value for `Side::Top`.
    pub value: i32,
    /// The final margin of `Side::Top` under best play, if the search proved it.
    pub proved: Option<i32>,
    /// The depth of the search.
    pub depth: u32,
    /// Number of boards visited.
    pub nodes: u64,
    /// The line of best moves, each a pit of the player to move. It may be shorter than the depth.
    pub line: Vec<u32>,
}

/// Distinguishes the draws of moves from those of openings.
pub(in crate::kalah) const MOVE_OF_RANDOM: u32 = 1;

/// A player and its state during a game.
#[derive(Debug)]
pub struct Seat {
    player: Player,
    game: Game,
    draws: Philox,
    search: Option<AlphaBeta>,
}

/// Returns the size of a player's table in bytes: as much as the searches of a game fill, up to 64 MiB. Every game of a
/// tournament starts with an empty table, and clearing a large one takes longer than a shallow search.
pub(in crate::kalah) fn table_bytes(player: Player) -> u64 {
    const OF_DEPTH_0: u64 = 1 << 14;
    const MAX_DEPTH: u32 = 12;
    match player {
        Player::AlphaBeta(Effort::Depth(depth)) => OF_DEPTH_0 << depth.min(MAX_DEPTH),
        Player::AlphaBeta(Effort::Time(_)) => OF_DEPTH_0 << MAX_DEPTH,
        Player::Random | Player::Greedy | Player::Minimax(_) => 0,
    }
}

impl Seat {
    /// Creates a player at the start of a game that searches with `threads` threads. Its moves depend only on the moves
    /// of this game; those of a random player also depend on the seed and the turn, those of a player with a time limit
    /// also on the machine.
    ///
    /// # Errors
    /// If the player's depth or time is out of range, or as for [`AlphaBeta::new`].
    pub fn new(player: Player, game: Game, seed: i64, threads: usize) -> Result<Self, InputError> {
        player.check()?;
        let search = match player {
            // With exact values of finished games, it won 59 % of the points against the same search without them, in
            // 800 games at depth 8.
            Player::AlphaBeta(_) => Some(AlphaBeta::new(game, table_bytes(player), threads)?.with_terminal_exact(true)),
            _ => None,
        };
        Ok(Self { player, game, draws: Philox::new(seed as u64), search })
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// If the game is over, or the board is of another game.
    pub fn choose(&mut self, board: &Board, turn: Turn) -> Result<Choice, InputError> {
        if board.is_over() {
            return Err(InputError::one("board", "the game is over", "request moves only until then"));
        }
        if board.game() != self.game {
            return Err(InputError::one("board", "is of another game than the player", "create a player for its game"));
        }
        Ok(match self.player {
            Player::Random => {
                let legal = legal_pits(board);
                let drawn = self.draws.below(legal.len() as u32, turn.game, turn.ply, MOVE_OF_RANDOM, 0);
                Choice { pit: legal[drawn as usize], search: None }
            }
            Player::Greedy => unpruned_choice(board, 1),
            Player::Minimax(depth) => unpruned_choice(board, depth),
            Player::AlphaBeta(effort) => {
                // A forced move needs no search.
                if let ([pit], true) = (legal_pits(board).as_slice(), self.player.is_timed()) {
                    return Ok(Choice { pit: *pit, search: None });
                }
                let limit = match effort {
                    Effort::Depth(depth) => Limit::Depth(depth),
                    Effort::Time(time) => Limit::Time(time),
                };
                let search = self.search.as_mut().expect("such a player has a search");
                let SearchResult { pit, value, proved, depth, nodes, line } = search.best_move(board, limit)?;
                Choice {
                    pit: pit.expect("there are moves"),
                    search: Some(SearchSummary { value, proved, depth, nodes, line }),
                }
            }
        })
    }
}

/// Returns the legal pits of the player to move.
pub(in crate::kalah) fn legal_pits(board: &Board) -> Vec<u32> {
    (0..board.game().pits()).filter(|&pit| play(board, pit).is_ok()).collect()
}

fn unpruned_choice(board: &Board, depth: u32) -> Choice {
    let unpruned::UnprunedResult { value, pit, nodes } = unpruned::search_on_cpu(board, depth);
    let pit = pit.expect("there are moves");
    Choice { pit, search: Some(SearchSummary { value, proved: None, depth, nodes, line: vec![pit] }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Side;
    use crate::kalah::reference::minimax;

    #[test]
    fn random_moves_depend_on_seed_game_and_ply() {
        let board = Game::new(6, 4).unwrap().start(Side::Top);
        let pits = |seed: i64, game: u32| -> Vec<u32> {
            let mut seat = Seat::new(Player::Random, board.game(), seed, 1).unwrap();
            (0..40).map(|ply| seat.choose(&board, Turn { game, ply }).unwrap().pit).collect()
        };
        assert_eq!(pits(1, 0), pits(1, 0));
        assert!(pits(1, 0) != pits(2, 0) && pits(1, 0) != pits(1, 1));
        let all: std::collections::BTreeSet<u32> = pits(1, 0).into_iter().collect();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn impossible_players_and_boards_of_other_games_are_refused() {
        let game = Game::new(6, 4).unwrap();
        for player in [Player::Minimax(0), Player::Minimax(1000), Player::AlphaBeta(Effort::Depth(0))] {
            let error = Seat::new(player, game, 1, 1).unwrap_err();
            assert_eq!((error.place(), error.message()), ("player", format!("no player \"{player}\"").as_str()));
        }
        assert!(Seat::new(Player::AlphaBeta(Effort::Depth(3)), game, 1, 0).is_err(), "no thread");
        let other = Game::new(4, 3).unwrap().start(Side::Top);
        for player in [Player::Random, Player::Greedy, Player::AlphaBeta(Effort::Depth(3))] {
            let error = Seat::new(player, game, 1, 1).unwrap().choose(&other, Turn { game: 0, ply: 0 }).unwrap_err();
            assert_eq!(error.message(), "is of another game than the player", "{player}");
        }
    }

    #[test]
    fn searches_agree_with_the_definition() {
        let turn = Turn { game: 0, ply: 0 };
        let board = Board::read(Game::new(6, 4).unwrap(), "4 4 4 4 0 4 0 | 0 4 4 4 4 4 8 bottom").unwrap();
        for (player, depth) in [(Player::Greedy, 1), (Player::Minimax(5), 5), (Player::AlphaBeta(Effort::Depth(5)), 5)]
        {
            let choice = Seat::new(player, board.game(), 1, 1).unwrap().choose(&board, turn).unwrap();
            let expected = minimax(&board, depth);
            let search = choice.search.unwrap();
            assert_eq!((search.value, search.depth), (expected.value, depth), "{player}");
            assert_eq!(search.line.first(), Some(&choice.pit));
        }
    }
}
