//! Descriptions of moves and searches.

use std::fmt::Write as _;

use crate::kalah::players::SearchSummary;
use crate::kalah::record::pit_of;
use crate::kalah::reference::play;
use crate::kalah::{Board, Record, Side};

/// Formats a number of moves.
pub(super) fn moves_of(number: usize) -> String {
    format!("{number} move{}", if number == 1 { "" } else { "s" })
}

/// Describes a move and its effect: `bottom sows pit 3 and moves again`.
pub(super) fn describe_move(before: &Board, pit: u32, after: &Board) -> String {
    let side = before.to_move();
    format!("{} sows pit {}{}", side.name(), pit + 1, effect(before, pit, after))
}

fn effect(before: &Board, pit: u32, after: &Board) -> String {
    let side = before.to_move();
    let captured = i32::from(after.store(side)) - i32::from(before.store(side)) - into_store(before, pit);
    if captured > 0 {
        return format!(" and captures {captured}");
    }
    let is_again = after.to_move() == side && !after.is_over();
    if is_again { " and moves again".to_owned() } else { String::new() }
}

/// Returns the number of stones sown into the store.
fn into_store(board: &Board, pit: u32) -> i32 {
    let pits = board.game().pits() as i32;
    let stones = i32::from(board.pits(board.to_move())[pit as usize]);
    let (to_store, lap) = (pits - pit as i32, 2 * pits + 1);
    if stones < to_store { 0 } else { 1 + (stones - to_store) / lap }
}

/// Describes the legal moves with their effects, one per line.
pub(super) fn legal_moves(board: &Board) -> String {
    let mut text = String::new();
    for pit in 0..board.game().pits() {
        if let Ok(after) = play(board, pit) {
            let stones = board.pits(board.to_move())[pit as usize];
            let plural = if stones == 1 { "" } else { "s" };
            let _ = writeln!(text, "  {}: {stones} stone{plural}{}", pit + 1, effect(board, pit, &after));
        }
    }
    text
}

/// Lists the moves of a game: `bottom 3 6, top 2`.
pub(super) fn moves(record: &Record) -> String {
    let pits = record.cells().iter().zip(record.boards()).map(|(&cell, board)| pit_of(board, cell));
    line(&record.boards()[0], pits)
}

/// Lists moves that start from a board; consecutive moves of a player are grouped.
fn line(from: &Board, pits: impl Iterator<Item = u32>) -> String {
    let (mut board, mut text, mut last) = (*from, String::new(), None);
    for pit in pits {
        let side = board.to_move();
        let Ok(next) = play(&board, pit) else { break };
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = if last == Some(side) {
            write!(text, " {}", pit + 1)
        } else {
            write!(text, "{comma}{} {}", side.name(), pit + 1)
        };
        (board, last) = (next, Some(side));
    }
    text
}

/// Describes the result of a search.
pub(super) fn search(board: &Board, summary: &SearchSummary) -> String {
    let SearchSummary { value, proved, depth, nodes, line: pits } = summary;
    let found = match (proved, value) {
        (Some(margin), _) => format!("proved: {}", outcome(*margin)),
        (None, 0) => format!("value even after {}", moves_of(*depth as usize)),
        (None, value) => {
            let side = if *value > 0 { Side::Top } else { Side::Bottom };
            format!("value +{} for {} after {}", value.abs(), side.name(), moves_of(*depth as usize))
        }
    };
    let plural = if *nodes == 1 { "" } else { "s" };
    format!("{found}; {nodes} board{plural} visited\nline: {}\n", line(board, pits.iter().copied()))
}

/// Describes the outcome for a margin of the upper row: `bottom wins by 6`.
fn outcome(margin: i32) -> String {
    let winner = match margin {
        0 => return "a draw".to_owned(),
        1.. => Side::Top,
        _ => Side::Bottom,
    };
    format!("{} wins by {}", winner.name(), margin.abs())
}

/// Describes the result of a finished game.
pub(super) fn result(board: &Board) -> String {
    let [bottom, top] = [Side::Bottom, Side::Top].map(|side| board.total(side));
    format!("The game is over: bottom {bottom}, top {top}, {}.\n", outcome(top - bottom))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::Game;

    fn after(board: &str, pit: u32) -> String {
        let board = Board::read(Game::new(6, 4).unwrap(), board).unwrap();
        describe_move(&board, pit, &play(&board, pit).unwrap())
    }

    #[test]
    fn effects_of_moves() {
        let start = "4 4 4 4 4 4 0 | 4 4 4 4 4 4 0 bottom";
        assert_eq!(after(start, 2), "bottom sows pit 3 and moves again");
        assert_eq!(after(start, 3), "bottom sows pit 4");
        assert_eq!(after("4 4 4 4 0 4 0 | 0 4 4 4 4 4 8 bottom", 0), "bottom sows pit 1 and captures 5");
        // A full lap: one stone goes into the store, and six are captured.
        assert_eq!(after("0 0 0 0 0 13 0 | 4 4 4 4 4 4 11 bottom", 5), "bottom sows pit 6 and captures 6");
    }

    #[test]
    fn consecutive_moves_of_a_player_are_grouped() {
        let start = Game::new(6, 4).unwrap().start(Side::Bottom);
        assert_eq!(line(&start, [2, 0, 5].into_iter()), "bottom 3 1, top 6");
        let found = SearchSummary { value: -7, proved: None, depth: 3, nodes: 1, line: vec![2, 0] };
        assert_eq!(search(&start, &found), "value +7 for bottom after 3 moves; 1 board visited\nline: bottom 3 1\n");
        for (margin, expected) in [(-2, "bottom wins by 2"), (0, "a draw"), (4, "top wins by 4")] {
            let text = search(&start, &SearchSummary { proved: Some(margin), ..found.clone() });
            assert_eq!(text, format!("proved: {expected}; 1 board visited\nline: bottom 3 1\n"));
        }
    }
}
