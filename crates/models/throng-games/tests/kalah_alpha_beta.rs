//! Compares alpha-beta with minimax: value and move, for any number of threads and any table size.

use proptest::prelude::*;
use throng_games::kalah::reference::{evaluation, exact_evaluation, minimax, minimax_of, play};
use throng_games::kalah::{AlphaBeta, Board, Game, Limit, SearchResult, Side, unpruned};

fn kalah(pits: u32, stones: u32) -> Game {
    Game::new(pits, stones).unwrap()
}

fn searched(board: &Board, depth: u32, bytes: u64, threads: usize) -> SearchResult {
    AlphaBeta::new(board.game(), bytes, threads).unwrap().best_move(board, Limit::Depth(depth)).unwrap()
}

/// Value and cell of the best move for `Top` from the start, for depths from 1: computed for the specification by
/// another program.
const BEST: [(i32, u32); 12] =
    [(4, 9), (4, 9), (0, 9), (2, 10), (2, 9), (2, 12), (8, 12), (8, 9), (16, 12), (14, 12), (18, 9), (22, 9)];

#[test]
fn values_and_moves_from_the_start() {
    let game = kalah(6, 4);
    for threads in [1, 2] {
        let mut search = AlphaBeta::new(game, 1 << 24, threads).unwrap();
        for (depth, (value, cell)) in (1..).zip(BEST) {
            for side in [Side::Top, Side::Bottom] {
                let choice = search.best_move(&game.start(side), Limit::Depth(depth)).unwrap();
                assert_eq!((choice.value * side.sign(), choice.pit), (value, Some(cell - 7)), "depth {depth}");
                assert_eq!((choice.depth, choice.line.len()), (depth, depth as usize));
            }
        }
    }
}

/// Returns a board of a game after moves chosen by `choices`.
fn played(game: Game, side: Side, choices: &[u32]) -> Board {
    let mut board = game.start(side);
    for choice in choices {
        let legal: Vec<Board> = (0..game.pits()).filter_map(|pit| play(&board, pit).ok()).collect();
        let Some(last) = legal.len().checked_sub(1) else { break };
        board = legal[*choice as usize % (last + 1)];
    }
    board
}

fn games() -> impl Strategy<Value = Game> {
    (1..=6u32, 1..=6u32, any::<bool>())
        .prop_map(|(pits, stones, empty_capture)| kalah(pits, stones).with_empty_capture(empty_capture))
}

fn sides() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Top), Just(Side::Bottom)]
}

fn boards() -> impl Strategy<Value = Board> {
    let of_play = (games(), sides(), prop::collection::vec(0..6u32, 0..40));
    let of_play = of_play.prop_map(|(game, side, choices)| played(game, side, &choices));
    // Any distribution of the stones, with some heavily filled cells.
    let any = (games(), sides(), prop::collection::vec(0..14usize, 72), 1..14usize);
    let any = any.prop_map(|(game, side, places, spread)| {
        let len = 2 * game.pits() as usize + 2;
        let mut cells = vec![0; len];
        for place in &places[..game.all_stones() as usize] {
            cells[place % spread * 5 % len] += 1;
        }
        Board::new(game, &cells, side).unwrap()
    });
    prop_oneof![2 => of_play, 1 => any]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testing::cases(25)))]

    #[test]
    fn the_search_agrees_with_minimax(board in boards(), depth in 1..=6u32, bytes in 0..24u32, threads in 1..=2usize) {
        let expected = minimax(&board, depth);
        let choice = searched(&board, depth, 1 << bytes, threads);
        prop_assert_eq!((choice.value, choice.pit, choice.depth), (expected.value, expected.pit, depth));
        check_line(&board, &choice)?;
    }

    #[test]
    fn the_search_with_exact_values_of_finished_games_agrees_with_minimax(board in boards(), depth in 1..=6u32, threads in 1..=2usize) {
        let expected = minimax_of(&board, depth, exact_evaluation);
        let mut search = AlphaBeta::new(board.game(), 1 << 16, threads).unwrap().with_terminal_exact(true);
        let choice = search.best_move(&board, Limit::Depth(depth)).unwrap();
        prop_assert_eq!((choice.value, choice.pit), (expected.value, expected.pit));
    }

    #[test]
    fn threads_and_tables_change_nothing(board in boards(), depth in 7..=9u32, bytes in 15..24u32) {
        let expected = unpruned::search_on_cpu(&board, depth);
        let one = searched(&board, depth, 1 << bytes, 1);
        prop_assert_eq!((one.value, one.pit), (expected.value, expected.pit));
        for threads in [2, 3] {
            let several = searched(&board, depth, 1 << 15, threads);
            prop_assert_eq!(SearchResult { nodes: one.nodes, ..several }, one.clone());
        }
    }
}

