//! The definition of the game and of minimax, stone by stone and move by move. Every faster implementation must agree
//! with it.

use super::board::{Board, Side};
use super::game::Game;

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
    let side = board.to_move();
    if board.is_over() {
        return Err(Illegal::Over);
    }
    let stones = *board.pits(side).get(pit as usize).ok_or(Illegal::NoPit)?;
    if stones == 0 {
        return Err(Illegal::Empty);
    }
    let (mut cells, last) = sow(board, pit, Some(board.store_cell(side.other())));
    capture(board.game(), board.first_pit(side), &mut cells, last);
    let next = if last == board.store_cell(side) { side } else { side.other() };
    Ok(Board::new(board.game(), &cells, next).expect("no stone is lost or made"))
}

/// Sows a pit of the player to move, one stone at a time, and skips a cell. Returns all cells, and the one that got the
/// last stone.
pub(super) fn sow(board: &Board, pit: u32, skipped: Option<usize>) -> (Vec<u8>, usize) {
    let mut cells = board.cells().to_vec();
    let mut cell = board.first_pit(board.to_move()) + pit as usize;
    let mut stones = std::mem::take(&mut cells[cell]);
    while stones > 0 {
        cell = (cell + 1) % cells.len();
        if Some(cell) != skipped {
            cells[cell] += 1;
            stones -= 1;
        }
    }
    (cells, cell)
}

/// Makes the capture of a player whose pits start at the cell `first` and whose last stone is in the cell `last`, if
/// there is one.
pub(super) fn capture(game: Game, first: usize, cells: &mut [u8], last: usize) {
    let pits = game.pits() as usize;
    let own_store = first + pits;
    if (first..own_store).contains(&last) && cells[last] == 1 {
        // With 6 pits, the cells p and 12 - p are opposite.
        let opposite = 2 * pits - last;
        if cells[opposite] > 0 || game.empty_capture() {
            cells[own_store] += 1 + cells[opposite];
            cells[last] = 0;
            cells[opposite] = 0;
        }
    }
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
    minimax_by(&OfFinished(of_finished), board, depth)
}

/// The rules by which minimax searches: those of the game, or in tests faulty ones.
pub(super) trait Rules {
    /// Returns the board after a move.
    ///
    /// # Errors
    /// If the move is illegal.
    fn play(&self, board: &Board, pit: u32) -> Result<Board, Illegal> {
        play(board, pit)
    }

    /// Whether the game is over.
    fn is_over(&self, board: &Board) -> bool {
        board.is_over()
    }

    /// Evaluates a finished game.
    fn of_finished(&self, board: &Board) -> i32;
}

/// The rules of the game, with an evaluation of finished games.
struct OfFinished(fn(&Board) -> i32);

impl Rules for OfFinished {
    fn of_finished(&self, board: &Board) -> i32 {
        (self.0)(board)
    }
}

/// Like [`minimax`], by given rules.
pub(super) fn minimax_by(rules: &impl Rules, board: &Board, depth: u32) -> MinimaxResult {
    let over = rules.is_over(board);
    let mut found = MinimaxResult {
        value: if over { rules.of_finished(board) } else { evaluation(board) },
        pit: None,
        leaves: u64::from(depth == 0),
        finished: u64::from(over),
        nodes: 1,
    };
    if depth == 0 || over {
        return found;
    }
    for pit in 0..board.game().pits() {
        let Ok(next) = rules.play(board, pit) else { continue };
        let below = minimax_by(rules, &next, depth - 1);
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
