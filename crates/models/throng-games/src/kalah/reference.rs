//! The definition of the game and of minimax, stone by stone and move by move. Every faster implementation must agree
//! with it.

use super::board::{Board, Side};

/// Reasons why a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// The pit does not exist.
    NoPit,
    /// The pit is empty.
    Empty,
    /// The game is over.
    Over,
}

/// Evaluates a board for [`Side::Top`]: a stone in a store counts 5, a stone in a pit 1.
pub fn evaluation(board: &Board) -> i32 {
    let of = |side| 4 * i32::from(board.store(side)) + board.total(side);
    of(Side::Top) - of(Side::Bottom)
}

/// Evaluates a finished game exactly: each stone of the final margin counts 5, including those left in pits.
pub fn exact_evaluation(board: &Board) -> i32 {
    5 * (board.total(Side::Top) - board.total(Side::Bottom))
}

/// Returns the board after the player to move has sown `pit`, where 0 is the pit farthest from the player's store.
///
/// # Errors
/// See [`Illegal`].
pub fn play(board: &Board, pit: u32) -> Result<Board, Illegal> {
    let (side, pits) = (board.to_move(), board.game().pits() as usize);
    if board.is_over() {
        return Err(Illegal::Over);
    }
    if pit as usize >= pits {
        return Err(Illegal::NoPit);
    }
    let first = board.first_pit(side);
    let (own_store, other_store) = (first + pits, board.first_pit(side.other()) + pits);
    let mut cells = board.cells().to_vec();
    let mut cell = first + pit as usize;
    let mut stones = std::mem::take(&mut cells[cell]);
    if stones == 0 {
        return Err(Illegal::Empty);
    }
    while stones > 0 {
        cell = (cell + 1) % cells.len();
        if cell != other_store {
            cells[cell] += 1;
            stones -= 1;
        }
    }
    let is_own_pit = (first..own_store).contains(&cell);
    if is_own_pit && cells[cell] == 1 {
        // With 6 pits, the cells p and 12 - p are opposite.
        let opposite = 2 * pits - cell;
        if cells[opposite] > 0 || board.game().empty_capture() {
            cells[own_store] += 1 + cells[opposite];
            cells[cell] = 0;
            cells[opposite] = 0;
        }
    }
    let next = if cell == own_store { side } else { side.other() };
    Ok(Board::new(board.game(), &cells, next).expect("no stone is lost or made"))
}

/// The value and the best move of a board by minimax, with the numbers of boards visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinimaxResult {
    /// The value for [`Side::Top`].
    pub value: i32,
    /// The best pit of the player to move, ties to the lowest index; `None` if the game is over or the depth is 0.
    pub pit: Option<u32>,
    /// Number of boards at the full depth.
    pub leaves: u64,
    /// Number of boards, at any depth, on which the game is over.
    pub finished: u64,
    /// Number of boards in total.
    pub nodes: u64,
}

/// Computes exhaustive minimax to a depth: `Top` maximises, `Bottom` minimises, and ties go to the first move.
///
/// Finished games and boards at the full depth are valued by their [`evaluation`].
pub fn minimax(board: &Board, depth: u32) -> MinimaxResult {
    minimax_of(board, depth, evaluation)
}

/// Like [`minimax`], with another evaluation of finished games.
pub fn minimax_of(board: &Board, depth: u32, of_finished: fn(&Board) -> i32) -> MinimaxResult {
    let over = board.is_over();
    let mut found = MinimaxResult {
        value: if over { of_finished(board) } else { evaluation(board) },
        pit: None,
        leaves: u64::from(depth == 0),
        finished: u64::from(over),
        nodes: 1,
    };
    if depth == 0 || over {
        return found;
    }
    for pit in 0..board.game().pits() {
        let Ok(next) = play(board, pit) else { continue };
        let below = minimax_of(&next, depth - 1, of_finished);
        found.leaves += below.leaves;
        found.finished += below.finished;
        found.nodes += below.nodes;
        let better = match board.to_move() {
            Side::Top => below.value > found.value,
            Side::Bottom => below.value < found.value,
        };
        if found.pit.is_none() || better {
            found.value = below.value;
            found.pit = Some(pit);
        }
    }
    found
}