/// Checks that the line leads to a board whose evaluation is the value.
fn check_line(board: &Board, choice: &SearchResult) -> Result<(), TestCaseError> {
    let end = choice.line.iter().try_fold(*board, |board, &pit| play(&board, pit)).unwrap();
    prop_assert_eq!(evaluation(&end), choice.value);
    prop_assert!(end.is_over() || choice.line.len() == choice.depth as usize);
    prop_assert_eq!(choice.line.first().copied(), choice.pit);
    Ok(())
}

#[test]
fn used_tables_do_not_change_results() {
    let game = kalah(6, 4);
    let mut search = AlphaBeta::new(game, 1 << 18, 1).unwrap();
    let mut board = game.start(Side::Top);
    while !board.is_over() {
        let choice = search.best_move(&board, Limit::Depth(7)).unwrap();
        let expected = unpruned::search_on_cpu(&board, 7);
        assert_eq!((choice.value, choice.pit), (expected.value, expected.pit), "{board}");
        board = play(&board, choice.pit.unwrap()).unwrap();
    }
}

#[test]
fn time_ends_a_search() {
    use std::time::Duration;

    let board = kalah(6, 6).start(Side::Top);
    let mut search = AlphaBeta::new(board.game(), 1 << 20, 2).unwrap();
    let choice = search.best_move(&board, Limit::Time(Duration::from_nanos(1))).unwrap();
    assert!((1..20).contains(&choice.depth));
    // The longest time is beyond the range of the clock, and means no limit.
    for time in [Duration::from_hours(1), Duration::MAX] {
        let choice = search.best_move(&board, Limit::Both(4, time)).unwrap();
        assert_eq!(choice.depth, 4, "{time:?}");
    }
    // The game ends long before the maximum depth.
    let end = Board::read(kalah(2, 2), "0 1 2 | 1 1 3 top").unwrap();
    let choice =
        AlphaBeta::new(end.game(), 1 << 20, 2).unwrap().best_move(&end, Limit::Time(Duration::from_hours(1))).unwrap();
    assert_eq!(choice.depth, 63);
    assert_eq!(
        (choice.value, choice.pit),
        (unpruned::search_on_cpu(&end, 12).value, unpruned::search_on_cpu(&end, 12).pit)
    );
}

#[test]
fn finished_games_have_no_best_move() {
    let over = Board::read(kalah(6, 4), "0 0 0 0 0 0 24 | 4 4 4 4 4 4 0 top").unwrap();
    let choice = searched(&over, 5, 1 << 20, 1);
    assert_eq!((choice.value, choice.pit, choice.line), (24 - 5 * 24, None, Vec::new()));
}

#[test]
fn invalid_limits_are_refused() {
    use std::time::Duration;

    let text = |limit: Limit| limit.check().unwrap_err().to_string();
    assert_eq!(text(Limit::Depth(0)), "depth: 0\n    give a whole number from 1 to 63");
    assert_eq!(text(Limit::Depth(64)), "depth: 64\n    give a whole number from 1 to 63");
    assert_eq!(text(Limit::Time(Duration::ZERO)), "time: 0 s\n    give a time above 0");
    assert!(Limit::Both(63, Duration::from_nanos(1)).check().is_ok());
}

#[test]
fn impossible_resources_are_refused() {
    let refused = |bytes: u64, threads: usize| AlphaBeta::new(kalah(6, 4), bytes, threads).unwrap_err().to_string();
    assert!(refused(u64::MAX, 1).starts_with("table: "), "{}", refused(u64::MAX, 1));
    for threads in [0, usize::MAX] {
        assert!(refused(1 << 20, threads).starts_with(&format!("threads: {threads}\n")));
    }
}
