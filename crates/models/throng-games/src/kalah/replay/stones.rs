//! Tracks every stone through a game.

use crate::kalah::{Board, Record};

/// The stones of a cell; each stone is identified by the cell where it started.
type Cell = Vec<u8>;

/// Returns the stones in each cell on each board of a record, starting with the initial board.
///
/// Stones from the same pit are interchangeable, so only their number in each cell matters. Stones leave the cells that
/// have fewer after the move, beginning with the sown pit. In this order they enter the cells that have more, in sowing
/// order from that pit.
pub(super) fn on_all_boards(record: &Record) -> Vec<Vec<Cell>> {
    let boards = record.boards();
    let start: Vec<Cell> = boards[0].cells().iter().zip(0..).map(|(&stones, cell)| vec![cell; stones.into()]).collect();
    let mut all = vec![start];
    for (board, &sown) in boards[1..].iter().zip(record.cells()) {
        let mut cells = all[all.len() - 1].clone();
        move_to(&mut cells, board, sown.into());
        all.push(cells);
    }
    all
}

/// Moves stones until each cell has the same number as on a board.
fn move_to(cells: &mut [Cell], board: &Board, sown: usize) {
    let wanted = |cell: usize| usize::from(board.cells()[cell]);
    let in_order: Vec<usize> = (0..cells.len()).map(|i| (sown + i) % cells.len()).collect();
    let mut moving = Vec::new();
    for &cell in &in_order {
        let stay = wanted(cell).min(cells[cell].len());
        moving.extend(cells[cell].drain(stay..));
    }
    let mut moving = moving.into_iter();
    for &cell in &in_order {
        let missing = wanted(cell) - cells[cell].len();
        cells[cell].extend(moving.by_ref().take(missing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::{Game, Side};

    #[test]
    fn stones_are_sown_and_captured() {
        // Cells: bottom's pits 0 and 1, its store 2, top's pits 3 and 4, its store 5.
        let mut record = Record::new(Game::new(2, 1).unwrap(), Side::Bottom);
        let start = [vec![0], vec![1], vec![], vec![3], vec![4], vec![]];
        assert_eq!(on_all_boards(&record), [start.to_vec()]);
        // The last stone falls into the store, so bottom moves again. The next stone falls into the empty pit 1 and
        // captures the stone of pit 3.
        record.play(1).unwrap();
        record.play(0).unwrap();
        let boards = on_all_boards(&record);
        assert_eq!(boards[1], [vec![0], vec![], vec![1], vec![3], vec![4], vec![]]);
        assert_eq!(boards[2], [vec![], vec![], vec![1, 0, 3], vec![], vec![4], vec![]]);
    }

    #[test]
    fn cells_and_boards_have_equal_numbers_of_stones() {
        let mut record = Record::new(Game::new(6, 6).unwrap(), Side::Top);
        while !record.board().is_over() {
            let board = record.board();
            let pits = board.pits(board.to_move());
            let fullest = (0..).zip(pits).max_by_key(|(_, stones)| **stones).unwrap().0;
            record.play(fullest).unwrap();
        }
        for (cells, board) in on_all_boards(&record).iter().zip(record.boards()) {
            let counts: Vec<usize> = cells.iter().map(Vec::len).collect();
            let expected: Vec<usize> = board.cells().iter().map(|&stones| stones.into()).collect();
            assert_eq!(counts, expected);
            let mut origins: Vec<u8> = cells.concat();
            origins.sort_unstable();
            let at_start: Vec<u8> = (0..6).chain(7..13).flat_map(|cell| [cell; 6]).collect();
            assert_eq!(origins, at_start, "no stone is lost");
        }
    }
}
