//! Compares the exact solver and the endgame base with the values of another program, with minimax to the end, and with
//! each other.

use proptest::prelude::*;
use throng_core::NoProgress;
use throng_games::kalah::reference::{exact_evaluation, minimax_of, play};
use throng_games::kalah::{Board, Endgames, Game, Side, Solution, SolveRequest, solve};

fn kalah(pits: u32, stones: u32, empty_capture: bool) -> Game {
    Game::new(pits, stones).unwrap().with_empty_capture(empty_capture)
}

fn solved(game: Game, endgame_stones: u32) -> Solution {
    let endgames = Endgames::build(game, endgame_stones, &NoProgress).unwrap();
    solve(&SolveRequest { endgames: Some(endgames), ..SolveRequest::new(game.start(Side::Top)) }, &NoProgress).unwrap()
}

/// Values for the first player with 1, 2, ... stones per pit, by number of pits: computed for the specification by
/// another program, not published.
const STANDARD: [(u32, &[i32]); 6] = [
    (1, &[0, -2, 6, -2, 2, 0]),
    (2, &[2, -2, -2, -10, 6, 8]),
    (3, &[0, 4, 2, 2, 6, -8]),
    (4, &[2, 6, 6, 2, 4, 0]),
    (5, &[0, 2, 6, 10]),
    (6, &[2, 6, 2]),
];
const EMPTY_CAPTURE: [(u32, &[i32]); 6] = [
    (1, &[0, -2, 6, -2, 2, 0]),
    (2, &[2, -2, -2, -12, 6, 8]),
    (3, &[0, 4, 2, 2, 6, -10]),
    (4, &[2, 6, 8, 2, 2, 0]),
    (5, &[0, 0, 8, 12]),
    (6, &[2, 10, 2]),
];

/// A base answers games with few stones before the search begins, so these tests have no base, or a small one.
#[test]
fn the_search_alone_finds_the_values_of_small_games() {
    for (values, empty_capture) in [(STANDARD, false), (EMPTY_CAPTURE, true)] {
        for (pits, values) in values {
            for (stones, value) in (1..).zip(values).filter(|(stones, _)| pits * stones <= 12) {
                let game = kalah(pits, stones, empty_capture);
                let request = SolveRequest { table_bytes: 1 << 20, ..SolveRequest::new(game.start(Side::Top)) };
                let plain = solve(&request, &NoProgress).unwrap();
                let with_base = solved(game, 3);
                assert_eq!(plain.value, *value, "{pits} pits, {stones} stones, {empty_capture}");
                assert_eq!((with_base.value, &with_base.moves), (*value, &plain.moves), "{pits} pits, {stones} stones");
                assert!(plain.nodes > plain.moves.len() as u64 || pits == 1, "{pits} pits, {stones} stones: no search");
            }
        }
    }
}

#[test]
fn values_of_small_games() {
    values_of_games_up_to(16, 8);
}

/// Checks all games of the tables with at most `stones_of_a_row` stones per row, using endgames of `endgame_stones`.
fn values_of_games_up_to(stones_of_a_row: u32, endgame_stones: u32) {
    for (values, empty_capture) in [(STANDARD, false), (EMPTY_CAPTURE, true)] {
        for (pits, values) in values {
            for (stones, value) in (1..).zip(values).filter(|(stones, _)| pits * stones <= stones_of_a_row) {
                let game = kalah(pits, stones, empty_capture);
                assert_eq!(solved(game, endgame_stones).value, *value, "{pits} pits, {stones} stones, {empty_capture}");
            }
        }
    }
}

