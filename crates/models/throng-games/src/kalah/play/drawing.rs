//! Boards as text.

use std::fmt::Write as _;

use crate::kalah::players::legal_pits;
use crate::kalah::{Board, Side};

/// Whether to colour the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint(pub bool);

impl Paint {
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    pub fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Number of columns before the first pit.
const INDENT: usize = 6;

/// Draws a board with the lower row at the bottom. Only the legal pits of the player to move have numbers. Stones move
/// counter-clockwise: to the right in the lower row, to the left in the upper one.
pub(super) fn board(board: &Board, names: [&str; 2], paint: Paint) -> String {
    let pits = board.game().pits();
    let legal = if board.is_over() { Vec::new() } else { legal_pits(board) };
    let line = format!("{:INDENT$}{}+\n", "", "+----".repeat(pits as usize));
    let row = |side: Side| {
        let stones = board.pits(side).iter().map(|&stones| {
            let text = format!("{stones:>3} ");
            if stones == 0 { paint.faint(&text) } else { paint.bold(&text) }
        });
        in_order(side, stones).fold(String::new(), |text, pit| format!("{text}|{pit}"))
    };
    let numbers = |side: Side| {
        let numbers = (0..pits).map(|pit| {
            let is_legal = side == board.to_move() && legal.contains(&pit);
            if is_legal { paint.green(&format!("{:>4} ", pit + 1)) } else { " ".repeat(5) }
        });
        in_order(side, numbers).collect::<String>().trim_end().to_owned()
    };
    let mut text = String::new();
    let mut out = |line: &str| {
        let _ = writeln!(text, "{}", line.trim_end());
    };
    out(&format!("{:INDENT$}top: {}", "", names[1]));
    out(&format!("{:INDENT$}{}", "", numbers(Side::Top)));
    out(&line);
    out(&format!("{:INDENT$}{}|", "", row(Side::Top)));
    let stores = [Side::Top, Side::Bottom].map(|side| paint.bold(&format!("{:>3}", board.store(side))));
    out(&format!("  {} {}+  {}", stores[0], "+----".repeat(pits as usize), stores[1]));
    out(&format!("{:INDENT$}{}|", "", row(Side::Bottom)));
    out(&line);
    out(&format!("{:INDENT$}{}", "", numbers(Side::Bottom)));
    out(&format!("{:INDENT$}bottom: {}", "", names[0]));
    text
}

/// Returns the pits of a row from left to right.
fn in_order(side: Side, pits: impl DoubleEndedIterator<Item = String>) -> impl Iterator<Item = String> {
    let mut pits: Vec<String> = pits.collect();
    if side == Side::Top {
        pits.reverse();
    }
    pits.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Game;

    #[test]
    fn a_board_is_drawn_from_the_lower_row() {
        let game = Game::new(3, 4).unwrap();
        let drawn = Board::read(game, "0 10 1 2 | 3 4 0 4 bottom").unwrap();
        // A backslash after the quote would remove the spaces.
        let expected = "      top: greedy

      +----+----+----+
      |  0 |  4 |  3 |
    4 +----+----+----+    2
      |  0 | 10 |  1 |
      +----+----+----+
              2    3
      bottom: human
";
        assert_eq!(board(&drawn, ["human", "greedy"], Paint(false)), expected);
        let top = Board::read(game, "0 10 1 2 | 3 4 0 4 top").unwrap();
        let text = board(&top, ["human", "greedy"], Paint(false));
        assert_eq!(text.lines().nth(1), Some("              2    1"));
        assert!(board(&top, ["a", "b"], Paint(true)).contains("\x1b[1m 10 \x1b[0m"));
    }
}
