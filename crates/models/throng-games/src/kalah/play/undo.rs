//! Undo and redo.

use super::options::{RowPlayer, row};
use crate::kalah::Record;

/// A game, with the moves that were taken back.
#[derive(Debug, Clone)]
pub(super) struct History {
    pub record: Record,
    /// The pits of these moves, in the order in which they were taken back.
    undone: Vec<u32>,
}

impl History {
    pub fn new(record: Record) -> Self {
        Self { record, undone: Vec::new() }
    }

    /// Discards the moves that were taken back, because another one was made.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// Takes back moves up to and including the last one of a human player. Returns the number of moves; 0 if there is
    /// no such move.
    pub fn undo(&mut self, seated: [RowPlayer; 2]) -> usize {
        let is_human = |record: &Record| seated[row(record.board().to_move())] == RowPlayer::Human;
        let mut record = self.record.clone();
        let mut pits = Vec::new();
        while let Some(pit) = record.take_back() {
            pits.push(pit);
            if is_human(&record) {
                self.record = record;
                self.undone.extend(&pits);
                return pits.len();
            }
        }
        0
    }

    /// Repeats moves that were taken back until a human player is to move or none are left. Returns the number of
    /// moves.
    pub fn redo(&mut self, seated: [RowPlayer; 2]) -> usize {
        let mut made = 0;
        while let Some(pit) = self.undone.pop() {
            self.record.play(pit).expect("the move was made before");
            made += 1;
            if seated[row(self.record.board().to_move())] == RowPlayer::Human {
                break;
            }
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::players::Player;
    use crate::kalah::{Game, Side};

    #[test]
    fn undo_takes_back_the_replies_of_the_computer() {
        let seated = [RowPlayer::Human, RowPlayer::Computer(Player::Greedy)];
        let mut history = History::new(Record::new(Game::new(6, 4).unwrap(), Side::Bottom));
        // Each player's first move gives an extra move, and the second does not.
        for pit in [2, 1, 2, 1] {
            history.record.play(pit).unwrap();
        }
        let all = history.record.clone();
        assert_eq!((history.undo(seated), history.record.cells()), (3, &[2][..]));
        assert_eq!((history.undo(seated), history.undo(seated)), (1, 0));
        assert_eq!((history.redo(seated), history.redo(seated), history.redo(seated)), (1, 3, 0));
        assert_eq!(history.record, all);
        history.undo(seated);
        history.forget_undone();
        assert_eq!(history.redo(seated), 0);
    }
}
