//! Players and their names, for tournaments and for play in a terminal.
//!
//! ```
//! use throng_games::kalah::players::{Player, Seat, Turn};
//! use throng_games::kalah::{Game, Side};
//!
//! let player = Player::read("minimax:4", "--top")?;
//! assert_eq!(player, Player::Minimax(4));
//! let game = Game::new(6, 4)?;
//! let choice = Seat::new(player, game, 1, 1)?.choose(&game.start(Side::Top), Turn { game: 0, ply: 0 })?;
//! // Cell 10 is pit 3, counted from 0.
//! assert_eq!((choice.pit, choice.search.unwrap().value), (3, 2));
//! # Ok::<(), throng_core::InputError>(())
//! ```

mod name;
mod seat;

pub use name::{Effort, Player};
pub use seat::{Choice, SearchSummary, Seat, Turn};
pub(super) use seat::{legal_pits, table_bytes};