/// Values of the first moves, starting with the pit farthest from the store, by pits, stones per pit, and whether a
/// capture may be empty: from the same program.
type FirstMoves = (u32, u32, bool, &'static [i32]);

#[test]
fn values_of_first_moves() {
    first_moves_are(8, &[(6, 2, true, &[-14, -8, -6, -14, 10, -2]), (6, 2, false, &[-14, -8, -8, -14, 6, 0])]);
}

/// Games with more stones; some take half a minute.
mod exhaustive {
    use super::*;

    #[test]
    fn values_of_larger_games() {
        values_of_games_up_to(u32::MAX, 12);
    }

    #[test]
    fn values_of_first_moves_in_larger_games() {
        first_moves_are(
            14,
            &[
                (6, 2, true, &[-14, -8, -6, -14, 10, -2]),
                (6, 2, false, &[-14, -8, -8, -14, 6, 0]),
                (4, 4, true, &[2, -2, 2, -4]),
                (4, 4, false, &[2, 0, 0, -2]),
                (6, 3, true, &[-12, -16, -10, -2, 2, 0]),
                (6, 3, false, &[-14, -16, -10, -2, 2, 0]),
                (5, 4, true, &[-10, 12, 0, 2, -2]),
            ],
        );
    }
}

fn first_moves_are(endgame_stones: u32, expected: &[FirstMoves]) {
    for &(pits, stones, empty_capture, values) in expected {
        let solution = solved(kalah(pits, stones, empty_capture), endgame_stones);
        let moves: Vec<i32> = solution.moves.iter().map(|(_, value)| *value).collect();
        assert_eq!(moves, values, "{pits} pits, {stones} stones, {empty_capture}");
        let best = values.iter().max().unwrap();
        assert_eq!(solution.value, *best);
        let pits_of_best = (0..).zip(values).filter(|(_, value)| *value == best).map(|(pit, _)| pit);
        assert_eq!(solution.best(), pits_of_best.collect::<Vec<u32>>());
    }
}

/// Returns the minimax value at the end of the game, for the player to move.
fn minimax_to_the_end(board: &Board) -> i32 {
    let found = minimax_of(board, 200, exact_evaluation);
    found.value * board.to_move().sign() / 5
}

/// Calls `check` with all boards of a game with `in_pits` stones in the pits and the others in the stores.
fn all_boards(game: Game, in_pits: u32, check: &mut dyn FnMut(&Board)) {
    fn fill(game: Game, cells: &mut Vec<u8>, left: u32, check: &mut dyn FnMut(&Board)) {
        let pits = game.pits() as usize;
        if cells.len() == 2 * pits {
            if left == 0 {
                let in_pits: u32 = cells.iter().map(|&cell| u32::from(cell)).sum();
                let in_stores = game.all_stones() - in_pits;
                let mut all = cells[..pits].to_vec();
                all.push((in_stores / 3) as u8);
                all.extend(&cells[pits..]);
                all.push((in_stores - in_stores / 3) as u8);
                let side = if in_pits.is_multiple_of(2) { Side::Top } else { Side::Bottom };
                check(&Board::new(game, &all, side).unwrap());
            }
            return;
        }
        for stones in 0..=left {
            cells.push(stones as u8);
            fill(game, cells, left - stones, check);
            cells.pop();
        }
    }
    fill(game, &mut Vec::new(), in_pits, check);
}

#[test]
fn endgames_agree_with_minimax() {
    for empty_capture in [false, true] {
        for (pits, most) in [(1, 12), (2, 7), (3, 6), (4, 4), (6, 3)] {
            let game = kalah(pits, 6, empty_capture);
            let endgames = Endgames::build(game, most, &NoProgress).unwrap();
            let mut boards = 0;
            for stones in 0..=most {
                all_boards(game, stones, &mut |board| {
                    assert_eq!(endgames.margin(board), Some(minimax_to_the_end(board)), "{board}");
                    boards += 1;
                });
            }
            assert_eq!(boards, endgames.positions());
        }
    }
}

/// Boards after random moves, with few stones in the pits.
fn late_boards() -> impl Strategy<Value = Board> {
    let games = (1..=6u32, 1..=6u32, any::<bool>()).prop_map(|(pits, stones, empty)| kalah(pits, stones, empty));
    (games, prop::collection::vec(0..6usize, 200), 1..=14u32).prop_map(|(game, choices, most)| {
        let mut board = game.start(Side::Bottom);
        let in_pits = |board: &Board| board.pits(Side::Top).iter().chain(board.pits(Side::Bottom)).sum::<u8>();
        for choice in choices {
            let legal: Vec<Board> = (0..game.pits()).filter_map(|pit| play(&board, pit).ok()).collect();
            if legal.is_empty() || u32::from(in_pits(&board)) <= most {
                break;
            }
            board = legal[choice % legal.len()];
        }
        board
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(8)))]

    #[test]
    fn threads_table_and_base_change_nothing(
        board in late_boards(),
        memory in 0..22u32,
        threads in 1..=3usize,
        stones in prop::option::of(0..=10u32),
    ) {
        let all = Endgames::build(board.game(), 14, &NoProgress).unwrap();
        let moves = |pit| {
            let next = play(&board, pit).ok()?;
            let margin = all.margin(&next)?;
            Some((pit, if next.to_move() == board.to_move() { margin } else { -margin }))
        };
        let expected: Vec<(u32, i32)> = (0..board.game().pits()).filter_map(moves).collect();
        let endgames = stones.map(|stones| Endgames::build(board.game(), stones, &NoProgress).unwrap());
        let request = SolveRequest { table_bytes: 1 << memory, threads, endgames, ..SolveRequest::new(board) };
        let solution = solve(&request, &NoProgress).unwrap();
        if let Some(value) = all.margin(&board) {
            prop_assert_eq!(solution.value, value);
            prop_assert_eq!(solution.moves, expected);
        }
    }
}

#[test]
fn threads_and_tables_change_nothing_in_whole_games() {
    for game in [kalah(4, 3, false), kalah(3, 5, true), kalah(6, 2, false)] {
        let expected = solved(game, 0);
        for (threads, table_bytes) in [(1, 0), (2, 0), (2, 1 << 24), (3, 1 << 20)] {
            let request = SolveRequest { table_bytes, threads, ..SolveRequest::new(game.start(Side::Top)) };
            let solution = solve(&request, &NoProgress).unwrap();
            assert_eq!((solution.value, solution.moves), (expected.value, expected.moves.clone()));
        }
    }
}
