//! Command-line flags for boards, shared by the tools for playing and for solving.

use throng_core::{InputError, Problems};
use throng_model::flags::{Flag, Flags};

use super::game::MAX;
use super::{Board, Game, Side};

/// Number of pits per player.
pub const PITS: Flag = Flag::new("pits", "N", "Pits per player, from 1 to 6 [default: 6]");
/// Number of stones in each pit at the start.
pub const STONES: Flag = Flag::new("stones", "N", "Stones in each pit at the start, from 1 to 6 [default: 4]");
/// The capture rule: whether a last stone in an empty pit goes to the store even if the opposite pit is empty.
pub const EMPTY_CAPTURE: Flag = Flag::switch(
    "empty-capture",
    "A last stone in an empty pit of its player goes to the store even if the opposite pit is empty",
);
/// A board other than the standard one.
pub const POSITION: Flag = Flag::new(
    "position",
    "BOARD",
    "Start from this board: the pits and the store of the lower row, those of the upper row, and the player to move, such \
     as \"1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 bottom\"; --pits and --stones follow from it",
);

/// Returns the board given by the flags: by default the standard one, with `first` to move.
///
/// # Errors
/// All flags with invalid or contradictory values.
pub fn board(flags: &Flags, first: Side) -> Result<Board, InputError> {
    let mut problems = Problems::new();
    let mut number = |flag: Flag| {
        let number = flags.number(flag.name, 1..=MAX);
        number.map_err(|InputError(wrong)| problems.append(wrong)).ok().flatten()
    };
    let (pits, stones) = (number(PITS), number(STONES));
    let empty_capture = flags.has(EMPTY_CAPTURE.name);
    let board = match flags.get(POSITION.name) {
        None => Game::new(pits.unwrap_or(6), stones.unwrap_or(4))
            .map(|game| game.with_empty_capture(empty_capture).start(first)),
        Some(text) => position(text, empty_capture).map_err(|error| error.with_places(|_| "--position".to_owned())),
    };
    if let Ok(board) = &board {
        for (flag, given, of_board) in [(PITS, pits, board.game().pits()), (STONES, stones, board.game().stones())] {
            if let Some(given) = given.filter(|&given| given != of_board) {
                let remedy =
                    format!("the board of --position has {of_board}; leave the flag out, or correct one of them");
                problems.push(format!("--{}", flag.name), given.to_string(), remedy);
            }
        }
    }
    if let Err(InputError(wrong)) = &board {
        problems.append(wrong.clone());
    }
    problems.into_result()?;
    board
}

/// Parses a board on which the game is not over.
///
/// # Errors
/// If [`Board::of_any_game`] rejects the text, or the game is over.
pub fn position(text: &str, empty_capture: bool) -> Result<Board, InputError> {
    let board = Board::of_any_game(text, empty_capture)?;
    if board.is_over() {
        let remedy = "give a board with stones in the pits of both rows";
        return Err(InputError::one("board", "the game is over: all pits of a row are empty", remedy));
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[(&str, &str)]) -> Result<Board, String> {
        let mut flags = Flags::default();
        for (name, value) in given {
            flags.add(*name, *value);
        }
        board(&flags, Side::Bottom).map_err(|error| error.to_string())
    }

    #[test]
    fn a_position_replaces_the_usual_board() {
        assert_eq!(of(&[]), Ok(Game::new(6, 4).unwrap().start(Side::Bottom)));
        let text = "1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 top";
        let board = of(&[("position", text), ("stones", "2"), ("empty-capture", "")]).unwrap();
        assert_eq!((board.to_string().as_str(), board.game().empty_capture()), (text, true));
    }

    #[test]
    fn contradictory_flags_are_refused() {
        let text = "1 3 2 1 4 2 4 | 0 2 1 2 0 2 0 top";
        let error = of(&[("position", text), ("pits", "5"), ("stones", "4")]).unwrap_err();
        for expected in
            ["--pits: 5\n    the board of --position has 6; leave the flag out", "--stones: 4\n    the board of"]
        {
            assert!(error.contains(expected), "{error}");
        }
        let error = of(&[("position", "0 0 4 | 2 2 0 top"), ("pits", "9")]).unwrap_err();
        for expected in ["--position: the game is over: all pits of a row are empty\n    give a board", "--pits: 9\n"] {
            assert!(error.contains(expected), "{error}");
        }
    }
}
