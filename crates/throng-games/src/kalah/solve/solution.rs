//! What the solver finds.

use std::fmt::Write as _;
use std::time::Duration;

use throng_core::three_figures;

use crate::kalah::Board;

/// The exact value of a board and of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The board.
    pub board: Board,
    /// The final margin for the player to move, if both play as well as possible.
    pub value: i32,
    /// Every legal move in ascending order of its pit: the pit, counted from 0, the farthest from the store, and the final
    /// margin.
    pub moves: Vec<(u32, i32)>,
    /// Positions that were looked at, those of earlier sessions with the same table file included.
    pub nodes: u64,
    /// Time that the search took, likewise.
    pub time: Duration,
}

impl Solution {
    /// All moves with the best value, in ascending order.
    pub fn best(&self) -> Vec<u32> {
        self.moves.iter().filter(|(_, value)| *value == self.value).map(|(pit, _)| *pit).collect()
    }

    /// The solution in lines of text. Pits are counted from 1, as players do.
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
