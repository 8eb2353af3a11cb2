//! The result of the solver.

use std::fmt::Write as _;
use std::time::Duration;

use throng_core::three_figures;

use crate::kalah::Board;

/// The exact value of a board and of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The board to which value and moves belong.
    pub board: Board,
    /// The final margin for the player to move, under best play by both sides.
    pub value: i32,
    /// Pit and final margin of every legal move, by ascending pit; pit 0 is the farthest from the store.
    pub moves: Vec<(u32, i32)>,
    /// Number of nodes of this session and earlier ones with the same table file.
    pub nodes: u64,
    /// Search time of these sessions.
    pub time: Duration,
}

impl Solution {
    /// Returns the pits of all moves with the best value, in ascending order.
    pub fn best(&self) -> Vec<u32> {
        self.moves.iter().filter(|(_, value)| *value == self.value).map(|(pit, _)| *pit).collect()
    }

    /// Formats the solution as lines of text. Pits are counted from 1, as in play.
    pub fn text(&self) -> String {
        let game = self.board.game();
        let rule = if game.empty_capture() { "with empty capture" } else { "standard rule" };
        let mut text = format!("Kalah      {} pits, {} stones each, {rule}\n", game.pits(), game.stones());
        let _ = writeln!(text, "board      {}", self.board);
        let _ = writeln!(text, "value      {:+} for the player to move", self.value);
        for (pit, value) in &self.moves {
            let best = if *value == self.value { "  best" } else { "" };
            let _ = writeln!(text, "pit {}      {value:+}{best}", pit + 1);
        }
        let seconds = self.time.as_secs_f64();
        let _ = writeln!(text, "nodes      {}", self.nodes);
        let _ = writeln!(text, "time       {seconds:.1} s");
        let _ = write!(text, "rate       {} nodes/s", three_figures(self.nodes as f64 / seconds.max(1e-9)));
        text
    }
}
