//! Games whose searches give the same result on CPUs and GPUs. The first one is [`kalah`], a game with a row of pits
//! for each player.
//!
//! * [`kalah::Board`] is a position, which can be read from text.
//! * [`kalah::AlphaBeta`] is the search of players: it finds the best move to a depth or within a time.
//! * [`kalah::solve()`] finds the exact value of a board.
//!
//! ```
//! use throng_core::NoProgress;
//! use throng_games::kalah::{AlphaBeta, Board, Game, Limit, Side, SolveRequest, solve};
//!
//! let game = Game::new(6, 4)?;
//! let mut search = AlphaBeta::new(game, 1 << 20, 2)?;
//! let best = search.best_move(&game.start(Side::Top), Limit::Depth(8))?;
//! // The third pit: its last stone falls into the store.
//! assert_eq!((best.pit, best.value), (Some(2), 8));
//!
//! let board = Board::of_any_game("3 3 3 3 0 | 3 3 3 3 0 top", false)?;
//! let solution = solve(&SolveRequest::new(board), &NoProgress)?;
//! assert_eq!(solution.value, 6, "the player to move wins by 6 stones");
//! # Ok::<(), throng_model::Failure>(())
//! ```
//!
//! The rules of a game have one source for CPU and devices. [`kalah`] also has players, tournaments and tables of
//! endgames.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod kalah;
